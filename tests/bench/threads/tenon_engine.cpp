// Tenon in the benchmark of nuts: the meshes by their files, as a user's scene has them; their threads are
// recognized.
#include <fmt/format.h>

#include <fstream>
#include <stdexcept>

#include "content/reader/load_scene.h"
#include "runtime/simulation/simulation.h"
#include "tests/bench/threads/nut_trial.h"
#include "tests/support/program_run.h"
#include "xr/hands/scripted_hands.h"

namespace tenon::bench {
namespace {

void save(const std::string& path, const tests::ThreadMeshOptions& options) {
  const physics::BoundarySolid mesh = tests::threadMesh(options);
  std::ofstream obj(path);
  obj.precision(15);
  for (const Vector3d& p : mesh.vertices) obj << "v " << p.x() << ' ' << p.y() << ' ' << p.z() << '\n';
  for (const auto& t : mesh.triangles) obj << "f " << t[0] + 1 << ' ' << t[1] + 1 << ' ' << t[2] + 1 << '\n';
}

content::Scene load(const NutTrial& trial) {
  const tests::TemporaryFolder folder;
  save(folder.path() + "/bolt.obj", trial.bolt);
  save(folder.path() + "/nut.obj", trial.nut);
  const std::string path = folder.path() + "/nut.json";
  std::ofstream(path) << fmt::format(
      R"({{"tenon": 1, "title": "A nut", "unit": "m", "duration_s": 1, "rate_hz": {},
"gravity_m_per_s2": [0, 0, {:.17g}],
"materials": [{{"name": "steel", "density_kg_per_m3": 7850}}],
"material_pairs": [{{"materials": ["steel", "steel"], "friction": {}}}],
"parts": [
  {{"name": "bolt", "material": "steel", "motion": "fixed", "shape": {{"kind": "mesh", "file": "bolt.obj", "unit": "m"}}}},
  {{"name": "nut", "material": "steel", "shape": {{"kind": "mesh", "file": "nut.obj", "unit": "m"}},
    "mass": {{"mass_kg": {:.17g}, "centre": [0, 0, 0], "inertia_kg_m2": [{:.17g}, {:.17g}, {:.17g}]}},
    "position": [0, 0, {:.17g}]}}]}})",
      1 / trial.dt, -trial.acceleration(), trial.friction, trial.mass, trial.inertia.x(), trial.inertia.y(),
      trial.inertia.z(), trial.X_WN.p.z());
  return content::loadScene(path, {});
}

class TenonEngine final : public NutEngine {
 public:
  explicit TenonEngine(const NutTrial& trial)
      : scene_(load(trial)),
        simulation_(scene_, {.dt = trial.dt, .allowSleep = false},
                    std::make_unique<xr::ScriptedHands>(scene_.hands)) {}

  void step() override {
    const physics::StepReport& report = simulation_.step().report;
    failed_ += report.converged ? 0 : 1;
  }
  Pose pose() const override { return simulation_.world().stepResult().bodies[1].X_WC; }
  std::string remark() const override {
    return failed_ > 0 ? fmt::format("{} steps not converged", failed_) : "";
  }

 private:
  content::Scene scene_;
  runtime::Simulation simulation_;
  int failed_ = 0;
};

}  // namespace

std::unique_ptr<NutEngine> makeTenon(const NutTrial& trial) {
  return std::make_unique<TenonEngine>(trial);
}

}  // namespace tenon::bench
