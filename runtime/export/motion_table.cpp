// See motion_table.h.
#include "runtime/export/motion_table.h"

#include <fmt/format.h>

#include "runtime/record/keyframes.h"
#include "runtime/record/session_tables.h"
#include "runtime/report/event_text.h"

namespace tenon::runtime {

namespace {

using physics::Pose;
using physics::Vector3d;

std::string headOf(const SessionReader& session, const content::Scene& scene) {
  std::string head = "tick,session_s";
  const auto add = [&](const std::string& name, std::initializer_list<const char*> columns) {
    for (const char* const column : columns) head += "," + csvField(fmt::format("{} {}", name, column));
  };
  for (const std::string& part : session.bodies())
    add(part, {"px_m", "py_m", "pz_m", "qw", "qx", "qy", "qz"});
  for (const std::string& hand : session.hands())
    add(hand, {"holds", "fx_n", "fy_n", "fz_n", "tx_nm", "ty_nm", "tz_nm"});
  for (std::size_t g = 0; g < scene.goals.size(); ++g)
    add(goalName(scene, static_cast<int>(g)), {"verdict", "depth_m", "tilt_rad", "push_n"});
  return head + "\n";
}

std::string inCells(const Vector3d& v) {
  return fmt::format(",{},{},{}", v.x(), v.y(), v.z());
}

}  // namespace

void writeMotionTable(SessionReader& session, const content::Scene& scene, const physics::World& world,
                      const std::function<void(double)>& progress,
                      const std::function<void(const std::string&)>& sink) {
  if (session.bodies().size() != scene.parts.size())
    session.fail("body", "does not have the parts of the session's scene");
  sink(headOf(session, scene));
  Keyframes frames(session);
  for (Keyframe frame; frames.next(frame);) {
    progress(frame.time);
    std::string row = fmt::format("{},{}", frame.tick, frame.time);
    for (std::size_t k = 0; k < frame.bodies.size(); ++k) {
      const Pose X = world.partPose({static_cast<int>(k)}, frame.bodies[k]);
      row += inCells(X.p) + fmt::format(",{},{},{},{}", X.q.w(), X.q.x(), X.q.y(), X.q.z());
    }
    for (const physics::HandState& hand : frame.hands) {
      const bool isHeld = hand.body.valid();
      row += "," + (isHeld ? csvField(session.bodies().at(static_cast<std::size_t>(hand.body.value))) : "");
      row += isHeld ? inCells(hand.force) + inCells(hand.torque) : ",,,,,,";
    }
    for (const RecordedGoalState& goal : frame.goals)
      row += fmt::format(",{},{},{},{}", csvField(goal.verdict), goal.depth, goal.tilt, goal.push);
    sink(row + "\n");
  }
}

}  // namespace tenon::runtime
