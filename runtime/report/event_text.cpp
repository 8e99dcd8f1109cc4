// See event_text.h.
#include "runtime/report/event_text.h"

#include <fmt/format.h>

namespace tenon::runtime {

namespace {

/// The name of number `index` of a list of named things; "?" for what the event does not name.
template <class List>
std::string nameOf(const List& list, int index) {
  if (index < 0 || index >= static_cast<int>(list.size())) return "?";
  return list[static_cast<std::size_t>(index)].name;
}

}  // namespace

std::string goalName(const content::Scene& scene, int index) {
  if (index < 0 || index >= static_cast<int>(scene.goals.size())) return "?";
  const content::Goal& goal = scene.goals[static_cast<std::size_t>(index)];
  if (!goal.name.empty()) return goal.name;
  return fmt::format("{} into {}/{}", nameOf(scene.parts, goal.part), nameOf(scene.parts, goal.into),
                     goal.hole);
}

std::string describeEvent(const SessionEvent& event, const content::Scene& scene) {
  const std::string hand = nameOf(scene.hands, event.hand), body = nameOf(scene.parts, event.body),
                    other = nameOf(scene.parts, event.other);
  const std::string& kind = event.kind;
  if (kind == "grab") return fmt::format("{} grasps {}", hand, body);
  if (kind == "release") return fmt::format("{} releases {}", hand, body);
  if (kind == "lost") return fmt::format("{} loses {}: it was pulled beyond the break distance", hand, body);
  if (kind == "place") return fmt::format("{} is moved to another pose", body);
  if (kind == "reset") return "reset to the start";
  if (kind == "driver-on") return fmt::format("{} is on {}: {}", body, other, event.text);
  if (kind == "driver-off") return fmt::format("{} is drawn off {}", body, other);
  if (kind == "driver-misfit") return fmt::format("{} does not fit {}: {}", body, other, event.text);
  if (kind == "click") return fmt::format("{} clicks at {}: its torque limit", body, event.text);
  if (kind == "contact-begin") return fmt::format("Contact: {}, {}", body, other);
  if (kind == "contact-end") return fmt::format("Contact ended: {}, {}", body, other);
  if (kind == "seated" || kind == "jam" || kind == "verdict")
    return fmt::format("{}: {}", goalName(scene, event.goal), event.text);
  if (kind == "not-converged") return fmt::format("a step did not converge: {}", event.text);
  if (kind == "converged") return "steps converge again";
  if (kind == "undo") return fmt::format("undone: {}", event.text);
  if (kind == "redo") return fmt::format("redone: {}", event.text);
  if (kind == "solver") return fmt::format("solver {} from here on", event.text);
  if (kind == "rate") return fmt::format("{} from here on", event.text);
  if (kind == "dynamics") return "gravity, restitution or damping changed";
  if (kind == "guidance") return fmt::format("guidance {}", event.text);
  if (kind == "failed") return event.text;
  if (kind == "scene") return fmt::format("scene {}", event.text);
  return event.text.empty() ? kind : fmt::format("{}: {}", kind, event.text);
}

}  // namespace tenon::runtime
