// The commands from outside: exit codes, output, files.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "tests/support/program_run.h"
#include "tests/support/screen.h"

namespace tenon::tests {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

std::string contentOf(const std::string& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

std::size_t filesIn(const std::string& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

void expectContains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "\"" << part << "\" is missing in:\n" << text;
}

/// Exit 2, one line on stderr that names `part`, nothing on stdout.
void expectRefused(const std::vector<std::string>& arguments, const std::string& part) {
  const Outcome outcome = runTenon(arguments);
  SCOPED_TRACE(part);
  EXPECT_EQ(outcome.exitCode, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.err.rfind("tenon: ", 0), 0u) << outcome.err;
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  expectContains(outcome.err, part);
}

TEST(Program, EveryCommandHasHelpWithExamples) {
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"--help"},
                                                    {"run", "--help"},
                                                    {"check", "--help"},
                                                    {"replay", "--help"},
                                                    {"export", "--help"},
                                                    {"parts", "--help"},
                                                    {"solve", "--help"},
                                                    {"plan", "--help"},
                                                    {"sweep", "--help"},
                                                    {"doctor", "--help"}}) {
    const Outcome outcome = runTenon(arguments);
    EXPECT_EQ(outcome.exitCode, 0);
    EXPECT_EQ(outcome.err, "");
    expectContains(outcome.out, "Examples:\n  tenon ");
    expectContains(outcome.out, "xit code");
  }
  const std::string help = runTenon({"run", "--help"}).out;
  for (const char* flag : {"--solver", "--rate", "--duration", "--report", "--json", "--seed", "--threads",
                           "--set", "--solver-option", "--record", "--force"})
    expectContains(help, flag);
}

TEST(Program, VersionComesFirstAndThenTheIdentityOfTheBuild) {
  const Outcome outcome = runTenon({"--version"});
  EXPECT_EQ(outcome.exitCode, 0);
  EXPECT_EQ(outcome.err, "");
  std::istringstream lines(outcome.out);
  std::string line;
  ASSERT_TRUE(std::getline(lines, line));
  EXPECT_TRUE(std::regex_match(line, std::regex(R"(tenon \d+\.\d+\.\d+)"))) << line;
  const std::regex entry(R"(([A-Za-z ]+): (.+))");
  std::map<std::string, std::string> values;
  for (std::smatch parts; std::getline(lines, line);)
    if (std::regex_match(line, parts, entry))
      values[parts[1]] = parts[2];
    else
      ADD_FAILURE() << "not \"name: value\": " << line;
  const std::map<std::string, std::string> patterns{
      {"sources", "[0-9a-f]{16}"},
      {"arithmetic", "[0-9a-f]{16}"},
      {"compiler", R"((GCC|Clang) \d+\..*)"},
      {"build type", "[A-Za-z]+, (optimi[sz]ed|with asserts)"},
      {"libraries", R"(Bullet \d[.\d]*, Eigen \d[.\d]*, .*)"},
      {"headers", R"(OpenXR \d+\.\d+\.\d+, Vulkan \d+\.\d+\.\d+)"},
      {"STEP files", R"(no|yes \(OpenCASCADE \d[.\d]*\))"},
      {"sound", R"(no|yes \(OpenAL\))"}};
  for (const auto& [name, pattern] : patterns)
    EXPECT_TRUE(std::regex_match(values[name], std::regex(pattern))) << name << ": " << values[name];
  // Outside of a checkout there is no commit.
  if (values.contains("commit")) {
    EXPECT_TRUE(std::regex_match(values["commit"], std::regex("[0-9a-f]{12,40}(, modified)?")))
        << values["commit"];
  }
}

TEST(Program, RefusesUsageMistakes) {
  const std::string scene = scenePath("free-fall");
  expectRefused({}, "subcommand");
  expectRefused({"fly"}, "no command or option fly");
  expectRefused({"--fast"}, "no command or option --fast");
  expectRefused({"run"}, "SCENE");
  expectRefused({"run", scene, "--colour"}, "--colour");
  expectRefused({"run", scene, "--force"}, "--record");
  expectRefused({"replay"}, "FILE");
  expectRefused({"export", "s.tenon", "--format", "xml", "--out", "x"}, "xml");
  expectRefused({"run", scene, "second.json"}, "second.json");
  expectRefused({"run", scene, "--solver", "bullet"}, "bullet");
  for (const char* rate : {"0", "0.5", "9.99", "100001", "nan", "inf", "-5", "fast", "1000Hz", ""})
    expectRefused({"run", scene, "--rate", rate}, "--rate");
  for (const char* duration : {"0", "-1", "nan", "1e9"})
    expectRefused({"run", scene, "--duration", duration}, "--duration");
  for (const char* threads : {"0", "65", "1.5", "two"})
    expectRefused({"run", scene, "--threads", threads}, "--threads");
  for (const char* seed : {"-1", "x", "99999999999999999999"})
    expectRefused({"run", scene, "--seed", seed}, "--seed");
  expectRefused({"check", scene, "--rate", "10"}, "--rate");
  expectRefused({"doctor", "--all"}, "--all");
}

TEST(Program, RefusesBadSettings) {
  const std::string scene = scenePath("insertion-benchmark");
  for (const char* command : {"run", "check"}) {
    expectRefused({command, scene, "--set", "clearance_um"}, "NAME=VALUE");
    expectRefused({command, scene, "--set", "=5"}, "NAME=VALUE");
    expectRefused({command, scene, "--set", "clearance_um=wide"}, "NAME=VALUE");
    expectRefused({command, scene, "--set", "clearance_um=nan"}, "NAME=VALUE");
    expectRefused({command, scene, "--set", "clearance_um=1e9"}, "clearance_um");
    expectRefused({command, scene, "--set", "clearence_um=20"}, "clearence_um");
    expectRefused({command, scene, "--set", "clearance_um=20", "--set", "clearance_um=30"}, "twice");
  }
}

TEST(Program, RefusesBadSceneFilesInEveryCommand) {
  const TemporaryFolder folder;
  std::ofstream(folder / "empty.json").close();
  std::ofstream(folder / "text.json") << "this is not a scene";
  for (const char* command : {"run", "check"}) {
    expectRefused({command, ""}, "SCENE");
    expectRefused({command, folder / "missing.json"}, "missing.json");
    expectRefused({command, folder.path()}, folder.path());
    expectRefused({command, folder / "empty.json"}, "empty.json");
    expectRefused({command, folder / "text.json"}, "text.json");
  }
}

TEST(Program, NamesPartsThatOverlapAtTheStart) {
  const TemporaryFolder folder;
  Json scene = Json::parse(contentOf(scenePath("bolt-in-plate")));
  scene["parts"][1]["position"] = {30, 0, -12};
  std::ofstream(folder / "overlap.json") << scene;
  for (const char* command : {"run", "check"}) {
    expectRefused({command, folder / "overlap.json"}, "screw");
    expectRefused({command, folder / "overlap.json"}, "plate");
  }
}

TEST(Run, ReportsEverythingInJson) {
  const Outcome outcome = runTenon({"run", scenePath("bolt-in-plate"), "--json", "--duration", "0.05",
                                    "--seed", "18446744073709551615", "--rate", "500", "--threads", "2"});
  EXPECT_EQ(outcome.exitCode, 1);  // a goal cannot be reached in that time
  const Json json = Json::parse(outcome.out);
  for (const char* text : {"scene", "solver", "state_hash"}) EXPECT_TRUE(json.at(text).is_string()) << text;
  for (const char* number : {"rate_hz", "simulated_s", "wall_s", "real_time_factor", "max_penetration_m",
                             "max_joint_error_m", "max_joint_error_rad", "max_push_n", "max_residual_n"})
    EXPECT_TRUE(json.at(number).is_number()) << number;
  for (const char* count : {"steps", "seed", "not_converged_steps"})
    EXPECT_TRUE(json.at(count).is_number_integer()) << count;
  for (const char* number : {"p50", "p99", "max"}) EXPECT_TRUE(json.at("step_us").at(number).is_number());
  for (const char* group : {"contacts", "linearisations"})
    for (const char* number : {"mean", "max"}) EXPECT_TRUE(json.at(group).at(number).is_number());
  EXPECT_TRUE(json.at("fallbacks").is_object());
  EXPECT_EQ(json.at("scene"), "bolt-in-plate");
  EXPECT_EQ(json.at("solver"), "auto");
  EXPECT_EQ(json.at("rate_hz"), 500);
  EXPECT_EQ(json.at("steps"), 25);
  EXPECT_NEAR(json.at("simulated_s").get<double>(), 0.05, 1e-12);
  EXPECT_EQ(json.at("seed"), 18446744073709551615ull);
  EXPECT_EQ(json.at("state_hash").get<std::string>().size(), 16u);
  ASSERT_EQ(json.at("goals").size(), 1u);
  const Json& goal = json.at("goals")[0];
  EXPECT_EQ(goal.at("part"), "screw");
  EXPECT_EQ(goal.at("into"), "plate");
  EXPECT_EQ(goal.at("verdict"), "pending");
  for (const char* number : {"depth_m", "time_s", "tilt_rad", "max_push_n"})
    EXPECT_TRUE(goal.at(number).is_number()) << number;
}

TEST(Run, ReportsTheStatisticsOfEachSolver) {
  const auto statistics = [](const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"run", scenePath("stack"), "--json", "--duration", "0.02"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome outcome = runTenon(arguments);
    EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
    return Json::parse(outcome.out).at("solver_statistics");
  };
  const Json newton = statistics({"--solver", "bilateral-newton"});
  EXPECT_GT(newton.at("iterations").at("total"), 0);
  EXPECT_FALSE(newton.contains("gauss-seidel") || newton.contains("baraff"));
  const Json sweeps = statistics({"--solver", "gauss-seidel", "--solver-option", "sweeps=40"});
  EXPECT_GT(sweeps.at("gauss-seidel").at("sweeps"), 0);
  EXPECT_GT(sweeps.at("gauss-seidel").at("stopped_by").at("sweeps"), 0);
  EXPECT_EQ(sweeps.at("gauss-seidel").at("stopped_by").at("time"), 0);
  const Json baraff = statistics({"--solver", "baraff", "--solver-option", "next-contact=random", "--seed",
                                  "3", "--solver-option", "extra-acceleration=velocity"});
  for (const char* count : {"redundant", "deferred", "flip_flops"})
    EXPECT_TRUE(baraff.at("baraff").at(count).is_number_integer()) << count;
  EXPECT_LT(baraff.at("baraff").at("max_unwanted_acceleration"), 1e-5);
  EXPECT_LT(baraff.at("baraff").at("max_unwanted_force"), 1e-9);
}

TEST(Run, StatesItsAccuracy) {
  const auto run = [](const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"run", scenePath("stack"), "--duration", "0.02"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome outcome = runTenon(arguments);
    EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
    return outcome.out;
  };
  const Json exact = Json::parse(run({"--json"})), fast = Json::parse(run({"--accuracy", "fast", "--json"}));
  EXPECT_EQ(exact.at("accuracy"), "exact");
  EXPECT_LE(exact.at("max_penetration_m"), 1e-9);
  EXPECT_EQ(fast.at("accuracy"), "fast");
  EXPECT_EQ(fast.at("solver_used"), "gauss-seidel");
  EXPECT_LE(fast.at("max_penetration_m"), 8e-7);
  expectContains(run({"--accuracy", "fast"}), "fast: overlaps");
  EXPECT_EQ(Json::parse(run({"--solver-option", "accuracy=fast", "--json"})).at("accuracy"), "fast");
  expectRefused({"run", scenePath("stack"), "--accuracy", "fast", "--solver", "lemke-fixpoint"},
                "--solver auto");
  expectRefused({"run", scenePath("stack"), "--accuracy", "coarse"}, "exact");
}

TEST(Run, RefusesInvalidSolverOptions) {
  const std::string scene = scenePath("stack");
  const auto expectOptionRefused = [&](const std::string& option, const std::string& part) {
    expectRefused({"run", scene, "--duration", "0.01", "--solver-option", option}, part);
  };
  for (const char* option : {"sweeps", "=3", ""}) expectOptionRefused(option, "NAME=VALUE");
  expectOptionRefused("speed=3",
                      "next-contact, contact-order, extra-acceleration, sweeps, change, time-us, fail-safe");
  for (const char* value : {"0", "1.5", "4001", "many", "", "nan"})
    expectOptionRefused(std::string("sweeps=") + value, "sweeps");
  for (const char* value : {"-1", "1.1", "inf", "nan"})
    expectOptionRefused(std::string("change=") + value, "change");
  expectOptionRefused("time-us=-1", "time-us");
  expectOptionRefused("next-contact=first", "hybrid, min-accel, random, pre-ordered");
  expectOptionRefused("extra-acceleration=some", "velocity-and-distance-joints");
  expectOptionRefused("fail-safe=baraff", "gauss-seidel");
  expectRefused({"run", scene, "--solver-option", "sweeps=3", "--solver-option", "sweeps=4"}, "twice");
}

TEST(Run, SaysThatBaraffTakesNoFriction) {
  const std::string scene = scenePath("insertion-benchmark");
  expectRefused({"run", scene, "--set", "friction=0.1", "--solver", "baraff"}, "/material_pairs/0/friction");
  EXPECT_EQ(runTenon({"run", scene, "--solver", "baraff", "--duration", "0.01"}).exitCode, 1);
}

TEST(Run, InsertsTheBoltAndSaysSo) {
  const Outcome outcome = runTenon({"run", scenePath("bolt-in-plate")});
  EXPECT_EQ(outcome.exitCode, 0) << outcome.out << outcome.err;
  expectContains(outcome.out, "screw into plate/hole");
  expectContains(outcome.out, "worst penetration");
  EXPECT_TRUE(outcome.out.ends_with("inserted\n")) << outcome.out;
  EXPECT_EQ(outcome.err, "");  // no progress line without a terminal
  EXPECT_EQ(outcome.out.find('\x1b'), std::string::npos);
}

TEST(Run, ASceneWithoutGoalsIsDone) {
  const Outcome outcome = runTenon({"run", scenePath("free-fall"), "--duration", "0.1"});
  EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
  expectContains(outcome.out, "no goals");
}

TEST(Run, RunsAtLeastTheWholeDuration) {
  for (const auto& [rate, duration, steps] :
       {std::tuple("1000", "0.1", 100), {"300", "0.1", 30}, {"1000", "0.1005", 101}, {"10", "0.001", 1}}) {
    const Outcome outcome =
        runTenon({"run", scenePath("free-fall"), "--rate", rate, "--duration", duration, "--json"});
    EXPECT_EQ(Json::parse(outcome.out).at("steps"), steps) << rate << " " << duration;
  }
}

TEST(Run, SettingsMayStandBeforeTheScene) {
  const Outcome outcome = runTenon({"run", "--set", "clearance_um=500", "--set", "offset_mm=0.5",
                                    scenePath("insertion-benchmark"), "--duration", "0.01", "--json"});
  const Json json = Json::parse(outcome.out);
  EXPECT_EQ(json.at("parameters").at("clearance_um"), 500);
  EXPECT_EQ(json.at("parameters").at("offset_mm"), 0.5);
}

TEST(Run, WritesItsReportWhole) {
  const TemporaryFolder folder;
  const std::string report = folder / "report.md";
  std::ofstream(report) << "an older report";
  const Outcome outcome =
      runTenon({"run", scenePath("bolt-in-plate"), "--duration", "0.05", "--report", report, "--force"});
  EXPECT_EQ(outcome.exitCode, 1);
  const std::string text = contentOf(report);
  for (const char* expected : {"# bolt-in-plate", "## Goals", "| screw into plate/hole | pending |",
                               "worst penetration", "## Environment", "goal not reached"})
    expectContains(text, expected);
  EXPECT_EQ(text.find("an older report"), std::string::npos);
  EXPECT_EQ(filesIn(folder.path()), 1u);
}

TEST(Run, RefusesAReportItCannotWriteBeforeSimulating) {
  const TemporaryFolder folder;
  const std::string scene = scenePath("free-fall");
  // A day at 100 kHz: this test would not end if the run began.
  const auto refuse = [&](const std::string& report, const std::string& reason) {
    expectRefused({"run", scene, "--rate", "100000", "--duration", "86400", "--report", report}, reason);
  };
  refuse(folder / "no/such/folder.md", "No such file or directory");
  refuse(folder.path(), "not a plain file");
  refuse("/dev/null", "not a plain file");
  refuse("", "not a plain file");
  if (geteuid() != 0) {
    fs::permissions(folder.path(), fs::perms::owner_read | fs::perms::owner_exec);
    refuse(folder / "report.md", "Permission denied");
    fs::permissions(folder.path(), fs::perms::owner_all);
  }
  EXPECT_EQ(filesIn(folder.path()), 0u);
  // A scene that is refused leaves no trace of a report either.
  expectRefused({"run", folder / "missing.json", "--report", folder / "report.md"}, "missing.json");
  EXPECT_EQ(filesIn(folder.path()), 0u);
}

TEST(Run, StopsAtCtrlCWithTheResultsSoFar) {
  const TemporaryFolder folder;
  Setting setting;
  setting.interruptWhen = folder / "report.md.";  // the unfinished report: the run is about to begin
  const Outcome outcome = runTenon({"run", scenePath("free-fall"), "--rate", "100000", "--duration", "86400",
                                    "--json", "--report", folder / "report.md"},
                                   setting);
  EXPECT_EQ(outcome.exitCode, 130) << outcome.err;
  const Json json = Json::parse(outcome.out);
  EXPECT_TRUE(json.at("interrupted").get<bool>());
  EXPECT_LT(json.at("simulated_s").get<double>(), 86400);
  expectContains(contentOf(folder / "report.md"), "stopped at");
  EXPECT_EQ(filesIn(folder.path()), 1u);
}

TEST(Run, ShowsProgressAndColourOnATerminalOnly) {
  Setting terminal;
  terminal.terminal = true;
  terminal.environment = {"TERM=xterm", "NO_COLOR="};
  const std::vector<std::string> arguments{"run", scenePath("bolt-in-plate"), "--duration", "0.05"};
  const std::string colourful = runTenon(arguments, terminal).out;
  expectContains(colourful, " % ");
  expectContains(colourful, "real time  push");
  expectContains(colourful, "\r\x1b[K");
  expectContains(colourful, "\x1b[31mpending");
  terminal.environment = {"TERM=xterm", "NO_COLOR=1"};
  const std::string plain = runTenon(arguments, terminal).out;
  expectContains(plain, " % ");
  EXPECT_EQ(plain.find("\x1b[31m"), std::string::npos);
  terminal.environment = {"TERM=dumb"};
  EXPECT_EQ(runTenon(arguments, terminal).out.find('\x1b'), std::string::npos);
}

TEST(Check, ListsPartsFitsAndParameters) {
  const Outcome outcome = runTenon({"check", scenePath("bolt-in-plate")});
  EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  for (const char* expected :
       {"screw", "13 × 13 × 38", "80 × 80 × 20", "Ø8.000 in Ø8.400: clearance 0.400 mm",
        "screw/tip into plate/hole", "30.000 mm", "offset_mm", "Valid: 2 parts, 1 goal, "})
    expectContains(outcome.out, expected);
}

TEST(Check, GivesTheSameInJsonAndHeedsSettings) {
  const Json json = Json::parse(
      runTenon({"check", scenePath("insertion-benchmark"), "--json", "--set", "clearance_um=20"}).out);
  EXPECT_EQ(json.at("scene"), "insertion-benchmark");
  const Json& goal = json.at("goals").at(0);
  EXPECT_NEAR(goal.at("clearance_m").get<double>(), 20e-6, 1e-12);
  EXPECT_NEAR(goal.at("hole_diameter_m").get<double>(), 10.02e-3, 1e-12);
  EXPECT_NEAR(goal.at("part_diameter_m").get<double>(), 10e-3, 1e-12);
  const Json& peg = json.at("parts").at(1);
  EXPECT_NEAR(peg.at("size_m").at(2).get<double>(), 0.06, 1e-12);
  EXPECT_NEAR(peg.at("mass_kg").get<double>(), 0.1, 1e-15);
  EXPECT_NEAR(peg.at("inertia_kg_m2").at(2).at(2).get<double>(), 2e-6, 1e-18);
  EXPECT_EQ(json.at("parameters").at(0).at("name"), "clearance_um");
  EXPECT_EQ(json.at("parameters").at(0).at("value"), 20);
  EXPECT_EQ(json.at("parameters").at(0).at("default"), 100);
}

TEST(Check, ListsJointsWithTheirPartsAndLimits) {
  const Outcome outcome = runTenon({"check", scenePath("trammel")});
  EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
  for (const char* expected :
       {"joint    kind   of   to         at [mm]", "  axis   limits  pitch  friction  collides\n",
        "0 0 1  -       -      -         no\n", "Valid: 9 parts, 3 joints, 0 goals, "})
    expectContains(outcome.out, expected);
  const Json json = Json::parse(runTenon({"check", scenePath("trammel"), "--json"}).out);
  ASSERT_EQ(json.at("joints").size(), 3u);
  EXPECT_EQ(json.at("joints").at(2).at("name"), "pin");
  EXPECT_EQ(json.at("joints").at(2).at("to"), "crank");
  EXPECT_TRUE(json.at("joints").at(2).at("pitch_m").is_null());
}

TEST(Check, ListsDegreesOfFreedomAndSurfacesWithoutGoals) {
  const Outcome outcome = runTenon({"check", scenePath("newtons-cradle")});
  expectContains(outcome.out, "\"ball 1\"       1       1                   -\n");
  expectContains(outcome.out, "steel on steel  0         rigid      1\n");
  expectContains(outcome.out, "all others      0         rigid      0\n");
  expectContains(outcome.out, "1 … 4, whole");
  const Json json = Json::parse(runTenon({"check", scenePath("newtons-cradle"), "--json"}).out);
  EXPECT_EQ(json.at("mechanisms").size(), 5u);
  EXPECT_EQ(json.at("mechanisms").at(0).at("freedom"), 1);
  EXPECT_EQ(json.at("material_pairs").at(0).at("restitution"), 1);
  EXPECT_EQ(json.at("parameters").at(0).at("whole"), true);
  EXPECT_EQ(json.at("parameters").at(1).at("whole"), false);
}

TEST(Run, ReportsTheJointErrorWhereThereAreJoints) {
  const std::vector<std::string> run{"run", scenePath("pendulum"), "--duration", "0.1"};
  const std::string text = runTenon(run).out;
  expectContains(text, "worst joint error  ");
  expectContains(text, "joint  kind   at the end  largest force  largest torque\n");
  std::vector<std::string> inJson = run;
  inJson.push_back("--json");
  const Json json = Json::parse(runTenon(inJson).out);
  for (const char* error : {"max_joint_error_m", "max_joint_error_rad"})
    EXPECT_LE(json.at(error), 1e-9) << error;
  EXPECT_GT(json.at("max_joint_error_m"), 0);
  EXPECT_FALSE(json.contains("max_joint_error"));
  const std::string without = runTenon({"run", scenePath("free-fall"), "--duration", "0.1"}).out;
  EXPECT_EQ(without.find("joint"), std::string::npos) << without;
}

TEST(Run, ReportsPosesOfJointsAndPartsAndJointForces) {
  const Json json = Json::parse(
      runTenon({"run", scenePath("pendulum"), "--set", "angle_deg=0", "--duration", "0.1", "--json"}).out);
  ASSERT_EQ(json.at("joints").size(), 1u);
  const Json& joint = json.at("joints").at(0);
  EXPECT_EQ(joint.at("kind"), "hinge");
  EXPECT_EQ(joint.at("part"), "bar");
  EXPECT_NEAR(joint.at("angle_deg"), 0, 1e-6);
  EXPECT_FALSE(joint.contains("travel_mm"));
  // At rest the hinge bears the bar's weight and no more.
  const Json bar = Json::parse(runTenon({"check", scenePath("pendulum"), "--json"}).out).at("parts").at(1);
  ASSERT_EQ(bar.at("name"), "bar");
  EXPECT_NEAR(joint.at("max_force_n"), 9.81 * bar.at("mass_kg").get<double>(), 1e-6);
  EXPECT_NEAR(joint.at("max_torque_nm"), 0, 1e-9);
  const Json& part = json.at("parts").at(1);
  EXPECT_EQ(part.at("name"), "bar");
  EXPECT_EQ(part.at("position_mm").size(), 3u);
  double squared = 0;
  for (const double q : part.at("quaternion")) squared += q * q;
  EXPECT_NEAR(squared, 1, 1e-12);
}

TEST(Run, RefusesOptionsOfSolversThatTakeNoPart) {
  const std::string scene = scenePath("stack");
  const auto run = [&](std::vector<std::string> more) {
    std::vector<std::string> all{"run", scene, "--duration", "0.01"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  };
  for (const char* solver : {"auto", "baraff", "lemke-fixpoint"})
    expectRefused(run({"--solver", solver, "--solver-option", "sweeps=3"}),
                  "--solver gauss-seidel, add fail-safe");
  for (const char* solver : {"auto", "gauss-seidel"})
    expectRefused(run({"--solver", solver, "--solver-option", "next-contact=random"}), "--solver baraff");
  expectRefused(run({"--solver-option", "change=0.1", "--solver-option", "fail-safe=auto"}), "change");
  for (const char* solver : {"auto", "baraff", "lemke-fixpoint"})
    EXPECT_EQ(runTenon(run({"--solver", solver, "--solver-option", "sweeps=3", "--solver-option",
                            "fail-safe=gauss-seidel"}))
                  .exitCode,
              0)
        << solver;
}

TEST(Program, RefusesFractionsOfWhatIsCounted) {
  for (const char* command : {"run", "check"}) {
    expectRefused({command, scenePath("pile"), "--set", "blocks=2.5"},
                  "(blocks): is set to 2.5; give a whole number");
    expectRefused({command, scenePath("newtons-cradle"), "--set", "thrown=1.5"}, "whole number, at least 1");
  }
}

TEST(Check, CallsAnInterferenceFitByItsName) {
  const Outcome outcome = runTenon({"check", scenePath("insertion-benchmark"), "--set", "clearance_um=-20"});
  EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
  expectContains(outcome.out, "Ø10.000 in Ø9.980: INTERFERENCE 20 µm");
}

TEST(Check, ShowsFrictionAndStiffnessOfEachGoalsPair) {
  const std::vector<std::string> settings{"--set", "friction=0.2", "--set", "youngs_modulus_gpa=100"};
  std::vector<std::string> arguments{"check", scenePath("press-fit")};
  arguments.insert(arguments.end(), settings.begin(), settings.end());
  const std::string text = runTenon(arguments).out;
  expectContains(text, "fit                                  friction  stiffness\n");
  // Of steel half as stiff: 2π L/C with 1/C = E/2.046, on 12 mm less the lead-ins of 0.5 mm and 0.6 mm.
  expectContains(text, "INTERFERENCE 4 µm  0.2       33");
  arguments.push_back("--json");
  const Json goal = Json::parse(runTenon(arguments).out).at("goals").at(0);
  EXPECT_EQ(goal.at("friction"), 0.2);
  EXPECT_NEAR(goal.at("stiffness_n_per_m").get<double>(), 2 * 3.14159 * 10.9e-3 * 1e11 / 2.046, 3e7);
  const Outcome rigid = runTenon({"check", scenePath("bolt-in-plate"), "--json"});
  EXPECT_TRUE(Json::parse(rigid.out).at("goals").at(0).at("stiffness_n_per_m").is_null());
  expectContains(runTenon({"check", scenePath("bolt-in-plate")}).out,
                 "clearance 0.400 mm  0.12      rigid\n");
}

TEST(Doctor, SaysWhatBulletDoes) {
  const Json json = Json::parse(runTenon({"doctor", "--json"}).out);
  std::string detail;
  for (const Json& check : json.at("checks"))
    if (check.at("name") == "Bullet") detail = check.at("detail");
  EXPECT_TRUE(std::regex_match(detail, std::regex(R"(\d\.\d\d, double precision: .*dispatches.*)")))
      << detail;
  const std::string version = runTenon({"--version"}).out;
  expectContains(version, "Bullet " + detail.substr(0, detail.find(',')));
}

TEST(Doctor, ReportsEachComponentWithItsRemedy) {
  const Outcome text = runTenon({"doctor"});
  EXPECT_EQ(text.exitCode, 0);
  const Outcome outcome = runTenon({"doctor", "--json"});
  EXPECT_EQ(outcome.exitCode, 0);
  const Json json = Json::parse(outcome.out);
  for (const char* field : {"version", "compiler", "build", "system", "processor"})
    EXPECT_TRUE(json.at(field).is_string()) << field;
  EXPECT_GE(json.at("threads").get<int>(), 1);
  std::vector<std::string> names;
  for (const Json& check : json.at("checks")) {
    names.push_back(check.at("name"));
    const bool there = check.at("status") == "ok";
    EXPECT_TRUE(there || check.at("status") == "missing");
    EXPECT_FALSE(check.at("detail").get<std::string>().empty()) << names.back();
    EXPECT_TRUE(!there || check.at("remedy") == "");
    expectContains(text.out, names.back());
  }
  for (const char* name : {"Vulkan loader", "Vulkan device", "display", "OpenXR loader", "OpenXR runtime",
                           "headset", "Python module", "movies", "PDF reports"})
    EXPECT_NE(std::find(names.begin(), names.end(), name), names.end()) << name;
}

TEST(Doctor, NamesThePackagesOfOtherPrograms) {
  TemporaryFolder folder;
  const auto of = [&](const std::string& name) {
    const Outcome outcome = runTenon({"doctor", "--json"}, {{"PATH=" + folder.path()}, false, ""});
    EXPECT_EQ(outcome.exitCode, 0);
    const Json json = Json::parse(outcome.out);
    for (const Json& check : json.at("checks"))
      if (check.at("name") == name) return check;
    return Json();
  };
  EXPECT_EQ(of("movies").at("status"), "missing");
  EXPECT_EQ(of("movies").at("remedy"), "sudo apt-get install ffmpeg");
  EXPECT_EQ(of("PDF reports").at("remedy"), "sudo apt-get install chromium");
  for (const char* program : {"ffmpeg", "chromium-browser"}) {
    std::ofstream(folder / program) << "#!/bin/sh\n";
    std::filesystem::permissions(folder / program, std::filesystem::perms::owner_all);
  }
  EXPECT_EQ(of("movies").at("status"), "ok");
  EXPECT_EQ(of("movies").at("detail"), folder / "ffmpeg");
  EXPECT_EQ(of("PDF reports").at("detail"), folder / "chromium-browser");
}

std::string displayOf(const std::string& display) {
  const Outcome outcome =
      runTenon({"doctor", "--json"}, {{"DISPLAY=" + display, "WAYLAND_DISPLAY="}, false, ""});
  const Json json = Json::parse(outcome.out);
  for (const Json& check : json.at("checks"))
    if (check.at("name") == "display") return check.at("status").get<std::string>();
  return "";
}

TEST(Doctor, ReportsAMissingDisplay) {
  EXPECT_EQ(displayOf(""), "missing");
  EXPECT_EQ(displayOf(":4711"), "missing");
}

TEST(Doctor, FindsADisplay) {
  if (const std::string why = whyNoScreen(); !why.empty()) GTEST_SKIP() << why;
  const Screen screen;
  EXPECT_EQ(displayOf(screen.name()), "ok");
}

}  // namespace
}  // namespace tenon::tests
