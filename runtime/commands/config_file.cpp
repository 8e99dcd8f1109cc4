// CLI11 reads configuration files of the whole program alone, not of one command.
#include "runtime/commands/config_file.h"

#include <fmt/format.h>
#include <CLI/App.hpp>
#include <CLI/Config.hpp>

#include <memory>
#include <string>
#include <vector>

#include "content/input/input_error.h"

namespace tenon::runtime {

namespace {

std::vector<CLI::ConfigItem> itemsOf(const CLI::App& command, const std::string& file) {
  try {
    return command.get_config_formatter()->from_file(file);
  } catch (const CLI::FileError&) {
    throw content::InputError("--config", file, "cannot be read", "name a file of lines NAME=VALUE");
  }
}

void applyFile(CLI::App& command, const std::string& file) {
  for (const CLI::ConfigItem& item : itemsOf(command, file)) {
    CLI::Option* const option = command.get_option_no_throw("--" + item.name);
    if (option == nullptr || !item.parents.empty() || item.name == "config")
      throw content::InputError(file, item.fullname(), "is not an option",
                                fmt::format("give those of tenon {} --help, without --", command.get_name()));
    if (option->count() > 0) continue;  // the command line wins
    option->add_result(item.inputs);
    option->run_callback();
  }
}

}  // namespace

void addConfigFile(CLI::App& command) {
  const auto file = std::make_shared<std::string>();
  command.add_option("--config", *file, "Read options from this file: lines NAME=VALUE")->type_name("FILE");
  command.parse_complete_callback([&command, file] {
    if (!file->empty()) applyFile(command, *file);
  });
}

}  // namespace tenon::runtime
