// See slurm.h.
#include "runtime/study/slurm.h"

#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <system_error>

#include "content/input/input_error.h"
#include "content/input/wording.h"
#include "content/step/read_step.h"
#include "runtime/study/results_file.h"

namespace tenon::runtime {

namespace {

namespace fs = std::filesystem;
using content::MissingComponent;

constexpr int kNotFound = 127;  ///< exit code of a shell for a command that does not exist

std::string stemOf(const StudyPlan& plan) {
  return fs::path(plan.file).stem().string();
}

struct ShellOutput {
  std::string text;  ///< stdout and stderr
  int code = -1;     ///< exit code; −1: ended by a signal
};

ShellOutput shellOutput(const std::string& command) {
  const auto close = [](FILE* stream) { return pclose(stream); };
  std::unique_ptr<FILE, decltype(close)> stream(popen((command + " 2>&1").c_str(), "r"), close);
  if (!stream) throw std::system_error(errno, std::generic_category(), "popen");
  ShellOutput output;
  std::array<char, 4096> part{};
  for (std::size_t count = 1; count > 0;) {
    count = std::fread(part.data(), 1, part.size(), stream.get());
    output.text.append(part.data(), count);
  }
  const int status = pclose(stream.release());
  if (WIFEXITED(status)) output.code = WEXITSTATUS(status);
  return output;
}

/// The last line of `text`.
std::string lastLine(std::string text) {
  while (text.ends_with('\n')) text.pop_back();
  return text.substr(text.rfind('\n') + 1);
}

/// Submits one job and returns its number; `done` is part of the message if Slurm refuses it.
std::string submitted(const std::string& arguments, const std::string& done) {
  const ShellOutput output = shellOutput("sbatch --parsable " + arguments);
  if (output.code == kNotFound)
    throw MissingComponent(
        "--submit: sbatch was not found; install slurm-client on a cluster's node, and slurm-wlm where this "
        "machine is the cluster, or submit the script elsewhere");
  if (output.code != 0)
    throw MissingComponent(fmt::format(
        "--submit: Slurm refused the job{}: {}; see sinfo, and set what the cluster requires, such as "
        "SBATCH_PARTITION, SBATCH_ACCOUNT or SBATCH_TIMELIMIT",
        done, lastLine(output.text)));
  const std::string id = lastLine(output.text);  // "id" or "id;cluster", after warnings
  return id.substr(0, id.find(';'));
}

/// Parts of another plan would end each task of the array.
void requireSameParts(const StudyPlan& plan, int tasks) {
  const StudyScene scene(plan);
  for (int k = 0; k < tasks; ++k) {
    const std::string part = fmt::format("{}.{}-of-{}.study", stemOf(plan), k + 1, tasks);
    if (fs::exists(part)) ResultsFile(part, scene, {k, tasks});
  }
}

}  // namespace

SlurmJob slurmJob(const StudyPlan& plan, int tasks) {
  const std::string stem = stemOf(plan), quoted = content::shellQuoted("./" + stem);
  if (std::any_of(plan.file.begin(), plan.file.end(), [](unsigned char c) { return std::iscntrl(c) != 0; }))
    throw content::InputError(plan.file, "", "has a control character in its name", "rename it");
  const std::string program = content::shellQuoted(fs::read_symlink("/proc/self/exe").string());
  SlurmJob job;
  job.script = stem + ".sbatch";
  job.results = stem + ".study";
  // Each part by its number: a pattern would take those of a plan whose name begins like this one's.
  job.merge = fmt::format(
      "for k in $(seq {1}); do part={0}.$k-of-{1}.study; if [ -e \"$part\" ]; then set -- \"$@\" \"$part\"; "
      "fi; done; "
      "{2} study merge \"$@\" --out {0}.study --force",
      quoted, tasks, program);
  job.text = fmt::format(
      "#!/bin/bash\n#SBATCH --job-name=tenon-study\n#SBATCH --array=1-{0}\n#SBATCH --nodes=1\n"
      "#SBATCH --exclusive\n#SBATCH --requeue\n#SBATCH --open-mode=append\n"
      "# Submit: sbatch {1}; after its end, join the parts:\n#   {2}\n"
      "{3} study {4} --shard \"$SLURM_ARRAY_TASK_ID/{0}\" --out {5}.\"$SLURM_ARRAY_TASK_ID\"-of-{0}.study\n"
      "code=$?\n"
      "# A killed process goes on after a requeue, at most 10 times.\n"
      "if [ \"$code\" -eq 137 ] && [ \"${{SLURM_RESTART_COUNT:-0}}\" -lt 10 ]; then\n"
      "  scontrol requeue \"$SLURM_JOB_ID\" && sleep 60\n"
      "fi\n"
      "exit \"$code\"\n",
      tasks, content::shellQuoted(job.script), job.merge, program,
      content::shellQuoted(fs::absolute(plan.file).string()), quoted);
  return job;
}

SlurmIds submitSlurm(const StudyPlan& plan, int tasks, const SlurmJob& job) {
  requireSameParts(plan, tasks);
  if (fs::exists(job.results)) ResultsFile(job.results, StudyScene(plan), {});  // of the same plan and scene
  SlurmIds ids;
  ids.array = submitted(content::shellQuoted("./" + job.script), "");
  ids.merge = submitted(fmt::format("--job-name=tenon-merge --dependency=afterany:{} --wrap {}", ids.array,
                                    content::shellQuoted(job.merge)),
                        fmt::format(" that joins the parts of {}, which runs", ids.array));
  return ids;
}

}  // namespace tenon::runtime
