// See plan.h.
#include "runtime/study/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "content/fits/iso286.h"
#include "content/input/file_source.h"
#include "content/input/json_cursor.h"
#include "content/input/parse_json.h"
#include "content/reader/load_scene.h"

namespace tenon::runtime {

namespace {

using content::JsonCursor;
using content::Range;

constexpr std::size_t kMaxNumbers = 100'000;

std::vector<double> numbersOf(const JsonCursor& array, std::size_t low, std::size_t high) {
  std::vector<double> numbers;
  for (const JsonCursor& element : array.elements(low, high))
    numbers.push_back(element.literalNumber(Range{}));
  return numbers;
}

/// Equally spaced numbers, both ends included.
std::vector<double> gridOf(const JsonCursor& grid) {
  grid.allowOnly({"from", "to", "steps"});
  const double from = grid.member("from").literalNumber(Range{});
  const double to = grid.member("to").literalNumber(Range{});
  const int steps = grid.member("steps").integer(2, static_cast<int>(kMaxNumbers));
  if (!(from < to)) grid.fail("its from is not below its to", "give from < to");
  std::vector<double> numbers;
  for (int k = 0; k < steps; ++k) numbers.push_back(from + (to - from) * k / (steps - 1));
  return numbers;
}

/// The standard deviation [m] of diameters in a zone at the process capability "cp" of the cursor: zone / (6
/// Cp).
double deviationIn(const content::Deviations& zone, const JsonCursor& cursor) {
  const double cp = cursor.has("cp") ? cursor.member("cp").literalNumber({0.1, 10, true, ""}) : 1;
  return (zone.upper - zone.lower) / (6 * cp);
}

/// The diametral clearance of an ISO 286 fit whose hole and shaft are both normal about the middle of their
/// zones at their Cp.
std::vector<double> fitClearance(const JsonCursor& fit) {
  fit.allowOnly({"zones", "diameter_mm", "cp", "unit"});
  const JsonCursor zones = fit.member("zones", "name a fit, such as \"H7/g6\"");
  const double diameter = fit.member("diameter_mm").literalNumber({1, 50, true, "mm"});
  const double scale = fit.has("unit") && fit.member("unit").choice({"um", "mm"}) == 1 ? 1e3 : 1e6;
  const std::string name = zones.text(64);
  const auto found = content::fitClass(name, diameter * 1e-3);
  if (!found) zones.fail("is not a supported fit", "name one of " + content::supportedFits());
  const double mean = (found->minClearance() + found->maxClearance()) / 2;
  const double hole = deviationIn(found->hole, fit), shaft = deviationIn(found->shaft, fit);
  return {mean * scale, std::sqrt(hole * hole + shaft * shaft) * scale};
}

/// The diameter of a hole or shaft that is normal about the middle of its ISO 286 zone at its Cp.
std::vector<double> zoneDiameter(const JsonCursor& cursor) {
  cursor.allowOnly({"zone", "diameter_mm", "cp", "unit"});
  const JsonCursor zone = cursor.member("zone", "name a zone, such as \"H7\"");
  const double diameter_mm = cursor.member("diameter_mm").literalNumber({1, 50, true, "mm"});
  const double scale = cursor.has("unit") && cursor.member("unit").choice({"mm", "m"}) == 1 ? 1 : 1e3;
  const auto found = content::toleranceZone(zone.text(64), diameter_mm * 1e-3);
  if (!found) zone.fail("is not a supported zone", "name one of " + content::supportedZones());
  return {(diameter_mm * 1e-3 + (found->lower + found->upper) / 2) * scale,
          deviationIn(*found, cursor) * scale};
}

void readDistribution(const JsonCursor& cursor, Variable& variable) {
  int found = 0;
  const auto take = [&](const char* field, Distribution distribution, auto read) {
    if (const auto value = cursor.find(field)) {
      ++found;
      variable.distribution = distribution;
      variable.numbers = read(*value);
    }
  };
  const auto pair = [](const JsonCursor& c) { return numbersOf(c, 2, 2); };
  take("uniform", Distribution::uniform, pair);
  take("normal", Distribution::normal, pair);
  take("triangular", Distribution::triangular, [](const JsonCursor& c) { return numbersOf(c, 3, 3); });
  take("list", Distribution::list, [](const JsonCursor& c) { return numbersOf(c, 1, kMaxNumbers); });
  take("grid", Distribution::list, gridOf);
  take("fit_clearance", Distribution::normal, fitClearance);
  take("zone_diameter", Distribution::normal, zoneDiameter);
  if (found != 1)
    cursor.fail("does not have exactly one distribution",
                "give one of uniform, normal, triangular, list, grid, fit_clearance, zone_diameter");
  const std::vector<double>& n = variable.numbers;
  if (variable.distribution == Distribution::normal && !(n[1] > 0))
    cursor.fail("has no positive standard deviation", "write \"normal\": [mean, deviation]");
  const bool ordered = std::is_sorted(n.begin(), n.end());
  if (variable.distribution == Distribution::uniform && !(n[0] < n[1]))
    cursor.fail("has an empty range", "write \"uniform\": [low, high] with low < high");
  if (variable.distribution == Distribution::triangular && (!ordered || !(n[0] < n[2])))
    cursor.fail("is not in order", "write \"triangular\": [low, mode, high]");
}

Variable variableOf(const JsonCursor& cursor) {
  cursor.allowOnly({"parameter", "pointer", "uniform", "normal", "triangular", "list", "grid",
                    "fit_clearance", "zone_diameter"});
  Variable variable;
  variable.isPointer = cursor.has("pointer");
  if (variable.isPointer == cursor.has("parameter"))
    cursor.fail("does not name what it varies", "give either parameter or pointer");
  const JsonCursor name = cursor.member(variable.isPointer ? "pointer" : "parameter");
  variable.name = variable.isPointer ? name.text(1024) : name.name();
  readDistribution(cursor, variable);
  return variable;
}

OutputField outputOf(const JsonCursor& cursor) {
  cursor.allowOnly({"name", "pointer"});
  OutputField output{cursor.member("name").name(), cursor.member("pointer").text(1024)};
  try {
    const nlohmann::json::json_pointer valid(output.pointer);
  } catch (const nlohmann::json::exception&) {
    cursor.member("pointer").fail("is not a JSON pointer", "write it as /goals/0/depth_m");
  }
  for (const char* measured : {"/wall_s", "/real_time_factor", "/step_us"})
    if (output.pointer.starts_with(measured))
      cursor.member("pointer").fail("depends on the machine's speed", "store a result of the simulation");
  return output;
}

/// The cases of a full grid; each variable is a list.
std::int64_t gridCount(const JsonCursor& plan, const StudyPlan& study) {
  double count = 1;
  for (std::size_t k = 0; k < study.variables.size(); ++k) {
    if (study.variables[k].distribution != Distribution::list)
      plan.member("variables")
          .elements(1, kMaxVariables)[k]
          .fail("has no list of values for the design grid", "give list or grid, or use another design");
    count *= static_cast<double>(study.variables[k].numbers.size());
  }
  if (count > static_cast<double>(kMaxCases)) plan.fail("has too many cases", "use fewer steps");
  return static_cast<std::int64_t>(count);
}

void readDesign(const JsonCursor& plan, StudyPlan& study) {
  study.design =
      static_cast<Design>(plan.member("design").choice({"grid", "random", "latin-hypercube", "sobol"}));
  if (study.design != Design::grid) {
    study.count = plan.member("count", "give the number of cases").integer(1, static_cast<int>(kMaxCases));
    return;
  }
  study.count = gridCount(plan, study);
  if (plan.has("count"))
    plan.member("count").fail("is given for the design grid, which has a count of its own", "remove it");
}

void requireUnique(const JsonCursor& variables, const StudyPlan& study) {
  std::set<std::string> names{"case",    "success",  "verdict", "cause",      "peak_push_n",
                              "depth_m", "tilt_rad", "time_s",  "clearance_m"};
  const auto add = [&](const std::string& name) {
    if (!names.insert(name).second)
      variables.fail("or the outputs have the name " + name + " twice", "give each its own name");
  };
  for (const Variable& variable : study.variables) add(variable.name);
  for (const OutputField& output : study.outputs) add(output.name);
}

}  // namespace

double Variable::low() const {
  if (distribution == Distribution::normal) return numbers[0] - kTruncation * numbers[1];
  return *std::min_element(numbers.begin(), numbers.end());
}

double Variable::high() const {
  if (distribution == Distribution::normal) return numbers[0] + kTruncation * numbers[1];
  return *std::max_element(numbers.begin(), numbers.end());
}

StudyPlan parsePlan(const std::string& text, const std::string& file) {
  const nlohmann::json json = content::parseJson(text, file);
  content::ReadContext context;
  context.file = file;
  const JsonCursor plan(json, "", context);
  plan.allowOnly({"$schema", "tenon_study", "title", "scene", "variables", "design", "count", "seed",
                  "rate_hz", "outputs", "enough"});
  plan.member("tenon_study", "a plan begins with \"tenon_study\": 1").integer(1, 1);
  StudyPlan study;
  study.file = file;
  study.text = json.dump();
  for (const char* field : {"$schema", "title"}) {
    if (const auto member = plan.find(field)) member->text(1000);
  }
  study.scene = plan.member("scene", "name the scene file").text(4096);
  if (!study.scene.starts_with('/')) study.scene = content::folderOf(file) + "/" + study.scene;
  for (const JsonCursor& variable : plan.member("variables").elements(1, kMaxVariables))
    study.variables.push_back(variableOf(variable));
  if (const auto outputs = plan.find("outputs"))
    for (const JsonCursor& output : outputs->elements(0, 64)) study.outputs.push_back(outputOf(output));
  requireUnique(plan.member("variables"), study);
  readDesign(plan, study);
  if (const auto seed = plan.find("seed"))
    study.seed = static_cast<std::uint64_t>(seed->integer(0, 2'147'483'647));
  if (const auto rate = plan.find("rate_hz")) study.rate = rate->literalNumber({1, 100'000, true, "Hz"});
  if (const auto enough = plan.find("enough")) {
    enough->allowOnly({"yield_interval_below"});
    study.yieldWidth = enough->member("yield_interval_below").literalNumber({1e-6, 1, true, ""});
  }
  return study;
}

StudyPlan loadPlan(const std::string& file) {
  return parsePlan(content::readSceneText(file), file);
}

}  // namespace tenon::runtime
