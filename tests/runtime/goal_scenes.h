// Small scenes about a plate, for tests of verdicts: what is dropped, leaned, or brought to the wrong hole.
#pragma once

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

namespace tenon::tests {

/// In mm: a plate 20 thick, its upper face at z = 0, with holes Ø8.4, chamfered by 1, at x = 0 ("left") and
/// x = 40 ("right"); a bench under it, its face at z = `bench`. Friction 0.12.
inline nlohmann::json plateScene(double duration, double bench = -26) {
  const auto hole = [](const char* name, double x) {
    return nlohmann::json{{"name", name},
                          {"at", {x, 0}},
                          {"diameter", 8.4},
                          {"through", true},
                          {"chamfer", {{"width", 1}, {"angle_deg", 45}}}};
  };
  nlohmann::json scene = nlohmann::json::parse(R"({"tenon": 1, "title": "plate", "unit": "mm",
      "materials": [{"name": "steel", "density_kg_per_m3": 7850}],
      "material_pairs": [{"materials": ["steel", "steel"], "friction": 0.12}],
      "parts": [
        {"name": "plate", "material": "steel", "motion": "fixed", "position": [0, 0, -10],
         "shape": {"kind": "block", "size": [200, 80, 20]}},
        {"name": "bench", "material": "steel", "motion": "fixed", "position": [0, 0, -31],
         "shape": {"kind": "box", "size": [600, 400, 10]}}]})");
  scene["duration_s"] = duration;
  scene["parts"][1]["position"][2] = bench - 5;
  scene["parts"][0]["shape"]["holes"] = {hole("left", 0), hole("right", 40)};
  return scene;
}

/// Adds a part whose tip, at its lower end, belongs into a hole of the plate.
inline void addGoal(nlohmann::json& scene, nlohmann::json part, const char* hole, double depth,
                    double tolerance) {
  part["material"] = "steel";
  scene["goals"] = {{{"part", part["name"]},
                     {"feature", "tip"},
                     {"into", "plate"},
                     {"hole", hole},
                     {"depth", depth},
                     {"depth_tolerance", tolerance},
                     {"tilt_tolerance_deg", 0.2}}};
  scene["parts"].push_back(std::move(part));
}

/// A dowel Ø8 × 14, its lower end at the given place.
inline nlohmann::json dowelAt(double x, double z) {
  nlohmann::json part = nlohmann::json::parse(R"({"name": "dowel", "shape": {"kind": "turned",
      "profile": [[0, 0], [0, 3.5], [0.5, 4], [14, 4], [14, 0]]},
      "features": [{"name": "tip", "origin": [0, 0, 0], "direction": [0, 0, -1]}]})");
  part["position"] = {x, 0, z};
  return part;
}

/// An M8 × 30 screw, under its head at the given place.
inline nlohmann::json screwAt(double x, double z) {
  nlohmann::json part = nlohmann::json::parse(R"({"name": "screw", "shape": {"kind": "turned",
      "profile": [[-30, 0], [-30, 3], [-29, 4], [0, 4], [0, 6.5], [8, 6.5], [8, 0]]},
      "features": [{"name": "tip", "origin": [0, 0, -30], "direction": [0, 0, -1]}]})");
  part["position"] = {x, 0, z};
  return part;
}

/// A hand that holds the last part from the start, 4 mm above its origin, moves it to (x, 0, from) and from
/// there, within a second, to (x, 0, to), tilted about y; holds it there for a second; and releases it where
/// that is wanted.
inline void addHand(nlohmann::json& scene, double x, double from, double to, double tilt_deg, bool releases) {
  const nlohmann::json& part = scene["parts"].back();
  const nlohmann::json grip = {x, 0, part["position"][2].get<double>() + 4};
  const nlohmann::json place = {{"frame", "part"},
                                {"position", {x, 0, to}},
                                {"rotation", {{"axis", {0, 1, 0}}, {"angle_deg", tilt_deg}}}};
  nlohmann::json last = {{"at_s", 2.5}, {"move", place}};
  if (releases) last["release"] = true;
  nlohmann::json hand = {{"name", "right"}, {"position", grip}};
  hand["script"] = nlohmann::json::array(
      {nlohmann::json{{"at_s", 0}, {"grab", part["name"]}},
       nlohmann::json{{"at_s", 0.5}, {"move", {{"frame", "part"}, {"position", {x, 0, from}}}}},
       nlohmann::json{{"at_s", 1.5}, {"move", place}}, last});
  scene["hands"] = nlohmann::json::array({hand});
}

inline std::string writtenTo(const std::string& file, const nlohmann::json& scene) {
  std::ofstream(file) << scene.dump(1);
  return file;
}

}  // namespace tenon::tests
