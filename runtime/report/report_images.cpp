// See report_images.h.
#include "runtime/report/report_images.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/assess/goal_watch.h"
#include "runtime/report/hole_section.h"
#include "xr/appearance/fit_view.h"
#include "xr/display/offscreen.h"

namespace tenon::runtime {

namespace {

using physics::Pose;
using physics::Vector3d;

constexpr int kWidth = 960, kHeight = 540;            ///< of the overview
constexpr int kSmallWidth = 480, kSmallHeight = 320;  ///< of the three images of a goal
/// Fewer than usual: a report has three images for each goal.
constexpr xr::SkyLightCounts kLights{10, 38}, kSmallLights{5, 16};
// Images of one part whose poses differ by less than this are considered equal.
constexpr double kSameDirection = 0.9999, kSamePlace = 1e-4 /* [m] */, kSameTime = 0.1 /* [s] */;

/// Without a power of ten for long sessions, and without a row of zeros for short ones.
std::string imageTimeText(double time) {
  return time < 1 ? fmt::format("{:.3g} s", time) : fmt::format("{:.2f} s", time);
}

std::vector<Vector3d> pointsOf(const xr::PartMeshes& meshes, const std::vector<Pose>& poses, int only) {
  std::vector<Vector3d> points;
  for (std::size_t k = 0; k < poses.size(); ++k)
    if (meshes.of(k) && (only < 0 || static_cast<int>(k) == only))
      for (const Vector3d& p : meshes.of(k)->positions) points.push_back(poses[k] * p);
  return points;
}

}  // namespace

ReportFrames::ReportFrames(const SessionReader& session, const content::Scene& scene,
                           const physics::World& world)
    : scene_(scene), world_(world) {
  CapturedFrame end;
  end.time = session.lastTime();
  end.title = "At the end, " + imageTimeText(end.time);
  capturedFrames_.push_back(std::move(end));
  const std::vector<SessionEvent> events = session.events();
  for (std::size_t g = 0; g < scene.goals.size(); ++g)
    addGoal(static_cast<int>(g), events, session.lastTime());
}

void ReportFrames::addGoal(int goal, const std::vector<SessionEvent>& events, double end) {
  const content::Goal& g = scene_.goals[static_cast<std::size_t>(goal)];
  CapturedFrame start, contact, last;
  last.title = "At the end";
  last.time = end;
  for (const SessionEvent& event : events) {
    const bool isPair =
        (event.body == g.part && event.other == g.into) || (event.body == g.into && event.other == g.part);
    if (start.title.empty() && event.kind == "grab" && event.body == g.part) {
      start.title = "Grasped";
      start.time = event.time;
    }
    if (contact.title.empty() && !start.title.empty() && event.kind == "contact-begin" && isPair) {
      contact.title = "First contact";
      contact.time = event.time;
    }
    const bool tooDeep = event.text == toText(Verdict::tooDeep);
    if (event.goal != goal || (event.kind != "seated" && event.kind != "jam" && !tooDeep)) continue;
    last.time = tooDeep ? end : event.time;
    last.title = tooDeep ? "Too deep" : event.kind == "jam" ? "Jammed" : "Seated";
  }
  const auto add = [&](CapturedFrame& moment, ReportImageKind kind) {
    if (moment.title.empty()) return;
    moment.goal = goal;
    moment.kind = kind;
    moment.title += ", " + imageTimeText(moment.time) + (kind == ReportImageKind::start ? "" : ", cut open");
    capturedFrames_.push_back(std::move(moment));
  };
  add(start, ReportImageKind::start);
  add(contact, ReportImageKind::contact);
  add(last, ReportImageKind::end);
}

void ReportFrames::add(const Keyframe& frame) {
  std::vector<Pose> poses;
  for (CapturedFrame& moment : capturedFrames_) {
    if (moment.reached) continue;
    // Until then the last keyframe is used, since none may follow.
    moment.reached = frame.time > moment.time - 1e-9;
    if (poses.empty())
      for (std::size_t k = 0; k < frame.bodies.size(); ++k)
        poses.push_back(world_.partPose({static_cast<int>(k)}, frame.bodies[k]));
    moment.poses = poses;
  }
}

/// True if an earlier goal of the same part has the same image: the same grasp, or the same section of the
/// part at the same pose.
bool ReportFrames::isRepeated(const CapturedFrame& moment) const {
  if (moment.goal < 0) return false;
  if (moment.kind == ReportImageKind::start)
    return std::any_of(capturedFrames_.begin(), capturedFrames_.end(), [&](const CapturedFrame& other) {
      return other.kind == moment.kind && other.goal < moment.goal &&
             scene_.goals[static_cast<std::size_t>(other.goal)].part ==
                 scene_.goals[static_cast<std::size_t>(moment.goal)].part;
    });
  const auto goalOf = [&](const CapturedFrame& m) -> const content::Goal& {
    return scene_.goals[static_cast<std::size_t>(m.goal)];
  };
  const auto poseOf = [](const CapturedFrame& m, int part) {
    return m.poses[static_cast<std::size_t>(part)];
  };
  const content::Goal& goal = goalOf(moment);
  const HoleSection cut = sectionThrough(poseOf(moment, goal.into) * goal.X_IH);
  return std::any_of(capturedFrames_.begin(), capturedFrames_.end(), [&](const CapturedFrame& other) {
    if (other.kind != moment.kind || other.goal >= moment.goal || other.poses.empty()) return false;
    const content::Goal& first = goalOf(other);
    if (first.part != goal.part) return false;
    const HoleSection before = sectionThrough(poseOf(other, first.into) * first.X_IH);
    const Pose X = poseOf(moment, goal.part), Y = poseOf(other, first.part);
    return before.plane.normal.dot(cut.plane.normal) > kSameDirection &&
           before.from.dot(cut.from) > kSameDirection &&
           std::abs(before.plane.offset - cut.plane.offset) < kSamePlace && (X.p - Y.p).norm() < kSamePlace &&
           std::abs(moment.time - other.time) < kSameTime;
  });
}

xr::RenderScene ReportFrames::sceneOf(const CapturedFrame& moment, const xr::PartMeshes& meshes,
                                      xr::View& view) const {
  xr::RenderScene picture = xr::compose(scene_, meshes, moment.poses);
  Vector3d from = *xr::viewDirection("iso");
  std::vector<Vector3d> points = pointsOf(meshes, moment.poses, -1);
  double aspect = static_cast<double>(kWidth) / kHeight;
  if (moment.goal >= 0) {
    aspect = static_cast<double>(kSmallWidth) / kSmallHeight;
    const content::Goal& goal = scene_.goals[static_cast<std::size_t>(moment.goal)];
    const Pose X_WH = moment.poses[static_cast<std::size_t>(goal.into)] * goal.X_IH;
    points = pointsOf(meshes, moment.poses, goal.part);
    if (moment.kind == ReportImageKind::start) {
      points.push_back(X_WH.p);  // where it is to go
    } else {
      const HoleSection cut = sectionThrough(X_WH);
      picture.section = cut.plane;
      from = cut.from;
    }
  }
  view = xr::fitView(points, from, aspect);
  return picture;
}

ReportImages ReportFrames::draw(const std::function<void(std::size_t, std::size_t)>& next) const {
  ReportImages images;
  std::vector<const CapturedFrame*> shown;
  for (const CapturedFrame& moment : capturedFrames_)
    if (!moment.poses.empty() && !isRepeated(moment)) shown.push_back(&moment);
  try {
    xr::Offscreen large(kWidth, kHeight, kLights), small(kSmallWidth, kSmallHeight, kSmallLights);
    const xr::PartMeshes meshes(scene_);
    for (const CapturedFrame* moment : shown) {
      next(images.all.size(), shown.size());
      xr::View view;
      const xr::RenderScene picture = sceneOf(*moment, meshes, view);
      xr::Offscreen& display = moment->goal < 0 ? large : small;
      images.all.push_back(
          {moment->goal, moment->kind, moment->title, xr::toPng(display.draw({&view, 1}, picture))});
    }
  } catch (const xr::GraphicsUnavailable& none) {
    images = {{}, none.what()};
  }
  return images;
}

}  // namespace tenon::runtime
