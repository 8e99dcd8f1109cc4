// The assembled state of a scene: where each part is once all goals are reached, and which parts move
// together.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "content/model/scene.h"

namespace tenon::runtime {

/// The screw thread that holds a unit in the assembled state.
struct UnitThread {
  int part = -1, to = -1;                                ///< parts with the threads, that of the unit first
  std::string name;                                      ///< of the hole: "M8 of plate"
  physics::Vector3d p_W = physics::Vector3d::Zero();     ///< point of its axis [m], world
  physics::Vector3d out_W = physics::Vector3d::UnitZ();  ///< direction of the removal, unit, world
  double lead = 0;                                       ///< travel per right-handed turn about out_W [m]
  double length = 0;                                     ///< travel after which the threads are apart [m]
  double radius = 0;                                     ///< of both threads' teeth, about the axis [m]
};

/// Parts that joints connect, and that are planned as one body.
struct AssemblyUnit {
  std::vector<int> parts;  ///< indices into Scene::parts, ascending
  int lead = -1;           ///< the heaviest of them: the one that a hand grasps
  std::optional<UnitThread> thread;
};

/// Poses and structure of the assembled state. Borrows the scene.
struct Assembly {
  const content::Scene* scene = nullptr;
  std::vector<physics::Pose> X_WP;  ///< by part, in the world
  std::vector<AssemblyUnit> units;  ///< those that can be taken out
  std::vector<int> base;            ///< parts of the assembly that stay in place
  bool baseIsChosen = false;        ///< no part is fixed: the base could be another unit
  std::vector<int> surroundings;    ///< all other parts: obstacles
  /// (a, b): unit a is assembled after unit b, from "after" of the goals.
  std::vector<std::pair<int, int>> after;
  bool startsAssembled = false;  ///< the scene's start is the assembled state

  /// Index of the unit that contains `part`; −1: none does.
  int unitOf(int part) const;
  /// Mass of the unit's parts [kg].
  double massOf(int unit) const;
  /// The heaviest of the units, the first of several.
  int heaviestOf(const std::vector<int>& ofUnits) const;
  /// True if the unit starts where it shall be: hands cannot bring it from elsewhere.
  bool startsInPlace(int unit) const;
  /// The names of the unit's parts, separated by " + ".
  std::string nameOf(int unit) const;
};

/// True if the unit is in the list.
inline bool containsUnit(const std::vector<int>& units, int unit) {
  return std::find(units.begin(), units.end(), unit) != units.end();
}

/// A part farther than this from all others of the assembly belongs to no assembly [m].
inline constexpr double kFloatingDistance = 1e-3;

/// Places each part at its goals: its features on the axes of their holes, at the goals' depths. Parts
/// between two holes are rotated to fit both, screws so that their teeth are between those of their holes,
/// and screws of goals with turns go on until a face stops them; other rotations are the nearest to the
/// start. A scene without goals, or that starts at them, is assembled as it starts, and then all its parts
/// but half-spaces belong to the assembly. Without a fixed part the unit with the part `base` stays; −1: the
/// heaviest. Throws content::InputError for fewer than two parts, for screws too long for their holes, for
/// parts that overlap in that state (other than press fits and joined parts), and for parts that float.
Assembly assembledState(const content::Scene& scene, int base = -1);

}  // namespace tenon::runtime
