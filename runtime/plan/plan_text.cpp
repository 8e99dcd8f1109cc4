// See plan_text.h.
#include "runtime/plan/plan_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>
#include <vector>

#include "content/input/wording.h"
#include "runtime/report/text_table.h"
#include "runtime/report/units_text.h"

namespace tenon::runtime {

namespace {

std::string unitNames(const std::vector<int>& units, const Assembly& assembly) {
  std::string names;
  for (const int unit : units) names += (names.empty() ? "" : " + ") + assembly.nameOf(unit);
  return names;
}

std::string placeText(const PlanStep& step, const AssemblyPlan& plan) {
  if (step.group == 0) return "";
  return step.onto < 0 ? fmt::format(" (group {})", step.group)
                       : fmt::format(" (group {}, onto {})", step.group, plan.assembly.nameOf(step.onto));
}

}  // namespace

std::string directionText(const physics::Vector3d& direction, const content::Scene& scene) {
  const physics::Vector3d up =
      scene.gravity.norm() > 0 ? physics::Vector3d(-scene.gravity.normalized()) : physics::Vector3d::UnitZ();
  const double upwards = direction.dot(up);
  if (upwards > 1 - 1e-6) return "up";
  if (upwards < -1 + 1e-6) return "down";
  // Adding 0 turns −0 into 0.
  const auto shown = [](double x) { return std::round(x * 1e3) / 1e3 + 0.0; };
  return fmt::format("({:g}, {:g}, {:g})", shown(direction.x()), shown(direction.y()), shown(direction.z()));
}

std::string insertionText(const PlanStep& step, const content::Scene& scene) {
  std::string text = directionText(-step.motion.direction, scene);
  if (step.motion.pitch != 0)
    text += fmt::format(", {:.1f} turns", step.motion.thread / std::abs(step.motion.pitch));
  if (!step.legs.empty()) text += ", then " + countText(std::ssize(step.legs), "move");
  return text;
}

namespace {

/// Of a longer path only the number of its moves is given.
constexpr std::size_t kMaxLegsInText = 5;

std::string legText(const PathLeg& leg, const content::Scene& scene) {
  std::string text;
  if (leg.displacement.norm() > 0)
    text = fmt::format("{} by {}", directionText(leg.displacement.normalized(), scene),
                       millimetersText(leg.displacement.norm()));
  if (leg.rotation.norm() > 0)
    text += fmt::format("{}turned by {:.1f}° about {}", text.empty() ? "" : ", ",
                        leg.rotation.norm() * 180 / std::numbers::pi,
                        directionText(leg.rotation.normalized(), scene));
  return text;
}

}  // namespace

std::string legsText(const PlanStep& step, const AssemblyPlan& plan) {
  if (step.legs.size() > kMaxLegsInText)
    return fmt::format("then {} that turn and move, in \"path\" of the plan file",
                       countText(std::ssize(step.legs), "move"));
  const content::Scene& scene = *plan.assembly.scene;
  std::string before, after;
  for (const PathLeg& leg : step.legs) {
    std::vector<int> others;
    std::set_difference(leg.units.begin(), leg.units.end(), step.units.begin(), step.units.end(),
                        std::back_inserter(others));
    if (!others.empty())
      before += fmt::format("{}{} {}", before.empty() ? "before it " : ", then ",
                            unitNames(others, plan.assembly), legText(leg, scene));
  }
  for (const PathLeg& leg : step.insertionLegs())
    after += fmt::format("{}{}{}", after.empty() ? "then " : ", then ",
                         leg.units == step.units ? "" : unitNames(leg.units, plan.assembly) + " ",
                         legText(leg, scene));
  return before + (before.empty() || after.empty() ? "" : "; ") + after;
}

std::string partsText(const PlanStep& step, const AssemblyPlan& plan) {
  return unitNames(step.units, plan.assembly);
}

std::string supportText(const PlanStep& step, const AssemblyPlan& plan) {
  if (!step.isSimulated) return "not simulated";
  std::string text;
  if (!step.held.empty()) text = "hold " + unitNames(step.held, plan.assembly);
  if (!step.unsupported.empty())
    text += (text.empty() ? "" : ", ") + ("fixture for " + unitNames(step.unsupported, plan.assembly));
  return text.empty() ? "stands" : text;
}

std::string handText(const PlanStep& step, const AssemblyPlan& plan) {
  if (!step.hand) return "-";
  return step.carriers.size() > 1 ? "both" : plan.hands[static_cast<std::size_t>(*step.hand)].name;
}

std::string inseparableText(const AssemblyPlan& plan) {
  return std::string("no straight or screw motion separates them, and a search for paths found none") +
         (plan.searchWasStopped ? " in half of the time limit" : "");
}

std::string fitText(const NeededFit& fit) {
  const std::string place = fmt::format("{} in hole {} of {}", content::inQuotes(fit.part),
                                        content::inQuotes(fit.hole), content::inQuotes(fit.into));
  const double present = fit.present.value_or(0);
  const auto text = [&](double added) { return fmt::format("{:.0f} µm", (present + added) * 1e6); };
  const std::string has = fit.present ? " has " + text(0) : "";
  if (!fit.added)
    return fmt::format("step {}: {}{}, and {} {} not enough", fit.step + 1, place, has, text(fit.notEnough),
                       fit.present ? "are" : "more are");
  return fmt::format("step {} needs {} {}{}: {}{}{} not enough", fit.step + 1,
                     fit.present ? "a fit of at least" : "at least", text(*fit.added),
                     fit.present ? "" : " more clearance", place, has + (fit.present ? ", and " : ": "),
                     text(fit.notEnough) + (fit.present ? " are" : " more are"));
}

std::string toText(const AssemblyPlan& plan) {
  const content::Scene& scene = *plan.assembly.scene;
  std::string text = fmt::format("{}: {} in {}\n\n", scene.title.empty() ? scene.name : scene.title,
                                 plan.isComplete() ? "complete plan" : "incomplete plan",
                                 countText(std::ssize(plan.steps), "step"));
  TextTable table({"step", "part", "inserted", "travel", "along", "afterwards", "hand", "time"});
  for (std::size_t k = 0; k < plan.steps.size(); ++k) {
    const PlanStep& step = plan.steps[k];
    table.add({fmt::format("{}", k + 1), partsText(step, plan) + placeText(step, plan),
               insertionText(step, scene), millimetersText(step.travel), step.motion.reason,
               supportText(step, plan), handText(step, plan),
               step.hand ? fmt::format("{:.1f} to {:.1f} s", step.start, step.end) : "-"});
  }
  if (!plan.steps.empty()) text += table.text(2);
  for (std::size_t k = 0; k < plan.steps.size(); ++k)
    if (!plan.steps[k].legs.empty())
      text += fmt::format("\n  step {}: {}", k + 1, legsText(plan.steps[k], plan));
  for (std::size_t k = 0; k < plan.steps.size(); ++k)
    if (!plan.steps[k].tool.empty()) text += fmt::format("\n  step {}: {}", k + 1, plan.steps[k].tool);
  for (std::size_t k = 0; k < plan.steps.size(); ++k)
    if (!plan.steps[k].remark.empty()) text += fmt::format("\n  step {}: {}", k + 1, plan.steps[k].remark);
  if (!plan.steps.empty()) text += "\n";
  for (std::size_t k = 0; k < plan.orders.size() && plan.orders.size() > 1; ++k) {
    std::string names;
    for (const std::string& name : plan.orders[k].names) names += (names.empty() ? "" : ", ") + name;
    text += fmt::format("  order {}: {}\n           {}\n", k + 1, plan.orders[k].reason, names);
  }
  if (plan.orders.size() == 1) text += fmt::format("  order: {}\n", plan.orders.front().reason);
  for (const std::vector<std::string>& set : plan.inseparable)
    text += fmt::format("  inseparable: {}: {}\n", content::quotedList(set), inseparableText(plan));
  if (!plan.unplanned.empty())
    text += fmt::format("  not planned in the given time: {}\n", content::quotedList(plan.unplanned));
  if (!plan.uncheckedTools.empty())
    text += fmt::format("  access of tools not checked: {}: only hexagons of the parts library are known\n",
                        content::quotedList(plan.uncheckedTools));
  if (!plan.laidOut.empty())
    text += fmt::format("  laid out beside the assembly: {}{}\n", countText(std::ssize(plan.laidOut), "part"),
                        plan.bench ? ", on a bench that the plan adds" : "");
  if (plan.carriedOut) {
    text += fmt::format("  carried out: {} of {} reached\n", plan.carriedOut->reached,
                        countText(plan.carriedOut->goals, "goal"));
    for (const std::string& attempt : plan.carriedOut->attempts) text += "    " + attempt + "\n";
    if (plan.carriedOut->fit) text += "  " + fitText(*plan.carriedOut->fit) + "\n";
    if (!plan.carriedOut->noFit.empty()) text += "  " + plan.carriedOut->noFit + "\n";
  }
  return text;
}

}  // namespace tenon::runtime
