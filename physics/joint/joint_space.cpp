// See joint_space.h.
#include "physics/joint/joint_space.h"

#include <algorithm>

namespace tenon::physics {
namespace {

/// Rows whose remainder after elimination of the earlier ones is shorter, relative to 1, are redundant [-].
/// Redundant joints differ by rounding only; a mechanism near a dead center is further from redundancy.
constexpr double kDependent = 1e-9;

Eigen::Map<const Vector6d> bodyBlock(std::span<const double> stacked, int i) {
  return Eigen::Map<const Vector6d>(stacked.data() + 6 * i);
}

}  // namespace

int JointSpace::firstBlock(int body) const {
  const BodyBlocks& at = bodyBlocks_[body];
  return at.cluster < 0 ? at.index : clusters_[at.cluster].firstBlock;
}

int JointSpace::blockCount(int body) const {
  const BodyBlocks& at = bodyBlocks_[body];
  return at.cluster < 0 ? 1 : clusters_[at.cluster].blockCount;
}

JointSpace::BasisBlock JointSpace::basis(const Cluster& cluster, int index, int n) {
  const auto height = static_cast<Eigen::Index>(6 * cluster.bodies.size());
  return BasisBlock(cluster.basis.data() + 6 * n * height + 6 * index, Eigen::OuterStride<>(height));
}

Vector6d JointSpace::closingVelocity(int body) const {
  const BodyBlocks& at = bodyBlocks_[body];
  if (at.cluster < 0) return Vector6d::Zero();
  return bodyBlock(clusters_[at.cluster].closingVelocity, at.index);
}

Vector6d JointSpace::velocity(int body, std::span<const double> w) const {
  const BodyBlocks& at = bodyBlocks_[body];
  if (at.cluster < 0) return bodyBlock(w, at.index);
  const Cluster& cluster = clusters_[at.cluster];
  Vector6d v = bodyBlock(cluster.closingVelocity, at.index);
  for (int n = 0; n < cluster.blockCount; ++n)
    v += basis(cluster, at.index, n) * bodyBlock(w, cluster.firstBlock + n);
  return v;
}

// Assigns bodies and equations to clusters, numbered in the order of their lowest bodies.
void JointSpace::gather(std::span<const Matrix6d> massFactor, std::span<const JointRows> joints) {
  const int bodies = static_cast<int>(massFactor.size());
  massFactor_ = massFactor;
  sets_.reset(bodies);
  bodyBlocks_.assign(bodies, BodyBlocks{});
  for (const JointRows& joint : joints) {
    for (const int body : {joint.a, joint.b})
      if (body >= 0) bodyBlocks_[body].cluster = 0;
    if (joint.a >= 0 && joint.b >= 0) sets_.join(joint.a, joint.b);
  }
  clusterCount_ = 0;
  for (int body = 0; body < bodies; ++body) {
    if (bodyBlocks_[body].cluster < 0) continue;
    const int first = sets_.root(body);
    if (first == body) {
      if (static_cast<int>(clusters_.size()) == clusterCount_) clusters_.emplace_back();
      clusters_[clusterCount_].bodies.clear();
      clusters_[clusterCount_].equations.clear();
      bodyBlocks_[body].cluster = clusterCount_++;
    } else {
      bodyBlocks_[body].cluster = bodyBlocks_[first].cluster;
    }
    std::vector<int>& members = clusters_[bodyBlocks_[body].cluster].bodies;
    bodyBlocks_[body].index = static_cast<int>(members.size());
    members.push_back(body);
  }
  for (std::size_t k = 0; k < joints.size(); ++k) {
    const int body = joints[k].b >= 0 ? joints[k].b : joints[k].a;
    if (body < 0) continue;
    for (int row = 0; row < joints[k].count; ++row)
      clusters_[bodyBlocks_[body].cluster].equations.push_back({static_cast<int>(k), row, 1});
  }
}

void JointSpace::factorize(Cluster& cluster, std::span<const JointRows> joints) {
  const int height = static_cast<int>(6 * cluster.bodies.size());
  const int count = static_cast<int>(cluster.equations.size());
  auto columns = cluster.rows.reset(height, count);
  for (int e = 0; e < count; ++e) {
    Equation& equation = cluster.equations[e];
    const JointRows& joint = joints[equation.joint];
    const auto add = [&](int body, const JointRows::Columns& g) {
      if (body < 0) return;
      columns.block<6, 1>(6 * bodyBlocks_[body].index, e) +=
          massFactor_[body].triangularView<Eigen::Lower>().solve(g.col(equation.row));
    };
    add(joint.a, joint.Ga);
    add(joint.b, joint.Gb);
    equation.length = columns.col(e).norm();
    if (equation.length > 0) columns.col(e) /= equation.length;
  }
  cluster.rows.factorize(kDependent);
  const int rank = cluster.rows.rank(), freedoms = height - rank;
  cluster.blockCount = (freedoms + 5) / 6;
  cluster.basis.assign(static_cast<std::size_t>(height) * 6 * cluster.blockCount, 0.0);
  for (int k = 0; k < freedoms; ++k) {
    const std::span<double> column(cluster.basis.data() + static_cast<std::size_t>(k) * height, height);
    column[rank + k] = 1;
    cluster.rows.applyQ(column);
  }
  cluster.closingVelocity.assign(height, 0.0);
  if (rank == count) return;
  auto across = cluster.redundancy.reset(count, rank);
  for (int i = 0; i < rank; ++i)
    for (int k = i; k < count; ++k) across(k, i) = cluster.rows.R(i, k);
  cluster.redundancy.factorize(0);
}

void JointSpace::build(std::span<const Matrix6d> massFactor, std::span<const JointRows> joints) {
  gather(massFactor, joints);
  for (int c = 0; c < clusterCount_; ++c) factorize(clusters_[c], joints);
  blocks_ = 0;
  for (std::size_t body = 0; body < bodyBlocks_.size(); ++body) {
    BodyBlocks& at = bodyBlocks_[body];
    if (at.cluster < 0) {
      at.index = blocks_++;
    } else if (at.index == 0) {
      clusters_[at.cluster].firstBlock = blocks_;
      blocks_ += clusters_[at.cluster].blockCount;
    }
  }
}

void JointSpace::computeClosingVelocity(std::span<const JointRows> joints,
                                        std::span<const double> freeVelocity, double dt) {
  for (int c = 0; c < clusterCount_; ++c) {
    Cluster& cluster = clusters_[c];
    const int rank = cluster.rows.rank();
    std::fill(cluster.closingVelocity.begin(), cluster.closingVelocity.end(), 0.0);
    for (int k = 0; k < rank; ++k) {
      const Equation& equation = cluster.equations[cluster.rows.pivot(k)];
      const JointRows& joint = joints[equation.joint];
      double speed = -joint.b0[equation.row] / dt;
      if (joint.a >= 0) speed -= joint.Ga.col(equation.row).dot(bodyBlock(freeVelocity, joint.a));
      if (joint.b >= 0) speed -= joint.Gb.col(equation.row).dot(bodyBlock(freeVelocity, joint.b));
      cluster.closingVelocity[k] = equation.length > 0 ? speed / equation.length : 0.0;
    }
    cluster.rows.solveTransposed(cluster.closingVelocity);
    cluster.rows.applyQ(cluster.closingVelocity);
  }
}

// Replaces the coordinates of `x` along Q's leading columns by one number an equation, in the order of
// pivots: the shortest y with R y = x.
void JointSpace::distribute(Cluster& cluster, std::span<double> x) {
  const int rank = cluster.rows.rank(), count = static_cast<int>(cluster.equations.size());
  if (rank == count) {
    cluster.rows.solveUpper(x);
    return;
  }
  y_.assign(count, 0.0);
  for (int k = 0; k < rank; ++k) y_[k] = x[cluster.redundancy.pivot(k)];
  cluster.redundancy.solveTransposed(y_);
  cluster.redundancy.applyQ(y_);
  std::copy(y_.begin(), y_.end(), x.begin());
}

void JointSpace::forces(std::span<const double> velocities, double dt, std::span<Vector6d> lambda) {
  for (Vector6d& force : lambda) force.setZero();
  for (int c = 0; c < clusterCount_; ++c) {
    Cluster& cluster = clusters_[c];
    const std::size_t height = 6 * cluster.bodies.size(), count = cluster.equations.size();
    x_.assign(std::max(height, count), 0.0);
    for (std::size_t i = 0; i < cluster.bodies.size(); ++i)
      std::copy_n(velocities.data() + 6 * cluster.bodies[i], 6, x_.data() + 6 * i);
    cluster.rows.applyQTransposed(std::span(x_).first(height));
    distribute(cluster, x_);
    for (std::size_t k = 0; k < count; ++k) {
      const Equation& equation = cluster.equations[cluster.rows.pivot(static_cast<int>(k))];
      if (equation.length > 0) lambda[equation.joint][equation.row] = x_[k] / (dt * equation.length);
    }
  }
}

}  // namespace tenon::physics
