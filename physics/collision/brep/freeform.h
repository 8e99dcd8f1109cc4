// A free-form surface: rational Bézier patches side by side, each so nearly flat that a point near it has one
// foot on it.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "physics/collision/brep/bezier_patch.h"
#include "physics/collision/brep/patch_cells.h"
#include "physics/collision/geometry/bounds.h"
#include "physics/math/rigid_transform.h"

namespace tenon::physics::brep {

/// H with `instead` in the place of its curvatures, relative to the metric, of at most `flattest`. Those
/// across remain, or Newton's method would go too far.
Eigen::Matrix2d withoutFlat(const Eigen::Matrix2d& H, const Eigen::Matrix2d& metric, double flattest,
                            double instead);

class FreeformSurface {
 public:
  /// From patches that continue each other in (u, v); a periodic surface has u = 0 … 2π. Divides them until
  /// their normals turn by at most kLargestTilt from that of the middle. Throws std::invalid_argument for
  /// degrees, weights or numbers that are not those of a surface, for a pole or fold, where it has no normal,
  /// and for more than kMaxPatches.
  FreeformSurface(std::vector<BezierPatch> patches, bool isPeriodic);

  static constexpr double kLargestTilt = 0.21;  ///< [rad]
  static constexpr std::size_t kMaxPatches = 5000;

  /// As they were given.
  const std::vector<BezierPatch>& given() const { return given_; }
  bool isPeriodic() const { return isPeriodic_; }

  int patchCount() const { return static_cast<int>(patches_.size()); }
  const BezierPatch& patch(int k) const { return patches_[static_cast<std::size_t>(k)].shape; }
  const Bounds& bounds(int k) const { return patches_[static_cast<std::size_t>(k)].bounds; }
  /// The shortest side of a patch by the derivatives at a grid of points, at the speed of which its
  /// parameters run [m].
  double leastSide(int k) const { return patches_[static_cast<std::size_t>(k)].leastSide; }
  /// Of all patches: largest length of a unit of u and of v [m].
  const Vector2d& largestSpeed() const { return largestSpeed_; }

  FreeformPoint at(int patch, const Vector2d& uv) const;

  /// The point of a patch, continued beyond its borders by kBeyond of its parameters, whose normal passes
  /// through `p`. Without one there, of its border, and `distance` is that from its tangent plane.
  struct Foot {
    int patch = -1;
    Vector2d uv = Vector2d::Zero();
    FreeformPoint at;
    Vector3d normal = Vector3d::Zero();
    double distance = 0;    ///< of p along the normal [m]
    bool isBeyond = false;  ///< it is of that border
    double beyond = 0;      ///< length of p beyond the border, in the tangent plane [m]
  };
  static constexpr double kBeyond = 0.2;
  /// `patch`: −1: the nearest one. The last result of a thread is kept for the next call.
  Foot footOf(const Vector3d& p, int patch = -1) const;

  /// That of `p` on the patch of the foot `near` of a point nearby, where the search begins: the next call of
  /// footOf() for that point and patch returns the same bits. Whoever calls it calls forgetFoot() before and
  /// after all these searches, since results must not depend on what a thread computed earlier.
  Foot footNear(const Vector3d& p, const Foot& near, const Vector3d& nearPoint) const;
  /// Drops the last result of the thread.
  static void forgetFoot();

  /// The nearest point of a patch, within its borders.
  Foot nearestOf(const Vector3d& p, int patch) const;

  /// True if a patch has (u, v), or they lie beyond its border by at most `tolerance` [m], or a micrometer,
  /// at lengths `scale` of their units; without a tolerance one of two neighbors has their border. Beyond the
  /// borders of the surface itself it has all of reach().
  bool has(int patch, const Vector2d& uv, const Vector2d& scale, double tolerance) const;

  /// Parameters between which a patch has them: continued by kBeyond at borders of the surface itself, since
  /// a face may end a little beyond these, as its trim says.
  const std::array<Vector2d, 2>& reach(int patch) const {
    return patches_[static_cast<std::size_t>(patch)].reach;
  }
  /// Bounds of a patch continued that far.
  const Bounds& reachBounds(int patch) const { return patches_[static_cast<std::size_t>(patch)].reachBounds; }

  const PatchCells& cells(int patch) const { return patches_[static_cast<std::size_t>(patch)].cells; }

  /// Parameters of the corners and of points inside a patch: where searches on it begin.
  static constexpr int kSeeds = 4;
  Vector2d seed(int patch, int i, int k) const;
  const Vector3d& seedPoint(int patch, int i, int k) const;
  /// Unit, along u × v, at the corner with the upper border in s if bit 0 is set, and in t with bit 1.
  const Vector3d& cornerNormal(int patch, int corner) const {
    return patches_[static_cast<std::size_t>(patch)].cornerNormals[static_cast<std::size_t>(corner)];
  }
  /// Which of 4 x 4 equal parts of a patch has (u, v), or is next to it.
  int cellOf(int patch, const Vector2d& uv) const;

 private:
  struct Patch {
    BezierPatch shape;
    Bounds bounds;
    std::array<bool, 2> isLast{};  // its upper border is one of the surface
    std::array<Vector2d, 2> reach{Vector2d::Zero(), Vector2d::Ones()};
    Bounds reachBounds;
    PatchCells cells;
    Vector2d size = Vector2d::Ones();
    FreeformPoint middle;
    double leastSide = 0;
    std::array<Vector3d, kSeeds * kSeeds> seeds;
    std::array<Vector3d, 4> cornerNormals;
  };
  void divide(const BezierPatch& patch, int depth);
  void findReach();
  int nearestPatch(const Vector3d& p) const;
  Vector2d inTangentPlane(int patch, const Vector3d& p) const;
  Foot search(int patch, const Vector3d& p, double beyond, const Vector2d& first) const;

  std::vector<BezierPatch> given_;
  std::vector<Patch> patches_;
  Vector2d largestSpeed_ = Vector2d::Zero();
  bool isPeriodic_ = false;
  std::uint64_t id_ = 0;
};

}  // namespace tenon::physics::brep
