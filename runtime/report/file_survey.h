// What each file of a folder becomes as a part: the table of tenon check --each.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "content/reader/part_file.h"

namespace tenon::runtime {

/// A part of a file as a row: {"file", "product", "usable", "problem", "seconds", "surfaces", …}, with the
/// data of meshJson() if it is usable. `file`: its name in the table.
nlohmann::ordered_json fileRow(const std::string& file, const content::FilePart& part);

/// The row of a file, or of a product of it, whose reading ended without a result.
nlohmann::ordered_json failedRow(const std::string& file, const std::string& product,
                                 const std::string& problem, double seconds);

/// The rows as a table with a summary, and a line end; `color`: for a terminal with colors.
std::string fileTable(const std::vector<nlohmann::ordered_json>& rows, bool color);

/// The holes and ends of the rows with their places as a table, in millimeters; empty if there are none.
std::string fileSiteTable(const std::vector<nlohmann::ordered_json>& rows);

/// True if every row is usable.
bool areUsable(const std::vector<nlohmann::ordered_json>& rows);

}  // namespace tenon::runtime
