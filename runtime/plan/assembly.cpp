// See assembly.h.
#include "runtime/plan/assembly.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <set>
#include <variant>

#include "content/input/input_error.h"
#include "content/input/limits.h"
#include "content/input/wording.h"
#include "content/parts/thread_pair.h"
#include "runtime/plan/goal_poses.h"
#include "runtime/plan/part_distance.h"
#include "runtime/plan/screw_stop.h"

namespace tenon::runtime {

namespace {

using content::InputError;
using content::Joint;
using content::Scene;
using physics::Vector3d;

bool isHalfSpace(const content::Part& part) {
  return std::holds_alternative<physics::HalfSpace>(part.shape);
}

/// A part this near to its place starts there [m], [rad].
constexpr double kInPlace = 1e-4, kInPlaceAngle = 1e-3;

/// True if a goal of the part has threads: in their play it may have any angle.
bool isThreaded(const Scene& scene, int part) {
  return std::any_of(scene.goals.begin(), scene.goals.end(), [&](const content::Goal& goal) {
    if (goal.part != part && goal.into != part) return false;
    const auto threads = content::threadPairOf(scene, goal);
    return threads && threads->isMatching();
  });
}

bool isAt(const physics::Pose& start, const physics::Pose& place, bool anyAngle) {
  return (start.p - place.p).norm() < kInPlace &&
         (anyAngle || start.q.angularDistance(place.q) < kInPlaceAngle);
}

/// True if all parts start at their goals, as in an imported assembly.
bool startAtGoals(const Scene& scene, const std::vector<physics::Pose>& goalPoses) {
  for (std::size_t k = 0; k < scene.parts.size(); ++k)
    if (!isAt(scene.parts[k].X_WP, goalPoses[k], isThreaded(scene, static_cast<int>(k)))) return false;
  return true;
}

/// Parts of the assembly: those of goals; in a scene that starts assembled all but half-spaces.
std::vector<char> membersOf(const Scene& scene, bool startsAssembled) {
  std::vector<char> isMember(scene.parts.size(), 0);
  for (const content::Goal& goal : scene.goals)
    for (const int part : {goal.part, goal.into}) isMember[static_cast<std::size_t>(part)] = 1;
  if (startsAssembled)
    for (std::size_t k = 0; k < isMember.size(); ++k) isMember[k] = isHalfSpace(scene.parts[k]) ? 0 : 1;
  return isMember;
}

int heaviestOf(const Scene& scene, const std::vector<int>& parts) {
  return *std::max_element(parts.begin(), parts.end(),
                           [&](int a, int b) { return scene.part(a).mass.mass < scene.part(b).mass.mass; });
}

/// Groups of the members by their joints; a part that is joined to one that cannot move cannot move either.
void addUnits(const Scene& scene, const std::vector<char>& isMember, Assembly& assembly) {
  const std::size_t count = scene.parts.size();
  std::vector<std::size_t> group(count + 1);  // the last stands for all that cannot move
  std::iota(group.begin(), group.end(), std::size_t{0});
  const auto unite = [&](std::size_t a, std::size_t b) {
    const std::size_t from = group[a], to = group[b];
    for (std::size_t& g : group)
      if (g == from) g = to;
  };
  for (std::size_t k = 0; k < count; ++k)
    if (scene.parts[k].motion != physics::MotionType::dynamic) unite(k, count);
  for (const Joint& joint : scene.joints)
    unite(static_cast<std::size_t>(joint.part), joint.to < 0 ? count : static_cast<std::size_t>(joint.to));
  std::set<std::size_t> seen;
  for (std::size_t k = 0; k < count; ++k) {
    const auto part = static_cast<int>(k);
    if (group[k] == group[count]) {
      (isMember[k] ? assembly.base : assembly.surroundings).push_back(part);
      continue;
    }
    if (!seen.insert(group[k]).second) continue;
    AssemblyUnit unit;
    bool any = false;
    for (std::size_t other = k; other < count; ++other) {
      if (group[other] != group[k]) continue;
      unit.parts.push_back(static_cast<int>(other));
      any = any || isMember[other];
    }
    unit.lead = heaviestOf(scene, unit.parts);
    if (any)
      assembly.units.push_back(std::move(unit));
    else
      assembly.surroundings.insert(assembly.surroundings.end(), unit.parts.begin(), unit.parts.end());
  }
  std::sort(assembly.surroundings.begin(), assembly.surroundings.end());
}

/// Without a fixed part the unit with the part `base` stays, or the heaviest.
void chooseBase(int base, Assembly& assembly) {
  if (!assembly.base.empty() || assembly.units.empty()) return;
  assembly.baseIsChosen = true;
  const int wanted = assembly.unitOf(base);
  std::vector<int> units(assembly.units.size());
  std::iota(units.begin(), units.end(), 0);
  const int chosen = wanted >= 0 ? wanted : assembly.heaviestOf(units);
  assembly.base = assembly.units[static_cast<std::size_t>(chosen)].parts;
  assembly.units.erase(assembly.units.begin() + chosen);
}

/// The unit that a goal brings: its part, or the one with the hole if the part stays.
int unitOfGoal(const Assembly& assembly, const content::Goal& goal) {
  const int unit = assembly.unitOf(goal.part);
  return unit >= 0 ? unit : assembly.unitOf(goal.into);
}

/// Range of a thread along an axis through the world's origin [m].
std::array<double, 2> rangeOf(const physics::Thread& thread, const physics::Pose& X_WT,
                              const Vector3d& axis) {
  const double a = axis.dot(X_WT * Vector3d(0, 0, thread.low)),
               b = axis.dot(X_WT * Vector3d(0, 0, thread.high));
  return {std::min(a, b), std::max(a, b)};
}

/// The threads of goals that are engaged in the assembled state.
void addThreads(const Scene& scene, Assembly& assembly) {
  for (const content::Goal& goal : scene.goals) {
    const auto threads = content::threadPairOf(scene, goal);
    const int unit = unitOfGoal(assembly, goal);
    if (!threads || !threads->isMatching() || unit < 0) continue;
    const bool isScrew = assembly.unitOf(goal.part) == unit;
    const auto pose = [&](int part) { return assembly.X_WP[static_cast<std::size_t>(part)]; };
    const physics::Pose X_WH = pose(goal.into) * goal.X_IH;
    const Vector3d up = X_WH.q * Vector3d::UnitZ();
    UnitThread thread{isScrew ? goal.part : goal.into, isScrew ? goal.into : goal.part,
                      goal.hole + " of " + scene.part(goal.into).name, X_WH.p};
    thread.out_W = isScrew ? up : Vector3d(-up);
    thread.lead = threads->internal.lead();
    thread.radius = 0.5 * std::max(threads->internal.majorDiameter, threads->external.majorDiameter);
    const auto external = rangeOf(threads->external, pose(goal.part) * threads->X_PE, thread.out_W),
               internal = rangeOf(threads->internal, X_WH * threads->X_HI, thread.out_W);
    thread.length = isScrew ? internal[1] - external[0] : external[1] - internal[0];
    // Of several threads of a unit, the one of its first goal.
    auto& of = assembly.units[static_cast<std::size_t>(unit)].thread;
    if (thread.length > 0 && !of) of = std::move(thread);
  }
}

void addPrecedence(const Scene& scene, Assembly& assembly) {
  for (const content::Goal& goal : scene.goals)
    for (const int earlier : goal.after) {
      const int a = unitOfGoal(assembly, goal);
      const int b = unitOfGoal(assembly, scene.goals[static_cast<std::size_t>(earlier)]);
      if (a >= 0 && b >= 0 && a != b) assembly.after.emplace_back(a, b);
    }
}

bool mayOverlap(const Scene& scene, int a, int b) {
  return content::canBePressed(scene, scene.part(a), scene.part(b)) ||
         std::any_of(scene.joints.begin(), scene.joints.end(), [&](const Joint& joint) {
           return (joint.part == a && joint.to == b) || (joint.part == b && joint.to == a);
         });
}

/// Parts of the assembly: overlaps are an error, and so are parts that touch no other.
void checkDistances(const Scene& scene, const Assembly& assembly, PartDistance& distance) {
  std::vector<int> members = assembly.base;
  for (const AssemblyUnit& unit : assembly.units)
    members.insert(members.end(), unit.parts.begin(), unit.parts.end());
  std::sort(members.begin(), members.end());
  const auto pose = [&](int k) { return assembly.X_WP[static_cast<std::size_t>(k)]; };
  std::vector<char> isNear(assembly.units.size(), 0);
  int first = -1, second = -1, count = 0;
  double deepest = content::kSettledOverlap;
  for (std::size_t i = 0; i < members.size(); ++i)
    for (std::size_t j = i + 1; j < members.size(); ++j) {
      const int a = members[i], b = members[j], unitOfA = assembly.unitOf(a), unitOfB = assembly.unitOf(b);
      if (unitOfA == unitOfB) continue;
      const double separation = distance.separation(a, pose(a), b, pose(b), 2 * kFloatingDistance);
      if (separation <= kFloatingDistance)
        for (const int unit : {unitOfA, unitOfB})
          if (unit >= 0) isNear[static_cast<std::size_t>(unit)] = 1;
      if (separation >= -content::kSettledOverlap || mayOverlap(scene, a, b)) continue;
      ++count;
      if (-separation <= deepest) continue;
      deepest = -separation;
      first = a;
      second = b;
    }
  if (first >= 0)
    throw InputError(
        scene.file, fmt::format("/parts/{}", scene.part(second).fileEntry),
        fmt::format("parts {} and {} overlap by {} in the assembled state{}",
                    content::inQuotes(scene.part(first).name), content::inQuotes(scene.part(second).name),
                    content::smallLengthText(deepest),
                    count > 1 ? fmt::format(" ({} pairs overlap)", count) : ""),
        "correct the depth of their goals or their places, or give a press fit its "
        "\"youngs_modulus_gpa\"");
  for (std::size_t k = 0; k < assembly.units.size(); ++k)
    if (!isNear[k])
      throw InputError(
          scene.file, fmt::format("/parts/{}", scene.part(assembly.units[k].lead).fileEntry),
          fmt::format("part {} floats: in the assembled state no other part is within {:g} mm",
                      content::inQuotes(scene.part(assembly.units[k].lead).name), kFloatingDistance * 1e3),
          "give it a goal or place it where it belongs, or make it \"fixed\"");
}

}  // namespace

int Assembly::unitOf(int part) const {
  for (std::size_t k = 0; k < units.size(); ++k)
    if (std::find(units[k].parts.begin(), units[k].parts.end(), part) != units[k].parts.end())
      return static_cast<int>(k);
  return -1;
}

bool Assembly::startsInPlace(int unit) const {
  const auto lead = static_cast<std::size_t>(units[static_cast<std::size_t>(unit)].lead);
  return isAt(scene->parts[lead].X_WP, X_WP[lead], isThreaded(*scene, static_cast<int>(lead)));
}

std::string Assembly::nameOf(int unit) const {
  std::string name;
  for (const int part : units[static_cast<std::size_t>(unit)].parts)
    name += (name.empty() ? "" : " + ") + scene->part(part).name;
  return name;
}

double Assembly::massOf(int unit) const {
  const std::vector<int>& parts = units[static_cast<std::size_t>(unit)].parts;
  return std::accumulate(parts.begin(), parts.end(), 0.0,
                         [&](double sum, int part) { return sum + scene->part(part).mass.mass; });
}

int Assembly::heaviestOf(const std::vector<int>& ofUnits) const {
  return *std::max_element(ofUnits.begin(), ofUnits.end(),
                           [&](int a, int b) { return massOf(a) < massOf(b); });
}

Assembly assembledState(const Scene& scene, int base) {
  Assembly assembly;
  assembly.scene = &scene;
  assembly.X_WP = goalPoses(scene);
  assembly.startsAssembled = startAtGoals(scene, assembly.X_WP);
  if (assembly.startsAssembled)
    for (std::size_t k = 0; k < scene.parts.size(); ++k) assembly.X_WP[k] = scene.parts[k].X_WP;
  const std::vector<char> isMember = membersOf(scene, assembly.startsAssembled);
  const auto count = std::count(isMember.begin(), isMember.end(), 1);
  if (count < 2)
    throw InputError(scene.file, "/parts",
                     count == 1 ? "has one part to assemble" : "has no part to assemble",
                     "give the assembly at least two parts");
  addUnits(scene, isMember, assembly);
  chooseBase(base, assembly);
  if (assembly.units.empty())
    throw InputError(scene.file, "/parts", "has no part that can be taken out: all are fixed or joined",
                     "make the \"motion\" of the parts to assemble \"dynamic\"");
  addThreads(scene, assembly);
  addPrecedence(scene, assembly);
  PartDistance distance(scene);
  checkScrewStops(scene, assembly.X_WP, distance);
  checkDistances(scene, assembly, distance);
  return assembly;
}

}  // namespace tenon::runtime
