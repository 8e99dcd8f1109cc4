// Sessions from outside: what is recorded comes out the same again, and what is wrong with a file is named.
#include <SQLiteCpp/Statement.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <nlohmann/json.hpp>
#include <sstream>

#include "runtime/record/session_reader.h"
#include "runtime/record/step_queue.h"
#include "tests/runtime/session_file.h"

namespace tenon::tests::record_test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using runtime::RecordedStep;
using runtime::SessionReader;

void expectContains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "\"" << part << "\" is missing in:\n" << text;
}

/// Exit 2, one line that names `part`, no result.
void expectRefused(const std::vector<std::string>& arguments, const std::string& part) {
  SCOPED_TRACE(part);
  const Outcome outcome = runTenon(arguments);
  EXPECT_EQ(outcome.exitCode, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  expectContains(outcome.err, part);
}

std::string contentOf(const std::string& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

std::size_t filesIn(const std::string& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

TEST(Record, ComesOutTheSameBitForBitAndChangesNothing) {
  const TemporaryFolder folder;
  const std::string file = folder / "s.tenon";
  const std::vector<std::string> run = {"run", scenePath("bolt-in-plate"), "--json"};
  const Json alone = Json::parse(runTenon(run).out);
  std::vector<std::string> recording = run;
  recording.insert(recording.end(), {"--record", file});
  const Outcome recorded = runTenon(recording);
  EXPECT_EQ(recorded.exitCode, 0) << recorded.err;
  EXPECT_EQ(Json::parse(recorded.out).at("state_hash"), alone.at("state_hash"));
  EXPECT_EQ(filesIn(folder.path()), 1u) << "SQLite's own files are left over";

  SessionReader session(file);
  RecordedStep tick;
  while (session.next(tick)) {
  }
  EXPECT_EQ(tick.tick, alone.at("steps").get<std::int64_t>());
  std::ostringstream hash;
  hash << std::hex << std::setw(16) << std::setfill('0') << tick.stateHash;
  EXPECT_EQ(hash.str(), alone.at("state_hash"));
  ASSERT_EQ(session.goals().size(), 1u);
  EXPECT_EQ(session.goals()[0].verdict, "inserted");
  EXPECT_EQ(session.goals()[0].maxPush, alone.at("goals")[0].at("max_push_n").get<double>());
  EXPECT_EQ(session.header().sceneText, contentOf(scenePath("bolt-in-plate")));

  const Outcome verified = runTenon({"replay", file, "--verify"});
  EXPECT_EQ(verified.exitCode, 0) << verified.out << verified.err;
  expectContains(verified.out, "every state bit for bit");
}

/// What formats 3 to 6 added is taken away again.
TEST(Record, OfFormats2To5IsReadAsBefore) {
  const TemporaryFolder folder;
  const std::string file = folder / "s.tenon";
  record("bolt-in-plate", "1", file);
  const auto contactsOf = [&](const char* name) {
    EXPECT_EQ(runTenon({"export", file, "--format", "json", "--out", folder / name}).exitCode, 0);
    return Json::parse(contentOf(folder / name)).at("contacts");
  };
  const Json contacts = contactsOf("6.json");
  EXPECT_GT(contacts.size(), 0u);
  makeFormat5(file);
  EXPECT_EQ(contactsOf("5.json"), contacts);
  EXPECT_EQ(runTenon({"replay", file, "--verify"}).exitCode, 0);
  change(file, "ALTER TABLE contact DROP COLUMN mu");
  expectRefused({"replay", file, "--verify"}, "contact.mu: is missing");
  change(file, "ALTER TABLE contact ADD COLUMN mu REAL NOT NULL DEFAULT 0");
  change(file, "ALTER TABLE session DROP COLUMN arithmetic");
  expectRefused({"replay", file, "--verify"}, "session.arithmetic: is missing");
  change(file, "PRAGMA user_version = 4");
  EXPECT_EQ(runTenon({"replay", file, "--verify"}).exitCode, 0);
  change(file, "DROP TABLE command_value");
  expectRefused({"replay", file, "--verify"}, "command_value.angular_damping_per_s: is missing");
  change(file, "PRAGMA user_version = 3");
  EXPECT_EQ(runTenon({"replay", file, "--verify"}).exitCode, 0);
  change(file, "DROP TABLE head_pose");
  expectRefused({"replay", file, "--verify"}, "head_pose.px_m: is missing");
  change(file, "PRAGMA user_version = 2");
  const Outcome verified = runTenon({"replay", file, "--verify"});
  EXPECT_EQ(verified.exitCode, 0) << verified.out << verified.err;
  for (const char* format : {"csv", "json", "glb"})
    EXPECT_EQ(runTenon({"export", file, "--format", format, "--out", folder / format}).exitCode, 0) << format;
  const Json op = Json::parse(contentOf(folder / "json"))["operations"].at(0);
  EXPECT_EQ(op["grasps"], 1);
  EXPECT_TRUE(op["head_distance_mean_m"].is_null());
}

/// What formats 2 to 6 added is taken away again.
TEST(Record, OfFormat1IsReadAsBefore) {
  const TemporaryFolder folder;
  const std::string file = folder / "s.tenon";
  record("bolt-in-plate", "1", file);
  const std::vector<runtime::SessionEvent> events = SessionReader(file).events();
  makeFormat5(file);
  change(
      file,
      "DROP INDEX command_return; ALTER TABLE command DROP COLUMN to_tick; ALTER TABLE command DROP COLUMN "
      "solver; ALTER TABLE command DROP COLUMN rate_hz; ALTER TABLE tick DROP COLUMN session_s; "
      "DROP TABLE head_pose; DROP TABLE command_value; ALTER TABLE session DROP COLUMN arithmetic; "
      "PRAGMA user_version = 1");
  const Outcome verified = runTenon({"replay", file, "--verify"});
  EXPECT_EQ(verified.exitCode, 0) << verified.out << verified.err;
  EXPECT_NEAR(SessionReader(file).lastTime(), 1, 1e-12);
  const std::vector<runtime::SessionEvent> again = SessionReader(file).events();
  ASSERT_EQ(again.size(), events.size());
  for (std::size_t k = 0; k < events.size(); ++k)
    EXPECT_NEAR(again[k].time, events[k].time, 1e-12) << events[k].kind;
  for (const char* format : {"csv", "json", "glb"})
    EXPECT_EQ(runTenon({"export", file, "--format", format, "--out", folder / format}).exitCode, 0) << format;
  change(file, "PRAGMA user_version = 2");
  expectRefused({"replay", file, "--verify"}, "command.rate_hz: is missing");
}

TEST(Record, OfChosenSolverParametersAndThreadsIsVerified) {
  const TemporaryFolder folder;
  const std::string file = folder / "s.tenon";
  const Outcome run =
      runTenon({"run", scenePath("insertion-benchmark"), "--set", "clearance_um=20", "--solver",
                "gauss-seidel", "--solver-option", "sweeps=50", "--rate", "500", "--seed",
                "18446744073709551615", "--threads", "2", "--duration", "0.5", "--record", file});
  EXPECT_TRUE(run.err.starts_with("tenon: session recorded in ")) << run.err;
  EXPECT_EQ(SessionReader(file).header().seed, 18446744073709551615ull);
  const Outcome verified = runTenon({"replay", file, "--verify"});
  EXPECT_EQ(verified.exitCode, 0) << verified.out << verified.err;
}

TEST(Record, ListsGrabSeatAndReleaseInTheirOrder) {
  const TemporaryFolder folder;
  record("bolt-in-plate", "4.4", folder / "s.tenon");
  std::vector<std::string> kinds;
  for (const runtime::SessionEvent& event : SessionReader(folder / "s.tenon").events())
    if (!event.kind.starts_with("contact")) kinds.push_back(event.kind);
  EXPECT_EQ(kinds, (std::vector<std::string>{"grab", "seated", "release", "end"}));
}

TEST(Record, KeepsTheNamesOfGoalsAndWhatJointsHold) {
  const TemporaryFolder folder;
  record("bearing", "0.02", folder / "bearing.tenon");
  const std::vector<runtime::RecordedGoal> goals = SessionReader(folder / "bearing.tenon").goals();
  ASSERT_EQ(goals.size(), 2u);
  EXPECT_EQ(goals[0].name, "bearing in its seat (bearing into housing/seat)");
  record("pendulum", "0.02", folder / "pendulum.tenon");
  const std::string file = folder / "pendulum.json";
  EXPECT_EQ(runTenon({"export", folder / "pendulum.tenon", "--format", "json", "--out", file}).exitCode, 0);
  const Json tables = Json::parse(contentOf(file));
  ASSERT_EQ(tables.at("joints").size(), 1u);
  EXPECT_EQ(tables.at("joints")[0].at("kind"), "hinge");
  EXPECT_EQ(tables.at("joint_states").size(), 3u) << "of ticks 0, 10 and 20";
}

TEST(Replay, NamesTheFirstTickThatDiffersAndByHowMuch) {
  const TemporaryFolder folder;
  const std::string file = folder / "s.tenon";
  record("bolt-in-plate", "1", file);
  const std::vector<runtime::SessionEvent> events = SessionReader(file).events();
  const auto grab =
      std::find_if(events.begin(), events.end(), [](const auto& e) { return e.kind == "grab"; });
  ASSERT_NE(grab, events.end());
  const std::int64_t tick = grab->tick + 7;
  change(file,
         "UPDATE command SET px_m = px_m + 1e-6 WHERE kind = 'move' AND tick = " + std::to_string(tick));
  expectRefused({"replay", file, "--verify"}, "tick " + std::to_string(tick));
  mendChain(file);
  const Outcome outcome = runTenon({"replay", file, "--verify"});
  EXPECT_EQ(outcome.exitCode, 1) << outcome.err;
  expectContains(outcome.out, "first after tick " + std::to_string(tick));
  expectContains(outcome.out, "screw differs by ");
  EXPECT_EQ(outcome.out.find("differs by 0 mm"), std::string::npos) << outcome.out;
}

TEST(Replay, OfOtherSourcesOrArithmeticDoesNotClaimToVerify) {
  const TemporaryFolder folder;
  record("bolt-in-plate", "0.2", folder / "s.tenon");
  for (const char* column : {"version", "sources", "arithmetic"}) {
    SCOPED_TRACE(column);
    const std::string file = folder / (std::string(column) + ".tenon");
    fs::copy_file(folder / "s.tenon", file);
    change(file, std::string("UPDATE session SET ") + column + " = 'another'");
    const Outcome outcome = runTenon({"replay", file, "--verify"});
    EXPECT_EQ(outcome.exitCode, 3);
    expectContains(outcome.out, "exact verification does not apply");
    expectContains(outcome.out, "another");
    EXPECT_EQ(runTenon({"replay", file, "--text"}).exitCode, 0);
  }
}

TEST(Replay, OfAnotherProcessorIsVerifiedAndNamedOnlyWhereItDiffers) {
  const TemporaryFolder folder;
  const std::string file = folder / "s.tenon";
  record("bolt-in-plate", "1.5", file);
  change(file,
         "UPDATE session SET compiler = 'another', processor = 'another', cpu_features = 'none', "
         "c_library = 'another'");
  const Outcome same = runTenon({"replay", file, "--verify"});
  EXPECT_EQ(same.exitCode, 0) << same.out << same.err;
  EXPECT_EQ(same.out.find("recorded elsewhere"), std::string::npos) << same.out;
  change(file,
         "UPDATE command SET px_m = px_m + 1e-6 WHERE kind = 'move' AND tick = "
         "(SELECT tick + 7 FROM event WHERE kind = 'grab')");
  mendChain(file);
  const Outcome differing = runTenon({"replay", file, "--verify"});
  EXPECT_EQ(differing.exitCode, 1) << differing.out;
  expectContains(differing.out, "recorded elsewhere: compiler another, here ");
}

/// Without fused multiply-add the C library takes other sequences of operations for sin() and most others.
TEST(Replay, OfAProcessorWithoutFusedMultiplyAddIsVerified) {
  const Setting plain{{"GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4,-AVX512F"}, false, ""};
  const TemporaryFolder folder;
  for (const char* scene : {"bolt-in-plate", "four-bolts", "insertion-benchmark", "factory-peg-8mm"}) {
    SCOPED_TRACE(scene);
    const std::string file = folder / (std::string(scene) + ".tenon");
    const Outcome recorded =
        runTenon({"run", scenePath(scene), "--duration", "1.5", "--json", "--record", file}, plain);
    ASSERT_FALSE(recorded.out.empty()) << recorded.err;
    EXPECT_EQ(runTenon({"replay", file, "--verify"}).exitCode, 0);
    const Outcome here = runTenon({"run", scenePath(scene), "--duration", "1.5", "--json"});
    EXPECT_EQ(Json::parse(here.out)["state_hash"], Json::parse(recorded.out)["state_hash"]);
  }
}

TEST(Replay, NamesWhatIsWrongWithAFile) {
  const TemporaryFolder folder;
  const std::string file = folder / "s.tenon";
  record("bolt-in-plate", "0.2", file);
  struct Damage {
    const char *sql, *named;
  };
  const Damage damages[] = {
      {"PRAGMA application_id = 7", "another program"},
      {"PRAGMA user_version = 99", "format 99"},
      {"DROP TABLE contact_frame", "contact_frame.bytes: is missing"},
      {"ALTER TABLE tick DROP COLUMN chain", "tick.chain: is missing"},
      {"DELETE FROM session", "session"},
      {"DELETE FROM tick", "before its first"},
      {"DELETE FROM tick WHERE tick = 20", "tick 20: is missing"},
      {"DELETE FROM tick WHERE tick > 100", "after tick 100"},
      {"DELETE FROM command WHERE tick = 20", "tick 20: the chain"},
      {"UPDATE tick SET chain = chain + 1 WHERE tick = 20", "tick 20: the chain"},
      {"UPDATE tick SET state_hash = state_hash + 1 WHERE tick = 20", "tick 20: the chain"},
      {"UPDATE session SET rate_hz = 999", "tick 0: the chain"},
      {"UPDATE session SET rate_hz = -1", "rate_hz"},
      {"UPDATE session SET seed = 'x'", "session.seed"},
      {"UPDATE command SET kind = 'fly' WHERE tick = 20", "fly"},
      {"UPDATE command SET px_m = 9e999 WHERE tick = 20", "tick 20: px_m is not a finite number"},
      {"UPDATE body_state SET px_m = 'left' WHERE tick = 0", "tick 0: px_m is not a finite number"},
      {"UPDATE body_state SET body = 77 WHERE tick = 0 AND body = 0", "body 77"},
      {"UPDATE body_state SET vx_m_per_s = 1e-9 WHERE tick = 0 AND body = 0", "tick 0: its states"},
  };
  for (const Damage& damage : damages) {
    SCOPED_TRACE(damage.sql);
    const std::string damaged = folder / "damaged.tenon";
    fs::copy_file(file, damaged, fs::copy_options::overwrite_existing);
    change(damaged, damage.sql);
    expectRefused({"replay", damaged, "--verify"}, damage.named);
  }
}

TEST(Replay, WhatIsSaidOfTheWindowIsRefusedWithoutOne) {
  const TemporaryFolder folder;
  const std::string file = folder / "s.tenon";
  record("bolt-in-plate", "0.05", file);
  for (const char* without : {"--verify", "--text"})
    for (const std::vector<std::string>& said : std::vector<std::vector<std::string>>{
             {"--play"},
             {"--resimulate"},
             {"--time", "0.01"},
             {"--size", "800x600"},
             {"--trace", folder / "t"},
             {"--frames", "1"},
             {"--frames", "1", "--screenshot", folder / "a.png", "--quit"}}) {
      std::vector<std::string> words = {"replay", file, without};
      words.insert(words.end(), said.begin(), said.end());
      const Outcome outcome = runTenon(words);
      EXPECT_EQ(outcome.exitCode, 2) << without << ' ' << said[0];
      EXPECT_NE(outcome.err.find("excludes"), std::string::npos) << outcome.err;
    }
  EXPECT_EQ(runTenon({"replay", file, "--text", "--out-dir", folder / "out"}).exitCode, 2);
  EXPECT_EQ(runTenon({"replay", file, "--text"}).exitCode, 0);
}

TEST(Replay, RefusesWhatIsNoSession) {
  const TemporaryFolder folder;
  std::ofstream(folder / "empty").close();
  std::ofstream(folder / "text") << "this is not a session, but it is long enough to be one";
  change((SQLite::Database(folder / "foreign", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE),
          folder / "foreign"),
         "CREATE TABLE other (a)");
  for (const std::vector<std::string>& rest :
       {std::vector<std::string>{}, {"--verify"}, {"--format", "csv", "--out", folder / "out"}}) {
    const auto refused = [&](const std::string& file, const char* named) {
      std::vector<std::string> words{rest.size() > 1 ? "export" : "replay", file};
      words.insert(words.end(), rest.begin(), rest.end());
      expectRefused(words, named);
    };
    refused(folder / "missing", "does not exist");
    refused(folder.path(), "not a plain file");
    refused(folder / "empty", "is empty");
    refused(folder / "text", "not an SQLite file");
    refused(folder / "foreign", "another program");
  }
  EXPECT_FALSE(fs::exists(folder / "out"));
}

TEST(Record, NeverOverwritesUnlessForcedAndNeverFollowsALink) {
  const TemporaryFolder folder;
  const std::string scene = scenePath("free-fall"), file = folder / "s.tenon";
  std::ofstream(file) << "not to be lost";
  fs::create_symlink(file, folder / "link");
  expectRefused({"run", scene, "--record", file}, "exists already");
  expectRefused({"run", scene, "--record", folder / "link"}, "is a link");
  expectRefused({"run", scene, "--record", folder / "link", "--force"}, "is a link");
  expectRefused({"run", scene, "--record", folder.path(), "--force"}, "not a plain file");
  expectRefused({"run", scene, "--record", ""}, "not a plain file");
  expectRefused({"run", scene, "--record", folder / "none/s.tenon"}, "cannot be written");
  fs::create_symlink(folder / "none", file + "-wal");
  expectRefused({"run", scene, "--record", file, "--force"}, "is a link");
  fs::remove(file + "-wal");
  expectRefused({"run", scene, "--record", file, "--force", "--report", folder / "./s.tenon"},
                "is given for both");
  EXPECT_EQ(contentOf(file), "not to be lost");
  fs::copy_file(scene, folder / "scene.json");
  expectRefused({"run", folder / "scene.json", "--record", folder / "scene.json", "--force"},
                "the scene itself");
  EXPECT_EQ(contentOf(folder / "scene.json"), contentOf(scene));

  EXPECT_EQ(runTenon({"run", scene, "--duration", "0.1", "--record", file, "--force"}).exitCode, 0);
  EXPECT_EQ(runTenon({"replay", file, "--verify"}).exitCode, 0);
  EXPECT_FALSE(fs::exists(file + ".before"));
}

// SQLite stores −0 as 0.
TEST(Record, IsWholeWhereNumbersAreMinusZero) {
  const TemporaryFolder folder;
  const std::string file = folder / "s.tenon", scene = folder / "scene.json";
  nlohmann::json document = nlohmann::json::parse(contentOf(scenePath("insertion-benchmark")));
  document["hands"][0]["position"][1] = -0.0;
  for (nlohmann::json& waypoint : document["hands"][0]["script"])
    if (waypoint.contains("move")) waypoint["move"]["position"][1] = -0.0;
  std::ofstream(scene) << document;
  const Outcome recorded =
      runTenon({"run", scene, "--duration", "0.05", "--set", "offset_mm=-0", "--record", file});
  EXPECT_LE(recorded.exitCode, 1) << recorded.err;
  EXPECT_EQ(runTenon({"replay", file, "--verify"}).exitCode, 0);
}

TEST(Record, LeavesNothingBehindWhereTheSceneIsBad) {
  const TemporaryFolder folder;
  std::ofstream(folder / "scene.json") << "{}";
  expectRefused({"run", folder / "scene.json", "--record", folder / "s.tenon"}, "scene.json");
  EXPECT_EQ(filesIn(folder.path()), 1u);
}

TEST(Export, WritesEveryTableInBothFormatsWithNumbersThatReadBack) {
  const TemporaryFolder folder;
  const std::string file = folder / "s.tenon";
  record("bolt-in-plate", "0.6", file);
  EXPECT_EQ(runTenon({"export", file, "--format", "csv", "--out", folder / "csv"}).exitCode, 0);
  EXPECT_EQ(runTenon({"export", file, "--format", "json", "--out", folder / "s.json"}).exitCode, 0);
  const Json json = Json::parse(contentOf(folder / "s.json"));
  EXPECT_EQ(json.size() + 1, filesIn(folder / "csv")) << "and motion.csv";
  SQLite::Database database(file, SQLite::OPEN_READONLY);
  SQLite::Statement rows(database, "SELECT vz_m_per_s FROM body_state ORDER BY tick, body");
  std::size_t k = 0;
  for (; rows.executeStep(); ++k)
    EXPECT_EQ(json.at("body_states").at(k).at("vz_m_per_s").get<double>(), rows.getColumn(0).getDouble());
  EXPECT_EQ(json.at("body_states").size(), k);
  for (const auto& [name, table] : json.items()) {
    const std::string csv = contentOf(folder / ("csv/" + name + ".csv"));
    EXPECT_EQ(static_cast<std::size_t>(std::count(csv.begin(), csv.end(), '\n')), table.size() + 1) << name;
  }
  expectRefused({"export", file, "--format", "csv", "--out", folder / "csv"}, "exists already");
  expectRefused({"export", file, "--format", "json", "--out", file}, "the session itself");
  expectRefused({"export", file, "--format", "json", "--out", folder / "none/s.json"}, "cannot be written");
  EXPECT_EQ(filesIn(folder.path()), 3u);
}

TEST(Record, IsReadByPythonsSqliteWhichComesToTheSameResults) {
  if (std::system("python3 -c 'import sqlite3' 2>/dev/null") != 0)
    GTEST_SKIP() << "python3 has no sqlite3: install libpython3-stdlib";
  const TemporaryFolder folder;
  const std::string file = folder / "s.tenon", result = folder / "result.json";
  record("bolt-in-plate", "4.4", file);
  const std::string command =
      "python3 '" TENON_SOURCE_DIR "/tests/runtime/read_session.py' '" + file + "' screw > '" + result + "'";
  ASSERT_EQ(std::system(command.c_str()), 0);
  const Json python = Json::parse(contentOf(result));
  SessionReader session(file);
  RecordedStep tick;
  while (session.next(tick)) {
    if (tick.tick != python.at("tick").get<std::int64_t>()) continue;
    std::ostringstream hash;
    hash << std::hex << std::setw(16) << std::setfill('0') << tick.stateHash;
    EXPECT_EQ(python.at("state_hash"), hash.str());
  }
  // The screw lies on the plate and no hand holds it: contacts bear its weight.
  const double weight = python.at("weight_n").get<double>();
  EXPECT_GT(weight, 0.1);
  EXPECT_NEAR(python.at("load_n").get<double>(), weight, 1e-3 * weight);
}

TEST(StepQueue, HoldsNoMoreThanItMay) {
  runtime::StepQueue queue(10 * sizeof(runtime::StepRecord));
  std::size_t pushed = 0;
  for (; pushed < 100; ++pushed) {
    auto entry = queue.acquire();
    if (!queue.tryPush(entry)) break;
  }
  EXPECT_EQ(pushed, 10u);
  std::vector<runtime::StepQueue::Entry> taken;
  EXPECT_TRUE(queue.drain(taken, 4, std::chrono::milliseconds(0)));
  EXPECT_EQ(taken.size(), 4u);
  auto entry = queue.acquire();
  EXPECT_FALSE(queue.tryPush(entry)) << "what is being written takes memory too";
  queue.recycle(taken);
  EXPECT_TRUE(queue.tryPush(entry));
  queue.close(true);
  EXPECT_FALSE(queue.drain(taken, 4, std::chrono::milliseconds(0)));
  EXPECT_TRUE(taken.empty());
}

}  // namespace
}  // namespace tenon::tests::record_test
