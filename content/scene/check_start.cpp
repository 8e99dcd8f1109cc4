// Whether a scene can start: see check_start.h.
#include "content/scene/check_start.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "content/build_world.h"
#include "content/scene/limits.h"
#include "content/scene/load_scene.h"
#include "content/scene/wording.h"

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
  if (const auto w = worst(findInterferences(children, kStartOverlap, kEnough))) {
    throw InputError(
        scene.file, fmt::format("{}/children/{}", place, w->b),
        fmt::format("overlaps child {} of the same compound by {}", w->a, smallLengthText(w->depth)),
        "let children touch but not overlap, so that no mass counts twice");
  }
}

void checkParts(const Scene& scene) {
  const auto all = findInterferences(scene, kStartOverlap, kEnough);
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

}  // namespace

void checkStart(const Scene& scene) {
  for (const Part& part : scene.parts) {
    // Those made of a mesh share faces to the last bit, and are disjoint by how they are cut.
    if (part.mesh) continue;
    checkCompound(scene, part.shape, fmt::format("/parts/{}/shape", part.entry));
  }
  checkParts(scene);
}

}  // namespace tenon::content
