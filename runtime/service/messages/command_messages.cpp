// See command_messages.h.
#include "runtime/service/messages/command_messages.h"

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "content/input/input_error.h"
#include "content/input/limits.h"
#include "runtime/service/messages/state_messages.h"
#include "runtime/simulation/command_checks.h"

namespace tenon::service {

namespace {

using content::InputError;

void requireIndex(const content::Scene& scene, const char* what, int index, std::size_t count) {
  if (index >= 0 && static_cast<std::size_t>(index) < count) return;
  throw InputError(scene.file, what, fmt::format("{} is not an index", index),
                   count == 0 ? fmt::format("the scene has no {}", what)
                              : fmt::format("give an index from 0 to {}", count - 1));
}

void requireNumber(const std::string& field, double value, double minimum, double maximum) {
  if (!std::isfinite(value))
    throw InputError(field, fmt::format("{}", value), "is not finite", "give a finite number");
  if (value >= minimum && value <= maximum) return;
  throw InputError(field, fmt::format("{:g}", value), "is out of range",
                   fmt::format("give a number from {:g} to {:g}", minimum, maximum));
}

/// Of vectors: each component at most `largest` in size.
void requireWithin(const std::string& field, const v1::Vector3& v, double largest, const char* unit) {
  if (std::isfinite(v.x()) && std::isfinite(v.y()) && std::isfinite(v.z())) {
    for (const double x : {v.x(), v.y(), v.z()}) requireNumber(field, x, -largest, largest);
    return;
  }
  throw InputError(field, fmt::format("[{}, {}, {}]", v.x(), v.y(), v.z()), "is not finite",
                   fmt::format("give 3 finite numbers {}", unit));
}

physics::Pose checkedPose(const std::string& command, const v1::Pose& pose) {
  requireWithin(command + ".position", pose.position(), content::kMaxPosition, "[m]");
  if (pose.has_orientation()) {
    constexpr double kLengthTolerance = 1e-6;  // rounding of float
    const v1::Quaternion& q = pose.orientation();
    const double length = std::sqrt(q.w() * q.w() + q.x() * q.x() + q.y() * q.y() + q.z() * q.z());
    if (!(std::abs(length - 1) <= kLengthTolerance))
      throw InputError(command + ".quaternion", "", fmt::format("has the length {:g}", length),
                       "divide it by its length");
  }
  return poseOf(pose);
}

physics::Command graspOf(const v1::Grasp& grasp, const runtime::LockstepSimulation& simulation) {
  const content::Scene& scene = simulation.scene();
  requireHand(scene, grasp.hand());
  requireIndex(scene, "part", grasp.part(), scene.parts.size());
  runtime::requireMovable(scene, "Grasp", grasp.part());
  const physics::HandId hand{grasp.hand()};
  return physics::Grab{hand,
                       {grasp.part()},
                       grasp.has_pose() ? checkedPose("Grasp", grasp.pose()) : simulation.handTarget(hand)};
}

physics::Command dynamicsOf(const v1::SetDynamics& set, const runtime::LockstepSimulation& simulation) {
  physics::Dynamics dynamics = simulation.dynamics();
  if (set.has_gravity()) {
    requireWithin("SetDynamics.gravity", set.gravity(), content::kMaxGravity, "[m/s²]");
    dynamics.gravity = {set.gravity().x(), set.gravity().y(), set.gravity().z()};
  }
  if (set.has_linear_damping()) {
    requireNumber("SetDynamics.linear_damping", set.linear_damping(), 0, content::kMaxDamping);
    dynamics.linearDamping = set.linear_damping();
  }
  if (set.has_angular_damping()) {
    requireNumber("SetDynamics.angular_damping", set.angular_damping(), 0, content::kMaxDamping);
    dynamics.angularDamping = set.angular_damping();
  }
  if (set.has_restitution()) {
    requireNumber("SetDynamics.restitution", set.restitution(), 0, 1);
    dynamics.restitution = set.restitution();
  }
  return physics::SetDynamics{dynamics};
}

}  // namespace

void requireHand(const content::Scene& scene, int hand) {
  requireIndex(scene, "hand", hand, scene.hands.size());
}

int handOf(const v1::Command& message) {
  switch (message.input_case()) {
    case v1::Command::kMoveHand:
      return message.move_hand().hand();
    case v1::Command::kGrasp:
      return message.grasp().hand();
    case v1::Command::kRelease:
      return message.release().hand();
    default:
      return -1;
  }
}

physics::Command commandOf(const v1::Command& message, const runtime::LockstepSimulation& simulation) {
  const content::Scene& scene = simulation.scene();
  switch (message.input_case()) {
    case v1::Command::kMoveHand: {
      const v1::MoveHand& move = message.move_hand();
      requireHand(scene, move.hand());
      return physics::MoveHand{{move.hand()}, checkedPose("MoveHand", move.target())};
    }
    case v1::Command::kGrasp:
      return graspOf(message.grasp(), simulation);
    case v1::Command::kRelease:
      requireHand(scene, message.release().hand());
      return physics::Release{{message.release().hand()}};
    case v1::Command::kSetPose: {
      const v1::SetPose& set = message.set_pose();
      requireIndex(scene, "part", set.part(), scene.parts.size());
      runtime::requirePlaceable(scene, set.part());
      return physics::SetPose{{set.part()}, checkedPose("SetPose", set.pose())};
    }
    case v1::Command::kSetDynamics:
      return dynamicsOf(message.set_dynamics(), simulation);
    case v1::Command::kSetThruster: {
      const v1::SetThruster& set = message.set_thruster();
      requireIndex(scene, "thruster", set.thruster(), simulation.world().thrusterCount());
      requireNumber("SetThruster.level", set.level(), 0, 1);
      return physics::SetThruster{{set.thruster()}, set.level()};
    }
    default:
      throw InputError("Command", "input", "is missing", "give one of move_hand, grasp, release, …");
  }
}

xr::HandSample sampleOf(const v1::HandSample& message, const content::Scene& scene) {
  requireHand(scene, message.hand());
  xr::HandSample sample;
  sample.tracked = message.tracked();
  sample.closed = message.closed();
  if (!sample.tracked) return sample;
  sample.X_WH = checkedPose("HandSample.pose", message.pose());
  if (message.has_part()) {
    requireIndex(scene, "part", message.part(), scene.parts.size());
    runtime::requireMovable(scene, "HandSample", message.part());
    sample.wantedPart = message.part();
  }
  requireNumber("HandSample.grab_radius", message.grab_radius(), 0, content::kMaxSize);
  if (message.grab_radius() > 0) sample.grabRadius = message.grab_radius();
  if (message.has_closing_pose())
    sample.X_WH_closed = checkedPose("HandSample.closing_pose", message.closing_pose());
  requireNumber("HandSample.move_duration", message.move_duration(), 0, 1);
  return sample;
}

}  // namespace tenon::service
