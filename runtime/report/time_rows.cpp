// See time_rows.h.
#include "runtime/report/time_rows.h"

#include <optional>
#include <utility>

namespace tenon::runtime {

bool isMark(const SessionEvent& event) {
  for (const char* kind :
       {"bookmark", "note", "undo", "redo", "reset", "solver", "rate", "guidance", "failed"})
    if (event.kind == kind) return true;
  return false;
}

std::vector<TimelineRow> timeRows(const SessionReader& session, std::span<const Operation> operations) {
  std::vector<TimelineRow> rows;
  const std::vector<SessionEvent> events = session.events();
  for (std::size_t h = 0; h < session.hands().size(); ++h) {
    TimelineRow& hand = rows.emplace_back(TimelineRow{session.hands()[h], {}, {}});
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
  TimelineRow marks{"notes and marks", {}, {}};
  for (const SessionEvent& event : events)
    if (isMark(event)) marks.marks.push_back({event.time, "mark", event.kind + " " + event.text});
  if (!marks.marks.empty()) rows.push_back(std::move(marks));
  for (const Operation& op : operations) {
    TimelineRow& goal = rows.emplace_back(TimelineRow{op.name, {}, {}});
    if (op.firstContact) goal.marks.push_back({*op.firstContact, "contact", "first contact"});
    for (const SessionEvent& event : events)
      if (event.goal == op.goal && (event.kind == "jam" || event.kind == "seated"))
        goal.marks.push_back({event.time, event.kind, event.kind});
  }
  return rows;
}

}  // namespace tenon::runtime
