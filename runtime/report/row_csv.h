// Rows of named values as CSV.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace tenon::runtime {

/// RFC 4180: a line with the names of the values of `sample`, an object, then a line for each object in
/// `rows`; null as an empty field, texts as of csvField().
std::string csvOf(const nlohmann::ordered_json& sample, const nlohmann::ordered_json& rows);

}  // namespace tenon::runtime
