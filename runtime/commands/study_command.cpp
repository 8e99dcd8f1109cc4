// tenon study: many runs of a scene over variables, resumable, and the report of their results.
#include <fmt/format.h>
#include <CLI/App.hpp>
#include <CLI/Validators.hpp>

#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <system_error>

#include "content/input/input_error.h"
#include "runtime/commands/command.h"
#include "runtime/session/atomic_file.h"
#include "runtime/session/exit_code.h"
#include "runtime/session/interrupt.h"
#include "runtime/session/output_files.h"
#include "runtime/session/progress_line.h"
#include "runtime/session/terminal.h"
#include "runtime/study/case_pictures.h"
#include "runtime/study/slurm.h"
#include "runtime/study/study.h"
#include "runtime/study/study_tables.h"

namespace tenon::runtime {

namespace {

using content::InputError;

struct StudyCommand {
  std::string plan, out, shard;
  int threads = 0;
  std::string results, format = "html", reportOut;
  std::vector<std::string> parts, map;
  std::int64_t number = 0;
  std::string slurmPlan;
  int nodes = 0;
  bool force = false, submit = false, pictures = false;
};

Shard shardOf(const std::string& text) {
  if (text.empty()) return {};
  int index = 0, count = 0, end = 0;
  if (std::sscanf(text.c_str(), "%d/%d%n", &index, &count, &end) == 2 &&
      end == static_cast<int>(text.size()) && index >= 1 && index <= count)
    return {index - 1, count};
  throw InputError("--shard", text, "is no shard", "give i/n with i from 1 to n, such as 2/7");
}

std::string yieldText(const StudyProgress& now) {
  return fmt::format("{} of {} cases, yield {:.2f} % ({:.2f} to {:.2f} %)", now.done, now.total,
                     100 * now.yield.yield, 100 * now.yield.low, 100 * now.yield.high);
}

int runCases(const StudyCommand& options) {
  const StudyPlan plan = loadPlan(options.plan);
  StudyOptions study;
  study.threads = options.threads;
  study.shard = shardOf(options.shard);
  std::string out = options.out;
  if (out.empty()) {
    out = std::filesystem::path(options.plan).stem().string();
    if (study.shard.count > 1) out += fmt::format(".{}-of-{}", study.shard.index + 1, study.shard.count);
    out += ".study";
  }
  const InterruptGuard interrupt;
  study.stopRequested = [&] { return interrupt.requested(); };
  StudyOutcome outcome;
  {
    ProgressLine line;
    outcome = runStudy(StudyScene(plan), out, study, [&](const StudyProgress& now) {
      line.show(fmt::format("{}, {:.1f} cases/s, {:.0f} s left", yieldText(now), now.rate, now.timeLeft));
    });
  }
  printResult(fmt::format("{}\n{}: {}\n", yieldText(outcome.progress),
                          outcome.complete ? "results" : "stopped", out));
  return outcome.complete ? kSuccess : kInterrupted;
}

/// The scene of a study's results. Throws content::InputError if it has changed since.
StudyScene sceneOfResults(const ResultsFile& results) {
  StudyScene scene(results.plan());
  if (scene.fingerprint() != results.fingerprint())
    throw InputError(results.plan().scene, "", "or a file of it has changed since " + results.file(),
                     "restore it, or run the study again");
  return scene;
}

/// Pictures of a page's worst cases, whose runs are repeated.
std::function<std::string(const CaseResult&)> picturesOf(const ResultsFile& results) {
  const auto scene = std::make_shared<StudyScene>(sceneOfResults(results));
  const auto display = std::make_shared<CasePictures>();
  return [display, scene, drawn = 0](const CaseResult& result) mutable {
    ProgressLine line;
    line.show(fmt::format("Running and rendering case {}, {} of 10 at most", result.number, ++drawn));
    const std::atomic<bool> stop{false};
    const CaseRun run = scene->run(result.number, stop);
    return run.scene ? display->draw(run) : std::string();
  };
}

int report(const StudyCommand& options) {
  const ResultsFile results(options.results);
  const bool isPage = options.format == "html";
  if (!isPage && (!options.map.empty() || options.pictures))
    throw InputError(options.map.empty() ? "--pictures" : "--map", "", "is given for a report without images",
                     "leave it out, or use --format html");
  const std::string out = options.reportOut.empty()
                              ? std::filesystem::path(options.results).stem().string() + "." + options.format
                              : options.reportOut;
  if (std::filesystem::exists(out) && !options.force)
    throw InputError(out, "", "exists", "name another file with --out, or give --force");
  StudyPageOptions page{options.map, {}};
  if (options.pictures) page.pictureOf = picturesOf(results);
  AtomicFile file(out);
  writeStudyReport(
      results, options.format, [&](const std::string& text) { file.append(text); }, page);
  file.commit("");
  printMessage("report written to " + out);
  return kSuccess;
}

int merge(const StudyCommand& options) {
  if (std::filesystem::exists(options.out) && !options.force)
    throw InputError(options.out, "", "exists", "name a new file with --out, or give --force");
  for (const std::string& part : options.parts) {
    std::error_code none;
    if (std::filesystem::equivalent(part, options.out, none))
      throw InputError("--out", options.out, "is one of the parts", "name another file");
  }
  const std::string unfinished = fmt::format("{}.merge-{}", options.out, getpid());
  if (std::filesystem::exists(unfinished)) throw InputError(unfinished, "", "exists", "remove it");
  MergeOutcome merged;
  try {
    merged = mergeStudies(options.parts, unfinished);
    std::filesystem::rename(unfinished, options.out);
  } catch (...) {
    std::error_code none;
    std::filesystem::remove(unfinished, none);
    throw;
  }
  std::string text = fmt::format("{} of {} cases in {}\n", merged.cases, merged.total, options.out);
  if (merged.missingCount > 0) {
    text += fmt::format("missing: {} cases, first", merged.missingCount);
    for (const std::int64_t k : merged.missing) text += fmt::format(" {}", k);
    text += fmt::format("; run tenon study with --out {}\n", options.out);
  }
  printResult(text);
  return merged.missingCount > 0 ? kGoalNotReached : kSuccess;
}

int repeat(const StudyCommand& options) {
  const ResultsFile results(options.results);
  if (options.number < 0 || options.number >= results.plan().count)
    throw InputError("CASE", fmt::format("{}", options.number), "is no case of the plan",
                     fmt::format("give a number from 0 to {}", results.plan().count - 1));
  const std::atomic<bool> stop{false};
  const CaseResult result = sceneOfResults(results).compute(options.number, stop);
  printResult(fmt::format("case {}: {} {}\npeak push {} N, depth {} mm, tilt {} rad, time {} s\n",
                          result.number, result.verdict, result.cause, result.peakPush, result.depth * 1e3,
                          result.tilt, result.time));
  return result.success ? kSuccess : kGoalNotReached;
}

/// The content of `file`; "" if it does not exist.
std::string textOf(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// Writes a job array with one shard a task; with --submit it is submitted, and a job that joins the parts.
int slurm(const StudyCommand& options) {
  const StudyPlan plan = loadPlan(options.slurmPlan);
  const StudyScene checked(plan);  // before hundreds of jobs find out
  const SlurmJob job = slurmJob(plan, options.nodes);
  const bool isWritten = textOf(job.script) == job.text;
  if (!isWritten && std::filesystem::exists(job.script) && !options.force)
    throw InputError(job.script, "", "exists with other content", "move it, or give --force");
  if (!isWritten) AtomicFile(job.script).commit(job.text);
  printMessage("job array written to " + job.script);
  if (!options.submit) return kSuccess;
  const SlurmIds ids = submitSlurm(plan, options.nodes, job);
  printResult(fmt::format("job {}: {} shards\njob {}: joins them into {}\n", ids.array, options.nodes,
                          ids.merge, job.results));
  return kSuccess;
}

void addSlurm(CLI::App& study, const std::shared_ptr<StudyCommand>& options, int& exitCode) {
  CLI::App* command =
      study.add_subcommand("slurm", "Write or submit a Slurm job array that runs a plan in shards");
  command->add_option("PLAN", options->slurmPlan, "Plan file (JSON)")->required();
  command->add_option("--nodes", options->nodes, "Number of tasks, one node each")
      ->check(CLI::Range(1, 100'000))
      ->required();
  command->add_flag("--submit", options->submit,
                    "Submit it with sbatch, and a job that joins the parts after its end");
  command->add_flag("--force", options->force, "Overwrite an existing file");
  command->footer(
      "Everything else of a job comes from sbatch's environment: SBATCH_PARTITION, SBATCH_ACCOUNT, "
      "SBATCH_TIMELIMIT, …\nGiven again, --submit goes on where the parts end: after a time limit, a "
      "cancellation, or a failed node.\n\n"
      "Exit codes: 0 written or submitted, 2 bad plan or file, 3 Slurm is missing or refuses the job.");
  command->callback([options, &exitCode] { exitCode = slurm(*options); });
}

void addReport(CLI::App& study, const std::shared_ptr<StudyCommand>& options, int& exitCode) {
  CLI::App* command = study.add_subcommand("report", "Write the report of a study: HTML, CSV or JSON");
  command->add_option("RESULTS", options->results, "Results file")->required();
  command->add_option("--format", options->format, "Kind of report")
      ->check(CLI::IsMember(std::vector<std::string>(kStudyFormats.begin(), kStudyFormats.end())))
      ->capture_default_str();
  command->add_option("--out", options->reportOut, "File to write; default: RESULTS with the format's ending")
      ->type_name("FILE");
  command
      ->add_option("--map", options->map,
                   "Axes of the maps, names of two variables; default: those that matter most")
      ->delimiter(',')
      ->expected(2)
      ->type_name("X,Y");
  command->add_flag(
      "--pictures", options->pictures,
      "Run the ten worst cases again and show their ends; needs a Vulkan device, as tenon render");
  command->add_flag("--force", options->force, "Overwrite an existing file");
  command->callback([options, &exitCode] { exitCode = report(*options); });
}

void addMerge(CLI::App& study, const std::shared_ptr<StudyCommand>& options, int& exitCode) {
  CLI::App* command = study.add_subcommand("merge", "Join the results of shards, and list the missing cases");
  command->add_option("RESULTS", options->parts, "Results files of the shards")->required();
  command->add_option("--out", options->out, "New file with all results")->type_name("FILE")->required();
  command->add_flag("--force", options->force, "Overwrite an existing file");
  command->callback([options, &exitCode] { exitCode = merge(*options); });
}

void addRepeat(CLI::App& study, const std::shared_ptr<StudyCommand>& options, int& exitCode) {
  CLI::App* command = study.add_subcommand("repeat", "Run one case of a study again");
  command->add_option("RESULTS", options->results, "Results file")->required();
  command->add_option("CASE", options->number, "Number of the case")->required();
  command->callback([options, &exitCode] { exitCode = repeat(*options); });
}

}  // namespace

void addStudyCommand(CLI::App& program, int& exitCode) {
  const auto options = std::make_shared<StudyCommand>();
  CLI::App* command = program.add_subcommand(
      "study",
      "Run a scene many times over variables, and report the yield; stopped, it goes on where it was");
  command->add_option("PLAN", options->plan, "Plan file (JSON)")->type_name("PLAN.json");
  command->add_option("--out", options->out, "Results file; default: PLAN with the ending .study")
      ->type_name("FILE");
  command->add_option("--shard", options->shard, "Run part i of n into a file of its own")->type_name("i/n");
  command->add_option("--threads", options->threads, "Threads; 0: one a core")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str();
  addSlurm(*command, options, exitCode);
  addReport(*command, options, exitCode);
  addMerge(*command, options, exitCode);
  addRepeat(*command, options, exitCode);
  command->footer(
      "Examples:\n"
      "  tenon study content/studies/insertion-yield.json\n"
      "  tenon study report insertion-yield.study\n"
      "  tenon study report insertion-yield.study --format csv\n\n"
      "Exit codes: 0 all cases are done, whatever their verdicts; 1 merge found cases missing, or a "
      "repeated\n"
      "case failed; 2 bad plan or file; 3 no Vulkan device for --pictures, no Slurm for slurm --submit; 130\n"
      "stopped by Ctrl-C, and the same command goes on.");
  command->callback([options, command, &exitCode] {
    if (!command->get_subcommands().empty()) return;
    if (options->plan.empty()) throw CLI::RequiredError("PLAN");
    exitCode = runCases(*options);
  });
}

}  // namespace tenon::runtime
