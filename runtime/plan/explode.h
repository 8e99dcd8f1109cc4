// The exploded state of an assembly, and its animation in the order of the plan.
#pragma once

#include <cstddef>
#include <vector>

#include "content/parts/glb_writer.h"
#include "runtime/plan/part_distance.h"
#include "runtime/plan/plan.h"

namespace tenon::runtime {

/// By step of the plan: the translation of its units in the exploded state [m, world]. That of a part is the
/// sum over all steps that move it: parts of a group move aside in the group, and then with it.
using Explosion = std::vector<physics::Vector3d>;

/// The steps that move a part out of the assembly or into it, in their order.
std::vector<std::size_t> stepsOf(const AssemblyPlan& plan, int part);

/// In the order of the steps, each is moved against its insertion until its bounds have passed those of all
/// that were moved before, and along with its neighbor that was moved farthest.
Explosion explosionOf(const AssemblyPlan& plan, PartDistance& distance);

/// The parts in the exploded state, with thin lines along their paths to where they belong; no half-spaces.
content::Scene explodedScene(const AssemblyPlan& plan, const Explosion& explosion);

/// Motions by part of the scene: from the exploded state, each step brings its units to the start of the
/// insertion and inserts them, a screw by turning, while the later ones wait. Parts that make way move aside
/// before that and back with the last moves.
std::vector<content::GlbAnimation> assemblyAnimation(const AssemblyPlan& plan, const Explosion& explosion);

}  // namespace tenon::runtime
