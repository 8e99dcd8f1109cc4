// A small scene with every kind of entry; tests modify one value at a time.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "content/reader/load_scene.h"

namespace tenon::content::test {

inline nlohmann::json smallScene() {
  return nlohmann::json::parse(R"({
    "tenon": 1, "title": "small", "unit": "mm", "duration_s": 2, "rate_hz": 500,
    "gravity_m_per_s2": [0, 0, -9.8], "damping": {"linear_per_s": "=lift / 10", "angular_per_s": 0.25},
    "parameters": [
      {"name": "gap_um", "unit": "um", "default": 50, "minimum": 0, "maximum": 500, "description": "play"},
      {"name": "lift", "unit": "mm", "default": 5, "minimum": 1, "maximum": 9}
    ],
    "materials": [{"name": "steel", "density_kg_per_m3": 7850}, {"name": "oak", "density_kg_per_m3": 700}],
    "material_pairs": [{"materials": ["steel", "oak"], "friction": 0.3, "restitution": 0.1, "stiffness_n_per_m": 2e8}],
    "parts": [
      {"name": "block", "material": "oak", "motion": "fixed", "position": [0, 0, -10],
       "shape": {"kind": "block", "size": [60, 40, 20], "sectors": 64, "holes": [
         {"name": "left", "at": [-15, 0], "diameter": "=8 + gap_um / 1000", "through": true,
          "chamfer": {"width": 1, "depth": 1.5}},
         {"name": "right", "at": [15, 0], "diameter": 9, "depth": 12,
          "chamfer": {"width": 1, "angle_deg": 45}}]}},
      {"name": "pin", "material": "steel", "position": [-15, 0, "=10 + lift"],
       "shape": {"kind": "cylinder", "diameter": 8, "length": 20},
       "features": [{"name": "tip", "origin": [0, 0, -10], "direction": [0, 0, -2]}],
       "thrusters": [{"name": "up", "key": "I", "position": [0, 0, -10], "force_n": [0, 0, "=lift"]},
                     {"name": "aside", "key": "L", "force_n": [2, 0, 0], "axes": "world"}]},
      {"name": "cart", "motion": "kinematic", "position": [0, 100, 0], "velocity_m_per_s": [0.1, 0, 0],
       "shape": {"kind": "sphere", "diameter": 10}},
      {"name": "floor", "motion": "fixed", "position": [0, 0, -50], "shape": {"kind": "half_space"}},
      {"name": "lump", "position": [0, -100, 0],
       "mass": {"mass_kg": 0.2, "centre": [0, 0, 1], "inertia_kg_m2": [3e-5, 4e-5, 5e-5]},
       "shape": {"kind": "compound", "children": [
         {"shape": {"kind": "box", "size": [10, 20, 30]}, "position": [0, 0, -15]},
         {"shape": {"kind": "capsule", "diameter": 6, "length": 20}, "position": [0, 0, 3],
          "rotation": {"axis": [1, 0, 0], "angle_deg": 90}}]}},
      {"name": "ball", "count": 3, "material": "steel", "position": ["=20 * index", 200, 0],
       "shape": {"kind": "sphere", "diameter": "=5 + index"}}
    ],
    "joints": [
      {"name": "pivot", "kind": "hinge", "part": "lump", "position": [0, 0, 5], "axis": [0, 2, 0],
       "limits": {"angle_deg": [-30, 60]}},
      {"name": "thread", "kind": "helical", "part": "pin", "to": "cart", "position": [1, 2, 3],
       "pitch": -1.25, "limits": {"travel": [-2, 5]}, "collides": true}
    ],
    "hands": [
      {"name": "right", "position": [-15, 0, 40], "stiffness_n_per_m": [1000, 1500, 2000],
       "angular_stiffness_nm_per_rad": 3, "damping_ratio": 0.8, "max_force_n": 100, "max_torque_nm": 5,
       "break_distance": 50, "carries_weight": false,
       "script": [
         {"at_s": 0.2, "grab": "pin"},
         {"at_s": 1, "move": {"frame": "part", "position": [-15, 0, -5]}},
         {"at_s": 1.2, "release": true}]}
    ],
    "goals": [{"part": "pin", "feature": "tip", "into": "block", "hole": "left", "depth": 15,
               "depth_tolerance": 0.1, "tilt_tolerance_deg": 1}]
  })");
}

/// Reads a document as the file "small.json".
inline Scene parsed(const nlohmann::json& document, const ParameterValues& values = {}) {
  return parseScene(document.dump(), "small.json", values);
}

/// The error of a text, or "".
inline std::string errorFor(const std::string& text, const ParameterValues& values = {}) {
  try {
    parseScene(text, "small.json", values);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace tenon::content::test
