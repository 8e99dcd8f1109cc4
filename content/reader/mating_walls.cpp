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

/// Sine of the angle between a wall and the path along it [-].
constexpr double kAlongPath = 1e-5;

/// A wall with what is measured on it, in the frame of `into`.
struct Side {
  MatingWall wall;
  bool isPlane = false;
  Vector3d normal = Vector3d::Zero();       ///< of a plane of the part, outward
  double offset = 0;                        ///< of that plane: normal · p [m]
  double radius = 0;                        ///< of a cylinder [m]
  Vector3d axis = Vector3d::Zero();         ///< a point on its axis [m]
  std::vector<Vector3d> points;             ///< of the part's wall [m]
  std::array<double, 2> along{}, across{};  ///< ranges of these along the path and across it [m]
};

/// Root of a set of joined elements.
int rootOf(std::vector<int>& parent, int k) {
  while (parent[asIndex(k)] != k) k = parent[asIndex(k)] = parent[asIndex(parent[asIndex(k)])];
  return k;
}

class WallSearch {
 public:
  WallSearch(const FacedSolid& part, const FacedSolid& into, const Pose& X_IP, const Vector3d& along)
      : part_(part.solid),
        into_(into.solid),
        partFaces_(part.topology),
        intoFaces_(into.topology),
        X_IP_(X_IP),
        along_(along) {}

  std::vector<MatingWall> find() {
    joinPairs();
    markRoundings();
    setSizes();
    std::vector<MatingWall> walls;
    for (Side& side : sides_) walls.push_back(std::move(side.wall));
    return walls;
  }

 private:
  static bool isAlong(const Vector3d& along, const physics::Surface& surface) {
    const Vector3d z = surface.X_BS.R.col(2);
    if (surface.kind == SurfaceKind::plane) return std::abs(z.dot(along)) < kAlongPath;
    return surface.kind == SurfaceKind::cylinder && z.cross(along).norm() < kAlongPath;
  }

  /// Faces of one plane or cylinder that lie on the same faces of the other part are one wall.
  void joinPairs() {
    const std::vector<SolidFace> intoFaces = facesOf(into_), partFaces = facesOf(part_);
    std::vector<ConformingFaces> pairs = conformingFaces(intoFaces, partFaces, X_IP_, kOnWall);
    std::erase_if(pairs, [&](const ConformingFaces& pair) {
      return !isAlong(along_, intoFaces[asIndex(pair.a)].surface);
    });
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
    side.along = rangeOf(side, along_);
    side.across = rangeOf(side, side.normal.cross(along_));
    side.wall.place = middleOf(into_, side.wall.into.front());
    return side;
  }

  static std::array<double, 2> rangeOf(const Side& side, const Vector3d& axis) {
    std::array<double, 2> ends{HUGE_VAL, -HUGE_VAL};
    for (const Vector3d& p : side.points) {
      ends[0] = std::min(ends[0], axis.dot(p));
      ends[1] = std::max(ends[1], axis.dot(p));
    }
    return ends;
  }

  void markRoundings() {
    for (Side& side : sides_) side.wall.isRounding = !side.isPlane;
    markRoundings(part_, partFaces_, &MatingWall::part);
    markRoundings(into_, intoFaces_, &MatingWall::into);
  }

  /// Only what continues planes of this solid, too, remains a rounding.
  void markRoundings(const BoundarySolid& solid, const FaceTopology& topology,
                     std::vector<int> MatingWall::*triangles) {
    std::vector<char> isWall(topology.faces.size(), 0);
    for (const Side& side : sides_)
      for (const int t : side.wall.*triangles) isWall[asIndex(topology.faceOf[asIndex(t)])] = 1;
    for (Side& side : sides_)
      if (side.wall.isRounding)
        side.wall.isRounding =
            isRounding(solid, topology, topology.faceOf[asIndex((side.wall.*triangles).front())], isWall);
  }

  /// Ranges of a plane along the path and across it overlap with those of an opposite one.
  static bool areBeside(const Side& a, const Side& b) {
    const auto overlap = [](const std::array<double, 2>& s, double low, double high) {
      return std::min(s[1], high) - std::max(s[0], low) > kOnWall;
    };
    return overlap(a.along, b.along[0], b.along[1]) && overlap(a.across, -b.across[1], -b.across[0]);
  }

  /// Distances to the nearest opposite walls: behind the material of the part, and behind its opening.
  struct Opposite {
    std::optional<double> outer, inner;  ///< [m]
  };
  Opposite oppositeOf(const Side& side) const {
    Opposite found;
    for (const Side& other : sides_) {
      if (!other.isPlane || other.normal.dot(side.normal) > 0 ||
          other.normal.cross(side.normal).norm() > kAlongPath || !areBeside(side, other))
        continue;
      // Measured at a point of the wall, since the two may be parallel to rounding only.
      const double width = other.offset - other.normal.dot(side.points.front());
      auto& nearest = width > 0 ? found.outer : found.inner;
      if (std::abs(width) > kOnWall && (!nearest || std::abs(width) < *nearest)) nearest = std::abs(width);
    }
    return found;
  }

  /// Faces of the part along the path, joined over the edges of one sense between them.
  struct Features {
    std::vector<int> parent;

    Features(const BoundarySolid& part, const FaceTopology& faces, const Vector3d& along, bool areConvex)
        : parent(faces.faces.size()) {
      std::iota(parent.begin(), parent.end(), 0);
      for (const FaceBorder& border : faces.borders) {
        const MeshFace &left = faces.faces[asIndex(border.left)], &right = faces.faces[asIndex(border.right)];
        if (!isAlong(along, left.surface) || !isAlong(along, right.surface)) continue;
        const Vector3d from = part.vertices[asIndex(border.from)], to = part.vertices[asIndex(border.to)],
                       middle = 0.5 * (from + to);
        const double sine = (to - from).normalized().dot(left.normalAt(middle).cross(right.normalAt(middle)));
        if (areConvex ? sine > -kSmoothBorder : sine < kSmoothBorder) join(border.left, border.right);
      }
    }
    void join(int a, int b) {
      a = rootOf(parent, a);
      b = rootOf(parent, b);
      parent[asIndex(std::max(a, b))] = std::min(a, b);
    }
  };

  /// Extents of walls on both sides of a plane: on that of the part's material, and on the other one [m].
  struct Extents {
    double outer = 0, inner = 0;
  };
  Extents extentsOf(const Side& side, const Side& other) const {
    Extents found;
    for (const Vector3d& p : other.points) {
      double height = side.offset - side.normal.dot(p);
      const Vector3d fromAxis = p - other.axis, out = fromAxis - along_.dot(fromAxis) * along_;
      constexpr double kNearExtreme = 0.95;  // cosine; vertices of a cylinder are beside its extreme line
      if (!other.isPlane && std::abs(out.normalized().dot(side.normal)) > kNearExtreme)
        height =
            side.offset - side.normal.dot(other.axis) - std::copysign(other.radius, out.dot(side.normal));
      found.outer = std::max(found.outer, height);
      found.inner = std::max(found.inner, -height);
    }
    return found;
  }

  /// `preferInner`: more of the other walls are those of openings of the part.
  void setAcross(Side& side, Features& convex, Features& concave, bool preferInner) const {
    const auto featureOf = [&](Features& features, const Side& of) {
      return rootOf(features.parent, partFaces_.faceOf[asIndex(of.wall.part.front())]);
    };
    Extents own, all;
    for (const Side& other : sides_) {
      const Extents extents = extentsOf(side, other);
      if (featureOf(convex, other) == featureOf(convex, side)) own.outer = std::max(own.outer, extents.outer);
      if (featureOf(concave, other) == featureOf(concave, side))
        own.inner = std::max(own.inner, extents.inner);
      all.outer = std::max(all.outer, extents.outer);
      all.inner = std::max(all.inner, extents.inner);
    }
    const Extents& found = own.outer > kOnWall || own.inner > kOnWall ? own : all;
    side.wall.kind = FitSize::across;
    side.wall.isPartInner = found.inner > kOnWall && (!(found.outer > kOnWall) || preferInner);
    const double size = side.wall.isPartInner ? found.inner : found.outer;
    side.wall.size = size > kOnWall ? size : 0;
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
    Features convex(part_, partFaces_, X_IP_.q.conjugate() * along_, true),
        concave(part_, partFaces_, X_IP_.q.conjugate() * along_, false);
    for (Side& side : sides_)
      for (const int t : side.wall.part)
        for (Features* features : {&convex, &concave})
          features->join(partFaces_.faceOf[asIndex(t)], partFaces_.faceOf[asIndex(side.wall.part.front())]);
    for (std::size_t k = 0; k < sides_.size(); ++k) {
      Side& side = sides_[k];
      if (!side.isPlane) continue;
      const Opposite& opposite = opposites[k];
      if (!opposite.outer && !opposite.inner) {
        setAcross(side, convex, concave, inner > outer);
        continue;
      }
      side.wall.isPartInner = opposite.inner && (!opposite.outer || inner > outer);
      side.wall.size = side.wall.isPartInner ? *opposite.inner : *opposite.outer;
    }
  }

  const BoundarySolid &part_, &into_;
  const FaceTopology &partFaces_, &intoFaces_;
  const Pose& X_IP_;
  const Vector3d& along_;
  std::vector<Side> sides_;
};

}  // namespace

std::vector<MatingWall> matingWalls(const FacedSolid& part, const FacedSolid& into, const Pose& X_IP,
                                    const Vector3d& along) {
  return WallSearch(part, into, X_IP, along).find();
}

}  // namespace tenon::content
