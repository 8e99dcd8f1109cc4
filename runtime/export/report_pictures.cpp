// See report_pictures.h.
#include "runtime/export/report_pictures.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/assess/goal_watch.h"
#include "xr/display/offscreen.h"
#include "xr/looks/compose.h"
#include "xr/looks/fit_view.h"

namespace tenon::runtime {

namespace {

using physics::Pose;
using physics::Vector3d;

constexpr int kWidth = 800, kHeight = 500;
constexpr double kAspect = static_cast<double>(kWidth) / kHeight;

std::vector<Vector3d> pointsOf(const xr::PartMeshes& meshes, const std::vector<Pose>& poses, int only) {
  std::vector<Vector3d> points;
  for (std::size_t k = 0; k < poses.size(); ++k)
    if (meshes.of(k) && (only < 0 || static_cast<int>(k) == only))
      for (const Vector3d& p : meshes.of(k)->positions) points.push_back(poses[k] * p);
  return points;
}

/// Through the hole's axis, from the side, a little from above the mouth.
struct Cut {
  xr::SectionPlane plane;
  Vector3d from;
};

Cut cutAlong(const Pose& X_WH) {
  const Vector3d axis = X_WH.q * Vector3d::UnitZ();
  const Vector3d front = *xr::directionOf("front"), side = *xr::directionOf("right");
  const Vector3d wanted = std::abs(axis.dot(front)) < 0.9 ? front : side;
  Cut cut;
  cut.plane.normal = (wanted - axis.dot(wanted) * axis).normalized();
  cut.plane.offset = cut.plane.normal.dot(X_WH.p);
  cut.from = (cut.plane.normal + 0.35 * axis).normalized();
  return cut;
}

}  // namespace

ReportMoments::ReportMoments(const SessionReader& session, const content::Scene& scene,
                             const physics::World& world)
    : scene_(scene), world_(world) {
  moments_.push_back(
      {-1, session.lastTime(), fmt::format("At the end, {:.3f} s", session.lastTime()), {}, false});
  const std::vector<SessionEvent> events = session.events();
  for (std::size_t g = 0; g < scene.goals.size(); ++g) {
    Moment moment{static_cast<int>(g), session.lastTime(), "At the end", {}, false};
    for (const SessionEvent& event : events) {
      const bool tooDeep = event.text == toText(Verdict::tooDeep);
      if (event.goal != static_cast<int>(g) || (event.kind != "seated" && event.kind != "jam" && !tooDeep))
        continue;
      moment.time = tooDeep ? session.lastTime() : event.time;
      moment.title = tooDeep ? "Too deep" : event.kind == "jam" ? "Jammed" : "Seated";
    }
    moment.title += fmt::format(", {:.3f} s, cut open along the hole's axis", moment.time);
    moments_.push_back(std::move(moment));
  }
}

void ReportMoments::see(const Keyframe& frame) {
  std::vector<Pose> poses;
  for (Moment& moment : moments_) {
    if (moment.reached) continue;
    // Until then what was seen last stands in for it: perhaps no keyframe follows.
    moment.reached = frame.time > moment.time - 1e-9;
    if (poses.empty())
      for (std::size_t k = 0; k < frame.bodies.size(); ++k)
        poses.push_back(world_.partPose({static_cast<int>(k)}, frame.bodies[k]));
    moment.poses = poses;
  }
}

ReportPictures ReportMoments::draw(const std::function<void()>& goOn) const {
  ReportPictures pictures;
  try {
    xr::Offscreen display(kWidth, kHeight);
    const xr::PartMeshes meshes(scene_);
    for (const Moment& moment : moments_) {
      if (moment.poses.empty()) continue;
      goOn();
      xr::RenderScene picture = xr::compose(scene_, meshes, moment.poses);
      Vector3d from = *xr::directionOf("iso");
      int part = -1;
      if (moment.goal >= 0) {
        const content::Goal& goal = scene_.goals[static_cast<std::size_t>(moment.goal)];
        const Cut cut = cutAlong(moment.poses[static_cast<std::size_t>(goal.into)] * goal.X_IH);
        picture.section = cut.plane;
        from = cut.from;
        part = goal.part;
      }
      const xr::View view = xr::fittedView(pointsOf(meshes, moment.poses, part), from, kAspect);
      pictures.all.push_back({moment.goal, moment.title, xr::toPng(display.draw({&view, 1}, picture))});
    }
  } catch (const xr::NoGraphics& none) {
    pictures = {{}, none.what()};
  }
  return pictures;
}

}  // namespace tenon::runtime
