// See json_style.h.
#include "content/edit/json_style.h"

#include <cmath>
#include <nlohmann/json.hpp>

namespace tenon::content {

namespace {

using Json = nlohmann::ordered_json;

std::string scalarText(const Json& scalar) {
  return scalar.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string onOneLine(const Json& value) {
  if (!value.is_structured()) return scalarText(value);
  std::string text;
  for (const auto& [name, child] : value.items()) {
    if (!text.empty()) text += ", ";
    if (value.is_object()) text += scalarText(name) + ": ";
    text += onOneLine(child);
  }
  return value.is_object() ? "{" + text + "}" : "[" + text + "]";
}

}  // namespace

std::string styled(const Json& value, std::size_t indent, std::size_t column) {
  std::string line = onOneLine(value);
  if (!value.is_structured() || value.empty() || column + line.size() < kStyleWidth) return line;
  const std::string deeper(indent + 2, ' ');
  std::string text = value.is_object() ? "{" : "[";
  bool first = true;
  for (const auto& [name, child] : value.items()) {
    const std::string label = value.is_object() ? scalarText(name) + ": " : "";
    text += (first ? "\n" : ",\n") + deeper + label;
    text += styled(child, indent + 2, deeper.size() + label.size());
    first = false;
  }
  return text + "\n" + std::string(indent, ' ') + (value.is_object() ? "}" : "]");
}

Json number(double value) {
  const double rounded = std::round(value * 1e9) / 1e9;
  if (std::abs(rounded) < 1e15 && rounded == std::round(rounded)) return std::llround(rounded);
  return std::abs(value) < 1e6 ? rounded : value;
}

}  // namespace tenon::content
