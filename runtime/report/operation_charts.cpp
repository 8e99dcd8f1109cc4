// See operation_charts.h.
#include "runtime/report/operation_charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>

#include "runtime/report/significant_text.h"
#include "runtime/report/svg_chart.h"

namespace tenon::runtime {

namespace {

constexpr double kPerDegree = 180 / std::numbers::pi;  ///< [°/rad]
/// In which screws are tightened, after many turns without a load [rad].
constexpr double kTighteningAngle = std::numbers::pi / 6;
/// Least widths of axes, below which curves are noise of the record: [mm], [N], [N m].
constexpr double kLeastLength = 1, kLeastForce = 0.1, kLeastTorque = 0.01;
/// A force of the hand is drawn as a limit if the push reached this fraction of it [-]: else the curve would
/// be flat.
constexpr double kNearLimit = 0.2;

std::string torqueCharts(const Operation& op, const content::Goal& goal) {
  if (op.torqueCurve.empty()) return "";
  const double end =
      std::max_element(op.torqueCurve.begin(), op.torqueCurve.end(), [](const auto& a, const auto& b) {
        return a.angle < b.angle;
      })->angle;
  Chart whole{"Torque against angle", "angle [°]", "torque [N m]", {{}}};
  Chart last{"Torque against angle, the last 30°", "angle [°]", "torque [N m]", {{}}};
  for (Chart* chart : {&whole, &last}) chart->leastHeight = kLeastTorque;
  if (goal.torque > 0)
    last.limits.push_back({false, goal.torque, fmt::format("at least {:g} N m", goal.torque)});
  for (const AngleTorque& at : op.torqueCurve) {
    whole.curves[0].points.emplace_back(at.angle * kPerDegree, at.torque);
    if (end - at.angle < kTighteningAngle)
      last.curves[0].points.emplace_back(at.angle * kPerDegree, at.torque);
  }
  return svgOf(whole) + svgOf(last);
}

/// The force that the hands that held the part can exert [N].
double handLimit(const Operation& op, const content::Scene& scene) {
  double limit = 0;
  for (const int hand : op.hands)
    if (hand < static_cast<int>(scene.hands.size()))
      limit += scene.hands[static_cast<std::size_t>(hand)].parameters.maxForce;
  return limit;
}

std::string pushChart(const Operation& op, const content::Goal& goal, const content::Scene& scene) {
  Chart push{"Push against depth", "depth of the tip [mm]", "push [N]", {{}}};
  push.leastWidth = kLeastLength;
  push.leastHeight = kLeastForce;
  double most = 0;
  for (const DepthPush& at : op.curve) {
    push.curves[0].points.emplace_back(at.depth * 1e3, at.push);
    most = std::max(most, at.push);
  }
  if (op.curve.empty()) return svgOf(push);
  const double least = (goal.depth - goal.depthTolerance) * 1e3,
               deepest = (goal.depth + goal.depthTolerance) * 1e3;
  push.limits.push_back({true, least, goal.turns > 0 ? "turns reached" : "least depth"});
  if (goal.turns == 0) push.limits.push_back({true, deepest, ""});
  const double limit = handLimit(op, scene);
  if (limit > 0 && most > kNearLimit * limit)
    push.limits.push_back({false, limit, fmt::format("limit of the hand, {:g} N", limit)});
  return svgOf(push);
}

std::string clearanceChart(const Operation& op) {
  Chart chart{"Clearance along the path", "path of the part [mm]", "clearance [mm]", {}};
  if (op.clearance.empty() || op.clearance.back().along * 1e3 < kLeastLength) return "";
  chart.leastHeight = kLeastLength;
  chart.curves.emplace_back();
  for (const PathClearance& at : op.clearance) {
    if (at.distance)
      chart.curves.back().points.emplace_back(at.along * 1e3, std::max(*at.distance, 0.0) * 1e3);
    else if (!chart.curves.back().points.empty())
      chart.curves.emplace_back();  // a gap where nothing is near
  }
  const bool any = std::any_of(chart.curves.begin(), chart.curves.end(),
                               [](const Curve& c) { return c.points.size() > 1; });
  return any ? svgOf(chart) : "";
}

std::string pathCharts(const Operation& op) {
  Chart front{"Path of the tip, from the front", "x [mm]", "z [mm]", {{}}, true};
  Chart top{"Path of the tip, from above", "x [mm]", "y [mm]", {{}}, true};
  for (Chart* chart : {&front, &top}) chart->leastWidth = chart->leastHeight = kLeastLength;
  for (const auto& [time, p] : op.path) {
    front.curves[0].points.emplace_back(p.x() * 1e3, p.z() * 1e3);
    top.curves[0].points.emplace_back(p.x() * 1e3, p.y() * 1e3);
  }
  return svgOf(front) + svgOf(top);
}

}  // namespace

std::string operationCharts(const Operation& op, const content::Scene& scene) {
  const content::Goal& goal = scene.goals[static_cast<std::size_t>(op.goal)];
  std::string text = torqueCharts(op, goal);
  if (op.grasps > 0) text += pushChart(op, goal, scene);
  if (op.grasps > 0 && op.sameHandlingAs < 0) text += clearanceChart(op) + pathCharts(op);
  return text.empty() ? text : fmt::format("<div class='charts'>{}</div>", text);
}

}  // namespace tenon::runtime
