// See make_plan.h.
#include "runtime/plan/make_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <map>
#include <numbers>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "runtime/plan/path_search.h"
#include "runtime/plan/plan_hands.h"
#include "runtime/plan/removal_order.h"
#include "runtime/plan/stability.h"
#include "runtime/plan/tool_access.h"
#include "runtime/report/units_text.h"

namespace tenon::runtime {

namespace {

using physics::Vector3d;

/// Directions within this angle of the opposite of gravity lead up or down [cosine].
constexpr double kUpright = 0.7;

/// An order with what it costs.
struct OrderCandidate {
  std::vector<PlanStep> steps;
  RankedOrder rank;
  RemovalOrder order;
};

class Planner {
 public:
  Planner(const content::Scene& scene, const PlanSettings& settings, int base)
      : settings_(settings),
        assembly_(assembledState(scene, base)),
        distance_(scene),
        motions_(removalMotions(assembly_, distance_)),
        paths_(assembly_, motions_, distance_, settings.stop),
        search_(assembly_, motions_, distance_,
                {[&settings] { return settings.stop() || settings.stopSearch(); }, settings.progress}),
        tools_(assembly_),
        stability_(assembly_) {}

  std::vector<AssemblyPlan> run() {
    std::vector<OrderCandidate> candidates;
    for (int k = 0; k < kOrderPreferences; ++k) {
      if (k > 0 && settings_.stop()) break;
      OrderCandidate candidate = candidateOf(static_cast<OrderPreference>(k));
      const auto isSame = [&](const OrderCandidate& c) { return c.rank.names == candidate.rank.names; };
      if (std::none_of(candidates.begin(), candidates.end(), isSame))
        candidates.push_back(std::move(candidate));
    }
    for (OrderCandidate& candidate : candidates) addSupports(candidate);
    std::stable_sort(candidates.begin(), candidates.end(), isBetter);
    std::vector<AssemblyPlan> plans;
    for (OrderCandidate& candidate : candidates) {
      AssemblyPlan& plan = plans.emplace_back();
      plan.orders.push_back(candidate.rank);
      for (const OrderCandidate& other : candidates)
        if (&other != &candidate) plan.orders.push_back(other.rank);
      plan.steps = std::move(candidate.steps);
      addLeftovers(candidate.order, plan);
      plan.assembly = assembly_;
      plan.searchWasStopped = search_.wasStopped();
      for (int unit = 0; unit < static_cast<int>(assembly_.units.size()); ++unit)
        if (assembly_.units[static_cast<std::size_t>(unit)].thread && !tools_.of(unit))
          plan.uncheckedTools.push_back(assembly_.nameOf(unit));
      addHands(plan, distance_);
    }
    return plans;
  }

  /// A part of the heaviest unit besides the base, if the base could be another one and all others leave it
  /// together first: then it is the base that comes out, as the key of a puzzle does. −1 otherwise.
  int betterBase() {
    if (!assembly_.baseIsChosen || assembly_.units.size() < 2) return -1;
    const RemovalOrder order = findRemovalOrder(assembly_, motions_, paths_, OrderPreference::fewestTurns,
                                                {settings_.stop, settings_.progress}, {&search_, &tools_});
    if (order.removals.empty() || order.removals.front().units.size() < assembly_.units.size()) return -1;
    return leadOf(order.removals.front().units);
  }

 private:
  static bool isBetter(const OrderCandidate& a, const OrderCandidate& b) {
    const auto key = [](const OrderCandidate& c) {
      return std::tuple(!c.order.isComplete(), -static_cast<int>(c.steps.size()), c.order.breaksAfterInside(),
                        c.rank.blockedTools, c.rank.supports, c.rank.turns, c.rank.fromBelow);
    };
    return key(a) < key(b);
  }

  OrderCandidate candidateOf(OrderPreference preference) {
    OrderCandidate candidate;
    candidate.order =
        findRemovalOrder(assembly_, motions_, paths_, preference, {settings_.stop, settings_.progress},
                         {&search_, &tools_, &stability_});
    int groups = 0;
    addSteps(candidate.order, 0, groups, candidate.steps);
    addTools(candidate);
    const Vector3d up = upOf();
    const PlanStep* last = nullptr;
    for (const PlanStep& step : candidate.steps) {
      candidate.rank.names.push_back(nameOf(step));
      if (last && (last->motion.direction - step.motion.direction).norm() > 1e-6) ++candidate.rank.turns;
      candidate.rank.turns += static_cast<int>(step.legs.size());
      if (step.motion.direction.dot(up) < -kUpright) ++candidate.rank.fromBelow;
      last = &step;
    }
    return candidate;
  }

  /// Which drivers are blocked by what is in place when they are needed.
  void addTools(OrderCandidate& candidate) const {
    std::vector<int> present = assembly_.base;
    present.insert(present.end(), assembly_.surroundings.begin(), assembly_.surroundings.end());
    for (PlanStep& step : candidate.steps) {
      if (step.group > 0) continue;
      for (const int unit : step.units) {
        if (step.units.size() == 1) step.tool = tools_.reason(unit, present);
        const std::vector<int>& parts = assembly_.units[static_cast<std::size_t>(unit)].parts;
        present.insert(present.end(), parts.begin(), parts.end());
      }
      if (!step.tool.empty()) ++candidate.rank.blockedTools;
    }
  }

  Vector3d upOf() const {
    const Vector3d& gravity = assembly_.scene->gravity;
    return gravity.norm() > 0 ? Vector3d(-gravity.normalized()) : Vector3d(Vector3d::UnitZ());
  }

  std::string nameOf(const PlanStep& step) const {
    std::string name;
    for (const int unit : step.units) name += (name.empty() ? "" : " + ") + assembly_.nameOf(unit);
    return name;
  }

  /// The removals of `order` in reverse; what comes out together is built aside first.
  void addSteps(const RemovalOrder& order, int group, int& groups, std::vector<PlanStep>& steps) {
    for (auto removal = order.removals.rbegin(); removal != order.removals.rend(); ++removal) {
      PlanStep step;
      assert(removal->inside.size() <= 1);
      for (const RemovalOrder& inside : removal->inside) {
        step.built = ++groups;
        addSteps(inside, step.built, groups, steps);
      }
      step.units = removal->units;
      step.lead = leadOf(removal->units);
      if (removal->path) {
        step.legs = removal->path->legs;
        step.motion = removal->path->last;
      } else {
        step.motion = motions_.motions[static_cast<std::size_t>(removal->motion)];
        if (step.units.size() == 1) step.motion.reason = reasonOf(step.units.front(), removal->motion);
      }
      step.travel = removal->travel;
      step.group = group;
      step.onto = order.base;
      examineSeat(step);
      steps.push_back(std::move(step));
    }
  }

  std::string reasonOf(int unit, int motion) const {
    const std::vector<int>& own = motions_.ofUnit[static_cast<std::size_t>(unit)];
    for (std::size_t k = 0; k < own.size(); ++k)
      if (own[k] == motion) return motions_.reasons[static_cast<std::size_t>(unit)][k];
    return motions_.motions[static_cast<std::size_t>(motion)].reason;
  }

  int leadOf(const std::vector<int>& units) const {
    return assembly_.units[static_cast<std::size_t>(assembly_.heaviestOf(units))].lead;
  }

  /// Whether surfaces oppose the insertion at the place of the step's parts, and whether they overlap there.
  /// On a face that is inclined to one side only, a part that is pressed on would slide out of its place.
  void examineSeat(PlanStep& step) {
    const std::optional<Vector3d> direction = step.firstDirection();
    if (!direction) return;
    std::vector<Vector3d> inclined;  // across the insertion, of the faces that oppose it
    for (const int unit : step.units)
      for (const int part : assembly_.units[static_cast<std::size_t>(unit)].parts)
        for (int other = 0; other < static_cast<int>(assembly_.X_WP.size()); ++other) {
          const int otherUnit = assembly_.unitOf(other);
          if (std::find(step.units.begin(), step.units.end(), otherUnit) != step.units.end()) continue;
          for (const physics::Contact& contact :
               distance_.contacts(part, poseOf(part), other, poseOf(other), kSeatDistance)) {
            const Vector3d out = part < other ? Vector3d(-contact.n) : contact.n;
            const double along = out.dot(*direction);
            step.isPressed = step.isPressed || along > kSquare;
            if (along > kUpright) inclined.push_back(out - along * *direction);
            step.isPressFit =
                step.isPressFit || (std::abs(along) < kUpright && contact.separation < -kPressFitOverlap);
          }
        }
    step.isPressed = step.isPressed || encloses(inclined, *direction);
  }

  /// True if vectors across `axis` leave no direction across it free: the largest angle between neighbors is
  /// half a turn at most.
  static bool encloses(const std::vector<Vector3d>& vectors, const Vector3d& axis) {
    const Vector3d x = axis.unitOrthogonal(), y = axis.cross(x);
    std::vector<double> angles;
    for (const Vector3d& vector : vectors) angles.push_back(std::atan2(vector.dot(y), vector.dot(x)));
    if (angles.empty()) return false;
    std::sort(angles.begin(), angles.end());
    double largest = angles.front() + 2 * std::numbers::pi - angles.back();
    for (std::size_t k = 1; k < angles.size(); ++k) largest = std::max(largest, angles[k] - angles[k - 1]);
    return largest < std::numbers::pi + kHalfTurnPlay;
  }

  const physics::Pose& poseOf(int part) const { return assembly_.X_WP[static_cast<std::size_t>(part)]; }

  /// One hand carries a group by its heaviest unit on which the others stay, two hands by that and another
  /// one.
  void chooseCarriers(PlanStep& step, RankedOrder& rank) {
    step.carriers = {assembly_.unitOf(step.lead)};
    if (settings_.stop()) return;
    std::vector<int> units = step.units;
    std::stable_sort(units.begin(), units.end(),
                     [&](int a, int b) { return assembly_.massOf(a) > assembly_.massOf(b); });
    settings_.progress(fmt::format("simulating how {} are carried", countText(std::ssize(units), "part")));
    // What nothing presses onto the others has to be in a hand.
    const bool isWeightless = assembly_.scene->gravity.norm() == 0;
    std::vector<std::vector<int>> choices;
    for (std::size_t k = 0; k < units.size() && !isWeightless; ++k) choices.push_back({units[k]});
    for (std::size_t k = 1; k < units.size() && (!isWeightless || units.size() == 2); ++k)
      choices.push_back({units.front(), units[k]});
    const auto stays = [&](std::vector<int> held) {
      std::sort(held.begin(), held.end());
      return stability_.fallingAside(step.units, held).empty();
    };
    const auto found = std::find_if(choices.begin(), choices.end(), stays);
    step.carriers = found == choices.end() ? std::vector<int>() : *found;
    if (step.carriers.size() != 1) ++rank.supports;
    if (!step.carriers.empty())
      step.lead = assembly_.units[static_cast<std::size_t>(step.carriers.front())].lead;
  }

  /// A fixture holds the unit that a group is built on, others what falls off it.
  void addFixturesAside(PlanStep& step, std::vector<int>& present, RankedOrder& rank) {
    if (present.empty()) present = {step.onto};
    present.insert(present.end(), step.units.begin(), step.units.end());
    std::sort(present.begin(), present.end());
    step.unsupported = {step.onto};
    if (settings_.stop()) return;
    settings_.progress(
        fmt::format("simulating what is built aside, with {}", countText(std::ssize(present), "part")));
    const std::vector<int>& falling = stability_.fallingAside(present, {step.onto});
    step.unsupported.insert(step.unsupported.end(), falling.begin(), falling.end());
    step.isSimulated = true;
    ++rank.simulatedStates;
    if (!falling.empty()) ++rank.supports;
  }

  /// Simulates the state after each step. One hand brings the next part, so the other can hold one unit.
  void addSupports(OrderCandidate& candidate) {
    std::vector<int> present, held;
    std::map<int, std::vector<int>> aside;  // by group: what is built
    for (PlanStep& step : candidate.steps) {
      if (step.built > 0) chooseCarriers(step, candidate.rank);
      if (step.group > 0) {
        addFixturesAside(step, aside[step.group], candidate.rank);
        continue;
      }
      present.insert(present.end(), step.units.begin(), step.units.end());
      std::sort(present.begin(), present.end());
      if (settings_.stop()) continue;
      settings_.progress(fmt::format("simulating the state with {}", countText(std::ssize(present), "part")));
      const std::vector<int>& falling = stability_.fallingUnits(present, {});
      const std::vector<int> before = std::exchange(held, {});
      if (!falling.empty()) {
        // Keep what is held already if that is enough, else what was just brought: of a group the unit that
        // its hand grasps. A second hand that carried it leaves, because the next step needs a hand.
        const std::vector<int> brought =
            step.carriers.empty() ? step.units : std::vector<int>{step.carriers.front()};
        for (const std::vector<int>& choice : {before, brought})
          if (!choice.empty() && stability_.fallingUnits(present, choice).empty()) {
            held = choice;
            break;
          }
        if (held.empty()) held = brought;
        step.unsupported = stability_.fallingUnits(present, held);
        for (const int unit : falling)
          if (!containsUnit(held, unit) && !containsUnit(step.unsupported, unit))
            step.leaning.push_back(unit);
      }
      step.held = held;
      step.isSimulated = true;
      ++candidate.rank.simulatedStates;
      if (!held.empty() || !step.unsupported.empty()) ++candidate.rank.supports;
    }
    RankedOrder& rank = candidate.rank;
    rank.reason = fmt::format(
        "{}, {}, {} from below{}{}{}",
        rank.simulatedStates == 0 ? "no state simulated"
        : rank.supports == 0      ? "every simulated state stands"
                                  : countText(rank.supports, "state") + " with parts to hold",
        countText(rank.turns, "change") + " of direction", countText(rank.fromBelow, "part"),
        rank.blockedTools > 0 ? ", " + countText(rank.blockedTools, "screw") + " that no tool reaches" : "",
        candidate.order.breaksAfterInside() ? ", \"after\" of goals not honored in what is built aside" : "",
        candidate.order.isComplete() ? "" : "; incomplete");
  }

  void addLeftovers(const RemovalOrder& order, AssemblyPlan& plan) {
    if (!order.inseparable.empty()) plan.inseparable.push_back(namesOf(order.inseparable, order.base < 0));
    for (const int unit : order.unplanned) plan.unplanned.push_back(assembly_.nameOf(unit));
    for (const Removal& removal : order.removals)
      for (const RemovalOrder& inside : removal.inside) addLeftovers(inside, plan);
  }

  /// The units, and as few of the parts that stay as block all their motions together with the units.
  std::vector<std::string> namesOf(const std::vector<int>& units, bool withBase) {
    std::vector<std::string> names;
    for (const int unit : units) names.push_back(assembly_.nameOf(unit));
    if (!withBase) return names;
    std::vector<std::vector<int>> blocking;  // by unit and motion; one of each is needed
    for (const int unit : units)
      for (const int motion : motions_.ofUnit[static_cast<std::size_t>(unit)])
        blocking.push_back(staticsOnTheWay(unit, motion, units));
    if (settings_.stop()) return names;  // then paths count as blocked that were not searched
    for (const int part : fewestOf(std::move(blocking))) names.push_back(assembly_.scene->part(part).name);
    return names;
  }

  /// The parts that stay and block the unit, or one of `units` that it takes along.
  std::vector<int> staticsOnTheWay(int unit, int motion, const std::vector<int>& units) {
    std::vector<int> moving{unit}, statics;
    for (std::size_t k = 0; k < moving.size(); ++k) {
      for (const int part : paths_.blockingStatics(moving[k], motion)) statics.push_back(part);
      for (const int other : units)
        if (std::find(moving.begin(), moving.end(), other) == moving.end() &&
            paths_.isBlocked(moving[k], other, motion))
          moving.push_back(other);
    }
    return statics;
  }

  /// A small set with a member of each of `sets` that is not empty: always the one that most of the remaining
  /// ones have.
  static std::vector<int> fewestOf(std::vector<std::vector<int>> sets) {
    std::vector<int> chosen;
    for (;;) {
      std::map<int, int> count;
      for (const std::vector<int>& set : sets)
        for (const int member : std::set<int>(set.begin(), set.end())) ++count[member];
      if (count.empty()) break;
      const int most = std::max_element(count.begin(), count.end(), [](const auto& a, const auto& b) {
                         return a.second < b.second;
                       })->first;
      chosen.push_back(most);
      std::erase_if(sets, [&](const std::vector<int>& set) {
        return std::find(set.begin(), set.end(), most) != set.end();
      });
    }
    std::sort(chosen.begin(), chosen.end());
    return chosen;
  }

  static constexpr double kSquare = 0.99;             ///< cosine: of faces across the insertion
  static constexpr double kHalfTurnPlay = 1e-3;       ///< by which normals of parallel faces differ [rad]
  static constexpr double kPressFitOverlap = 0.1e-6;  ///< that is no rounding [m]
  static constexpr double kSeatDistance = 20e-6;      ///< of a face on which a part sits [m]

  const PlanSettings& settings_;
  Assembly assembly_;
  PartDistance distance_;
  MotionSet motions_;
  PathCheck paths_;
  PathSearch search_;
  ToolAccess tools_;
  StabilityCheck stability_;
};

}  // namespace

std::vector<AssemblyPlan> makePlans(const content::Scene& scene, const PlanSettings& settings) {
  int base = -1;
  for (std::size_t k = 0; k < scene.parts.size(); ++k) {
    Planner planner(scene, settings, base);
    const int better = planner.betterBase();
    if (better < 0) return planner.run();
    base = better;
  }
  return Planner(scene, settings, base).run();
}

AssemblyPlan makePlan(const content::Scene& scene, const PlanSettings& settings) {
  return std::move(makePlans(scene, settings).front());
}

}  // namespace tenon::runtime
