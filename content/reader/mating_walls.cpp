// See mating_walls.h.
#include "content/reader/mating_walls.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <numeric>
#include <optional>

#include "content/reader/face_motions.h"
#include "content/recognize/conforming_faces.h"

namespace tenon::content {

namespace {

using physics::BoundarySolid;
using physics::SurfaceKind;

/// Sine of the angle between a wall and the way along it [-].
constexpr double kAlongWay = 1e-5;

/// A wall with what is measured on it, in the frame of `into`.
struct Side {
  MatingWall wall;
  bool isPlane = false;
  Vector3d normal = Vector3d::Zero();  ///< of a plane of the part, outward
  double offset = 0;                   ///< of that plane: normal · p [m]
  double radius = 0;                   ///< of a cylinder [m]
  Vector3d axis = Vector3d::Zero();    ///< a point on its axis [m]
  std::vector<Vector3d> points;        ///< of the part's wall [m]
};

/// Root of a set of joined elements.
int rootOf(std::vector<int>& parent, int k) {
  while (parent[asIndex(k)] != k) k = parent[asIndex(k)] = parent[asIndex(parent[asIndex(k)])];
  return k;
}

class WallSearch {
 public:
  WallSearch(const BoundarySolid& part, const BoundarySolid& into, const Pose& X_IP, const Vector3d& along)
      : part_(part), into_(into), X_IP_(X_IP), along_(along) {}

  std::vector<MatingWall> find() {
    joinPairs();
    markRoundings();
    setSizes();
    std::vector<MatingWall> walls;
    for (Side& side : sides_) walls.push_back(std::move(side.wall));
    return walls;
  }

 private:
  bool isAlongWay(const SolidFace& face) const {
    const Vector3d z = face.surface.X_BS.R.col(2);
    if (face.surface.kind == SurfaceKind::plane) return std::abs(z.dot(along_)) < kAlongWay;
    return face.surface.kind == SurfaceKind::cylinder && z.cross(along_).norm() < kAlongWay;
  }

  /// Faces of one plane or cylinder that lie on the same faces of the other part are one wall.
  void joinPairs() {
    const std::vector<SolidFace> intoFaces = facesOf(into_), partFaces = facesOf(part_);
    std::vector<ConformingFaces> pairs = conformingFaces(intoFaces, partFaces, X_IP_, kOnWall);
    std::erase_if(pairs,
                  [&](const ConformingFaces& pair) { return !isAlongWay(intoFaces[asIndex(pair.a)]); });
    const int shift = static_cast<int>(intoFaces.size());
    std::vector<int> parent(intoFaces.size() + partFaces.size());
    std::iota(parent.begin(), parent.end(), 0);
    for (const ConformingFaces& pair : pairs) {
      const int a = rootOf(parent, pair.a), b = rootOf(parent, shift + pair.b);
      parent[asIndex(std::max(a, b))] = std::min(a, b);
    }
    std::map<int, std::pair<std::vector<int>, std::vector<int>>> walls;  // faces of into and part by root
    for (const ConformingFaces& pair : pairs) {
      auto& [of, on] = walls[rootOf(parent, pair.a)];
      of.push_back(pair.a);
      on.push_back(pair.b);
    }
    for (auto& [root, faces] : walls) {
      for (std::vector<int>* list : {&faces.first, &faces.second}) {
        std::sort(list->begin(), list->end());
        list->erase(std::unique(list->begin(), list->end()), list->end());
      }
      sides_.push_back(sideOf(intoFaces, faces.first, partFaces, faces.second));
    }
  }

  Side sideOf(const std::vector<SolidFace>& intoFaces, const std::vector<int>& of,
              const std::vector<SolidFace>& partFaces, const std::vector<int>& on) const {
    Side side;
    const physics::Surface& surface = intoFaces[asIndex(of.front())].surface;
    side.isPlane = surface.kind == SurfaceKind::plane;
    side.normal = -surface.side * surface.X_BS.R.col(2);
    side.offset = side.normal.dot(surface.X_BS.p);
    side.axis = surface.X_BS.p;
    side.radius = surface.radius;
    side.wall.isPartInner = !side.isPlane && surface.side > 0;
    for (const int f : of)
      side.wall.into.insert(side.wall.into.end(), intoFaces[asIndex(f)].triangles.begin(),
                            intoFaces[asIndex(f)].triangles.end());
    for (const int f : on)
      for (const int t : partFaces[asIndex(f)].triangles) {
        side.wall.part.push_back(t);
        for (const int v : part_.triangles[asIndex(t)])
          side.points.push_back(X_IP_ * part_.vertices[asIndex(v)]);
      }
    side.wall.place = middleOf(into_, side.wall.into.front());
    return side;
  }

  void markRoundings() {
    const FaceTopology topology = topologyOf(part_);
    std::vector<char> isWall(topology.faces.size(), 0);
    for (const Side& side : sides_)
      for (const int t : side.wall.part) isWall[asIndex(topology.faceOf[asIndex(t)])] = 1;
    for (Side& side : sides_)
      if (!side.isPlane &&
          isRounding(part_, topology, topology.faceOf[asIndex(side.wall.part.front())], isWall))
        side.wall.isRounding = true;
  }

  /// Ranges of a plane along the way and across it overlap with those of another one.
  bool areBeside(const Side& a, const Side& b) const {
    for (const Vector3d& axis : {along_, Vector3d(a.normal.cross(along_))}) {
      const auto range = [&](const Side& side) {
        std::array<double, 2> ends{HUGE_VAL, -HUGE_VAL};
        for (const Vector3d& p : side.points) {
          ends[0] = std::min(ends[0], axis.dot(p));
          ends[1] = std::max(ends[1], axis.dot(p));
        }
        return ends;
      };
      const auto ra = range(a), rb = range(b);
      if (!(std::min(ra[1], rb[1]) - std::max(ra[0], rb[0]) > kOnWall)) return false;
    }
    return true;
  }

  /// Distances to the nearest opposite walls: behind the material of the part, and behind its opening.
  struct Opposite {
    std::optional<double> outer, inner;  ///< [m]
  };
  Opposite oppositeOf(const Side& side) const {
    Opposite found;
    for (const Side& other : sides_) {
      if (!other.isPlane || other.normal.dot(side.normal) > 0 ||
          other.normal.cross(side.normal).norm() > kAlongWay || !areBeside(side, other))
        continue;
      // Measured at a point of the wall, since the two may be parallel to rounding only.
      const double width = other.offset - other.normal.dot(side.points.front());
      auto& nearest = width > 0 ? found.outer : found.inner;
      if (std::abs(width) > kOnWall && (!nearest || std::abs(width) < *nearest)) nearest = std::abs(width);
    }
    return found;
  }

  /// Extent of all walls behind the plane, on the side of the part's material and on the other one.
  void setAcross(Side& side) const {
    double outer = 0, inner = 0;
    for (const Side& other : sides_) {
      for (const Vector3d& p : other.points) {
        double height = side.offset - side.normal.dot(p);
        const Vector3d fromAxis = p - other.axis, out = fromAxis - along_.dot(fromAxis) * along_;
        constexpr double kNearExtreme = 0.95;  // cosine; vertices of a cylinder are beside its extreme line
        if (!other.isPlane && std::abs(out.normalized().dot(side.normal)) > kNearExtreme)
          height =
              side.offset - side.normal.dot(other.axis) - std::copysign(other.radius, out.dot(side.normal));
        outer = std::max(outer, height);
        inner = std::max(inner, -height);
      }
    }
    side.wall.kind = FitSize::across;
    side.wall.isPartInner = inner > outer;
    side.wall.size = std::max(inner, outer);
  }

  void setSizes() {
    int inner = 0, outer = 0;
    std::vector<Opposite> opposites(sides_.size());
    for (std::size_t k = 0; k < sides_.size(); ++k) {
      Side& side = sides_[k];
      if (!side.isPlane) {
        if (side.wall.isRounding) continue;
        side.wall.kind = FitSize::diameter;
        side.wall.size = 2 * side.radius;
        ++(side.wall.isPartInner ? inner : outer);
        continue;
      }
      opposites[k] = oppositeOf(side);
      if (opposites[k].outer && !opposites[k].inner) ++outer;
      if (opposites[k].inner && !opposites[k].outer) ++inner;
    }
    for (std::size_t k = 0; k < sides_.size(); ++k) {
      Side& side = sides_[k];
      if (!side.isPlane) continue;
      const Opposite& opposite = opposites[k];
      if (!opposite.outer && !opposite.inner) {
        setAcross(side);
        continue;
      }
      side.wall.isPartInner = opposite.inner && (!opposite.outer || inner > outer);
      side.wall.size = side.wall.isPartInner ? *opposite.inner : *opposite.outer;
    }
  }

  const BoundarySolid &part_, &into_;
  const Pose& X_IP_;
  const Vector3d& along_;
  std::vector<Side> sides_;
};

}  // namespace

std::vector<MatingWall> matingWalls(const BoundarySolid& part, const BoundarySolid& into, const Pose& X_IP,
                                    const Vector3d& along) {
  return WallSearch(part, into, X_IP, along).find();
}

}  // namespace tenon::content
