// Fuzzes the session reader: a valid file with some changed bytes is read and exported, or rejected in one
// line; data covered by a hash never differ from the recorded ones.
#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "content/reader/load_scene.h"
#include "physics/body/state_hash.h"
#include "runtime/record/contact_frame.h"
#include "runtime/record/hash_chain.h"
#include "runtime/record/keyframe_rows.h"
#include "runtime/record/schema.h"
#include "runtime/record/session_frames.h"
#include "runtime/record/session_reader.h"
#include "runtime/record/session_tables.h"

namespace {

namespace fs = std::filesystem;
using namespace tenon;

constexpr int kTicks = 4;
constexpr std::size_t kMostChanges = 64;

/// A temporary file of this process.
class OwnFile {
 public:
  OwnFile() : path_((fs::temp_directory_path() / fmt::format("tenon-session-fuzz-{}", getpid())).string()) {}
  ~OwnFile() { remove(); }
  OwnFile(const OwnFile&) = delete;
  OwnFile& operator=(const OwnFile&) = delete;
  const std::string& path() const { return path_; }
  void remove() const {
    std::error_code none;
    for (const char* suffix : {"", "-wal", "-shm", "-journal"}) fs::remove(path_ + suffix, none);
  }

 private:
  std::string path_;
};

const OwnFile& ownFile() {
  static const OwnFile file;
  return file;
}

std::int64_t bits(std::uint64_t hash) {
  return static_cast<std::int64_t>(hash);
}

/// One body that a command moves up by a millimeter in each step.
void addTicks(SQLite::Database& database, const runtime::SessionHeader& header) {
  std::uint64_t chain = runtime::chainStart(header);
  runtime::RecordedContacts before;
  for (int tick = 0; tick < kTicks; ++tick) {
    std::vector<physics::BodyState> states(1);
    states[0].X_WC.p.z() = 0.001 * tick;
    const std::uint64_t hash = physics::stateHash(states);
    std::vector<physics::Command> commands;
    if (tick > 0) commands.push_back(physics::SetPose{{0}, states[0].X_WC});
    chain = runtime::chainNext(chain, commands, hash);
    const double z = states[0].X_WC.p.z();
    database.exec(fmt::format("INSERT INTO tick VALUES ({0}, {0}, {1}, {1}, {2}, {3}, 1, 1, 0, 1, 0, 0, 1)",
                              tick, 0.001 * tick, bits(hash), bits(chain)));
    database.exec(fmt::format("INSERT INTO body_state VALUES ({}, 0, 0, 0, {}, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0)",
                              tick, z));
    // One contact, without a predecessor at the first tick.
    runtime::RecordedContacts contacts(1);
    contacts[0].values[runtime::RecordedContact::force] = static_cast<float>(tick);
    SQLite::Statement row(database, "INSERT INTO contact_frame VALUES (?, ?, ?)");
    const std::string bytes = runtime::encodeContacts(contacts, before);
    row.bind(1, tick);
    row.bind(2, tick == 0 ? 1 : 0);
    row.bind(3, bytes.data(), static_cast<int>(bytes.size()));
    row.exec();
    before = contacts;
    database.exec(fmt::format("INSERT INTO goal_state VALUES ({}, 0, 'pending', 0, 0, 0, 0)", tick));
    if (tick > 0)
      database.exec(fmt::format(
          "INSERT INTO command VALUES ({}, 0, 'place', NULL, 0, 0, 0, {}, 1, 0, 0, 0, NULL, NULL, "
          "NULL, NULL)",
          tick, z));
  }
}

/// A valid session with the smallest pages, so that changes affect all of it.
std::string soundSession() {
  ownFile().remove();
  runtime::SessionHeader header;
  header.sceneText = "{}";
  header.meshFiles = {{"peg.obj", "v 0 0 0"}};
  header.solver = "auto";
  header.rate = 1000;
  {
    SQLite::Database database(ownFile().path(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    database.exec(
        fmt::format("PRAGMA page_size = 512; PRAGMA application_id = {}; PRAGMA user_version = {}; BEGIN",
                    runtime::kApplicationId, runtime::kFormatVersion));
    database.exec(runtime::kSchema);
    database.exec(
        "INSERT INTO session VALUES (1, '', '', '', '', '', '', '', '', '', '', 's', '{}', 'auto', 1000, "
        "'0', 1, "
        "1)");
    database.exec(fmt::format("INSERT INTO mesh_file VALUES ('peg.obj', {}, CAST('v 0 0 0' AS BLOB))",
                              bits(runtime::bytesHash("v 0 0 0"))));
    database.exec(
        "INSERT INTO body VALUES (0, 'peg', 'dynamic', 1, 0, 0, 0); INSERT INTO hand VALUES (0, 'left');"
        "INSERT INTO goal VALUES (0, 'first', 0, 0, 'hole', 0.01);"
        "INSERT INTO event VALUES (1, 1, 0.001, 'place', NULL, 0, NULL, NULL, NULL), "
        "(2, 3, 0.003, 'end', NULL, NULL, NULL, NULL, 'done')");
    database.exec(
        "INSERT INTO head_pose VALUES (1, 0, 0, 1.6, 1, 0, 0, 0), (2, NULL, NULL, NULL, NULL, NULL, NULL, "
        "NULL)");
    addTicks(database, header);
    database.exec("COMMIT");
  }
  std::ifstream stream(ownFile().path(), std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// Reads a complete session. Returns its number of steps.
int readAll(const std::string& path) {
  runtime::SessionReader session(path);
  session.ending();
  session.events();
  session.goals();
  session.returnTargets();
  for (const runtime::SessionTable& table : runtime::sessionTables())
    runtime::writeJson(session, table, [](const std::string&) {});
  if (session.header().meshFiles.contains("peg.obj") && session.header().meshFiles.at("peg.obj") != "v 0 0 0")
    std::abort();
  runtime::SessionFrames frames(session);
  runtime::RecordedFrame frame;
  for (std::int64_t k = 0; k < kTicks && k <= frames.lastKeyframe(); k += frames.keyframeEvery())
    frames.read(k, frame);
  runtime::KeyframeRows rows(session);
  for (std::int64_t k = 0; k < kTicks; ++k)
    if (const auto head = rows.readHead(k); head && !(std::abs(head->q.norm() - 1) < 1e-3)) std::abort();
  runtime::RecordedStep tick;
  int ticks = 0;
  for (; session.next(tick); ++ticks)
    if (tick.keyframe && (tick.states.size() != 1 || tick.states[0].X_WC.p.z() != 0.001 * ticks))
      std::abort();
  return ticks;
}

}  // namespace

/// Every four bytes change one byte: three are the position, one is the value.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::string sound = soundSession();
  std::string bytes = sound;
  const std::size_t changes = std::min(size / 4, kMostChanges);
  for (std::size_t k = 0; k < changes; ++k) {
    const std::uint8_t* at = data + 4 * k;
    const std::size_t place = at[0] | std::size_t{at[1]} << 8 | std::size_t{at[2]} << 16;
    bytes[place % bytes.size()] ^= static_cast<char>(at[3]);
  }
  ownFile().remove();
  std::ofstream(ownFile().path(), std::ios::binary) << bytes;
  try {
    const int ticks = readAll(ownFile().path());
    if (changes == 0 && ticks != kTicks) std::abort();
  } catch (const content::InputError& error) {
    if (bytes == sound || std::string(error.what()).find_first_of("\r\n") != std::string::npos) std::abort();
  }
  return 0;
}
