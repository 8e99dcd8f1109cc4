// Registers the commands and maps every exception to one line on stderr and an exit code.
#include "runtime/commands/program.h"

#include <fmt/format.h>
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <string>

#include "content/reader/load_scene.h"
#include "content/step/read_step.h"
#include "runtime/commands/command.h"
#include "runtime/commands/version_text.h"
#include "runtime/session/exit_code.h"
#include "runtime/session/terminal.h"
#include "runtime/session/usage.h"
#include "xr/display/headset.h"
#include "xr/display/offscreen.h"

namespace tenon::runtime {

namespace {

int usageExit(const CLI::App& program, const CLI::ParseError& error) {
  if (error.get_exit_code() == 0) {  // --help, --version
    const bool version = error.get_name() == "CallForVersion";
    fmt::print("{}", version ? std::string(error.what()) + "\n" : program.help());
    return kSuccess;
  }
  printMessage(usageProblem(program, error));
  return kBadInput;
}

int exitCodeOf(int argc, const char* const* argv) {
  int exitCode = kSuccess;
  CLI::App program("Simulates manual assembly and reports which parts can be inserted.", "tenon");
  program.set_version_flag("--version", versionText, "Print the version and the identity of this build");
  program.require_subcommand(1);
  program.footer(
      "Examples:\n"
      "  tenon run content/scenes/bolt-in-plate.json\n"
      "  tenon new pin.json\n"
      "  tenon check content/scenes/four-bolts.json\n"
      "  tenon replay s.tenon --verify\n"
      "  tenon preview content/scenes/bolt-in-plate.json\n"
      "  tenon vr content/scenes/bolt-in-plate.json\n"
      "  tenon render content/scenes/flange.json --time 3 --forces --out flange.png\n"
      "  tenon parts make iso4762 M8x30 --out m8.glb\n"
      "  tenon solve tests/data/sliding.json --solver all\n"
      "  tenon plan content/scenes/hinge.json\n"
      "  tenon sweep content/scenes/bolt-in-plate.json --part screw --out screw.stl\n"
      "  tenon study content/studies/insertion-yield.json\n"
      "  tenon serve --listen 127.0.0.1:7171\n"
      "  tenon doctor\n\n"
      "Exit codes: 0 done and every goal reached, 1 some goal not reached, 2 bad input or usage,\n"
      "3 the machine lacks a component, 4 internal error, 130 stopped by Ctrl-C.");
  addRunCommand(program, exitCode);
  addNewCommand(program, exitCode);
  addCheckCommand(program, exitCode);
  addReplayCommand(program, exitCode);
  addExportCommand(program, exitCode);
  addRenderCommand(program, exitCode);
  addPreviewCommand(program, exitCode);
  addVrCommand(program, exitCode);
  addPartsCommand(program, exitCode);
  addSolveCommand(program, exitCode);
  addPlanCommand(program, exitCode);
  addSweepCommand(program, exitCode);
  addStudyCommand(program, exitCode);
  addServeCommand(program, exitCode);
  addDoctorCommand(program, exitCode);
  addManualCommand(program, exitCode);
  try {
    program.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return usageExit(program, error);
  } catch (const content::InputError& error) {
    printMessage(error.what());
    return kBadInput;
  } catch (const content::MissingComponent& error) {
    printMessage(error.what());
    return kMissingComponent;
  } catch (const xr::GraphicsUnavailable& error) {
    printMessage(error.what());
    return kMissingComponent;
  } catch (const std::bad_alloc&) {
    printMessage("out of memory; simulate fewer or simpler parts");
    return kMissingComponent;
  } catch (const std::exception& error) {
    printMessage(fmt::format("internal error: {}; please report it with the command you gave", error.what()));
    return kInternalError;
  }
  return exitCode;
}

}  // namespace

int runProgram(int argc, const char* const* argv) {
  const int exitCode = exitCodeOf(argc, argv);
  if (xr::Headset::isAnyAbandoned()) {
    std::fflush(nullptr);
    std::_Exit(exitCode);  // its thread still uses what exit() destroys
  }
  return exitCode;
}

}  // namespace tenon::runtime
