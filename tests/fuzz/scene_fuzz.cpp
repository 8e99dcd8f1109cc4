// Fuzzes the scene reader: any bytes give either a scene that can be built, or an error in one line. Any
// other exception is a defect.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "content/model/build_world.h"
#include "content/reader/load_scene.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tenon;
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    const content::Scene scene = content::parseScene(text, "fuzz.json");
    const physics::World world = content::buildWorld(scene, {});
    for (const physics::BodyState& body : world.stepResult().bodies) {
      if (!body.X_WC.p.allFinite() || std::abs(body.X_WC.q.norm() - 1) > 1e-12) std::abort();
    }
  } catch (const content::InputError& error) {
    if (std::string(error.what()).find_first_of("\r\n") != std::string::npos) std::abort();
  }
  return 0;
}
