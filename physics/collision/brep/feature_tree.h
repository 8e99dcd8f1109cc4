// A tree of boxes over the features of a solid, and the pairs of features of two solids whose boxes are near.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "physics/collision/geometry/bounds.h"

namespace tenon::physics::brep {

/// What a feature is for the search of pairs, as bits.
enum FeatureKind : unsigned char {
  kFlatFace = 1,      ///< a face that bulges nowhere: has no contacts with others of its kind
  kStraightEdge = 2,  ///< has contacts with a flat face only where it crosses it
  kOtherFeature = 4,
};

class FeatureTree {
 public:
  /// Of features 0, 1, … with these boxes [m] and kinds; infinite boxes are paired with everything.
  void build(const std::vector<Bounds>& boxes, const std::vector<FeatureKind>& kinds);

  /// Appends the pairs (feature of `a`, feature of `b`) whose boxes, those of `a` rotated into the frame of b
  /// by `X_BA`, are at most `distance` [m] apart along each axis; those of a straight edge and a flat face
  /// overlap. Pairs of flat faces are left out. `pair`: see findSolidContacts().
  static void findPairs(const FeatureTree& a, const FeatureTree& b, const RigidTransform& X_BA,
                        double distance, std::uint64_t pair, std::vector<std::pair<int, int>>& pairs);

  /// Calls visit(feature) for the features whose boxes are within `distance` [m] of `p` along each axis.
  template <class Visit>
  void forEachNear(const Vector3d& p, double distance, const Visit& visit) const {
    if (!nodes_.empty()) visitNear(static_cast<int>(nodes_.size()) - 1, p, distance, visit);
  }

  /// Calls visit(feature) for the features whose boxes the ray from `p` along unit `d` meets.
  template <class Visit>
  void forEachOnRay(const Vector3d& p, const Vector3d& d, const Visit& visit) const {
    if (!nodes_.empty()) visitRay(static_cast<int>(nodes_.size()) - 1, p, d, visit);
  }

 private:
  /// A box in single precision, whose half sides are enlarged by more than the rounding; the last entries are
  /// zero [m].
  struct FloatBox {
    Eigen::Array4f center = Eigen::Array4f::Zero(), half = Eigen::Array4f::Zero();
  };
  struct Node {
    FloatBox box;
    float size = 0;             ///< square of the half diagonal [m²]
    int left = -1, right = -1;  ///< children; −1: a leaf
    int feature = -1;           ///< of a leaf
    unsigned char kinds = 0;    ///< of the features below, as bits
  };
  static FloatBox floatBox(const Vector3d& center, const Vector3d& half);
  template <class Visit>
  void visitNear(int index, const Vector3d& p, double distance, const Visit& visit) const {
    const Node& node = nodes_[static_cast<std::size_t>(index)];
    const Vector3d center = node.box.center.head<3>().matrix().cast<double>();
    const Vector3d half = node.box.half.head<3>().matrix().cast<double>();
    if (((p - center).array().abs() > half.array() + distance).any()) return;
    if (node.left < 0) return visit(node.feature);
    visitNear(node.left, p, distance, visit);
    visitNear(node.right, p, distance, visit);
  }
  template <class Visit>
  void visitRay(int index, const Vector3d& p, const Vector3d& d, const Visit& visit) const {
    const Node& node = nodes_[static_cast<std::size_t>(index)];
    if (!isOnRay(node, p, d)) return;
    if (node.left < 0) return visit(node.feature);
    visitRay(node.left, p, d, visit);
    visitRay(node.right, p, d, visit);
  }
  static bool isOnRay(const Node& node, const Vector3d& p, const Vector3d& d);
  int buildRange(const std::vector<Bounds>& boxes, const std::vector<FeatureKind>& kinds,
                 std::vector<int>& order, std::size_t first, std::size_t last);

  class PairSearch;

  std::vector<Node> nodes_;  // the root is the last
  std::uint64_t id_ = 0;     // of the boxes: copies share it
};

}  // namespace tenon::physics::brep
