// The result of a run as text and Markdown: a table of goals, and the figures that show its accuracy.
#include <fmt/format.h>

#include <algorithm>

#include "content/input/printable.h"
#include "runtime/assess/precedence.h"
#include "runtime/record/environment.h"
#include "runtime/report/diagnosis_text.h"
#include "runtime/report/run_result.h"
#include "runtime/report/units_text.h"

namespace tenon::runtime {

namespace {

/// Most joints in a summary; --json lists all.
constexpr std::size_t kListedJoints = 20;

using Facts = std::vector<std::pair<std::string, std::string>>;

std::string countsText(const std::map<std::string, int>& counts) {
  if (counts.empty()) return "none";
  std::string text;
  for (const auto& [name, count] : counts)
    text += fmt::format("{}{} failed {}×", text.empty() ? "" : ", ", name, count);
  return text;
}

std::string solverText(const RunResult& result) {
  const std::string used = mostUsedSolver(result.summary);
  if (used == result.solver) return used;
  if (used == "none") {
    const bool settled = result.summary.notConvergedSteps == 0;
    return result.solver + (settled ? " (no contacts)" : " (no step solved)");
  }
  return fmt::format("{} (selected by {})", used, result.solver);
}

std::string sweepsText(const physics::SolverStatistics& s) {
  return fmt::format("{} sweeps; stopped {} times by tolerance, {} by their number, {} by change, {} by time",
                     s.sweeps, s.stoppedByTolerance, s.stoppedBySweeps, s.stoppedByChange, s.stoppedByTime);
}

std::string baraffText(const physics::SolverStatistics& s) {
  return fmt::format(
      "{} redundant, {} deferred, {} flip-flops; unwanted at most {:.1g} m/s² (rad/s²) and {:.1g} N",
      s.redundant, s.deferred, s.flipFlops, s.unwantedAcceleration, s.unwantedForce);
}

/// Accuracy of the result.
Facts accuracyFacts(const RunResult& result) {
  const Assessment::Summary& s = result.summary;
  Facts facts;
  if (result.accuracy == "fast")
    facts.emplace_back("accuracy",
                       "fast: overlaps of parts in contact with each other up to 0.8 µm are accepted");
  facts.emplace_back("worst penetration", smallLengthText(s.maxPenetration));
  if (!result.scene->joints.empty())
    facts.emplace_back(
        "worst joint error",
        fmt::format("{}, {:.2g} rad", smallLengthText(s.maxJointLengthError), s.maxJointAngleError));
  if (s.notConvergedSteps > 0)
    facts.emplace_back("not converged",
                       fmt::format("{}, left out of push and diagnosis: raise --rate, or look "
                                   "for parts that cannot fit and joints that contradict each "
                                   "other",
                                   countText(s.notConvergedSteps, "step")));
  if (s.backedOffSteps > 0)
    facts.emplace_back("backed off",
                       fmt::format("{}, in which parts moved only a fraction of their displacement",
                                   countText(s.backedOffSteps, "step")));
  if (s.heldBackSteps > 0)
    facts.emplace_back("held back",
                       fmt::format("{}, in which fast parts met others again and again and kept their poses: "
                                   "raise --rate",
                                   countText(s.heldBackSteps, "step")));
  return facts;
}

/// Solver statistics.
Facts solverFacts(const RunResult& result) {
  const Assessment::Summary& s = result.summary;
  Facts facts;
  facts.emplace_back("steps", fmt::format("{} at {:g} Hz: {:.3f} s in {:.3g} s, {:.3g} × real time", s.steps,
                                          result.rate, s.simulated, result.wall, result.realTimeFactor()));
  facts.emplace_back("step time", fmt::format("median {:.0f} µs, p99 {:.0f} µs, max {:.0f} µs",
                                              s.stepTimeP50_us, s.stepTimeP99_us, s.stepTimeMax_us));
  facts.emplace_back("contacts", fmt::format("mean {:.1f}, max {}", s.meanContacts, s.maxContacts));
  facts.emplace_back("position iterations",
                     fmt::format("mean {:.2f}, max {}", s.meanLinearizations, s.maxLinearizations));
  facts.emplace_back("solver", solverText(result));
  if (s.dividedSteps > 0)
    facts.emplace_back("divided", fmt::format("{}, solved in substeps", countText(s.dividedSteps, "step")));
  if (result.accuracy != "fast") facts.emplace_back("accuracy", result.accuracy);
  if (s.solver.sweeps > 0) facts.emplace_back("gauss-seidel", sweepsText(s.solver));
  if (s.stepsBySolver.count("baraff") > 0) facts.emplace_back("baraff", baraffText(s.solver));
  facts.emplace_back("fallbacks", countsText(s.fallbacks));
  if (s.notConvergedSteps == 0) facts.emplace_back("not converged", "0 steps");
  if (s.yieldingSteps > 0)
    facts.emplace_back(
        "yielding contacts",
        fmt::format("{}: clamped parts have no rigid solution; check the fits, or give the materials a "
                    "stiffness",
                    countText(s.yieldingSteps, "step")));
  facts.emplace_back("largest residual", fmt::format("{:.2g} N", s.maxResidual));
  facts.emplace_back("state hash", fmt::format("{:016x}", result.stateHash));
  return facts;
}

Facts allFacts(const RunResult& result) {
  Facts facts = accuracyFacts(result);
  const Facts more = solverFacts(result);
  facts.insert(facts.end(), more.begin(), more.end());
  return facts;
}

std::string heading(const content::Scene& scene) {
  return content::printable(scene.title.empty() ? scene.name : scene.name + ": " + scene.title);
}

std::string factLines(const Facts& facts) {
  std::size_t width = 0;
  for (const auto& [name, value] : facts) width = std::max(width, displayWidth(name));
  std::string text;
  for (const auto& [name, value] : facts) text += fmt::format("  {:{}}  {}\n", name, width, value);
  return text;
}

std::string factTable(const Facts& facts) {
  TextTable table({"quantity", "value"});
  for (const auto& [name, value] : facts) table.add({name, value});
  return table.markdown();
}

std::string parameterTable(const content::Scene& scene) {
  TextTable table({"parameter", "value", "unit", "description"});
  for (const content::Parameter& p : scene.parameters)
    table.add({p.name, fmt::format("{:g}", p.value), p.unit, p.description});
  return table.markdown();
}

Facts environmentFacts(const RunResult& result) {
  const Environment environment = thisEnvironment();
  return {{"tenon", environment.version},
          {"compiler", environment.compiler},
          {"build", environment.build},
          {"system", environment.system},
          {"processor", environment.processor.empty() ? "unknown" : environment.processor},
          {"threads", fmt::format("{} used, {} on the machine", result.threads, environment.threads)},
          {"seed", fmt::format("{}", result.seed)}};
}

/// Position of a joint: "12.000°, 3.000 mm".
std::string positionText(const content::Joint& joint, const physics::JointState& state) {
  const std::string angle = physics::turns(joint.kind) ? degreesText(state.angle) : "";
  const std::string travel = physics::travels(joint.kind) ? millimetersText(state.travel) : "";
  if (angle.empty() && travel.empty()) return "-";
  return angle + (angle.empty() || travel.empty() ? "" : ", ") + travel;
}

/// Names of a goal: "screw into plate/hole".
std::string goalNameOf(const content::Scene& scene, const content::Goal& target) {
  return fmt::format("{} into {}/{}", scene.part(target.part).name, scene.part(target.into).name,
                     target.hole);
}

/// Verdict and cause of each goal, one sentence each. A single goal is not named.
std::vector<std::string> explanations(const RunResult& result) {
  std::vector<std::string> all;
  for (const GoalResult& goal : result.goals) {
    const content::Goal& target = result.scene->goals[static_cast<std::size_t>(goal.goal)];
    const std::string name = result.goals.size() > 1 ? goalNameOf(*result.scene, target) + ": " : "";
    all.push_back(name + explanationOf(goal, target));
  }
  for (const OutOfOrder& wrong : outOfOrder(*result.scene, result.goals))
    all.push_back(toText(wrong, *result.scene));
  return all;
}

std::string explanationLines(const RunResult& result) {
  std::string text;
  for (const std::string& one : explanations(result)) text += "  " + content::printable(one) + "\n";
  return text;
}

std::string explanationList(const RunResult& result) {
  std::string text;
  for (const std::string& one : explanations(result)) text += "- " + escapeMarkdown(one) + "\n";
  return text;
}

}  // namespace

std::string mostUsedSolver(const Assessment::Summary& summary) {
  std::string name = "none";
  std::int64_t most = 0;
  for (const auto& [solver, steps] : summary.stepsBySolver) {
    if (steps <= most) continue;
    most = steps;
    name = solver;
  }
  return name;
}

TextTable goalTable(const RunResult& result, bool color) {
  TextTable table({"goal", "verdict", "depth", "tilt", "peak push", "at"});
  for (const GoalResult& goal : result.goals) {
    const content::Goal& target = result.scene->goals[static_cast<std::size_t>(goal.goal)];
    table.add({goalNameOf(*result.scene, target), std::string(toText(goal.verdict)),
               fmt::format("{} of {}", millimetersText(goal.depth), millimetersText(target.depth)),
               degreesText(goal.tilt), forceText(goal.maxPush), fmt::format("{:.3f} s", goal.time)});
    if (color) table.paint(1, isReached(goal.verdict) ? Color::green : Color::red);
  }
  return table;
}

TextTable jointTable(const RunResult& result, std::size_t most) {
  TextTable table({"joint", "kind", "at the end", "largest force", "largest torque"});
  for (std::size_t k = 0; k < std::min(most, result.joints.size()); ++k) {
    const content::Joint& joint = result.scene->joints[k];
    const JointResult& reaction = result.joints[k];
    table.add({joint.name, std::string(physics::toText(joint.kind)), positionText(joint, reaction.end),
               forceText(reaction.maxForce), torqueText(reaction.maxTorque)});
  }
  return table;
}

std::string outcomeText(const RunResult& result) {
  const auto reached = std::count_if(result.goals.begin(), result.goals.end(),
                                     [](const GoalResult& goal) { return isReached(goal.verdict); });
  const auto all = static_cast<std::ptrdiff_t>(result.goals.size());
  const std::string stopped = result.interrupted ? fmt::format("stopped at {:.3f} s of {:.3f} s; ",
                                                               result.summary.simulated, result.duration)
                                                 : "";
  if (all == 0) return stopped + "the scene has no goals";
  if (all == 1)
    return stopped +
           (reached == 1 ? std::string(toText(result.goals[0].verdict)) : std::string("goal not reached"));
  if (reached < all) return stopped + fmt::format("{} of {} goals reached", reached, all);
  const bool inserted = std::all_of(result.goals.begin(), result.goals.end(),
                                    [](const GoalResult& goal) { return goal.verdict == Verdict::inserted; });
  return stopped + fmt::format("all {} goals {}", all, inserted ? "inserted" : "reached");
}

std::string toText(const RunResult& result, bool color, Detail detail) {
  std::string text = heading(*result.scene) + "\n\n";
  if (!result.goals.empty())
    text += goalTable(result, color).text(2) + "\n" + explanationLines(result) + "\n";
  if (!result.joints.empty()) {
    text += jointTable(result, kListedJoints).text(2) + "\n";
    if (result.joints.size() > kListedJoints)
      text += fmt::format("  and {} more: --json has them all\n\n", result.joints.size() - kListedJoints);
  }
  return text + factLines(detail == Detail::all ? allFacts(result) : accuracyFacts(result)) + "\n" +
         outcomeText(result) + "\n";
}

std::string toReport(const RunResult& result) {
  std::string text =
      fmt::format("# {}\n\n**{}**\n\n", escapeMarkdown(heading(*result.scene)), outcomeText(result));
  if (!result.goals.empty()) {
    text +=
        "## Goals\n\n" + goalTable(result, false).markdown() +
        "\nDepth is that of the part's end below the hole's mouth, tilt that of its axis against the "
        "hole's, both at the end. Peak push is the largest force with which the hole's part held "
        "against the insertion, over the steps that converged. The time is that of the first insertion, else "
        "the end of the run.\n\n" +
        explanationList(result) +
        "\nWedging and jamming are judged by Whitney's quasi-static theory (ASME J. Dyn. Sys. Meas. Control "
        "104, 1982): ℓ is the distance of the two contacts along the bore, D = 2 r the part's diameter, "
        "λ = ℓ/(2 r μ); Fx, Fz and M are the load on the part's tip across the hole, into it, and its "
        "moment in their plane.\n\n";
  }
  if (!result.joints.empty())
    text +=
        "## Joints\n\n" + jointTable(result, result.joints.size()).markdown() +
        "\nAngle and travel are those at the end, from the start. Forces and torques are the largest that a "
        "joint bore in a step that converged.\n\n";
  if (!result.warnings.empty()) {
    text += "## Warnings\n\n";
    for (const std::string& warning : result.warnings) text += "- " + escapeMarkdown(warning) + "\n";
    text += "\n";
  }
  text += "## Accuracy and effort\n\n" + factTable(allFacts(result)) + "\n";
  if (!result.scene->parameters.empty()) text += "## Parameters\n\n" + parameterTable(*result.scene) + "\n";
  text += "## Environment\n\n" + factTable(environmentFacts(result));
  return text;
}

}  // namespace tenon::runtime
