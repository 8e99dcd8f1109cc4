// Collects the data of a scene and of its shapes.
#include "runtime/report/scene_survey.h"

#include "content/model/build_world.h"
#include "content/model/part_holes.h"
#include "content/parts/threaded_shapes.h"
#include "content/reader/read_mesh.h"
#include "runtime/assess/insertion_fit.h"
#include "runtime/report/mesh_survey.h"
#include "runtime/report/scene_warnings.h"
#include "xr/interaction/part_bounds.h"

namespace tenon::runtime {

namespace {

using physics::Vector3d;

SiteSurvey surveyOf(const content::HoleSite& hole, const content::Part& part) {
  SiteSurvey site;
  site.name = hole.name;
  site.position = hole.X_PH.p;
  site.axis = hole.X_PH.q * Vector3d::UnitZ();
  if (hole.isRound) site.diameter = hole.diameter();
  site.depth = hole.depth();
  site.through = hole.through;
  site.isFaceted = part.mesh && part.mesh->part.isFaceted(hole.name);
  return site;
}

SiteSurvey surveyOf(const content::AxisFeature& feature, const content::Part& part) {
  SiteSurvey site;
  site.name = feature.name;
  site.position = feature.origin;
  site.axis = feature.direction;
  if (const auto shaft = shaftOf(part, feature)) {
    site.diameter = shaft->diameter;
    site.length = shaft->length;
  }
  site.isFaceted = part.mesh && part.mesh->part.isFaceted(feature.name);
  return site;
}

PartSurvey surveyOf(const content::Part& part, const content::Scene& scene) {
  PartSurvey survey;
  survey.name = part.name;
  if (part.material >= 0) survey.material = scene.materials[static_cast<std::size_t>(part.material)].name;
  survey.motion = part.motion;
  survey.library = part.libraryName;
  survey.fileEntry = part.fileEntry;
  for (const content::AxisFeature& feature : part.features) {
    survey.features.push_back(feature.name);
    survey.ends.push_back(surveyOf(feature, part));
  }
  for (const content::HoleSite& hole : content::holesOf(part)) {
    survey.holes.push_back(hole.name);
    survey.holeSites.push_back(surveyOf(hole, part));
  }
  for (const content::PlacedThread& placed : content::threadsOf(part.shape))
    survey.threads.push_back(placed.thread);
  const Vector3d size = xr::boundsOf(part.shape).sizes();
  if (size.allFinite()) survey.size = size;
  survey.mass = part.mass;
  return survey;
}

JointSurvey surveyOf(const content::Joint& joint, const content::Scene& scene) {
  JointSurvey survey;
  survey.name = joint.name;
  survey.kind = physics::toText(joint.kind);
  survey.part = scene.part(joint.part).name;
  if (joint.to >= 0) survey.to = scene.part(joint.to).name;
  const content::Part& part = scene.part(joint.part);
  const physics::Pose X_WB = part.X_WP * joint.X_PB;
  survey.position = X_WB.p;
  if (physics::turns(joint.kind) || physics::travels(joint.kind)) survey.axis = X_WB.q * Vector3d::UnitZ();
  survey.angle = joint.angle;
  survey.travel = joint.travel;
  if (joint.kind == physics::JointKind::helical) survey.pitch = joint.pitch;
  if (joint.diameter > 0) survey.diameter = joint.diameter;
  survey.friction = content::threadFrictionOf(scene, joint);
  survey.collides = joint.collides;
  return survey;
}

MechanismSurvey surveyOf(const physics::Mechanism& mechanism, const content::Scene& scene) {
  MechanismSurvey survey;
  for (const physics::BodyId id : mechanism.bodies) survey.parts.push_back(scene.part(id.value).name);
  survey.joints = mechanism.joints.size();
  survey.degreesOfFreedom = mechanism.degreesOfFreedom;
  survey.redundant = mechanism.redundant;
  return survey;
}

SurfaceSurvey surveyOf(const content::MaterialPair& pair, const content::Scene& scene) {
  const auto nameOf = [&](int material) { return scene.materials[static_cast<std::size_t>(material)].name; };
  return {nameOf(pair.a), nameOf(pair.b), pair.friction, pair.restitution, pair.stiffness};
}

FitSurvey surveyOf(const content::Goal& goal, const content::Scene& scene) {
  const content::Part& part = scene.part(goal.part);
  FitSurvey survey;
  survey.part = part.name;
  survey.feature = part.features[static_cast<std::size_t>(goal.feature)].name;
  survey.into = scene.part(goal.into).name;
  survey.hole = goal.hole;
  const InsertionFit fit = insertionFitOf(scene, goal);
  if (fit.boreRadius > 0) survey.holeDiameter = 2 * fit.boreRadius;
  if (fit.pegRadius > 0) survey.pegDiameter = 2 * fit.pegRadius;
  const content::MaterialPair surfaces = content::materialPairOf(scene, part, scene.part(goal.into));
  survey.friction = surfaces.friction;
  survey.restitution = surfaces.restitution;
  survey.stiffness = fit.stiffness;
  survey.assignedFit = goal.fit;
  survey.threads = content::threadPairOf(scene, goal);
  survey.depth = goal.depth;
  survey.timeLimit = goal.timeLimit;
  return survey;
}

}  // namespace

SceneSurvey surveyOf(const content::Scene& scene) {
  SceneSurvey survey;
  survey.scene = scene.name;
  survey.file = scene.file;
  survey.title = scene.title;
  survey.duration = scene.duration;
  survey.rate = scene.rate;
  for (const content::Part& part : scene.parts) survey.parts.push_back(surveyOf(part, scene));
  for (const content::Joint& joint : scene.joints) survey.joints.push_back(surveyOf(joint, scene));
  if (!scene.joints.empty())
    for (const physics::Mechanism& mechanism : content::buildWorld(scene, {}).analyzeMobility().mechanisms)
      survey.mechanisms.push_back(surveyOf(mechanism, scene));
  for (const content::MaterialPair& pair : scene.pairs) survey.surfaces.push_back(surveyOf(pair, scene));
  for (const content::Goal& goal : scene.goals) survey.fits.push_back(surveyOf(goal, scene));
  survey.parameters = scene.parameters;
  survey.warnings = sceneWarnings(scene);
  survey.meshText = meshText(scene);
  survey.meshJson = meshJson(scene);
  return survey;
}

}  // namespace tenon::runtime
