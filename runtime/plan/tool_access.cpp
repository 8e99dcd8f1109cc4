// See tool_access.h.
#include "runtime/plan/tool_access.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "content/input/wording.h"
#include "content/parts/driver_part.h"
#include "runtime/plan/part_distance.h"

namespace tenon::runtime {

namespace {

using physics::Pose;
using physics::Vector3d;

/// Diameter of a fist around a handle [m].
constexpr double kHandDiameter = 0.08;
/// A hexagon whose axis is that of the thread [cosine].
constexpr double kAlongThread = 0.999;

/// The hexagon by which the unit is turned out of its thread; null: none is known.
const content::Hexagon* driveOf(const Assembly& assembly, const UnitThread& thread) {
  const Pose& X_WP = assembly.X_WP[static_cast<std::size_t>(thread.part)];
  for (const content::Hexagon& hexagon : assembly.scene->part(thread.part).hexagons)
    if ((X_WP.q * (hexagon.X_PH.q * Vector3d::UnitZ())).dot(thread.out_W) > kAlongThread) return &hexagon;
  return nullptr;
}

/// Parts other than those of the unit, than `through`, and than drivers, that a cylinder meets, from `low` to
/// `high` along z of its frame.
std::vector<int> metBy(const Assembly& assembly, int unit, int through, double radius, double low,
                       double high, const Pose& X_WH) {
  content::Scene scene;
  scene.parts = assembly.scene->parts;
  content::Part tool;
  tool.shape = physics::Cylinder{radius, 0.5 * (high - low)};
  scene.parts.push_back(tool);
  PartDistance distance(scene);
  const Pose X_WT = X_WH * Pose::at({0, 0, 0.5 * (low + high)});
  const auto index = static_cast<int>(assembly.X_WP.size());
  std::vector<int> met;
  for (int part = 0; part < index; ++part)
    if (assembly.unitOf(part) != unit && part != through && !assembly.scene->part(part).driver &&
        distance.separation(part, assembly.X_WP[static_cast<std::size_t>(part)], index, X_WT, 0) < 0)
      met.push_back(part);
  return met;
}

ScrewTool toolOf(const Assembly& assembly, int unit, const content::Hexagon& hexagon) {
  const UnitThread& thread = *assembly.units[static_cast<std::size_t>(unit)].thread;
  const Pose X_WH = assembly.X_WP[static_cast<std::size_t>(thread.part)] * hexagon.X_PH;
  const content::DriverSize size = content::driverSize(hexagon.size);
  // A socket goes over its hexagon; a key goes in, where only the screw is.
  const double tip = hexagon.size.isInternal ? 0 : -hexagon.depth;
  const int through = hexagon.size.isInternal ? -1 : thread.to;
  ScrewTool tool;
  tool.name = fmt::format("{:g} mm {}", std::round(hexagon.size.width * 1e4) / 10,
                          hexagon.size.isInternal ? "key" : "socket");
  tool.shank = metBy(assembly, unit, through, size.shankRadius, tip, size.length + thread.length, X_WH);
  tool.hand = metBy(assembly, unit, through, 0.5 * kHandDiameter, tip + size.length - size.handleLength,
                    tip + size.length + thread.length, X_WH);
  return tool;
}

}  // namespace

ToolAccess::ToolAccess(const Assembly& assembly) : assembly_(assembly) {
  tools_.resize(assembly.units.size());
  for (std::size_t unit = 0; unit < assembly.units.size(); ++unit) {
    const auto& thread = assembly.units[unit].thread;
    const content::Hexagon* drive = thread ? driveOf(assembly, *thread) : nullptr;
    if (drive) tools_[unit] = toolOf(assembly, static_cast<int>(unit), *drive);
  }
}

bool ToolAccess::isBlocked(int unit, const std::vector<int>& units) const {
  const auto& tool = of(unit);
  if (!tool) return false;
  const auto isPresent = [&](int part) {
    const int other = assembly_.unitOf(part);
    return other >= 0 && std::find(units.begin(), units.end(), other) != units.end();
  };
  return std::any_of(tool->shank.begin(), tool->shank.end(), isPresent) ||
         std::any_of(tool->hand.begin(), tool->hand.end(), isPresent);
}

std::string ToolAccess::reason(int unit, const std::vector<int>& parts) const {
  const auto& tool = of(unit);
  if (!tool) return "";
  std::string text;
  const auto add = [&](const std::vector<int>& met, const std::string& what) {
    std::vector<std::string> names;
    for (const int part : met)
      if (std::find(parts.begin(), parts.end(), part) != parts.end())
        names.push_back(assembly_.scene->part(part).name);
    if (!names.empty())
      text +=
          fmt::format("{}{} is blocked by {}", text.empty() ? "" : ", ", what, content::quotedList(names));
  };
  const std::string name =
      fmt::format("the {} for {}", tool->name, content::inQuotes(assembly_.nameOf(unit)));
  add(tool->shank, name);
  if (text.empty()) add(tool->hand, "the hand on " + name);
  return text;
}

}  // namespace tenon::runtime
