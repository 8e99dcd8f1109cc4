// Decodes UTF-8 strictly (Unicode 15, table 3-7) and searches each character in a table of ranges.
#include "content/input/printable.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>

namespace tenon::content {
namespace {

struct CharacterRange {
  std::uint32_t first, last;
};

/// Controls (Unicode category Cc), format characters (Cf), line and paragraph separators, invisible fillers,
/// noncharacters of the first plane.
constexpr std::array kEscaped{
    CharacterRange{0x00, 0x1F},       CharacterRange{0x7F, 0x9F},       CharacterRange{0xAD, 0xAD},
    CharacterRange{0x34F, 0x34F},     CharacterRange{0x600, 0x605},     CharacterRange{0x61C, 0x61C},
    CharacterRange{0x6DD, 0x6DD},     CharacterRange{0x70F, 0x70F},     CharacterRange{0x890, 0x891},
    CharacterRange{0x8E2, 0x8E2},     CharacterRange{0x115F, 0x1160},   CharacterRange{0x17B4, 0x17B5},
    CharacterRange{0x180B, 0x180F},   CharacterRange{0x200B, 0x200F},   CharacterRange{0x2028, 0x202E},
    CharacterRange{0x2060, 0x206F},   CharacterRange{0x3164, 0x3164},   CharacterRange{0xFDD0, 0xFDEF},
    CharacterRange{0xFEFF, 0xFEFF},   CharacterRange{0xFFA0, 0xFFA0},   CharacterRange{0xFFF9, 0xFFFB},
    CharacterRange{0xFFFE, 0xFFFF},   CharacterRange{0x110BD, 0x110BD}, CharacterRange{0x110CD, 0x110CD},
    CharacterRange{0x13430, 0x1343F}, CharacterRange{0x1BCA0, 0x1BCA3}, CharacterRange{0x1D173, 0x1D17A},
    CharacterRange{0xE0000, 0xE0FFF},
};

bool isEscaped(std::uint32_t character) {
  return std::any_of(kEscaped.begin(), kEscaped.end(), [&](const CharacterRange& range) {
    return character >= range.first && character <= range.last;
  });
}

/// A code point and its length [bytes]; 0 bytes: no valid character begins here.
struct DecodedCharacter {
  std::uint32_t character = 0;
  std::size_t bytes = 0;
};

DecodedCharacter decode(std::string_view text) {
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

std::string printable(std::string_view text, LineEndings lineEndings) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const DecodedCharacter next = decode(text);
    const bool isPreserved = lineEndings == LineEndings::preserved && next.character == '\n';
    if (next.bytes == 0)
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text.front()));
    else if (isEscaped(next.character) && !isPreserved)
      out += escapeOf(next.character);
    else
      out += text.substr(0, next.bytes);
    text.remove_prefix(std::max<std::size_t>(1, next.bytes));
  }
  return out;
}

}  // namespace tenon::content
