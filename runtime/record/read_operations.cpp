// See read_operations.h.
#include "runtime/record/read_operations.h"

#include <algorithm>
#include <utility>

#include "runtime/record/keyframes.h"

namespace tenon::runtime {

SessionResults resultsOf(SessionReader& session, const content::Scene& scene, const physics::World& world,
                         const std::function<void(const Keyframe&)>& seen) {
  if (session.bodies().size() != scene.parts.size())
    session.fail("body", "does not have the parts of the session's scene");
  Operations operations(scene, world);
  for (const SessionEvent& event : session.events()) operations.add(event);
  for (const ContactEpisode& episode : session.episodes()) operations.add(episode);
  Keyframes keyframes(session);
  for (Keyframe frame; keyframes.next(frame);) {
    operations.add(frame);
    seen(frame);
  }
  std::vector<Operation> all = operations.results();
  const std::vector<RecordedGoal> goals = session.goals();
  for (std::size_t k = 0; k < std::min(all.size(), goals.size()); ++k) all[k].maxPush = goals[k].maxPush;
  return {std::move(all), operations.motions()};
}

std::vector<Operation> operationsOf(SessionReader& session, const content::Scene& scene,
                                    const physics::World& world,
                                    const std::function<void(const Keyframe&)>& seen) {
  return resultsOf(session, scene, world, seen).operations;
}

}  // namespace tenon::runtime
