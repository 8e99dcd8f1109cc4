// Mistakes on the command line: what is unknown is said first, with what was probably meant.
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "tests/support/program_run.h"

namespace tenon::tests::usage_test {
namespace {

using Words = std::vector<std::string>;

void expectRefused(const Words& words, const std::string& part) {
  SCOPED_TRACE(part);
  const Outcome outcome = runTenon(words);
  EXPECT_EQ(outcome.exitCode, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  EXPECT_NE(outcome.err.find(part), std::string::npos) << outcome.err;
}

TEST(Usage, AnUnknownOptionIsReportedBeforeAMissingOne) {
  expectRefused({"run", "--hlep"}, "there is no option --hlep; did you mean --help? see tenon run --help");
  expectRefused({"run", "--sovler", "baraff", scenePath("stack")},
                "there is no option --sovler; did you mean --solver?");
  expectRefused({"export", "--fromat", "json"}, "did you mean --format? see tenon export --help");
  expectRefused({"parts", "make", "iso7089", "M8", "--uot", "x.glb"},
                "did you mean --out? see tenon parts make --help");
}

TEST(Usage, SuggestsSimilarCommands) {
  expectRefused({"rnu", scenePath("stack")}, "there is no command or option rnu; did you mean run?");
  expectRefused({"chekc"}, "did you mean check?");
  expectRefused({"parts", "mkae"}, "there is no command mkae; did you mean make? see tenon parts --help");
  expectRefused({"--verison"}, "did you mean --version?");
  expectRefused({"run", scenePath("stack"), "second.json"}, "unexpected argument second.json");
}

TEST(Usage, SuggestsSimilarNames) {
  const std::string stack = scenePath("stack");
  expectRefused({"run", stack, "--solver", "baraf"}, "there is no \"baraf\"; did you mean \"baraff\"?");
  expectRefused({"run", stack, "--solver", "bullet"}, "choose one of \"auto\", \"proximal-newton\"");
  expectRefused({"run", stack, "--solver-option", "sweps=3"}, "did you mean \"sweeps\"?");
  expectRefused({"run", stack, "--solver", "baraff", "--solver-option", "next-contact=hybird"},
                "did you mean \"hybrid\"?");
  expectRefused({"solve", "x.json", "--solver", "lemke-fixpont"}, "did you mean \"lemke-fixpoint\"?");
  expectRefused({"export", "s.tenon", "--format", "htlm", "--out", "x"}, "did you mean \"html\"?");
  expectRefused({"parts", "make", "plat"}, "did you mean \"plate\"?");
  expectRefused({"parts", "show", "flnage"}, "did you mean \"flange\"?");
}

TEST(Usage, UnknownWordsArePrintedWithoutControlCharacters) {
  expectRefused({"\x1b[31mrun\xff"}, "\\u001b[31mrun\\xff");
  expectRefused({"run", "--so\x1blver", "x"}, "--so\\u001blver");
  expectRefused({"run", scenePath("stack"), "--solver", "\u202eauto"}, "\\u202eauto");
}

TEST(Usage, EachCommandHasExamplesOfItsOwn) {
  for (const Words& command : std::vector<Words>{{"run"},
                                                 {"check"},
                                                 {"replay"},
                                                 {"export"},
                                                 {"render"},
                                                 {"preview"},
                                                 {"vr"},
                                                 {"solve"},
                                                 {"doctor"},
                                                 {"manual"},
                                                 {"parts"},
                                                 {"parts", "list"},
                                                 {"parts", "show"},
                                                 {"parts", "make"},
                                                 {"parts", "import-assembly"}}) {
    std::string path = "tenon";
    for (const std::string& word : command) path += " " + word;
    Words words = command;
    words.emplace_back("--help");
    const std::string help = runTenon(words).out;
    std::istringstream lines(help.substr(std::min(help.size(), help.find("Examples:"))));
    int examples = 0;
    for (std::string line; std::getline(lines, line);) {
      if (!line.starts_with("  tenon ")) continue;
      ++examples;
      EXPECT_TRUE(line.starts_with("  " + path)) << path << " --help has\n" << line;
    }
    EXPECT_GT(examples, 0) << path;
  }
}

TEST(Usage, RatesHaveTheLimitsOfAScene) {
  const std::string scene = scenePath("free-fall");
  for (const char* command : {"run", "preview", "vr"})
    expectRefused({command, scene, "--rate", "9.99"}, "is not a number from 10 to 100000");
  EXPECT_EQ(runTenon({"run", scene, "--rate", "10", "--duration", "0.2"}).exitCode, 0);
}

TEST(Run, ReportsTheRecord) {
  const TemporaryFolder folder;
  const Outcome outcome =
      runTenon({"run", scenePath("stack"), "--duration", "0.02", "--record", folder / "s.tenon", "--json"});
  EXPECT_EQ(outcome.exitCode, 0);
  EXPECT_NE(outcome.err.find("session recorded in " + folder.path() + "/s.tenon: 20 steps, "),
            std::string::npos)
      << outcome.err;
  EXPECT_TRUE(outcome.err.ends_with(" kB\n")) << outcome.err;
  EXPECT_EQ(outcome.out.front(), '{');
}

TEST(Run, SolverStatisticsNeedVerbose) {
  const Words brief{"run", scenePath("stack"), "--duration", "0.02"};
  const std::string text = runTenon(brief).out;
  EXPECT_NE(text.find("worst penetration"), std::string::npos) << text;
  for (const char* figure : {"largest residual", "fallbacks", "state hash", "not converged", "solver"})
    EXPECT_EQ(text.find(figure), std::string::npos) << text;
  for (const char* flag : {"-v", "--verbose"}) {
    Words words = brief;
    words.emplace_back(flag);
    const std::string all = runTenon(words).out;
    for (const char* figure : {"worst penetration", "largest residual", "fallbacks", "state hash", "solver"})
      EXPECT_NE(all.find(figure), std::string::npos) << all;
  }
}

}  // namespace
}  // namespace tenon::tests::usage_test
