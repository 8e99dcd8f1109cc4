// Creates session headers.
#include "runtime/session/record_session.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>
#include <filesystem>

#include "runtime/report/units_text.h"

namespace tenon::runtime {

SessionHeader makeSessionHeader(const content::Scene& scene, std::string text, content::FileBytes meshFiles,
                                const SolverSettings& solver, double rate, std::uint64_t seed, int threads) {
  SessionHeader header;
  header.program = thisProgram();
  header.started = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
  header.sceneFile = scene.file;
  header.sceneText = std::move(text);
  header.meshFiles = std::move(meshFiles);
  header.solver = solver.name;
  header.solverOptions = solver.recordedOptions();
  header.rate = rate;
  header.seed = seed;
  header.threads = threads;
  return header;
}

std::string recordingSummary(const std::string& file, std::int64_t steps) {
  std::error_code error;
  const auto bytes = std::filesystem::file_size(file, error);
  const std::string size = error             ? ""
                           : bytes < 1000000 ? fmt::format(", {:.0f} kB", 1e-3 * static_cast<double>(bytes))
                                             : fmt::format(", {:.1f} MB", 1e-6 * static_cast<double>(bytes));
  return fmt::format("session recorded in {}: {}{}", file, countText(steps, "step"), size);
}

}  // namespace tenon::runtime
