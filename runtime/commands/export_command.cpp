// tenon export: converts a recorded session for other programs.
#include <fmt/format.h>
#include <CLI/App.hpp>

#include <array>
#include <memory>
#include <optional>

#include "content/input/input_error.h"
#include "content/model/build_world.h"
#include "runtime/commands/command.h"
#include "runtime/commands/export_movie.h"
#include "runtime/commands/export_tables.h"
#include "runtime/export/animated_glb.h"
#include "runtime/export/hand_script.h"
#include "runtime/export/printed_page.h"
#include "runtime/record/read_operations.h"
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

namespace {

struct ExportOptions {
  std::string file, format, out;
  std::string titleBlock;  ///< file; empty: none
  MovieArguments movie;
  bool force = false;
};

OutputKind kindOf(const std::string& format) {
  return format == "csv"                          ? OutputKind::tables
         : format == "json" || format == "script" ? OutputKind::json
         : format == "glb"                        ? OutputKind::glb
         : format == "pdf"                        ? OutputKind::pdf
         : format == "mp4"                        ? OutputKind::mp4
         : format == "webm"                       ? OutputKind::webm
                                                  : OutputKind::html;
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
  const bool isMovie = options.format == "mp4" || options.format == "webm";
  if (const std::string given = options.movie.firstGiven(); !given.empty() && !isMovie)
    throw content::InputError(given, "", "is for --format mp4 and webm alone", "remove it");
  requireWritable(std::array{Output{"--out", options.out, kindOf(options.format)}}, inputs, options.force);
  std::optional<TitleBlock> title;
  if (!options.titleBlock.empty()) title = readTitleBlock(options.titleBlock);
  const MovieFormat movieFormat = options.format == "webm" ? MovieFormat::webm : MovieFormat::mp4;
  const MovieOptions movie = movieOptionsOf(session, movieFormat, options.movie);
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
    else if (isMovie)
      exportMovie(session, options.out, movie, interrupt);
    else if (options.format == "web")
      exportWeb(session, options.out, interrupt);
    else
      exportHtml(session, options.out, title, interrupt);
  } catch (const ExportInterrupted&) {
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
      ->check(oneOf({"glb", "csv", "json", "html", "pdf", "web", "script", "mp4", "webm"}));
  command->add_option("--out", options->out, "Output path: a new folder for csv, otherwise a file")
      ->type_name("PATH")
      ->required();
  command
      ->add_option("--title-block", options->titleBlock,
                   "Head of the html or pdf report: JSON with project, author, revision, company, logo (PNG)")
      ->type_name("FILE");
  addForce(*command, options->force);
  addMovieOptions(*command, options->movie);
  command->footer(
      "csv: a folder with one file per table (ticks, commands, body_states, hand_states, head_poses,\n"
      "joint_states, contacts, goal_states, events, contact_episodes and the tables of names); column\n"
      "names contain the units. json: the same tables in one object. Both include operations: the\n"
      "planning results of each goal, and an estimate of the time that a person needs, by MTM-1 from the\n"
      "paths of the hands (mtm1_motions, mtm1_totals). csv also has motion.csv: a row for each stored time\n"
      "with the poses of all parts, the forces of the hands and the depths of the goals.\n"
      "html: a one-page report: verdicts, time line, push against depth, paths, contacts, images.\n"
      "pdf: the same report on A4 pages, printed by Chromium.\n"
      "web: a page that plays the session in any browser, without network: parts, forces, goals, events.\n"
      "glb: the parts and their motion for any glTF viewer, accurate to 0.1 mm.\n"
      "mp4, webm: a movie, rendered as tenon render does and encoded by ffmpeg.\n"
      "script: what the hands did, as steps that can be edited and carried out: tenon run --script.\n\n"
      "Examples:\n"
      "  tenon export s.tenon --format csv --out session\n"
      "  tenon export s.tenon --format json --out session.json\n"
      "  tenon export s.tenon --format html --out report.html\n"
      "  tenon export s.tenon --format html --title-block project.json --out report.html\n"
      "  tenon export s.tenon --format pdf --out report.pdf\n"
      "  tenon export s.tenon --format web --out session.html\n"
      "  tenon export s.tenon --format glb --out session.glb\n"
      "  tenon export s.tenon --format mp4 --forces --out session.mp4\n"
      "  tenon export s.tenon --format webm --view screw --section y=0 --speed 0.2 --out screw.webm\n"
      "  tenon export s.tenon --format script --out hands.json\n\n"
      "Exit codes: 0 done, 2 bad input or usage, 3 no Chromium for pdf, no ffmpeg or no Vulkan\n"
      "device for mp4 and webm, 130 stopped by Ctrl-C (nothing is written).");
  command->callback([options, &exitCode] { exitCode = exportSession(*options); });
}

}  // namespace tenon::runtime
