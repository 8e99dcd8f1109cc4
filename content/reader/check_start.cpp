// Whether a scene can start: see check_start.h.
#include "content/reader/check_start.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "content/input/input_error.h"
#include "content/input/limits.h"
#include "content/input/wording.h"
#include "content/model/build_world.h"

namespace tenon::content {
namespace {

/// More overlaps than this make no message better, and may take long to find.
constexpr std::size_t kEnough = 8;

/// The deepest overlap: the one to mend first.
std::optional<Interference> worst(const std::vector<Interference>& all) {
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
  if (const auto w = worst(findInterferences(children, kInitialOverlapTolerance, kEnough))) {
    throw InputError(
        scene.file, fmt::format("{}/children/{}", place, w->b),
        fmt::format("overlaps child {} of the same compound by {}", w->a, smallLengthText(w->depth)),
        "let children touch but not overlap, so that no mass counts twice");
  }
}

void checkParts(const Scene& scene) {
  const auto all = findInterferences(scene, kInitialOverlapTolerance, kEnough);
  const auto w = worst(all);
  if (!w) return;
  const auto name = [&](int k) { return inQuotes(scene.parts[static_cast<std::size_t>(k)].name); };
  const char* more = all.size() == kEnough ? " or more" : "";
  const std::string others = all.size() > 1 ? fmt::format(" ({}{} pairs overlap)", all.size(), more) : "";
  throw InputError(scene.file, fmt::format("/parts/{}", scene.parts[static_cast<std::size_t>(w->b)].entry),
                   fmt::format("parts {} and {} overlap by {} at the start{}", name(w->a), name(w->b),
                               smallLengthText(w->depth), others),
                   "move them apart by changing \"position\" or \"rotation\"");
}

std::string conflictText(const physics::JointConflict& conflict) {
  const std::string by =
      conflict.isLength ? smallLengthText(conflict.by) : fmt::format("{:.2g} rad", conflict.by);
  switch (conflict.kind) {
    case physics::JointConflict::Kind::binding:
      return fmt::format(
          "hold nearly but not exactly the same, which locks them: they differ by {} for each {} "
          "of motion",
          by, conflict.turning ? "radian" : "metre");
    case physics::JointConflict::Kind::apart:
      return fmt::format("hold the same {} apart", by);
    case physics::JointConflict::Kind::driven:
      return fmt::format("contradict each other: what they hold is driven apart by {} a second", by);
  }
  return "";
}

/// Whether joints can be kept together. All of them hold at the start, as a joint is where its part is.
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
                       ? "change the velocities of the parts that do not move by forces, or leave a joint out"
                       : "give positions, rotations and axes with more digits (expressions have them all), "
                         "so that they agree to 1e-9, or leave a joint out");
}

}  // namespace

void checkStart(const Scene& scene) {
  for (const Part& part : scene.parts) {
    // Those made of a mesh share faces to the last bit, and are disjoint by how they are cut.
    if (part.mesh) continue;
    checkCompound(scene, part.shape, fmt::format("/parts/{}/shape", part.entry));
  }
  checkParts(scene);
  checkJoints(scene);
}

}  // namespace tenon::content
