// See scene_warnings.h. Sizes and units here; pairs and scripts have separate files.
#include "runtime/report/scene_warnings.h"

#include <fmt/format.h>

#include <algorithm>

#include "content/mesh/mesh_report_text.h"
#include "content/reader/read_mesh.h"
#include "runtime/report/fit_warnings.h"
#include "runtime/report/mesh_survey.h"
#include "runtime/report/script_warnings.h"
#include "runtime/report/unit_warning.h"
#include "runtime/report/units_text.h"
#include "xr/interaction/part_bounds.h"

namespace tenon::runtime {

namespace {

/// Largest size and mass of parts moved in manual assembly, cranes included [m], [kg].
constexpr double kLargest = 5, kHeaviest = 1000;

/// Dynamic parts only: fixed ones may be floors and buildings.
std::string sizeWarning(const content::Part& part, const std::string& unit) {
  if (part.motion != physics::MotionType::dynamic) return "";
  const double side = xr::boundsOf(part.shape).sizes().maxCoeff();
  if (!(side > kLargest) && !(part.mass.mass > kHeaviest)) return "";
  const double tons = part.mass.mass / 1000;
  return fmt::format(
      "{}: it is {:.4g} m long and weighs {}, too large to assemble by hand; check \"unit\" ({}) and the "
      "material's density",
      part.name, side, tons >= 1 ? fmt::format("{:.4g} t", tons) : massText(part.mass.mass),
      part.mesh ? part.mesh->unit : unit);
}

/// Of the identical parts of one "count" only the first is checked. If the scene's unit is doubtful, only
/// meshes are checked, which have units of their own.
void addPartWarnings(const content::Scene& scene, std::vector<std::string>& warnings) {
  const std::string unit = unitWarning(scene);
  if (!unit.empty()) warnings.push_back(unit);
  int last = -1;
  for (const content::Part& part : scene.parts) {
    if (part.fileEntry >= 0 && part.fileEntry == last) continue;
    last = part.fileEntry;
    if (part.mesh)
      if (const std::string rounding = content::roundingText(part.mesh->rounding); !rounding.empty())
        warnings.push_back(fmt::format("{}: {}: {}", part.name, part.mesh->file, rounding));
    if (part.mesh && !part.mesh->unitWarning.empty()) {
      warnings.push_back(fmt::format("{}: {}: {}", part.name, part.mesh->file, part.mesh->unitWarning));
    } else if (std::string size = sizeWarning(part, scene.unit);
               !size.empty() && (unit.empty() || part.mesh)) {
      warnings.push_back(std::move(size));
    }
  }
}

/// Of the overlaps as drawn only the deepest of each kind of pair, so that equal parts are not listed all.
std::string settledWarning(const content::Scene& scene) {
  if (scene.settled.empty()) return "";
  const auto deepest = std::max_element(scene.settled.begin(), scene.settled.end(),
                                        [](const auto& a, const auto& b) { return a.depth < b.depth; });
  return fmt::format("{} overlap{} as drawn, by at most {} ({} and {}): parts that can move were moved apart",
                     countText(static_cast<int>(scene.settled.size()), "pair"),
                     scene.settled.size() == 1 ? "s" : "", content::smallLengthText(deepest->depth),
                     scene.part(deepest->a).name, scene.part(deepest->b).name);
}

}  // namespace

std::vector<std::string> sceneWarnings(const content::Scene& scene, double end) {
  std::vector<std::string> warnings;
  addPartWarnings(scene, warnings);
  const auto append = [&](const std::vector<std::string>& more) {
    for (const std::string& text : more)
      if (std::find(warnings.begin(), warnings.end(), text) == warnings.end()) warnings.push_back(text);
  };
  if (const std::string settled = settledWarning(scene); !settled.empty()) warnings.push_back(settled);
  append(meshWarnings(scene));
  append(fitWarnings(scene));
  append(scriptWarnings(scene, end < 0 ? scene.duration : end));
  return warnings;
}

}  // namespace tenon::runtime
