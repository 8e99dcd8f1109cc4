// See wording.h.
#include "content/input/wording.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "content/input/printable.h"

namespace tenon::content {
namespace {

constexpr std::size_t kQuotedBytes = 60;
constexpr std::size_t kListedNames = 12;

bool continuesCharacter(char c) {
  return (static_cast<unsigned char>(c) & 0xC0u) == 0x80u;
}

/// Levenshtein's distance: insertions, deletions and replacements that turn a into b.
std::size_t editDistance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string oneLine(std::string_view text, std::size_t maxBytes) {
  std::size_t end = std::min(text.size(), maxBytes);
  for (int k = 0; k < 3 && end > 0 && end < text.size() && continuesCharacter(text[end]); ++k) --end;
  const std::string line = printable(text.substr(0, end));
  return end < text.size() ? line + "…" : line;
}

std::string shellQuoted(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'')
      quoted += "'\\''";
    else
      quoted += c;
  }
  return quoted + "'";
}

std::string smallLengthText(double length) {
  const double size = std::abs(length);
  if (size == 0) return "0";
  if (size < 1e-12) return fmt::format("{:.1g} nm", length * 1e9);
  if (size < 0.9995e-6) return fmt::format("{:.3g} nm", length * 1e9);
  if (size < 0.9995e-3) return fmt::format("{:.3g} µm", length * 1e6);
  return fmt::format("{:.4g} mm", length * 1e3);
}

std::string inQuotes(std::string_view text) {
  return '"' + oneLine(text, kQuotedBytes) + '"';
}

std::string quotedList(std::span<const std::string> names) {
  std::string list;
  for (std::size_t k = 0; k < std::min(names.size(), kListedNames); ++k) {
    list += (k > 0 ? ", " : "") + inQuotes(names[k]);
  }
  return names.size() > kListedNames ? list + ", …" : list;
}

std::string closestName(std::string_view wrong, std::span<const std::string> names) {
  if (wrong.size() > kQuotedBytes) return "";
  std::string best;
  std::size_t fewest = 1 + std::max<std::size_t>(2, wrong.size() / 2);
  for (const std::string& name : names) {
    const bool oneContainsOther =
        wrong.size() > 2 && (name.find(wrong) != name.npos || wrong.find(name) != wrong.npos);
    const std::size_t edits = oneContainsOther ? 1 : editDistance(wrong, name);
    // Names that share no letter are not similar.
    if (edits < fewest && edits < std::max(wrong.size(), name.size())) {
      fewest = edits;
      best = name;
    }
  }
  return best;
}

std::string suggestion(std::string_view wrong, std::span<const std::string> names) {
  if (names.empty()) return "there are none to choose from";
  const std::string closest = closestName(wrong, names);
  return closest.empty() ? "choose one of " + quotedList(names) : "did you mean " + inQuotes(closest) + "?";
}

}  // namespace tenon::content
