// Text of messages: safe quotations, suggestions for misspelled names, small lengths with units.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace tenon::content {

/// `text` escaped by printable(), on one line; text longer than `maxBytes` is truncated with an ellipsis
/// (never inside a UTF-8 character).
std::string oneLine(std::string_view text, std::size_t maxBytes);

/// oneLine() in double quotes, truncated to a length that fits a message.
std::string inQuotes(std::string_view text);

/// In single quotes: one word for bash, zsh, fish and sh.
std::string shellQuoted(std::string_view text);

/// A small length [m] in nm, µm or mm, three significant digits: "0", "0.42 nm", "12.3 µm"; in mm from 1 mm,
/// four digits.
std::string smallLengthText(double length);

/// The first twelve names, quoted and separated by commas.
std::string quotedList(std::span<const std::string> names);

/// The name with the smallest edit distance to `wrong`, or "" if none is similar.
std::string closestName(std::string_view wrong, std::span<const std::string> names);

/// "did you mean …?" if a name is similar, else the list of names.
std::string suggestion(std::string_view wrong, std::span<const std::string> names);

}  // namespace tenon::content
