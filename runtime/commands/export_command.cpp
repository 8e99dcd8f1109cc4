// tenon export: converts a recorded session for other programs.
#include <fmt/format.h>
#include <unistd.h>
#include <CLI/App.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <optional>

#include "content/model/build_world.h"
#include "content/reader/load_scene.h"
#include "runtime/commands/command.h"
#include "runtime/export/animated_glb.h"
#include "runtime/export/hand_script.h"
#include "runtime/export/motion_table.h"
#include "runtime/export/printed_page.h"
#include "runtime/record/read_operations.h"
#include "runtime/record/session_tables.h"
#include "runtime/report/motion_tables.h"
#include "runtime/report/operations_json.h"
#include "runtime/session/atomic_file.h"
#include "runtime/session/exit_code.h"
#include "runtime/session/interrupt.h"
#include "runtime/session/output_files.h"
#include "runtime/session/progress_line.h"
#include "runtime/session/session_report.h"
#include "runtime/session/session_scene.h"
#include "runtime/session/terminal.h"
#include "runtime/session/usage.h"
#include "runtime/web/session_document.h"
#include "runtime/web/web_page.h"

namespace tenon::runtime {

namespace fs = std::filesystem;

namespace {

struct ExportOptions {
  std::string file, format, out;
  std::string titleBlock;  ///< file; empty: none
  bool force = false;
};

OutputKind kindOf(const std::string& format) {
  return format == "csv"                          ? OutputKind::tables
         : format == "json" || format == "script" ? OutputKind::json
         : format == "glb"                        ? OutputKind::glb
         : format == "pdf"                        ? OutputKind::pdf
                                                  : OutputKind::html;
}

constexpr const char *kOperationsFile = "operations.csv", *kMotionFile = "motion.csv", *kMtmFile = "mtm1.csv";

std::string fileOf(const SessionTable& table) {
  return fmt::format("{}.csv", table.name);
}

bool isExported(const fs::directory_entry& entry) {
  const std::string name = entry.path().filename().string();
  const auto tables = sessionTables();
  return fs::is_regular_file(entry.symlink_status()) &&
         (name == kOperationsFile || name == kMotionFile || name == kMtmFile ||
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

/// Thrown after Ctrl-C; the partial output is removed.
struct Interrupted {};

/// Called regularly during long work.
void throwIfInterrupted(const InterruptGuard& interrupt) {
  if (interrupt.requested()) throw Interrupted();
}

/// Reads the whole session and returns its results; calls `onKeyframe` for each keyframe.
SessionResults readResults(SessionReader& session, const content::Scene& scene, const physics::World& world,
                           const InterruptGuard& interrupt,
                           const std::function<void(const Keyframe&)>& onKeyframe) {
  ProgressLine progress;
  return resultsOf(session, scene, world, [&](const Keyframe& frame) {
    throwIfInterrupted(interrupt);
    progress.show(fmt::format("Reading the session: {:.2f} of {:.2f} s", frame.time, session.lastTime()));
    onKeyframe(frame);
  });
}

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
    file.append(",\n\"mtm1_estimate\": " + motionsJson(results->motions, namesOf(session)));
  }
  file.commit("\n}\n");
}

void exportGlb(SessionReader& session, const std::string& out, const InterruptGuard& interrupt) {
  AtomicFile file(out);
  const content::Scene scene = sceneOf(session.header());
  const physics::World world = content::buildWorld(scene, {});
  ProgressLine progress;
  file.commit(animatedGlb(session, scene, world, [&](double time) {
    throwIfInterrupted(interrupt);
    progress.show(fmt::format("Reading the session: {:.2f} of {:.2f} s", time, session.lastTime()));
  }));
}

std::string reportPage(SessionReader& session, const std::optional<TitleBlock>& title,
                       const InterruptGuard& interrupt) {
  const SessionReport report = [&] {
    ProgressLine progress;
    return reportOf(
        session,
        [&](const std::string& text) {
          throwIfInterrupted(interrupt);
          progress.show(text);
        },
        title);
  }();
  if (!report.noImages.empty()) printMessage("no images: " + report.noImages);
  return report.html;
}

void exportHtml(SessionReader& session, const std::string& out, const std::optional<TitleBlock>& title,
                const InterruptGuard& interrupt) {
  AtomicFile file(out);
  file.commit(reportPage(session, title, interrupt));
}

void exportPdf(SessionReader& session, const std::string& out, const std::optional<TitleBlock>& title,
               const InterruptGuard& interrupt) {
  AtomicFile file(out);
  requirePrinter();
  const std::string page = reportPage(session, title, interrupt);
  ProgressLine progress;
  progress.show("Printing the report");
  file.commit(printedPage(page, [&] { throwIfInterrupted(interrupt); }));
}

void exportWeb(SessionReader& session, const std::string& out, const InterruptGuard& interrupt) {
  AtomicFile file(out);
  const content::Scene scene = sceneOf(session.header());
  const physics::World world = content::buildWorld(scene, {});
  SessionDocument document(session, scene, world);
  const SessionResults results =
      readResults(session, scene, world, interrupt, [&](const Keyframe& frame) { document.add(frame); });
  file.commit(webPage(scene.title, document.bytes(results.operations)));
}

void exportScript(SessionReader& session, const std::string& out, const InterruptGuard& interrupt) {
  AtomicFile file(out);
  const content::Scene scene = sceneOf(session.header());
  const physics::World world = content::buildWorld(scene, {});
  ProgressLine progress;
  file.commit(handScript(session, scene, world, [&](double time) {
    throwIfInterrupted(interrupt);
    progress.show(fmt::format("Reading the session: {:.2f} of {:.2f} s", time, session.lastTime()));
  }));
}

int exportSession(const ExportOptions& options) {
  SessionReader session(options.file);
  InputFiles inputs;
  inputs.add(options.file, session.header());
  if (!options.titleBlock.empty()) {
    if (options.format != "html" && options.format != "pdf")
      throw content::InputError("--title-block", "", "is for --format html and pdf alone", "remove it");
    inputs.add(options.titleBlock, "is the title block");
  }
  requireWritable(std::array{Output{"--out", options.out, kindOf(options.format)}}, inputs, options.force);
  std::optional<TitleBlock> title;
  if (!options.titleBlock.empty()) title = readTitleBlock(options.titleBlock);
  const InterruptGuard interrupt;
  try {
    if (options.format == "csv")
      exportCsv(session, options.out, interrupt);
    else if (options.format == "json")
      exportJson(session, options.out, interrupt);
    else if (options.format == "glb")
      exportGlb(session, options.out, interrupt);
    else if (options.format == "script")
      exportScript(session, options.out, interrupt);
    else if (options.format == "pdf")
      exportPdf(session, options.out, title, interrupt);
    else if (options.format == "web")
      exportWeb(session, options.out, interrupt);
    else
      exportHtml(session, options.out, title, interrupt);
  } catch (const Interrupted&) {
    return kInterrupted;
  }
  printMessage(fmt::format("{} written to {}", options.format, options.out));
  return kSuccess;
}

}  // namespace

void addExportCommand(CLI::App& program, int& exitCode) {
  const auto options = std::make_shared<ExportOptions>();
  CLI::App* command = program.add_subcommand("export", "Export a recorded session for other programs");
  command->add_option("FILE", options->file, "Session file, as tenon run --record writes it")
      ->type_name("")
      ->required();
  command->add_option("--format", options->format, "Output format")
      ->type_name("NAME")
      ->required()
      ->check(oneOf({"glb", "csv", "json", "html", "pdf", "web", "script"}));
  command->add_option("--out", options->out, "Output path: a new folder for csv, otherwise a file")
      ->type_name("PATH")
      ->required();
  command
      ->add_option("--title-block", options->titleBlock,
                   "Head of the html or pdf report: JSON with project, author, revision, company, logo (PNG)")
      ->type_name("FILE");
  addForce(*command, options->force);
  command->footer(
      "csv: a folder with one file per table (ticks, commands, body_states, hand_states, head_poses,\n"
      "joint_states, contacts, goal_states, events, contact_episodes and the tables of names); column\n"
      "names contain the units. json: the same tables in one object. Both include operations: the\n"
      "planning results of each goal. csv also has motion.csv: a row for each stored time with the poses\n"
      "of all parts, the forces of the hands and the depths of the goals, and mtm1.csv: an estimate of the\n"
      "time that a person needs, motion by motion (MTM-1, from the paths of the hands).\n"
      "html: a one-page report: verdicts, time line, push against depth, paths, contacts, images.\n"
      "pdf: the same report on A4 pages, printed by Chromium.\n"
      "web: a page that plays the session in any browser, without network: parts, forces, goals, events.\n"
      "glb: the parts and their motion for any glTF viewer, accurate to 0.1 mm.\n"
      "script: what the hands did, as steps that can be edited and carried out: tenon run --script.\n\n"
      "Examples:\n"
      "  tenon export s.tenon --format csv --out session\n"
      "  tenon export s.tenon --format json --out session.json\n"
      "  tenon export s.tenon --format html --out report.html\n"
      "  tenon export s.tenon --format html --title-block project.json --out report.html\n"
      "  tenon export s.tenon --format pdf --out report.pdf\n"
      "  tenon export s.tenon --format web --out session.html\n"
      "  tenon export s.tenon --format glb --out session.glb\n"
      "  tenon export s.tenon --format script --out hands.json\n\n"
      "Exit codes: 0 done, 2 bad input or usage, 3 no Chromium for pdf, 130 stopped by Ctrl-C\n"
      "(nothing is written).");
  command->callback([options, &exitCode] { exitCode = exportSession(*options); });
}

}  // namespace tenon::runtime
