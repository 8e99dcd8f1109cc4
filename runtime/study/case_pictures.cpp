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
  Vector3d from = *xr::viewDirection("iso");
  std::vector<Vector3d> points;
  if (const auto mouth = content::mouthOf(scene, goal)) {
    const physics::Pose X_WH = poses[into] * goal.X_IH;
    const Vector3d tip =
        poses[part] * scene.parts[part].features[static_cast<std::size_t>(goal.feature)].origin;
    const Vector3d offset = tip - X_WH.p, axis = X_WH.q * Vector3d::UnitZ();
    const HoleSection section = sectionThrough(X_WH, offset - axis.dot(offset) * axis);
    picture.section = section.plane;
    from = section.from;
    points = pointsAt(X_WH, kShownDiameters * mouth->diameter(), tip);
  } else if (meshes.of(part)) {
    for (const Vector3d& p : meshes.of(part)->positions) points.push_back(poses[part] * p);
  }
  const xr::View view = xr::fitView(points, from, static_cast<double>(kPictureWidth) / kPictureHeight);
  return xr::toPng(display_.draw({&view, 1}, picture));
}

}  // namespace tenon::runtime
