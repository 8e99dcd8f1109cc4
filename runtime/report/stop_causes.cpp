// See stop_causes.h.
#include "runtime/report/stop_causes.h"

#include <algorithm>

#include "runtime/record/recorded_goals.h"
#include "runtime/report/diagnosis_text.h"

namespace tenon::runtime {

void explainStops(const SessionReader& session, const content::Scene& scene,
                  std::vector<Operation>& operations) {
  const auto hasStopped = [](const Operation& op) { return !op.isReached() || op.jams > 0; };
  if (std::none_of(operations.begin(), operations.end(), hasStopped)) return;
  const std::vector<SessionEvent> events = session.events();
  SessionFrames frames(session);
  RecordedGoals goals(session, scene, events, frames);
  RecordedFrame end;
  frames.read(frames.lastKeyframe(), end);
  goals.restoreGrasps(end);
  for (Operation& op : operations) {
    const auto goal = static_cast<std::size_t>(op.goal);
    if (!op.isReached())
      op.why = verdictAndExplanation(goals.resultOf(goal, end), scene.goals[goal]);
    else if (const auto jam = goals.lastJamOf(goal, session.lastTick()))
      op.why = "on the way " + verdictAndExplanation(*jam, scene.goals[goal]);
  }
}

}  // namespace tenon::runtime
