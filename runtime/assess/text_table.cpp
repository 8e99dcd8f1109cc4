// Pads by what is seen, not by bytes.
#include "runtime/assess/text_table.h"

#include <algorithm>
#include <cassert>

namespace tenon::runtime {

std::size_t displayWidth(const std::string& text) {
  std::size_t width = 0;
  bool inCode = false;
  for (const char c : text) {
    if (c == '\x1b') inCode = true;
    const bool continues = (static_cast<unsigned char>(c) & 0xC0) == 0x80;
    if (!inCode && !continues) ++width;
    if (c == 'm') inCode = false;
  }
  return width;
}

void TextTable::add(std::vector<std::string> cells) {
  assert(cells.size() == rows_.front().size());
  rows_.push_back(std::move(cells));
}

std::string TextTable::text(std::size_t indent) const {
  std::vector<std::size_t> widths(rows_.front().size());
  for (const auto& row : rows_)
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], displayWidth(row[c]));
  std::string text;
  for (const auto& row : rows_) {
    std::string line(indent, ' ');
    for (std::size_t c = 0; c < row.size(); ++c)
      line += row[c] + std::string(widths[c] - displayWidth(row[c]) + 2, ' ');
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string TextTable::markdown() const {
  std::string text;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    text += "|";
    for (const std::string& cell : rows_[r]) {
      text += " ";
      for (const char c : cell) text += c == '|' ? "\\|" : c == '\n' ? " " : std::string(1, c);
      text += " |";
    }
    text += "\n";
    if (r > 0) continue;
    text += "|";
    for (std::size_t c = 0; c < rows_[r].size(); ++c) text += " --- |";
    text += "\n";
  }
  return text;
}

}  // namespace tenon::runtime
