// Edits of the goals in the text of a scene file.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "content/edit/json_text.h"
#include "content/model/scene.h"

namespace tenon::content {

/// A new goal: a feature of a part into a hole.
struct GoalDraft {
  std::string part, feature, into, hole;
  double depth = 0;  ///< [m]
  std::string fit;   ///< class, as "H7/g6"; empty: none
  double turns = 0;  ///< of a thread, in place of the depth; 0: none
};

/// Appends a goal. Its tolerances are 5 % of the depth, at most 1 mm, and 1°.
void addGoal(JsonText& text, const Scene& scene, const GoalDraft& goal);

/// Removes a goal, and its name from the "after" of others.
void removeGoal(JsonText& text, std::size_t goal);

/// Sets a field of a goal, such as "depth"; null removes it.
void setGoalField(JsonText& text, std::size_t goal, const std::string& field,
                  const nlohmann::ordered_json& value);

/// Removes the name of a goal from the "after" of all others.
void removeFromAfter(JsonText& text, const std::string& name);

}  // namespace tenon::content
