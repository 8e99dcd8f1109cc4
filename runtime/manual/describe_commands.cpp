// CLI11 keeps the checks of a value in its type's name: "NAME:{a,b}", "HZ:[10 - 1000]".
#include "runtime/manual/describe_commands.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <set>
#include <sstream>
#include <utility>

namespace tenon::runtime {

namespace {

std::vector<std::string> namesOf(const CLI::Option& option) {
  if (option.get_positional()) return {option.get_name(true, false)};
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}

/// In alphabetical order: CLI11 keeps them by address.
std::vector<std::string> namesOf(const std::set<CLI::Option*>& options) {
  std::vector<std::string> names;
  for (const CLI::Option* option : options) names.push_back(option->get_name());
  std::sort(names.begin(), names.end());
  return names;
}

/// "{a,b}" as its elements; empty for anything else.
std::vector<std::string> elementsOf(const std::string& set) {
  if (set.size() < 2 || set.front() != '{' || set.back() != '}') return {};
  std::istringstream list(set.substr(1, set.size() - 2));
  std::vector<std::string> elements;
  for (std::string element; std::getline(list, element, ',');) elements.push_back(element);
  return elements;
}

OptionDescription describe(const CLI::Option& option) {
  OptionDescription description;
  description.names = namesOf(option);
  description.text = option.get_description();
  description.isArgument = option.get_positional();
  description.isRequired = option.get_required();
  description.isRepeatable = option.get_expected_max() >= CLI::detail::expected_max_vector_size;
  description.takesValue = option.get_expected_max() > 0;
  description.needs = namesOf(option.get_needs());
  description.excludes = namesOf(option.get_excludes());
  if (!description.takesValue) return description;
  const std::string type = option.get_type_name();
  const auto colon = type.find(':');
  description.placeholder = type.substr(0, colon);
  if (colon != std::string::npos) description.range = type.substr(colon + 1);
  description.values = elementsOf(description.range);
  if (!description.values.empty()) description.range.clear();
  description.defaultValue = option.get_default_str();
  return description;
}

CommandDescription describe(const CLI::App& command, const std::string& path) {
  CommandDescription description;
  description.path = path;
  description.text = command.get_description();
  description.footer = command.get_footer();
  for (const bool arguments : {true, false})
    for (const CLI::Option* option : command.get_options())
      if (option->get_positional() == arguments && !option->get_group().empty())
        description.options.push_back(describe(*option));
  const std::string prefix = path.empty() ? "" : path + " ";
  for (const CLI::App* sub :
       command.get_subcommands([](const CLI::App* app) { return !app->get_group().empty(); }))
    description.subcommands.push_back(describe(*sub, prefix + sub->get_name()));
  return description;
}

}  // namespace

CommandDescription describeCommands(const CLI::App& program) {
  return describe(program, "");
}

}  // namespace tenon::runtime
