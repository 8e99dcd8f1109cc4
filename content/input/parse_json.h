// Text to JSON values, stricter than JSON itself: no duplicate name in an object, at most kMaxNesting levels,
// no number outside the range of a double. Comments, // to the end of the line and /* … */, are accepted.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace tenon::content {

/// Throws InputError with line and column if `text` is not JSON, and with the JSON pointer of a
/// duplicate name.
nlohmann::json parseJson(const std::string& text, const std::string& file);

/// The same, with the names of objects in the order of the text.
nlohmann::ordered_json parseOrderedJson(const std::string& text, const std::string& file);

/// One reference token of a JSON pointer (RFC 6901): "/name" with ~ and / escaped.
std::string referenceToken(const std::string& name);

}  // namespace tenon::content
