// See stability.h.
#include "runtime/plan/stability.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "content/model/build_world.h"

namespace tenon::runtime {

namespace {

using content::Scene;

constexpr double kStandingStep = 1e-3;  ///< of the simulation [s]

/// A state in which for so many steps nothing was faster stands [m/s]: what falls is, after 10 µs, and what
/// tips over soon.
constexpr double kSlow = 0.1e-3, kSlowLever = 0.1;  ///< and rotation at this lever [m]
constexpr int kRestingSteps = 60;

bool isSlow(const physics::World& world) {
  const auto& bodies = world.stepResult().bodies;
  return std::all_of(bodies.begin(), bodies.end(),
                     [](const auto& body) { return body.v.norm() + kSlowLever * body.omega.norm() < kSlow; });
}

/// The scene with only these parts, at their places, and the new index of each part; −1: absent.
struct PartialScene {
  Scene scene;
  std::vector<int> indexOf;
};

/// Screws in their threads are fixed in them.
void addTightenedScrews(const Assembly& assembly, PartialScene& partial) {
  Scene& scene = partial.scene;
  for (const AssemblyUnit& unit : assembly.units) {
    if (!unit.thread) continue;
    content::Joint joint;
    joint.name = "thread " + unit.thread->name;
    joint.part = partial.indexOf[static_cast<std::size_t>(unit.thread->part)];
    joint.to = partial.indexOf[static_cast<std::size_t>(unit.thread->to)];
    const auto isFixed = [&](int k) { return scene.part(k).motion == physics::MotionType::fixed; };
    if (joint.part < 0 || joint.to < 0 || (isFixed(joint.part) && isFixed(joint.to))) continue;
    joint.X_PA = scene.part(joint.to).X_WP.inverse() * scene.part(joint.part).X_WP;
    scene.joints.push_back(std::move(joint));
  }
}

PartialScene partialScene(const Assembly& assembly, const std::vector<int>& parts,
                          const std::vector<int>& held) {
  const Scene& all = *assembly.scene;
  PartialScene partial;
  partial.indexOf.assign(all.parts.size(), -1);
  Scene& scene = partial.scene;
  scene.gravity = all.gravity;
  scene.linearDamping = all.linearDamping;
  scene.angularDamping = all.angularDamping;
  scene.materials = all.materials;
  scene.pairs = all.pairs;
  for (const int part : parts) {
    partial.indexOf[static_cast<std::size_t>(part)] = static_cast<int>(scene.parts.size());
    scene.parts.push_back(all.part(part));
    content::Part& placed = scene.parts.back();
    placed.X_WP = assembly.X_WP[static_cast<std::size_t>(part)];
    placed.v.setZero();
    placed.omega.setZero();
    placed.thrusters.clear();
    // A base that the plan chose does not move; bodies with a motion of their own stand still.
    const int unit = assembly.unitOf(part);
    if (unit < 0 || std::binary_search(held.begin(), held.end(), unit))
      placed.motion = physics::MotionType::fixed;
  }
  for (const content::Joint& joint : all.joints) {
    const auto index = [&](int part) {
      return part < 0 ? -1 : partial.indexOf[static_cast<std::size_t>(part)];
    };
    content::Joint moved = joint;
    moved.part = index(joint.part);
    moved.to = index(joint.to);
    if (moved.part < 0 || (joint.to >= 0 && moved.to < 0)) continue;
    const auto isFixed = [&](int k) { return k < 0 || scene.part(k).motion == physics::MotionType::fixed; };
    if (isFixed(moved.part) && isFixed(moved.to)) continue;
    scene.joints.push_back(std::move(moved));
  }
  addTightenedScrews(assembly, partial);
  return partial;
}

}  // namespace

content::Scene assembledScene(const Assembly& assembly, const std::vector<char>& isPresent) {
  std::vector<int> parts;
  for (std::size_t k = 0; k < isPresent.size(); ++k)
    if (isPresent[k]) parts.push_back(static_cast<int>(k));
  return partialScene(assembly, parts, {}).scene;
}

const std::vector<int>& StabilityCheck::fallingUnits(const std::vector<int>& present,
                                                     const std::vector<int>& held) {
  return resultOf({present, held, true});
}

const std::vector<int>& StabilityCheck::fallingAside(const std::vector<int>& present,
                                                     const std::vector<int>& held) {
  return resultOf({present, held, false});
}

const std::vector<int>& StabilityCheck::resultOf(State state) {
  const auto [found, isNew] = results_.try_emplace(std::move(state));
  if (isNew) found->second = simulate(found->first);
  return found->second;
}

std::vector<int> StabilityCheck::simulate(const State& state) const {
  const auto& [present, held, withBase] = state;
  const Scene& all = *assembly_.scene;
  if (present.empty() || all.gravity.norm() == 0) return {};
  std::vector<int> parts;
  if (withBase) parts = assembly_.base;
  for (const int part : assembly_.surroundings)
    if (withBase && all.part(part).motion != physics::MotionType::dynamic) parts.push_back(part);
  for (const int unit : present) {
    const std::vector<int>& own = assembly_.units[static_cast<std::size_t>(unit)].parts;
    parts.insert(parts.end(), own.begin(), own.end());
  }
  std::sort(parts.begin(), parts.end());
  const PartialScene partial = partialScene(assembly_, parts, held);
  physics::World world = content::buildWorld(partial.scene, {.dt = kStandingStep});
  const int steps = static_cast<int>(std::lround(kStandingTime / kStandingStep));
  for (int k = 0, slow = 0; k < steps && slow < kRestingSteps; ++k) {
    world.step();
    slow = isSlow(world) ? slow + 1 : 0;
  }
  std::vector<int> falling;
  for (const int unit : present) {
    const int part = assembly_.units[static_cast<std::size_t>(unit)].lead;
    const int index = partial.indexOf[static_cast<std::size_t>(part)];
    const physics::Pose end =
        world.partPose({index}, world.stepResult().bodies[static_cast<std::size_t>(index)]);
    const physics::Pose& start = assembly_.X_WP[static_cast<std::size_t>(part)];
    const physics::Vector3d& center = all.part(part).mass.center;
    if ((end * center - start * center).norm() > kMaxSettling || end.q.angularDistance(start.q) > kMaxTilting)
      falling.push_back(unit);
  }
  return falling;
}

}  // namespace tenon::runtime
