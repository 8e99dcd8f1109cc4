// The surfaces of a CAD file, each trimmed by the triangles that stand for it, and where they contradict the
// file's own edges.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "content/mesh/triangle_bvh.h"
#include "content/recognize/cad_surfaces.h"
#include "content/recognize/smooth_regions.h"

namespace tenon::content {

class GivenSurfaces {
 public:
  /// All of them must live as long. `tree`: of the triangles of the facets. `reach`: how far corners may lie
  /// from the surfaces of their faces, and are sought from where these meet [m].
  GivenSurfaces(const Facets& facets, const CadFaces& cad, const TriangleBvh& tree, double reach);

  /// Null where only triangles are available, or the corners lie far from the surface of the face, as those
  /// of a triangle that fills a hole may.
  const physics::Surface* surfaceOf(int triangle) const { return own_[static_cast<std::size_t>(triangle)]; }
  /// True if the file has no exact surface for the face of a triangle.
  bool hasOnlyFacets(int triangle) const { return !surfaces_[faceOf(triangle)]; }

  /// The nearest point on the surface of a triangle; `p` itself where only triangles are available.
  Vector3d footOn(int triangle, const Vector3d& p) const;

  /// A distance from the given surfaces, and the triangle of the surface.
  struct Distance {
    double value = 0;  ///< [m], not negative
    int triangle = -1;
    bool isOutside = false;  ///< of the solid
  };
  /// Of any point: to the surface of a triangle if its foot lies above the triangle, to within the sagitta of
  /// that and the slack of its borders; else beside it. Of triangles without a surface: to them, and further
  /// by what their own surface lies beside them.
  Distance distanceFrom(const Vector3d& p) const;

  /// How far a corner of the file lies from where the surfaces of its faces meet, as far as that is due to
  /// the corner being beside these surfaces [m]: at most twice its distance from them, which surfaces that
  /// meet at 60° to 120° have for their corners. Where they do not meet, its largest distance from one.
  double gapAt(int vertex) const { return gaps_[static_cast<std::size_t>(vertex)]; }
  /// The larger gap of the ends of side k of a triangle that is the border of a face; else 0 [m].
  double borderGap(int triangle, int k) const;
  /// How far the border of a face may lie beside side k of a triangle, along its plane [m]: by the sagitta of
  /// the curve in which its surfaces meet, and the gap. 0 for a side inside of a face.
  double borderSlack(int triangle, int k) const {
    return borderSlacks_[static_cast<std::size_t>(triangle)][static_cast<std::size_t>(k)];
  }

 private:
  std::size_t faceOf(int triangle) const {
    const int source = f_.mesh->sources[static_cast<std::size_t>(triangle)];
    return static_cast<std::size_t>(cad_.surfaceOf[static_cast<std::size_t>(source)]);
  }
  bool isBorder(int triangle, int k) const {
    const int other = f_.neighbor(triangle, k);
    return other < 0 || faceOf(other) != faceOf(triangle);
  }
  void findSurfaces(double reach);
  void findGaps(double reach);
  void findSlacks();
  void findFacetDeviations();
  double sagittaOf(int triangle) const;
  double sagittaOfSide(int triangle, int k) const;
  Distance distanceFromTriangle(int triangle, const Vector3d& p) const;

  const Facets& f_;
  const CadFaces& cad_;
  const TriangleBvh& tree_;
  std::vector<std::optional<physics::Surface>> surfaces_;  // of the file
  std::vector<const physics::Surface*> own_;               // by triangle
  std::vector<double> gaps_;                               // by vertex [m]
  std::vector<double> sagittas_;                           // by triangle, from its surface [m]
  std::vector<std::array<double, 3>> borderSlacks_;
  std::vector<double> facetDeviations_;  // by triangle without a surface, of that from the triangle [m]
  double largestSlack_ = 0;              // [m]
};

}  // namespace tenon::content
