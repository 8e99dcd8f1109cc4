// bash and zsh get one function each: the words before the cursor give the command, the command its
// candidates.
#include "runtime/manual/shell_completion.h"

#include <fmt/format.h>

#include <vector>

#include "content/input/wording.h"

namespace tenon::runtime {

namespace {

using content::shellQuoted;
using Words = std::vector<std::string>;

/// The program and all its commands, each before its subcommands.
void collect(const CommandDescription& command, std::vector<const CommandDescription*>& all) {
  all.push_back(&command);
  for (const CommandDescription& sub : command.subcommands) collect(sub, all);
}

std::vector<const CommandDescription*> commandsOf(const CommandDescription& program) {
  std::vector<const CommandDescription*> all;
  collect(program, all);
  return all;
}

std::string lastWord(const std::string& path) {
  return path.substr(path.rfind(' ') + 1);  // npos + 1 is 0
}

std::string joined(const Words& words, const std::string& separator) {
  std::string all;
  for (const std::string& word : words) all += (all.empty() ? "" : separator) + word;
  return all;
}

Words subcommandNames(const CommandDescription& command) {
  Words names;
  for (const CommandDescription& sub : command.subcommands) names.push_back(lastWord(sub.path));
  return names;
}

/// Candidates that are no options: subcommands, or the allowed values of the first argument.
Words plainWords(const CommandDescription& command) {
  if (!command.subcommands.empty()) return subcommandNames(command);
  for (const OptionDescription& option : command.options)
    if (option.isArgument) return option.values;
  return {};
}

/// Patterns of a case: "parent word" of each command, by which the words before the cursor are read.
std::string commandPatterns(const CommandDescription& program) {
  Words patterns;
  for (const CommandDescription* command : commandsOf(program))
    for (const std::string& name : subcommandNames(*command))
      patterns.push_back(shellQuoted(command->path + " " + name));
  return joined(patterns, " | ");
}

/// Patterns of a case: "command:option" of each name of an option.
std::string optionPatterns(const CommandDescription& command, const OptionDescription& option) {
  Words patterns;
  for (const std::string& name : option.names) patterns.push_back(shellQuoted(command.path + ":" + name));
  return joined(patterns, " | ");
}

Words optionNames(const CommandDescription& command) {
  Words names;
  for (const OptionDescription& option : command.options)
    if (!option.isArgument) names.insert(names.end(), option.names.begin(), option.names.end());
  return names;
}

/// "name:description" for zsh's _describe, which takes "\:" for a colon.
std::string described(const std::string& name, const std::string& text) {
  std::string all = name + ":";
  for (const char c : text) all += c == ':' ? "\\:" : std::string(1, c);
  return shellQuoted(all);
}

std::string fishCondition(const CommandDescription& command) {
  std::string condition;
  for (std::size_t begin = 0; begin < command.path.size();) {
    const std::size_t end = std::min(command.path.find(' ', begin), command.path.size());
    condition += (condition.empty() ? "" : "; and ") +
                 ("__fish_seen_subcommand_from " + command.path.substr(begin, end - begin));
    begin = end + 1;
  }
  if (command.subcommands.empty()) return condition;
  return (condition.empty() ? "" : condition + "; and ") + "not __fish_seen_subcommand_from " +
         joined(subcommandNames(command), " ");
}

std::string fishOption(const std::string& condition, const OptionDescription& option) {
  std::string line = fmt::format("complete -c tenon -n {}", shellQuoted(condition));
  for (const std::string& name : option.names)
    line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  if (!option.values.empty())
    line += " -x -a " + shellQuoted(joined(option.values, " "));
  else if (option.takesValue)
    line += " -r";
  return line + " -d " + shellQuoted(option.text) + "\n";
}

}  // namespace

std::string bashCompletion(const CommandDescription& program) {
  std::string values, names;
  for (const CommandDescription* command : commandsOf(program)) {
    for (const OptionDescription& option : command->options)
      if (option.takesValue && !option.isArgument)
        values += fmt::format("    {}) candidates={}; fixed=yes ;;\n", optionPatterns(*command, option),
                              shellQuoted(joined(option.values, " ")));
    names += fmt::format("      {}) options={}; words={} ;;\n", shellQuoted(command->path),
                         shellQuoted(joined(optionNames(*command), " ")),
                         shellQuoted(joined(plainWords(*command), " ")));
  }
  return "# bash completion of tenon, printed by: tenon manual bash\n"
         "_tenon() {\n"
         "  local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}\n"
         "  local command='' options='' words='' candidates='' fixed='' i\n"
         "  # readline splits --option=value at the equals sign.\n"
         "  if [[ $word == '=' ]]; then\n"
         "    word=''\n"
         "  elif [[ $previous == '=' ]]; then\n"
         "    previous=${COMP_WORDS[COMP_CWORD - 2]}\n"
         "  fi\n"
         "  for ((i = 1; i < COMP_CWORD; i++)); do\n"
         "    case \"$command ${COMP_WORDS[i]}\" in\n"
         "      " +
         commandPatterns(program) +
         ")\n"
         "        command=${command:+$command }${COMP_WORDS[i]} ;;\n"
         "    esac\n"
         "  done\n"
         "  case \"$command:$previous\" in\n" +
         values +
         "  esac\n"
         "  if [[ -z $fixed ]]; then\n"
         "    case \"$command\" in\n" +
         names +
         "    esac\n"
         "    if [[ $word == -* ]]; then candidates=$options; else candidates=$words; fi\n"
         "  fi\n"
         "  mapfile -t COMPREPLY < <(compgen -W \"$candidates\" -- \"$word\")\n"
         "}\n"
         "complete -o default -F _tenon tenon\n";
}

std::string zshCompletion(const CommandDescription& program) {
  std::string values, names;
  for (const CommandDescription* command : commandsOf(program)) {
    Words options, commands;
    for (const OptionDescription& option : command->options) {
      if (option.isArgument) continue;
      for (const std::string& name : option.names) options.push_back(described(name, option.text));
      if (!option.takesValue) continue;
      const std::string action =
          option.values.empty() ? "_files" : "compadd -- " + joined(option.values, " ");
      values += fmt::format("    {}) {}; return ;;\n", optionPatterns(*command, option), action);
    }
    for (const CommandDescription& sub : command->subcommands)
      commands.push_back(described(lastWord(sub.path), sub.text));
    if (commands.empty())
      for (const std::string& word : plainWords(*command)) commands.push_back(shellQuoted(word));
    names += fmt::format("    {})\n      options=({})\n      commands=({}) ;;\n", shellQuoted(command->path),
                         joined(options, "\n        "), joined(commands, "\n        "));
  }
  return "#compdef tenon\n"
         "# zsh completion of tenon, printed by: tenon manual zsh\n"
         "_tenon() {\n"
         "  local command='' i\n"
         "  local -a options commands\n"
         "  for ((i = 2; i < CURRENT; i++)); do\n"
         "    case \"$command ${words[i]}\" in\n"
         "      " +
         commandPatterns(program) +
         ")\n"
         "        command=${command:+$command }${words[i]} ;;\n"
         "    esac\n"
         "  done\n"
         "  case \"$command:${words[CURRENT - 1]}\" in\n" +
         values +
         "  esac\n"
         "  case \"$command\" in\n" +
         names +
         "  esac\n"
         "  if [[ $PREFIX == -* ]]; then\n"
         "    _describe -o option options\n"
         "  elif (( $#commands )); then\n"
         "    _describe command commands\n"
         "  else\n"
         "    _files\n"
         "  fi\n"
         "}\n"
         "# Autoloaded from a folder of fpath, the file is the function; sourced, it registers it.\n"
         "if [[ ${funcstack[1]} == _tenon ]]; then _tenon; else compdef _tenon tenon; fi\n";
}

std::string fishCompletion(const CommandDescription& program) {
  std::string all = "# fish completion of tenon, printed by: tenon manual fish\n";
  for (const CommandDescription* command : commandsOf(program)) {
    const std::string condition = fishCondition(*command);
    for (const OptionDescription& option : command->options)
      if (!option.isArgument) all += fishOption(condition, option);
    for (const CommandDescription& sub : command->subcommands)
      all += fmt::format("complete -c tenon -n {} -f -a {} -d {}\n", shellQuoted(condition),
                         shellQuoted(lastWord(sub.path)), shellQuoted(sub.text));
  }
  return all;
}

}  // namespace tenon::runtime
