// Text from outside (a file, a name, an argument), made safe to print.
#pragma once

#include <string>
#include <string_view>

namespace tenon::content {

enum class LineEndings { escaped, preserved };

/// `text` with everything escaped that a terminal, an editor or a spreadsheet would obey or hide instead of
/// showing it. Control characters, and characters that are invisible or change the direction of text, become
/// \uXXXX (UTF-16, as in JSON); bytes that are not UTF-8 become \xXX. Applied twice it changes nothing more.
std::string printable(std::string_view text, LineEndings lineEnds = LineEndings::escaped);

}  // namespace tenon::content
