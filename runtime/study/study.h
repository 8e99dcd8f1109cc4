// Runs the cases of a plan on a pool of threads into a results file, from where the file ends.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "runtime/study/plan.h"
#include "runtime/study/results_file.h"
#include "runtime/study/wilson.h"

namespace tenon::runtime {

struct StudyOptions {
  int threads = 0;  ///< 0: one a core
  Shard shard;
  std::function<bool()> stopRequested;  ///< called a few times a second; may be empty
};

struct StudyProgress {
  std::int64_t done = 0, total = 0;  ///< of this file's cases, those of earlier runs included
  std::int64_t successes = 0;
  YieldInterval yield;  ///< over the done cases
  double rate = 0;      ///< cases computed by this run [1/s]
  double timeLeft = 0;  ///< [s], to `total`; 0 until a case is done
};

struct StudyOutcome {
  StudyProgress progress;
  bool complete = false;  ///< all cases, or enough of them for the plan; else it was stopped
};

/// Runs what is missing in `resultsFile`, writing once a second. Results do not depend on threads, earlier
/// stops or shards. The plan's stop rule is evaluated on the first n cases, in their order; with shards, by
/// mergeStudies() alone. `progress`, from the calling thread, may be empty. Throws content::InputError.
StudyOutcome runStudy(const StudyScene& scene, const std::string& resultsFile, const StudyOptions& options,
                      const std::function<void(const StudyProgress&)>& progress);

struct MergeOutcome {
  std::int64_t cases = 0, total = 0;
  std::vector<std::int64_t> missing;  ///< the first of the missing cases, at most 10
  std::int64_t missingCount = 0;
};

/// Joins the results of shards into the new file `out`. Throws content::InputError for different plans or
/// scenes, and for a scene that has changed since.
MergeOutcome mergeStudies(const std::vector<std::string>& files, const std::string& out);

}  // namespace tenon::runtime
