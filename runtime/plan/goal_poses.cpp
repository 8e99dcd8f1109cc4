// Each goal with a hole puts an axis of the part onto an axis in the world: a point and a direction. The
// first one fixes the part up to a rotation about the axis, a second one that rotation.
#include "runtime/plan/goal_poses.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <utility>

#include "content/parts/thread_pair.h"
#include "runtime/plan/part_distance.h"

namespace tenon::runtime {

namespace {

using content::Goal;
using content::Scene;
using physics::Pose;
using physics::Vector3d;

/// Second axes nearer to the first one leave the rotation about it open [m].
constexpr double kSameAxis = 1e-6;
/// Attempts to move a part out of an overlap along its hole.
constexpr int kSeatings = 4;
/// Cosine of normals of faces across an axis: above that of flanks.
constexpr double kFaceAlong = 0.99;

/// An axis of a part, and where it shall be in the world.
struct AxisTarget {
  Vector3d p_P = Vector3d::Zero(), d_P = Vector3d::UnitZ();  ///< point [m] and direction, part's frame
  Vector3d p_W = Vector3d::Zero(), d_W = Vector3d::UnitZ();  ///< where they shall be, world
  double slack = 0;                                          ///< tolerance of the depth [m]
};

class Placement {
 public:
  explicit Placement(const Scene& scene) : scene_(scene), distance_(scene), isPlaced_(scene.parts.size(), 1) {
    for (const content::Part& part : scene.parts) X_WP_.push_back(part.X_WP);
    for (const Goal& goal : scene.goals)
      for (const int part : {goal.part, goal.into})
        if (scene.part(part).motion == physics::MotionType::dynamic) at(isPlaced_, part) = 0;
  }

  std::vector<Pose> run() {
    while (placeNext() || placeHeaviest()) {
    }
    for (const auto& [goal, part] : screwed_) screwHome(*goal, part);
    return X_WP_;
  }

 private:
  template <class T>
  static T& at(std::vector<T>& values, int index) {
    return values[static_cast<std::size_t>(index)];
  }

  /// Places the first part with a goal that connects it to a placed one; false if there is none.
  bool placeNext() {
    for (const Goal& goal : scene_.goals) {
      if (at(isPlaced_, goal.part) == at(isPlaced_, goal.into)) continue;
      const int part = at(isPlaced_, goal.part) ? goal.into : goal.part;
      placeWithJoined(part);
      for (const Goal& other : scene_.goals) {
        const int partner = other.part == part ? other.into : other.into == part ? other.part : -1;
        if (other.turns > 0 && partner >= 0 && at(isPlaced_, partner)) screwed_.emplace_back(&other, part);
      }
      return true;
    }
    return false;
  }

  /// Parts that joints connect to it move along, unless one of them cannot move.
  void placeWithJoined(int part) {
    const Pose before = at(X_WP_, part);
    place(part);
    at(isPlaced_, part) = 1;
    const Pose moved = std::exchange(at(X_WP_, part), before);
    moveWithJoined(part, moved * before.inverse());
  }

  /// By a motion in the world.
  void moveWithJoined(int part, const Pose& motion) {
    at(X_WP_, part) = motion * at(X_WP_, part);
    for (const int other : joinedTo(part)) {
      at(X_WP_, other) = motion * at(X_WP_, other);
      at(isPlaced_, other) = 1;
    }
  }

  /// Rotation about an axis in the world.
  static Pose turnAbout(const Vector3d& point, const Vector3d& axis, double angle) {
    const physics::Quaterniond q = physics::exponential(angle * axis);
    return {q, point - q * point};
  }

  /// Rotates a part about its goal's threads, if there are any, until teeth are halfway between teeth.
  void fitThreads(int part) {
    for (const Goal& goal : scene_.goals) {
      const bool isScrew = goal.part == part && at(isPlaced_, goal.into);
      const bool isNut = goal.into == part && at(isPlaced_, goal.part);
      const auto threads = isScrew || isNut ? content::threadPairOf(scene_, goal) : std::nullopt;
      if (!threads || !threads->isMatching()) continue;
      const physics::Thread &own = threads->external, &other = threads->internal;
      const Pose X_WE = at(X_WP_, goal.part) * threads->X_PE,
                 X_WI = at(X_WP_, goal.into) * goal.X_IH * threads->X_HI;
      // The middle of a tooth at z = 0, between the middles h (θ − phase) + k P of the others.
      const double r = own.pitchDiameter / 2, h = other.lead() / (2 * std::numbers::pi);
      const Vector3d tooth =
          X_WI.inverse() * (X_WE * Vector3d(r * std::cos(own.phase), r * std::sin(own.phase), 0));
      const double height = tooth.z() - h * (std::atan2(tooth.y(), tooth.x()) - other.phase);
      const double turn = std::remainder(height - other.pitch / 2, other.pitch) / h;
      at(X_WP_, part) =
          turnAbout(X_WI.p, X_WI.q * Vector3d::UnitZ(), isScrew ? turn : -turn) * at(X_WP_, part);
      return;
    }
  }

  /// Screws a part on until a face stops it, if one does.
  void screwHome(const Goal& goal, int part) {
    const auto threads = content::threadPairOf(scene_, goal);
    if (!threads || !threads->isMatching()) return;
    const Pose X_WH = at(X_WP_, goal.into) * goal.X_IH, &X_WP = at(X_WP_, part);
    const Vector3d into = X_WH.q * Vector3d(0, 0, goal.part == part ? -1 : 1);
    const double range = threads->external.high - threads->external.low;
    double travel = range;
    for (int other = 0; other < static_cast<int>(X_WP_.size()); ++other) {
      if (other == part) continue;
      for (const physics::Contact& contact : distance_.contacts(part, X_WP, other, at(X_WP_, other), range)) {
        const double along = into.dot(part < other ? contact.n : Vector3d(-contact.n));
        if (along > kFaceAlong) travel = std::min(travel, contact.separation / along);
      }
    }
    if (travel <= 0 || travel >= range) return;
    Pose motion = turnAbout(X_WH.p, into, 2 * std::numbers::pi * travel / threads->internal.lead());
    motion.p += travel * into;
    moveWithJoined(part, motion);
  }

  /// The other parts that joints connect to `part`; none if one of them is joined to the world or cannot
  /// move.
  std::vector<int> joinedTo(int part) const {
    std::vector<int> joined{part};
    for (std::size_t k = 0; k < joined.size(); ++k)
      for (const content::Joint& joint : scene_.joints) {
        if (joint.part != joined[k] && joint.to != joined[k]) continue;
        const int other = joint.part == joined[k] ? joint.to : joint.part;
        if (other < 0 || scene_.part(other).motion != physics::MotionType::dynamic) return {};
        if (std::find(joined.begin(), joined.end(), other) == joined.end()) joined.push_back(other);
      }
    joined.erase(joined.begin());
    return joined;
  }

  /// Leaves the heaviest of the parts that no goal connects to a placed one at its start.
  bool placeHeaviest() {
    int heaviest = -1;
    for (int k = 0; k < static_cast<int>(isPlaced_.size()); ++k)
      if (!at(isPlaced_, k) && (heaviest < 0 || scene_.part(k).mass.mass > scene_.part(heaviest).mass.mass))
        heaviest = k;
    if (heaviest < 0) return false;
    at(isPlaced_, heaviest) = 1;
    return true;
  }

  void place(int part) {
    std::vector<AxisTarget> targets;
    for (const Goal& goal : scene_.goals) {
      const bool isPart = goal.part == part && at(isPlaced_, goal.into);
      const bool isInto = goal.into == part && at(isPlaced_, goal.part);
      if (!isPart && !isInto) continue;
      if (goal.pose) {
        at(X_WP_, part) = isPart ? at(X_WP_, goal.into) * goal.pose->X_IP
                                 : at(X_WP_, goal.part) * goal.pose->X_IP.inverse();
        return;
      }
      targets.push_back(targetOf(goal, isPart));
    }
    at(X_WP_, part) = onAxes(scene_.part(part).X_WP, targets);
    const bool mayTurn = targets.size() == 1;
    if (mayTurn) fitThreads(part);
    seat(part, targets.front(), mayTurn);
  }

  AxisTarget targetOf(const Goal& goal, bool isPart) {
    const content::AxisFeature& tip = scene_.part(goal.part).features[static_cast<std::size_t>(goal.feature)];
    const Vector3d bottom_I = goal.X_IH * Vector3d(0, 0, -goal.depth);
    const Vector3d into_I = goal.X_IH.q * -Vector3d::UnitZ();
    if (isPart) {
      const Pose& X_WI = at(X_WP_, goal.into);
      return {tip.origin, tip.direction, X_WI * bottom_I, X_WI.q * into_I, goal.depthTolerance};
    }
    const Pose& X_WP = at(X_WP_, goal.part);
    return {bottom_I, into_I, X_WP * tip.origin, X_WP.q * tip.direction, goal.depthTolerance};
  }

  static Pose onAxes(const Pose& start, const std::vector<AxisTarget>& targets) {
    const AxisTarget& first = targets.front();
    Pose X_WP;
    X_WP.q = (physics::shortestRotation(start.q * first.d_P, first.d_W) * start.q).normalized();
    for (const AxisTarget& other : targets) {
      const auto across = [&](const Vector3d& v) -> Vector3d { return v - v.dot(first.d_W) * first.d_W; };
      const Vector3d is = across(X_WP.q * (other.p_P - first.p_P)), shall = across(other.p_W - first.p_W);
      if (is.norm() < kSameAxis || shall.norm() < kSameAxis) continue;
      const double angle = std::atan2(first.d_W.dot(is.cross(shall)), is.dot(shall));
      X_WP.q = (physics::exponential(angle * first.d_W) * X_WP.q).normalized();
      break;
    }
    X_WP.p = first.p_W - X_WP.q * first.p_P;
    return X_WP;
  }

  /// Moves the part back out of its hole until it overlaps no placed part, by at most the goal's tolerance;
  /// where it `mayTurn`, with its teeth between those of the hole.
  void seat(int part, const AxisTarget& target, bool mayTurn) {
    const Pose wanted = at(X_WP_, part);
    Pose seated = wanted;
    for (int k = 0; k < kSeatings; ++k) {
      double overlap = 0;
      for (int other = 0; other < static_cast<int>(X_WP_.size()); ++other) {
        if (other == part || !at(isPlaced_, other)) continue;
        for (const physics::Contact& contact : distance_.contacts(part, seated, other, at(X_WP_, other), 0)) {
          const Vector3d out = part < other ? Vector3d(-contact.n) : contact.n;
          const double along = -out.dot(target.d_W);
          if (along > 0.1) overlap = std::max(overlap, -contact.separation / along);
        }
      }
      if (overlap <= 0) break;
      at(X_WP_, part) = seated;
      at(X_WP_, part).p -= overlap * target.d_W;
      if (mayTurn) fitThreads(part);
      seated = at(X_WP_, part);
    }
    const bool isInReach = std::abs((seated.p - wanted.p).dot(target.d_W)) <= target.slack;
    at(X_WP_, part) = isInReach ? seated : wanted;
  }

  const Scene& scene_;
  PartDistance distance_;
  std::vector<char> isPlaced_;
  std::vector<Pose> X_WP_;
  std::vector<std::pair<const Goal*, int>> screwed_;  ///< goals with turns, and the part that was placed
};

}  // namespace

std::vector<Pose> goalPoses(const Scene& scene) {
  return Placement(scene).run();
}

}  // namespace tenon::runtime
