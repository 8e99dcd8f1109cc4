// See export_tables.h.
#include "runtime/commands/export_tables.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "content/model/build_world.h"
#include "content/reader/load_scene.h"
#include "runtime/export/motion_table.h"
#include "runtime/record/session_tables.h"
#include "runtime/report/motion_tables.h"
#include "runtime/report/operations_json.h"
#include "runtime/report/stop_causes.h"
#include "runtime/session/atomic_file.h"
#include "runtime/session/progress_line.h"
#include "runtime/session/session_scene.h"
#include "runtime/session/terminal.h"

namespace tenon::runtime {

namespace fs = std::filesystem;

namespace {

constexpr const char *kOperationsFile = "operations.csv", *kMotionFile = "motion.csv",
                     *kMtmFile = "mtm1_motions.csv", *kMtmTotalsFile = "mtm1_totals.csv";

std::string fileOf(const SessionTable& table) {
  return fmt::format("{}.csv", table.name);
}

bool isExported(const fs::directory_entry& entry) {
  const std::string name = entry.path().filename().string();
  const auto tables = sessionTables();
  return fs::is_regular_file(entry.symlink_status()) &&
         (name == kOperationsFile || name == kMotionFile || name == kMtmFile || name == kMtmTotalsFile ||
          std::any_of(tables.begin(), tables.end(),
                      [&](const SessionTable& table) { return name == fileOf(table); }));
}

/// A folder that is created atomically: complete, or not at all.
class AtomicFolder {
 public:
  /// Throws content::InputError if the folder cannot be created, or if an existing folder contains anything
  /// but exported tables.
  explicit AtomicFolder(const std::string& path) : path_(path) {
    while (path_.size() > 1 && path_.back() == '/') path_.pop_back();
    requireOnlyTables();
    std::error_code error;
    temporary_ = fmt::format("{}.{}.part", path_, getpid());
    if (!fs::create_directory(temporary_, error)) fail(fmt::format("cannot be made ({})", error.message()));
  }
  ~AtomicFolder() {
    std::error_code ignored;
    fs::remove_all(temporary_, ignored);
  }
  AtomicFolder(const AtomicFolder&) = delete;
  AtomicFolder& operator=(const AtomicFolder&) = delete;

  std::string operator/(const std::string& name) const { return temporary_ + "/" + name; }
  void commit() const {
    const std::string before = temporary_ + ".before";
    std::error_code error, ignored;
    const bool replaces = fs::exists(path_, ignored);
    if (replaces) requireOnlyTables();  // again: files may have been added during the export
    if (replaces) fs::rename(path_, before, error);
    if (!error) fs::rename(temporary_, path_, error);
    if (error) {
      fs::rename(before, path_, ignored);
      fail(fmt::format("cannot be made ({})", error.message()));
    }
    if (replaces) fs::remove_all(before, ignored);
  }

 private:
  void requireOnlyTables() const {
    std::error_code ignored;
    for (const fs::directory_entry& entry : fs::directory_iterator(path_, ignored))
      if (!isExported(entry))
        fail(fmt::format("contains {}, which is not an exported table", entry.path().filename().string()));
  }
  [[noreturn]] void fail(const std::string& problem) const {
    throw content::InputError(path_, "--out", problem,
                              "name a new folder inside an existing writable folder");
  }

  std::string path_, temporary_;
};

/// std::nullopt if this program cannot read the scene; the tables are then exported without operations.
std::optional<SessionResults> resultsIn(const std::string& file, const InterruptGuard& interrupt) {
  SessionReader session(file);
  try {
    const content::Scene scene = sceneOf(session.header());
    const physics::World world = content::buildWorld(scene, {});
    return readResults(session, scene, world, interrupt, [](const Keyframe&) {});
  } catch (const content::InputError& error) {
    printMessage(fmt::format("operations omitted: {}", error.what()));
    return std::nullopt;
  }
}

/// Without it if this program cannot read the scene.
void exportMotion(const std::string& from, const std::string& out, const InterruptGuard& interrupt) {
  SessionReader session(from);
  AtomicFile file(out);
  ProgressLine progress;
  std::optional<content::Scene> scene;
  std::optional<physics::World> world;
  try {
    scene = sceneOf(session.header());
    world.emplace(content::buildWorld(*scene, {}));
  } catch (const content::InputError& error) {
    return printMessage(fmt::format("{} omitted: {}", kMotionFile, error.what()));
  }
  writeMotionTable(
      session, *scene, *world,
      [&](double time) {
        throwIfInterrupted(interrupt);
        progress.show(fmt::format("Writing the motion: {:.2f} of {:.2f} s", time, session.lastTime()));
      },
      [&](const std::string& text) { file.append(text); });
  file.commit("");
}

SessionNames namesOf(const SessionReader& session) {
  return {session.hands(), session.bodies()};
}

}  // namespace

void throwIfInterrupted(const InterruptGuard& interrupt) {
  if (interrupt.requested()) throw ExportInterrupted();
}

SessionResults readResults(SessionReader& session, const content::Scene& scene, const physics::World& world,
                           const InterruptGuard& interrupt,
                           const std::function<void(const Keyframe&)>& onKeyframe) {
  ProgressLine progress;
  SessionResults results = resultsOf(session, scene, world, [&](const Keyframe& frame) {
    throwIfInterrupted(interrupt);
    progress.show(fmt::format("Reading the session: {:.2f} of {:.2f} s", frame.time, session.lastTime()));
    onKeyframe(frame);
  });
  explainStops(session, scene, results.operations);
  return results;
}

void exportCsv(const SessionReader& session, const std::string& out, const InterruptGuard& interrupt) {
  const AtomicFolder folder(out);
  for (const SessionTable& table : sessionTables()) {
    AtomicFile file(folder / fileOf(table));
    writeCsv(session, table, [&](const std::string& text) {
      throwIfInterrupted(interrupt);
      file.append(text);
    });
    file.commit("");
  }
  if (const auto results = resultsIn(session.file(), interrupt)) {
    AtomicFile(folder / kOperationsFile).commit(operationsCsv(results->operations));
    AtomicFile(folder / kMtmFile).commit(motionsCsv(results->motions, namesOf(session)));
    AtomicFile(folder / kMtmTotalsFile).commit(motionTotalsCsv(results->motions, namesOf(session)));
  }
  exportMotion(session.file(), folder / kMotionFile, interrupt);
  folder.commit();
}

void exportJson(const SessionReader& session, const std::string& out, const InterruptGuard& interrupt) {
  AtomicFile file(out);
  std::string before = "{";
  for (const SessionTable& table : sessionTables()) {
    file.append(fmt::format("{}\n\"{}\": ", before, table.name));
    writeJson(session, table, [&](const std::string& text) {
      throwIfInterrupted(interrupt);
      file.append(text);
    });
    before = ",";
  }
  if (const auto results = resultsIn(session.file(), interrupt)) {
    file.append(",\n\"operations\": " + operationsJson(results->operations));
    file.append(",\n\"mtm1_motions\": " + motionsJson(results->motions, namesOf(session)));
    file.append(",\n\"mtm1_totals\": " + motionTotalsJson(results->motions, namesOf(session)));
  }
  file.commit("\n}\n");
}

}  // namespace tenon::runtime
