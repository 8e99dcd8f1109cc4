// tenon manual: the manual page and shell completion, generated from the definition of the command line.
#include <CLI/App.hpp>
#include <memory>
#include <string>

#include "runtime/commands/command.h"
#include "runtime/manual/describe_commands.h"
#include "runtime/manual/manual_page.h"
#include "runtime/manual/shell_completion.h"
#include "runtime/record/environment.h"
#include "runtime/session/exit_code.h"
#include "runtime/session/terminal.h"
#include "runtime/session/usage.h"

namespace tenon::runtime {

namespace {

std::string manual(const CommandDescription& program, const std::string& format) {
  if (format == "bash") return bashCompletion(program);
  if (format == "zsh") return zshCompletion(program);
  if (format == "fish") return fishCompletion(program);
  return manualPage(program, thisEnvironment().version);
}

}  // namespace

void addManualCommand(CLI::App& program, int& exitCode) {
  const auto format = std::make_shared<std::string>();
  CLI::App* command =
      program.add_subcommand("manual", "Print the manual page, or a shell's completion script");
  command->add_option("FORMAT", *format, "Manual page in man's format, or completion for one of the shells")
      ->type_name("")
      ->required()
      ->check(oneOf({"man", "bash", "zsh", "fish"}));
  command->footer(
      "Examples:\n"
      "  tenon manual man > tenon.1\n"
      "  tenon manual bash > ~/.local/share/bash-completion/completions/tenon\n\n"
      "cmake --install installs all four in the folders that man and the shells search.\n\n"
      "Exit codes: 0 done, 2 bad usage.");
  command->callback([&program, format, &exitCode] {
    printResult(manual(describeCommands(program), *format));
    exitCode = kSuccess;
  });
}

}  // namespace tenon::runtime
