// See json_cursor.h.
#include "content/input/json_cursor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "content/input/input_error.h"
#include "content/input/limits.h"
#include "content/input/parse_json.h"
#include "content/input/wording.h"

namespace tenon::content {
namespace {

std::string boundsText(const Range& r) {
  const std::string unit = *r.unit == '\0' ? "" : fmt::format(" {}", r.unit);
  const bool low = std::isfinite(r.low), high = std::isfinite(r.high);
  const std::string lower = low ? fmt::format("{} {:g}", r.lowIncluded ? "at least" : "above", r.low) : "";
  const std::string upper = high ? fmt::format("at most {:g}", r.high) : "";
  return lower + (low && high ? " and " : "") + upper + unit;
}

/// Description of a value for messages: "a number", "an object" …
std::string describeValue(const nlohmann::json& value) {
  if (value.is_null()) return "null";
  if (value.is_boolean()) return value.get<bool>() ? "true" : "false";
  if (value.is_number()) return "a number";
  if (value.is_string()) return "the text " + inQuotes(value.get_ref<const std::string&>());
  return value.is_array() ? fmt::format("an array of {}", value.size()) : "an object";
}

}  // namespace

void JsonCursor::fail(const std::string& problem, const std::string& remedy) const {
  const auto index = context_->expressions.index();
  const std::string where = index ? fmt::format(" where index is {}", *index) : "";
  throw InputError(context_->file, pointer_, problem + where, remedy);
}

std::string JsonCursor::inFileUnit(double length) const {
  return fmt::format("{:.6g} {}", length * context_->divisor / context_->numerator, context_->unit);
}

void JsonCursor::wrongType(const std::string& wanted) const {
  fail("is " + describeValue(*value_), "give " + wanted);
}

std::size_t JsonCursor::bytes() const {
  return value_->dump(-1, ' ', false, nlohmann::json::error_handler_t::replace).size();
}

// --- objects -------------------------------------------------------------------------------------

void JsonCursor::expectObject() const {
  if (!value_->is_object()) wrongType("an object, { … }");
}

void JsonCursor::allowOnly(std::initializer_list<const char*> fields) const {
  expectObject();
  const std::vector<std::string> allowed(fields.begin(), fields.end());
  for (const auto& [name, value] : value_->items()) {
    if (std::find(allowed.begin(), allowed.end(), name) != allowed.end()) continue;
    JsonCursor(value, pointer_ + referenceToken(name), *context_)
        .fail("is not a field of this object", suggestion(name, allowed));
  }
}

bool JsonCursor::has(const char* field) const {
  return value_->is_object() && value_->contains(field);
}

void JsonCursor::reportMissing(std::initializer_list<const char*> fields) const {
  expectObject();
  std::vector<std::string> missing;
  for (const char* field : fields)
    if (!value_->contains(field)) missing.emplace_back(field);
  if (missing.size() > 1)
    fail("lacks " + quotedList(missing), "add them (see content/schema/scene.schema.json)");
}

std::optional<JsonCursor> JsonCursor::find(const char* field) const {
  expectObject();
  const auto found = value_->find(field);
  if (found == value_->end()) return std::nullopt;
  return JsonCursor(*found, pointer_ + referenceToken(field), *context_);
}

JsonCursor JsonCursor::member(const char* field, const std::string& hint) const {
  if (const auto found = find(field)) return *found;
  JsonCursor(*value_, pointer_ + referenceToken(field), *context_)
      .fail("is missing",
            hint.empty() ? fmt::format("add \"{}\" (see content/schema/scene.schema.json)", field) : hint);
}

// --- arrays --------------------------------------------------------------------------------------

bool JsonCursor::isArray() const {
  return value_->is_array();
}

std::vector<JsonCursor> JsonCursor::elements(std::size_t low, std::size_t high) const {
  const std::string wanted = low == high ? fmt::format("an array of {}", low)
                             : low == 0  ? fmt::format("an array of at most {}", high)
                                         : fmt::format("an array of {} to {}", low, high);
  if (!value_->is_array() || value_->size() < low || value_->size() > high) wrongType(wanted);
  std::vector<JsonCursor> cursors;
  cursors.reserve(value_->size());
  for (std::size_t k = 0; k < value_->size(); ++k) {
    cursors.emplace_back((*value_)[k], fmt::format("{}/{}", pointer_, k), *context_);
  }
  return cursors;
}

// --- numbers -------------------------------------------------------------------------------------

double JsonCursor::checked(double value, const Range& range) const {
  const bool tooLow = range.lowIncluded ? value < range.low : value <= range.low;
  if (tooLow || !(value <= range.high)) {
    fail(fmt::format("is {:g}", value), "give a number " + boundsText(range));
  }
  return value;
}

double JsonCursor::literalNumber(const Range& range) const {
  if (!value_->is_number()) wrongType("a number");
  return checked(value_->get<double>(), range);
}

double JsonCursor::number(const Range& range) const {
  if (value_->is_number()) return literalNumber(range);
  if (!value_->is_string()) wrongType("a number or \"=expression\"");
  const auto& text = value_->get_ref<const std::string&>();
  if (text.empty() || text[0] != '=') wrongType("a number, or an expression that begins with =");
  if (text.size() > kMaxExpressionBytes) {
    fail("is an expression that is too long", fmt::format("use at most {} characters", kMaxExpressionBytes));
  }
  double value = 0;
  try {
    value = context_->expressions.evaluate(text.substr(1));
  } catch (const ExpressionError& error) {
    fail(fmt::format("cannot compute {}: {}", inQuotes(text), error.what()),
         "use numbers, + - * / ^ ( ), functions and the names of \"parameters\"");
  }
  return checked(value, range);
}

int JsonCursor::integer(int low, int high) const {
  const double value = number({static_cast<double>(low), static_cast<double>(high)});
  // All digits in the message: 20.000000000000004 must not appear as 20.
  if (value != std::floor(value)) fail(fmt::format("is {}", value), "give a whole number");
  return static_cast<int>(value);
}

double JsonCursor::length(double low, double high, bool lowIncluded) const {
  const double units = context_->divisor / context_->numerator;  // per meter
  const double value = number({low * units, high * units, lowIncluded, context_->unit.c_str()});
  return value * context_->numerator / context_->divisor;
}

double JsonCursor::positiveLength() const {
  return length(kMinSize, kMaxSize);
}

double JsonCursor::angle(double low, double high) const {
  return number({low, high, true, "degrees"}) * std::numbers::pi / 180.0;
}

Eigen::Vector3d JsonCursor::vector(const Range& range) const {
  const auto xyz = elements(3, 3);
  return {xyz[0].number(range), xyz[1].number(range), xyz[2].number(range)};
}

Eigen::Vector3d JsonCursor::position() const {
  const auto xyz = elements(3, 3);
  Eigen::Vector3d p;
  for (int k = 0; k < 3; ++k) p[k] = xyz[static_cast<std::size_t>(k)].length(-kMaxPosition, kMaxPosition);
  return p;
}

Eigen::Vector3d JsonCursor::direction() const {
  const Eigen::Vector3d d = vector({-1e6, 1e6});
  if (!(d.norm() > 1e-6)) fail("has no length", "give a direction such as [0, 0, 1]");
  return d.normalized();
}

Eigen::Quaterniond JsonCursor::rotation() const {
  allowOnly({"axis", "angle_deg"});
  const Eigen::Vector3d axis = member("axis").direction();
  return physics::exponential(member("angle_deg").angle(-360, 360) * axis);
}

physics::Pose JsonCursor::pose() const {
  physics::Pose X;
  if (const auto p = find("position")) X.p = p->position();
  if (const auto q = find("rotation")) X.q = q->rotation();
  return X;
}

// --- texts ---------------------------------------------------------------------------------------

bool JsonCursor::isText() const {
  return value_->is_string();
}

std::string JsonCursor::text(std::size_t maxBytes) const {
  if (!value_->is_string()) wrongType("a text in quotes");
  const auto& text = value_->get_ref<const std::string&>();
  if (text.size() > maxBytes) fail("is too long", fmt::format("use at most {} bytes", maxBytes));
  return text;
}

std::string JsonCursor::name() const {
  const std::string name = text(kMaxNameBytes);
  const auto isControl = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; };
  if (name.empty()) fail("is an empty name", "give it at least one letter");
  if (std::any_of(name.begin(), name.end(), isControl)) {
    fail("is a name with control characters", "use letters, digits and signs");
  }
  return name;
}

bool JsonCursor::isText(std::string_view text) const {
  return value_->is_string() && value_->get_ref<const std::string&>() == text;
}

bool JsonCursor::isFalse() const {
  return value_->is_boolean() && !value_->get<bool>();
}

bool JsonCursor::boolean() const {
  if (!value_->is_boolean()) wrongType("true or false");
  return value_->get<bool>();
}

std::size_t JsonCursor::choice(std::initializer_list<const char*> words) const {
  const std::vector<std::string> choices(words.begin(), words.end());
  if (!value_->is_string()) wrongType("one of " + quotedList(choices));
  const auto& word = value_->get_ref<const std::string&>();
  const auto found = std::find(choices.begin(), choices.end(), word);
  if (found == choices.end()) fail("is " + inQuotes(word), "choose one of " + quotedList(choices));
  return static_cast<std::size_t>(found - choices.begin());
}

int JsonCursor::indexIn(const std::vector<std::string>& names, std::string_view what) const {
  const std::string wanted = text(kMaxTextBytes);
  const auto found = std::find(names.begin(), names.end(), wanted);
  if (found == names.end())
    fail(fmt::format("names no {}: {}", what, inQuotes(wanted)), suggestion(wanted, names));
  return static_cast<int>(found - names.begin());
}

}  // namespace tenon::content
