// Columns that line up, on a terminal or in a Markdown file.
#pragma once

#include <string>
#include <vector>

namespace tenon::runtime {

/// Places that text takes on a terminal: UTF-8 characters, without colour codes.
std::size_t displayWidth(const std::string& text);

class TextTable {
 public:
  explicit TextTable(std::vector<std::string> heading) : rows_{std::move(heading)} {}

  /// As many cells as the heading has.
  void add(std::vector<std::string> cells);

  /// Aligned lines, each after `indent` spaces; two spaces between columns.
  std::string text(std::size_t indent) const;

  /// A Markdown table; "|" and line ends in cells are escaped.
  std::string markdown() const;

 private:
  std::vector<std::vector<std::string>> rows_;  // the heading first
};

}  // namespace tenon::runtime
