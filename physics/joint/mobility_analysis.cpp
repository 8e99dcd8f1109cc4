// See joint_account.h.
#include "physics/joint/mobility_analysis.h"

#include <algorithm>
#include <cmath>

#include "physics/joint/joint_equations.h"
#include "physics/joint/joint_space.h"
#include "physics/math/tolerances.h"

namespace tenon::physics {
namespace {

/// Of its length, what must be left of an equation that others do not imply [-].
constexpr double kNearlyDependent = 1e-5;
/// Shares in what implies an equation, of the largest, that are none [-].
constexpr double kNoShare = 1e-6;
/// Speeds that agree, of the largest [-].
constexpr double kSameSpeed = 1e-9;
/// TurnMode by which a motion is told, as a length of its travel [-].
constexpr double kNoTurning = 1e-6;

/// One cluster of a JointSpace, looked at equation by equation.
class ClusterAccount {
 public:
  ClusterAccount(const JointSpace::ClusterView& view, std::span<const PlacedJoint> placed,
                 std::span<const JointRows> rows, std::span<const JointedBody> bodies)
      : view_(view), placed_(placed), rows_(rows), bodies_(bodies) {}

  Mechanism mechanism() const;
  std::optional<JointConflict> conflict() const;

 private:
  const JointSpace::Equation& equation(int k) const { return view_.equations[view_.rows.pivot(k)]; }
  bool isLengthOf(int k) const {
    return isLength(placed_[equation(k).joint].description.kind, equation(k).row);
  }
  std::vector<double> implying(int k, int before) const;
  std::vector<JointId> sharing(int k, const std::vector<double>& shares) const;
  std::optional<JointConflict> binding() const;
  JointConflict bindingAt(int k) const;
  std::optional<JointConflict> differing(JointConflict::Kind kind, Vector6d JointRows::*asked,
                                         double tolerance) const;
  double largest(Vector6d JointRows::*asked) const;

  const JointSpace::ClusterView& view_;
  std::span<const PlacedJoint> placed_;
  std::span<const JointRows> rows_;
  std::span<const JointedBody> bodies_;
};

Mechanism ClusterAccount::mechanism() const {
  Mechanism mechanism;
  for (const int body : view_.bodies) mechanism.bodies.push_back({body});
  for (const JointSpace::Equation& equation : view_.equations)
    if (mechanism.joints.empty() || mechanism.joints.back().value != equation.joint)
      mechanism.joints.push_back({equation.joint});
  mechanism.degreesOfFreedom = view_.rows.rows() - view_.rows.rank();
  mechanism.redundant = view_.rows.columns() - view_.rows.rank();
  return mechanism;
}

// The shares of the first `before` equations, in the order of pivots, that together come nearest to the k-th.
std::vector<double> ClusterAccount::implying(int k, int before) const {
  std::vector<double> shares(static_cast<std::size_t>(before));
  for (int i = before; i-- > 0;) {
    shares[i] = view_.rows.R(i, k);
    for (int n = i + 1; n < before; ++n) shares[i] -= view_.rows.R(i, n) * shares[n];
    shares[i] /= view_.rows.R(i, i);
  }
  return shares;
}

std::vector<JointId> ClusterAccount::sharing(int k, const std::vector<double>& shares) const {
  double most = 0;
  for (const double share : shares) most = std::max(most, std::abs(share));
  std::vector<JointId> joints{{equation(k).joint}};
  for (std::size_t i = 0; i < shares.size(); ++i)
    if (std::abs(shares[i]) > kNoShare * most) joints.push_back({equation(static_cast<int>(i)).joint});
  std::sort(joints.begin(), joints.end());
  joints.erase(std::unique(joints.begin(), joints.end()), joints.end());
  return joints;
}

std::optional<JointConflict> ClusterAccount::binding() const {
  for (int k = 0; k < view_.rows.rank(); ++k)
    if (std::abs(view_.rows.R(k, k)) < kNearlyDependent) return bindingAt(k);
  return std::nullopt;
}

// Q's k-th column is the motion that keeps all equations before and the k-th one all but.
JointConflict ClusterAccount::bindingAt(int k) const {
  std::vector<double> motion(static_cast<std::size_t>(view_.rows.rows()), 0.0);
  motion[k] = 1;
  view_.rows.applyQ(motion);
  double travel = 0, turning = 0, size = 0;
  for (std::size_t n = 0; n < view_.bodies.size(); ++n) {
    const double gyration = bodies_[view_.bodies[n]].gyration;
    const Eigen::Map<const Vector6d> u(motion.data() + 6 * n);
    travel = std::max(travel, u.head<3>().norm());
    turning = std::max(turning, u.tail<3>().norm() / gyration);
    size = std::max(size, gyration);
  }
  JointConflict conflict;
  conflict.joints = sharing(k, implying(k, k));
  conflict.turning = turning * size > kNoTurning * travel;
  conflict.by = std::abs(view_.rows.R(k, k)) * equation(k).length / (conflict.turning ? turning : travel);
  conflict.isLength = isLengthOf(k);
  return conflict;
}

// Equations that others imply, and what these make of them.
std::optional<JointConflict> ClusterAccount::differing(JointConflict::Kind kind, Vector6d JointRows::*asked,
                                                       double tolerance) const {
  const int rank = view_.rows.rank();
  const auto of = [&](int k) { return (rows_[equation(k).joint].*asked)[equation(k).row]; };
  for (int k = rank; k < view_.rows.columns(); ++k) {
    const std::vector<double> shares = implying(k, rank);
    double implied = 0;
    for (int i = 0; i < rank; ++i) implied += shares[i] * of(i) / equation(i).length;
    const double by = std::abs(of(k) - implied * equation(k).length);
    if (!(by > tolerance)) continue;
    return JointConflict{.kind = kind, .joints = sharing(k, shares), .by = by, .isLength = isLengthOf(k)};
  }
  return std::nullopt;
}

double ClusterAccount::largest(Vector6d JointRows::*asked) const {
  double most = 0;
  for (const JointSpace::Equation& equation : view_.equations)
    most = std::max(most, std::abs((rows_[equation.joint].*asked)[equation.row]));
  return most;
}

std::optional<JointConflict> ClusterAccount::conflict() const {
  if (const auto found = binding()) return found;
  if (const auto found = differing(JointConflict::Kind::apart, &JointRows::phi, kJointTolerance))
    return found;
  return differing(JointConflict::Kind::driven, &JointRows::normalBias,
                   kSameSpeed * largest(&JointRows::normalBias));
}

}  // namespace

MobilityAnalysis analyzeMobility(std::span<const PlacedJoint> joints, std::span<const JointedBody> bodies) {
  std::vector<JointRows> rows;
  for (const PlacedJoint& joint : joints) {
    const BodyId i = joint.description.i, j = joint.description.j;
    const auto local = [&](BodyId id) { return id.valid() && bodies[id.value].moves ? id.value : -1; };
    const JointedBody world;
    const JointedBody& outer = i.valid() ? bodies[i.value] : world;
    const JointFrames at = jointFrames(joint, outer.X_WC, bodies[j.value].X_WC);
    rows.push_back(jointRows(joint.description, at, local(i), local(j), outer.u, bodies[j.value].u));
    rows.back().phi = jointError(joint.description, at);
  }
  std::vector<Matrix6d> measure(bodies.size(), Matrix6d::Identity());
  for (std::size_t k = 0; k < bodies.size(); ++k)
    measure[k].diagonal().tail<3>().setConstant(bodies[k].gyration);
  JointSpace space;
  space.build(measure, rows);
  MobilityAnalysis account;
  for (int c = 0; c < space.clusters(); ++c) {
    const JointSpace::ClusterView view = space.cluster(c);
    const ClusterAccount cluster(view, joints, rows, bodies);
    account.mechanisms.push_back(cluster.mechanism());
    if (!account.conflict) account.conflict = cluster.conflict();
  }
  return account;
}

}  // namespace tenon::physics
