// See plan_pictures.h.
#include "runtime/commands/plan_pictures.h"

#include <memory>
#include <utility>
#include <vector>

#include "content/model/build_world.h"
#include "runtime/plan/stability.h"
#include "runtime/session/scene_picture.h"

namespace tenon::runtime {

namespace {

constexpr ImageSize kSize{480, 320};  ///< of the report [pixels]

std::string pictureOf(content::Scene scene, xr::Offscreen& display, const ImageSize& size) {
  const auto state = std::make_shared<const content::Scene>(std::move(scene));
  const ScenePicture picture(state, {});
  return xr::toPng(picture.draw(display, size, content::buildWorld(*state, {})));
}

}  // namespace

std::string explodedPicture(const AssemblyPlan& plan, const Explosion& explosion, xr::Offscreen& display,
                            const ImageSize& size) {
  return pictureOf(explodedScene(plan, explosion), display, size);
}

PlanPictures picturesOf(const AssemblyPlan& plan, const Explosion& explosion) {
  PlanPictures pictures;
  try {
    xr::Offscreen display(kSize.width, kSize.height);
    pictures.exploded = explodedPicture(plan, explosion, display, kSize);
    std::vector<char> isPlaced(plan.assembly.X_WP.size(), 1);
    for (const AssemblyUnit& unit : plan.assembly.units)
      for (const int part : unit.parts) isPlaced[static_cast<std::size_t>(part)] = 0;
    for (const PlanStep& step : plan.steps) {
      for (const int unit : step.units)
        for (const int part : plan.assembly.units[static_cast<std::size_t>(unit)].parts)
          isPlaced[static_cast<std::size_t>(part)] = 1;
      pictures.png.push_back(pictureOf(assembledScene(plan.assembly, isPlaced), display, kSize));
    }
  } catch (const xr::GraphicsUnavailable& error) {
    pictures = {};
    pictures.why = error.what();
  }
  return pictures;
}

}  // namespace tenon::runtime
