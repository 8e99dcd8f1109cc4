// JSON as a person writes it: short values on one line, vectors on one line, numbers without needless digits.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace tenon::content {

/// Widest line that a value is written on [characters].
inline constexpr std::size_t kStyleWidth = 110;

/// `value` as text: on one line if it ends before kStyleWidth, else one member or element a line, two blanks
/// deeper than `indent`. `column`: where its first line begins. Invalid UTF-8 becomes U+FFFD.
std::string styled(const nlohmann::ordered_json& value, std::size_t indent, std::size_t column);

/// A number with at most nine decimals, an integer if it is one.
nlohmann::ordered_json number(double value);

}  // namespace tenon::content
