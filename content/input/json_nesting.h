// How deep JSON text nests, before a library that recurses reads it.
#pragma once

#include <string>
#include <string_view>

namespace tenon::content {

/// Throws InputError, with line and column, where more than kMaxNesting arrays and objects stand inside each
/// other. Looks at nothing else: text that is no JSON may pass. Needed before a reader that follows the
/// nesting with function calls, and before a parsed value is copied: a file of some megabytes would use up
/// the stack.
void checkNesting(std::string_view text, const std::string& file);

}  // namespace tenon::content
