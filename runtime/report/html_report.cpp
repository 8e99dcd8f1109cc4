// See html_report.h. The style sheet is in html_style.h.
#include "runtime/report/html_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>
#include <optional>

#include "runtime/report/assembly_tables.h"
#include "runtime/report/base64.h"
#include "runtime/report/event_text.h"
#include "runtime/report/glossary.h"
#include "runtime/report/html_style.h"
#include "runtime/report/motion_tables.h"
#include "runtime/report/operation_charts.h"
#include "runtime/report/operations_json.h"
#include "runtime/report/operations_table.h"
#include "runtime/report/scene_survey.h"
#include "runtime/report/session_facts.h"
#include "runtime/report/significant_text.h"
#include "runtime/report/svg_chart.h"
#include "runtime/report/time_rows.h"
#include "runtime/report/tolerance_table.h"
#include "runtime/report/units_text.h"

namespace tenon::runtime {

namespace {

constexpr double kDegrees = 180 / std::numbers::pi;

/// A row of a table of two columns; `id` lets tests and scripts find the figure.
std::string row(const std::string& what, const std::string& value, const char* id = "") {
  return fmt::format("<tr><th>{}</th><td{}>{}</td></tr>", escapeMarkup(what),
                     *id == 0 ? std::string() : fmt::format(" data-of='{}'", id), escapeMarkup(value));
}

std::string reportHeadOf(const SessionReader& session, const content::Scene& scene,
                         std::span<const Operation> operations) {
  std::string text =
      fmt::format("<h1>{}</h1><p class='verdict {}'>{}</p><table class='facts'>", escapeMarkup(scene.title),
                  areAllReached(operations) ? "good" : "bad", escapeMarkup(outcomeText(operations)));
  for (const SessionFact& fact : sessionFacts(session)) text += row(fact.label, fact.value, fact.id);
  return text + "</table>";
}

std::string marksTable(const SessionReader& session, const content::Scene& scene) {
  std::string rows;
  for (const SessionEvent& event : session.events())
    if (isMark(event))
      rows += fmt::format("<tr class='mark'><td>{:.3f}</td><td>{}</td><td>{}</td></tr>", event.time,
                          escapeMarkup(event.kind),
                          escapeMarkup(event.kind == "note" ? event.text : describeEvent(event, scene)));
  if (rows.empty()) return "";
  return "<h2>Notes and marks</h2><table id='marks'><tr><th>Time [s]</th><th>Kind</th><th>What</th></tr>" +
         rows + "</table>";
}

/// Cycle time of the session, and the estimate beside it.
std::string cycleNote(const SessionResults& results) {
  std::optional<double> from, to;
  for (const Operation& op : results.operations) {
    if (op.grabbed) from = std::min(from.value_or(*op.grabbed), *op.grabbed);
    for (const auto& end : {op.released, op.seated})
      if (end && op.grabbed && *end >= *op.grabbed) to = std::max(to.value_or(*end), *end);
  }
  if (!from || !to) return "";
  return fmt::format(
      "<p><b>Cycle time {:.2f} s</b> in the session, from the first grasp of a part with a goal until the "
      "last "
      "of these parts was released or seated. By MTM-1 a person needs about {:.1f} s for one motion after "
      "the "
      "other (estimate).</p>",
      *to - *from, results.motions.sequence() * kTmu);
}

std::string withUnit(double value, double resolution, const char* unit) {
  return significantText(value, resolution) + " " + unit;
}

/// Handling of the part, or that it was never grasped.
std::string handlingRows(const Operation& op) {
  if (op.grasps == 0) return row("Held", "never grasped");
  std::string text = row("Held", fmt::format("{} in {}", withUnit(op.held, kTimeResolution, "s"),
                                             countText(op.grasps, "grasp")));
  text += row("Hand path", withUnit(op.handPath * 1e3, kPathResolution_mm, "mm"), "hand_path");
  text += row("Part path", withUnit(op.partPath * 1e3, kPathResolution_mm, "mm"), "part_path");
  text += row("Force of the hand, peak / mean",
              fmt::format("{} / {}", significantText(op.peakForce, kForceResolution),
                          withUnit(op.meanForce, kForceResolution, "N")),
              "force");
  text += row("Torque of the hand, peak / mean",
              fmt::format("{} / {}", significantText(op.peakTorque, kTorqueResolution),
                          withUnit(op.meanTorque, kTorqueResolution, "N m")),
              "torque");
  text += row(
      "Minimum clearance along the path",
      op.nearbyParts.empty()
          ? fmt::format("no part without contact came within {:g} mm", ClearanceTracker::kMaxDistance * 1e3)
          : fmt::format("{}, to {} at {:.3f} s",
                        significantLengthText(op.nearbyParts[0].clearance, kPositionResolution_um),
                        escapeMarkup(op.nearbyParts[0].name), op.nearbyParts[0].time),
      "least_clearance");
  if (const auto& head = op.head) {
    text += row("Head to part, minimum / mean",
                fmt::format("{:.0f} / {:.0f} mm", head->minDistance * 1e3, head->meanDistance * 1e3), "head");
    text +=
        row("Posture (estimate)",
            fmt::format("gaze {:.0f}° down on average, {:.0f}° at most; reach {:.0f} mm from the head",
                        head->meanGazeDown * kDegrees, head->maxGazeDown * kDegrees, head->maxReach * 1e3),
            "posture");
  }
  return text;
}

/// Final position of the part in the goal's hole, and peak push.
std::string holeRows(const Operation& op, const content::Goal& goal) {
  const double depth = op.depthError + goal.depth;
  std::string text = row("Peak push along the hole", withUnit(op.maxPush, kForceResolution, "N"), "max_push");
  text += row("Depth at the end",
              depth < 0 ? fmt::format("{} above the mouth; goal: {:.3f} mm deep",
                                      significantLengthText(-depth, kPositionResolution_um), goal.depth * 1e3)
                        : fmt::format("{:.3f} mm of {:.3f} mm; difference {}", depth * 1e3, goal.depth * 1e3,
                                      significantLengthText(op.depthError, kPositionResolution_um)),
              "depth");
  text += row("Off the axis at the end", significantLengthText(op.lateralError, kPositionResolution_um),
              "lateral");
  return text +
         row("Tilt at the end", significantText(op.tilt * kDegrees, kAngleResolution_deg) + "°", "tilt");
}

std::string touchedTable(const Operation& op) {
  if (op.grasps == 0) return "";
  if (op.pairContacts.empty()) return "<p>No contacts while it was held.</p>";
  std::string text =
      "<table><tr><th>Contact while held with</th><th>Contacts</th><th>Duration [s]</th><th>Peak force "
      "[N]</th></tr>";
  for (const PairContacts& pair : op.pairContacts)
    text += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>", escapeMarkup(pair.with),
                        pair.episodes, escapeMarkup(significantText(pair.duration, kTimeResolution)),
                        escapeMarkup(significantText(pair.peakForce, kForceResolution)));
  return text + "</table>";
}

std::string figureOf(const ReportImage& image) {
  return fmt::format(
      "<figure><img alt='{0}' src='data:image/png;base64,{1}'><figcaption>{0}</figcaption></figure>",
      escapeMarkup(image.title), base64(image.png));
}

/// Of a goal: beside each other, in the order of time.
std::string picturesOf(int goal, const ReportImages& images) {
  std::string text;
  for (const ReportImage& image : images.all)
    if (image.goal == goal) text += figureOf(image);
  return goal < 0 || text.empty() ? text : "<div class='thumbnails'>" + text + "</div>";
}

/// The handling of a part is shown with its first goal.
std::string sectionOf(const Operation& op, std::span<const Operation> operations, const content::Scene& scene,
                      const ReportImages& images) {
  const content::Goal& goal = scene.goals[static_cast<std::size_t>(op.goal)];
  const std::string drawn = picturesOf(op.goal, images);
  if (op.sameHandlingAs < 0)
    return drawn + "<table class='facts'>" + handlingRows(op) + holeRows(op, goal) + "</table>" +
           toleranceTable(op.checks) + operationCharts(op, scene) + touchedTable(op);
  const Operation& first = operations[static_cast<std::size_t>(op.sameHandlingAs)];
  return drawn +
         fmt::format(
             "<p class='note'>The same part as in <a href='#goal-{}'>{}</a>: see it for grasps, paths, "
             "forces{} and contacts.</p>",
             first.goal, escapeMarkup(first.name), drawn.empty() && images.why.empty() ? ", picture" : "") +
         "<table class='facts'>" + holeRows(op, goal) + "</table>" + toleranceTable(op.checks) +
         operationCharts(op, scene);
}

/// Escapes JSON so that it neither ends its script element nor starts a comment.
std::string inScript(const std::string& json) {
  std::string text;
  for (const char c : json) {
    if (c == '<')
      text += "\\u003c";
    else
      text += c;
  }
  return text;
}

}  // namespace

std::string htmlReport(const SessionReader& session, const content::Scene& scene,
                       const SessionResults& results, const ReportImages& images,
                       const std::optional<TitleBlock>& title) {
  const std::vector<Operation>& operations = results.operations;
  std::string text = fmt::format(
      "<!DOCTYPE html>\n<html lang='en'><head><meta charset='utf-8'><meta name='viewport' "
      "content='width=device-width, initial-scale=1'><title>{}</title><style>{}</style></head><body><main>\n",
      escapeMarkup(scene.title), styleSheet());
  if (title) text += titleBlockHtml(*title);
  text += reportHeadOf(session, scene, operations) + picturesOf(-1, images);
  if (!images.why.empty())
    text += fmt::format("<p class='note'>No pictures: {}</p>", escapeMarkup(images.why));
  const SceneSurvey survey = surveyOf(scene);
  text += operationsTable(operations) +
          motionTable(results.motions, operations, {session.hands(), session.bodies()}) + fitsTable(survey) +
          partsTable(survey);
  text +=
      "<h2>Timeline</h2><div class='wide timeline'>" +
      svgOf(timeRows(session, operations), session.lastTime()) + "</div>" + cycleNote(results) +
      "<p class='note'>Bars: a hand holds a part. Rings: first contact; disks: seated; squares: jam; "
      "diamonds: notes and marks. The time is the session's: a reset or an undo does not take it back.</p>" +
      marksTable(session, scene);
  for (const Operation& op : operations) {
    text += fmt::format("\n<section id='goal-{}'><h2>{}</h2><p class='verdict {}'>{}</p>", op.goal,
                        escapeMarkup(op.name), op.isReached() ? "good" : "bad", escapeMarkup(op.verdict));
    if (!op.why.empty()) text += fmt::format("<p class='why'>{}</p>", escapeMarkup(op.why));
    text += sectionOf(op, operations, scene, images) + "</section>";
  }
  text += kGlossary;
  text +=
      "<script type='application/json' id='operations'>" + inScript(operationsJson(operations)) + "</script>";
  return text + "</main></body></html>\n";
}

}  // namespace tenon::runtime
