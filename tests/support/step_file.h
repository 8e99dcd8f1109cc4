// STEP files made by OpenCASCADE while a test runs.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace tenon::tests {

/// "" where STEP files can be made, else what is missing, for GTEST_SKIP().
std::string stepIsMissing();

/// Writes `file`: one of the kinds of tests/support/step/make_step.cpp with its numbers [mm]; `unit` is that
/// of the file ("MM", "INCH", "M"). False where that went wrong.
bool makeStep(const std::string& kind, const std::string& file, const std::vector<double>& numbers = {},
              const std::string& unit = "MM");

/// A scene whose only part, of a density of 1 kg/m³, is the file "part.step" beside it.
nlohmann::json onePartScene();

}  // namespace tenon::tests
