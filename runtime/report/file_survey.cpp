// See file_survey.h.
#include "runtime/report/file_survey.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>

#include "content/mesh/mesh_report_text.h"
#include "content/mesh/position_text.h"
#include "content/recognize/face_counts.h"
#include "runtime/report/mesh_survey.h"
#include "runtime/report/site_table.h"
#include "runtime/report/text_table.h"
#include "runtime/report/units_text.h"

namespace tenon::runtime {

namespace {

using Json = nlohmann::ordered_json;

Json fileRowOf(const std::string& file, const std::string& product, const std::string& problem,
               double seconds) {
  return {{"file", file},
          {"product", product.empty() ? Json(nullptr) : Json(product)},
          {"usable", problem.empty()},
          {"problem", problem.empty() ? Json(nullptr) : Json(problem)},
          {"seconds", seconds}};
}

Json countsJson(const content::FaceCounts& counts) {
  return {{"plane", counts.planes},   {"cylinder", counts.cylinders}, {"cone", counts.cones},
          {"sphere", counts.spheres}, {"torus", counts.tori},         {"freeform", counts.freeform},
          {"facet", counts.facets}};
}

/// The larger of the distances beyond the sagitta of facets, with its place.
const Json& worstOf(const Json& row) {
  const Json &outside = row.at("outside_mesh"), &inside = row.at("inside_mesh");
  return outside.at("distance_m") > inside.at("distance_m") ? outside : inside;
}

std::string partNameOf(const Json& row) {
  const auto file = row.at("file").get<std::string>();
  return row.at("product").is_null() ? file : file + ": " + row.at("product").get<std::string>();
}

std::string faceCountsText(const Json& counts) {
  constexpr std::array<std::array<const char*, 2>, 7> kNames{{{"plane", "planes"},
                                                              {"cylinder", "cylinders"},
                                                              {"cone", "cones"},
                                                              {"sphere", "spheres"},
                                                              {"torus", "tori"},
                                                              {"freeform", "free forms"},
                                                              {"facet", "facets"}}};
  std::vector<std::string> texts;
  for (const auto& [one, many] : kNames)
    if (const int n = counts.at(one).get<int>(); n > 0)
      texts.push_back(fmt::format("{} {}", n, n == 1 ? one : many));
  return fmt::format("{}", fmt::join(texts, ", "));
}

/// Warnings and repairs of a usable part.
std::string remarkText(const Json& row) {
  std::vector<std::string> remarks;
  const Json& worst = worstOf(row);
  if (worst.at("distance_m") > row.at("stated_m")) {
    const auto p = worst.at("place_m").get<std::array<double, 3>>();
    remarks.push_back(fmt::format("warning: deviates at {}", content::positionText({p[0], p[1], p[2]})));
  }
  for (const Json& thread : row.at("threads"))
    remarks.push_back("thread " + thread.at("text").get<std::string>());
  if (const int axes = row.at("unsearched_axes").get<int>(); axes > 0)
    remarks.push_back(
        fmt::format("{} not searched for threads", axes == 1 ? "1 axis" : fmt::format("{} axes", axes)));
  if (!row.at("unit_doubt").is_null()) remarks.push_back(row.at("unit_doubt").get<std::string>());
  const std::string rounding = content::roundingText(row.at("coordinate_rounding_m").get<double>());
  if (!rounding.empty()) remarks.push_back(rounding);
  for (const Json& repair : row.at("repairs")) remarks.push_back(repair.get<std::string>());
  return remarks.empty() ? "-" : fmt::format("{}", fmt::join(remarks, "; "));
}

std::string worstText(double distance) {
  constexpr double kRounding = 1e-9;
  return distance < kRounding ? "< 1 nm" : smallLengthText(distance);
}

std::string secondsText(const Json& row) {
  return fmt::format("{:.2f} s", row.at("seconds").get<double>());
}

}  // namespace

Json fileRow(const std::string& file, const content::FilePart& part) {
  Json row = fileRowOf(file, part.product, part.problem, part.seconds);
  if (!part.shape) return row;
  row["surfaces"] = countsJson(content::faceCountsOf(part.shape->part.shape));
  const Json data = meshJson(*part.shape);
  for (const auto& [key, value] : data.items())
    if (!row.contains(key)) row[key] = value;
  return row;
}

Json failedRow(const std::string& file, const std::string& product, const std::string& problem,
               double seconds) {
  return fileRowOf(file, product, problem, seconds);
}

bool areUsable(const std::vector<Json>& rows) {
  return std::all_of(rows.begin(), rows.end(), [](const Json& row) { return row.at("usable").get<bool>(); });
}

std::string fileTable(const std::vector<Json>& rows, bool color) {
  TextTable table({"file", "usable", "faces", "holes", "exact area", "deviation", "time", "remark"});
  std::int64_t usable = 0;
  for (const Json& row : rows) {
    if (!row.at("usable").get<bool>()) {
      table.add({partNameOf(row), "no", "-", "-", "-", "-", secondsText(row),
                 row.at("problem").get<std::string>()});
      if (color) table.paint(1, Color::red);
      continue;
    }
    ++usable;
    table.add({partNameOf(row), "yes", faceCountsText(row.at("surfaces")),
               fmt::format("{}", row.at("holes").size()),
               fmt::format("{:.1f} %", 100 * row.at("exact_area").get<double>()),
               worstText(worstOf(row).at("distance_m").get<double>()), secondsText(row), remarkText(row)});
    if (color) table.paint(1, Color::green);
  }
  const auto total = static_cast<std::int64_t>(rows.size());
  return table.text(2) +
         fmt::format("\n{}: {} usable, {} refused\n", countText(total, "part"), usable, total - usable);
}

std::string fileSiteTable(const std::vector<Json>& rows) {
  SiteTable table;
  const auto vectorOf = [](const Json& v) {
    return physics::Vector3d(v[0].get<double>(), v[1].get<double>(), v[2].get<double>());
  };
  const auto lengthOf = [](const Json& site, const char* name) {
    return site.contains(name) && site[name].is_number() ? std::optional(site[name].get<double>())
                                                         : std::nullopt;
  };
  for (const Json& row : rows) {
    if (!row.at("usable").get<bool>()) continue;
    for (const char* sites : {"holes", "end_sites"})
      for (const Json& site : row.at(sites)) {
        const auto depth = lengthOf(site, "depth_m");
        table.add({site.at("name").get<std::string>(), partNameOf(row), vectorOf(site.at("position_m")),
                   vectorOf(site.at("axis")), lengthOf(site, "diameter_m"),
                   depth ? depth : lengthOf(site, "length_m"), site.value("through", false),
                   site.at("facets_collide").get<bool>()});
      }
    for (const char* sites : {"sockets", "bar_ends"})
      for (const Json& site : row.at(sites))
        table.add({site.at("name").get<std::string>(), partNameOf(row), vectorOf(site.at("position_m")),
                   vectorOf(site.at("axis")), std::nullopt, lengthOf(site, "depth_m"),
                   site.at("through").get<bool>(), false, site.at("size_m").get<std::array<double, 2>>()});
  }
  const std::string text = table.text();
  return text.empty() ? "" : "\n" + text;
}

}  // namespace tenon::runtime
