// The command line as data: what --help, the manual page and shell completion have in common.
#pragma once

#include <string>
#include <vector>

namespace tenon::runtime {

struct OptionDescription {
  std::vector<std::string>
      names;                ///< with dashes, such as -v, --verbose; of an argument: its name, such as SCENE
  std::string text;         ///< what it does
  bool isArgument = false;  ///< given by position, without a name
  bool isRequired = false;
  bool isRepeatable = false;          ///< takes any number of values
  bool takesValue = false;            ///< false: a flag
  std::string placeholder;            ///< of the value, such as FILE; may be empty
  std::string range;                  ///< of the value as --help writes it, such as [10 - 1000]; empty: any
  std::vector<std::string> values;    ///< the only ones allowed; empty: any
  std::string defaultValue;           ///< empty: none
  std::vector<std::string> needs;     ///< options that must be given with it, sorted
  std::vector<std::string> excludes;  ///< options that must not, sorted
};

struct CommandDescription {
  std::string path;    ///< words after the program's name, such as "parts make"; empty: the program itself
  std::string text;    ///< what it does
  std::string footer;  ///< of --help: remarks, examples, exit codes
  std::vector<OptionDescription> options;  ///< arguments first, each in the order of declaration
  std::vector<CommandDescription> subcommands;
};

}  // namespace tenon::runtime
