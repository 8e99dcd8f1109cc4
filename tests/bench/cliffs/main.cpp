// bench_cliffs: a table of scenes at which engines of rigid contact fail, each with the figures that show it.
#include <CLI/CLI.hpp>

#include "tests/bench/bench_program.h"
#include "tests/bench/cliffs/cliff_scenes.h"

namespace {

int run(int argc, char** argv) {
  CLI::App app(
      "Scenes beside the peg in its bore: many bodies, mass ratios, piles, curves, speed, loads, press fits");
  std::vector<std::string> chosen;
  app.add_option("--scene", chosen, "Only scenes whose names begin with one of these");
  CLI11_PARSE(app, argc, argv);
  std::vector<tenon::bench::Cliff> scenes = tenon::bench::cliffs();
  tenon::bench::keepSelected(scenes, chosen);
  fmt::print("| name | scene | measured |\n|---|---|---|\n");
  for (const tenon::bench::Cliff& cliff : scenes) {
    fmt::print("| {} | {} | {} |\n", cliff.name, cliff.scene, cliff.measure());
    std::fflush(stdout);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return tenon::bench::benchMain("bench_cliffs", run, argc, argv);
}
