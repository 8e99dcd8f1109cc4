// See read_tasks.h.
#include "content/reader/read_tasks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "content/input/limits.h"
#include "content/input/wording.h"
#include "content/model/part_holes.h"
#include "content/parts/thread_pair.h"
#include "content/reader/found_sites.h"
#include "content/reader/read_fits.h"
#include "content/reader/read_parts.h"
#include "content/reader/read_profile.h"
#include "content/reader/read_script.h"

namespace tenon::content {
namespace {

/// Tolerances of goals that give none: of the depth [-], at most [m], and of the tilt.
constexpr double kDepthFraction = 0.05, kMaxDepthTolerance = 1e-3, kTiltTolerance_deg = 1;
/// Height of a hand that gives no position, above the first part that can move [m].
constexpr double kHandHeight = 0.1;

/// Name of the goal's hole, the same for both mouths.
std::string holeNameOf(const Goal& goal, const Scene& scene) {
  return mouthOf(scene.part(goal.into), goal.hole).value().hole();
}

void checkIsNew(const JsonCursor& at, const Goal& goal, const Scene& scene) {
  for (std::size_t k = 0; k < scene.goals.size(); ++k) {
    const Goal& other = scene.goals[k];
    if (!other.pose && other.part == goal.part && other.feature == goal.feature && other.into == goal.into &&
        holeNameOf(other, scene) == holeNameOf(goal, scene))
      at.fail(fmt::format("has the same feature and hole as /goals/{}", k), "keep one of the two");
  }
}

/// 0 if the goal gives none.
double readTimeLimit(const JsonCursor& at, const Scene& scene) {
  const auto given = at.find("time_limit_s");
  if (!given) return 0;
  const double limit = given->number({0, kMaxTime, false, "s"});
  if (scene.duration > 0 && limit > scene.duration * (1 + 1e-12))
    given->fail(fmt::format("is {:g} s, after the scene's end at {:g} s", limit, scene.duration),
                "give at most \"duration_s\", which is also the default");
  return limit;
}

/// Reads "name" and "after": names of earlier goals in the list.
void readOrder(const JsonCursor& at, const Scene& scene, Goal& goal) {
  if (const auto name = at.find("name")) goal.name = uniqueName(*name, scene.goals);
  const auto after = at.find("after");
  if (!after) return;
  const auto names = namesOf(scene.goals);
  const auto add = [&](const JsonCursor& entry) {
    const std::string wanted = entry.name();
    const auto found = std::find(names.begin(), names.end(), wanted);
    if (found == names.end())
      entry.fail("is not the name of an earlier goal: " + inQuotes(wanted),
                 "give the earlier goal that \"name\", and list goals in their order");
    goal.after.push_back(static_cast<int>(found - names.begin()));
  };
  if (!after->isArray()) return add(*after);
  for (const JsonCursor& entry : after->elements(1, kMaxEntries)) add(entry);
}

/// "pose" and "along": where the part shall be. Its frame becomes a feature of the part.
void readPose(const JsonCursor& at, Scene& scene, Goal& goal) {
  at.allowOnly({"name", "after", "part", "into", "fit", "pose", "along", "depth", "depth_tolerance",
                "tolerance", "tilt_tolerance_deg", "time_limit_s"});
  at.reportMissing({"pose", "along", "depth", "tolerance"});
  goal.depth = at.member("depth").positiveLength();
  Part& part = scene.part(goal.part);
  const JsonCursor poseAt = at.member("pose");
  poseAt.allowOnly({"position", "rotation"});
  poseAt.member("position");
  GoalPose place;
  place.X_IP = poseAt.pose();
  place.across = at.member("tolerance").positiveLength();
  const Vector3d along = at.member("along").direction();
  goal.hole = "place of " + part.name;
  goal.X_IH = {physics::shortestRotation(Vector3d::UnitZ(), -along), place.X_IP.p - goal.depth * along};
  AxisFeature frame{"frame", Vector3d::Zero(), place.X_IP.q.conjugate() * along};
  const auto names = namesOf(part.features);
  for (auto k = names.size(); std::find(names.begin(), names.end(), frame.name) != names.end(); ++k)
    frame.name = fmt::format("frame {}", k);
  goal.feature = static_cast<int>(part.features.size());
  part.features.push_back(std::move(frame));
  goal.pose = std::move(place);
}

/// "turns" in place of a depth: from the threads of the two parts.
void readTurns(const JsonCursor& at, const JsonCursor& turns, const Scene& scene, Goal& goal) {
  for (const char* field : {"depth", "depth_tolerance", "fit"})
    if (const auto other = at.find(field))
      other->fail("is given together with \"turns\"", "keep one of the two goals");
  const Part &part = scene.part(goal.part), &into = scene.part(goal.into);
  const AxisFeature& feature = part.features[static_cast<std::size_t>(goal.feature)];
  const auto threads = threadPairOf(scene, goal);
  if (!threads)
    turns.fail(
        fmt::format("needs an external thread on {} about its feature {}, and an internal one in the hole {} "
                    "of {}",
                    inQuotes(part.name), inQuotes(feature.name), inQuotes(goal.hole), inQuotes(into.name)),
        into.mesh && externalThreadOf(scene, goal)
            ? fmt::format("add \"holes\": [{{\"name\": {}, \"thread\": …}}] to the shape of {}, or give "
                          "\"depth\" instead",
                          inQuotes(goal.hole), inQuotes(into.name))
        : externalThreadOf(scene, goal)
            ? fmt::format("give hole {} of {} a \"thread\", or give \"depth\" instead", inQuotes(goal.hole),
                          inQuotes(into.name))
            : "add \"thread\" to the shapes of both parts, or give \"depth\" instead");
  goal.turns = turns.number({1, physics::kMaxTurns, true, "turns"});
  const CompleteRange own = completeRangeOf(threads->external), other = completeRangeOf(threads->internal);
  const double most =
      std::min(own.high - own.low, other.high - other.low) / std::abs(threads->internal.lead());
  if (goal.turns > most)
    turns.fail(fmt::format("is {:g}, and the shorter of the two threads has {:.3g} complete turns",
                           goal.turns, most),
               "ask for fewer, or make the threads longer");
  if (const auto preload = at.find("preload_n")) goal.preload = preload->number({0, kMaxForce, false, "N"});
  if (const auto torque = at.find("torque_nm")) goal.torque = torque->number({0, kMaxForce, false, "N m"});
  if (const auto proof = at.find("proof_load_n")) {
    goal.proofLoad = proof->number({0, kMaxForce, false, "N"});
    if (goal.proofLoad <= goal.preload)
      proof->fail(
          fmt::format("is {:g} N, no more than \"preload_n\", {:g} N: the thread would be stripped before",
                      goal.proofLoad, goal.preload),
          "ask for a smaller preload, or give the proof load of a stronger thread");
  }
  goal.depth = depthOfTurns(*threads, feature, goal.turns);
}

/// The lower end of a part that is round about z, as a feature of it; none of other parts.
std::optional<AxisFeature> lowerEndOf(const Part& part) {
  double z = 0;
  if (const auto* cylinder = std::get_if<physics::Cylinder>(&part.shape)) {
    z = -cylinder->halfLength;
  } else if (const auto* frustum = std::get_if<physics::Frustum>(&part.shape)) {
    z = -frustum->halfLength;
  } else if (const auto* capsule = std::get_if<physics::Capsule>(&part.shape)) {
    z = -capsule->halfLength - capsule->radius;
  } else if (const auto* solid = std::get_if<physics::SolidOfRevolution>(&part.shape)) {
    for (const Eigen::Vector2d& point : solid->profile) z = std::min(z, point.x());
  } else {
    return std::nullopt;
  }
  return AxisFeature{"lower end", Vector3d(0, 0, z), -Vector3d::UnitZ()};
}

/// "feature"; by default as defaultFeature(), its "tip", or, of a round part without features, its lower end,
/// which is added to them.
int readFeature(const JsonCursor& at, Part& part) {
  if (const auto given = at.find("feature")) return featureAt(*given, part);
  if (const auto feature = defaultFeature(part)) return *feature;
  const auto names = namesOf(part.features);
  if (const auto tip = std::find(names.begin(), names.end(), "tip"); tip != names.end())
    return static_cast<int>(tip - names.begin());
  const auto lowerEnd = names.empty() ? lowerEndOf(part) : std::nullopt;
  if (lowerEnd) {
    part.features.push_back(*lowerEnd);
    return 0;
  }
  at.member("feature", names.empty()
                           ? fmt::format("add \"features\" to {}: its end, as an origin and a direction",
                                         inQuotes(part.name))
                           : fmt::format("name the end of {} to be inserted: one of {}", inQuotes(part.name),
                                         quotedList(names)));
  return -1;
}

/// "hole"; by default as defaultHole().
HoleSite readSite(const JsonCursor& at, const Part& part) {
  if (const auto given = at.find("hole")) return holeAt(*given, part);
  if (auto only = defaultHole(part)) return std::move(*only);
  const auto names = namesOf(holesOf(part));
  const JsonCursor none = at.member(
      "hole", names.empty()
                  ? fmt::format("{} has no hole; give it \"sockets\", or name another part in \"into\"",
                                inQuotes(part.name))
                  : fmt::format("name one of the holes of {}: {}", inQuotes(part.name), quotedList(names)));
  return holeAt(none, part);
}

/// "feature" and "hole".
void readHole(const JsonCursor& at, Scene& scene, Goal& goal) {
  if (const auto tight = at.find("tight"))
    tight->fail("is no field of a goal any more: threads are tightened by their contacts",
                "give \"turns\" in place of \"depth\" and \"depth_tolerance\", with \"torque_nm\" or "
                "\"preload_n\"");
  at.allowOnly({"name", "after", "part", "feature", "into", "hole", "fit", "depth", "depth_tolerance",
                "tilt_tolerance_deg", "time_limit_s", "turns", "preload_n", "torque_nm", "proof_load_n"});
  goal.feature = readFeature(at, scene.part(goal.part));
  const Part& target = scene.part(goal.into);
  const HoleSite site = readSite(at, target);
  goal.hole = site.name;
  goal.X_IH = site.X_PH;
  checkIsNew(at, goal, scene);
  for (const char* field : {"preload_n", "torque_nm", "proof_load_n"})
    if (const auto given = at.find(field); given && !at.has("turns"))
      given->fail("is given for a goal without \"turns\"",
                  "give the \"turns\" of a thread in place of a depth");
  if (const auto turns = at.find("turns")) return readTurns(at, *turns, scene, goal);
  goal.depth = at.member("depth", fmt::format("add \"depth\", of the end below the mouth of the hole ({}{})",
                                              at.inFileUnit(site.depth()), site.through ? ", through" : ""))
                   .positiveLength();
  if (!site.through && goal.depth > site.depth() + physics::kProfileTolerance)
    at.member("depth").fail(
        fmt::format("is {}, deeper than the blind hole {} of {}", at.inFileUnit(goal.depth),
                    inQuotes(site.name), at.inFileUnit(site.depth())),
        "give at most the hole's depth, or make the hole deeper");
}

/// The part that "into" names. Scripts write a part and its hole as one text, which is not what a goal has.
int readInto(const JsonCursor& at, const std::vector<std::string>& names) {
  const std::string text = at.text(kMaxTextBytes);
  const auto known = [&](const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  for (std::size_t k = text.find('/'); k != std::string::npos && !known(text); k = text.find('/', k + 1))
    if (known(text.substr(0, k)) && k + 1 < text.size())
      at.fail("names a part and its hole: " + inQuotes(text),
              fmt::format("give \"into\": {}, \"hole\": {}", inQuotes(text.substr(0, k)),
                          inQuotes(text.substr(k + 1))));
  return at.indexIn(names, "part");
}

Goal readGoal(const JsonCursor& at, Scene& scene) {
  const auto names = namesOf(scene.parts);
  Goal goal;
  if (at.has("turns") || at.has("pose"))
    at.reportMissing({"part", "into"});
  else
    at.reportMissing({"part", "into", "depth"});
  readOrder(at, scene, goal);
  const JsonCursor partAt = at.member("part");
  goal.part = partAt.indexIn(names, "part");
  const Part& part = scene.part(goal.part);
  const JsonCursor into = at.member("into");
  goal.into = readInto(into, names);
  if (goal.into == goal.part) into.fail("is the part itself", "name the part that has the hole");
  const Part& target = scene.part(goal.into);
  if (part.motion == physics::MotionType::fixed && target.motion == physics::MotionType::fixed)
    partAt.fail(
        fmt::format("is {}, which is fixed, and so is {}", inQuotes(part.name), inQuotes(target.name)),
        "name a part that can move, or make the \"motion\" of one of the two \"dynamic\"");
  if (at.has("pose"))
    readPose(at, scene, goal);
  else
    readHole(at, scene, goal);
  if (goal.turns == 0) {
    const auto tolerance = at.find("depth_tolerance");
    goal.depthTolerance =
        tolerance ? tolerance->positiveLength() : std::min(kDepthFraction * goal.depth, kMaxDepthTolerance);
  }
  const auto tilt = at.find("tilt_tolerance_deg");
  goal.tiltTolerance =
      (tilt ? tilt->number({0, 90, false, "degrees"}) : kTiltTolerance_deg) * (std::numbers::pi / 180.0);
  goal.timeLimit = readTimeLimit(at, scene);
  return goal;
}

/// One number for all three axes, or three.
Eigen::Vector3d readStiffness(const JsonCursor& at, const char* unit) {
  const Range range{kMinStiffness, kMaxStiffness, true, unit};
  return at.isArray() ? at.vector(range) : Eigen::Vector3d::Constant(at.number(range));
}

physics::HandParameters readHandParameters(const JsonCursor& at) {
  physics::HandParameters p;
  if (const auto k = at.find("stiffness_n_per_m")) p.stiffness = readStiffness(*k, "N/m");
  if (const auto k = at.find("angular_stiffness_nm_per_rad"))
    p.angularStiffness = readStiffness(*k, "N m/rad");
  if (const auto d = at.find("damping_ratio")) p.dampingRatio = d->number({0, kMaxDampingRatio});
  if (const auto f = at.find("max_force_n")) p.maxForce = f->number({0, kMaxForce, false, "N"});
  if (const auto t = at.find("max_torque_nm")) p.maxTorque = t->number({0, kMaxForce, false, "N m"});
  if (const auto b = at.find("break_distance")) p.breakDistance = b->length(kMinSize, kMaxPosition);
  if (const auto c = at.find("carries_weight")) p.carriesWeight = c->boolean();
  return p;
}

/// Where a hand starts that gives no position.
Vector3d placeOfHand(const Scene& scene) {
  const double g = scene.gravity.norm();
  const Vector3d up = g > 0 ? Vector3d(-scene.gravity / g) : Vector3d(Vector3d::UnitZ());
  const auto part = std::find_if(scene.parts.begin(), scene.parts.end(),
                                 [](const Part& one) { return one.motion == physics::MotionType::dynamic; });
  return (part == scene.parts.end() ? Vector3d(Vector3d::Zero()) : part->X_WP.p) + kHandHeight * up;
}

/// "right" for the first hand without a name, "left" for the second; else empty.
std::string freeHandName(const Scene& scene) {
  const auto names = namesOf(scene.hands);
  for (const char* side : {"right", "left"})
    if (std::find(names.begin(), names.end(), side) == names.end()) return side;
  return "";
}

/// "left", "right", or "fixture 1" to "fixture 62".
std::string handName(const JsonCursor& at) {
  const std::string name = at.name();
  for (const char* side : {"left", "right"})
    if (name == side) return name;
  for (std::size_t k = 1; k + 2 <= kMaxHands; ++k)
    if (name == fmt::format("fixture {}", k)) return name;
  at.fail("is " + inQuotes(name),
          fmt::format("give one of \"left\", \"right\", \"fixture 1\" to \"fixture {}\"", kMaxHands - 2));
}

Hand readHand(const JsonCursor& at, const Scene& scene) {
  at.allowOnly({"name", "position", "rotation", "stiffness_n_per_m", "angular_stiffness_nm_per_rad",
                "damping_ratio", "max_force_n", "max_torque_nm", "break_distance", "carries_weight", "reach",
                "script"});
  Hand hand;
  const auto name = at.find("name");
  hand.name = name ? handName(*name) : freeHandName(scene);
  if (hand.name.empty())
    at.member("name", "call this hand a fixture by a number: \"right\" and \"left\" are others");
  for (const Hand& other : scene.hands) {
    if (name && other.name == hand.name)
      name->fail("is a name given twice",
                 "call the other hand \"left\" or \"right\", or a fixture by a number");
  }
  hand.parameters = readHandParameters(at);
  if (const auto reach = at.find("reach")) hand.reach = reach->length(kMinSize, kMaxPosition);
  hand.X_WH = at.pose();
  if (!at.has("position")) hand.X_WH.p = placeOfHand(scene);
  if (const auto script = at.find("script")) readScript(*script, scene, hand);
  return hand;
}

}  // namespace

void readGoals(const JsonCursor& root, Scene& scene) {
  const auto list = root.find("goals");
  if (!list) return;
  for (const JsonCursor& at : list->elements(0, kMaxEntries)) scene.goals.push_back(readGoal(at, scene));
  readFits(*list, scene);
}

void readHands(const JsonCursor& root, Scene& scene) {
  const auto list = root.find("hands");
  if (!list) return;
  for (const JsonCursor& at : list->elements(0, kMaxHands)) scene.hands.push_back(readHand(at, scene));
}

}  // namespace tenon::content
