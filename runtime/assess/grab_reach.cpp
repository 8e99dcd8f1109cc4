// See grab_reach.h. Distances as in the hand's search for the nearest part (xr/interaction).
#include "runtime/assess/grab_reach.h"

#include <algorithm>
#include <cmath>
#include <variant>

#include "content/model/build_world.h"
#include "xr/hands/hand_source.h"
#include "xr/interaction/part_bounds.h"

namespace tenon::runtime {

namespace {

using content::Hand;
using content::Waypoint;
using physics::Pose;
using physics::Vector3d;

static_assert(xr::kDefaultGrabRadius == content::kHandReach, "scripted hands reach as far as a person's");

/// Rounding error of a distance [m].
constexpr double kGrabRounding = 1e-9;

const content::Part& partOf(const content::Scene& scene, int part) {
  return scene.part(part);
}

double distanceTo(const content::Part& part, const Pose& X_WP, const Vector3d& p_W) {
  return xr::boundsOf(part.shape).exteriorDistance(X_WP.inverse() * p_W);
}

/// True if a script grabs `part` earlier than `hand` does with its entry `entry`.
bool isGrabbedBefore(const content::Scene& scene, std::size_t hand, std::size_t entry) {
  const Waypoint& grab = scene.hands[hand].script[entry];
  for (std::size_t h = 0; h < scene.hands.size(); ++h) {
    const std::vector<Waypoint>& script = scene.hands[h].script;
    for (std::size_t e = 0; e < script.size(); ++e)
      if (script[e].grab == grab.grab && (h == hand ? e < entry : script[e].time < grab.time)) return true;
  }
  return false;
}

/// Grabs from beyond the reach of parts that are at their start, since no script has moved them. The pose of
/// a hand that follows the part it held before is not in the script.
std::vector<FarGrab> farFromTheStart(const content::Scene& scene) {
  std::vector<FarGrab> found;
  for (std::size_t h = 0; h < scene.hands.size(); ++h) {
    const Hand& hand = scene.hands[h];
    Pose X_WH = hand.X_WH;
    bool posesHand = true;
    for (std::size_t e = 0; e < hand.script.size(); ++e) {
      const Waypoint& waypoint = hand.script[e];
      if (waypoint.X_W) {
        X_WH = *waypoint.X_W;
        posesHand = waypoint.frame == content::WaypointFrame::hand;
      }
      if (waypoint.grab < 0 || !posesHand || isGrabbedBefore(scene, h, e)) continue;
      const content::Part& part = partOf(scene, waypoint.grab);
      const double distance = distanceTo(part, part.X_WP, X_WH.p);
      if (distance > hand.reach + kGrabRounding) found.push_back({h, e, distance});
    }
  }
  return found;
}

/// Parts that move on their own in the first step, by index: falling, swinging or flying. All parts if a
/// driven part moves.
std::vector<bool> movingParts(const content::Scene& scene) {
  std::vector<bool> moving(scene.parts.size(), false);
  physics::World world = content::buildWorld(scene, {});
  // A resting part gains less than this while its contacts settle [m/s, rad/s].
  const double gain = 0.01 * scene.gravity.norm() * world.options().dt;
  const auto& bodies = world.step().bodies;
  bool driven = false;
  for (std::size_t k = 0; k < scene.parts.size(); ++k) {
    moving[k] = bodies[k].v.norm() > gain;
    driven = driven || (scene.parts[k].motion == physics::MotionType::kinematic &&
                        (bodies[k].v.norm() > 0 || bodies[k].omega.norm() > 0));
  }
  if (driven) moving.assign(moving.size(), true);
  return moving;
}

/// The entry with which `hand` closes on `part`: the latest one up to `time`.
std::optional<std::size_t> entryOf(const Hand& hand, int part, double time) {
  const std::int64_t time_ns = std::llround(time * 1e9);
  std::optional<std::size_t> entry;
  for (std::size_t e = 0; e < hand.script.size() && std::llround(hand.script[e].time * 1e9) <= time_ns; ++e)
    if (hand.script[e].grab == part) entry = e;
  return entry;
}

}  // namespace

std::vector<FarGrab> farGrabs(const content::Scene& scene) {
  std::vector<FarGrab> found = farFromTheStart(scene);
  if (found.empty()) return found;
  const std::vector<bool> moving = movingParts(scene);
  std::erase_if(found, [&](const FarGrab& grab) {
    const Waypoint& waypoint = scene.hands[grab.hand].script[grab.entry];
    return waypoint.time > 0 && moving[static_cast<std::size_t>(waypoint.grab)];
  });
  return found;
}

GrabWatch::GrabWatch(const content::Scene& scene) : scene_(scene), reported_(runtime::farGrabs(scene)) {}

bool GrabWatch::isReported(const FarGrab& grab) const {
  return std::any_of(reported_.begin(), reported_.end(), [&](const FarGrab& other) {
    return other.hand == grab.hand && other.entry == grab.entry;
  });
}

std::optional<FarGrab> GrabWatch::farGrab(const physics::World& world, const physics::Grab& grab) const {
  const auto h = static_cast<std::size_t>(grab.hand.value), b = static_cast<std::size_t>(grab.body.value);
  // A hand that grasps the part it already holds does not follow the script.
  if (world.stepResult().hands[h].body == grab.body) return std::nullopt;
  const Hand& hand = scene_.hands[h];
  const double distance =
      distanceTo(scene_.parts[b], world.partPose(grab.body, world.stepResult().bodies[b]), grab.X_WH.p);
  if (!(distance > hand.reach + kGrabRounding)) return std::nullopt;
  const double end = static_cast<double>(world.stepResult().step + 1) * world.options().dt;
  const auto entry = entryOf(hand, grab.body.value, end);
  if (!entry) return std::nullopt;
  return FarGrab{h, *entry, distance};
}

std::vector<FarGrab> GrabWatch::farGrabs(const physics::World& world,
                                         const std::vector<physics::Command>& commands) {
  std::vector<FarGrab> found;
  for (const physics::Command& command : commands) {
    const auto* const grab = std::get_if<physics::Grab>(&command);
    if (grab == nullptr) continue;
    const auto far = farGrab(world, *grab);
    if (!far || isReported(*far)) continue;
    reported_.push_back(*far);
    found.push_back(*far);
  }
  return found;
}

}  // namespace tenon::runtime
