// Columns that line up, on a terminal or in a Markdown file.
#pragma once

#include <string>
#include <vector>

namespace tenon::runtime {

/// Places that text takes on a terminal: UTF-8 characters.
std::size_t displayWidth(const std::string& text);

/// SGR codes of a terminal (ECMA-48).
enum class Color : int { none = 0, red = 31, green = 32, yellow = 33 };

/// `text`, which may be from a file, for a line of Markdown: what would be markup or HTML is escaped.
std::string escapeMarkdown(const std::string& text);

class TextTable {
 public:
  explicit TextTable(std::vector<std::string> heading) : rows_{std::move(heading)} {}

  /// As many cells as the heading has. They may be from a file: kept as content::printable() has them.
  void add(std::vector<std::string> cells);
  /// Gives a cell of the last row a color, in text() alone.
  void paint(std::size_t column, Color color);

  /// Aligned lines, each after `indent` spaces; two spaces between columns.
  std::string text(std::size_t indent) const;

  /// A Markdown table; cells as escapeMarkdown() has them.
  std::string markdown() const;

 private:
  struct Paint {
    std::size_t row, column;
    Color color;
  };
  std::string painted(std::size_t row, std::size_t column) const;

  std::vector<std::vector<std::string>> rows_;  // the heading first
  std::vector<Paint> paints_;
};

}  // namespace tenon::runtime
