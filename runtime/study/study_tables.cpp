// See study_tables.h.
#include "runtime/study/study_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "runtime/record/session_tables.h"

namespace tenon::runtime {

namespace {

using Json = nlohmann::ordered_json;

/// Ranks of `values`, equal values sharing their mean rank.
std::vector<double> ranksOf(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  std::vector<double> ranks(values.size());
  for (std::size_t from = 0; from < order.size();) {
    std::size_t to = from;
    while (to < order.size() && values[order[to]] == values[order[from]]) ++to;
    for (std::size_t k = from; k < to; ++k) ranks[order[k]] = static_cast<double>(from + to - 1) / 2;
    from = to;
  }
  return ranks;
}

double correlationOfRanks(const std::vector<double>& x, const std::vector<double>& y) {
  const double mean = (static_cast<double>(x.size()) - 1) / 2;  // of any ranks
  double xy = 0, xx = 0, yy = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    xy += (x[k] - mean) * (y[k] - mean);
    xx += (x[k] - mean) * (x[k] - mean);
    yy += (y[k] - mean) * (y[k] - mean);
  }
  return xx > 0 && yy > 0 ? xy / std::sqrt(xx * yy) : 0;
}

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
  const std::vector<double> successRanks = ranksOf(successes), pushRanks = ranksOf(pushes);
  for (std::vector<double>& column : values) {
    column = ranksOf(column);
    summary.successCorrelation.push_back(correlationOfRanks(column, successRanks));
    summary.pushCorrelation.push_back(correlationOfRanks(column, pushRanks));
    column = {};
  }
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
  for (std::size_t k = 0; k < plan.variables.size(); ++k)
    head["rank_correlation"][plan.variables[k].name] = {{"success", summary.successCorrelation[k]},
                                                        {"peak_push_n", summary.pushCorrelation[k]}};
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
                      const std::function<void(const std::string&)>& sink,
                      const std::vector<std::string>& axes) {
  if (format == "csv")
    writeStudyCsv(results, sink);
  else if (format == "json")
    writeStudyJson(results, sink);
  else
    sink(studyPage(results, axes));
}

}  // namespace tenon::runtime
