// See html_report.h. The page's looks are in html_style.h.
#include "runtime/export/html_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numbers>

#include "runtime/export/html_style.h"
#include "runtime/export/operations_json.h"
#include "runtime/export/svg_chart.h"
#include "runtime/record/event_text.h"

namespace tenon::runtime {

namespace {

constexpr double kDegrees = 180 / std::numbers::pi;

std::string base64(const std::string& bytes) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t k = 0; k < bytes.size(); k += 3) {
    std::uint32_t three = 0;
    for (std::size_t j = 0; j < 3; ++j)
      three = three << 8 | (k + j < bytes.size() ? static_cast<unsigned char>(bytes[k + j]) : 0U);
    for (std::size_t j = 0; j < 4; ++j)
      text += k + j <= bytes.size() ? kDigits[three >> (18 - 6 * j) & 63] : '=';
  }
  return text;
}

std::string secondsText(const std::optional<double>& time) {
  return time ? fmt::format("{:.3f}", *time) : "–";
}

/// Recorded verdicts are words.
bool isReached(const Operation& op) {
  return op.verdict == toText(Verdict::inserted) || op.verdict == toText(Verdict::tight);
}

/// A row of a table of two columns; `id` lets tests and scripts find the figure.
std::string row(const std::string& what, const std::string& value, const char* id = "") {
  return fmt::format("<tr><th>{}</th><td{}>{}</td></tr>", what,
                     *id == 0 ? std::string() : fmt::format(" data-of='{}'", id), escaped(value));
}

std::string headOf(const SessionReader& session, const content::Scene& scene,
                   std::span<const Operation> operations) {
  const SessionHeader& header = session.header();
  const auto done =
      std::count_if(operations.begin(), operations.end(), [](const Operation& op) { return isReached(op); });
  const auto ending = session.ending();
  std::string text = fmt::format("<h1>{}</h1><p class='verdict {}'>", escaped(scene.title),
                                 done == static_cast<std::ptrdiff_t>(operations.size()) ? "good" : "bad");
  text += operations.empty() ? "The scene has no goals."
                             : fmt::format("{} of {} {} inserted", done, operations.size(),
                                           operations.size() == 1 ? "goal" : "goals");
  text += "</p><table class='facts'>";
  text += row("Scene", header.sceneFile) + row("Recorded", header.started, "started") +
          row("Length", fmt::format("{:.3f} s, {} steps at {:g} Hz", session.lastTime(), session.lastTick(),
                                    header.rate));
  text +=
      row("Ended",
          ending ? *ending : fmt::format("cut off: what came after {:.3f} s is missing", session.lastTime()));
  text += row("Solver", header.solver) +
          row("Program", fmt::format("tenon {} on {}", header.program.version, header.program.processor));
  for (const auto& [name, value] : header.parameters) text += row(escaped(name), fmt::format("{:g}", value));
  return text + "</table>";
}

std::string summaryTable(std::span<const Operation> operations) {
  if (operations.empty()) return "";
  std::string text =
      "<h2>Operations</h2><div class='wide'><table id='summary'><tr><th>Goal</th><th>Verdict</th><th>Taken "
      "[s]</th><th>First contact [s]</th><th>Seated [s]</th><th>Let go [s]</th><th>Duration "
      "[s]</th><th>TMU</th>"
      "<th>Peak push [N]</th><th>Grasps</th><th>Jams</th></tr>";
  for (const Operation& op : operations) {
    const auto duration = op.duration();
    text += fmt::format(
        "<tr><td><a href='#goal-{}'>{}</a></td><td "
        "class='{}'>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td>"
        "<td>{}</td><td>{}</td><td>{:.3f}</td><td>{}</td><td>{}</td></tr>",
        op.goal, escaped(op.name), isReached(op) ? "good" : "bad", escaped(op.verdict),
        secondsText(op.grabbed), secondsText(op.firstContact), secondsText(op.seated),
        secondsText(op.released), secondsText(duration),
        duration ? fmt::format("{:.0f}", *duration / kTmu) : "–", op.maxPush, op.grasps, op.jams);
  }
  return text + "</table></div>";
}

/// What a person set during the session, and took back.
bool isMark(const SessionEvent& event) {
  for (const char* kind : {"bookmark", "note", "undo", "redo", "reset", "solver", "rate", "guidance"})
    if (event.kind == kind) return true;
  return false;
}

std::vector<TimeRow> timeRows(const SessionReader& session, std::span<const Operation> operations) {
  std::vector<TimeRow> rows;
  const std::vector<SessionEvent> events = session.events();
  for (std::size_t h = 0; h < session.hands().size(); ++h) {
    TimeRow& hand = rows.emplace_back(TimeRow{session.hands()[h], {}, {}});
    std::optional<double> from;
    int body = -1;
    const auto close = [&](double to) {
      if (from && body >= 0 && body < static_cast<int>(session.bodies().size()))
        hand.bars.push_back({*from, to, session.bodies()[static_cast<std::size_t>(body)]});
      from.reset();
    };
    for (const SessionEvent& event : events) {
      if (event.hand != static_cast<int>(h)) continue;
      if (event.kind == "release" || event.kind == "lost" || event.kind == "grab") close(event.time);
      if (event.kind == "grab") {
        from = event.time;
        body = event.body;
      }
    }
    close(session.lastTime());
  }
  TimeRow marks{"notes and marks", {}, {}};
  for (const SessionEvent& event : events)
    if (isMark(event)) marks.marks.push_back({event.time, "mark", event.kind + " " + event.text});
  if (!marks.marks.empty()) rows.push_back(std::move(marks));
  for (const Operation& op : operations) {
    TimeRow& goal = rows.emplace_back(TimeRow{op.part, {}, {}});
    if (op.firstContact) goal.marks.push_back({*op.firstContact, "contact", "first contact"});
    for (const SessionEvent& event : events)
      if (event.goal == op.goal && (event.kind == "jam" || event.kind == "seated"))
        goal.marks.push_back({event.time, event.kind, event.kind});
  }
  return rows;
}

std::string marksTable(const SessionReader& session, const content::Scene& scene) {
  std::string rows;
  for (const SessionEvent& event : session.events())
    if (isMark(event))
      rows += fmt::format("<tr class='mark'><td>{:.3f}</td><td>{}</td><td>{}</td></tr>", event.time,
                          escaped(event.kind),
                          escaped(event.kind == "note" ? event.text : sentenceOf(event, scene)));
  if (rows.empty()) return "";
  return "<h2>Notes and marks</h2><table id='marks'><tr><th>Time [s]</th><th>Kind</th><th>What</th></tr>" +
         rows + "</table>";
}

std::string figures(const Operation& op, const content::Goal& goal) {
  std::string text = "<table class='facts'>";
  text +=
      row("Held", fmt::format("{:.3f} s in {} {}", op.held, op.grasps, op.grasps == 1 ? "grasp" : "grasps"));
  text += row("Way of the hand", fmt::format("{:.1f} mm", op.handPath * 1e3), "hand_path");
  text += row("Way of the part", fmt::format("{:.1f} mm", op.partPath * 1e3), "part_path");
  text += row("Force of the hand, peak / mean", fmt::format("{:.2f} / {:.2f} N", op.peakForce, op.meanForce),
              "force");
  text += row("Torque of the hand, peak / mean",
              fmt::format("{:.4f} / {:.4f} N m", op.peakTorque, op.meanTorque), "torque");
  text += row("Peak push along the hole", fmt::format("{:.3f} N", op.maxPush), "max_push");
  text += row("Least clearance on the way",
              op.grasps == 0      ? "–"
              : op.passed.empty() ? fmt::format("no part that it did not touch came within {:g} mm",
                                                LeastClearance::kFarthest * 1e3)
                                  : fmt::format("{:.3f} mm, to {} at {:.3f} s", op.passed[0].clearance * 1e3,
                                                escaped(op.passed[0].name), op.passed[0].time),
              "least_clearance");
  if (const auto& head = op.head) {
    text +=
        row("Head from the part, least / mean",
            fmt::format("{:.0f} / {:.0f} mm", head->leastDistance * 1e3, head->meanDistance * 1e3), "head");
    text += row(
        "Estimate of the posture",
        fmt::format("looked down by {:.0f}°, at most {:.0f}°; reached {:.0f} mm from the head",
                    head->meanGazeDown * kDegrees, head->mostGazeDown * kDegrees, head->farthestReach * 1e3),
        "posture");
  }
  text += row("Depth at the end, off what was asked for",
              fmt::format("{:.3f} mm of {:.3f} mm, {:+.4f} mm", (op.depthError + goal.depth) * 1e3,
                          goal.depth * 1e3, op.depthError * 1e3),
              "depth");
  text += row("Off the axis at the end", fmt::format("{:.2f} µm", op.lateralError * 1e6), "lateral");
  text += row("Tilt at the end", fmt::format("{:.4f}°", op.tilt * kDegrees), "tilt");
  return text + "</table>";
}

std::string touchedTable(const Operation& op) {
  if (op.touched.empty()) return "<p>While it was held it touched nothing.</p>";
  std::string text =
      "<table><tr><th>Touched while held</th><th>Times</th><th>In all [s]</th><th>Peak force [N]</th></tr>";
  for (const TouchedPair& pair : op.touched)
    text += fmt::format("<tr><td>{}</td><td>{}</td><td>{:.3f}</td><td>{:.3f}</td></tr>", escaped(pair.with),
                        pair.episodes, pair.duration, pair.peakForce);
  return text + "</table>";
}

std::string charts(const Operation& op) {
  Chart push{"Push against depth", "depth of the tip [mm]", "push [N]", {{}}};
  for (const DepthPush& at : op.curve) push.curves[0].points.emplace_back(at.depth * 1e3, at.push);
  Chart front{"Way of the tip, from the front", "x [mm]", "z [mm]", {{}}, true};
  Chart top{"Way of the tip, from above", "x [mm]", "y [mm]", {{}}, true};
  for (const auto& [time, p] : op.path) {
    front.curves[0].points.emplace_back(p.x() * 1e3, p.z() * 1e3);
    top.curves[0].points.emplace_back(p.x() * 1e3, p.y() * 1e3);
  }
  return fmt::format("<div class='charts'>{}{}{}</div>", svgOf(push), svgOf(front), svgOf(top));
}

std::string picturesOf(int goal, const ReportPictures& pictures) {
  std::string text;
  for (const ReportPicture& picture : pictures.all)
    if (picture.goal == goal)
      text += fmt::format(
          "<figure><img alt='{0}' src='data:image/png;base64,{1}'><figcaption>{0}</figcaption></figure>",
          escaped(picture.title), base64(picture.png));
  return text;
}

constexpr const char* kDefinitions =
    "<h2>What the figures mean</h2><ul>"
    "<li><b>Taken, let go</b>: the first time that a hand closed on the part, and the last time that one "
    "opened or "
    "lost it. <b>First contact</b>: first force between the part and the one that has the hole, after that. "
    "<b>Seated</b>: first at depth, aligned, in time.</li>"
    "<li><b>Duration</b>: from taken to seated, or to let go where it was not. <b>TMU</b>: that time in "
    "units of "
    "0.036 s. It is a time, not an analysis of motions.</li>"
    "<li><b>Push</b>: what the part with the hole resists, along the hole's axis; its peak is over all "
    "steps. "
    "<b>Force and torque of the hand</b>: what all hands do to the part beyond carrying its weight, over the "
    "keyframes in which it was held.</li>"
    "<li><b>Ways</b>: added up between keyframes in which the part was held; of the part, that of its own "
    "origin.</li>"
    "<li><b>Least clearance</b>: the smallest distance, in the keyframes in which the part was held, to any "
    "part "
    "that it did not touch meanwhile, but the one with the hole.</li>"
    "<li><b>Jam</b>: it stood still while it was pushed, short of its depth.</li>"
    "<li><b>Head</b>: its distance from the part's tip, where a headset was worn. A posture is an "
    "<b>estimate</b> "
    "from headset and controller alone: back, neck and elbows are nowhere seen.</li>"
    "<li>Figures are of rigid parts and of the hand's spring.</li></ul>";

/// JSON in a script element must neither end that nor begin a comment in it.
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
                       std::span<const Operation> operations, const ReportPictures& pictures) {
  std::string text = fmt::format(
      "<!DOCTYPE html>\n<html lang='en'><head><meta charset='utf-8'><meta name='viewport' "
      "content='width=device-width, initial-scale=1'><title>{}</title><style>{}</style></head><body><main>\n",
      escaped(scene.title), kStyle);
  text += headOf(session, scene, operations) + picturesOf(-1, pictures);
  if (!pictures.why.empty())
    text += fmt::format("<p class='note'>No pictures: {}</p>", escaped(pictures.why));
  text += summaryTable(operations);
  text +=
      "<h2>Time line</h2><div class='wide timeline'>" +
      svgOf(timeRows(session, operations), session.lastTime()) +
      "</div><p class='note'>Bars: a hand holds a part. Rings: first contact; green: seated; red: jam; "
      "yellow: notes and marks. The time is the session's: a reset or an undo does not take it back.</p>" +
      marksTable(session, scene);
  for (const Operation& op : operations) {
    text += fmt::format("\n<section id='goal-{}'><h2>{}</h2><p class='verdict {}'>{}</p>", op.goal,
                        escaped(op.name), isReached(op) ? "good" : "bad", escaped(op.verdict));
    if (!op.why.empty()) text += fmt::format("<p class='why'>{}</p>", escaped(op.why));
    text += picturesOf(op.goal, pictures) + figures(op, scene.goals[static_cast<std::size_t>(op.goal)]) +
            charts(op) + touchedTable(op) + "</section>";
  }
  text += kDefinitions;
  text +=
      "<script type='application/json' id='operations'>" + inScript(operationsJson(operations)) + "</script>";
  return text + "</main></body></html>\n";
}

}  // namespace tenon::runtime
