// See offset_faces.h.
#include "content/reader/offset_faces.h"

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

#include "content/mesh/self_intersections.h"
#include "physics/collision/brep/surface.h"
#include "physics/collision/brep/triangle_solid.h"

namespace tenon::content {

namespace {

using physics::BoundarySolid;
using physics::Surface;

/// Surfaces that meet at a vertex do so after the motion, to this [m]: a fifth of what makes triangles
/// coplanar.
constexpr double kMeets = 1e-10;

class Offsetting {
 public:
  Offsetting(const BoundarySolid& solid, const FaceTopology& faces, const std::vector<FaceMotion>& motions)
      : old_(solid), faces_(faces), motions_(motions), new_(solid) {
    for (std::size_t f = 0; f < faces.faces.size(); ++f)
      surfaces_.push_back(moved(faces.faces[f].surface, motions[f]));
  }

  BoundarySolid result() {
    moveSurfaces();
    for (std::size_t v = 0; v < old_.vertices.size(); ++v) moveVertex(v);
    checkEdges();
    checkTriangles();
    moveHoles();
    return std::move(new_);
  }

 private:
  bool isMoved(int f) const { return !motions_[asIndex(f)].isNone(); }

  /// In place, or as a surface of its own if another face shares it.
  void moveSurfaces() {
    std::vector<int> users(old_.surfaces.size(), 0);
    for (const MeshFace& face : faces_.faces)
      if (face.index >= 0) ++users[asIndex(face.index)];
    for (std::size_t f = 0; f < faces_.faces.size(); ++f) {
      const MeshFace& face = faces_.faces[f];
      if (face.index < 0 || !isMoved(static_cast<int>(f))) continue;
      Surface surface = surfaces_[f];
      surface.side = old_.surfaces[asIndex(face.index)].side;
      if (users[asIndex(face.index)] == 1) {
        new_.surfaces[asIndex(face.index)] = surface;
        continue;
      }
      for (const int t : face.triangles) new_.surfaceOf[asIndex(t)] = static_cast<int>(new_.surfaces.size());
      new_.surfaces.push_back(surface);
    }
  }

  static double distanceTo(const Surface& surface, const Vector3d& p) {
    return physics::brep::distanceValue(surface, surface.X_BS.inverse().point(p));
  }

  /// By Newton's method to where its distances from the moved surfaces are those that it had from the old
  /// ones: facets of a curved surface have vertices beside it.
  void moveVertex(std::size_t v) {
    constexpr int kMaxIterations = 20;
    constexpr double kSameNormal = 1e-5;  // relative singular value: faces that continue each other
    const std::vector<int>& meeting = faces_.facesAt[v];
    if (std::none_of(meeting.begin(), meeting.end(), [&](int f) { return isMoved(f); })) return;
    const auto n = static_cast<Eigen::Index>(meeting.size());
    Eigen::MatrixXd normals(n, 3);
    Eigen::VectorXd rest(n);
    Vector3d& p = new_.vertices[v];
    double least = HUGE_VAL;
    for (int iteration = 0; iteration < kMaxIterations; ++iteration) {
      for (Eigen::Index k = 0; k < n; ++k) {
        const int f = meeting[static_cast<std::size_t>(k)];
        const Surface& surface = surfaces_[asIndex(f)];
        const auto found = physics::brep::distanceTo(surface, surface.X_BS.inverse().point(p));
        normals.row(k) = (surface.X_BS.R * found.gradient).transpose();
        rest[k] = distanceTo(faces_.faces[asIndex(f)].surface, old_.vertices[v]) - found.value;
      }
      const double largest = rest.cwiseAbs().maxCoeff();
      if (!(largest < least)) break;
      least = largest;
      if (largest == 0) break;
      Eigen::JacobiSVD<Eigen::MatrixXd> svd(normals, Eigen::ComputeThinU | Eigen::ComputeThinV);
      svd.setThreshold(kSameNormal);
      p += svd.solve(rest);
    }
    if (!(least < kMeets))
      throw OffsetProblem{meeting.size() > 3 ? "its neighbors no longer meet at the corner there"
                                             : "it no longer meets its neighbors",
                          old_.vertices[v]};
  }

  /// Borders keep their directions.
  void checkEdges() const {
    for (const FaceBorder& border : faces_.borders) {
      const auto along = [&](const BoundarySolid& solid) {
        return Vector3d(solid.vertices[asIndex(border.to)] - solid.vertices[asIndex(border.from)]);
      };
      if (!(along(old_).dot(along(new_)) > 0))
        throw OffsetProblem{"an edge beside it would vanish", old_.vertices[asIndex(border.from)]};
    }
  }

  void checkTriangles() const {
    const auto across = [](const BoundarySolid& solid, std::size_t t) {
      const auto& c = solid.triangles[t];
      const Vector3d& p = solid.vertices[asIndex(c[0])];
      return Vector3d((solid.vertices[asIndex(c[1])] - p).cross(solid.vertices[asIndex(c[2])] - p));
    };
    for (std::size_t t = 0; t < old_.triangles.size(); ++t) {
      const auto& corners = old_.triangles[t];
      if (std::all_of(corners.begin(), corners.end(),
                      [&](int v) { return old_.vertices[asIndex(v)] == new_.vertices[asIndex(v)]; }))
        continue;
      double longest = 0;
      for (std::size_t k = 0; k < 3; ++k)
        longest = std::max(
            longest,
            (new_.vertices[asIndex(corners[(k + 1) % 3])] - new_.vertices[asIndex(corners[k])]).norm());
      const bool isSliver = across(new_, t).norm() < 20 * physics::brep::kCoplanar * longest;
      if (!isSliver && !(across(old_, t).dot(across(new_, t)) > 0))
        throw OffsetProblem{"a face beside it would turn over", middleOf(old_, static_cast<int>(t))};
    }
  }

  /// Profiles of round holes whose walls are among the moved cylinders.
  void moveHoles() {
    constexpr double kSame = 1e-9;  // [m] and [-]
    for (std::size_t f = 0; f < faces_.faces.size(); ++f) {
      const Surface& wall = faces_.faces[f].surface;
      const double by = motions_[f].radius;
      if (by == 0 || wall.kind != physics::SurfaceKind::cylinder || wall.side > 0) continue;
      for (std::size_t h = 0; h < new_.holes.size(); ++h) {
        const physics::Cavity& hole = old_.holes[h];
        const Vector3d axis = hole.X_BH.q * Vector3d::UnitZ();
        const double depth = axis.dot(hole.X_BH.p - middleOf(old_, faces_.faces[f].triangles.front()));
        if (axis.cross(wall.X_BS.R.col(2)).norm() > kSame ||
            axis.cross(wall.X_BS.p - hole.X_BH.p).norm() > kSame || depth < 0 ||
            depth > -hole.profile.back().x())
          continue;
        for (std::size_t k = 0; k < hole.profile.size(); ++k)
          if (std::abs(hole.profile[k].y() - wall.radius) < kSame)
            new_.holes[h].profile[k].y() = hole.profile[k].y() + by;
      }
    }
  }

  const BoundarySolid& old_;
  const FaceTopology& faces_;
  const std::vector<FaceMotion>& motions_;
  std::vector<Surface> surfaces_;  ///< moved ones of all faces
  BoundarySolid new_;
};

/// Faces that are flattened because their borders cannot be found; see solidOfTriangles().
std::size_t flattenedOf(const BoundarySolid& solid) {
  std::vector<int> flat;
  physics::brep::solidOfTriangles(solid, 1, &flat);
  return flat.size();
}

SelfIntersections crossingsOf(const BoundarySolid& solid) {
  return findSelfIntersections(repairMesh({solid.vertices, solid.triangles}));
}

}  // namespace

void offsetFaces(std::span<const FaceOffset> offsets, BoundarySolid& solid) {
  const FaceTopology faces = topologyOf(solid);
  const std::vector<FaceMotion> motions = faceMotions(solid, faces, offsets);
  BoundarySolid result = Offsetting(solid, faces, motions).result();
  const Vector3d place =
      offsets.empty() ? Vector3d(Vector3d::Zero()) : middleOf(solid, offsets.front().triangles.front());
  if (const SelfIntersections found = crossingsOf(result); found.exist() && !crossingsOf(solid).exist())
    throw OffsetProblem{"it would cut into another face", found.position};
  if (const std::size_t flattened = flattenedOf(result); flattened > 0 && flattened > flattenedOf(solid))
    throw OffsetProblem{"its borders would no longer meet its neighbors", place};
  solid = std::move(result);
}

}  // namespace tenon::content
