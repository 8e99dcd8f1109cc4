// See designation.h.
#include "content/parts/designation.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <string_view>
#include <utility>

#include "content/input/wording.h"
#include "content/parts/standard_part.h"

namespace tenon::content {
namespace {

constexpr std::array kFamilies{PartFamily::iso4762, PartFamily::iso4014, PartFamily::iso4017,
                               PartFamily::iso4032, PartFamily::iso7089, PartFamily::iso2338,
                               PartFamily::iso2936};
constexpr std::array<const char*, 7> kNumbers{"4762", "4014", "4017", "4032", "7089", "2338", "2936"};

bool hasLength(PartFamily family) {
  return family != PartFamily::iso4032 && family != PartFamily::iso7089 && family != PartFamily::iso2936;
}

std::string familyName(PartFamily family) {
  return std::string("ISO ") + kNumbers[static_cast<std::size_t>(family)];
}

/// National standards replaced by ISO standards.
struct Withdrawn {
  const char* name;  ///< normalized: "DIN" and the number
  PartFamily family;
  const char* note;  ///< what changed; may be empty
};

constexpr const char* kOtherWidths = ", with other widths across flats of M10, M12, M14 and M22";

constexpr std::array kWithdrawn{
    Withdrawn{"DIN912", PartFamily::iso4762, ""},
    Withdrawn{"DIN931", PartFamily::iso4014, kOtherWidths},
    Withdrawn{"DIN933", PartFamily::iso4017, kOtherWidths},
    Withdrawn{"DIN934", PartFamily::iso4032, kOtherWidths},
    Withdrawn{"DIN125", PartFamily::iso7089, ""},
    Withdrawn{"DIN911", PartFamily::iso2936, ""},
};

/// Upper case without blanks and hyphens; × as X, "DIN EN ISO" as ISO.
std::string normalized(const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.compare(i, 2, "×") == 0) {
      result += 'X';
      ++i;
    } else if (text[i] != ' ' && text[i] != '-') {
      result += static_cast<char>(std::toupper(static_cast<unsigned char>(text[i])));
    }
  }
  for (const std::string_view prefix : {"DINENISO", "DINISO", "ENISO"})
    if (result.starts_with(prefix)) return result.substr(prefix.size() - 3);
  return result;
}

std::optional<double> numberIn(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

/// Throws UnknownPart for a withdrawn standard.
void rejectWithdrawn(const std::string& text) {
  const std::string name = normalized(text);
  for (const Withdrawn& old : kWithdrawn) {
    const std::string_view number = old.name;
    if (!name.starts_with(number)) continue;
    std::string rest = name.substr(number.size());
    if (!rest.empty() && rest[0] >= '0' && rest[0] <= '9') continue;
    if (rest.starts_with("AM")) rest.erase(0, 1);  // form A, the one without a chamfer
    std::replace(rest.begin(), rest.end(), 'X', 'x');
    const std::string_view digits = number.substr(3);
    throw UnknownPart(
        fmt::format("{}: DIN {} has been replaced by {}{}", inQuotes(text), digits, familyName(old.family),
                    old.note),
        fmt::format("write {}", inQuotes(familyName(old.family) + (rest.empty() ? "" : " " + rest))));
  }
}

std::string sizesOf(PartFamily family) {
  std::string sizes;
  const auto add = [&](std::string_view name) { sizes.append(sizes.empty() ? "" : ", ").append(name); };
  if (family == PartFamily::iso2338)
    for (const PinSize& pin : pinSizes()) add(fmt::format("{:g}", pin.d));
  else if (family == PartFamily::iso2936)
    for (const KeySize& key : keySizes()) add(fmt::format("{:g}", key.s));
  else
    for (const ThreadSize& size : threadSizes()) add(size.name);
  return sizes;
}

/// Shortest and longest available length of a size [mm].
std::pair<double, double> rangeOf(const Designation& d) {
  switch (d.family) {
    case PartFamily::iso4762:
      return {d.thread->socketHead.shortest, d.thread->socketHead.longest};
    case PartFamily::iso4014:
      return {d.thread->hexHead.shortest4014, d.thread->hexHead.longest4014};
    case PartFamily::iso4017:
      return {d.thread->hexHead.shortest4017, d.thread->hexHead.longest4017};
    case PartFamily::iso2338:
      return {d.pin->shortest, d.pin->longest};
    default:
      return {0, 0};
  }
}

}  // namespace

std::optional<PartFamily> findFamily(const std::string& text) {
  const std::string designation = normalized(text);
  for (const PartFamily family : kFamilies) {
    const std::string number = kNumbers[static_cast<std::size_t>(family)];
    if (designation.rfind("ISO" + number, 0) == 0) return family;
  }
  return std::nullopt;
}

PartFamily familyOf(const std::string& text) {
  if (const auto family = findFamily(text)) return *family;
  rejectWithdrawn(text);
  throw UnknownPart(fmt::format("{} is not a standard of the library", inQuotes(text)),
                    "use ISO 4762, 4014, 4017, 4032, 7089, 2338 or 2936, such as \"ISO 4762 M8x30\"");
}

std::vector<double> lengthsOf(const Designation& d) {
  const auto [shortest, longest] = rangeOf(d);
  std::vector<double> lengths;
  for (const double length : d.family == PartFamily::iso2338 ? pinLengths() : screwLengths())
    if (length >= shortest && length <= longest) lengths.push_back(length);
  return lengths;
}

std::string numberList(const std::vector<double>& numbers) {
  std::string text;
  for (const double x : numbers) text += fmt::format("{}{:g}", text.empty() ? "" : ", ", x);
  return text;
}

Designation parseDesignation(const std::string& text) {
  Designation d;
  d.family = familyOf(text);
  const std::string rest = normalized(text).substr(7);  // after "ISO4762"
  const std::size_t cross = rest.find('X');
  const std::string size = rest.substr(0, cross);
  const std::string family = familyName(d.family);
  if (d.family == PartFamily::iso2338) {
    const auto diameter = numberIn(size.rfind('M', 0) == 0 ? size.substr(1) : size);
    d.pin = diameter ? findPin(*diameter) : nullptr;
  } else if (d.family == PartFamily::iso2936) {
    const auto width = numberIn(size);
    d.key = width ? findKey(*width) : nullptr;
  } else {
    d.thread = findThread(size);
  }
  if (!d.pin && !d.thread && !d.key)
    throw UnknownPart(fmt::format("{} has no size {}", family, inQuotes(size)),
                      "sizes are " + sizesOf(d.family));
  if (!hasLength(d.family)) {
    if (cross != rest.npos)
      throw UnknownPart(fmt::format("{} has no lengths", family), "write " + inQuotes(family + " " + size));
    return d;
  }
  const auto length = cross == rest.npos ? std::nullopt : numberIn(std::string_view(rest).substr(cross + 1));
  const std::vector<double> lengths = lengthsOf(d);
  const std::string available =
      fmt::format("{} {} is available {} mm long", family, size, numberList(lengths));
  if (!length) throw UnknownPart(fmt::format("{} has no length", inQuotes(text)), available);
  if (std::find(lengths.begin(), lengths.end(), *length) == lengths.end())
    throw UnknownPart(fmt::format("{} {} is not available {:g} mm long", family, size, *length), available);
  d.length = *length;
  return d;
}

std::string designationText(const Designation& d) {
  const std::string size = d.pin   ? fmt::format("{:g}", d.pin->d)
                           : d.key ? fmt::format("{:g}", d.key->s)
                                   : std::string(d.thread->name);
  return familyName(d.family) + " " + size + (d.length > 0 ? fmt::format("x{:g}", d.length) : "");
}

}  // namespace tenon::content
