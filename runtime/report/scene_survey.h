// Contents of a scene: parts with size and mass, joints and degrees of freedom, surfaces, fits with
// clearances, parameters.
#pragma once

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "content/model/scene.h"
#include "content/parts/thread_pair.h"

namespace tenon::runtime {

/// A named hole or end of a part, in the part's frame.
struct SiteSurvey {
  std::string name;
  physics::Vector3d position = physics::Vector3d::Zero();  ///< of the mouth or the tip [m]
  physics::Vector3d axis = physics::Vector3d::UnitZ();     ///< unit, out of the part
  std::optional<double> diameter, depth, length;           ///< of a hole, of a shaft [m]; none: unknown
  bool through = false;                                    ///< of a hole
  bool isFaceted = false;                                  ///< its wall is round, but collides as facets
};

struct PartSurvey {
  std::string name, material;  ///< empty: no material
  std::string library;         ///< its name in the parts library; empty: none
  std::vector<std::string> features, holes;
  std::vector<SiteSurvey> ends, holeSites;  ///< of `features` and `holes`, in the same order
  int fileEntry = -1;                       ///< parts of one "count" have the same
  physics::MotionType motion = physics::MotionType::dynamic;
  std::vector<physics::Thread> threads;
  std::optional<physics::Vector3d> size;  ///< along the part's axes [m]; none: unlimited
  physics::MassProperties mass;           ///< mass 0: not given, for parts that are not dynamic
};

struct JointSurvey {
  std::string name, kind, part, to;  ///< kind as in a scene file; to the world: empty
  physics::Vector3d position;        ///< of its frame at the start, in the world [m]
  /// Unit axis of rotation or travel, likewise; none if the kind has no axis.
  std::optional<physics::Vector3d> axis;
  physics::JointRange angle, travel;  ///< [rad], [m]
  std::optional<double> pitch;        ///< travel per turn [m]; none: not helical
  std::optional<double> diameter;     ///< nominal diameter of the thread [m]; none: unknown
  double friction = 0;                ///< Coulomb's μ of the thread [-]
  bool collides = false;
};

/// Parts that joints connect.
struct MechanismSurvey {
  std::vector<std::string> parts;  ///< dynamic parts
  std::size_t joints = 0;
  int degreesOfFreedom = 0;  ///< at the start
  int redundant = 0;         ///< redundant constraints
};

/// Fit of a goal's hole and part.
struct FitSurvey {
  std::string part, feature, into, hole;
  std::optional<double> holeDiameter, pegDiameter;  ///< [m]; none: not round about the goal's axis
  double depth = 0;                                 ///< required [m]
  double timeLimit = 0;                             ///< [s]
  double friction = 0;                              ///< Coulomb's μ of the two materials [-]
  double restitution = 0;                           ///< of the two materials [-]
  double stiffness = 0;                             ///< of the two materials [N/m]; infinite: rigid
  std::optional<content::Fit> assignedFit;          ///< fit assigned to a nominal pair
  std::optional<content::ThreadPair> threads;       ///< of both, about the goal's axis

  /// True if the fit is one of walls, without a round hole.
  bool isOfWalls() const { return assignedFit && !assignedFit->sizes.empty(); }
  /// Diametral clearance, or that of the walls by their fit [m]; negative for an interference fit.
  std::optional<double> clearance() const {
    if (isOfWalls()) return assignedFit->clearance();
    if (!holeDiameter || !pegDiameter) return std::nullopt;
    return *holeDiameter - *pegDiameter;
  }
};

/// True if the range has an end on at least one side.
inline bool isLimited(const physics::JointRange& range) {
  return std::isfinite(range.low) || std::isfinite(range.high);
}

/// Contact properties of two materials.
struct SurfaceSurvey {
  std::string a, b;
  double friction = 0, restitution = 0;  ///< [-]
  double stiffness = 0;                  ///< [N/m]; infinite: rigid
};

struct SceneSurvey {
  std::string scene, file, title;
  double duration = 0, rate = 0;  ///< [s], [Hz]
  std::vector<PartSurvey> parts;
  std::vector<JointSurvey> joints;
  std::vector<MechanismSurvey> mechanisms;
  std::vector<SurfaceSurvey> surfaces;
  std::vector<FitSurvey> fits;
  std::vector<content::Parameter> parameters;
  std::vector<std::string> warnings;  ///< see scene_warnings.h
  std::string meshText;               ///< see mesh_survey.h
  nlohmann::ordered_json meshJson;    ///< see mesh_survey.h
};

SceneSurvey surveyOf(const content::Scene& scene);

/// Aligned tables, with a line end.
std::string toText(const SceneSurvey& survey);

/// One JSON object in SI units, indented, with a line end.
std::string toJson(const SceneSurvey& survey);

}  // namespace tenon::runtime
