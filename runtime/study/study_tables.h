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
/// One HTML page. `axes`: the names of the map's two variables; empty: the two that matter most. Throws
/// content::InputError for other names.
std::string studyPage(const ResultsFile& results, const std::vector<std::string>& axes = {});

/// The kinds of reports.
inline constexpr std::array kStudyFormats{"html", "csv", "json"};
/// Writes a report; `format`: of kStudyFormats; `axes`: as for studyPage().
void writeStudyReport(const ResultsFile& results, const std::string& format,
                      const std::function<void(const std::string&)>& sink,
                      const std::vector<std::string>& axes = {});

}  // namespace tenon::runtime
