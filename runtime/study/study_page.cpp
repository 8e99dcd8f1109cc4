// The report of a study as one HTML page without scripts or other files.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <numbers>
#include <tuple>
#include <utility>
#include <vector>

#include "content/input/input_error.h"
#include "content/input/wording.h"
#include "runtime/report/base64.h"
#include "runtime/report/html_style.h"
#include "runtime/report/svg_chart.h"
#include "runtime/study/design.h"
#include "runtime/study/study_tables.h"
#include "xr/appearance/palette.h"

namespace tenon::runtime {

namespace {

constexpr int kMapCells = 20;  ///< along each axis
constexpr double kCellSize = 18;

struct Cell {
  std::int64_t cases = 0, successes = 0;
  double peakPush = 0;  ///< largest [N]
};

struct CaseMap {
  std::size_t x = 0, y = 1;  ///< variables
  std::vector<Cell> cells = std::vector<Cell>(kMapCells * kMapCells);
};

std::size_t indexOf(int row, int column) {
  return static_cast<std::size_t>(row) * kMapCells + static_cast<std::size_t>(column);
}

int cellOf(const Variable& variable, double value) {
  const double width = variable.high() - variable.low();
  const double at = width > 0 ? (value - variable.low()) / width : 0;
  return std::clamp(static_cast<int>(at * kMapCells), 0, kMapCells - 1);
}

/// The number of the variable with that name.
std::size_t variableNamed(const std::vector<Variable>& variables, const std::string& name) {
  std::string names;
  for (std::size_t k = 0; k < variables.size(); ++k) {
    if (variables[k].name == name) return k;
    names += (k == 0 ? "" : ", ") + variables[k].name;
  }
  throw content::InputError("--map", name, "is no variable of the study", "name two of " + names);
}

/// The variables of the map: those with the names `axes`, else the two with the largest first-order index of
/// success, or of the push if nothing failed.
std::pair<std::size_t, std::size_t> axesOf(const std::vector<Variable>& variables,
                                           const StudySummary& summary,
                                           const std::vector<std::string>& axes) {
  if (axes.size() == 2) {
    if (axes[0] == axes[1])
      throw content::InputError("--map", axes[0], "is given twice", "name two variables of the study");
    return {variableNamed(variables, axes[0]), variableNamed(variables, axes[1])};
  }
  std::vector<std::size_t> order(variables.size());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
  const auto weight = [&](std::size_t k) {
    return summary.onSuccess[k].firstOrder + 1e-3 * summary.onPush[k].firstOrder;
  };
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return weight(a) > weight(b); });
  return {order[0], order[1]};
}

CaseMap mapOf(const ResultsFile& results, const StudySummary& summary, const std::vector<std::string>& axes) {
  const std::vector<Variable>& variables = results.plan().variables;
  CaseMap map;
  std::tie(map.x, map.y) = axesOf(variables, summary, axes);
  results.forEach([&](const CaseResult& result) {
    const int column = cellOf(variables[map.x], result.values[map.x]);
    const int row = cellOf(variables[map.y], result.values[map.y]);
    Cell& cell = map.cells[indexOf(row, column)];
    ++cell.cases;
    cell.successes += result.success;
    cell.peakPush = std::max(cell.peakPush, result.peakPush);
  });
  return map;
}

/// Orange at 0, over a light gray, to blue at 1: colors that are different for every eye.
std::string colorOf(double value) {
  constexpr xr::Color kLow = xr::palette::kContact, kMiddle = xr::palette::kLightRule,
                      kHigh = xr::palette::kBlue;
  const double at = 2 * std::clamp(value, 0.0, 1.0);
  const xr::Color &from = at < 1 ? kLow : kMiddle, &to = at < 1 ? kMiddle : kHigh;
  const double share = at < 1 ? at : at - 1;
  const auto mix = [&](int low, int high) {
    return static_cast<std::uint8_t>(std::lround(low + share * (high - low)));
  };
  return xr::hexOf({mix(from.red, to.red), mix(from.green, to.green), mix(from.blue, to.blue)});
}

/// One map as SVG: `valueOf` a cell in [0, 1] is drawn from orange to blue.
template <class ValueOf, class TextOf>
std::string svgMap(const CaseMap& map, const StudyPlan& plan, const std::string& title, ValueOf valueOf,
                   TextOf textOf) {
  const Variable &x = plan.variables[map.x], &y = plan.variables[map.y];
  const double size = kMapCells * kCellSize;
  std::string svg = fmt::format("<svg viewBox=\"0 0 {} {}\"><text class=\"head\" x=\"30\" y=\"16\">{}</text>",
                                size + 60, size + 70, title);
  for (int row = 0; row < kMapCells; ++row)
    for (int column = 0; column < kMapCells; ++column) {
      const Cell& cell = map.cells[indexOf(row, column)];
      if (cell.cases == 0) continue;
      svg += fmt::format(
          "<rect class=\"cell\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" "
          "fill=\"{}\"><title>{}</title></rect>",
          30 + column * kCellSize, 24 + (kMapCells - 1 - row) * kCellSize, kCellSize, kCellSize,
          colorOf(valueOf(cell)), textOf(cell));
    }
  svg += fmt::format("<text x=\"30\" y=\"{}\">{} from {:.4g} to {:.4g}, to the right</text>", size + 40,
                     escapeMarkup(x.name), x.low(), x.high());
  svg += fmt::format("<text x=\"30\" y=\"{}\">{} from {:.4g} to {:.4g}, upwards</text></svg>", size + 54,
                     escapeMarkup(y.name), y.low(), y.high());
  return svg;
}

std::string mapsOf(const ResultsFile& results, const StudySummary& summary,
                   const std::vector<std::string>& axes) {
  if (results.plan().variables.size() < 2) {
    if (axes.empty()) return "";
    throw content::InputError("--map", axes[0], "has no second variable in this study", "leave --map out");
  }
  const CaseMap map = mapOf(results, summary, axes);
  double largest = 0;
  for (const Cell& cell : map.cells) largest = std::max(largest, cell.peakPush);
  return std::string("<h2>Map over ") +
         (axes.empty() ? "the two variables that matter most" : "two variables") +
         "</h2><div class=\"charts\">" +
         svgMap(
             map, results.plan(), "Success: blue; orange: none",
             [](const Cell& c) { return static_cast<double>(c.successes) / static_cast<double>(c.cases); },
             [](const Cell& c) { return fmt::format("{} of {} inserted", c.successes, c.cases); }) +
         svgMap(
             map, results.plan(), fmt::format("Largest peak push: orange is {:.3g} N", largest),
             [largest](const Cell& c) { return largest > 0 ? 1 - c.peakPush / largest : 1; },
             [](const Cell& c) { return fmt::format("{:.3g} N", c.peakPush); }) +
         "</div>";
}

/// Causes of stops in words.
std::string inWords(const std::string& cause) {
  static constexpr std::pair<const char*, const char*> kWords[] = {
      {"none", "no contact at the end"},
      {"wedged", "wedged: two-point contact whose friction cones contain each other"},
      {"jammed", "jammed: the push is outside the jamming diagram"},
      {"too-wide", "the part is wider than the bore"},
      {"bottomed", "on the bottom of the hole"},
      {"beside", "beside the hole"},
      {"head-seated", "with the head on the face"},
      {"tilted", "tilted too far"},
      {"turned", "turned about the direction of insertion, on walls of both sides"},
      {"face-across", "on a face across the direction of insertion"},
      {"unexplained", "no single cause"}};
  for (const auto& [name, words] : kWords)
    if (cause == name) return words;
  std::string words = cause;
  std::replace(words.begin(), words.end(), '-', ' ');
  return words;
}

std::string forcesOf(const ResultsFile& results, const StudySummary& summary) {
  std::string html = "<h2>Peak push</h2><table><tr>";
  for (const auto& [percent, push] : summary.pushPercentiles)
    html += percent == 100 ? std::string("<th>largest</th>") : fmt::format("<th>{} %</th>", percent);
  html += "</tr><tr>";
  for (const auto& [percent, push] : summary.pushPercentiles) html += fmt::format("<td>{:.3g} N</td>", push);
  html += "</tr></table>";
  const double largest = summary.pushPercentiles.empty() ? 0 : summary.pushPercentiles.back().second;
  std::vector<std::int64_t> counts(40);
  results.forEach([&](const CaseResult& result) {
    const double at = largest > 0 ? result.peakPush / largest * 40 : 0;
    ++counts[static_cast<std::size_t>(std::clamp(at, 0.0, 39.0))];
  });
  Curve curve;
  for (std::size_t k = 0; k < counts.size(); ++k)
    for (std::size_t end : {k, k + 1})
      curve.points.emplace_back(largest * static_cast<double>(end) / 40, static_cast<double>(counts[k]));
  return html + "<div class=\"charts\">" +
         svgOf(Chart{"Distribution", "peak push [N]", "cases", {curve}, false}) + "</div>";
}

std::string causesOf(const StudySummary& summary) {
  if (summary.causes.empty()) return "";
  std::vector<std::pair<std::string, std::int64_t>> causes(summary.causes.begin(), summary.causes.end());
  std::stable_sort(causes.begin(), causes.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string html = "<h2>Causes of stops</h2><table><tr><th>Cause</th><th>Cases</th></tr>";
  for (const auto& [cause, count] : causes)
    html += fmt::format("<tr><td>{}</td><td>{}</td></tr>", escapeMarkup(inWords(cause)), count);
  return html + "</table>";
}

std::string effectTable(const StudyPlan& plan, const StudySummary& summary) {
  const bool hasTotals = summary.onSuccess.front().total.has_value();
  std::string html =
      "<h2>Which variable matters</h2><p class=\"note\">Sobol's first-order index: the share of the variance "
      "that would vanish if the variable were known; interactions are what is missing in the sum of all to "
      "1." +
      std::string(hasTotals ? " Total index: with all interactions of the variable." : "") +
      " ρ: Spearman's rank correlation, from −1 to 1, whose sign is the effect's direction.</p>"
      "<table><tr><th>Variable</th>";
  for (const char* result : {"success", "peak push"})
    html += fmt::format("<th>First order, {0}</th>{1}<th>ρ, {0}</th>", result,
                        hasTotals ? fmt::format("<th>Total, {}</th>", result) : "");
  html += "</tr>";
  for (std::size_t k = 0; k < plan.variables.size(); ++k) {
    html += fmt::format("<tr><td>{}</td>", escapeMarkup(plan.variables[k].name));
    for (const VariableEffect& effect : {summary.onSuccess[k], summary.onPush[k]})
      html +=
          fmt::format("<td>{:.3f}</td>{}<td>{:.3f}</td>", effect.firstOrder,
                      effect.total ? fmt::format("<td>{:.3f}</td>", *effect.total) : "", effect.correlation);
    html += "</tr>";
  }
  return html + "</table>";
}

/// The command that repeats a case; with pointer variables `tenon study repeat`.
std::string repeatCommand(const ResultsFile& results, const CaseResult& result) {
  const StudyPlan& plan = results.plan();
  std::string command = "tenon run " + content::shellQuoted(plan.scene);
  for (std::size_t k = 0; k < plan.variables.size(); ++k) {
    if (plan.variables[k].isPointer)
      return fmt::format("tenon study repeat {} {}", content::shellQuoted(results.file()), result.number);
    command += fmt::format(" --set {}={}", plan.variables[k].name, result.values[k]);
  }
  if (plan.rate > 0) command += fmt::format(" --rate {}", plan.rate);
  return command + fmt::format(" --seed {}", seedOfCase(plan, result.number));
}

std::string picturesOf(const StudySummary& summary, const StudyPageOptions& options) {
  if (!options.pictureOf) return "";
  std::string html =
      "<p class=\"note\">At the end of each run, cut open along the hole's axis.</p><div class=\"charts\">";
  for (const CaseResult& r : summary.worst) {
    const std::string png = options.pictureOf(r);
    const std::string words = inWords(r.cause);
    const std::string title = fmt::format("Case {}: {}; {:.3g} N, {:.3f} mm deep, tilted {:.2f}°", r.number,
                                          r.cause.empty()                ? r.verdict
                                          : words.starts_with(r.verdict) ? words
                                                                         : r.verdict + ", " + words,
                                          r.peakPush, r.depth * 1e3, r.tilt * 180 / std::numbers::pi);
    if (!png.empty())
      html += fmt::format(
          "<figure><img alt=\"{0}\" src=\"data:image/png;base64,{1}\"><figcaption>{0}</figcaption></figure>",
          escapeMarkup(title), base64(png));
  }
  return html + "</div>";
}

std::string worstOf(const ResultsFile& results, const StudySummary& summary) {
  std::string html =
      "<h2>Ten worst cases</h2><div class=\"wide\"><table><tr><th>Case</th><th>Verdict</th><th>Peak push</th>"
      "<th>Depth</th><th>Repeat it with</th></tr>";
  for (const CaseResult& r : summary.worst)
    html += fmt::format(
        "<tr><td>{}</td><td>{}</td><td>{:.3g} N</td><td>{:.3f} mm</td><td><code>{}</code></td></tr>",
        r.number, escapeMarkup(r.verdict), r.peakPush, r.depth * 1e3,
        escapeMarkup(repeatCommand(results, r)));
  return html + "</table></div>";
}

}  // namespace

std::string studyPage(const ResultsFile& results, const StudyPageOptions& options) {
  const StudySummary summary = studySummary(results);
  const StudyPlan& plan = results.plan();
  std::string html = fmt::format(
      "<!DOCTYPE html><html lang=\"en\"><head><meta "
      "charset=\"utf-8\"><title>Study</title><style>{}</style></head>"
      "<body><main><h1>Study of {}</h1>",
      styleSheet(), escapeMarkup(std::filesystem::path(plan.scene).stem().string()));
  html += fmt::format(
      "<p class=\"verdict\">Yield {:.2f} % (95 % Wilson interval {:.2f} % to {:.2f} %): {} of {} cases.</p>",
      100 * summary.yield.yield, 100 * summary.yield.low, 100 * summary.yield.high, summary.successes,
      summary.cases);
  if (summary.cases < plan.count)
    html += fmt::format("<p class=\"note\">The plan has {} cases.</p>", plan.count);
  if (summary.cases > 0)
    html += mapsOf(results, summary, options.axes) + forcesOf(results, summary) + causesOf(summary) +
            effectTable(plan, summary) + worstOf(results, summary) + picturesOf(summary, options);
  return html + "</main></body></html>\n";
}

}  // namespace tenon::runtime
