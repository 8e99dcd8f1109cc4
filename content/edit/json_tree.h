// Where the values of a JSON text with comments are: the tree of its values as ranges of bytes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::content {

/// A value in a text, and its name if it is a member of an object. Ranges are bytes [begin, end).
struct JsonNode {
  enum class Kind { object, array, scalar };
  Kind kind = Kind::scalar;
  std::size_t begin = 0, end = 0;    ///< of the value
  std::string name;                  ///< of a member, unescaped; empty for elements
  std::size_t first = 0;             ///< start of the name of a member, else `begin`
  std::vector<JsonNode> children{};  ///< in the order of the text

  const JsonNode* find(std::string_view member) const;
};

/// The tree of a text that parseJson() has accepted.
JsonNode scanJson(std::string_view text);

/// The first position from `at` on that is neither white space nor in a comment.
std::size_t skipToToken(std::string_view text, std::size_t at);

/// The end of the blanks and comments from `at` on that end in the same line: at a line break, the end of the
/// text, or another token (after its blanks).
std::size_t skipInLine(std::string_view text, std::size_t at);

}  // namespace tenon::content
