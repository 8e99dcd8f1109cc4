// Words for messages: quoting what a file said without letting it spoil the line, guessing what was meant,
// and saying small lengths.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace tenon::content {

/// `text` as printable() has it, on one line and, where longer than `maxBytes`, cut short with an ellipsis
/// (never inside a UTF-8 character).
std::string oneLine(std::string_view text, std::size_t maxBytes);

/// oneLine() in double quotes, short enough to sit inside a message.
std::string inQuotes(std::string_view text);

/// A small length [m] in nm, µm or mm, three significant digits: "0", "0.42 nm", "12.3 µm"; in mm from 1 mm,
/// four digits.
std::string smallLengthText(double length);

/// The names quoted and separated by commas, at most twelve of them.
std::string quotedList(std::span<const std::string> names);

/// The name closest to `wrong` by edits, or "" where none is near enough to be meant.
std::string nearest(std::string_view wrong, std::span<const std::string> names);

/// "did you mean …?" where a name is near, else what the names are.
std::string suggestion(std::string_view wrong, std::span<const std::string> names);

}  // namespace tenon::content
