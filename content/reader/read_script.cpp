// See read_script.h. Steps refer to the parts as they start, and as this script has moved them.
#include "content/reader/read_script.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <optional>
#include <string>
#include <vector>

#include "content/input/limits.h"
#include "content/input/wording.h"
#include "content/model/part_holes.h"
#include "content/reader/found_sites.h"
#include "content/reader/read_parts.h"

namespace tenon::content {
namespace {

/// Of the script of a hand: some 15 for each part of a plan.
constexpr std::size_t kMaxWaypoints = 20000;

/// Speeds where a step gives none: carrying and approaching a part, inserting it [m/s].
constexpr double kCarrySpeed = 0.25, kInsertSpeed = 0.02;
constexpr double kRotationSpeed = 2 * std::numbers::pi;  ///< of all steps but "turns" [rad/s]
constexpr double kTurnSpeed = 1;                         ///< of "turns" [turns/s]
constexpr double kLift = 0.05;                           ///< before a part is carried to its hole [m]
constexpr double kApproach = 0.01;                       ///< above the hole, where an insertion begins [m]
constexpr double kMaxSpeed_mm = 1e5;                     ///< [mm/s]
constexpr double kMaxLength_mm = 1e6;
constexpr const char* kSteps =
    "give \"at_s\", or a step: take, insert, above, lift_mm, turns, wait_s or release";

/// A hole in the world.
struct Target {
  int part = -1;
  HoleSite site;
  Pose X_WH;                    ///< mouth, +z out of the hole
  std::optional<double> depth;  ///< of a hexagon, which drivers enter like a hole [m]
};

class ScriptReader {
 public:
  ScriptReader(const Scene& scene, Hand& hand) : scene_(scene), hand_(hand) {
    last_.X_W = X_WH_ = hand.X_WH;
    if (scene.gravity.norm() > 0) up_ = -scene.gravity.normalized();
  }

  void read(const JsonCursor& at) {
    if (at.has("take"))
      readTake(at);
    else if (at.has("insert"))
      readInsert(at);
    else if (at.has("above"))
      readAbove(at);
    else if (at.has("lift_mm"))
      readLift(at);
    else if (at.has("turns"))
      readTurns(at);
    else if (at.has("wait_s") || at.has("wait_until_s"))
      readWait(at);
    else
      readWaypoint(at);
    ++entry_;
  }

 private:
  // --- waypoints with a time

  void readWaypoint(const JsonCursor& at);
  void readMove(const JsonCursor& at, Waypoint& waypoint) const;
  void readTurn(const JsonCursor& at, Waypoint& waypoint) const;
  int readGrab(const JsonCursor& at) const;
  double arrivalOf(const JsonCursor& at, const Waypoint& waypoint) const;

  // --- steps with a speed

  void readTake(const JsonCursor& at);
  void readInsert(const JsonCursor& at);
  void readAbove(const JsonCursor& at);
  void readLift(const JsonCursor& at);
  void readTurns(const JsonCursor& at);
  void readWait(const JsonCursor& at);

  Target targetAt(const JsonCursor& at) const;
  int featureOf(const JsonCursor& at, const Target& target) const;
  double depthOf(const JsonCursor& at, const Target& target, int feature) const;
  Pose partAbove(const Target& target, int feature, const Vector3d& p_H) const;
  void requireHeld(const JsonCursor& at, const char* step) const;

  static double speedOf(const JsonCursor& at, double speed) {
    const auto given = at.find("speed_mm_per_s");
    return given ? given->number({0, kMaxSpeed_mm, false, "mm/s"}) * 1e-3 : speed;
  }
  static double lengthOf(const JsonCursor& at, const char* field, double length) {
    const auto given = at.find(field);
    return given ? given->number({-kMaxLength_mm, kMaxLength_mm, true, "mm"}) * 1e-3 : length;
  }

  /// The point `height` above a hole's mouth, beside its axis by "offset_mm".
  static Vector3d besideAxis(const JsonCursor& at, double height) {
    Vector3d p_H(0, 0, height);
    if (const auto offset = at.find("offset_mm")) {
      const std::vector<JsonCursor> xy = offset->elements(2, 2);
      for (int k = 0; k < 2; ++k)
        p_H[k] = xy[static_cast<std::size_t>(k)].number({-kMaxLength_mm, kMaxLength_mm, true, "mm"}) * 1e-3;
    }
    return p_H;
  }

  /// Where a part is at this point of the script.
  const Pose& poseOf(int part) const {
    const auto moved = moved_.find(part);
    return moved == moved_.end() ? scene_.part(part).X_WP : moved->second;
  }
  double heightOf(const Vector3d& p) const { return p.dot(up_); }

  /// Of the straight motion to a waypoint [s].
  static double durationOf(const Pose& from, const Waypoint& to, double speed) {
    const double angle =
        to.rotationVector.isZero(0) ? from.q.angularDistance(to.X_W->q) : to.rotationVector.norm();
    return std::max((to.X_W->p - from.p).norm() / speed, angle / kRotationSpeed);
  }
  /// Adds a motion of the hand, or of the held part, to `X_W` in a straight line.
  Waypoint& moveTo(const Pose& X_W, WaypointFrame frame, double speed);
  void append(Waypoint waypoint);
  void grasp(int part);

  const Scene& scene_;
  Hand& hand_;
  Vector3d up_ = Vector3d::UnitZ();
  int entry_ = 0;
  double time_ = 0;  ///< of the last waypoint [s]
  Waypoint last_;    ///< the last one with a pose
  Pose X_WH_;        ///< the hand
  Pose X_PH_;        ///< the hand in the frame of the part that it grasped last
  int held_ = -1;
  bool lifted_ = false;  ///< the held part has been moved
  std::map<int, Pose> moved_;
  std::optional<Target> into_;  ///< of the last insertion
};

void ScriptReader::append(Waypoint waypoint) {
  time_ = waypoint.time;
  waypoint.entry = entry_;
  if (waypoint.X_W) {
    const bool part = waypoint.frame == WaypointFrame::part;
    X_WH_ = part ? *waypoint.X_W * X_PH_ : *waypoint.X_W;
    if (held_ >= 0) moved_[held_] = part ? *waypoint.X_W : X_WH_ * X_PH_.inverse();
    lifted_ = true;
    last_ = waypoint;
  }
  if (waypoint.release) held_ = -1;
  if (waypoint.grab >= 0) grasp(waypoint.grab);
  hand_.script.push_back(std::move(waypoint));
}

void ScriptReader::grasp(int part) {
  held_ = part;
  lifted_ = false;
  X_PH_ = poseOf(part).inverse() * X_WH_;
}

Waypoint& ScriptReader::moveTo(const Pose& X_W, WaypointFrame frame, double speed) {
  Waypoint waypoint;
  waypoint.X_W = X_W;
  waypoint.frame = frame;
  waypoint.time = time_ + durationOf(frame == WaypointFrame::part ? poseOf(held_) : X_WH_, waypoint, speed);
  append(std::move(waypoint));
  return hand_.script.back();
}

// --- waypoints with a time
// ----------------------------------------------------------------------------------

/// "turn": the rotation from the pose of the previous waypoint.
void ScriptReader::readTurn(const JsonCursor& at, Waypoint& waypoint) const {
  at.allowOnly({"axis", "turns"});
  if (last_.frame != waypoint.frame)
    at.fail("has no start orientation", "put it after a waypoint with a pose in the same \"frame\"");
  const double turns = at.member("turns").number({-kMaxTurns, kMaxTurns, true, "turns"});
  const Vector3d turn = 2 * std::numbers::pi * at.member("axis").direction();
  waypoint.rotationVector = turns * turn;
  // Without whole turns: the sine and cosine of many turns are not exact.
  waypoint.X_W->q = (physics::exponential(std::remainder(turns, 1) * turn) * last_.X_W->q).normalized();
}

void ScriptReader::readMove(const JsonCursor& at, Waypoint& waypoint) const {
  at.allowOnly({"frame", "position", "rotation", "turn"});
  const auto frame = at.find("frame");
  if (frame && frame->choice({"hand", "part"}) == 1) waypoint.frame = WaypointFrame::part;
  if (waypoint.frame == WaypointFrame::part && held_ < 0) {
    frame->fail("is \"part\" while the hand holds none",
                "add \"grab\" to an earlier waypoint, or move the \"hand\"");
  }
  at.member("position");
  waypoint.X_W = at.pose();
  const auto turn = at.find("turn");
  if (!turn) return;
  if (const auto rotation = at.find("rotation"))
    rotation->fail("is given together with \"turn\"",
                   "keep one of the two: a turn starts from the previous pose");
  readTurn(*turn, waypoint);
}

int ScriptReader::readGrab(const JsonCursor& at) const {
  const int part = at.indexIn(namesOf(scene_.parts), "part");
  if (scene_.part(part).motion != physics::MotionType::dynamic) {
    at.fail(fmt::format("grabs {}, which is not dynamic", inQuotes(scene_.part(part).name)),
            "grab a part that can move, or make its \"motion\" \"dynamic\"");
  }
  if (held_ >= 0)
    at.fail("grabs while the hand holds a part", "add \"release\": true to an earlier waypoint");
  return part;
}

/// Time of arrival: "at_s", or that of the last waypoint and the way at "speed_mm_per_s".
double ScriptReader::arrivalOf(const JsonCursor& at, const Waypoint& waypoint) const {
  const auto given = at.find("at_s");
  if (!given) {
    if (!waypoint.X_W) return time_;
    const Pose& from = waypoint.frame == WaypointFrame::part ? poseOf(held_) : X_WH_;
    return time_ + durationOf(from, waypoint, speedOf(at, kCarrySpeed));
  }
  if (const auto speed = at.find("speed_mm_per_s"))
    speed->fail("is given together with \"at_s\"", "keep one of the two");
  const double time = given->number({0, kMaxTime, true, "s"});
  if (time < time_)
    given->fail(fmt::format("is {:g} s, before the previous waypoint", time),
                fmt::format("waypoints are in order of time: give at least {:g} s", time_));
  return time;
}

void ScriptReader::readWaypoint(const JsonCursor& at) {
  at.allowOnly({"at_s", "speed_mm_per_s", "move", "grab", "release"});
  if (!at.has("move") && !at.has("grab") && !at.has("release")) at.member("at_s", kSteps);
  Waypoint waypoint;
  if (const auto move = at.find("move")) readMove(*move, waypoint);
  waypoint.time = arrivalOf(at, waypoint);
  if (const auto release = at.find("release")) {
    waypoint.release = release->boolean();
    if (waypoint.release && at.has("grab")) {
      release->fail("is given together with \"grab\"", "use two waypoints, which may have the same \"at_s\"");
    }
    if (waypoint.release && held_ < 0)
      release->fail("is true while the hand holds no part",
                    "remove it, or add \"grab\" to an earlier waypoint");
  }
  if (const auto grab = at.find("grab")) waypoint.grab = readGrab(*grab);
  append(std::move(waypoint));
}

// --- steps with a speed
// -------------------------------------------------------------------------------------

void ScriptReader::requireHeld(const JsonCursor& at, const char* step) const {
  if (held_ < 0)
    at.fail(fmt::format("has \"{}\" while the hand holds no part", step), "add {\"take\": PART} before it");
}

/// "PART/HOLE", or "PART/HEXAGON" of a screw or nut.
Target ScriptReader::targetAt(const JsonCursor& at) const {
  const std::string text = at.text(2 * kMaxNameBytes + 1);
  std::vector<std::string> all;
  for (int part = 0; part < static_cast<int>(scene_.parts.size()); ++part) {
    const std::string prefix = scene_.part(part).name + "/";
    for (HoleSite& site : mouthsOf(scene_.part(part))) {
      if (prefix + site.name == text) {
        const Pose X_WH = poseOf(part) * site.X_PH;
        return {part, std::move(site), X_WH, {}};
      }
      all.push_back(prefix + site.name);
    }
    for (const Hexagon& hexagon : scene_.part(part).hexagons) {
      if (prefix + hexagon.name == text)
        return {part, {hexagon.name, hexagon.X_PH, {}}, poseOf(part) * hexagon.X_PH, hexagon.depth};
      all.push_back(prefix + hexagon.name);
    }
  }
  at.fail(fmt::format("names no hole: {}", inQuotes(text)), suggestion(text, all));
}

/// "feature" of the held part: as given, else that of its goal in this hole, else as defaultFeature().
int ScriptReader::featureOf(const JsonCursor& at, const Target& target) const {
  const Part& part = scene_.part(held_);
  if (const auto given = at.find("feature")) return featureAt(*given, part);
  for (const Goal& goal : scene_.goals)
    if (goal.part == held_ && goal.into == target.part && goal.hole == target.site.name) return goal.feature;
  if (target.depth && part.driver) return 0;  // the tip
  if (const auto feature = defaultFeature(part)) return *feature;
  at.fail(fmt::format("does not say which end of {} goes in", inQuotes(part.name)),
          part.features.empty() ? "give the part a \"feature\", and name it here"
                                : "add \"feature\": one of " + quotedList(namesOf(part.features)));
}

/// "depth_mm": as given, else that of the goal.
double ScriptReader::depthOf(const JsonCursor& at, const Target& target, int feature) const {
  if (const auto given = at.find("depth_mm"))
    return given->number({-kMaxLength_mm, kMaxLength_mm, true, "mm"}) * 1e-3;
  for (const Goal& goal : scene_.goals)
    if (goal.part == held_ && goal.into == target.part && goal.hole == target.site.name &&
        goal.feature == feature)
      return goal.depth;
  if (target.depth) return *target.depth;
  at.fail("has no depth, and no goal for this part and hole gives one", "add \"depth_mm\"");
}

/// Pose of the held part with its feature at `p_H` in the frame of the hole, pointing into it; turned no
/// further than that needs.
Pose ScriptReader::partAbove(const Target& target, int feature, const Vector3d& p_H) const {
  const Part& part = scene_.part(held_);
  const AxisFeature& end = part.features[static_cast<std::size_t>(feature)];
  const physics::Quaterniond& q = poseOf(held_).q;
  const Vector3d into = -(target.X_WH.q * Vector3d::UnitZ());
  Pose X_WP;
  X_WP.q = (physics::shortestRotation(q * end.direction, into) * q).normalized();
  X_WP.p = target.X_WH * p_H - X_WP.q * end.origin;
  return X_WP;
}

void ScriptReader::readTake(const JsonCursor& at) {
  at.allowOnly({"take", "at", "speed_mm_per_s"});
  const JsonCursor partAt = at.member("take");
  const int part = readGrab(partAt);
  const auto point = at.find("at");
  const Vector3d p_P = point ? point->position() : Vector3d(scene_.part(part).mass.center);
  // The hand comes from above, where it goes far.
  const Pose X_WH{hand_.X_WH.q, poseOf(part) * p_P};
  const double speed = speedOf(at, kCarrySpeed);
  const Vector3d way = X_WH.p - X_WH_.p;
  if ((way - way.dot(up_) * up_).norm() > kLift) {
    Pose above = X_WH;
    above.p += (std::max(heightOf(X_WH.p) + kLift, heightOf(X_WH_.p)) - heightOf(X_WH.p)) * up_;
    moveTo(above, WaypointFrame::hand, speed);
  }
  moveTo(X_WH, WaypointFrame::hand, speed).grab = part;
  grasp(part);
}

void ScriptReader::readLift(const JsonCursor& at) {
  at.allowOnly({"lift_mm", "speed_mm_per_s"});
  const bool part = held_ >= 0;
  Pose X_W = part ? poseOf(held_) : X_WH_;
  X_W.p += lengthOf(at, "lift_mm", 0) * up_;
  moveTo(X_W, part ? WaypointFrame::part : WaypointFrame::hand, speedOf(at, kCarrySpeed));
}

void ScriptReader::readAbove(const JsonCursor& at) {
  at.allowOnly({"above", "height_mm", "offset_mm", "feature", "speed_mm_per_s"});
  const JsonCursor name = at.member("above");
  requireHeld(name, "above");
  const Target target = targetAt(name);
  const Vector3d p_H = besideAxis(at, lengthOf(at, "height_mm", kApproach));
  moveTo(partAbove(target, featureOf(at, target), p_H), WaypointFrame::part, speedOf(at, kCarrySpeed));
}

void ScriptReader::readInsert(const JsonCursor& at) {
  at.allowOnly({"insert", "into", "feature", "approach_mm", "offset_mm", "depth_mm", "lift_mm",
                "carry_speed_mm_per_s", "speed_mm_per_s"});
  const JsonCursor partAt = at.member("insert");
  const int part = partAt.indexIn(namesOf(scene_.parts), "part");
  if (part != held_)
    partAt.fail(fmt::format("inserts {}, which the hand does not hold", inQuotes(scene_.part(part).name)),
                fmt::format("add {{\"take\": {}}} before it", inQuotes(scene_.part(part).name)));
  const Target target = targetAt(at.member("into"));
  const int feature = featureOf(at, target);
  const double depth = depthOf(at, target, feature);
  const auto carry = at.find("carry_speed_mm_per_s");
  const double carrySpeed = carry ? carry->number({0, kMaxSpeed_mm, false, "mm/s"}) * 1e-3 : kCarrySpeed;
  const Pose start = partAbove(target, feature, besideAxis(at, lengthOf(at, "approach_mm", kApproach)));
  const double lift = lengthOf(at, "lift_mm", lifted_ ? 0 : kLift);
  if (lift > 0) {
    Pose up = poseOf(held_), over = start;
    const double height = std::max(heightOf(up.p), heightOf(start.p)) + lift;
    up.p += (height - heightOf(up.p)) * up_;
    over.p += (height - heightOf(over.p)) * up_;
    moveTo(up, WaypointFrame::part, carrySpeed);
    moveTo(over, WaypointFrame::part, carrySpeed);
  }
  moveTo(start, WaypointFrame::part, carrySpeed);
  moveTo(partAbove(target, feature, {0, 0, -depth}), WaypointFrame::part, speedOf(at, kInsertSpeed));
  into_ = target;
}

void ScriptReader::readTurns(const JsonCursor& at) {
  at.allowOnly({"turns", "advance_mm", "turns_per_s"});
  const JsonCursor turnsAt = at.member("turns");
  requireHeld(turnsAt, "turns");
  if (!into_)
    turnsAt.fail("has no axis", "put it after an \"insert\": the part turns about the axis of that hole");
  const double turns = turnsAt.number({-kMaxTurns, kMaxTurns, true, "turns"});
  const auto speed = at.find("turns_per_s");
  const double rate = speed ? speed->number({0, kMaxTurns, false, "turns/s"}) : kTurnSpeed;
  const Vector3d into = -(into_->X_WH.q * Vector3d::UnitZ());
  Waypoint waypoint;
  waypoint.frame = WaypointFrame::part;
  waypoint.rotationVector = 2 * std::numbers::pi * turns * into;
  Pose X_W = poseOf(held_);
  X_W.p += lengthOf(at, "advance_mm", 0) * into;
  // Without whole turns: the sine and cosine of many turns are not exact.
  X_W.q = (physics::exponential(2 * std::numbers::pi * std::remainder(turns, 1) * into) * X_W.q).normalized();
  waypoint.X_W = X_W;
  waypoint.time = time_ + std::abs(turns) / rate;
  append(std::move(waypoint));
}

void ScriptReader::readWait(const JsonCursor& at) {
  at.allowOnly({"wait_s", "wait_until_s"});
  const Range range{0, kMaxTime, true, "s"};
  const auto until = at.find("wait_until_s");
  Waypoint waypoint;
  waypoint.time = until ? std::max(time_, until->number(range)) : time_ + at.member("wait_s").number(range);
  if (until && at.has("wait_s")) until->fail("is given together with \"wait_s\"", "keep one of the two");
  append(std::move(waypoint));
}

}  // namespace

void readScript(const JsonCursor& script, const Scene& scene, Hand& hand) {
  ScriptReader reader(scene, hand);
  for (const JsonCursor& entry : script.elements(0, kMaxWaypoints)) reader.read(entry);
}

}  // namespace tenon::content
