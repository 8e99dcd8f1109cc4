// Reads plan files: merges one into the text of its scene, or reads its steps.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <numbers>
#include <string>
#include <vector>

#include "content/input/input_error.h"
#include "content/input/json_cursor.h"
#include "content/input/limits.h"
#include "content/input/parse_json.h"
#include "content/input/wording.h"
#include "runtime/plan/plan_json.h"

namespace tenon::runtime {

namespace {

using PlanJson = nlohmann::json;
using content::InputError;
using content::JsonCursor;

/// Throws unless this is a plan of this version, for a scene in this unit.
void requirePlan(const PlanJson& plan, const std::string& planFile, const PlanJson& unit) {
  if (!plan.is_object() || !plan.contains("tenon_plan"))
    throw InputError(planFile, "", "is not a plan: it has no \"tenon_plan\"",
                     "give the file that 'tenon plan SCENE --out PLAN.json' wrote");
  if (plan["tenon_plan"] != 1)
    throw InputError(planFile, "/tenon_plan", "is another version than 1", kPlanRemedy);
  if (plan.value("unit", PlanJson()) != unit)
    throw InputError(planFile, "/unit", "is not the unit of the scene", kPlanRemedy);
}

class PlanMerge {
 public:
  PlanMerge(PlanJson& scene, const PlanJson& plan, const std::string& planFile)
      : scene_(scene), plan_(plan), planFile_(planFile) {}

  /// Where the plan's values are in the scene: pointers into both, in this order.
  std::vector<std::pair<std::string, std::string>> run() {
    checkHeader();
    // The reader of scenes reports these.
    if (!scene_.is_object() || !scene_.contains("parts") || !scene_["parts"].is_array()) return {};
    checkParts();
    mergeHands();
    scene_["duration_s"] = plan_.at("duration_s");
    places_.emplace_back("/duration_s", "/duration_s");
    if (scene_.contains("goals") && scene_["goals"].is_array())
      for (PlanJson& goal : scene_["goals"])
        if (goal.is_object()) goal.erase("time_limit_s");
    if (plan_.contains("start")) mergeStart();
    return std::move(places_);
  }

 private:
  [[noreturn]] void fail(const std::string& place, const std::string& problem) const {
    throw InputError(planFile_, place, problem, kPlanRemedy);
  }

  const PlanJson& list(const char* field) const {
    if (!plan_.contains(field) || !plan_[field].is_array()) fail(std::string("/") + field, "is not a list");
    return plan_[field];
  }

  void checkHeader() const {
    requirePlan(plan_, planFile_, scene_.is_object() ? scene_.value("unit", PlanJson()) : PlanJson());
    if (!plan_.contains("duration_s") || !plan_["duration_s"].is_number())
      fail("/duration_s", "is missing or not a number");
  }

  /// The entry of the scene's "parts" with this name; null: several parts of one entry, or none.
  PlanJson* entryOf(const std::string& name) const {
    for (PlanJson& part : scene_["parts"])
      if (part.is_object() && part.value("name", PlanJson()) == name && !part.contains("count")) return &part;
    return nullptr;
  }

  /// True if the scene has a part of this name, itself or as "name 3" of a "count".
  bool hasPart(const std::string& name) const {
    if (entryOf(name) != nullptr) return true;
    return std::any_of(scene_["parts"].begin(), scene_["parts"].end(), [&](const PlanJson& part) {
      if (!part.is_object() || !part.contains("count")) return false;
      const PlanJson stem = part.value("name", PlanJson());
      return stem.is_string() && name.starts_with(stem.get<std::string>() + " ");
    });
  }

  void checkParts() const {
    const PlanJson& steps = list("steps");
    for (std::size_t k = 0; k < steps.size(); ++k) {
      const PlanJson parts = steps[k].is_object() ? steps[k].value("parts", PlanJson()) : PlanJson();
      if (!parts.is_array()) fail(fmt::format("/steps/{}/parts", k), "is not a list");
      for (const PlanJson& part : parts)
        if (!part.is_string() || !hasPart(part.get<std::string>()))
          fail(fmt::format("/steps/{}/parts", k),
               fmt::format("names {}, which is no part of the scene",
                           part.is_string() ? content::inQuotes(part.get<std::string>()) : part.dump()));
    }
  }

  void mergeHands() {
    PlanJson& hands = scene_["hands"];
    if (!hands.is_array()) hands = PlanJson::array();
    for (PlanJson& hand : hands)
      if (hand.is_object()) hand.erase("script");
    const PlanJson& planned = list("hands");
    for (std::size_t k = 0; k < planned.size(); ++k) {
      if (!planned[k].is_object()) fail(fmt::format("/hands/{}", k), "is not an object");
      const auto isSame = [&](const PlanJson& hand) {
        return hand.is_object() && hand.value("name", PlanJson()) == planned[k].value("name", PlanJson());
      };
      const auto found = std::find_if(hands.begin(), hands.end(), isSame);
      const bool isNew = found == hands.end();
      places_.emplace_back(fmt::format("/hands/{}{}", found - hands.begin(), isNew ? "" : "/script"),
                           fmt::format("/hands/{}{}", k, isNew ? "" : "/script"));
      if (isNew)
        hands.push_back(planned[k]);
      else
        (*found)["script"] = planned[k].value("script", PlanJson::array());
    }
  }

  void mergeStart() {
    const PlanJson& start = list("start");
    for (std::size_t k = 0; k < start.size(); ++k) {
      PlanJson& part = partOf(start[k].is_object() ? start[k].value("part", PlanJson()) : PlanJson(),
                              fmt::format("/start/{}/part", k));
      for (const char* field : {"", "/position", "/rotation"})
        if (field[0] == '\0' || start[k].contains(field + 1))
          places_.emplace_back(fmt::format("/parts/{}{}", &part - &scene_["parts"][0], field),
                               fmt::format("/start/{}{}", k, field));
      part["motion"] = "dynamic";
      part.erase("rotation");
      for (const char* field : {"position", "rotation"})
        if (start[k].contains(field)) part[field] = start[k][field];
      for (const char* field : {"velocity_m_per_s", "angular_velocity_rad_per_s"}) part.erase(field);
    }
    const PlanJson& fixed = list("fixed");
    for (std::size_t k = 0; k < fixed.size(); ++k) {
      PlanJson& part = partOf(fixed[k], fmt::format("/fixed/{}", k));
      if (part.value("motion", PlanJson("dynamic")) == "dynamic") part["motion"] = "fixed";
    }
    if (plan_.contains("bench")) {
      if (!plan_["bench"].is_object()) fail("/bench", "is not an object");
      PlanJson bench = {
          {"name", freeName("bench")}, {"motion", "fixed"}, {"shape", {{"kind", "half_space"}}}};
      bench.update(plan_["bench"]);
      if (const PlanJson* first = scene_["parts"].empty() ? nullptr : &scene_["parts"][0];
          first != nullptr && first->contains("material"))
        bench["material"] = (*first)["material"];
      places_.emplace_back(fmt::format("/parts/{}", scene_["parts"].size()), "/bench");
      scene_["parts"].push_back(std::move(bench));
    }
    PlanJson& goals = scene_["goals"];
    if (!goals.is_array()) goals = PlanJson::array();
    const PlanJson& planned = list("goals");
    for (std::size_t k = 0; k < planned.size(); ++k) {
      places_.emplace_back(fmt::format("/goals/{}", goals.size()), fmt::format("/goals/{}", k));
      goals.push_back(planned[k]);
    }
  }

  PlanJson& partOf(const PlanJson& name, const std::string& place) const {
    PlanJson* const part = name.is_string() ? entryOf(name.get<std::string>()) : nullptr;
    if (part == nullptr)
      fail(place,
           fmt::format("names {}, which is no part of its own in the scene (parts of a \"count\" cannot be "
                       "laid out)",
                       name.is_string() ? content::inQuotes(name.get<std::string>()) : name.dump()));
    return *part;
  }

  std::string freeName(const std::string& wanted) const {
    std::string name = wanted;
    for (int k = 2; hasPart(name); ++k) name = fmt::format("{} {}", wanted, k);
    return name;
  }

  PlanJson& scene_;
  const PlanJson& plan_;
  const std::string& planFile_;
  std::vector<std::pair<std::string, std::string>> places_;
};

}  // namespace

std::optional<std::string> PlannedScene::placeInPlan(const std::string& pointer) const {
  const std::pair<std::string, std::string>* best = nullptr;  // the longest of those that contain it
  for (const auto& place : places)
    if ((pointer == place.first || pointer.starts_with(place.first + "/")) &&
        (!best || place.first.size() > best->first.size()))
      best = &place;
  if (!best) return std::nullopt;
  return best->second + pointer.substr(best->first.size());
}

PlannedScene applyPlan(const std::string& sceneText, const std::string& sceneFile,
                       const std::string& planText, const std::string& planFile) {
  PlanJson scene = content::parseJson(sceneText, sceneFile);
  const PlanJson plan = content::parseJson(planText, planFile);
  PlannedScene planned;
  planned.places = PlanMerge(scene, plan, planFile).run();
  planned.text = scene.dump(1) + "\n";
  return planned;
}

namespace {

constexpr std::size_t kMaxLegs = 10000;  ///< of one step

class StepReader {
 public:
  explicit StepReader(const Assembly& assembly) : assembly_(assembly), scene_(*assembly.scene) {
    for (const content::Part& part : scene_.parts) names_.push_back(part.name);
  }

  PlanStep read(const JsonCursor& at) const {
    PlanStep step;
    step.units = unitsOf(at.member("parts"));
    step.lead = at.member("grasp").indexIn(names_, "part");
    step.motion.direction = -at.member("direction").direction();
    step.motion.reason = at.member("along").text(content::kMaxTextBytes);
    step.travel = at.member("travel").length(0, content::kMaxPosition);
    if (const auto pitch = at.find("pitch")) {
      step.motion.pitch = pitch->length(-content::kMaxSize, content::kMaxSize);
      step.motion.thread = at.member("turns").number({0, content::kMaxTurns}) * std::abs(step.motion.pitch);
      step.motion.unit = step.units.front();
    }
    if (const auto path = at.find("path"))
      for (const JsonCursor& entry : path->elements(0, kMaxLegs))
        step.legs.insert(step.legs.begin(), reversedLeg(legOf(entry)));
    if (const auto group = at.find("group"))
      step.group = group->integer(1, static_cast<int>(content::kMaxParts));
    if (const auto onto = at.find("onto")) step.onto = unitsOf(*onto).front();
    return step;
  }

 private:
  PathLeg legOf(const JsonCursor& at) const {
    PathLeg leg{unitsOf(at.member("parts"))};
    leg.displacement = at.member("displacement").position();
    if (const auto rotation = at.find("rotation")) {
      leg.rotation = rotation->member("angle_deg").number({-360, 360}) * std::numbers::pi / 180 *
                     rotation->member("axis").direction();
      leg.center = at.member("about").position();
    }
    return leg;
  }

  std::vector<int> unitsOf(const JsonCursor& list) const {
    std::vector<int> units;
    for (const JsonCursor& entry : list.elements(1, content::kMaxParts)) {
      const int unit = assembly_.unitOf(entry.indexIn(names_, "part"));
      if (unit < 0) entry.fail("is a part that stays in place", kPlanRemedy);
      if (std::find(units.begin(), units.end(), unit) == units.end()) units.push_back(unit);
    }
    std::sort(units.begin(), units.end());
    return units;
  }

  const Assembly& assembly_;
  const content::Scene& scene_;
  std::vector<std::string> names_;
};

}  // namespace

int planBase(const std::string& planText, const std::string& planFile, const content::Scene& scene) {
  const PlanJson plan = content::parseJson(planText, planFile);
  requirePlan(plan, planFile, scene.unit);
  if (!plan.contains("base")) return -1;
  std::vector<std::string> names;
  for (const content::Part& part : scene.parts) names.push_back(part.name);
  content::ReadContext context;
  context.file = planFile;
  return JsonCursor(plan, "", context)
      .member("base")
      .elements(1, content::kMaxParts)
      .front()
      .indexIn(names, "part");
}

std::vector<PlanStep> readPlanSteps(const std::string& planText, const std::string& planFile,
                                    const Assembly& assembly) {
  const PlanJson plan = content::parseJson(planText, planFile);
  const std::string& unit = assembly.scene->unit;
  requirePlan(plan, planFile, unit);
  content::ReadContext context;
  context.file = planFile;
  context.unit = unit;
  if (unit == "mm") context.divisor = 1000;
  if (unit == "in") {
    context.numerator = 254;
    context.divisor = 10000;
  }
  const StepReader reader(assembly);
  std::vector<PlanStep> steps;
  for (const JsonCursor& at : JsonCursor(plan, "", context).member("steps").elements(0, content::kMaxParts))
    steps.push_back(reader.read(at));
  return steps;
}

std::map<std::string, int> planSteps(const std::string& planText, const std::string& planFile) {
  std::map<std::string, int> steps;
  const PlanJson plan = content::parseJson(planText, planFile);
  int number = 0;
  for (const PlanJson& step : plan.at("steps")) {
    ++number;
    for (const PlanJson& part : step.at("parts")) steps[part.get<std::string>()] = number;
  }
  return steps;
}

}  // namespace tenon::runtime
