// A draft of a scene, created from the assembly in a STEP file.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "content/step/step_model.h"

namespace tenon::content {

struct DraftPart {
  std::string name;     ///< unique
  std::string product;  ///< in the file
  int material = -1;    ///< index into SceneDraft::materials
  physics::Pose X_WP;
  std::optional<StepColor> color;
  bool isDynamic = false;
};

struct DraftMaterial {
  std::string name;
  double density = 0;    ///< [kg/m³]
  bool assumed = false;  ///< the file has no density
};

/// A fixed joint between two parts.
struct DraftJoint {
  int part = -1, to = -1;
};

/// The place of a part in the frame of another one, and the direction in which it comes there.
struct DraftPlace {
  physics::Pose X_IP;
  physics::Vector3d along = physics::Vector3d::UnitZ();  ///< unit, in the frame of that part
  double across = 0;                                     ///< tolerance across it [m]
};

struct DraftGoal {
  int part = -1, into = -1;
  std::string feature, hole;           ///< without a place
  double depth = 0;                    ///< [m]
  std::string fit;                     ///< class, as "H7/g6"; empty: none
  std::optional<double> clearance_um;  ///< as a fit [µm]
  std::optional<DraftPlace> place{};   ///< in place of an end in a hole
};

struct SceneDraft {
  std::string title, description;
  std::string file;  ///< STEP file, relative to the scene's folder
  std::vector<DraftMaterial> materials;
  std::vector<DraftPart> parts;
  std::vector<DraftJoint> joints;
  std::vector<DraftGoal> goals;
};

/// Removes the products of `file` that cannot be used, and their instances. Returns a line for each of them
/// with its name, its number of places and the reason. Throws InputError if no product can be used.
std::vector<std::string> dropRefused(StepModel& model, const std::string& file);

/// One part per instance, in its pose, all fixed. Products without a density get that of steel.
SceneDraft draftOf(const StepModel& model, const std::string& file);

/// Friction of all parts, because STEP files have none: dry steel [−].
inline constexpr double kAssumedFriction = 0.15;

/// The scene file, in millimeters.
std::string toSceneJson(const SceneDraft& draft);

}  // namespace tenon::content
