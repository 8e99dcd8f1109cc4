// Tables with aligned columns for a terminal or a Markdown file.
#pragma once

#include <string>
#include <vector>

namespace tenon::runtime {

/// Width of text on a terminal: number of UTF-8 characters.
std::size_t displayWidth(const std::string& text);

/// SGR codes of a terminal (ECMA-48).
enum class Color : int { none = 0, red = 31, green = 32, yellow = 33 };

/// `text`, possibly from a file, for a line of Markdown: markup and HTML are escaped.
std::string escapeMarkdown(const std::string& text);

class TextTable {
 public:
  explicit TextTable(std::vector<std::string> heading) : rows_{std::move(heading)} {}

  /// Adds a row with as many cells as the heading. Text from files is escaped by content::printable().
  void add(std::vector<std::string> cells);
  /// Colors a cell of the last row, in text() only.
  void paint(std::size_t column, Color color);

  /// Aligned lines with `indent` leading spaces and two spaces between columns.
  std::string text(std::size_t indent) const;

  /// A Markdown table; cells are escaped by escapeMarkdown().
  std::string markdown() const;

 private:
  struct Paint {
    std::size_t row, column;
    Color color;
  };
  std::string painted(std::size_t row, std::size_t column) const;

  std::vector<std::vector<std::string>> rows_;  // heading first
  std::vector<Paint> paints_;
};

}  // namespace tenon::runtime
