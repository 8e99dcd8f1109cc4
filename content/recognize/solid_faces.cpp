// See solid_faces.h.
#include "content/recognize/solid_faces.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <utility>

#include "physics/collision/brep/surface.h"
#include "physics/collision/brep/triangle_solid.h"
#include "physics/collision/geometry/polytope.h"

namespace tenon::content {
namespace {

using Eigen::Vector2d;
using physics::BoundarySolid;
using physics::RigidTransform;
using physics::Surface;
using physics::SurfaceKind;

/// Chords of a circle.
constexpr int kCoverChords = 64;

void cover(SolidFace& face, const Vector3d& a, const Vector3d& b, const Vector3d& c, double sign = 1) {
  face.cover.push_back({{a, b, c}, sign});
  for (const Vector3d& p : {a, b, c}) include(face.bounds, physics::Bounds{p, p});
}

/// The plane through `p` with an outward unit normal.
Surface planeAt(const Vector3d& p, const Vector3d& normal) {
  Surface plane;
  const Vector3d x = normal.unitOrthogonal();
  plane.X_BS.R << x, normal.cross(x), normal;
  plane.X_BS.p = p;
  return plane;
}

bool isUsed(const Surface& surface) {
  return surface.kind == SurfaceKind::plane || surface.kind == SurfaceKind::cylinder ||
         surface.kind == SurfaceKind::cone;
}

/// Collects the triangles of one face after the other, from neighbor to neighbor.
class BoundaryFaces {
 public:
  explicit BoundaryFaces(const BoundarySolid& solid) : solid_(solid), isDone_(solid.triangles.size(), 0) {
    for (std::size_t t = 0; t < solid.triangles.size(); ++t)
      for (std::size_t k = 0; k < 3; ++k) sides_.emplace_back(keyOf(t, k), static_cast<int>(t));
    std::sort(sides_.begin(), sides_.end());
  }

  std::vector<SolidFace> faces() {
    std::vector<SolidFace> faces;
    for (std::size_t t = 0; t < solid_.triangles.size(); ++t) {
      if (isDone_[t] != 0) continue;
      SolidFace face = faceFrom(static_cast<int>(t));
      if (isUsed(face.surface) && !face.cover.empty()) faces.push_back(std::move(face));
    }
    return faces;
  }

 private:
  const Vector3d& point(std::size_t t, std::size_t k) const {
    return solid_.vertices[static_cast<std::size_t>(solid_.triangles[t][k])];
  }
  int surfaceOf(std::size_t t) const { return solid_.surfaceOf.empty() ? -1 : solid_.surfaceOf[t]; }
  /// The normal, twice as long as the area [m²].
  Vector3d areaNormal(std::size_t t) const {
    return (point(t, 1) - point(t, 0)).cross(point(t, 2) - point(t, 0));
  }
  /// The same for both triangles of an edge.
  std::uint64_t keyOf(std::size_t t, std::size_t k) const {
    const auto a = static_cast<std::uint64_t>(solid_.triangles[t][k]),
               b = static_cast<std::uint64_t>(solid_.triangles[t][(k + 1) % 3]);
    return (std::min(a, b) << 32U) | std::max(a, b);
  }

  bool belongs(std::size_t t, int surface, const Surface& plane) const {
    if (surfaceOf(t) != surface) return false;
    if (surface >= 0) return true;
    const Vector3d n = plane.X_BS.R.col(2);
    for (std::size_t k = 0; k < 3; ++k)
      if (std::abs(n.dot(point(t, k) - plane.X_BS.p)) > physics::brep::kCoplanar) return false;
    return n.dot(areaNormal(t)) >= 0;
  }

  SolidFace faceFrom(int first) {
    SolidFace face;
    const auto seed = static_cast<std::size_t>(first);
    const int surface = surfaceOf(seed);
    const Vector3d normal = areaNormal(seed);
    isDone_[seed] = 1;
    if (surface >= 0)
      face.surface = solid_.surfaces[static_cast<std::size_t>(surface)];
    else if (normal.norm() > 0)
      face.surface = planeAt(point(seed, 0), normal.normalized());
    else
      return face;
    face.triangles.push_back(first);
    for (std::size_t next = 0; next < face.triangles.size(); ++next)
      addNeighbors(static_cast<std::size_t>(face.triangles[next]), surface, face);
    for (const int t : face.triangles) {
      const auto k = static_cast<std::size_t>(t);
      cover(face, point(k, 0), point(k, 1), point(k, 2));
    }
    orient(face);
    return face;
  }

  void addNeighbors(std::size_t t, int surface, SolidFace& face) {
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint64_t key = keyOf(t, k);
      for (auto side = std::lower_bound(sides_.begin(), sides_.end(), std::pair(key, -1));
           side != sides_.end() && side->first == key; ++side) {
        const auto other = static_cast<std::size_t>(side->second);
        if (isDone_[other] != 0 || !belongs(other, surface, face.surface)) continue;
        isDone_[other] = 1;
        face.triangles.push_back(side->second);
      }
    }
  }

  /// Sets the surface's side to that of the triangles.
  void orient(SolidFace& face) const {
    face.surface.side = 1;
    const RigidTransform X_SB = face.surface.X_BS.inverse();
    double sum = 0;
    for (const int t : face.triangles) {
      const auto k = static_cast<std::size_t>(t);
      const Vector3d middle = (point(k, 0) + point(k, 1) + point(k, 2)) / 3;
      sum += X_SB.vector(areaNormal(k))
                 .dot(physics::brep::distanceTo(face.surface, X_SB.point(middle)).gradient);
    }
    if (sum < 0) face.surface.side = -1;
  }

  const BoundarySolid& solid_;
  std::vector<std::pair<std::uint64_t, int>> sides_;  // triangles by their edges
  std::vector<char> isDone_;
};

/// Point of a circle about z at (z, r), after `chord` chords.
Vector3d onCircle(const Vector2d& zr, int chord) {
  const double angle = 2 * std::numbers::pi * chord / kCoverChords;
  return {zr.y() * std::cos(angle), zr.y() * std::sin(angle), zr.x()};
}

/// The disc about z at (z, r) as triangles with this sign.
void coverDisc(SolidFace& face, const RigidTransform& X, const Vector2d& zr, double sign) {
  for (int k = 0; k < kCoverChords && zr.y() > 0; ++k)
    cover(face, X.point({0, 0, zr.x()}), X.point(onCircle(zr, k)), X.point(onCircle(zr, k + 1)), sign);
}

/// What a segment of a profile sweeps about the z axis of X; material lies right of the way from `from` to
/// `to`, as in SolidOfRevolution.
SolidFace sweptFace(const Vector2d& from, const Vector2d& to, const RigidTransform& X) {
  const double dz = to.x() - from.x(), dr = to.y() - from.y();
  SolidFace face;
  Surface& s = face.surface;
  s.X_BS = X;
  s.X_BS.p = X.point({0, 0, from.x()});
  if (dz == 0) {
    s.side = dr > 0 ? -1 : 1;
    coverDisc(face, X, from.y() > to.y() ? from : to, 1);
    coverDisc(face, X, from.y() > to.y() ? to : from, -1);
    return face;
  }
  s.kind = dr == 0 ? SurfaceKind::cylinder : SurfaceKind::cone;
  s.side = dz > 0 ? 1 : -1;
  s.slope = dr / dz;
  s.radius = from.y();
  for (int k = 0; k < kCoverChords; ++k) {
    const Vector3d a = X.point(onCircle(from, k)), b = X.point(onCircle(from, k + 1)),
                   c = X.point(onCircle(to, k + 1)), d = X.point(onCircle(to, k));
    if (from.y() > 0) cover(face, a, b, c);
    if (to.y() > 0) cover(face, a, c, d);
  }
  return face;
}

/// Largest distance of the chords of a round face from its surface, or more [m].
double sagittaOf(const SolidFace& face) {
  const Vector3d axis = face.surface.X_BS.R.col(2);
  double sagitta = 0;
  for (const FaceTriangle& triangle : face.cover)
    for (std::size_t k = 0; k < 3; ++k) {
      const Vector3d &p = triangle.corners[k], &q = triangle.corners[(k + 1) % 3];
      const double radius = axis.cross(p - face.surface.X_BS.p).norm();
      const double chord = std::min(axis.cross(q - p).norm(), 2 * radius);
      sagitta = std::max(sagitta, radius - std::sqrt(radius * radius - 0.25 * chord * chord));
    }
  return sagitta;
}

using Faces = std::vector<SolidFace>;

void addProfile(const std::vector<Vector2d>& profile, const RigidTransform& X, Faces& faces) {
  for (std::size_t k = 0; k + 1 < profile.size(); ++k)
    faces.push_back(sweptFace(profile[k], profile[k + 1], X));
}

void addPolytope(const physics::Polytope& polytope, Faces& faces) {
  for (const physics::Polytope::Face& in : polytope.faces) {
    SolidFace face;
    face.surface = planeAt(in.offset * in.normal, in.normal);
    const auto corner = [&](int k) -> const Vector3d& {
      const auto border = static_cast<std::size_t>(in.firstBorder) + static_cast<std::size_t>(k);
      return polytope.vertices[static_cast<std::size_t>(polytope.borders[border].vertex)];
    };
    for (int k = 1; k + 1 < in.borderCount; ++k) cover(face, corner(0), corner(k), corner(k + 1));
    faces.push_back(std::move(face));
  }
}

void add(const physics::Shape& shape, Faces& faces);

void addBlock(const physics::BlockWithHoles& block, Faces& faces) {
  const std::size_t first = faces.size();
  addPolytope(physics::boxPolytope(block.halfExtents), faces);
  const auto addMouth = [&](const RigidTransform& X, const Vector2d& zr, const Vector3d& out) {
    const auto along = [&](const SolidFace& face) { return face.surface.X_BS.R.col(2).dot(out); };
    const auto side = std::max_element(faces.begin() + static_cast<std::ptrdiff_t>(first),
                                       faces.begin() + static_cast<std::ptrdiff_t>(first) + 6,
                                       [&](const auto& a, const auto& b) { return along(a) < along(b); });
    coverDisc(*side, X, zr, -1);
  };
  for (const physics::Cavity& cavity : block.cavities) {
    const RigidTransform X{cavity.X_BH.q.toRotationMatrix(), cavity.X_BH.p};
    addMouth(X, cavity.profile.front(), X.R.col(2));
    if (cavity.through) addMouth(X, cavity.profile.back(), -X.R.col(2));
    addProfile(cavity.profile, X, faces);
  }
}

void addFrustum(double bottom, double top, double halfLength, Faces& faces) {
  const Vector2d low(-halfLength, 0), high(halfLength, 0);
  addProfile({low, {-halfLength, bottom}, {halfLength, top}, high}, {}, faces);
}

void addCompound(const physics::Compound& compound, Faces& faces) {
  for (const physics::PlacedShape& child : compound.children) {
    const std::size_t first = faces.size();
    add(child.shape, faces);
    const RigidTransform X{child.X_PS.q.toRotationMatrix(), child.X_PS.p};
    for (std::size_t k = first; k < faces.size(); ++k) {
      SolidFace& face = faces[k];
      face.surface = placedSurface(X, face.surface);
      face.bounds = {};
      face.triangles.clear();
      for (FaceTriangle& triangle : face.cover)
        for (Vector3d& p : triangle.corners) {
          p = X.point(p);
          include(face.bounds, physics::Bounds{p, p});
        }
    }
  }
}

void add(const physics::Shape& shape, Faces& faces) {
  if (const auto* boundary = std::get_if<BoundarySolid>(&shape)) {
    for (SolidFace& face : BoundaryFaces(*boundary).faces()) faces.push_back(std::move(face));
  } else if (const auto* box = std::get_if<physics::Box>(&shape)) {
    addPolytope(physics::boxPolytope(box->halfExtents), faces);
  } else if (const auto* hull = std::get_if<physics::Hull>(&shape)) {
    addPolytope(physics::hullPolytope(*hull), faces);
  } else if (const auto* block = std::get_if<physics::BlockWithHoles>(&shape)) {
    addBlock(*block, faces);
  } else if (const auto* solid = std::get_if<physics::SolidOfRevolution>(&shape)) {
    if (!solid->thread) addProfile(solid->profile, {}, faces);
  } else if (const auto* cylinder = std::get_if<physics::Cylinder>(&shape)) {
    addFrustum(cylinder->radius, cylinder->radius, cylinder->halfLength, faces);
  } else if (const auto* frustum = std::get_if<physics::Frustum>(&shape)) {
    addFrustum(frustum->bottomRadius, frustum->topRadius, frustum->halfLength, faces);
  } else if (const auto* compound = std::get_if<physics::Compound>(&shape)) {
    addCompound(*compound, faces);
  }
}

/// Without faces that nothing covers; bounds of round faces include the arcs beyond their chords.
Faces finished(Faces faces) {
  std::erase_if(faces, [](const SolidFace& face) { return face.cover.empty(); });
  for (SolidFace& face : faces)
    if (face.surface.kind != SurfaceKind::plane) face.bounds = grown(face.bounds, sagittaOf(face));
  return faces;
}

}  // namespace

physics::Surface placedSurface(const RigidTransform& X_AB, const Surface& surface) {
  Surface moved = surface;
  moved.X_BS = {X_AB.R * surface.X_BS.R, X_AB.point(surface.X_BS.p)};
  return moved;
}

std::vector<SolidFace> facesOf(const physics::Shape& shape) {
  Faces faces;
  add(shape, faces);
  return finished(std::move(faces));
}

std::vector<SolidFace> facesOf(const physics::BoundarySolid& solid) {
  return finished(BoundaryFaces(solid).faces());
}

}  // namespace tenon::content
