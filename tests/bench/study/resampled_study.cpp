// See resampled_study.h.
#include "tests/bench/study/resampled_study.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <vector>

#include "runtime/study/results_file.h"
#include "runtime/study/study_tables.h"

namespace tenon::bench {

void resampleStudy(const std::string& from, const std::string& out, std::int64_t count) {
  const runtime::ResultsFile real(from);
  nlohmann::json plan = nlohmann::json::parse(real.plan().text);
  plan["count"] = count;
  std::vector<runtime::CaseResult> rows, batch;
  real.forEach([&](const runtime::CaseResult& row) { rows.push_back(row); });
  runtime::ResultsFile results(out, runtime::StudyScene(runtime::parsePlan(plan.dump(), real.plan().file)),
                               {});
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> factor(0.999, 1.001);
  for (std::int64_t k = 0; k < count; ++k) {
    runtime::CaseResult row = rows[random() % rows.size()];
    row.number = k;
    for (double& value : row.values) value *= factor(random);
    for (double* const number : {&row.peakPush, &row.depth, &row.tilt, &row.time, &row.clearance})
      *number *= factor(random);
    batch.push_back(std::move(row));
    if (batch.size() < 10'000 && k + 1 < count) continue;
    results.add(batch);
    batch.clear();
  }
}

Cost costOf(const std::function<void()>& work) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    try {
      work();
      _exit(0);
    } catch (const std::exception& error) {
      fmt::print(stderr, "{}\n", error.what());
    }
    _exit(1);
  }
  int status = 1;
  rusage usage{};
  Cost cost;
  if (child < 0 || wait4(child, &status, 0, &usage) != child) return cost;
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  cost.cpu = seconds(usage.ru_utime) + seconds(usage.ru_stime);
  cost.peak = 1024 * usage.ru_maxrss;
  cost.succeeded = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  return cost;
}

void writeReport(const std::string& results, const std::string& format, const std::string& out) {
  std::ofstream file(out, std::ios::binary);
  runtime::writeStudyReport(runtime::ResultsFile(results), format,
                            [&](const std::string& text) { file << text; });
}

}  // namespace tenon::bench
