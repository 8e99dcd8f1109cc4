// See bench_reading.h.
#include "runtime/workbench/bench_reading.h"

#include <exception>

#include "content/reader/check_start.h"
#include "runtime/session/scene_options.h"

namespace tenon::runtime {

BenchReading readBench(const std::string& text, const std::string& file,
                       const std::vector<std::string>& settings, std::int64_t revision,
                       std::shared_ptr<void>* meshes) {
  BenchReading reading;
  reading.revision = revision;
  try {
    content::DiskFileSource files;
    reading.scene = std::make_shared<const content::Scene>(
        parseScene({file, settings}, text, files, content::SceneChecks::entries, meshes));
    reading.view = std::make_unique<SceneView>(reading.scene);
    content::Scene checked = *reading.scene;
    content::checkStart(checked);
  } catch (const std::exception& error) {  // also of a missing STEP reader
    reading.problem = error.what();
  }
  return reading;
}

std::string emptyBench() {
  return R"json({
  "tenon": 1,
  "title": "Untitled",
  "unit": "mm",
  "duration_s": 10,
  "materials": [{"name": "steel", "density_kg_per_m3": 7850, "youngs_modulus_gpa": 210}],
  "material_pairs": [{"materials": ["steel", "steel"], "friction": 0.12}],
  "parts": [
    {"name": "floor", "material": "steel", "motion": "fixed", "shape": {"kind": "half_space"}}
  ],
  "goals": []
}
)json";
}

}  // namespace tenon::runtime
