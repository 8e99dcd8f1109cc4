// See offset_faces.h.
#include "content/reader/offset_faces.h"

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "content/mesh/self_intersections.h"
#include "content/parts/face_triangles.h"
#include "physics/collision/brep/surface.h"
#include "physics/collision/brep/triangle_solid.h"

namespace tenon::content {

namespace {

using physics::BoundarySolid;
using physics::Surface;

/// Surfaces that meet at a vertex do so after the motion, to this [m]: a fifth of physics::brep::kCoplanar.
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
    removeTriangles();
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

  static Vector3d across(const BoundarySolid& solid, std::size_t t) {
    const auto& c = solid.triangles[t];
    const Vector3d& p = solid.vertices[asIndex(c[0])];
    return (solid.vertices[asIndex(c[1])] - p).cross(solid.vertices[asIndex(c[2])] - p);
  }

  /// True if the normal of a triangle is rounding.
  static bool isSliver(const BoundarySolid& solid, std::size_t t) {
    const auto& c = solid.triangles[t];
    double longest = 0;
    for (std::size_t k = 0; k < 3; ++k)
      longest =
          std::max(longest, (solid.vertices[asIndex(c[(k + 1) % 3])] - solid.vertices[asIndex(c[k])]).norm());
    return across(solid, t).norm() < 20 * physics::brep::kCoplanar * longest;
  }

  void checkTriangles() {
    std::vector<char> isDivided(faces_.faces.size(), 0);
    for (std::size_t t = 0; t < old_.triangles.size(); ++t) {
      const auto& corners = old_.triangles[t];
      if (std::all_of(corners.begin(), corners.end(),
                      [&](int v) { return old_.vertices[asIndex(v)] == new_.vertices[asIndex(v)]; }))
        continue;
      const auto face = asIndex(faces_.faceOf[t]);
      if (isDivided[face] != 0 || isSliver(new_, t)) continue;
      const bool wasSliver = isSliver(old_, t);
      if (!wasSliver && across(old_, t).dot(across(new_, t)) > 0) continue;
      isDivided[face] = 1;
      if (!wasSliver || !divideAgain(face))
        throw OffsetProblem{"a face beside it would turn over", middleOf(old_, static_cast<int>(t))};
    }
  }

  /// The closed borders of a face, in the sense of its triangles; empty if a vertex occurs twice.
  std::vector<std::vector<int>> loopsOf(std::size_t face) const {
    std::map<int, int> next;
    for (const FaceBorder& border : faces_.borders) {
      const bool isLeft = border.left == static_cast<int>(face);
      if (!isLeft && border.right != static_cast<int>(face)) continue;
      if (!next.emplace(isLeft ? border.from : border.to, isLeft ? border.to : border.from).second) return {};
    }
    std::vector<std::vector<int>> loops;
    while (!next.empty()) {
      std::vector<int>& loop = loops.emplace_back();
      for (auto at = next.begin(); at != next.end(); at = next.find(loop.back())) {
        if (loop.empty()) loop.push_back(at->first);
        loop.push_back(at->second);
        next.erase(at);
      }
      if (loop.front() != loop.back()) return {};
      loop.pop_back();
    }
    return loops;
  }

  /// Divides a plane into other triangles, since slivers of the old ones, which had no sense, got one. False
  /// if its border is not one closed line around others.
  bool divideAgain(std::size_t face) {
    const MeshFace& plane = faces_.faces[face];
    if (!plane.isPlane()) return false;
    const Vector3d n = plane.normalAt(middleOf(old_, plane.triangles.front())), x = n.unitOrthogonal(),
                   y = n.cross(x);
    std::vector<int> vertices;
    std::vector<Polygon> outer, holes;
    std::vector<std::vector<int>> loops = loopsOf(face);
    const auto polygonOf = [&](const std::vector<int>& loop) {
      Polygon polygon;
      for (const int v : loop)
        polygon.emplace_back(x.dot(new_.vertices[asIndex(v)]), y.dot(new_.vertices[asIndex(v)]));
      return polygon;
    };
    std::stable_partition(loops.begin(), loops.end(),
                          [&](const std::vector<int>& loop) { return areaOf(polygonOf(loop)) > 0; });
    for (std::vector<int>& loop : loops) {
      const bool isHole = !(areaOf(polygonOf(loop)) > 0);
      if (isHole) std::reverse(loop.begin(), loop.end());
      (isHole ? holes : outer).push_back(polygonOf(loop));
      vertices.insert(vertices.end(), loop.begin(), loop.end());
    }
    if (outer.size() != 1) return false;
    const auto triangles = triangulate(outer.front(), holes);
    if (triangles.size() + 2 != vertices.size() + 2 * holes.size() ||
        triangles.size() > plane.triangles.size())
      return false;
    double area = areaOf(outer.front()), sum = 0;
    for (const Polygon& hole : holes) area -= areaOf(hole);
    for (std::size_t k = 0; k < plane.triangles.size(); ++k) {
      const int t = plane.triangles[k];
      if (k >= triangles.size()) {
        removed_.push_back(t);
        continue;
      }
      for (std::size_t c = 0; c < 3; ++c) new_.triangles[asIndex(t)][c] = vertices[triangles[k][c]];
      sum += 0.5 * across(new_, asIndex(t)).norm();
    }
    return std::abs(sum - area) < 1e-9 * area;
  }

  static double areaOf(const Polygon& polygon) {
    double twice = 0;
    for (std::size_t k = 0; k < polygon.size(); ++k) {
      const Eigen::Vector2d a = polygon[k] - polygon[0], b = polygon[(k + 1) % polygon.size()] - polygon[0];
      twice += a.x() * b.y() - a.y() * b.x();
    }
    return 0.5 * twice;
  }

  void removeTriangles() {
    std::sort(removed_.begin(), removed_.end(), std::greater<>());
    for (const int t : removed_) {
      new_.triangles.erase(new_.triangles.begin() + t);
      if (!new_.surfaceOf.empty()) new_.surfaceOf.erase(new_.surfaceOf.begin() + t);
    }
  }

  /// Profiles of round holes whose walls are among the moved cylinders.
  void moveHoles() {
    constexpr double kSame = 1e-9;  // [m] and [-]
    constexpr double kEnd = 1e-7;   // heights of vertices and of profiles at one border [m]
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
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (const int t : faces_.faces[f].triangles)
          for (const int v : old_.triangles[asIndex(t)]) {
            const double height = axis.dot(old_.vertices[asIndex(v)] - hole.X_BH.p);
            low = std::min(low, height);
            high = std::max(high, height);
          }
        for (std::size_t k = 0; k < hole.profile.size(); ++k)
          if (std::abs(hole.profile[k].y() - wall.radius) < kSame && hole.profile[k].x() > low - kEnd &&
              hole.profile[k].x() < high + kEnd)
            new_.holes[h].profile[k].y() = hole.profile[k].y() + by;
      }
    }
  }

  const BoundarySolid& old_;
  const FaceTopology& faces_;
  const std::vector<FaceMotion>& motions_;
  std::vector<Surface> surfaces_;  ///< moved ones of all faces
  BoundarySolid new_;
  std::vector<int> removed_;  ///< triangles that remain when planes are divided again
};

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
  if (const SelfIntersections found = crossingsOf(result); found.exist()) {
    const SelfIntersections before = crossingsOf(solid);
    if (found.pairs > before.pairs || found.nested > before.nested)
      throw OffsetProblem{"it would cut into another face", found.position};
  }
  if (const std::size_t flattened = physics::brep::flatSurfacesOf(result).size();
      flattened > 0 && flattened > physics::brep::flatSurfacesOf(solid).size())
    throw OffsetProblem{"its borders would no longer meet its neighbors", place};
  solid = std::move(result);
}

}  // namespace tenon::content
