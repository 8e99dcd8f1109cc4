// See study_runner.h.
#include "runtime/preview/study_runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "runtime/session/atomic_file.h"
#include "runtime/study/study.h"
#include "runtime/study/study_tables.h"

namespace tenon::runtime {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr double kMaxListed = 1000;  ///< values of a whole parameter in a plan

/// Files of a study beside its scene.
struct StudyFiles {
  std::string plan, results, report;
};

StudyFiles filesOf(const fs::path& scene, int number) {
  const std::string stem = scene.stem().string() + "-study" + (number == 1 ? "" : fmt::format("-{}", number));
  const fs::path folder = scene.parent_path();
  return {(folder / (stem + ".json")).string(), (folder / (stem + ".study")).string(),
          (folder / (stem + ".html")).string()};
}

bool exists(const std::string& file) {
  std::error_code none;
  return fs::exists(file, none);
}

/// True if the results are of this plan and its scene as it is now, so that they can be continued.
bool areOf(const std::string& results, const StudyPlan& plan) {
  try {
    const ResultsFile file(results);
    return file.plan().text == plan.text && file.fingerprint() == StudyScene(plan).fingerprint();
  } catch (const std::exception&) {
    return false;
  }
}

/// The first files that are free, or that belong to the same study.
StudyFiles chooseFiles(const std::string& scene, const std::string& text) {
  for (int number = 1;; ++number) {
    StudyFiles files = filesOf(scene, number);
    if (exists(files.results)) {
      if (areOf(files.results, parsePlan(text, files.plan))) return files;
    } else if (!exists(files.plan) && !exists(files.report)) {
      return files;
    }
  }
}

/// Whole numbers from `low` to `high`, evenly spread if they are many.
Json wholeNumbers(double low, double high) {
  const double first = std::ceil(low), last = std::max(std::floor(high), first);
  const double step = std::max(1.0, std::ceil((last - first + 1) / kMaxListed));
  Json list = Json::array();
  for (double value = first; value <= last; value += step) list.push_back(static_cast<std::int64_t>(value));
  return list;
}

/// "too wide" of the key "too-wide".
std::string inWords(std::string key) {
  std::replace(key.begin(), key.end(), '-', ' ');
  return key;
}

std::string yieldText(const YieldInterval& yield) {
  return fmt::format("{:.1f} % ({:.1f} to {:.1f} %)", 100 * yield.yield, 100 * yield.low, 100 * yield.high);
}

std::vector<std::pair<std::string, std::string>> tableOf(const StudySummary& summary, const StudyPlan& plan) {
  std::vector<std::pair<std::string, std::string>> table{
      {"yield (95 %)", yieldText(summary.yield)},
      {"inserted", fmt::format("{} of {}", summary.successes, summary.cases)}};
  for (const auto& [cause, count] : summary.causes)
    if (!cause.empty()) table.emplace_back(inWords(cause), fmt::format("{}", count));
  for (const auto& [percent, push] : summary.pushPercentiles)
    if (percent == 50 || percent == 95)
      table.emplace_back(fmt::format("peak push, {} %", percent), fmt::format("{:.3g} N", push));
  const auto& effects = summary.onSuccess;
  const auto most = std::max_element(effects.begin(), effects.end(), [](const auto& a, const auto& b) {
    return a.firstOrder < b.firstOrder;
  });
  if (most != effects.end() && most->firstOrder > 0)
    table.emplace_back("matters most", plan.variables[static_cast<std::size_t>(most - effects.begin())].name);
  return table;
}

}  // namespace

std::string studyPlanText(const StudyRequest& request, const content::Scene& scene) {
  Json plan = {{"tenon_study", 1},
               {"scene", fs::path(scene.file).filename().string()},
               {"design", "latin-hypercube"},
               {"count", request.cases},
               {"seed", 1},
               {"variables", Json::array()}};
  for (const VariedParameter& one : request.varied) {
    const auto parameter = std::find_if(scene.parameters.begin(), scene.parameters.end(),
                                        [&](const content::Parameter& p) { return p.name == one.name; });
    Json variable = {{"parameter", one.name}};
    if (parameter != scene.parameters.end() && parameter->isInteger)
      variable["list"] = wholeNumbers(one.low, one.high);
    else
      variable["uniform"] = {one.low, one.high};
    plan["variables"].push_back(std::move(variable));
  }
  for (const auto& [name, value] : request.fixed)
    plan["variables"].push_back({{"parameter", name}, {"list", {value}}});
  return plan.dump(2) + "\n";
}

void StudyRunner::start(const StudyRequest& request, const content::Scene& scene) {
  stop();
  const std::string text = studyPlanText(request, scene);
  const StudyFiles files = chooseFiles(scene.file, text);
  parsePlan(text, files.plan);  // before anything is written
  AtomicFile(files.plan).commit(text);
  {
    const std::lock_guard lock(mutex_);
    status_ = {true, 0, "Reading the scene …", {}, files.plan, files.results, ""};
  }
  stop_ = false;
  thread_ = std::thread([this, files] { run(files.plan, files.results, files.report); });
}

void StudyRunner::run(const std::string& planFile, const std::string& results, const std::string& report) {
  std::string text;
  try {
    const StudyPlan plan = loadPlan(planFile);
    const int cores = static_cast<int>(std::thread::hardware_concurrency());
    StudyOptions options;
    options.threads = std::max(1, cores - 1);
    options.stopRequested = [this] { return stop_.load(); };
    const StudyOutcome outcome = runStudy(StudyScene(plan), results, options, [&](const StudyProgress& now) {
      const std::lock_guard lock(mutex_);
      status_.done =
          static_cast<double>(now.done) / static_cast<double>(std::max<std::int64_t>(now.total, 1));
      status_.text = fmt::format("{} of {} cases, yield {}, {:.0f} s left", now.done, now.total,
                                 yieldText(now.yield), now.timeLeft);
    });
    const ResultsFile file(results);
    AtomicFile page(report);
    page.commit(studyPage(file));
    const std::lock_guard lock(mutex_);
    status_.table = tableOf(studySummary(file), file.plan());
    status_.report = report;
    text = outcome.complete ? fmt::format("{} cases", outcome.progress.done)
                            : fmt::format("Stopped after {} of {} cases; Run study goes on",
                                          outcome.progress.done, outcome.progress.total);
  } catch (const std::exception& error) {
    text = error.what();
  }
  const std::lock_guard lock(mutex_);
  status_.isRunning = false;
  status_.text = text;
}

void StudyRunner::stop() {
  stop_ = true;
  if (thread_.joinable()) thread_.join();
}

StudyStatus StudyRunner::status() const {
  const std::lock_guard lock(mutex_);
  return status_;
}

}  // namespace tenon::runtime
