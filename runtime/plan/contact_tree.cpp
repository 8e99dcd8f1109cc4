// See contact_tree.h.
#include "runtime/plan/contact_tree.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tenon::runtime {

namespace {

using physics::Pose;
using physics::Vector3d;
using physics::Vector6d;

/// Length of an extension, as a share of the unit's radius, and the share of it that is the least progress.
constexpr double kExtension = 0.3, kProgress = 0.02;
/// Extensions towards one target, and poses of the tree, at most.
constexpr int kGrowth = 12, kMostPoses = 1500;
/// Targets in succession towards which the tree does not grow, at most.
constexpr int kFruitless = 150;
/// Surfaces this near permit no approach [m]; extensions depart from them by this share of their length, so
/// that the curvature of the surfaces does not stop them at once.
constexpr double kTreeContact = 20e-6, kDeparture = 0.02;
/// Sweeps of the projection onto the permitted motions.
constexpr int kProjections = 50;
/// Distance of poses at which an exit is tested first, as a share of the unit's radius.
constexpr double kExitSample = 0.15;
/// Free space around the assembly at the end of a removal [m].
constexpr double kTreeExit = 1e-3;
/// Random attempts to shorten the path.
constexpr int kShortcuts = 60;
/// Shares of the targets that have the orientation of a pose of the tree, and that are outside; rotation of
/// others [rad].
constexpr double kUnturned = 0.4, kOutside = 0.3, kLargestTurn = 3;

}  // namespace

ContactTree::ContactTree(const Assembly& assembly, PartDistance& distance, LegTravel& travel,
                         const ContactTreeScope& scope)
    : assembly_(assembly), distance_(distance), travel_(travel), scope_(scope), generator_(1) {
  Eigen::AlignedBox3d own;
  for (const int part : parts()) own.extend(worldBounds(assembly.scene->part(part), placed({}, part)));
  center_ = own.center();
  radius_ = 0.5 * own.diagonal().norm();
  extent_ = own;
  for (const int part : scope.resting) {
    const Eigen::AlignedBox3d box = worldBounds(assembly.scene->part(part), placed({}, part));
    if (box.sizes().allFinite()) extent_.extend(box);
  }
  extent_ = {extent_.min() - Vector3d::Constant(radius_), extent_.max() + Vector3d::Constant(radius_)};
}

const std::vector<int>& ContactTree::parts() const {
  return assembly_.units[static_cast<std::size_t>(scope_.unit)].parts;
}

Pose ContactTree::placed(const Pose& X, int part) const {
  return X * assembly_.X_WP[static_cast<std::size_t>(part)];
}

std::optional<Removal> ContactTree::run(int targets, const std::function<void(int)>& progress) {
  nodes_ = {Node{}};
  int fruitless = 0;
  for (int k = 0; k < targets && fruitless < kFruitless && static_cast<int>(nodes_.size()) < kMostPoses;
       ++k) {
    if (travel_.isStopped()) return std::nullopt;
    progress(static_cast<int>(nodes_.size()));
    const Pose wanted = target();
    const std::size_t before = nodes_.size();
    if (auto removal = grow(nearest(wanted), wanted)) return removal;
    fruitless = nodes_.size() > before ? 0 : fruitless + 1;
  }
  return std::nullopt;
}

double ContactTree::number() {
  return static_cast<double>(generator_()) / 2147483648.0 - 1;
}

Vector3d ContactTree::vector() {
  Vector3d v;
  for (int k = 0; k < 3; ++k) v[k] = number();
  return v;
}

/// A pose in the space around the assembly or beyond it, turned at random, or not.
Pose ContactTree::target() {
  Vector3d p = extent_.center() + 0.5 * extent_.sizes().cwiseProduct(vector());
  if (number() < 2 * kOutside - 1) p = extent_.center() + extent_.diagonal().norm() * vector().normalized();
  const bool isTurned = number() > 2 * kUnturned - 1;
  const Vector3d axis = vector().normalized();
  const double angle = kLargestTurn * number();
  Pose X;
  X.q = isTurned ? physics::exponential(angle * axis)
                 : nodes_[static_cast<std::size_t>(generator_() % nodes_.size())].X.q;
  X.p = p - X.q * center_;
  return X;
}

double ContactTree::apart(const Pose& a, const Pose& b) const {
  return (centerOf(a) - centerOf(b)).norm() + radius_ * a.q.angularDistance(b.q);
}

int ContactTree::nearest(const Pose& target) const {
  int best = 0;
  for (int k = 1; k < static_cast<int>(nodes_.size()); ++k)
    if (apart(nodes_[static_cast<std::size_t>(k)].X, target) <
        apart(nodes_[static_cast<std::size_t>(best)].X, target))
      best = k;
  return best;
}

PathLeg ContactTree::legBetween(const Pose& a, const Pose& b) const {
  return {{scope_.unit},
          centerOf(b) - centerOf(a),
          physics::logarithm((b.q * a.q.conjugate()).normalized()),
          centerOf(a)};
}

/// The motion nearest to the wanted one that approaches no contact (projection by C. Hildreth, A quadratic
/// programming procedure, 1957).
PathLeg ContactTree::permitted(const Pose& X, const PathLeg& wanted) {
  std::vector<Vector6d> rows;
  for (const int part : parts())
    for (const int other : scope_.resting)
      for (const physics::Contact& contact :
           distance_.contacts(part, placed(X, part), other, placed({}, other), kTreeContact)) {
        const Vector3d out = part < other ? Vector3d(-contact.n) : contact.n;
        Vector6d row;
        row << out, (contact.p - wanted.center).cross(out) / radius_;
        rows.push_back(row);
      }
  Vector6d w;
  w << wanted.displacement, radius_ * wanted.rotation;
  const double departure = kDeparture * w.norm();
  std::vector<double> pushes(rows.size(), 0.0);
  for (int sweep = 0; sweep < kProjections; ++sweep)
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const double change = std::max(-pushes[k], (departure - rows[k].dot(w)) / rows[k].squaredNorm());
      pushes[k] += change;
      w += change * rows[k];
    }
  PathLeg leg = wanted;
  leg.displacement = w.head<3>();
  leg.rotation = w.tail<3>() / radius_;
  return leg;
}

double ContactTree::freeShare(const Pose& X, const PathLeg& leg) {
  double share = 1;
  for (const int part : parts())
    for (const int other : scope_.resting) {
      share = std::min(share, travel_.freeShare(leg, part, placed(X, part), other, placed({}, other)));
      if (share <= 0) return 0;
    }
  return share;
}

/// A quick test of a long leg, at some poses.
bool ContactTree::overlapsAlong(const Pose& X, const PathLeg& leg) {
  const int count = static_cast<int>(leg.displacement.norm() / (kExitSample * radius_)) + 1;
  for (int k = 1; k <= count; ++k) {
    const Pose at = poseAlong(leg, X, static_cast<double>(k) / count);
    for (const int part : parts())
      for (const int other : scope_.resting)
        if (travel_.overlap(part, placed(at, part), other, placed({}, other))) return true;
  }
  return false;
}

std::optional<Removal> ContactTree::grow(int from, const Pose& target) {
  int at = from;
  for (int k = 0; k < kGrowth; ++k) {
    const Pose X = nodes_[static_cast<std::size_t>(at)].X;
    PathLeg wanted = legBetween(X, target);
    const double length = apart(X, target);
    const double share = std::min(1.0, kExtension * radius_ / length);
    wanted.displacement *= share;
    wanted.rotation *= share;
    PathLeg leg = permitted(X, wanted);
    if (leg.displacement.norm() + radius_ * leg.rotation.norm() < kProgress * kExtension * radius_)
      return std::nullopt;
    const double free = freeShare(X, leg);
    leg.displacement *= free;
    leg.rotation *= free;
    const Pose next = poseAlong(leg, X, 1);
    if (apart(X, next) < kProgress * kExtension * radius_ || apart(next, target) >= length)
      return std::nullopt;
    nodes_.push_back({next, at});
    at = static_cast<int>(nodes_.size()) - 1;
    if (auto removal = exitFrom(at)) return removal;
    if (share >= 1 && free >= 1) return std::nullopt;
  }
  return std::nullopt;
}

double ContactTree::exitTravel(const Pose& X, const Vector3d& d) const {
  double exit = kTreeExit;
  for (const int part : parts())
    for (const int other : scope_.resting) {
      const auto interval = travel_.interval(part, placed(X, part), other, placed({}, other), d);
      if (interval && std::isfinite(interval->second)) exit = std::max(exit, interval->second + kTreeExit);
    }
  return exit;
}

std::optional<Removal> ContactTree::exitFrom(int node) {
  const Pose X = nodes_[static_cast<std::size_t>(node)].X;
  for (const RemovalMotion& direction : scope_.directions) {
    PathLeg leg{{scope_.unit}};
    const double travel = exitTravel(X, direction.direction);
    leg.displacement = travel * direction.direction;
    if (overlapsAlong(X, leg) || freeShare(X, leg) < 1) continue;
    std::vector<Pose> poses;
    for (int k = node; k >= 0; k = nodes_[static_cast<std::size_t>(k)].parent)
      poses.insert(poses.begin(), nodes_[static_cast<std::size_t>(k)].X);
    Removal removal;
    removal.units = {scope_.unit};
    removal.travel = travel;
    removal.path = CorneredPath{shortened(std::move(poses)), direction};
    return removal;
  }
  return std::nullopt;
}

/// First without those poses that a leg can skip, then cut between random points of the legs.
std::vector<PathLeg> ContactTree::shortened(std::vector<Pose> poses) {
  const auto isFree = [&](const Pose& a, const Pose& b) { return freeShare(a, legBetween(a, b)) >= 1; };
  const auto skip = [&] {
    for (std::size_t k = 0; k + 2 < poses.size() && !travel_.isStopped(); ++k)
      for (std::size_t to = poses.size() - 1; to > k + 1; --to)
        if (isFree(poses[k], poses[to])) {
          poses.erase(poses.begin() + static_cast<std::ptrdiff_t>(k) + 1,
                      poses.begin() + static_cast<std::ptrdiff_t>(to));
          break;
        }
  };
  skip();
  for (int attempt = 0; attempt < kShortcuts && poses.size() > 2 && !travel_.isStopped(); ++attempt) {
    const auto legs = static_cast<double>(poses.size() - 1);
    double a = 0.5 * (number() + 1) * legs;
    double b = 0.5 * (number() + 1) * legs;
    if (a > b) std::swap(a, b);
    const auto i = static_cast<std::size_t>(a), j = static_cast<std::size_t>(b);
    if (i == j || j + 1 >= poses.size()) continue;
    const auto between = [&](std::size_t leg, double share) {
      return poseAlong(legBetween(poses[leg], poses[leg + 1]), poses[leg], share);
    };
    const Pose from = between(i, a - static_cast<double>(i)), to = between(j, b - static_cast<double>(j));
    if (!isFree(poses[i], from) || !isFree(from, to) || !isFree(to, poses[j + 1])) continue;
    std::vector<Pose> cut(poses.begin(), poses.begin() + static_cast<std::ptrdiff_t>(i) + 1);
    cut.insert(cut.end(), {from, to});
    cut.insert(cut.end(), poses.begin() + static_cast<std::ptrdiff_t>(j) + 1, poses.end());
    poses = std::move(cut);
  }
  skip();
  std::vector<PathLeg> legs;
  for (std::size_t k = 0; k + 1 < poses.size(); ++k) legs.push_back(legBetween(poses[k], poses[k + 1]));
  return legs;
}

}  // namespace tenon::runtime
