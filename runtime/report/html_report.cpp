// See html_report.h. The style sheet is in html_style.h.
#include "runtime/report/html_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>

#include "runtime/report/assembly_tables.h"
#include "runtime/report/base64.h"
#include "runtime/report/event_text.h"
#include "runtime/report/html_style.h"
#include "runtime/report/motion_tables.h"
#include "runtime/report/operations_json.h"
#include "runtime/report/operations_table.h"
#include "runtime/report/scene_survey.h"
#include "runtime/report/session_facts.h"
#include "runtime/report/significant_text.h"
#include "runtime/report/svg_chart.h"
#include "runtime/report/time_rows.h"
#include "runtime/report/units_text.h"

namespace tenon::runtime {

namespace {

constexpr double kDegrees = 180 / std::numbers::pi;
/// In which screws are tightened, after many turns without a load [rad].
constexpr double kTighteningAngle = std::numbers::pi / 6;

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

std::string charts(const Operation& op) {
  std::string text;
  if (!op.torqueCurve.empty()) {
    const double end =
        std::max_element(op.torqueCurve.begin(), op.torqueCurve.end(), [](const auto& a, const auto& b) {
          return a.angle < b.angle;
        })->angle;
    Chart whole{"Torque against angle", "angle [°]", "torque [N m]", {{}}};
    Chart last{"Torque against angle, the last 30°", "angle [°]", "torque [N m]", {{}}};
    for (const AngleTorque& at : op.torqueCurve) {
      whole.curves[0].points.emplace_back(at.angle * kDegrees, at.torque);
      if (end - at.angle < kTighteningAngle)
        last.curves[0].points.emplace_back(at.angle * kDegrees, at.torque);
    }
    text += svgOf(whole) + svgOf(last);
  }
  if (op.grasps > 0) {
    Chart push{"Push against depth", "depth of the tip [mm]", "push [N]", {{}}};
    for (const DepthPush& at : op.curve) push.curves[0].points.emplace_back(at.depth * 1e3, at.push);
    text += svgOf(push);
  }
  if (op.grasps > 0 && op.sameHandlingAs < 0) {
    Chart front{"Path of the tip, from the front", "x [mm]", "z [mm]", {{}}, true};
    Chart top{"Path of the tip, from above", "x [mm]", "y [mm]", {{}}, true};
    for (const auto& [time, p] : op.path) {
      front.curves[0].points.emplace_back(p.x() * 1e3, p.z() * 1e3);
      top.curves[0].points.emplace_back(p.x() * 1e3, p.y() * 1e3);
    }
    text += svgOf(front) + svgOf(top);
  }
  return text.empty() ? text : fmt::format("<div class='charts'>{}</div>", text);
}

std::string picturesOf(int goal, const ReportImages& images) {
  std::string text;
  for (const ReportImage& picture : images.all)
    if (picture.goal == goal)
      text += fmt::format(
          "<figure><img alt='{0}' src='data:image/png;base64,{1}'><figcaption>{0}</figcaption></figure>",
          escapeMarkup(picture.title), base64(picture.png));
  return text;
}

/// The handling of a part is shown with its first goal.
std::string sectionOf(const Operation& op, std::span<const Operation> operations, const content::Goal& goal,
                      const ReportImages& images) {
  const std::string drawn = picturesOf(op.goal, images);
  if (op.sameHandlingAs < 0)
    return drawn + "<table class='facts'>" + handlingRows(op) + holeRows(op, goal) + "</table>" + charts(op) +
           touchedTable(op);
  const Operation& first = operations[static_cast<std::size_t>(op.sameHandlingAs)];
  return drawn +
         fmt::format(
             "<p class='note'>The same part as in <a href='#goal-{}'>{}</a>: see it for grasps, paths, "
             "forces{} and contacts.</p>",
             first.goal, escapeMarkup(first.name), drawn.empty() && images.why.empty() ? ", picture" : "") +
         "<table class='facts'>" + holeRows(op, goal) + "</table>" + charts(op);
}

constexpr const char* kDefinitions =
    "<h2>Definitions</h2><ul>"
    "<li><b>Grasped, released</b>: the first time that a hand closed on the part, and the last time that one "
    "opened or lost it. <b>First contact</b>: first force between the part and the one that has the hole, "
    "after "
    "that. <b>Seated</b>: first at depth, aligned, in time.</li>"
    "<li><b>Duration</b>: from grasped until all goals of the part were seated, or until released where one "
    "was "
    "not. Where a script moves the hands, that is the pace of the script, not that of a person.</li>"
    "<li><b>Push</b>: what the part with the hole resists, along the hole's axis; its peak is over all "
    "steps. <b>Force and torque of the hand</b>: what all hands do to the part beyond carrying its weight, "
    "over "
    "the keyframes in which it was held.</li>"
    "<li><b>Paths</b>: added up between keyframes in which the part was held; of the part, that of its own "
    "origin.</li>"
    "<li><b>Minimum clearance</b>: the smallest distance, in the keyframes in which the part was held, to "
    "any "
    "part that it did not touch meanwhile, but the one with the hole.</li>"
    "<li><b>Jam</b>: it stood still while it was pushed, short of its depth.</li>"
    "<li><b>Head</b>: its distance from the part's tip, where a headset was worn. A posture is an "
    "<b>estimate</b> from headset and controller alone: back, neck and elbows are not tracked.</li>"
    "<li>Figures are of rigid parts and of the hand's spring. <b>&lt;</b>: below the resolution.</li></ul>";

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
      escapeMarkup(scene.title), kStyle);
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
      svgOf(timeRows(session, operations), session.lastTime()) +
      "</div><p class='note'>Bars: a hand holds a part. Rings: first contact; green: seated; red: jam; "
      "yellow: notes and marks. The time is the session's: a reset or an undo does not take it back.</p>" +
      marksTable(session, scene);
  for (const Operation& op : operations) {
    text += fmt::format("\n<section id='goal-{}'><h2>{}</h2><p class='verdict {}'>{}</p>", op.goal,
                        escapeMarkup(op.name), op.isReached() ? "good" : "bad", escapeMarkup(op.verdict));
    if (!op.why.empty()) text += fmt::format("<p class='why'>{}</p>", escapeMarkup(op.why));
    text += sectionOf(op, operations, scene.goals[static_cast<std::size_t>(op.goal)], images) + "</section>";
  }
  text += kDefinitions;
  text +=
      "<script type='application/json' id='operations'>" + inScript(operationsJson(operations)) + "</script>";
  return text + "</main></body></html>\n";
}

}  // namespace tenon::runtime
