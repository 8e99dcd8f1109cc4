// Merges a plan file into the text of its scene.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "content/input/input_error.h"
#include "content/input/parse_json.h"
#include "content/input/wording.h"
#include "runtime/plan/plan_json.h"

namespace tenon::runtime {

namespace {

using PlanJson = nlohmann::json;
using content::InputError;

class PlanMerge {
 public:
  PlanMerge(PlanJson& scene, const PlanJson& plan, const std::string& planFile)
      : scene_(scene), plan_(plan), planFile_(planFile) {}

  void run() {
    checkHeader();
    // The reader of scenes reports these.
    if (!scene_.is_object() || !scene_.contains("parts") || !scene_["parts"].is_array()) return;
    checkParts();
    mergeHands();
    scene_["duration_s"] = plan_.at("duration_s");
    if (scene_.contains("goals") && scene_["goals"].is_array())
      for (PlanJson& goal : scene_["goals"])
        if (goal.is_object()) goal.erase("time_limit_s");
    if (plan_.contains("start")) mergeStart();
  }

 private:
  [[noreturn]] void fail(const std::string& place, const std::string& problem) const {
    throw InputError(planFile_, place, problem, "make the plan again with 'tenon plan'");
  }

  const PlanJson& list(const char* field) const {
    if (!plan_.contains(field) || !plan_[field].is_array()) fail(std::string("/") + field, "is not a list");
    return plan_[field];
  }

  void checkHeader() const {
    if (!plan_.is_object() || !plan_.contains("tenon_plan"))
      throw InputError(planFile_, "", "is not a plan: it has no \"tenon_plan\"",
                       "give the file that 'tenon plan SCENE --out PLAN.json' wrote");
    if (plan_["tenon_plan"] != 1) fail("/tenon_plan", "is another version than 1");
    if (!plan_.contains("duration_s") || !plan_["duration_s"].is_number())
      fail("/duration_s", "is missing or not a number");
    if (!scene_.is_object()) return;
    if (plan_.value("unit", PlanJson()) != scene_.value("unit", PlanJson()))
      fail("/unit", "is not the unit of the scene");
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
      if (found == hands.end())
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
      scene_["parts"].push_back(std::move(bench));
    }
    PlanJson& goals = scene_["goals"];
    if (!goals.is_array()) goals = PlanJson::array();
    for (const PlanJson& goal : list("goals")) goals.push_back(goal);
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
};

}  // namespace

std::string applyPlan(const std::string& sceneText, const std::string& sceneFile, const std::string& planText,
                      const std::string& planFile) {
  PlanJson scene = content::parseJson(sceneText, sceneFile);
  const PlanJson plan = content::parseJson(planText, planFile);
  PlanMerge(scene, plan, planFile).run();
  return scene.dump(1) + "\n";
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
