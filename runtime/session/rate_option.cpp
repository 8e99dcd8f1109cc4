// Adds --rate with its range check.
#include "runtime/session/rate_option.h"

#include <CLI/App.hpp>

#include "content/input/limits.h"
#include "runtime/session/scene_options.h"

namespace tenon::runtime {

void addRate(CLI::App& command, double& rate) {
  command.add_option("--rate", rate, "Steps per simulated second [Hz]; default: the scene's")
      ->type_name("HZ")
      ->check(finiteIn(content::kMinRate, content::kMaxRate));
}

}  // namespace tenon::runtime
