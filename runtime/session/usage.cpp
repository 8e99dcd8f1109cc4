// Reports unknown words first, because CLI11 reports missing options first.
#include "runtime/session/usage.h"

#include <fmt/format.h>
#include <CLI/App.hpp>

#include <algorithm>
#include <optional>

#include "content/input/wording.h"

namespace tenon::runtime {

namespace {

/// The innermost subcommand, for example "make" of "tenon parts make …".
const CLI::App& calledCommand(const CLI::App& program) {
  const CLI::App* command = &program;
  while (!command->get_subcommands().empty()) command = command->get_subcommands().front();
  return *command;
}

/// "tenon parts make".
std::string pathOf(const CLI::App& command) {
  const CLI::App* const parent = command.get_parent();
  return parent == nullptr ? command.get_name() : pathOf(*parent) + " " + command.get_name();
}

std::vector<std::string> optionNamesOf(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

std::vector<std::string> commandsOf(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::App* sub : command.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(sub->get_name());
  return names;
}

bool isOption(const std::string& word) {
  return word.size() > 1 && word[0] == '-';
}

/// The first unknown option, otherwise the first unexpected word.
std::optional<std::string> unknownWord(const CLI::App& program) {
  std::vector<std::string> unknown = program.remaining(true);
  unknown.erase(std::remove(unknown.begin(), unknown.end(), "--"), unknown.end());
  if (unknown.empty()) return std::nullopt;
  const auto option = std::find_if(unknown.begin(), unknown.end(), isOption);
  return option == unknown.end() ? unknown.front() : *option;
}

std::string problemWith(const std::string& word, const CLI::App& command) {
  const bool isTop = command.get_parent() == nullptr;
  const std::vector<std::string> commands = commandsOf(command);
  const std::string shown = content::oneLine(word, 200);
  if (!isOption(word) && commands.empty()) return fmt::format("unexpected argument {}", shown);
  const std::string closest = content::closestName(word, isOption(word) ? optionNamesOf(command) : commands);
  return fmt::format("there is no {} {}{}",
                     isTop            ? "command or option"
                     : isOption(word) ? "option"
                                      : "command",
                     shown, closest.empty() ? "" : fmt::format("; did you mean {}?", closest));
}

}  // namespace

std::string usageProblem(const CLI::App& program, const CLI::ParseError& error) {
  const CLI::App& command = calledCommand(program);
  const std::optional<std::string> unknown = unknownWord(program);
  const std::string problem = unknown ? problemWith(*unknown, command) : error.what();
  return fmt::format("{}{} see {} --help", problem, problem.ends_with('?') ? "" : ";", pathOf(command));
}

std::string didYouMean(std::string_view wrong, const std::vector<std::string>& names) {
  const std::string closest = content::closestName(wrong, names);
  return closest.empty() ? "" : fmt::format("did you mean {}? ", content::inQuotes(closest));
}

CLI::Validator oneOf(const std::vector<std::string>& names) {
  std::string all;
  for (const std::string& name : names) all += (all.empty() ? "" : ",") + name;
  return CLI::Validator(
      [names](std::string& text) -> std::string {
        if (std::find(names.begin(), names.end(), text) != names.end()) return "";
        return fmt::format("there is no {}; {}", content::inQuotes(text), content::suggestion(text, names));
      },
      "{" + all + "}");
}

}  // namespace tenon::runtime
