// The order in which a person writes the fields of a scene file.
#pragma once

#include <array>
#include <string_view>

namespace tenon::content {

inline constexpr std::array<std::string_view, 15> kSceneFields{
    "$schema",          "tenon",          "title",      "description", "unit",
    "gravity_m_per_s2", "damping",        "duration_s", "rate_hz",     "parameters",
    "materials",        "material_pairs", "parts",      "joints",      "goals"};

inline constexpr std::array<std::string_view, 17> kPartFields{"name",
                                                              "count",
                                                              "material",
                                                              "motion",
                                                              "shape",
                                                              "standard",
                                                              "library",
                                                              "thread",
                                                              "color",
                                                              "position",
                                                              "rotation",
                                                              "velocity_m_per_s",
                                                              "angular_velocity_rad_per_s",
                                                              "mass",
                                                              "features",
                                                              "sockets",
                                                              "thrusters"};

inline constexpr std::array<std::string_view, 18> kGoalFields{"name",
                                                              "after",
                                                              "part",
                                                              "feature",
                                                              "into",
                                                              "hole",
                                                              "pose",
                                                              "along",
                                                              "fit",
                                                              "depth",
                                                              "turns",
                                                              "depth_tolerance",
                                                              "tolerance",
                                                              "preload_n",
                                                              "torque_nm",
                                                              "proof_load_n",
                                                              "tilt_tolerance_deg",
                                                              "time_limit_s"};

}  // namespace tenon::content
