// See sweep_report.h.
#include "runtime/sweep/sweep_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "runtime/report/text_table.h"
#include "runtime/report/units_text.h"

namespace tenon::runtime {

namespace {

using Json = nlohmann::ordered_json;

bool isBelow(const SweepFinding::To& to, double required) {
  return required > 0 && to.clearance && to.clearance->distance < required;
}

std::string clearanceText(const SweepFinding::To& to) {
  if (!to.clearance) return fmt::format("> {:g} mm", kClearanceRange * 1e3);
  const double distance = to.clearance->distance;
  if (distance < -kClearanceAccuracy) return "overlap " + smallLengthText(-distance);
  return distance < kClearanceAccuracy ? "touches" : smallLengthText(distance);
}

std::string timeText(const LeastClearance& clearance, bool isRecorded) {
  return isRecorded ? fmt::format("{:.3f} s", clearance.at) : millimetersText(clearance.at);
}

}  // namespace

bool SweepReport::isTooClose() const {
  return std::any_of(findings.begin(), findings.end(), [&](const SweepFinding& finding) {
    return std::any_of(finding.to.begin(), finding.to.end(),
                       [&](const SweepFinding::To& to) { return isBelow(to, required); });
  });
}

std::string toText(const SweepReport& report) {
  TextTable table(
      report.parts->isRecorded
          ? std::vector<std::string>{"part", "to", "least clearance", "at time", "at [mm]"}
          : std::vector<std::string>{"step", "part", "to", "least clearance", "after", "at [mm]"});
  for (const SweepFinding& finding : report.findings)
    for (const SweepFinding::To& to : finding.to) {
      std::vector<std::string> cells;
      if (!report.parts->isRecorded) cells.push_back(fmt::format("{}", finding.swept->step));
      cells.push_back(report.scene->part(finding.swept->part).name);
      cells.push_back(report.scene->part(to.other).name);
      cells.push_back(clearanceText(to));
      cells.push_back(to.clearance ? timeText(*to.clearance, report.parts->isRecorded) : "-");
      // Adding 0 turns −0 into 0.
      const physics::Vector3d p =
          to.clearance ? physics::Vector3d(1e3 * to.clearance->p) : physics::Vector3d::Zero();
      cells.push_back(to.clearance
                          ? fmt::format("({:.3f}, {:.3f}, {:.3f})", p.x() + 0.0, p.y() + 0.0, p.z() + 0.0)
                          : "-");
      table.add(std::move(cells));
      if (isBelow(to, report.required)) table.paint(report.parts->isRecorded ? 2 : 3, Color::red);
    }
  std::string text = table.text(0);
  if (!report.parts->isRecorded && !report.findings.empty())
    text += "\nafter: travel of the insertion, from outside to the place\n";
  if (report.required > 0)
    text += fmt::format("{} {}\n",
                        report.isTooClose() ? "too close: less than the required"
                                            : "every clearance is at least the required",
                        smallLengthText(report.required));
  if (report.volume)
    text += fmt::format("swept volume: {:.3f} cm³ in {}, at most {} too large\n", report.volume->volume * 1e6,
                        countText(static_cast<std::int64_t>(report.volume->triangles), "triangle"),
                        smallLengthText(report.volume->error));
  return text;
}

std::string toJson(const SweepReport& report) {
  const char* const at = report.parts->isRecorded ? "time_s" : "travel_m";
  Json json = {{"scene", report.scene->name}, {"parts", Json::array()}};
  for (const SweepFinding& finding : report.findings) {
    Json part = {{"part", report.scene->part(finding.swept->part).name}};
    if (!report.parts->isRecorded) part["step"] = finding.swept->step;
    part["least_clearance"] = Json::array();
    for (const SweepFinding::To& to : finding.to) {
      Json entry = {{"to", report.scene->part(to.other).name}};
      if (to.clearance) {
        const physics::Vector3d& p = to.clearance->p;
        entry["distance_m"] = to.clearance->distance;
        entry[at] = to.clearance->at;
        entry["position_m"] = {p.x(), p.y(), p.z()};
      } else {
        entry["more_than_m"] = kClearanceRange;
      }
      part["least_clearance"].push_back(std::move(entry));
    }
    json["parts"].push_back(std::move(part));
  }
  if (report.required > 0) json["min_clearance_m"] = report.required;
  if (report.volume)
    json["swept_volume"] = {{"file", report.volume->file},
                            {"error_m", report.volume->error},
                            {"volume_m3", report.volume->volume},
                            {"triangles", report.volume->triangles}};
  return json.dump(2) + "\n";
}

}  // namespace tenon::runtime
