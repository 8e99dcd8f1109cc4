// bench_stress: a table of scenes at which engines of rigid contact fail, each with the figures that show it.
#include <CLI/CLI.hpp>

#include "tests/bench/bench_program.h"
#include "tests/bench/stress/stress_scenes.h"

namespace {

int run(int argc, char** argv) {
  CLI::App app(
      "Scenes beside the peg in its bore: many bodies, mass ratios, piles, curves, speed, loads, press fits");
  std::vector<std::string> chosen;
  app.add_option("--scene", chosen, "Only scenes whose names begin with one of these");
  CLI11_PARSE(app, argc, argv);
  std::vector<tenon::bench::StressScene> scenes = tenon::bench::stressScenes();
  tenon::bench::keepSelected(scenes, chosen);
  fmt::print("| name | scene | measured |\n|---|---|---|\n");
  for (const tenon::bench::StressScene& each : scenes) {
    fmt::print("| {} | {} | {} |\n", each.name, each.scene, each.measure());
    std::fflush(stdout);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return tenon::bench::benchMain("bench_stress", run, argc, argv);
}
