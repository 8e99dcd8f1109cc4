// Nesting limit of JSON text, checked before a recursive library parses it.
#pragma once

#include <string>
#include <string_view>

namespace tenon::content {

/// Throws InputError with line and column if more than kMaxNesting arrays and objects are nested. Checks
/// nothing else: text that is not JSON may pass. Call it before a recursive reader, and before a parsed value
/// is copied: a file of a few megabytes could overflow the stack.
void checkNesting(std::string_view text, const std::string& file);

}  // namespace tenon::content
