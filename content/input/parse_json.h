// Text to JSON values, stricter than JSON itself: no name twice in an object, nothing nested beyond
// reason, no number beyond a double.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace tenon::content {

/// Throws InputError with line and column where `text` is not JSON, and with the JSON pointer where
/// a name stands twice.
nlohmann::json parseJson(const std::string& text, const std::string& file);

/// One step of a JSON pointer (RFC 6901): "/name" with ~ and / escaped.
std::string referenceToken(const std::string& name);

}  // namespace tenon::content
