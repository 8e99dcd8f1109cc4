// Tables of the HTML report about the scene itself: parts, fits.
#pragma once

#include <string>

#include "runtime/report/scene_survey.h"

namespace tenon::runtime {

/// Parts list: quantity, name, designation, material, mass; equal parts in one row.
std::string partsTable(const SceneSurvey& survey);

/// Fit and clearance of each goal; empty without goals of round holes.
std::string fitsTable(const SceneSurvey& survey);

}  // namespace tenon::runtime
