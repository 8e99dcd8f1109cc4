// See study_tables.h.
#include "runtime/study/study_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "runtime/record/session_tables.h"

namespace tenon::runtime {

namespace {

using Json = nlohmann::ordered_json;

bool isWorse(const CaseResult& a, const CaseResult& b) {
  if (a.success != b.success) return !a.success;
  return a.peakPush != b.peakPush ? a.peakPush > b.peakPush : a.number < b.number;
}

void keepWorst(std::vector<CaseResult>& worst, const CaseResult& result) {
  worst.insert(std::upper_bound(worst.begin(), worst.end(), result, isWorse), result);
  if (worst.size() > 10) worst.pop_back();
}

void addPercentiles(std::vector<double> pushes, StudySummary& summary) {
  if (pushes.empty()) return;
  std::sort(pushes.begin(), pushes.end());
  for (const int percent : {5, 25, 50, 75, 95, 99, 100}) {
    const auto last = static_cast<double>(pushes.size() - 1);
    summary.pushPercentiles.emplace_back(percent,
                                         pushes[static_cast<std::size_t>(std::lround(last * percent / 100))]);
  }
}

/// `ranks`: of each variable; `y`: the result in each case.
void addEffects(const std::vector<std::vector<double>>& ranks, const std::vector<double>& y,
                const StudyPlan& plan, std::vector<VariableEffect>& effects) {
  const std::vector<double> yRanks = ranksOf(y), totals = totalIndices(plan, y);
  for (std::size_t k = 0; k < ranks.size(); ++k)
    effects.push_back({correlationOfRanks(ranks[k], yRanks), firstOrderIndex(ranks[k], y),
                       totals.empty() ? std::nullopt : std::optional(totals[k])});
}

/// One kind of effect of all variables.
template <class Value>
Json effectsOf(const StudySummary& summary, const StudyPlan& plan, Value valueOf) {
  Json json;
  for (std::size_t k = 0; k < plan.variables.size(); ++k)
    json[plan.variables[k].name] = {{"success", valueOf(summary.onSuccess[k])},
                                    {"peak_push_n", valueOf(summary.onPush[k])}};
  return json;
}

Json jsonOf(const CaseResult& result, const StudyPlan& plan) {
  Json json = {{"case", result.number}};
  for (std::size_t k = 0; k < plan.variables.size(); ++k) json[plan.variables[k].name] = result.values[k];
  json.update(Json{{"success", result.success},
                   {"verdict", result.verdict},
                   {"cause", result.cause},
                   {"peak_push_n", result.peakPush},
                   {"depth_m", result.depth},
                   {"tilt_rad", result.tilt},
                   {"time_s", result.time},
                   {"clearance_m", result.clearance}});
  for (std::size_t k = 0; k < plan.outputs.size(); ++k)
    json[plan.outputs[k].name] = Json::parse(result.outputs[k]);
  return json;
}

std::string textOf(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

StudySummary studySummary(const ResultsFile& results) {
  StudySummary summary;
  const std::size_t variables = results.plan().variables.size();
  std::vector<std::vector<double>> values(variables);
  std::vector<double> successes, pushes;
  results.forEach([&](const CaseResult& result) {
    ++summary.cases;
    summary.successes += result.success;
    ++summary.verdicts[result.verdict];
    if (!result.success) ++summary.causes[result.verdict == "invalid" ? "invalid scene" : result.cause];
    for (std::size_t k = 0; k < variables; ++k) values[k].push_back(result.values[k]);
    successes.push_back(result.success ? 1 : 0);
    pushes.push_back(result.peakPush);
    keepWorst(summary.worst, result);
  });
  summary.yield = wilsonInterval(summary.successes, summary.cases);
  for (std::vector<double>& column : values) column = ranksOf(column);
  addEffects(values, successes, results.plan(), summary.onSuccess);
  addEffects(values, pushes, results.plan(), summary.onPush);
  addPercentiles(std::move(pushes), summary);
  return summary;
}

void writeStudyCsv(const ResultsFile& results, const std::function<void(const std::string&)>& sink) {
  const StudyPlan& plan = results.plan();
  std::string line = "case";
  for (const Variable& variable : plan.variables) line += "," + csvField(variable.name);
  line += ",success,verdict,cause,peak_push_n,depth_m,tilt_rad,time_s,clearance_m";
  for (const OutputField& output : plan.outputs) line += "," + csvField(output.name);
  sink(line + "\r\n");
  results.forEach([&](const CaseResult& r) {
    line = fmt::format("{}", r.number);
    for (const double value : r.values) line += fmt::format(",{}", value);
    line += fmt::format(",{:d},{},{},{},{},{},{},{}", r.success, csvField(r.verdict), csvField(r.cause),
                        r.peakPush, r.depth, r.tilt, r.time, r.clearance);
    for (const std::string& output : r.outputs) line += "," + csvField(output);
    sink(line + "\r\n");
  });
}

void writeStudyJson(const ResultsFile& results, const std::function<void(const std::string&)>& sink) {
  const StudySummary summary = studySummary(results);
  const StudyPlan& plan = results.plan();
  Json head = {{"plan", Json::parse(plan.text)},
               {"cases", summary.cases},
               {"successes", summary.successes},
               {"yield", summary.yield.yield},
               {"yield_95", Json::array({summary.yield.low, summary.yield.high})},
               {"verdicts", Json(summary.verdicts)},
               {"causes", Json(summary.causes)}};
  head["rank_correlation"] = effectsOf(summary, plan, [](const VariableEffect& e) { return e.correlation; });
  head["sobol_first_order"] = effectsOf(summary, plan, [](const VariableEffect& e) { return e.firstOrder; });
  if (summary.onSuccess.front().total)
    head["sobol_total"] = effectsOf(summary, plan, [](const VariableEffect& e) { return e.total.value(); });
  for (const auto& [percent, push] : summary.pushPercentiles)
    head["peak_push_n"][fmt::format("p{}", percent)] = push;
  std::string text = textOf(head);
  text.pop_back();
  sink(text + ",\n\"results\": [");
  bool first = true;
  results.forEach([&](const CaseResult& result) {
    sink((first ? "\n" : ",\n") + textOf(jsonOf(result, plan)));
    first = false;
  });
  sink("\n]}\n");
}

void writeStudyReport(const ResultsFile& results, const std::string& format,
                      const std::function<void(const std::string&)>& sink, const StudyPageOptions& options) {
  if (format == "csv")
    writeStudyCsv(results, sink);
  else if (format == "json")
    writeStudyJson(results, sink);
  else
    sink(studyPage(results, options));
}

}  // namespace tenon::runtime
