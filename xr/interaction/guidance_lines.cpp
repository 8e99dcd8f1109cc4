// See guidance_lines.h.
#include "xr/interaction/guidance_lines.h"

#include <algorithm>

#include "xr/appearance/palette.h"

namespace tenon::xr {

namespace {

const Eigen::Vector3d kAxisColor = linearOf(palette::kMeasure);
constexpr double kLineRadius = 0.0006;  ///< [m]

}  // namespace

void addGuidance(RenderScene& out, std::span<const GuidedAxis> axes, std::span<const int> held,
                 std::span<const physics::Pose> X_WP) {
  bool isGuiding = false;
  for (const GuidedAxis& axis : axes) {
    if (std::find(held.begin(), held.end(), axis.part) == held.end()) continue;
    const physics::Pose& X_WI = X_WP[static_cast<std::size_t>(axis.into)];
    if (guidanceWeight(axis, X_WP[static_cast<std::size_t>(axis.part)], X_WI) <= 0) continue;
    isGuiding = true;
    const physics::Pose X_WH = X_WI * axis.X_IH;
    const physics::Vector3d z = X_WH.q * physics::Vector3d::UnitZ();
    out.arrows.push_back(
        {X_WH.p + kGuidanceHeight * z, -(kGuidanceHeight + axis.depth) * z, kLineRadius, kAxisColor});
  }
  if (isGuiding) out.captions.push_back({"guidance axis", kAxisColor});
}

}  // namespace tenon::xr
