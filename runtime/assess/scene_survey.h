// What is in a scene: parts with size and mass, joints, fits with clearances, parameters.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "content/scene/scene.h"

namespace tenon::runtime {

struct PartSurvey {
  std::string name, material;  ///< no material: empty
  physics::Motion motion = physics::Motion::dynamic;
  std::optional<physics::Vector3d> size;  ///< along the part's axes [m]; none: endless
  physics::MassProperties mass;           ///< mass 0: not given, for parts that forces do not move
};

struct JointSurvey {
  std::string name, kind, part, to;   ///< kind as in a scene file; to the world: empty
  physics::JointRange angle, travel;  ///< [rad], [m]
  std::optional<double> pitch;        ///< travel a turn [m]; none: no thread
  bool collides = false;
};

/// A goal's hole and what goes into it.
struct FitSurvey {
  std::string part, feature, into, hole;
  std::optional<double> holeDiameter, pegDiameter;  ///< [m]; none: not round about the goal's axis
  double depth = 0;                                 ///< asked for [m]
  double timeLimit = 0;                             ///< [s]
  double friction = 0;                              ///< Coulomb's μ of the two materials [-]
  double restitution = 0;                           ///< of the two materials [-]
  double stiffness = 0;                             ///< of the two materials [N/m]; infinite: rigid

  /// Diametral clearance [m], negative for an interference fit.
  std::optional<double> clearance() const {
    if (!holeDiameter || !pegDiameter) return std::nullopt;
    return *holeDiameter - *pegDiameter;
  }
};

struct SceneSurvey {
  std::string scene, file, title;
  double duration = 0, rate = 0;  ///< [s], [Hz]
  std::vector<PartSurvey> parts;
  std::vector<JointSurvey> joints;
  std::vector<FitSurvey> fits;
  std::vector<content::Parameter> parameters;
  std::string meshText;             ///< see mesh_survey.h
  nlohmann::ordered_json meshJson;  ///< see mesh_survey.h
};

SceneSurvey surveyOf(const content::Scene& scene);

/// Aligned tables, with a line end.
std::string toText(const SceneSurvey& survey);

/// One JSON object in SI units, indented, with a line end.
std::string toJson(const SceneSurvey& survey);

}  // namespace tenon::runtime
