// See mobility_analysis.h.
#include "physics/joint/mobility_analysis.h"

#include <algorithm>
#include <cmath>

#include "physics/joint/joint_equations.h"
#include "physics/joint/joint_space.h"
#include "physics/math/tolerances.h"

namespace tenon::physics {
namespace {

/// Smallest remainder of an independent equation after elimination of the others, relative to its length [-].
constexpr double kNearlyDependent = 1e-5;
/// Coefficients of a combination up to this are zero, relative to the largest [-].
constexpr double kNoShare = 1e-6;
/// Speeds are equal to within this, relative to the largest [-].
constexpr double kSameSpeed = 1e-9;
/// Rotation up to this is zero, as a length relative to the travel [-].
constexpr double kNoTurning = 1e-6;

/// Analysis of one cluster of a JointSpace, equation by equation.
class ClusterAnalysis {
 public:
  ClusterAnalysis(const JointSpace::ClusterView& view, std::span<const PlacedJoint> placed,
                  std::span<const JointRows> rows, std::span<const JointedBody> bodies)
      : view_(view), placed_(placed), rows_(rows), bodies_(bodies) {}

  Mechanism mechanism() const;
  std::optional<JointConflict> conflict() const;

 private:
  const JointSpace::Equation& equation(int k) const { return view_.equations[view_.rows.pivot(k)]; }
  bool isLengthOf(int k) const {
    return isLength(placed_[equation(k).joint].description.kind, equation(k).row);
  }
  std::vector<double> combination(int k, int before) const;
  std::vector<JointId> involvedJoints(int k, const std::vector<double>& shares) const;
  std::optional<JointConflict> binding() const;
  JointConflict bindingAt(int k) const;
  std::optional<JointConflict> inconsistent(JointConflict::Kind kind, Vector6d JointRows::*quantity,
                                            double tolerance) const;
  double largest(Vector6d JointRows::*quantity) const;

  const JointSpace::ClusterView& view_;
  std::span<const PlacedJoint> placed_;
  std::span<const JointRows> rows_;
  std::span<const JointedBody> bodies_;
};

Mechanism ClusterAnalysis::mechanism() const {
  Mechanism mechanism;
  for (const int body : view_.bodies) mechanism.bodies.push_back({body});
  for (const JointSpace::Equation& equation : view_.equations)
    if (mechanism.joints.empty() || mechanism.joints.back().value != equation.joint)
      mechanism.joints.push_back({equation.joint});
  mechanism.degreesOfFreedom = view_.rows.rows() - view_.rows.rank();
  mechanism.redundant = view_.rows.columns() - view_.rows.rank();
  return mechanism;
}

// Coefficients of the combination of the first `before` equations, in the order of pivots, nearest to the
// k-th.
std::vector<double> ClusterAnalysis::combination(int k, int before) const {
  std::vector<double> shares(static_cast<std::size_t>(before));
  for (int i = before; i-- > 0;) {
    shares[i] = view_.rows.R(i, k);
    for (int n = i + 1; n < before; ++n) shares[i] -= view_.rows.R(i, n) * shares[n];
    shares[i] /= view_.rows.R(i, i);
  }
  return shares;
}

std::vector<JointId> ClusterAnalysis::involvedJoints(int k, const std::vector<double>& shares) const {
  double largestShare = 0;
  for (const double share : shares) largestShare = std::max(largestShare, std::abs(share));
  std::vector<JointId> joints{{equation(k).joint}};
  for (std::size_t i = 0; i < shares.size(); ++i)
    if (std::abs(shares[i]) > kNoShare * largestShare)
      joints.push_back({equation(static_cast<int>(i)).joint});
  std::sort(joints.begin(), joints.end());
  joints.erase(std::unique(joints.begin(), joints.end()), joints.end());
  return joints;
}

std::optional<JointConflict> ClusterAnalysis::binding() const {
  for (int k = 0; k < view_.rows.rank(); ++k)
    if (std::abs(view_.rows.R(k, k)) < kNearlyDependent) return bindingAt(k);
  return std::nullopt;
}

// Q's k-th column is the motion that satisfies all earlier equations, and the k-th one nearly.
JointConflict ClusterAnalysis::bindingAt(int k) const {
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
  conflict.joints = involvedJoints(k, combination(k, k));
  conflict.turning = turning * size > kNoTurning * travel;
  conflict.by = std::abs(view_.rows.R(k, k)) * equation(k).length / (conflict.turning ? turning : travel);
  conflict.isLength = isLengthOf(k);
  return conflict;
}

// Redundant equations against the combination of the others.
std::optional<JointConflict> ClusterAnalysis::inconsistent(JointConflict::Kind kind,
                                                           Vector6d JointRows::*quantity,
                                                           double tolerance) const {
  const int rank = view_.rows.rank();
  const auto value = [&](int k) { return (rows_[equation(k).joint].*quantity)[equation(k).row]; };
  for (int k = rank; k < view_.rows.columns(); ++k) {
    const std::vector<double> shares = combination(k, rank);
    double implied = 0;
    for (int i = 0; i < rank; ++i) implied += shares[i] * value(i) / equation(i).length;
    const double by = std::abs(value(k) - implied * equation(k).length);
    if (!(by > tolerance)) continue;
    return JointConflict{
        .kind = kind, .joints = involvedJoints(k, shares), .by = by, .isLength = isLengthOf(k)};
  }
  return std::nullopt;
}

double ClusterAnalysis::largest(Vector6d JointRows::*quantity) const {
  double largestValue = 0;
  for (const JointSpace::Equation& equation : view_.equations)
    largestValue = std::max(largestValue, std::abs((rows_[equation.joint].*quantity)[equation.row]));
  return largestValue;
}

std::optional<JointConflict> ClusterAnalysis::conflict() const {
  if (const auto found = binding()) return found;
  if (const auto found = inconsistent(JointConflict::Kind::apart, &JointRows::phi, kJointTolerance))
    return found;
  return inconsistent(JointConflict::Kind::driven, &JointRows::rateBias,
                      kSameSpeed * largest(&JointRows::rateBias));
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
  MobilityAnalysis analysis;
  for (int c = 0; c < space.clusters(); ++c) {
    const JointSpace::ClusterView view = space.cluster(c);
    const ClusterAnalysis cluster(view, joints, rows, bodies);
    analysis.mechanisms.push_back(cluster.mechanism());
    if (!analysis.conflict) analysis.conflict = cluster.conflict();
  }
  return analysis;
}

}  // namespace tenon::physics
