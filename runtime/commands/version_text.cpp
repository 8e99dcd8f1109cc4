// The only file that depends on the commit: runtime/CMakeLists.txt keeps it out of batches.
#include "runtime/commands/version_text.h"

#include <fmt/format.h>
#include <tenon_commit.h>
#include <tenon_sources.h>

#include <string_view>

#include "content/step/read_step.h"
#include "runtime/record/program_identity.h"
#include "xr/sound/speaker.h"

namespace tenon::runtime {

namespace {

/// "yes (OpenAL)", or "no".
std::string optional(const std::string& component) {
  return component.empty() ? "no" : fmt::format("yes ({})", component);
}

}  // namespace

std::string versionText() {
  const ProgramIdentity program = thisProgram();
  const std::string step = content::findStepReader().version;
  constexpr std::string_view kCommit = TENON_COMMIT;
  std::string text = "tenon " + program.version;
  if (!kCommit.empty()) text += fmt::format("\ncommit: {}", kCommit);
  text += "\nsources: " + program.sources;
  text += "\narithmetic: " + program.arithmetic;
  text += "\ncompiler: " + program.compiler;
  text += fmt::format("\nbuild type: {}, {}", TENON_BUILD_TYPE, program.build);
  text += "\nlibraries: " TENON_LIBRARIES;
  text += "\nheaders: " TENON_HEADERS;
  text += "\nSTEP files: " + optional(step.empty() ? "" : "OpenCASCADE " + step);
  text += "\nsound: " + optional(xr::soundLibrary());
  return text;
}

}  // namespace tenon::runtime
