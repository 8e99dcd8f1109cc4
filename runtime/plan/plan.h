// The plan of an assembly: its steps in order, with paths, needed supports and times.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "content/model/scene.h"
#include "runtime/plan/assembly.h"
#include "runtime/plan/removal_motion.h"

namespace tenon::runtime {

/// One unit, or a group built aside, is brought to its place.
struct PlanStep {
  std::vector<int> units;  ///< that move together, ascending
  int lead = -1;           ///< the part that a hand grasps
  /// Moves of the removal from the place to the start of `motion`; empty for most. Those of other units make
  /// way: they are undone after the removal.
  std::vector<PathLeg> legs;
  RemovalMotion motion;  ///< of the removal, out of the assembly; the insertion is its reverse
  double travel = 0;     ///< length of `motion` [m]
  /// 0: into the assembly; otherwise the number of the group that is built aside, around `onto`.
  int group = 0;
  int onto = -1;  ///< unit that the group is built on; −1: the base
  int built = 0;  ///< the group that it brings as one; 0: a single unit
  /// Units of it that hands grasp, that of `lead` first, so that the others stay on them; empty: with two
  /// hands it falls apart.
  std::vector<int> carriers;
  bool isLeaningFixed = false;  ///< `unsupported` has those that were `leaning`
  bool isSecondAdded = false;   ///< two hands carry it, because it failed in one
  bool isPressed = false;       ///< something stops the part at its place, so a hand presses it on
  bool isPressFit = false;      ///< the part is wider than its bore: it is pressed in slowly
  bool isSlow = false;          ///< it is inserted slowly, because it failed at the usual speed

  bool isSimulated = false;      ///< the state after the step was simulated
  std::vector<int> held;         ///< units that a hand holds after the step, because they do not stand
  std::vector<int> unsupported;  ///< units that need a fixture: no hand is left for them
  std::vector<int> leaning;      ///< units that do not fall only because they lean on those

  std::string tool;  ///< what blocks the driver of a screw, in words; "": nothing, or none is needed

  std::optional<int> hand;    ///< index into AssemblyPlan::hands; empty: the hands do not carry it out
  double start = 0, end = 0;  ///< of its operation, from grasping to releasing [s]
  std::string remark;         ///< what could not be planned, or ""

  /// True if units other than those of the step move.
  bool movesOthers() const;
  /// The leg in which the units leave their places; null: `motion`.
  const PathLeg* firstLeg() const;
  /// Direction in which the units leave their places, unit, world; empty: they rotate.
  std::optional<physics::Vector3d> firstDirection() const;
  /// The legs of the insertion, after `motion`: those of the removal backwards.
  std::vector<PathLeg> insertionLegs() const;
};

/// One order of assembly and why it ranks where it does.
struct RankedOrder {
  std::vector<std::string> names;  ///< of the steps
  std::string reason;
  int supports = 0, turns = 0,
      fromBelow = 0;     ///< states that need support, changes of direction, steps upwards
  int blockedTools = 0;  ///< screws that no driver reaches
  int simulatedStates = 0;
};

/// A part that the plan lays out before the start, because the scene starts with it in its place.
struct LaidOutPart {
  int part = -1;
  physics::Pose X_WP;
};

/// How much wider the hole of a step that fails would have to be, by simulation.
struct NeededFit {
  int step = -1;  ///< index into AssemblyPlan::steps
  std::string part, hole, into;
  std::optional<double> present;  ///< diametral clearance [m]; empty: unknown
  std::optional<double> added;    ///< least added clearance with which it passed [m]; empty: none did
  double notEnough = 0;           ///< largest added clearance with which it failed [m]
};

/// What simulations of the scripts, with friction and forces, have shown.
struct CarriedOut {
  int reached = 0, goals = 0;         ///< of the plan as it is
  std::vector<std::string> attempts;  ///< in order: "order 1: why it failed"
  std::optional<NeededFit> fit;       ///< of the first step that failed
  std::string noFit;                  ///< why none is given for it, or ""
  bool isWhole() const { return reached == goals; }
};

struct AssemblyPlan {
  Assembly assembly;
  std::vector<PlanStep> steps;
  std::vector<std::vector<std::string>> inseparable;  ///< sets of parts that no motion separates
  bool searchWasStopped = false;                      ///< paths of these were not searched to the end
  std::vector<std::string> unplanned;                 ///< parts left when the time was over
  std::vector<std::string> uncheckedTools;            ///< units in threads whose drive is not known
  std::vector<RankedOrder> orders;                    ///< best first: the first is that of `steps`

  std::vector<content::Hand> hands;  ///< with their scripts
  std::vector<LaidOutPart> laidOut;
  std::optional<physics::Pose> bench;  ///< half-space that the plan adds below laid-out parts
  /// Displacement from the assembled state to where each group is built [m], by its number; zero for 0.
  std::vector<physics::Vector3d> buildPlaces;
  double duration = 0;  ///< of the scripts [s]
  std::optional<CarriedOut> carriedOut;

  bool isComplete() const { return inseparable.empty() && unplanned.empty(); }
};

}  // namespace tenon::runtime
