// Free coordinates of the bodies of an island under its joints.
//
// Joints remove degrees of freedom. Bodies that joints connect are a cluster; of its 6 n scaled velocities
// ũ = Lᵀ(u − u_free) those that satisfy all its joints are ũ = ũ_p + Z w, with orthonormal columns Z of the
// orthogonal complement of the joints' rows, and ũ_p the shortest velocity that closes the joints. Contact
// solvers see blocks of six coordinates w: one block a body without joints (w = ũ), as many as needed for a
// cluster, the last one filled up with coordinates without effect. So solvers are independent of joints, and
// redundant joints (a door on three hinges) are harmless: pivoting finds the rank.
#pragma once

#include <span>
#include <vector>

#include "physics/joint/joint_rows.h"
#include "physics/math/disjoint_sets.h"
#include "physics/math/pivoted_qr.h"

namespace tenon::physics {

class JointSpace {
 public:
  /// For bodies with the Cholesky factors `massFactor` (as in ContactProblem) and the directions Ga, Gb of
  /// `joints`. O((6n)² rows) for a cluster of n bodies.
  void build(std::span<const Matrix6d> massFactor, std::span<const JointRows> joints);

  /// Computes ũ_p from the joints' current b0. u_free stacked, 6 a body.
  void computeClosingVelocity(std::span<const JointRows> joints, std::span<const double> freeVelocity,
                              double dt);

  /// Blocks of six coordinates.
  int blocks() const { return blocks_; }
  /// Blocks that a force on `body` moves: from firstBlock(), blockCount() of them.
  int firstBlock(int body) const;
  int blockCount(int body) const;
  /// Zᵀ h in the n-th block of `body`, for a scaled row `h`.
  template <int Columns>
  Eigen::Matrix<double, 6, Columns> reduced(int body, int n,
                                            const Eigen::Matrix<double, 6, Columns>& h) const {
    const BodyBlocks& at = bodyBlocks_[body];
    if (at.cluster < 0) return h;
    return basis(clusters_[at.cluster], at.index, n).transpose() * h;
  }
  /// ũ_p of a body; zero without joints.
  Vector6d closingVelocity(int body) const;
  /// ũ of a body for the coordinates w (6 blocks() entries).
  Vector6d velocity(int body, std::span<const double> w) const;

  /// Forces λ [N, N m] of all joints: solves Δt L⁻¹ G λ = `velocities` (6 a body) for the scaled velocities
  /// that the contacts do not explain; for redundant joints the smallest λ of the scaled rows. `lambda[k]` is
  /// of joint k.
  void forces(std::span<const double> velocities, double dt, std::span<Vector6d> lambda);

  struct Equation {
    int joint = 0, row = 0;
    double length = 1;  ///< length of its scaled row [1/√kg]
  };
  /// Bodies that joints connect, the equations of these joints in their order, and the factors of the scaled
  /// rows, one a column, length 1: the input of MobilityAnalysis. Valid until the next build().
  struct ClusterView {
    std::span<const int> bodies;
    std::span<const Equation> equations;
    const PivotedQr& rows;
  };
  int clusters() const { return clusterCount_; }
  ClusterView cluster(int c) const {
    return {clusters_[c].bodies, clusters_[c].equations, clusters_[c].rows};
  }

 private:
  struct BodyBlocks {
    int cluster = -1;  // −1: the body has no joint
    int index = 0;     // in the cluster; without one, its block
  };
  struct Cluster {
    std::vector<int> bodies;
    std::vector<Equation> equations;
    int firstBlock = 0, blockCount = 0;
    PivotedQr rows;                       // of the equations' scaled rows, one a column, length 1
    PivotedQr redundancy;                 // of Rᵀ, where equations depend on each other
    std::vector<double> basis;            // Z: 6n rows, 6 blockCount columns
    std::vector<double> closingVelocity;  // ũ_p
  };

  using BasisBlock = Eigen::Map<const Matrix6d, 0, Eigen::OuterStride<>>;
  static BasisBlock basis(const Cluster& cluster, int index, int n);
  void gather(std::span<const Matrix6d> massFactor, std::span<const JointRows> joints);
  void factorize(Cluster& cluster, std::span<const JointRows> joints);
  void distribute(Cluster& cluster, std::span<double> x);

  int clusterCount_ = 0, blocks_ = 0;
  std::span<const Matrix6d> massFactor_;
  DisjointSets sets_;  // of bodies
  std::vector<BodyBlocks> bodyBlocks_;
  std::vector<Cluster> clusters_;
  std::vector<double> x_, y_;
};

}  // namespace tenon::physics
