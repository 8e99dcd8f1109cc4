// Pictures of a plan.
#pragma once

#include <string>

#include "runtime/plan/explode.h"
#include "runtime/plan/plan_page.h"
#include "runtime/session/image_size.h"
#include "xr/display/offscreen.h"

namespace tenon::runtime {

/// The exploded state as the bytes of a PNG file. `size`: that of `display`. Throws xr::GraphicsUnavailable.
std::string explodedPicture(const AssemblyPlan& plan, const Explosion& explosion, xr::Offscreen& display,
                            const ImageSize& size);

/// Of the report: the exploded state, and one after each step, without the parts that are not yet in their
/// places. Without a graphics device there is only the reason.
PlanPictures picturesOf(const AssemblyPlan& plan, const Explosion& explosion);

}  // namespace tenon::runtime
