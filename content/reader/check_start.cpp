// See check_start.h.
#include "content/reader/check_start.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "content/input/input_error.h"
#include "content/input/limits.h"
#include "content/input/wording.h"
#include "content/model/build_world.h"
#include "content/reader/settle_start.h"

namespace tenon::content {
namespace {

bool hasThread(const physics::Shape& shape) {
  if (const auto* turned = std::get_if<physics::SolidOfRevolution>(&shape)) return turned->thread.has_value();
  const auto* compound = std::get_if<physics::Compound>(&shape);
  return compound && std::any_of(compound->children.begin(), compound->children.end(),
                                 [](const physics::PlacedShape& child) { return hasThread(child.shape); });
}

/// The search stops after this many overlaps: it may take long, and the message shows only the deepest.
constexpr std::size_t kMaxOverlaps = 8;

/// The deepest overlap, which the error reports.
std::optional<Interference> deepestOf(const std::vector<Interference>& all) {
  const auto deepest = std::max_element(all.begin(), all.end(),
                                        [](const auto& a, const auto& b) { return a.depth < b.depth; });
  return deepest == all.end() ? std::nullopt : std::optional(*deepest);
}

void checkCompound(const Scene& scene, const physics::Shape& shape, const std::string& place) {
  const auto* compound = std::get_if<physics::Compound>(&shape);
  if (!compound) return;
  Scene children;
  for (const physics::PlacedShape& child : compound->children) {
    checkCompound(scene, child.shape, fmt::format("{}/children/{}/shape", place, children.parts.size()));
    children.parts.emplace_back();
    children.parts.back().shape = child.shape;
    children.parts.back().X_WP = child.X_PS;
  }
  if (const auto deepest = deepestOf(findInterferences(children, kInitialOverlapTolerance, kMaxOverlaps))) {
    throw InputError(scene.file, fmt::format("{}/children/{}", place, deepest->b),
                     fmt::format("overlaps child {} of the same compound by {}", deepest->a,
                                 smallLengthText(deepest->depth)),
                     "let children touch but not overlap, so that no mass counts twice");
  }
}

void checkParts(const Scene& scene, InterferenceSearch& search) {
  auto all = search.find(scene, kInitialOverlapTolerance, kMaxOverlaps);
  // Of parts that do not move.
  std::erase_if(all, [&](const Interference& pair) {
    return std::any_of(scene.settled.begin(), scene.settled.end(), [&](const SettledOverlap& settled) {
      return settled.a == pair.a && settled.b == pair.b;
    });
  });
  const auto deepest = deepestOf(all);
  if (!deepest) return;
  const auto name = [&](int k) { return inQuotes(scene.part(k).name); };
  const char* more = all.size() == kMaxOverlaps ? " or more" : "";
  const std::string others = all.size() > 1 ? fmt::format(" ({}{} pairs overlap)", all.size(), more) : "";
  throw InputError(
      scene.file, fmt::format("/parts/{}", scene.part(deepest->b).fileEntry),
      fmt::format("parts {} and {} overlap by {} at the start{}", name(deepest->a), name(deepest->b),
                  smallLengthText(deepest->depth), others),
      hasThread(scene.part(deepest->a).shape) && hasThread(scene.part(deepest->b).shape)
          ? "move them apart, or turn the teeth of one by \"phase_deg\" of its \"thread\" (\"thread\": "
            "false leaves a standard part smooth)"
          : "move them apart by changing \"position\" or \"rotation\"");
}

std::string conflictText(const physics::JointConflict& conflict) {
  const std::string by =
      conflict.isLength ? smallLengthText(conflict.by) : fmt::format("{:.2g} rad", conflict.by);
  switch (conflict.kind) {
    case physics::JointConflict::Kind::binding:
      return fmt::format(
          "constrain nearly but not exactly the same motion, which locks them: they differ by {} for each {} "
          "of motion",
          by, conflict.turning ? "radian" : "meter");
    case physics::JointConflict::Kind::apart:
      return fmt::format("constrain the same motion, but differ by {}", by);
    case physics::JointConflict::Kind::driven:
      return fmt::format(
          "contradict each other: the velocities of kinematic parts separate them by {} per second", by);
  }
  return "";
}

/// Throws InputError if joints contradict or nearly repeat each other. Each joint is satisfied at the start,
/// because its frame follows from the start pose of its part.
void checkJoints(const Scene& scene) {
  if (scene.joints.empty()) return;
  const auto conflict = buildWorld(scene, {}).analyzeMobility().conflict;
  if (!conflict) return;
  std::vector<std::string> names;
  for (const physics::JointId id : conflict->joints)
    names.push_back(scene.joints[static_cast<std::size_t>(id.value)].name);
  const bool driven = conflict->kind == physics::JointConflict::Kind::driven;
  throw InputError(scene.file, fmt::format("/joints/{}", conflict->joints.back().value),
                   fmt::format("joints {} {}", quotedList(names), conflictText(*conflict)),
                   driven
                       ? "change the velocities of the kinematic parts, or remove a joint"
                       : "give positions, rotations and axes with more digits (expressions have them all), "
                         "so that they agree to 1e-9, or remove a joint");
}

}  // namespace

void checkStart(Scene& scene) {
  for (const Part& part : scene.parts) {
    checkCompound(scene, part.shape, fmt::format("/parts/{}/shape", part.fileEntry));
  }
  checkJoints(scene);
  InterferenceSearch search(scene);
  settleStart(scene, search);
  checkParts(scene, search);
}

}  // namespace tenon::content
