// Writes the tables of a scene's survey.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "content/fits/iso286.h"
#include "content/input/printable.h"
#include "content/parts/read_thread.h"
#include "runtime/report/scene_survey.h"
#include "runtime/report/site_table.h"
#include "runtime/report/text_table.h"
#include "runtime/report/units_text.h"

namespace tenon::runtime {

namespace {

/// Digits below 1 µm only if not zero: lengths here come from a file.
std::string diameterText(double diameter) {
  return fmt::format("Ø{:.3f}", diameter * 1e3);
}

/// "10 mm wide", "5 mm across", "Ø6": the nominal size.
std::string sizeText(const content::FittedSize& size) {
  if (size.kind == content::FitSize::diameter) return fmt::format("Ø{:.6g}", size.nominal * 1e3);
  if (size.nominal == 0) return "on one plane";
  return fmt::format("{:.6g} mm {}", size.nominal * 1e3,
                     size.kind == content::FitSize::width ? "wide" : "across");
}

/// "a width of 10 mm", "an extent of 5 mm", "Ø6": the size to which a fit applies.
std::string fittedSizeText(const content::FittedSize& size) {
  if (size.kind == content::FitSize::diameter || size.nominal == 0) return sizeText(size);
  return fmt::format("{} of {:.6g} mm", size.kind == content::FitSize::width ? "a width" : "an extent",
                     size.nominal * 1e3);
}

std::string fittedClearanceText(const content::FittedSize& size) {
  const double clearance = size.innerDeviation - size.outerDeviation;
  if (std::abs(clearance) < 1e-12) return "no clearance";
  return (clearance > 0 ? "clearance " : "INTERFERENCE ") + smallLengthText(std::abs(clearance));
}

/// "walls 10 mm wide: clearance 17 µm; 5 mm across: clearance 16 µm; and 9 more sizes, clearance 17 µm to
/// clearance 24 µm": those with the least clearance; the report in JSON has all.
std::string fittedWallsText(const content::Fit& fit) {
  constexpr std::size_t kMaxSizes = 3;
  std::string text = "walls ";
  for (std::size_t k = 0; k < std::min(kMaxSizes, fit.sizes.size()); ++k)
    text += (k > 0 ? "; " : "") + sizeText(fit.sizes[k]) + ": " + fittedClearanceText(fit.sizes[k]);
  const std::size_t more = fit.sizes.size() > kMaxSizes ? fit.sizes.size() - kMaxSizes : 0;
  if (more == 0) return text;
  const std::string least = fittedClearanceText(fit.sizes[kMaxSizes]),
                    most = fittedClearanceText(fit.sizes.back());
  text += fmt::format("; and {} more {}, {}", more, more == 1 ? "size" : "sizes", least);
  return least == most ? text : text + " to " + most;
}

std::string fitText(const FitSurvey& fit) {
  if (fit.isOfWalls()) return fittedWallsText(*fit.assignedFit);
  if (fit.threads)
    return fmt::format("{} in {}: flanks with {} of axial play", content::threadText(fit.threads->external),
                       content::threadText(fit.threads->internal), smallLengthText(fit.threads->axialPlay()));
  const auto clearance = fit.clearance();
  if (!clearance) return "not round about one axis: no clearance to name";
  const std::string sizes = diameterText(*fit.pegDiameter) + " in " + diameterText(*fit.holeDiameter) + ": ";
  // Differences of a file's decimal numbers carry rounding far below a nanometer.
  if (std::abs(*clearance) < 1e-12) return sizes + "no clearance";
  const std::string size = std::abs(*clearance) < 0.9995e-4 ? smallLengthText(std::abs(*clearance))
                                                            : millimetersText(std::abs(*clearance));
  return sizes + (*clearance > 0 ? "clearance " : "INTERFERENCE ") + size;
}

/// The assigned fit and its range of clearances: "H7/g6, mid on Ø8: 5 … 29 µm, a clearance fit".
std::string laidText(const FitSurvey& fit) {
  if (!fit.assignedFit) return "-";
  const content::Fit& assignedFit = *fit.assignedFit;
  std::string text =
      fmt::format("{} on {}", assignedFit.text,
                  fit.isOfWalls() ? fittedSizeText(assignedFit.sizes.front())
                                  : sizeText({content::FitSize::diameter, assignedFit.nominal, 0, 0}));
  if (assignedFit.minClearance == assignedFit.maxClearance) return text;
  return text + fmt::format(": {:.0f} … {:.0f} µm, {}", assignedFit.minClearance * 1e6,
                            assignedFit.maxClearance * 1e6,
                            toText(content::classifyFit(assignedFit.minClearance, assignedFit.maxClearance)));
}

/// A few names, or their number.
std::string namesText(const std::vector<std::string>& names) {
  if (names.empty()) return "-";
  if (names.size() > 3) return fmt::format("{}, … {} ({})", names.front(), names.back(), names.size());
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string partTable(const SceneSurvey& survey) {
  TextTable table({"part", "motion", "material", "size [mm]", "mass", "inertia xx yy zz [kg mm²]", "features",
                   "holes", "library"});
  for (const PartSurvey& part : survey.parts) {
    const auto& inertia = part.mass.inertia;
    const bool heavy = part.mass.mass > 0;
    table.add({part.name, std::string(physics::toText(part.motion)),
               part.material.empty() ? "-" : part.material,
               part.size ? fmt::format("{:.6g} × {:.6g} × {:.6g}", part.size->x() * 1e3, part.size->y() * 1e3,
                                       part.size->z() * 1e3)
                         : "unlimited",
               heavy ? massText(part.mass.mass) : "-",
               heavy ? fmt::format("{:.4g} {:.4g} {:.4g}", inertia(0, 0) * 1e6, inertia(1, 1) * 1e6,
                                   inertia(2, 2) * 1e6)
                     : "-",
               namesText(part.features), namesText(part.holes), part.library.empty() ? "-" : part.library});
  }
  return table.text(2);
}

/// Holes and ends with their places; parts of one "count" once. Empty if there are none.
std::string siteTable(const SceneSurvey& survey) {
  SiteTable table;
  int last = -1;
  for (const PartSurvey& part : survey.parts) {
    if (part.fileEntry >= 0 && part.fileEntry == last) continue;
    last = part.fileEntry;
    for (const auto* sites : {&part.holeSites, &part.ends})
      for (const SiteSurvey& site : *sites)
        table.add({site.name, part.name, site.position, site.axis, site.diameter,
                   site.depth ? site.depth : site.length, site.through, site.isFaceted});
  }
  return table.text();
}

/// Threads with their diameters; empty if there are none.
std::string threadTable(const SceneSurvey& survey) {
  TextTable table({"thread", "of", "kind", "major, pitch, minor diameter [mm]", "length [mm]", "turns"});
  bool isEmpty = true;
  int last = -1;
  for (const PartSurvey& part : survey.parts) {
    if (part.fileEntry >= 0 && part.fileEntry == last) continue;
    last = part.fileEntry;
    for (const physics::Thread& t : part.threads) {
      isEmpty = false;
      table.add({content::threadText(t), part.name, t.isInternal ? "internal" : "external",
                 fmt::format("{:.3f} {:.3f} {:.3f}", t.majorDiameter * 1e3, t.pitchDiameter * 1e3,
                             t.minorDiameter * 1e3),
                 fmt::format("{:.6g}", (t.high - t.low) * 1e3),
                 fmt::format("{:.3g}", (t.high - t.low) / std::abs(t.lead()))});
    }
  }
  return isEmpty ? "" : table.text(2);
}

std::string limitsText(const JointSurvey& joint) {
  std::string text;
  if (isLimited(joint.angle))
    text = fmt::format("{} … {}", degreesText(joint.angle.low), degreesText(joint.angle.high));
  if (isLimited(joint.travel))
    text += fmt::format("{}{}… {}", text.empty() ? "" : ", ",
                        std::isfinite(joint.travel.low) ? millimetersText(joint.travel.low) + " " : "",
                        millimetersText(joint.travel.high));
  return text.empty() ? "-" : text;
}

std::string surveyJointTable(const SceneSurvey& survey) {
  TextTable table(
      {"joint", "kind", "of", "to", "at [mm]", "axis", "limits", "pitch", "friction", "collides"});
  for (const JointSurvey& joint : survey.joints)
    table.add({joint.name, joint.kind, joint.part, joint.to.empty() ? "the world" : joint.to,
               vectorText(joint.position * 1e3), joint.axis ? vectorText(*joint.axis) : "-",
               limitsText(joint), joint.pitch ? smallLengthText(*joint.pitch) : "-",
               joint.pitch ? fmt::format("{:g}", joint.friction) : "-", joint.collides ? "yes" : "no"});
  return table.text(2);
}

std::string mechanismTable(const SceneSurvey& survey) {
  TextTable table({"jointed parts", "joints", "degrees of freedom", "redundant constraints"});
  for (const MechanismSurvey& mechanism : survey.mechanisms)
    table.add({content::quotedList(mechanism.parts), fmt::format("{}", mechanism.joints),
               fmt::format("{}", mechanism.degreesOfFreedom),
               mechanism.redundant == 0 ? "-" : fmt::format("{}", mechanism.redundant)});
  return table.text(2);
}

std::string stiffnessOrRigid(double stiffness) {
  return std::isfinite(stiffness) ? stiffnessText(stiffness) : "rigid";
}

/// The column of restitution appears only if one is not 0.
template <class Pairs>
bool anyBounces(const Pairs& pairs) {
  return std::any_of(pairs.begin(), pairs.end(), [](const auto& pair) { return pair.restitution > 0; });
}
std::vector<std::string> withRestitution(bool bounces, std::vector<std::string> row,
                                         std::string restitution) {
  if (bounces) row.push_back(std::move(restitution));
  return row;
}

std::string surfaceTable(const SceneSurvey& survey) {
  const bool bounces = anyBounces(survey.surfaces);
  TextTable table(withRestitution(bounces, {"surfaces", "friction", "stiffness"}, "restitution"));
  for (const SurfaceSurvey& pair : survey.surfaces)
    table.add(withRestitution(
        bounces,
        {pair.a + " on " + pair.b, fmt::format("{:g}", pair.friction), stiffnessOrRigid(pair.stiffness)},
        fmt::format("{:g}", pair.restitution)));
  table.add(withRestitution(bounces, {survey.surfaces.empty() ? "all" : "all others", "0", "rigid"}, "0"));
  return table.text(2);
}

std::string fitTable(const SceneSurvey& survey) {
  const bool bounces = anyBounces(survey.fits);
  const bool fitted = std::any_of(survey.fits.begin(), survey.fits.end(),
                                  [](const FitSurvey& fit) { return fit.assignedFit.has_value(); });
  std::vector<std::string> heading =
      withRestitution(bounces, {"goal", "depth", "within", "fit", "friction", "stiffness"}, "restitution");
  if (fitted) heading.emplace_back("laid on");
  TextTable table(heading);
  for (const FitSurvey& fit : survey.fits) {
    const std::string name = fmt::format("{}/{} into {}/{}", fit.part, fit.feature, fit.into, fit.hole);
    std::vector<std::string> row =
        withRestitution(bounces,
                        {name, millimetersText(fit.depth), fmt::format("{:g} s", fit.timeLimit), fitText(fit),
                         fmt::format("{:g}", fit.friction), stiffnessOrRigid(fit.stiffness)},
                        fmt::format("{:g}", fit.restitution));
    if (fitted) row.push_back(laidText(fit));
    table.add(row);
  }
  return table.text(2);
}

std::string surveyParameterTable(const SceneSurvey& survey) {
  TextTable table({"parameter", "value", "unit", "default", "range", "description"});
  for (const content::Parameter& p : survey.parameters)
    table.add({p.name, fmt::format("{:g}", p.value), p.unit, fmt::format("{:g}", p.defaultValue),
               fmt::format("{:g} … {:g}{}", p.minimum, p.maximum, p.isInteger ? ", whole" : ""),
               p.description});
  return table.text(2);
}

}  // namespace

std::string toText(const SceneSurvey& survey) {
  std::string text =
      content::printable(survey.scene + (survey.title.empty() ? "" : ": " + survey.title)) + "\n\n";
  text += partTable(survey);
  if (const std::string sites = siteTable(survey); !sites.empty()) text.append("\n").append(sites);
  if (const std::string threads = threadTable(survey); !threads.empty()) text.append("\n").append(threads);
  if (!survey.meshText.empty()) text.append("\n").append(survey.meshText);
  if (!survey.joints.empty())
    text.append("\n").append(surveyJointTable(survey)).append("\n").append(mechanismTable(survey));
  text.append("\n").append(surfaceTable(survey));
  if (!survey.fits.empty()) text.append("\n").append(fitTable(survey));
  if (!survey.parameters.empty()) text.append("\n").append(surveyParameterTable(survey));
  if (!survey.warnings.empty()) text += "\n";
  for (const std::string& warning : survey.warnings)
    text += "  warning: " + content::printable(warning) + "\n";
  const auto count = [](std::size_t many, const char* what) {
    return countText(static_cast<std::int64_t>(many), what);
  };
  const std::string joints = survey.joints.empty() ? "" : count(survey.joints.size(), "joint") + ", ";
  const std::string verdict = survey.warnings.empty() ? "Valid" : count(survey.warnings.size(), "warning");
  return text + fmt::format("\n{}: {}, {}{}, {:g} s at {:g} Hz\n", verdict,
                            count(survey.parts.size(), "part"), joints, count(survey.fits.size(), "goal"),
                            survey.duration, survey.rate);
}

}  // namespace tenon::runtime
