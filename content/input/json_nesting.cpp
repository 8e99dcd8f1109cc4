// Counts brackets outside strings and comments.
#include "content/input/json_nesting.h"

#include <fmt/format.h>

#include <algorithm>

#include "content/input/input_error.h"
#include "content/input/limits.h"

namespace tenon::content {
namespace {

[[noreturn]] void failAt(std::string_view before, const std::string& file) {
  const std::size_t newline = before.rfind('\n');
  const std::size_t lineStart = newline == before.npos ? 0 : newline + 1;
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  throw InputError(file, fmt::format("line {}, column {}", line, 1 + before.size() - lineStart),
                   fmt::format("nested more than {} deep", kMaxNesting),
                   "reduce the nesting, or look for brackets that are not closed");
}

/// Last byte of the comment that begins at `from`; `from` if none does.
std::size_t endOfComment(std::string_view text, std::size_t from) {
  const std::string_view rest = text.substr(from);
  const bool line = rest.starts_with("//");
  if (!line && !rest.starts_with("/*")) return from;
  const std::size_t end = rest.find(line ? "\n" : "*/", 2);
  return end == rest.npos ? text.size() : from + end + (line ? 0 : 1);
}

}  // namespace

void checkNesting(std::string_view text, const std::string& file) {
  std::size_t depth = 0;
  bool inString = false;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const char c = text[k];
    if (!inString && c == '/') {
      k = endOfComment(text, k);
    } else if (c == '"') {
      inString = !inString;
    } else if (inString) {
      if (c == '\\') ++k;
    } else if (c == '[' || c == '{') {
      if (++depth > kMaxNesting) failAt(text.substr(0, k), file);
    } else if ((c == ']' || c == '}') && depth > 0) {
      --depth;
    }
  }
}

}  // namespace tenon::content
