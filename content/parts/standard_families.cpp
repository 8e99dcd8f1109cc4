// Tables of the standard families: see standard_part.h.
#include <fmt/format.h>

#include <initializer_list>

#include "content/parts/designation.h"
#include "content/parts/standard_part.h"
#include "content/parts/standard_tables.h"

namespace tenon::content {
namespace {

std::vector<std::string> headingsOf(PartFamily family) {
  switch (family) {
    case PartFamily::iso4762:
      return {"pitch", "head Ø", "head height", "socket", "socket depth", "thread length", "lengths"};
    case PartFamily::iso4014:
    case PartFamily::iso4017:
      return {"pitch", "across flats", "head height", "thread length", "lengths"};
    case PartFamily::iso4032:
      return {"pitch", "across flats", "height"};
    case PartFamily::iso7089:
      return {"hole Ø", "outer Ø", "thickness"};
    case PartFamily::iso2338:
      return {"chamfer", "lengths"};
    case PartFamily::iso2936:
      return {"long arm", "short arm"};
  }
  return {};
}

std::vector<std::string> dimensionsOf(const Designation& d) {
  const auto text = [](std::initializer_list<double> values) {
    std::vector<std::string> texts;
    for (const double value : values) texts.push_back(fmt::format("{:g}", value));
    return texts;
  };
  std::vector<std::string> row;
  switch (d.family) {
    case PartFamily::iso4762: {
      const auto& h = d.thread->socketHead;
      row = text({d.thread->pitch, h.dk, h.k, h.s, h.t, h.threadLength});
      break;
    }
    case PartFamily::iso4014:
      row = text({d.thread->pitch, d.thread->hexHead.s, d.thread->hexHead.k, d.thread->hexHead.threadLength});
      break;
    case PartFamily::iso4017:
      row = text({d.thread->pitch, d.thread->hexHead.s, d.thread->hexHead.k});
      row.emplace_back("all");
      break;
    case PartFamily::iso4032:
      return text({d.thread->pitch, d.thread->hexHead.s, d.thread->nut.m});
    case PartFamily::iso7089:
      return text({d.thread->washer.d1, d.thread->washer.d2, d.thread->washer.h});
    case PartFamily::iso2338:
      row = text({d.pin->chamfer});
      break;
    case PartFamily::iso2936:
      return text({d.key->l1, d.key->l2});
  }
  row.push_back(numberList(lengthsOf(d)));
  return row;
}

}  // namespace

std::vector<StandardFamily> standardFamilies() {
  const char* screw = "origin under the head, shank along -z; features tip, seat, drive";
  return {
      {"ISO 4762", "hexagon socket head cap screw", "M3 … M16", "ISO 4762 M8x30", screw},
      {"ISO 4014", "hexagon head bolt", "M3 … M16", "ISO 4014 M8x50", screw},
      {"ISO 4017", "hexagon head screw, thread to the head", "M3 … M16", "ISO 4017 M8x30", screw},
      {"ISO 4032", "hexagon nut", "M3 … M16", "ISO 4032 M8",
       "origin in the center, axis along z; hole thread; features bottom, top"},
      {"ISO 7089", "plain washer", "M3 … M16", "ISO 7089 M8",
       "origin in the center, axis along z; hole hole; features bottom, top"},
      {"ISO 2338", "parallel pin", "3 … 16", "ISO 2338 8x30",
       "origin in the center, axis along z; features tip (below), end (above)"},
      {"ISO 2936", "hexagon socket screw key", "2.5 … 14", "ISO 2936 6",
       "origin in the tip of the short arm, which lies along z, the long one along x; features tip, end"}};
}

FamilyTable familyTable(const std::string& text) {
  const PartFamily family = familyOf(text);
  FamilyTable table{standardFamilies()[static_cast<std::size_t>(family)], headingsOf(family), {}};
  const auto add = [&](Designation d, const std::string& size) {
    d.family = family;
    table.rows.push_back({size, dimensionsOf(d)});
  };
  if (family == PartFamily::iso2338)
    for (const PinSize& size : pinSizes()) add({.pin = &size}, fmt::format("{:g}", size.d));
  else if (family == PartFamily::iso2936)
    for (const KeySize& size : keySizes()) add({.key = &size}, fmt::format("{:g}", size.s));
  else
    for (const ThreadSize& size : threadSizes()) add({.thread = &size}, std::string(size.name));
  return table;
}

}  // namespace tenon::content
