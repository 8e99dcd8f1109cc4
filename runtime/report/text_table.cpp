// Pads by display width, not by bytes.
#include "runtime/report/text_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <string_view>

#include "content/input/printable.h"

namespace tenon::runtime {

std::size_t displayWidth(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    const bool continues = (static_cast<unsigned char>(c) & 0xC0) == 0x80;
    return !continues;
  }));
}

std::string escapeMarkdown(const std::string& text) {
  std::string out;
  for (const char c : content::printable(text)) {
    if (c == '<')
      out += "&lt;";
    else if (c == '&')
      out += "&amp;";
    else if (std::string_view("|[]`*\\").find(c) != std::string_view::npos)
      out += std::string("\\") + c;
    else
      out += c;
  }
  return out;
}

void TextTable::add(std::vector<std::string> cells) {
  assert(cells.size() == rows_.front().size());
  for (std::string& cell : cells) cell = content::printable(cell);
  rows_.push_back(std::move(cells));
}

void TextTable::paint(std::size_t column, Color color) {
  if (color != Color::none) paints_.push_back({rows_.size() - 1, column, color});
}

std::string TextTable::painted(std::size_t row, std::size_t column) const {
  for (const Paint& paint : paints_)
    if (paint.row == row && paint.column == column)
      return fmt::format("\x1b[{}m{}\x1b[0m", static_cast<int>(paint.color), rows_[row][column]);
  return rows_[row][column];
}

std::string TextTable::text(std::size_t indent) const {
  std::vector<std::size_t> widths(rows_.front().size());
  for (const auto& row : rows_)
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], displayWidth(row[c]));
  std::string text;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    std::string line(indent, ' ');
    for (std::size_t c = 0; c < rows_[r].size(); ++c)
      line += painted(r, c) + std::string(widths[c] - displayWidth(rows_[r][c]) + 2, ' ');
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string TextTable::markdown() const {
  std::string text;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    text += "|";
    for (const std::string& cell : rows_[r]) text += " " + escapeMarkdown(cell) + " |";
    text += "\n";
    if (r > 0) continue;
    text += "|";
    for (std::size_t c = 0; c < rows_[r].size(); ++c) text += " --- |";
    text += "\n";
  }
  return text;
}

}  // namespace tenon::runtime
