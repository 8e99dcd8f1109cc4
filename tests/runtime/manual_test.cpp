// The manual page and the completion scripts have each command and option that --help has, and shells read
// them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/program_run.h"

namespace tenon::tests {
namespace {

using Words = std::vector<std::string>;

struct HelpText {
  Words path;  ///< of the command, such as {"parts", "make"}
  std::set<std::string> commands, options;
};

std::string joined(const Words& words) {
  std::string all;
  for (const std::string& word : words) all += (all.empty() ? "" : " ") + word;
  return all;
}

/// Reads --help itself: entries are indented by two blanks, under "Subcommands:" and "Options:".
HelpText helpOf(const Words& path) {
  Words words = path;
  words.emplace_back("--help");
  HelpText help{path, {}, {}};
  std::istringstream lines(runTenon(words).out);
  std::string section;
  static const std::regex name(R"((--?[A-Za-z][\w-]*))");
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("  ")) {
      section = line;
    } else if (section == "Subcommands:" && line[2] != ' ') {
      help.commands.insert(line.substr(2, line.find(' ', 2) - 2));
    } else if (section == "Options:" && line[2] == '-') {
      const std::string names = line.substr(2, line.find(' ', 2) - 2);
      for (std::sregex_iterator found(names.begin(), names.end(), name), end; found != end; ++found)
        help.options.insert(found->str());
    }
  }
  return help;
}

void collect(const Words& path, std::vector<HelpText>& all) {
  all.push_back(helpOf(path));
  const std::set<std::string> commands = all.back().commands;
  for (const std::string& command : commands) {
    Words sub = path;
    sub.push_back(command);
    collect(sub, all);
  }
}

/// The program and each of its commands.
const std::vector<HelpText>& everyHelp() {
  static const std::vector<HelpText> all = [] {
    std::vector<HelpText> found;
    collect({}, found);
    return found;
  }();
  return all;
}

std::string manual(const std::string& format) {
  const Outcome outcome = runTenon({"manual", format});
  EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
  return outcome.out;
}

std::string outputOf(const std::string& command) {
  FILE* pipe = popen(command.c_str(), "r");
  std::string output;
  for (int c = 0; pipe != nullptr && (c = std::fgetc(pipe)) != EOF;) output += static_cast<char>(c);
  EXPECT_TRUE(pipe != nullptr && pclose(pipe) == 0) << command << "\n" << output;
  return output;
}

/// What bash completes these words to; the cursor is at the end of the last one.
std::set<std::string> completions(const std::string& script, const Words& words) {
  std::string quoted;
  for (const std::string& word : words) quoted += " '" + word + "'";
  const std::string output = outputOf(
      "bash --norc -c 'source \"$0\"; COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); _tenon; "
      "printf \"%s\\n\" \"${COMPREPLY[@]}\"' '" +
      script + "'" + quoted + " 2>&1");
  std::istringstream lines(output);
  std::set<std::string> found;
  for (std::string line; std::getline(lines, line);)
    if (!line.empty()) found.insert(line);
  return found;
}

class Manual : public testing::Test {
 protected:
  std::string written(const std::string& format) {
    const std::string path = folder_ / format;
    std::ofstream(path) << manual(format);
    return path;
  }

 private:
  TemporaryFolder folder_;
};

TEST_F(Manual, HelpHasCommandsToCompareWith) {
  std::set<std::string> paths;
  for (const HelpText& help : everyHelp()) {
    paths.insert(joined(help.path));
    EXPECT_TRUE(help.options.contains("--help")) << joined(help.path);
  }
  for (const char* path : {"", "run", "check", "parts make", "manual"})
    EXPECT_TRUE(paths.contains(path)) << path;
}

TEST_F(Manual, ThePageHasEachCommandAndOption) {
  const std::string page = std::regex_replace(manual("man"), std::regex(R"(\\f[BIR]|\\(?=-))"), "");
  for (const HelpText& help : everyHelp()) {
    const std::string heading =
        help.path.empty() ? ".SH DESCRIPTION\n" : ".SS tenon " + joined(help.path) + " ";
    const auto begin = page.find(heading);
    ASSERT_NE(begin, std::string::npos) << heading;
    const std::string section = page.substr(begin, page.find("\n.S", begin) - begin);
    for (const std::string& option : help.options)
      EXPECT_TRUE(std::regex_search(section, std::regex(R"(\n\.TP\n([^\n]*, )?)" + option + "[ ,\n]")))
          << option << " in\n"
          << section;
  }
}

TEST_F(Manual, GroffReadsThePageWithoutWarnings) {
  if (std::system("command -v groff >/dev/null") != 0)
    GTEST_SKIP() << "groff is missing: apt-get install groff-base";
  const std::string page = written("man");
  EXPECT_EQ(outputOf("groff -man -ww -K utf8 -Tutf8 '" + page + "' 2>&1 >/dev/null"), "");
}

TEST_F(Manual, BashCompletesEachCommandAndOption) {
  const std::string script = written("bash");
  for (const HelpText& help : everyHelp()) {
    Words words{"tenon"};
    words.insert(words.end(), help.path.begin(), help.path.end());
    words.emplace_back("-");
    EXPECT_EQ(completions(script, words), help.options) << joined(words);
    words.back() = "";
    if (!help.commands.empty()) {
      EXPECT_EQ(completions(script, words), help.commands) << joined(words);
    }
  }
}

TEST_F(Manual, BashCompletesValuesAndLeavesFilesToReadline) {
  const std::string script = written("bash");
  using Found = std::set<std::string>;
  EXPECT_EQ(completions(script, {"tenon", "run", "--solver", "ga"}), Found{"gauss-seidel"});
  EXPECT_EQ(completions(script, {"tenon", "run", "--solver", "=", "ga"}), Found{"gauss-seidel"});
  EXPECT_EQ(completions(script, {"tenon", "export", "a.tenon", "--format", ""}),
            (Found{"csv", "glb", "html", "json", "mp4", "pdf", "script", "web", "webm"}));
  EXPECT_EQ(completions(script, {"tenon", "manual", ""}), (Found{"bash", "fish", "man", "zsh"}));
  EXPECT_EQ(completions(script, {"tenon", "run", ""}), Found{});
  EXPECT_EQ(completions(script, {"tenon", "run", "--record", ""}), Found{});
  EXPECT_EQ(completions(script, {"tenon", "run", "--json", "--so"}), (Found{"--solver", "--solver-option"}));
}

TEST_F(Manual, TheScriptsOfZshAndFishHaveEachCommandAndOption) {
  const std::string zsh = manual("zsh"), fish = manual("fish");
  for (const HelpText& help : everyHelp()) {
    const auto begin = zsh.find("    '" + joined(help.path) + "')\n      options=(");
    ASSERT_NE(begin, std::string::npos) << joined(help.path);
    const std::string entries = zsh.substr(begin, zsh.find(";;", begin) - begin);
    for (const std::string& option : help.options)
      EXPECT_NE(entries.find("'" + option + ":"), std::string::npos) << option << " in\n" << entries;
    for (const std::string& command : help.commands)
      EXPECT_NE(entries.find("'" + command + ":"), std::string::npos) << command << " in\n" << entries;
    // In the script of fish, the condition of each line names all words of the command.
    for (const std::string& option : help.options) {
      const std::string flag =
          option.starts_with("--") ? " -l " + option.substr(2) : " -s " + option.substr(1);
      std::istringstream lines(fish);
      bool found = false;
      for (std::string line; std::getline(lines, line);)
        found = found || (line.find(flag + " ") != std::string::npos &&
                          std::all_of(help.path.begin(), help.path.end(), [&](const std::string& word) {
                            return line.find("__fish_seen_subcommand_from " + word) != std::string::npos;
                          }));
      EXPECT_TRUE(found) << joined(help.path) << option;
    }
  }
}

}  // namespace
}  // namespace tenon::tests
