// tenon new: writes a commented scene to start from.
#include <fmt/format.h>
#include <CLI/App.hpp>

#include <array>
#include <filesystem>
#include <memory>
#include <string>

#include "content/input/wording.h"
#include "runtime/commands/command.h"
#include "runtime/session/atomic_file.h"
#include "runtime/session/exit_code.h"
#include "runtime/session/output_files.h"
#include "runtime/session/starter_scene.h"
#include "runtime/session/terminal.h"

namespace tenon::runtime {

namespace {

struct NewOptions {
  std::string file;
  bool force = false;  ///< overwrite an existing file
};

int writeStarter(const NewOptions& options) {
  requireWritable(std::array{Output{"SCENE", options.file, OutputKind::scene}}, {}, options.force);
  AtomicFile(options.file).commit(starterScene(std::filesystem::path(options.file).stem().string()));
  printMessage(fmt::format("scene written to {}; next: tenon preview {}", content::oneLine(options.file, 200),
                           content::oneLine(content::shellQuoted(options.file), 200)));
  return kSuccess;
}

}  // namespace

void addNewCommand(CLI::App& program, int& exitCode) {
  const auto options = std::make_shared<NewOptions>();
  CLI::App* command = program.add_subcommand("new", "Write a commented scene to start from");
  command->add_option("SCENE", options->file, "Scene file to write (JSON)")->type_name("")->required();
  addForce(*command, options->force);
  command->footer(
      "The scene inserts a pin into a hole; its comments explain every line. It may be checked, run and\n"
      "opened in a window as it is.\n\n"
      "Examples:\n"
      "  tenon new pin.json\n"
      "  tenon preview pin.json\n"
      "  tenon run pin.json\n\n"
      "Exit codes: 0 done, 2 bad input or usage.");
  command->callback([options, &exitCode] { exitCode = writeStarter(*options); });
}

}  // namespace tenon::runtime
