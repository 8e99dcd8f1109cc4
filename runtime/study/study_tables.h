// A study's results as CSV and JSON, and its summary.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "runtime/study/results_file.h"
#include "runtime/study/sensitivity.h"
#include "runtime/study/wilson.h"

namespace tenon::runtime {

struct StudySummary {
  std::int64_t cases = 0, successes = 0;
  YieldInterval yield;
  std::map<std::string, std::int64_t> verdicts, causes;
  std::vector<VariableEffect> onSuccess, onPush;        ///< of each variable, on success and on the peak push
  std::vector<std::pair<int, double>> pushPercentiles;  ///< percent, [N]
  std::vector<CaseResult> worst;  ///< at most ten: failures first, then by falling peak push
};

StudySummary studySummary(const ResultsFile& results);

/// One line a case, in the order of the cases; the same bytes for any number of threads and shards.
void writeStudyCsv(const ResultsFile& results, const std::function<void(const std::string&)>& sink);
/// The summary and the cases as one object.
void writeStudyJson(const ResultsFile& results, const std::function<void(const std::string&)>& sink);
/// What a page shows besides its tables.
struct StudyPageOptions {
  std::vector<std::string> axes;  ///< names of the maps' two variables; empty: the two that matter most
  /// The picture of one of the worst cases as PNG, "" if it has none; empty: no pictures.
  std::function<std::string(const CaseResult&)> pictureOf;
};

/// One HTML page. Throws content::InputError for axes that are no variables.
std::string studyPage(const ResultsFile& results, const StudyPageOptions& options = {});

/// The kinds of reports.
inline constexpr std::array kStudyFormats{"html", "csv", "json"};
/// Writes a report; `format`: of kStudyFormats; `options`: of a page.
void writeStudyReport(const ResultsFile& results, const std::string& format,
                      const std::function<void(const std::string&)>& sink,
                      const StudyPageOptions& options = {});

}  // namespace tenon::runtime
