// A study as jobs of Slurm: an array with one shard a task, and a job after it that joins the parts.
#pragma once

#include <string>

#include "runtime/study/plan.h"

namespace tenon::runtime {

struct SlurmJob {
  std::string script;   ///< name of the array's script: the plan's with the ending .sbatch
  std::string text;     ///< content of the script
  std::string merge;    ///< shell command that joins the parts
  std::string results;  ///< file that `merge` writes
};

/// The jobs of `plan` in `tasks` shards, with this program and files in the working folder. A task that is
/// requeued goes on where its results file ends, and requeues itself if its process is killed.
SlurmJob slurmJob(const StudyPlan& plan, int tasks);

/// Numbers of submitted jobs.
struct SlurmIds {
  std::string array, merge;
};

/// Submits the script and, depending on its end, the merge, with sbatch, whose environment variables
/// (SBATCH_PARTITION, SBATCH_ACCOUNT, SBATCH_TIMELIMIT, …) choose the rest. Throws content::MissingComponent
/// if Slurm is not installed or refuses a job, content::InputError if parts of an earlier submission or
/// results in the working folder are of another plan or scene.
SlurmIds submitSlurm(const StudyPlan& plan, int tasks, const SlurmJob& job);

}  // namespace tenon::runtime
