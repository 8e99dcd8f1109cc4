// See motion_tables.h.
#include "runtime/report/motion_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "runtime/report/row_csv.h"
#include "runtime/report/svg_chart.h"

namespace tenon::runtime {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kMotionSource =
    "MTM-1 normal times of Maynard, Stegemerten and Schwab, Methods-Time Measurement (1948), as in Groover, "
    "Work "
    "Systems, table 14.4";

std::string nameAt(const std::vector<std::string>& names, int index) {
  return index >= 0 && index < static_cast<int>(names.size()) ? names[static_cast<std::size_t>(index)] : "";
}

std::string tmuSeconds(double tmu) {
  return fmt::format("{:.1f}", tmu * kTmu);
}

/// Work on parts without a goal.
double otherWork(const MotionEstimate& estimate, std::span<const Operation> operations,
                 const SessionNames& names) {
  double sum = estimate.sequence();
  for (int part = 0; part < static_cast<int>(names.parts.size()); ++part)
    if (std::any_of(operations.begin(), operations.end(), [&](const Operation& op) {
          return op.part == names.parts[static_cast<std::size_t>(part)];
        }))
      sum -= estimate.sequenceFor(part);
  return sum;
}

std::string motionRow(const std::string& what, const std::string& motions, double tmu) {
  return fmt::format("<tr><td>{}</td><td class='motions'>{}</td><td>{:.0f}</td><td>{}</td></tr>",
                     escapeMarkup(what), escapeMarkup(motions), tmu, tmuSeconds(tmu));
}

Json motionRowOf(const HandlingMotions& handling, const BasicMotion& motion, const SessionNames& names) {
  return {{"hand", nameAt(names.hands, handling.hand)},
          {"part", nameAt(names.parts, handling.part)},
          {"for_part", nameAt(names.parts, motion.forPart)},
          {"code", motion.code},
          {"text", motion.text},
          {"distance_m", motion.distance},
          {"angle_rad", motion.angle},
          {"count", motion.count},
          {"tmu", motion.tmu},
          {"s", motion.tmu * kTmu},
          {"simultaneous", handling.isSimultaneous}};
}

Json motionRows(const MotionEstimate& estimate, const SessionNames& names) {
  Json rows = Json::array();
  for (const HandlingMotions& handling : estimate.handlings)
    for (const BasicMotion& motion : handling.motions) rows.push_back(motionRowOf(handling, motion, names));
  return rows;
}

Json totalRows(const MotionEstimate& estimate, const SessionNames& names) {
  Json rows = Json::array();
  const auto add = [&](const std::string& sum, const std::string& hand, double tmu) {
    rows.push_back(
        {{"sum", sum}, {"hand", hand}, {"tmu", tmu}, {"s", tmu * kTmu}, {"source", kMotionSource}});
  };
  add("one after the other", "", estimate.sequence());
  for (std::size_t h = 0; h < names.hands.size(); ++h)
    add("one hand", names.hands[h], estimate.ofHand(static_cast<int>(h)));
  return rows;
}

std::string dumped(const Json& rows) {
  return rows.dump(1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

std::string motionTable(const MotionEstimate& estimate, std::span<const Operation> operations,
                        const SessionNames& names) {
  if (estimate.handlings.empty()) return "";
  std::string text =
      "<h2>Time estimate by MTM-1</h2><div class='wide'><table id='mtm1'><tr><th>Part</th>"
      "<th>Basic motions, each with its TMU</th><th>TMU</th><th>Time [s]</th></tr>";
  for (const Operation& op : operations)
    if (op.sameHandlingAs < 0 && op.estimatedTmu > 0) text += motionRow(op.part, op.motions, op.estimatedTmu);
  if (const double other = otherWork(estimate, operations, names); other > 0.05)
    text += motionRow("other parts", "", other);
  const double sum = estimate.sequence();
  text += fmt::format("<tr class='sum'><th>One after the other</th><td></td><td>{:.0f}</td><td>{}</td></tr>",
                      sum, tmuSeconds(sum));
  for (std::size_t h = 0; h < names.hands.size(); ++h)
    if (const double hand = estimate.ofHand(static_cast<int>(h)); hand > 0)
      text += fmt::format("<tr><th>{} hand alone</th><td></td><td>{:.0f}</td><td>{}</td></tr>",
                          escapeMarkup(names.hands[h]), hand, tmuSeconds(hand));
  return text + fmt::format(
                    "</table></div><p class='note'><b>Estimate</b> from the paths of the hands, not from the "
                    "times of "
                    "the session: a person who has practiced, at 100 % performance, without allowances, "
                    "walking and looking. "
                    "1 TMU = 0.036 s; R reach, G grasp, M move, P position, T turn, AP apply pressure, D "
                    "disengage, RL release; "
                    "lengths in cm, angles in degrees. The class of a fit depends on its push as well, which "
                    "may grow "
                    "with the speed of the session. Where both hands work at once, the time is between "
                    "that of the "
                    "busier hand and the sum. Source: {}.</p>",
                    kMotionSource);
}

std::string motionsJson(const MotionEstimate& estimate, const SessionNames& names) {
  return dumped(motionRows(estimate, names));
}

std::string motionsCsv(const MotionEstimate& estimate, const SessionNames& names) {
  return csvOf(motionRowOf(HandlingMotions(), BasicMotion(), names), motionRows(estimate, names));
}

std::string motionTotalsJson(const MotionEstimate& estimate, const SessionNames& names) {
  return dumped(totalRows(estimate, names));
}

std::string motionTotalsCsv(const MotionEstimate& estimate, const SessionNames& names) {
  const Json rows = totalRows(estimate, names);
  return csvOf(rows.front(), rows);
}

}  // namespace tenon::runtime
