// See plan_hands.h.
#include "runtime/plan/plan_hands.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>
#include <variant>

#include "runtime/plan/lay_out.h"
#include "runtime/plan/path_check.h"

namespace tenon::runtime {

namespace {

using content::Hand;
using content::Waypoint;
using content::WaypointFrame;
using physics::Pose;
using physics::Vector3d;

/// Speeds of the hands [m/s], [rad/s]: unhurried motions of a person, and 2 turns of a screw per second.
constexpr double kCarrySpeed = 0.35, kInsertSpeed = 0.03, kRotationSpeed = 4,
                 kTurnSpeed = 4 * std::numbers::pi, kSlowTurnSpeed = std::numbers::pi;
constexpr double kMinMoveTime = 0.2;  ///< shortest motion between two waypoints [s]
constexpr double kPause = 0.15;       ///< before an insertion: the part comes to rest in the hand [s]
constexpr double kSeatTime = 0.25;    ///< after an insertion [s]
constexpr double kEndTime = 0.5;      ///< after the last release [s]
/// Travel beyond a seat, with which a hand presses a part on [m].
constexpr double kPressTravel = 0.2e-3;
constexpr double kMaxPressTravel = 20e-3;  ///< of a press fit [m]
constexpr double kPressFitSpeed = 0.008;   ///< of a press fit, and of an insertion that failed before [m/s]
/// Turns beyond the thread that tighten a screw [turns].
constexpr double kTighteningTurns = 0.35;
/// Height of carried parts above everything else, and of a hand above a part [m].
constexpr double kCarryMargin = 0.03, kHoverHeight = 0.05;
/// Distances by which an approach starts farther out or aside if the path down to it is not free [m].
constexpr std::array kApproachDistances{0.005, 0.02, 0.05, 0.1, 0.2};
/// Rotation between two waypoints of a part whose origin is not on the axis [rad], and how near it is on it
/// [m].
constexpr double kArcTurn = 0.1, kOnAxis = 1e-6;
/// Overlap at the start of a path that is rounding [m].
constexpr double kPathRounding = 2e-6;

class ScriptWriter {
 public:
  ScriptWriter(AssemblyPlan& plan, PartDistance& distance)
      : plan_(plan), assembly_(plan.assembly), scene_(*plan.assembly.scene), distance_(distance) {
    if (scene_.gravity.norm() > 0) up_ = -scene_.gravity.normalized();
    isPlaced_.assign(assembly_.units.size(), 0);
    for (const content::Part& part : scene_.parts) X_WP_.push_back(part.X_WP);
    for (const LaidOutPart& laid : plan.laidOut) at(X_WP_, laid.part) = laid.X_WP;
    for (const int part : assembly_.base) at(X_WP_, part) = at(assembly_.X_WP, part);
    double top = -std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < X_WP_.size(); ++k)
      if (!std::holds_alternative<physics::HalfSpace>(scene_.parts[k].shape))
        top = std::max({top, topOf(scene_.parts[k], X_WP_[k]), topOf(scene_.parts[k], assembly_.X_WP[k])});
    carryHeight_ = top + kCarryMargin;
  }

  void run() {
    addBareHands();
    holding_.assign(plan_.hands.size(), {});
    for (PlanStep& step : plan_.steps) {
      if (step.group > 0) step.remark = "built aside; the hands do not carry out this and later steps";
      if (step.group == 0 && step.movesOthers())
        step.remark = "other parts make way; the hands do not carry out this and later steps";
      if (!step.remark.empty()) break;
      carryOut(step);
    }
    plan_.duration = time_ + kEndTime;
  }

 private:
  template <class T>
  static T& at(std::vector<T>& values, int index) {
    return values[static_cast<std::size_t>(index)];
  }
  template <class T>
  static const T& at(const std::vector<T>& values, int index) {
    return values[static_cast<std::size_t>(index)];
  }

  double topOf(const content::Part& part, const Pose& X_WP) const {
    const Eigen::AlignedBox3d box = worldBounds(part, X_WP);
    return box.center().dot(up_) + 0.5 * box.sizes().dot(up_.cwiseAbs());
  }

  /// The scene's hands without their scripts; a second one if something must be held.
  void addBareHands() {
    plan_.hands = scene_.hands;
    const bool twoNeeded = std::any_of(plan_.steps.begin(), plan_.steps.end(),
                                       [](const PlanStep& step) { return !step.held.empty(); });
    for (const char* name : {"right", "left"}) {
      const bool exists = std::any_of(plan_.hands.begin(), plan_.hands.end(),
                                      [&](const Hand& hand) { return hand.name == name; });
      if (exists || (!plan_.hands.empty() && !twoNeeded)) continue;
      Hand hand;
      hand.name = name;
      hand.X_WH.p = (carryHeight_ + kCarryMargin) * up_;
      plan_.hands.push_back(std::move(hand));
    }
    for (Hand& hand : plan_.hands) {
      hand.script.clear();
      ends_.push_back(hand.X_WH.p);
    }
  }

  std::size_t freeHand() const {
    std::size_t free = 0;
    while (free + 1 < holding_.size() && !holding_[free].empty()) ++free;
    return free;
  }

  Waypoint& add(std::size_t hand, double after, const Pose* X_W, WaypointFrame frame) {
    time_ += after;
    Waypoint waypoint;
    waypoint.time = std::round(time_ * 1e3) / 1e3;
    if (X_W) waypoint.X_W = *X_W;
    waypoint.frame = frame;
    plan_.hands[hand].script.push_back(waypoint);
    return plan_.hands[hand].script.back();
  }

  void moveHand(std::size_t hand, const Vector3d& p) {
    const Pose X_WH = Pose::at(p);
    add(hand, std::max(kMinMoveTime, (p - ends_[hand]).norm() / kCarrySpeed), &X_WH, WaypointFrame::hand);
    ends_[hand] = p;
  }

  void movePart(std::size_t hand, const Pose& from, const Pose& to, double speed) {
    add(hand,
        std::max(
            {kMinMoveTime, (to.p - from.p).norm() / speed, from.q.angularDistance(to.q) / kRotationSpeed}),
        &to, WaypointFrame::part);
  }

  void carryOut(PlanStep& step) {
    const std::size_t hand = freeHand();
    const int lead = step.lead;
    const Vector3d& center = scene_.part(lead).mass.center;
    const Pose start = at(X_WP_, lead), target = at(assembly_.X_WP, lead);
    step.hand = static_cast<int>(hand);
    moveHand(hand, start * center + kHoverHeight * up_);
    moveHand(hand, start * center);
    plan_.hands[hand].script.back().grab = lead;
    step.start = time_;
    const Pose lifted = atCarryHeight(step, start);
    if (!isClear(step, start, lifted.p - start.p)) addRemark(step, "the path up from its start is not free");
    movePart(hand, start, lifted, kCarrySpeed);
    const Pose mouth = poseAfter(step.legs, step.units.front(), target);
    const std::vector<Pose> approach = approachOf(step, mouth);
    const Pose above = atCarryHeight(step, approach.front());
    movePart(hand, lifted, above, kCarrySpeed);
    const Pose* last = &above;
    for (const Pose& pose : approach) {
      movePart(hand, *last, pose, kCarrySpeed);
      last = &pose;
    }
    add(hand, kPause, nullptr, WaypointFrame::part);
    if (const int waiting = waitingOnTheWay(step, (last->p - mouth.p).norm()); waiting >= 0)
      addRemark(step, fmt::format("\"{}\" waits on the path of the insertion: start it elsewhere",
                                  scene_.part(waiting).name));
    insert(hand, step, *last, mouth);
    for (const int unit : step.units) {
      at(isPlaced_, unit) = 1;
      for (const int part : assembly_.units[static_cast<std::size_t>(unit)].parts)
        at(X_WP_, part) = at(assembly_.X_WP, part);
    }
    holding_[hand] = step.units;
    ends_[hand] = target * center;
    releaseUnneeded(step.held);
    step.end = time_;
  }

  /// Hands release the units that stand, and leave upwards.
  void releaseUnneeded(const std::vector<int>& held) {
    for (std::size_t hand = 0; hand < holding_.size(); ++hand) {
      const std::vector<int>& units = holding_[hand];
      if (units.empty()) continue;
      if (std::any_of(units.begin(), units.end(),
                      [&](int unit) { return std::find(held.begin(), held.end(), unit) != held.end(); }))
        continue;
      add(hand, 0.1, nullptr, WaypointFrame::hand).release = true;
      holding_[hand].clear();
      moveHand(hand, ends_[hand] + std::max(kHoverHeight, carryHeight_ - ends_[hand].dot(up_)) * up_);
    }
  }

  /// The pose at which the part clears all others however it is rotated, above or below `pose`.
  Pose atCarryHeight(const PlanStep& step, const Pose& pose) const {
    Pose high = pose;
    high.p += (carryHeight_ + reachOf(step) - pose.p.dot(up_)) * up_;
    return high;
  }

  /// Largest distance of a point of the step's parts from the origin of the lead [m].
  double reachOf(const PlanStep& step) const {
    const Pose& X_WL = at(assembly_.X_WP, step.lead);
    double reach = 0;
    for (const int unit : step.units)
      for (const int part : assembly_.units[static_cast<std::size_t>(unit)].parts)
        reach = std::max(reach,
                         (at(assembly_.X_WP, part).p - X_WL.p).norm() + distance_.collider().radius({part}));
    return reach;
  }

  /// True if the step's parts meet no other part where it is now, on a straight path of the lead from X_WL.
  bool isClear(const PlanStep& step, const Pose& X_WL, const Vector3d& displacement) {
    const Pose X_AL = at(assembly_.X_WP, step.lead).inverse();
    for (const int unit : step.units)
      for (const int part : assembly_.units[static_cast<std::size_t>(unit)].parts)
        for (int other = 0; other < static_cast<int>(X_WP_.size()); ++other) {
          const int otherUnit = assembly_.unitOf(other);
          if (std::find(step.units.begin(), step.units.end(), otherUnit) != step.units.end()) continue;
          const PartSweep sweep{part, other, X_WL * X_AL * at(assembly_.X_WP, part), at(X_WP_, other),
                                displacement};
          if (translationMeets(distance_, sweep, -kPathRounding)) return false;
        }
    return true;
  }

  /// A part that is not yet assembled and that the step's parts meet on the last straight `travel` and the
  /// legs after it; −1: none.
  int waitingOnTheWay(const PlanStep& step, double travel) {
    for (int other = 0; other < static_cast<int>(X_WP_.size()); ++other) {
      const int unit = assembly_.unitOf(other);
      if (unit < 0 || at(isPlaced_, unit) ||
          std::find(step.units.begin(), step.units.end(), unit) != step.units.end())
        continue;
      const auto meets = [&](int part) {
        const Pose& X_WP = at(assembly_.X_WP, part);
        if (legsMeet(distance_, step.legs, part, X_WP, other, at(X_WP_, other), -kPathRounding)) return true;
        const Pose mouth = poseAfter(step.legs, step.units.front(), X_WP);
        return removalMeets(distance_, {part, mouth, step.motion, 0, travel}, other, at(X_WP_, other),
                            -kPathRounding, [] { return false; });
      };
      for (const int moving : step.units) {
        const std::vector<int>& parts = assembly_.units[static_cast<std::size_t>(moving)].parts;
        if (std::any_of(parts.begin(), parts.end(), meets)) return other;
      }
    }
    return -1;
  }

  static void addRemark(PlanStep& step, const std::string& remark) {
    step.remark += (step.remark.empty() ? "" : "; ") + remark;
  }

  /// Poses from above the assembly to the start of the insertion, which is the last. `mouth`: the end of its
  /// straight motion.
  std::vector<Pose> approachOf(PlanStep& step, const Pose& mouth) {
    const Vector3d& d = step.motion.direction;
    const Vector3d side =
        std::abs(d.dot(up_)) > 0.9 ? d.unitOrthogonal() : Vector3d(up_.cross(d).normalized());
    const std::array<Vector3d, 5> sides{Vector3d::Zero(), side, -side, side.cross(up_), up_.cross(side)};
    const double beside = 2 * reachOf(step) + kHoverHeight;
    for (const double farther : kApproachDistances)
      for (const Vector3d& aside : sides) {
        if (aside.norm() > 0 && d.dot(up_) > 0.7) continue;
        const Pose entry = poseAlong(step.motion, mouth, step.travel + farther);
        std::vector<Pose> path{entry};
        for (int k = 1; k <= 4 && aside.norm() > 0; ++k) {
          Pose corner = entry;
          corner.p += k * beside * aside;
          if (!isClear(step, corner, atCarryHeight(step, corner).p - corner.p)) continue;
          if (isClear(step, corner, entry.p - corner.p)) path = {corner, entry};
          break;
        }
        if (aside.norm() > 0 && path.size() < 2) continue;
        if (aside.norm() == 0 && !isClear(step, entry, atCarryHeight(step, entry).p - entry.p)) continue;
        return path;
      }
    addRemark(step, "no free path to the start of the insertion was found");
    return {poseAlong(step.motion, mouth, step.travel + kApproachDistances.front())};
  }

  /// From the start of the straight motion to its end, `mouth`, then along the legs to the place.
  void insert(std::size_t hand, const PlanStep& step, const Pose& from, const Pose& mouth) {
    if (step.motion.pitch != 0) {
      const Pose entry = poseAlong(step.motion, mouth, step.motion.thread);
      movePart(hand, from, entry, speedOf(step));
      turn(hand, step, entry, mouth, step.motion.thread / step.motion.pitch);
      turn(hand, step, mouth, mouth, std::copysign(kTighteningTurns, step.motion.pitch));
    } else {
      std::vector<Pose> path{from, mouth};
      std::vector<Vector3d> rotations{Vector3d::Zero(), Vector3d::Zero()};
      for (const PathLeg& leg : step.insertionLegs()) addLeg(leg, path, rotations);
      if (const auto d = step.firstDirection(); d && step.isPressed)
        path.back().p -= (step.isPressFit ? pressFitTravel(hand, *d) : kPressTravel) * *d;
      for (std::size_t k = 1; k < path.size(); ++k) {
        movePart(hand, path[k - 1], path[k], speedOf(step));
        plan_.hands[hand].script.back().rotationVector = rotations[k];
      }
    }
    add(hand, kSeatTime, nullptr, WaypointFrame::part);
  }

  /// Waypoints so near to each other that the part's origin stays on its arc.
  static void addLeg(const PathLeg& leg, std::vector<Pose>& path, std::vector<Vector3d>& rotations) {
    const Pose start = path.back();
    const double arm = (start.p - leg.center).cross(leg.rotation.normalized()).norm();
    const int count =
        arm > kOnAxis ? std::max(1, static_cast<int>(std::ceil(leg.rotation.norm() / kArcTurn))) : 1;
    for (int k = 1; k <= count; ++k) {
      path.push_back(poseAlong(leg, start, static_cast<double>(k) / count));
      rotations.push_back(leg.rotation / count);
    }
  }

  static double speedOf(const PlanStep& step) {
    return step.isPressFit || step.isSlow ? kPressFitSpeed : kInsertSpeed;
  }

  /// Travel beyond the seat that stretches the hand's spring to half its force.
  double pressFitTravel(std::size_t hand, const Vector3d& d) const {
    const physics::HandParameters& parameters = plan_.hands[hand].parameters;
    const double stiffness = parameters.stiffness.dot(d.cwiseAbs2());
    return std::clamp(0.5 * parameters.maxForce / stiffness, kPressTravel, kMaxPressTravel);
  }

  /// Screws the part in by `turns` from one place to another.
  void turn(std::size_t hand, const PlanStep& step, const Pose& from, const Pose& to, double turns) {
    const Vector3d rotation = -2 * std::numbers::pi * turns * step.motion.direction;
    Pose end = to;
    end.q = (physics::exponential(rotation) * lastOrientation(hand, from)).normalized();
    Waypoint& waypoint =
        add(hand, std::max(kMinMoveTime, rotation.norm() / (step.isSlow ? kSlowTurnSpeed : kTurnSpeed)), &end,
            WaypointFrame::part);
    waypoint.rotationVector = rotation;
  }

  physics::Quaterniond lastOrientation(std::size_t hand, const Pose& otherwise) const {
    const std::vector<Waypoint>& script = plan_.hands[hand].script;
    return script.empty() || !script.back().X_W ? otherwise.q : script.back().X_W->q;
  }

  AssemblyPlan& plan_;
  const Assembly& assembly_;
  const content::Scene& scene_;
  PartDistance& distance_;
  Vector3d up_ = Vector3d::UnitZ();
  double carryHeight_ = 0;                 ///< along up [m]
  double time_ = 0;                        ///< [s]
  std::vector<char> isPlaced_;             ///< by unit
  std::vector<Pose> X_WP_;                 ///< where the parts are before the present step
  std::vector<std::vector<int>> holding_;  ///< by hand: units
  std::vector<Vector3d> ends_;             ///< by hand: where it is after its last waypoint
};

}  // namespace

void addHands(AssemblyPlan& plan, PartDistance& distance) {
  plan.laidOut.clear();
  plan.bench.reset();
  for (PlanStep& step : plan.steps) {
    step.hand.reset();
    step.start = step.end = 0;
    step.remark.clear();
  }
  layOutParts(plan);
  ScriptWriter(plan, distance).run();
}

}  // namespace tenon::runtime
