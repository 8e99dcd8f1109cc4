// See session_facts.h.
#include "runtime/report/session_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "runtime/report/operations_table.h"
#include "runtime/report/units_text.h"

namespace tenon::runtime {

namespace {

std::ptrdiff_t countReached(std::span<const Operation> operations) {
  return std::count_if(operations.begin(), operations.end(),
                       [](const Operation& op) { return op.isReached(); });
}

}  // namespace

std::string outcomeText(std::span<const Operation> operations) {
  if (operations.empty()) return "The scene has no goals.";
  std::string text = fmt::format("{} of {} {} inserted", countReached(operations), operations.size(),
                                 operations.size() == 1 ? "goal" : "goals");
  const std::size_t parts = countParts(operations);
  if (parts < operations.size())
    text += fmt::format(" ({})", countText(static_cast<std::int64_t>(parts), "part"));
  return text;
}

bool areAllReached(std::span<const Operation> operations) {
  return countReached(operations) == static_cast<std::ptrdiff_t>(operations.size());
}

std::vector<SessionFact> sessionFacts(const SessionReader& session) {
  const SessionHeader& header = session.header();
  const auto ending = session.ending();
  std::string solver = header.solver;
  for (const std::string& option : header.solverOptions) solver += ", " + option;
  std::vector<SessionFact> facts{
      {"Scene", std::filesystem::path(header.sceneFile).filename().string()},
      {"Recorded", header.started, "started"},
      {"Length",
       fmt::format("{:.3f} s, {} steps at {:g} Hz", session.lastTime(), session.lastTick(), header.rate)},
      {"Ended",
       ending ? *ending : fmt::format("cut off: what came after {:.3f} s is missing", session.lastTime())},
      {"Solver", solver},
      {"Program", fmt::format("tenon {} on {}", header.program.version, header.program.processor)}};
  for (const auto& [name, value] : header.parameters) facts.push_back({name, fmt::format("{:g}", value)});
  return facts;
}

}  // namespace tenon::runtime
