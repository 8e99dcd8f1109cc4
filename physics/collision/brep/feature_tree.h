// A tree of boxes over the features of a solid, and the pairs of features of two solids whose boxes are near.
#pragma once

#include <array>
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
  /// Of features 0, 1, … with these boxes [m] and kinds; infinite boxes end 100 km from the
  /// origin.
  void build(const std::vector<Bounds>& boxes, const std::vector<FeatureKind>& kinds);

  /// Appends the pairs (feature of `a`, feature of `b`) whose boxes, those of `a` rotated into the frame of b
  /// by `X_BA`, are at most `distance` [m] apart along each axis; those of a straight edge and a flat face
  /// overlap. Pairs of flat faces are left out. `pair`: see findSolidContacts().
  static void findPairs(const FeatureTree& a, const FeatureTree& b, const RigidTransform& X_BA,
                        double distance, std::uint64_t pair, std::vector<std::pair<int, int>>& pairs);

  /// Calls visit(feature) for the features whose boxes are within `distance` [m] of `p` along each axis.
  template <class Visit>
  void forEachNear(const Vector3d& p, double distance, const Visit& visit) const {
    forEach(
        [&](const Box& box) {
          return ((p - box.center).cwiseAbs().array() <= box.half.array() + distance).all();
        },
        visit);
  }

  /// Calls visit(feature) for the features whose boxes the ray from `p` along unit `d` meets.
  template <class Visit>
  void forEachOnRay(const Vector3d& p, const Vector3d& d, const Visit& visit) const {
    forEach([&](const Box& box) { return isOnRay(box, p, d); }, visit);
  }

 private:
  /// Bound of the rounding of single precision in the sides of a box and its image in another frame, relative
  /// to its coordinates [-].
  static constexpr double kFloatRounding = 1e-6;
  static constexpr int kLanes = 4;
  /// Kinds of nodes: with nothing but flat faces, with nothing but straight edges, and others.
  static constexpr int kFlat = 0, kStraight = 1, kKinds = 3;
  using Lanes = Eigen::Array4f;

  /// Boxes in single precision, whose half sides are enlarged by more than the rounding [m].
  struct Boxes {
    std::array<Lanes, 3> center, half;
  };
  struct Box {
    Vector3d center = Vector3d::Zero(), half = Vector3d::Zero();
  };
  /// Up to four nodes, the children of another one: blocks, or features.
  struct Block {
    Boxes boxes;  ///< unused ones are empty by so much that nothing is near them
    /// Squares of the half diagonals [m²]; −1: of nodes whose children are features.
    std::array<float, kLanes> size{};
    std::array<int, kLanes> child{};            ///< blocks or features
    int count = 0;                              ///< of children
    bool isLeaf = false;                        ///< they are features
    std::array<unsigned char, kLanes> kinds{};  ///< what the features below are: kFlat, kStraight or neither
    /// Nodes, as bits, that have no contacts with a node of a kind, or only if they cross.
    std::array<unsigned char, kKinds> without{}, crossing{};
  };

  static Box boxOf(const Block& block, int lane) {
    Box box;
    for (std::size_t k = 0; k < 3; ++k) {
      box.center[static_cast<Eigen::Index>(k)] = block.boxes.center[k][lane];
      box.half[static_cast<Eigen::Index>(k)] = block.boxes.half[k][lane];
    }
    return box;
  }
  template <class IsHit, class Visit>
  void forEach(const IsHit& isHit, const Visit& visit) const {
    if (!blocks_.empty()) visitBlock(0, isHit, visit);
  }
  template <class IsHit, class Visit>
  void visitBlock(int index, const IsHit& isHit, const Visit& visit) const {
    const Block& block = blocks_[static_cast<std::size_t>(index)];
    for (int lane = 0; lane < block.count; ++lane) {
      if (!isHit(boxOf(block, lane))) continue;
      const int child = block.child[static_cast<std::size_t>(lane)];
      if (block.isLeaf)
        visit(child);
      else
        visitBlock(child, isHit, visit);
    }
  }
  static bool isOnRay(const Box& box, const Vector3d& p, const Vector3d& d);

  class Builder;
  class PairSearch;

  std::vector<Block> blocks_;  // the only node of the first is the root
  Box root_;                   // of all features
  std::uint64_t id_ = 0;       // of the boxes: copies share it
};

}  // namespace tenon::physics::brep
