// A scene in the making, from the assembly in a STEP file.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "content/step/step_model.h"

namespace tenon::content {

struct DraftPart {
  std::string name;     ///< unlike every other part's
  std::string product;  ///< in the file
  int material = -1;    ///< index into SceneDraft::materials
  physics::Pose X_WP;
  std::optional<StepColor> color;
  bool moves = false;
};

struct DraftMaterial {
  std::string name;
  double density = 0;    ///< [kg/m³]
  bool assumed = false;  ///< the file gives none
};

/// Two parts that hold each other: the first one moves with the second.
struct DraftJoint {
  int part = -1, to = -1;
};

struct DraftGoal {
  int part = -1, into = -1;
  std::string feature, hole;
  double depth = 0;  ///< [m]
};

struct SceneDraft {
  std::string title, description;
  std::string file;  ///< of the assembly, as seen from the scene's folder
  std::vector<DraftMaterial> materials;
  std::vector<DraftPart> parts;
  std::vector<DraftJoint> joints;
  std::vector<DraftGoal> goals;
};

/// A part for each instance, at its place; none moves. Products without a density are taken for steel.
SceneDraft draftOf(const StepModel& model, const std::string& file);

/// The scene as its file has it, in millimetres.
std::string toSceneJson(const SceneDraft& draft);

}  // namespace tenon::content
