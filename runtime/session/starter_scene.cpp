// See starter_scene.h.
#include "runtime/session/starter_scene.h"

#include <nlohmann/json.hpp>

#include <string_view>

namespace tenon::runtime {

namespace {

constexpr std::string_view kTitle = "@TITLE@";

constexpr std::string_view kText =
    R"json(// A scene of Tenon: a pin goes into a hole. Change it, and try it out:
//
//   tenon check FILE      sizes, masses, fits, and what is wrong
//   tenon preview FILE    a window: move parts with the mouse, P plays the script
//   tenon run FILE        the script of the hand, and a verdict for each goal
//
// Comments like this one are ignored. All fields are described in content/schema/scene.schema.json.
{
  "tenon": 1,                       // version of the format
  "title": "@TITLE@",
  "unit": "mm",                     // of every length in this file: "mm", "m" or "in"
  "duration_s": 3,                  // of a run
  "rate_hz": 1000,                  // steps per second

  // Numbers that `--set NAME=VALUE` and studies change. Any number below may be an expression of them: "=NAME".
  "parameters": [
    {
      "name": "offset_mm", "unit": "mm", "default": 0.2, "minimum": 0, "maximum": 1,
      "description": "How far beside the hole's axis the hand starts to insert the pin."
    },
    {
      "name": "friction", "unit": "1", "default": 0.12, "minimum": 0, "maximum": 1,
      "description": "Coulomb's coefficient of friction: 0.12 for lightly oiled steel."
    }
  ],

  "materials": [{"name": "steel", "density_kg_per_m3": 7850}],
  "material_pairs": [{"materials": ["steel", "steel"], "friction": "=friction"}],

  "parts": [
    // Where parts start to fall, something should lie below them.
    {"name": "bench", "motion": "fixed", "shape": {"kind": "half_space"}, "position": [0, 0, -20]},
    {
      "name": "block",
      "material": "steel",
      "motion": "fixed",            // "dynamic" parts move (this is the default), "fixed" ones do not
      "shape": {
        "kind": "block",            // a cuboid with exact holes; z is up, its center is the part's origin
        "size": [60, 60, 20],
        "holes": [{"name": "hole", "at": [0, 0], "diameter": 8, "chamfer": {"width": 0.5, "angle_deg": 45}, "through": true}]
      },
      "position": [0, 0, -10]       // so the top of the block is at z = 0
    },
    {
      // From the library (`tenon parts list`). Your own part: "shape": {"kind": "mesh", "file": "part.step"}
      "name": "pin",
      "standard": "ISO 2338 8x30",  // its tip points down, along -z
      "material": "steel",
      "position": [45, 0, -5]
    }
  ],

  // What is to be achieved. The fit sets both diameters, within their tolerances.
  "goals": [
    {
      "part": "pin", "feature": "tip", "into": "block", "hole": "hole", "fit": "H7/g6",
      "depth": 20, "depth_tolerance": 1, "tilt_tolerance_deg": 0.5
    }
  ],

  // Scripted hands: where they are at which time. "frame": "part" gives the pose of the held part, else the hand's.
  "hands": [
    {
      "name": "right",
      "position": [45, 0, 60],
      "script": [
        {"at_s": 0.4, "move": {"position": [45, 0, 8]}, "grab": "pin"},
        {"at_s": 0.9, "move": {"frame": "part", "position": [45, 0, 30]}},
        {"at_s": 1.4, "move": {"frame": "part", "position": ["=offset_mm", 0, 17]}},
        {"at_s": 2.4, "move": {"frame": "part", "position": [0, 0, -4.5]}},
        {"at_s": 2.6, "release": true},
        {"at_s": 3.0, "move": {"position": [0, 0, 60]}}
      ]
    }
  ]
}
)json";

}  // namespace

std::string starterScene(const std::string& title) {
  std::string text(kText);
  // As a JSON string without its quotes: any title stays valid.
  const std::string quoted =
      nlohmann::json(title).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  text.replace(text.find(kTitle), kTitle.size(), quoted.substr(1, quoted.size() - 2));
  return text;
}

}  // namespace tenon::runtime
