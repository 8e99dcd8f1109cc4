// Push and torque of the current goal; for developers the solver's last seconds.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "runtime/live_view/panels.h"
#include "runtime/live_view/plot.h"

namespace tenon::runtime {

namespace {

/// The pending goal with a held part or the greatest depth, otherwise the last goal.
std::size_t goalOfInterest(const PanelContext& context) {
  std::size_t best = 0;
  double most = -1e9;
  for (std::size_t k = 0; k < context.frame.goals.size(); ++k) {
    const GoalResult& goal = context.frame.goals[k];
    const bool held =
        std::any_of(context.frame.record.tick.hands.begin(), context.frame.record.tick.hands.end(),
                    [&](const physics::HandState& hand) {
                      return hand.body.valid() && hand.body.value == context.sceneView.scene->goals[k].part;
                    });
    const double interest = (held ? 10 : 0) + goal.depth;
    if (interest > most) {
      most = interest;
      best = k;
    }
  }
  return best;
}

void drawPush(PanelContext& context) {
  const std::size_t goal = goalOfInterest(context);
  std::vector<PlotPoint> points;
  const double deepest = 1e3 * context.sceneView.scene->goals[goal].depth;
  if (goal < context.history.curves().size())
    for (const CurvePoint& p : context.history.curves()[goal])
      if (p.depth_mm > -0.1 * deepest) points.push_back({p.depth_mm, p.push});
  drawPlot({"push [N] against depth", "mm", std::min(0.0, -0.1 * deepest), deepest, 1, 110}, points,
           fmt::format("{:.2f} N", context.frame.goals[goal].push));
}

/// Of the last quarter of a turn, in which screws are tightened.
void drawTorque(PanelContext& context) {
  constexpr double kShown_deg = 90, kNoTorque = 1e-3;  // N m: rounding is drawn as 0
  const std::size_t goal = goalOfInterest(context);
  const std::optional<ThreadEngagement>& thread = context.frame.goals[goal].thread;
  if (!thread) return;
  const double now = 360 * thread->driven;
  std::vector<PlotPoint> points;
  if (goal < context.history.curves().size())
    for (const CurvePoint& p : context.history.curves()[goal])
      if (p.hasThread && p.angle_deg > now - kShown_deg && p.angle_deg <= now)
        points.push_back({p.angle_deg, std::abs(p.torque) < kNoTorque ? 0 : p.torque});
  if (points.empty()) return;  // of a replay or a server, which send no curve
  drawPlot({"torque [N m] against angle", "°", now - kShown_deg, now, 0.1}, points,
           fmt::format("{:.2f} N m", thread->torque));
}

template <class Value>
void drawTimes(PanelContext& context, const char* title, double minRange, const Value& value,
               const char* format) {
  const auto& history = context.history.points();
  std::vector<PlotPoint> points;
  points.reserve(history.size());
  for (const HistoryPoint& p : history) points.push_back({p.time, value(p)});
  const double end = history.empty() ? History::kSpan : std::max(history.back().time, History::kSpan);
  drawPlot({title, "s", end - History::kSpan, end, minRange}, points,
           points.empty() ? "" : fmt::format(fmt::runtime(format), points.back().y));
}

}  // namespace

void drawPlots(PanelContext& context) {
  drawPush(context);
  drawTorque(context);
}

void drawDeveloper(PanelContext& context) {
  drawTimes(
      context, "step time [µs]", 100, [](const HistoryPoint& p) { return p.step_us; }, "{:.0f} µs");
  drawTimes(
      context, "contacts", 4, [](const HistoryPoint& p) { return double(p.contacts); }, "{:.0f}");
  drawTimes(
      context, "residual [N]", 1e-9, [](const HistoryPoint& p) { return p.residual; }, "{:.1g} N");
}

}  // namespace tenon::runtime
