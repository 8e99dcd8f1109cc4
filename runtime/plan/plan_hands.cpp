// See plan_hands.h.
#include "runtime/plan/plan_hands.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "content/input/wording.h"
#include "runtime/plan/build_places.h"
#include "runtime/plan/free_approach.h"
#include "runtime/plan/hand_scripts.h"
#include "runtime/plan/insertion_press.h"
#include "runtime/plan/lay_out.h"
#include "runtime/plan/plan_fixtures.h"

namespace tenon::runtime {

namespace {

using content::Hand;
using physics::Pose;
using physics::Vector3d;

/// Mean speed of a part in free air, below that of MTM-1 (move of 50 cm in case B, 0.7 s); and of a group,
/// which only its weight holds together [m/s].
constexpr double kCarrySpeed = 0.6, kGroupSpeed = 0.15;
/// Of screws, 2 turns per second, and of those that failed before [rad/s].
constexpr double kTurnSpeed = 4 * std::numbers::pi, kSlowTurnSpeed = std::numbers::pi;
constexpr double kPause = 0.15;     ///< before an insertion: the part comes to rest in the hand [s]
constexpr double kSeatTime = 0.25;  ///< after an insertion [s]
constexpr double kEndTime = 0.5;    ///< after the last release [s]
/// Turns beyond the thread that tighten a screw [turns].
constexpr double kTighteningTurns = 0.35;
/// Travels that differ by rounding only [m].
constexpr double kSameTravel = 1e-9;
constexpr double kHandStartHeight = 0.03;  ///< of hands that the plan adds, above carried parts [m]

class PlanScripts {
 public:
  PlanScripts(AssemblyPlan& plan, PartDistance& distance)
      : plan_(plan), assembly_(plan.assembly), scene_(*plan.assembly.scene), parts_(plan, distance) {}

  void run() {
    addBareHands();
    holding_.assign(plan_.hands.size(), {});
    fixtures_ = PlanFixtures(plan_);
    scripts_.emplace(plan_.hands);
    for (PlanStep& step : plan_.steps) {
      if (const std::string obstacle = obstacleOf(step); !obstacle.empty()) {
        addRemark(step, obstacle + "; the hands do not carry out this and later steps");
        break;
      }
      carryOut(step);
    }
    plan_.duration = scripts_->time() + kEndTime;
  }

 private:
  /// The scene's hands without their scripts; a second one if something is held or makes way.
  void addBareHands() {
    for (const Hand& hand : scene_.hands)
      if (!isFixture(hand)) plan_.hands.push_back(hand);
    const bool twoNeeded = std::any_of(plan_.steps.begin(), plan_.steps.end(), [](const PlanStep& step) {
      return !step.held.empty() || step.movesOthers() || step.carriers.size() > 1;
    });
    for (const char* name : {"right", "left"}) {
      const bool exists = std::any_of(plan_.hands.begin(), plan_.hands.end(),
                                      [&](const Hand& hand) { return hand.name == name; });
      if (exists || (!plan_.hands.empty() && !twoNeeded)) continue;
      Hand hand;
      hand.name = name;
      hand.X_WH.p = (parts_.carryHeight() + kHandStartHeight) * parts_.up();
      plan_.hands.push_back(std::move(hand));
    }
    for (Hand& hand : plan_.hands) hand.script.clear();
  }

  std::optional<std::size_t> freeHand() const {
    for (std::size_t hand = 0; hand < holding_.size(); ++hand)
      if (holding_[hand].empty()) return hand;
    return std::nullopt;
  }

  /// The hand that moves what makes way: that which holds it already, or a free one.
  std::optional<std::size_t> otherHandFor(const PlanStep& step) const {
    const std::optional<std::size_t> own = freeHand();
    for (std::size_t hand = 0; hand < holding_.size(); ++hand) {
      if (own == hand) continue;
      const auto isMoved = [&](int unit) {
        return std::any_of(step.legs.begin(), step.legs.end(),
                           [&](const PathLeg& leg) { return containsUnit(leg.units, unit); });
      };
      if (std::all_of(holding_[hand].begin(), holding_[hand].end(), isMoved)) return hand;
    }
    return std::nullopt;
  }

  /// Why hands cannot carry out the step; "": they can.
  std::string obstacleOf(const PlanStep& step) const {
    if (!freeHand()) return "no hand is free: each holds what was brought before";
    if (step.movesOthers() && step.group > 0) return "other parts make way in what is built aside";
    if (step.movesOthers() && !otherHandFor(step))
      return "other parts make way, and no hand is free for them";
    if (step.built == 0) return "";
    if (step.carriers.empty()) return "held by any two hands, what is built aside falls apart";
    if (step.carriers.size() == 1) return "";
    if (!step.legs.empty() || step.motion.pitch != 0)
      return "two hands hold what is built aside together, and its insertion is not straight";
    const auto isFree = [](const std::vector<int>& units) { return units.empty(); };
    const bool areFree = std::count_if(holding_.begin(), holding_.end(), isFree) > 1;
    return areFree ? "" : "two hands hold what is built aside together, and only one is free";
  }

  int leadOf(int unit) const { return assembly_.units[static_cast<std::size_t>(unit)].lead; }
  Vector3d centerOf(int part) const { return parts_.poseOf(part) * scene_.part(part).mass.center; }

  void carryOut(PlanStep& step) {
    const double begin = scripts_->time();
    const bool isFirst = step.group > 0 && begun_.insert(step.group).second;
    if (isFirst) bringBase(step);
    const PlanStep placed = placedStep(step);
    const std::size_t hand = freeHand().value();
    const std::optional<std::size_t> other = step.movesOthers() ? otherHandFor(step) : std::nullopt;
    step.hand = static_cast<int>(hand);
    if (other) makeWay(placed, hand, *other);
    graspAll(placed, hand);
    step.start = other || isFirst ? begin : scripts_->time();
    const Pose mouth = poseAfter(placed.legs, step.units.front(), parts_.placeOf(step.lead));
    // A screw that starts in its thread is turned on from there.
    const bool isInThread = parts_.isInThread(placed, mouth);
    const Pose last = isInThread ? parts_.poseOf(step.lead) : approach(placed, mouth, step);
    if (isInThread) carry(placed, last, last, carrySpeed(placed));
    const double travel = (last.p - mouth.p).norm();
    const double near = parts_.nearTravel(placed, mouth, travel);
    const Pose entry = near < travel ? poseAlong(step.motion, mouth, near) : last;
    if (near < travel) carry(placed, last, entry, carrySpeed(placed));
    scripts_->wait(hand, kPause);
    if (const int waiting = parts_.waitingOnTheWay(placed, travel); waiting >= 0)
      addRemark(step, fmt::format("\"{}\" waits on the path of the insertion: start it elsewhere",
                                  scene_.part(waiting).name));
    for (const HeldPart& part : carried_) holding_[part.hand] = {assembly_.unitOf(part.part)};
    insert(placed, hand, other, entry);
    for (const int unit : step.units) parts_.place(unit);
    for (const HeldPart& part : carried_)
      if (containsUnit(holding_[part.hand], assembly_.unitOf(part.part)))
        scripts_->setEnd(part.hand, centerOf(part.part));
    fixtures_.update(step, *scripts_);
    if (step.group == 0)
      releaseUnneeded(step.held);
    else
      for (const HeldPart& part : carried_) release(part.hand);
    step.end = scripts_->time();
  }

  /// The step where its group is built.
  PlanStep placedStep(const PlanStep& step) {
    const Vector3d& displacement = plan_.buildPlaces[static_cast<std::size_t>(step.group)];
    parts_.setPlaces(step.units, displacement);
    PlanStep placed = step;
    for (PathLeg& leg : placed.legs) leg.center += displacement;
    return placed;
  }

  /// The unit that a group is built on, to where it is built: a fixture holds it there.
  void bringBase(PlanStep& first) {
    PlanStep base;
    base.units = {first.onto};
    base.lead = leadOf(first.onto);
    base.group = first.group;
    base.motion.direction = parts_.up();
    base = placedStep(base);
    const std::size_t hand = freeHand().value();
    graspAll(base, hand);
    const Pose& place = parts_.placeOf(base.lead);
    carry(base, approach(base, place, base), place, insertionSpeed(base));
    if (!base.remark.empty())
      addRemark(first, fmt::format("{} before it: {}", content::inQuotes(assembly_.nameOf(first.onto)),
                                   base.remark));
    scripts_->wait(hand, kSeatTime);
    parts_.place(first.onto);
    scripts_->setEnd(hand, centerOf(base.lead));
    fixtures_.close(first.group, first.onto, *scripts_);
    release(hand);
  }

  /// The step's part, or what carries its group: the other hand grasps the second one. Then fixtures release
  /// the group.
  void graspAll(const PlanStep& step, std::size_t hand) {
    carried_ = {{hand, step.lead, {}}};
    scripts_->grasp(hand, step.lead, centerOf(step.lead), parts_.up());
    if (step.carriers.size() > 1) {
      std::size_t second = 0;
      while (second == hand || !holding_[second].empty()) ++second;
      const int part = leadOf(step.carriers.back());
      carried_.push_back({second, part, {}});
      scripts_->grasp(second, part, centerOf(part), parts_.up());
    }
    if (step.built == 0) return;
    scripts_->wait(hand, kPause);
    fixtures_.open(step.built, *scripts_);
  }

  /// From where it is grasped over everything to the start of the insertion. Adds remarks to `step`.
  Pose approach(const PlanStep& placed, const Pose& mouth, PlanStep& step) {
    const Pose start = parts_.poseOf(placed.lead), lifted = parts_.atCarryHeight(placed, start);
    if (!parts_.isClear(placed, start, lifted.p - start.p))
      addRemark(step, "the path up from its start is not free");
    carry(placed, start, lifted, carrySpeed(placed));
    std::vector<Pose> path = parts_.approachOf(placed, mouth);
    if (path.empty()) {
      addRemark(step, "no free path to the start of the insertion was found");
      path = {FreeApproach::nearestEntry(placed, mouth)};
    }
    Pose last = parts_.atCarryHeight(placed, path.front());
    carry(placed, lifted, last, carrySpeed(placed));
    for (const Pose& pose : path) carry(placed, std::exchange(last, pose), pose, carrySpeed(placed));
    return last;
  }

  static double carrySpeed(const PlanStep& step) { return step.built > 0 ? kGroupSpeed : kCarrySpeed; }

  /// The step's lead and what another hand holds with it.
  void carry(const PlanStep& step, const Pose& from, const Pose& to, double speed) {
    std::vector<Pose> ends{to};
    carried_.front().X_WP = from;
    for (std::size_t k = 1; k < carried_.size(); ++k) {
      const Pose X_LP = parts_.placeOf(step.lead).inverse() * parts_.placeOf(carried_[k].part);
      carried_[k].X_WP = from * X_LP;
      ends.push_back(to * X_LP);
    }
    scripts_->moveTogether(carried_, ends, Vector3d::Zero(), speed);
  }

  /// Other units to where the step's units pass them. A hand keeps holding the last one.
  void makeWay(const PlanStep& step, std::size_t own, std::size_t other) {
    for (const PathLeg& leg : step.legs) {
      const PathLeg moved = legOfOthers(leg, step.units);
      if (!moved.units.empty()) follow(moved, {other, own}, {}, insertionSpeed(step), Vector3d::Zero());
    }
    if (!holding_[own].empty()) release(own);
  }

  /// The hands move all units of the leg, at the same time, and grasp as many of them as they can: first
  /// those that push others. `held` are in the hands already, and are moved by `offset` [m] more.
  void follow(const PathLeg& leg, const std::vector<std::size_t>& free, std::vector<HeldPart> held,
              double speed, const Vector3d& offset) {
    const std::size_t given = held.size();
    std::vector<int> rest = leg.units, loose = leg.units;
    const auto take = [&](int part) {
      const int unit = assembly_.unitOf(part);
      parts_.dropPushed(unit, leg, rest);
      std::erase(loose, unit);
    };
    for (const HeldPart& part : held) take(part.part);
    std::vector<std::size_t> open, grasped;
    for (const std::size_t hand : free)
      if (holding_[hand].size() == 1 && containsUnit(leg.units, holding_[hand].front()))
        grasped.push_back(hand);
      else
        open.push_back(hand);
    for (const std::size_t hand : grasped) {
      held.push_back({hand, leadOf(holding_[hand].front()), {}});
      take(held.back().part);
    }
    for (std::size_t k = 0; k < open.size() && !loose.empty(); ++k) {
      const int unit = parts_.bestPusher(leg, loose, rest);
      grasp(open[k], unit);
      held.push_back({open[k], leadOf(unit), {}});
      take(leadOf(unit));
    }
    for (HeldPart& part : held) part.X_WP = parts_.poseOf(part.part);
    const int sections = waypointsOf(leg, held);
    for (int k = 1; k <= sections; ++k) {
      std::vector<Pose> to;
      for (const HeldPart& part : held)
        to.push_back(poseAlong(leg, parts_.poseOf(part.part), static_cast<double>(k) / sections));
      for (std::size_t part = 0; part < given && k == sections; ++part) to[part].p += offset;
      scripts_->moveTogether(held, to, leg.rotation / sections, speed);
      for (std::size_t part = 0; part < held.size(); ++part) held[part].X_WP = to[part];
    }
    parts_.move(leg);
    for (const HeldPart& part : held) scripts_->setEnd(part.hand, centerOf(part.part));
  }

  void grasp(std::size_t hand, int unit) {
    if (!holding_[hand].empty()) release(hand);
    scripts_->grasp(hand, leadOf(unit), centerOf(leadOf(unit)), parts_.up());
    scripts_->wait(hand, kPause);
    holding_[hand] = {unit};
  }

  void release(std::size_t hand) {
    scripts_->release(hand, parts_.up(), parts_.carryHeight());
    holding_[hand].clear();
  }

  /// Hands release the units that stand, and leave upwards.
  void releaseUnneeded(const std::vector<int>& held) {
    for (std::size_t hand = 0; hand < holding_.size(); ++hand)
      if (!holding_[hand].empty() && std::none_of(holding_[hand].begin(), holding_[hand].end(),
                                                  [&](int unit) { return containsUnit(held, unit); }))
        release(hand);
  }

  static void addRemark(PlanStep& step, const std::string& remark) {
    step.remark += (step.remark.empty() ? "" : "; ") + remark;
  }

  /// From the start of the straight motion to its end, then along the legs to the place. `other`: the hand
  /// for what makes way.
  void insert(const PlanStep& step, std::size_t hand, std::optional<std::size_t> other, const Pose& from) {
    for (const int unit : step.units) parts_.move(unit, step.legs);
    const Pose mouth = parts_.poseOf(step.lead);
    if (step.motion.pitch != 0) {
      const double thread = std::min(step.motion.thread, (from.p - mouth.p).dot(step.motion.direction));
      const bool isStarted = thread < step.motion.thread - kSameTravel;
      const Pose entry = isStarted ? from : poseAlong(step.motion, mouth, thread);
      if (!isStarted) carry(step, from, entry, insertionSpeed(step));
      turn(hand, step, entry, mouth, thread / step.motion.pitch);
      turn(hand, step, mouth, mouth, std::copysign(kTighteningTurns, step.motion.pitch));
    } else {
      const Vector3d press = pressTravel(step, plan_.hands[hand]);
      Pose end = mouth;
      if (!step.firstLeg()) end.p += press;
      carry(step, from, end, insertionSpeed(step));
      const std::vector<PathLeg> legs = step.insertionLegs();
      for (std::size_t k = 0; k < legs.size(); ++k) {
        const bool isLast = std::none_of(legs.begin() + static_cast<std::ptrdiff_t>(k) + 1, legs.end(),
                                         [&](const PathLeg& leg) { return isOwn(leg, step); });
        insertAlong(step, hand, other, legs[k], isLast && !isOwn(legs[k], step),
                    isLast ? press : Vector3d::Zero());
      }
    }
    scripts_->wait(hand, kSeatTime);
  }

  static bool isOwn(const PathLeg& leg, const PlanStep& step) {
    return containsUnit(leg.units, step.units.front());
  }

  /// `isInPlace`: the step's part is, so its hand may release it where the other one does not suffice.
  void insertAlong(const PlanStep& step, std::size_t hand, std::optional<std::size_t> other,
                   const PathLeg& leg, bool isInPlace, const Vector3d& press) {
    std::vector<HeldPart> held;
    if (isOwn(leg, step)) held.push_back({hand, step.lead, parts_.poseOf(step.lead)});
    std::vector<std::size_t> free;
    if (other) free.push_back(*other);
    if (isInPlace && step.held.empty()) {
      scripts_->setEnd(hand, centerOf(step.lead));
      free.push_back(hand);
    }
    follow(leg, free, held, insertionSpeed(step), held.empty() ? Vector3d::Zero() : press);
  }

  /// Screws the part in by `turns` from one place to another.
  void turn(std::size_t hand, const PlanStep& step, const Pose& from, const Pose& to, double turns) {
    const Vector3d rotation = -2 * std::numbers::pi * turns * step.motion.direction;
    Pose end = to;
    end.q = (physics::exponential(rotation) * scripts_->lastOrientation(hand, from.q)).normalized();
    scripts_->turnPart(hand, end, rotation, rotation.norm() / (step.isSlow ? kSlowTurnSpeed : kTurnSpeed));
  }

  AssemblyPlan& plan_;
  const Assembly& assembly_;
  const content::Scene& scene_;
  FreeApproach parts_;
  std::optional<HandScripts> scripts_;
  std::vector<std::vector<int>> holding_;  ///< by hand of a person: units
  std::vector<HeldPart> carried_;          ///< of the step: its lead, and what another hand holds with it
  std::set<int> begun_;                    ///< groups whose first unit is in its place
  PlanFixtures fixtures_;
};

}  // namespace

void addHands(AssemblyPlan& plan, PartDistance& distance) {
  plan.laidOut.clear();
  plan.hands.clear();
  plan.bench.reset();
  for (PlanStep& step : plan.steps) {
    step.hand.reset();
    step.start = step.end = 0;
    step.remark.clear();
  }
  layOutParts(plan);
  placeGroups(plan);
  PlanScripts(plan, distance).run();
}

}  // namespace tenon::runtime
