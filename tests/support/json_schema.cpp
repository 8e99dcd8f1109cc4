// See json_schema.h.
#include "tests/support/json_schema.h"

#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <functional>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "tests/support/program_run.h"

namespace tenon::tests {

namespace {

using nlohmann::json;

constexpr int kNoValidator = 77;

/// Exit code and output of a command.
std::pair<int, std::string> outputOf(const std::string& command) {
  FILE* pipe = popen(command.c_str(), "r");
  if (!pipe) return {-1, ""};
  std::string output;
  std::array<char, 4096> buffer;
  while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), pipe))
    output.append(buffer.data(), count);
  const int status = pclose(pipe);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, output};
}

/// Every object of a document, by pointer.
void eachObject(const json& value, const json::json_pointer& at,
                const std::function<void(const json::json_pointer&)>& visit) {
  if (value.is_object()) visit(at);
  if (!value.is_structured()) return;
  for (const auto& [key, child] : value.items())
    eachObject(child, value.is_array() ? at / static_cast<std::size_t>(std::stoul(key)) : at / key, visit);
}

}  // namespace

std::optional<std::vector<std::string>> schemaVerdicts(const std::string& schema,
                                                       const std::vector<json>& documents) {
  const TemporaryFolder folder;
  std::string command = "python3 '" TENON_SOURCE_DIR "/tests/content/validate_schema.py' '" + schema + "'";
  for (std::size_t k = 0; k < documents.size(); ++k) {
    const std::string file = folder / (std::to_string(k) + ".json");
    std::ofstream(file) << documents[k];
    command += " '" + file + "'";
  }
  const auto [code, output] = outputOf(command);
  if (code == kNoValidator) return std::nullopt;
  std::istringstream lines(output);
  std::vector<std::string> verdicts;
  for (std::string line; std::getline(lines, line);) verdicts.push_back(line);
  if (code != 0 || verdicts.size() != documents.size())
    throw std::runtime_error("the validator failed: " + output);
  return verdicts;
}

std::vector<ChangedDocument> changedDocuments(const json& good) {
  std::vector<ChangedDocument> changed;
  eachObject(good, json::json_pointer(), [&](const json::json_pointer& at) {
    json unknown = good;
    unknown[at]["unknown"] = 1;
    changed.push_back({unknown, "an unknown field in " + at.to_string()});
    for (const auto& [field, value] : good[at].items()) {
      json without = good, wrong = good;
      without[at].erase(field);
      changed.push_back({without, "no " + (at / field).to_string()});
      wrong[at][field] = {{"a", {1}}};
      changed.push_back({wrong, "nonsense at " + (at / field).to_string()});
    }
  });
  return changed;
}

}  // namespace tenon::tests
