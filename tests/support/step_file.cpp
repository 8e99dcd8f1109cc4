// See step_file.h.
#include "tests/support/step_file.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>

#ifndef TENON_MAKE_STEP
#define TENON_MAKE_STEP ""
#endif

namespace tenon::tests {

std::string stepIsMissing() {
  const std::string program = TENON_MAKE_STEP;
  return program.empty() ? "built without OpenCASCADE: apt-get install libocct-data-exchange-dev libtbb-dev"
                         : "";
}

bool makeStep(const std::string& kind, const std::string& file, const std::vector<double>& numbers,
              const std::string& unit) {
  std::vector<std::string> words{TENON_MAKE_STEP, kind, file, unit};
  for (const double number : numbers) {
    char text[40];
    std::snprintf(text, sizeof text, "%.17g", number);
    words.emplace_back(text);
  }
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY,
                                   0);  // the library's chatter
  pid_t child = 0;
  int status = -1;
  const bool started =
      posix_spawn(&child, words[0].c_str(), &actions, nullptr, arguments.data(), environ) == 0;
  posix_spawn_file_actions_destroy(&actions);
  return started && waitpid(child, &status, 0) == child && status == 0;
}

nlohmann::json onePartScene() {
  return {{"tenon", 1},
          {"title", "One part"},
          {"unit", "mm"},
          {"duration_s", 1},
          {"materials", {{{"name", "unit"}, {"density_kg_per_m3", 1}}}},
          {"parts",
           {{{"name", "part"}, {"material", "unit"}, {"shape", {{"kind", "mesh"}, {"file", "part.step"}}}}}}};
}

}  // namespace tenon::tests
