// See read_joints.h.
#include "content/reader/read_joints.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numbers>

#include "content/input/limits.h"
#include "content/input/wording.h"
#include "content/parts/standard_part.h"
#include "content/reader/read_parts.h"
#include "content/reader/read_profile.h"

namespace tenon::content {
namespace {

using physics::JointKind;
using physics::JointRange;

/// Largest whole number of degrees below physics::kMaxJointAngle.
constexpr double kMaxAngle_deg = 177;
static_assert(kMaxAngle_deg * std::numbers::pi / 180 < physics::kMaxJointAngle);

/// Reads [low, high], which contains the start value 0. `lockedKind` is the kind of joint without this degree
/// of freedom, for the remedy.
template <class Read>
JointRange readRange(const JsonCursor& at, const char* lockedKind, const Read& read) {
  const auto ends = at.elements(2, 2);
  const JointRange range{read(ends[0]), read(ends[1])};
  if (range.low > range.high) at.fail("has its lower end above its upper one", "swap the two");
  if (range.low == range.high)
    at.fail("is an empty range",
            fmt::format("give two different ends, or make the joint \"{}\"", lockedKind));
  if (range.low > 0 || range.high < 0)
    at.fail("does not contain 0, the start",
            "measure from the start poses: a lower end of at most 0, an upper one of at least 0");
  return range;
}

void readLimits(const JsonCursor& at, Joint& joint) {
  at.allowOnly({"angle_deg", "travel"});
  if (const auto angle = at.find("angle_deg")) {
    if (joint.kind != JointKind::hinge && joint.kind != JointKind::cylindrical)
      angle->fail("limits a joint that has no such limit",
                  "remove it; hinge and cylindrical joints have one, a helical one limits its \"travel\"");
    joint.angle = readRange(*angle, joint.kind == JointKind::hinge ? "fixed" : "slider",
                            [](const JsonCursor& end) { return end.angle(-kMaxAngle_deg, kMaxAngle_deg); });
  }
  if (const auto travel = at.find("travel")) {
    if (!physics::travels(joint.kind))
      travel->fail("limits a joint without travel",
                   "remove it; slider, cylindrical and helical joints have one");
    joint.travel = readRange(*travel, joint.kind == JointKind::cylindrical ? "hinge" : "fixed",
                             [](const JsonCursor& end) { return end.length(-kMaxPosition, kMaxPosition); });
  }
}

void readPitch(const JsonCursor& at, Joint& joint) {
  const auto pitch = at.find("pitch");
  if (joint.kind != JointKind::helical) {
    if (pitch)
      pitch->fail("is given for a joint that is not helical", "remove it, or make the joint \"helical\"");
    return;
  }
  joint.pitch = at.member("pitch", "a helical joint needs its travel per turn").length(-kMaxSize, kMaxSize);
  if (std::abs(joint.pitch) < kMinSize)
    pitch->fail("is too small for a thread",
                fmt::format("give at least {}, negative for a left-handed one", smallLengthText(kMinSize)));
}

/// Largest ratio of pitch to nominal diameter: above it, the profile of ISO 68-1 has no flanks [-].
constexpr double kMaxPitchRatio = 0.75;

/// The given diameter; else that of the part that is a standard screw or nut; else 0 (unknown).
void readDiameter(const JsonCursor& at, const Scene& scene, Joint& joint) {
  if (const auto given = at.find("diameter")) {
    if (joint.kind != JointKind::helical)
      given->fail("is given for a joint that is not helical", "remove it, or make the joint \"helical\"");
    joint.diameter = given->positiveLength();
    if (std::abs(joint.pitch) > kMaxPitchRatio * joint.diameter)
      given->fail(
          fmt::format("is {}, too little for a pitch of {}", given->inFileUnit(joint.diameter),
                      given->inFileUnit(std::abs(joint.pitch))),
          "give the thread's nominal diameter (M8: 8 mm), or remove it for a thread without friction");
    return;
  }
  if (joint.kind != JointKind::helical) return;
  const auto standard = [&](int part) {
    return part >= 0 ? threadDiameterOf(scene.part(part).libraryName) : std::nullopt;
  };
  const double diameter = standard(joint.part).value_or(standard(joint.to).value_or(0));
  if (std::abs(joint.pitch) <= kMaxPitchRatio * diameter) joint.diameter = diameter;
}

int readTo(const JsonCursor& at, const Scene& scene, const Joint& joint) {
  const auto to = at.find("to");
  if (!to) return -1;
  const auto names = namesOf(scene.parts);
  if (std::find(names.begin(), names.end(), "world") == names.end() && to->isText("world"))
    to->fail("names no part: \"world\"", "remove \"to\": a joint without it is connected to the world");
  const int part = to->indexIn(names, "part");
  if (part == joint.part)
    to->fail("is the part itself", "name another part, or remove it for a joint to the world");
  return part;
}

/// The frame of the joint in the frame of its part; z is the joint axis.
Pose readFrame(const JsonCursor& at) {
  Pose frame;
  if (const auto position = at.find("position")) frame.p = position->position();
  if (const auto axis = at.find("axis"))
    frame.q = physics::shortestRotation(Vector3d::UnitZ(), axis->direction());
  return frame;
}

Joint readJoint(const JsonCursor& at, const Scene& scene) {
  if (const auto thread = at.find("thread"))
    thread->fail("is no field of a joint any more: threads are cut into parts, and touch",
                 "remove the joint, give the hole \"thread\": {\"size\": \"M8\"} in place of \"diameter\" "
                 "(standard screws have theirs), and the goal \"turns\" and \"torque_nm\"; or keep a "
                 "\"helical\" joint without \"thread\"");
  at.allowOnly({"name", "kind", "part", "to", "position", "axis", "pitch", "diameter", "limits", "collides"});
  at.reportMissing({"name", "kind", "part"});
  Joint joint;
  joint.name = uniqueName(at.member("name"), scene.joints);
  joint.kind =
      std::array{JointKind::fixed,  JointKind::ball,        JointKind::hinge,
                 JointKind::slider, JointKind::cylindrical, JointKind::helical}[at.member("kind").choice(
          {"fixed", "ball", "hinge", "slider", "cylindrical", "helical"})];
  const JsonCursor part = at.member("part");
  joint.part = part.indexIn(namesOf(scene.parts), "part");
  joint.to = readTo(at, scene, joint);
  const auto isDynamic = [&](int k) {
    return k >= 0 && scene.part(k).motion == physics::MotionType::dynamic;
  };
  if (!isDynamic(joint.part) && !isDynamic(joint.to))
    part.fail("is joined to a part that is not dynamic either",
              "make the \"motion\" of one of the two \"dynamic\"");
  readPitch(at, joint);
  joint.X_PB = readFrame(at);
  const Pose X_WB = scene.part(joint.part).X_WP * joint.X_PB;
  joint.X_PA = joint.to >= 0 ? scene.part(joint.to).X_WP.inverse() * X_WB : X_WB;
  if (const auto limits = at.find("limits")) readLimits(*limits, joint);
  if (const auto collides = at.find("collides")) joint.collides = collides->boolean();
  readDiameter(at, scene, joint);
  return joint;
}

}  // namespace

void readJoints(const JsonCursor& root, Scene& scene) {
  const auto list = root.find("joints");
  if (!list) return;
  for (const JsonCursor& at : list->elements(0, kMaxEntries)) scene.joints.push_back(readJoint(at, scene));
}

}  // namespace tenon::content
