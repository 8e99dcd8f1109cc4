// Escapes untrusted text (from a file, a name, an argument) for output.
#pragma once

#include <string>
#include <string_view>

namespace tenon::content {

enum class LineEndings { escaped, preserved };

/// `text` with all characters escaped that a terminal, an editor or a spreadsheet would interpret or hide.
/// Control characters, invisible characters and those that change the direction of text become \uXXXX
/// (UTF-16, as in JSON); bytes that are not UTF-8 become \xXX. Idempotent.
std::string printable(std::string_view text, LineEndings lineEndings = LineEndings::escaped);

}  // namespace tenon::content
