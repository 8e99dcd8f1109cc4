// See operations_table.h.
#include "runtime/report/operations_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "runtime/report/significant_text.h"
#include "runtime/report/svg_chart.h"

namespace tenon::runtime {

namespace {

using Group = std::vector<const Operation*>;

/// By part, in the order of their first goals.
std::vector<Group> byPart(std::span<const Operation> operations) {
  std::vector<Group> groups;
  for (const Operation& first : operations) {
    if (first.sameHandlingAs >= 0) continue;
    Group& group = groups.emplace_back();
    for (const Operation& op : operations)
      if (op.goal == first.goal || op.sameHandlingAs == first.goal) group.push_back(&op);
  }
  return groups;
}

/// From the first grasp until the last goal of the part was seated, or until its release if one was
/// not.
std::optional<double> durationOf(const Group& group) {
  std::optional<double> longest;
  for (const Operation* op : group) {
    const std::optional<double> duration = op->duration();
    if (duration) longest = std::max(longest.value_or(0), *duration);
  }
  return longest;
}

std::string handlingCells(const Group& group) {
  const Operation& op = *group.front();
  std::string text;
  for (const std::string& cell :
       {timeText(op.grabbed), timeText(op.released), timeText(durationOf(group)), std::to_string(op.grasps),
        op.estimatedTmu > 0 ? fmt::format("{:.1f}", op.estimatedTmu * kTmu) : std::string("–")})
    text += fmt::format("<td rowspan='{}'>{}</td>", group.size(), cell);
  return text;
}

}  // namespace

std::string timeText(const std::optional<double>& time) {
  if (!time) return "–";
  return *time == 0 ? "0" : *time < 0.005 ? "&lt; 0.01" : fmt::format("{:.2f}", *time);
}

std::size_t countParts(std::span<const Operation> operations) {
  return byPart(operations).size();
}

std::string operationsTable(std::span<const Operation> operations) {
  if (operations.empty()) return "";
  std::string text =
      "<h2>Operations</h2><div class='wide'><table id='summary'><tr><th rowspan='2'>Goal</th>"
      "<th rowspan='2'>Verdict</th><th rowspan='2'>First contact [s]</th><th rowspan='2'>Seated [s]</th>"
      "<th rowspan='2'>Peak push [N]</th><th rowspan='2'>Jams</th><th colspan='5'>Part in hand</th></tr>"
      "<tr><th>Grasped [s]</th><th>Released [s]</th><th>Duration [s]</th><th>Grasps</th><th>MTM-1 estimate "
      "[s]</th></tr>";
  for (const Group& group : byPart(operations))
    for (const Operation* op : group)
      text += fmt::format(
          "<tr><td><a href='#goal-{}'>{}</a></td><td class='{}'>{}</td><td>{}</td><td>{}</td><td>{}</td>"
          "<td>{}</td>{}</tr>",
          op->goal, escapeMarkup(op->name), op->isReached() ? "good" : "bad", escapeMarkup(op->verdict),
          timeText(op->firstContact), timeText(op->seated),
          escapeMarkup(significantText(op->maxPush, kForceResolution)), op->jams,
          op == group.front() ? handlingCells(group) : "");
  return text +
         "</table></div><p class='note'>Where a script moves the hands, times are those of the script, not "
         "those of a person.</p>";
}

}  // namespace tenon::runtime
