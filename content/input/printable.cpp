// Decodes UTF-8 strictly (Unicode 15, table 3-7) and looks each character up in a table of ranges.
#include "content/input/printable.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>

namespace tenon::content {
namespace {

struct Range {
  std::uint32_t first, last;
};

/// Controls (Unicode category Cc), format characters (Cf), separators of lines and paragraphs, fillers that
/// have no shape, noncharacters of the first plane.
constexpr std::array kEscaped{
    Range{0x00, 0x1F},       Range{0x7F, 0x9F},       Range{0xAD, 0xAD},       Range{0x34F, 0x34F},
    Range{0x600, 0x605},     Range{0x61C, 0x61C},     Range{0x6DD, 0x6DD},     Range{0x70F, 0x70F},
    Range{0x890, 0x891},     Range{0x8E2, 0x8E2},     Range{0x115F, 0x1160},   Range{0x17B4, 0x17B5},
    Range{0x180B, 0x180F},   Range{0x200B, 0x200F},   Range{0x2028, 0x202E},   Range{0x2060, 0x206F},
    Range{0x3164, 0x3164},   Range{0xFDD0, 0xFDEF},   Range{0xFEFF, 0xFEFF},   Range{0xFFA0, 0xFFA0},
    Range{0xFFF9, 0xFFFB},   Range{0xFFFE, 0xFFFF},   Range{0x110BD, 0x110BD}, Range{0x110CD, 0x110CD},
    Range{0x13430, 0x1343F}, Range{0x1BCA0, 0x1BCA3}, Range{0x1D173, 0x1D17A}, Range{0xE0000, 0xE0FFF},
};

bool isEscaped(std::uint32_t character) {
  return std::any_of(kEscaped.begin(), kEscaped.end(),
                     [&](const Range& range) { return character >= range.first && character <= range.last; });
}

/// A character and how many bytes it has; 0 bytes: none begins here.
struct Decoded {
  std::uint32_t character = 0;
  std::size_t bytes = 0;
};

Decoded decoded(std::string_view text) {
  const auto byte = [&](std::size_t k) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(text[k]));
  };
  const std::uint32_t lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < bytes) return {};
  std::uint32_t character = lead & (0xFFU >> (bytes + 1));
  for (std::size_t k = 1; k < bytes; ++k) {
    if ((byte(k) & 0xC0U) != 0x80) return {};
    character = character << 6 | (byte(k) & 0x3FU);
  }
  const bool overlong = (bytes == 3 && character < 0x800) || (bytes == 4 && character < 0x10000);
  const bool surrogate = character >= 0xD800 && character <= 0xDFFF;
  if (overlong || surrogate || character > 0x10FFFF) return {};
  return {character, bytes};
}

std::string escapeOf(std::uint32_t character) {
  if (character < 0x10000) return fmt::format("\\u{:04x}", character);
  const std::uint32_t rest = character - 0x10000;
  return fmt::format("\\u{:04x}\\u{:04x}", 0xD800 + (rest >> 10), 0xDC00 + (rest & 0x3FFU));
}

}  // namespace

std::string printable(std::string_view text, LineEndings lineEnds) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Decoded next = decoded(text);
    const bool isKept = lineEnds == LineEndings::preserved && next.character == '\n';
    if (next.bytes == 0)
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text.front()));
    else if (isEscaped(next.character) && !isKept)
      out += escapeOf(next.character);
    else
      out += text.substr(0, next.bytes);
    text.remove_prefix(std::max<std::size_t>(1, next.bytes));
  }
  return out;
}

}  // namespace tenon::content
