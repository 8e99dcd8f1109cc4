// See case_pictures.h.
#include "runtime/study/case_pictures.h"

#include <vector>

#include "content/model/part_holes.h"
#include "runtime/report/hole_section.h"
#include "xr/appearance/compose.h"
#include "xr/appearance/fit_view.h"
#include "xr/display/image.h"

namespace tenon::runtime {

namespace {

using physics::Vector3d;

constexpr int kPictureWidth = 480, kPictureHeight = 360;
/// As in the report of a session.
constexpr xr::SkyLightCounts kPictureLights{10, 38};
/// Half the side of the shown cube about the mouth, in diameters of the hole.
constexpr double kShownDiameters = 0.8;
/// The section is turned to contain the tip if that is farther from the hole's axis [m]: less is not seen.
constexpr double kSeenOffset = 1e-5;

/// Corners of a cube about the mouth, and the tip [world, m].
std::vector<Vector3d> pointsAt(const physics::Pose& X_WH, double halfSide, const Vector3d& tip) {
  std::vector<Vector3d> points{tip};
  for (const double x : {-halfSide, halfSide})
    for (const double y : {-halfSide, halfSide})
      for (const double z : {-halfSide, halfSide}) points.push_back(X_WH * Vector3d(x, y, z));
  return points;
}

}  // namespace

CasePictures::CasePictures() : display_(kPictureWidth, kPictureHeight, kPictureLights) {}

std::string CasePictures::draw(const CaseRun& run) {
  const content::Scene& scene = *run.scene;
  const std::vector<physics::Pose>& poses = run.result.parts;
  const content::Goal& goal = scene.goals[static_cast<std::size_t>(decisiveGoal(run.result).goal)];
  const auto part = static_cast<std::size_t>(goal.part), into = static_cast<std::size_t>(goal.into);
  const xr::PartMeshes meshes(scene);
  xr::RenderScene picture = xr::compose(scene, meshes, poses);
  const physics::Pose X_WH = poses[into] * goal.X_IH;
  const Vector3d axis = X_WH.q * Vector3d::UnitZ();
  std::vector<Vector3d> points;
  Vector3d across = Vector3d::Zero();
  if (const auto mouth = content::mouthOf(scene, goal)) {
    const Vector3d tip =
        poses[part] * scene.parts[part].features[static_cast<std::size_t>(goal.feature)].origin;
    across = tip - X_WH.p - axis.dot(tip - X_WH.p) * axis;
    points = pointsAt(X_WH, kShownDiameters * mouth->diameter(), tip);
  } else if (meshes.of(part)) {
    for (const Vector3d& p : meshes.of(part)->positions) points.push_back(poses[part] * p);
  }
  if (across.norm() < kSeenOffset) across.setZero();
  const HoleSection section = sectionThrough(X_WH, across);
  picture.section = section.plane;
  const xr::View view =
      xr::fitView(points, section.from, static_cast<double>(kPictureWidth) / kPictureHeight);
  return xr::toPng(display_.draw({&view, 1}, picture));
}

}  // namespace tenon::runtime
