// Headers of sessions, and files that must not become one.
#include "runtime/commands/record_session.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>
#include <filesystem>

#include "content/scene/load_scene.h"
#include "runtime/commands/terminal.h"

namespace tenon::runtime {

SessionHeader headerOf(const content::Scene& scene, std::string text, content::FileBytes meshFiles,
                       const SolverSettings& solver, double rate, std::uint64_t seed, int threads) {
  SessionHeader header;
  header.program = thisProgram();
  header.started = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
  header.sceneFile = scene.file;
  header.sceneText = std::move(text);
  header.meshFiles = std::move(meshFiles);
  header.solver = solver.name;
  header.solverOptions = solver.options;
  header.rate = rate;
  header.seed = seed;
  header.threads = threads;
  return header;
}

void tellOfRecord(const std::string& message) {
  fmt::print(stderr, "{}tenon: {}\n", isTerminal(stderr) ? "\r\x1b[K" : "", message);
}

void refuseIfRead(const std::string& file, const content::Scene& scene, const content::FileBytes& meshFiles) {
  std::error_code none;
  if (std::filesystem::equivalent(file, scene.file, none))
    throw content::InputError(file, "", "is the scene itself", "write to another file");
  for (const auto& [path, bytes] : meshFiles)
    if (std::filesystem::equivalent(file, content::folderOf(scene.file) + "/" + path, none))
      throw content::InputError(file, "", "is a mesh file of the scene", "write to another file");
}

}  // namespace tenon::runtime
