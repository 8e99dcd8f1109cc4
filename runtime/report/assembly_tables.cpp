// See assembly_tables.h.
#include "runtime/report/assembly_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "runtime/report/svg_chart.h"
#include "runtime/report/units_text.h"

namespace tenon::runtime {

namespace {

/// True for two pieces of the same part: of one "count", or of one designation, material and mass.
bool isSamePart(const PartSurvey& a, const PartSurvey& b) {
  if (a.fileEntry >= 0 && a.fileEntry == b.fileEntry) return true;
  return !a.library.empty() && a.library == b.library && a.material == b.material && a.motion == b.motion &&
         a.mass.mass == b.mass.mass;
}

std::string diameterCell(const std::optional<double>& diameter) {
  return diameter ? fmt::format("Ø{:.3f}", *diameter * 1e3) : "–";
}

/// Smallest and largest clearance within the tolerances; – without a fit class.
std::string toleranceCell(const FitSurvey& fit) {
  if (!fit.assignedFit || fit.assignedFit->minClearance == fit.assignedFit->maxClearance) return "–";
  return fmt::format("{:.0f} … {:.0f} µm", fit.assignedFit->minClearance * 1e6,
                     fit.assignedFit->maxClearance * 1e6);
}

}  // namespace

std::string partsTable(const SceneSurvey& survey) {
  std::vector<std::vector<const PartSurvey*>> rows;
  double all = 0;
  for (const PartSurvey& part : survey.parts) {
    if (!part.size) continue;  // a half-space is no part to be made
    all += part.mass.mass;
    const auto same = std::find_if(rows.begin(), rows.end(),
                                   [&](const auto& row) { return isSamePart(*row.front(), part); });
    if (same != rows.end())
      same->push_back(&part);
    else
      rows.push_back({&part});
  }
  std::string text =
      "<h2>Parts</h2><div class='wide'><table "
      "id='parts'><tr><th>Quantity</th><th>Part</th><th>Designation</th>"
      "<th>Material</th><th>Size [mm]</th><th>Mass each</th><th>Mass together</th></tr>";
  for (const auto& row : rows) {
    const PartSurvey& part = *row.front();
    const std::string names =
        row.size() == 1 ? part.name : fmt::format("{} … {}", part.name, row.back()->name);
    text += fmt::format(
        "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{:.4g} × {:.4g} × {:.4g}</td><td>{}</td>"
        "<td>{}</td></tr>",
        row.size(), escapeMarkup(names), escapeMarkup(part.library), escapeMarkup(part.material),
        part.size->x() * 1e3, part.size->y() * 1e3, part.size->z() * 1e3,
        part.mass.mass > 0 ? massText(part.mass.mass) : "–",
        part.mass.mass > 0 ? massText(part.mass.mass * static_cast<double>(row.size())) : "–");
  }
  return text + fmt::format("</table></div><p class='note'>Mass of all parts: {}.</p>", massText(all));
}

std::string fitsTable(const SceneSurvey& survey) {
  std::string rows;
  for (const FitSurvey& fit : survey.fits) {
    const std::optional<double> clearance = fit.clearance();
    if (!clearance) continue;
    const std::string given = fit.assignedFit ? fit.assignedFit->text : "";
    rows +=
        fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
                    escapeMarkup(fit.part), escapeMarkup(fit.into + "/" + fit.hole),
                    given.empty() ? "–" : escapeMarkup(given), diameterCell(fit.pegDiameter),
                    diameterCell(fit.holeDiameter),
                    *clearance >= 0 ? fmt::format("{:.4g} µm", *clearance * 1e6)
                                    : fmt::format("<b>interference {:.4g} µm</b>", -*clearance * 1e6),
                    toleranceCell(fit));
  }
  if (rows.empty()) return "";
  return "<h2>Fits and clearances</h2><div class='wide'><table "
         "id='fits'><tr><th>Part</th><th>Hole</th><th>Fit</th>"
         "<th>Part [mm]</th><th>Hole [mm]</th><th>Clearance, diametral</th><th>Within tolerances</th></tr>" +
         rows + "</table></div>";
}

}  // namespace tenon::runtime
