// See parse_json.h.
#include "content/input/parse_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <vector>

#include "content/input/input_error.h"
#include "content/input/limits.h"
#include "content/input/wording.h"

namespace tenon::content {
namespace {

using nlohmann::json;

constexpr bool kIgnoreComments = true;

/// The problem and the expected token of nlohmann's message "… - problem; last read: '…'; expected …".
/// Drops the last token read, which may be megabytes long.
std::string syntaxProblem(const std::string& what) {
  const std::size_t dash = what.find(" - ");
  if (dash == what.npos) return "not readable as JSON";
  const std::string tail = what.substr(dash + 3);
  const std::size_t lastRead = tail.find("; last read: ");
  const std::size_t expected = tail.rfind("; expected ");
  std::string problem = tail.substr(0, std::min(lastRead, expected));
  if (expected != tail.npos) problem += ", where " + tail.substr(expected + 11) + " was expected";
  return problem;
}

/// A frequent mistake and its remedy.
struct Mistake {
  std::string problem, remedy;
};

/// The frequent mistake at the position `at` where the parser stopped; empty for any other one.
std::optional<Mistake> mistakeAt(std::string_view text, std::size_t at) {
  const std::string_view rest = text.substr(std::min(at, text.size()));
  if (rest.starts_with("#") || (at > 0 && text.substr(at - 1).starts_with("--")))  // may begin a number
    return Mistake{"no comment can begin like this", "begin it with //, or write it between /* and */"};
  if (rest.starts_with("'"))
    return Mistake{"a text in single quotes", "JSON takes double quotes only: \"…\""};
  const std::size_t before = text.substr(0, at).find_last_not_of(" \t\r\n");
  const bool afterComma = before != text.npos && text[before] == ',';
  if (afterComma && (rest.starts_with("}") || rest.starts_with("]")))
    return Mistake{fmt::format("a comma before the closing {}", rest[0]), "remove the comma"};
  if (afterComma && rest.starts_with(",")) return Mistake{"two commas in a row", "remove one of them"};
  return std::nullopt;
}

/// True for UTF-16 and UTF-32: a byte order mark, or one zero byte among the first two (Latin letters).
bool isWideText(std::string_view text) {
  if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff")) return true;
  return text.size() >= 2 && (text[0] == '\0') != (text[1] == '\0');
}

/// Builds the JSON value from the events of the parser.
class TreeBuilder : public nlohmann::json_sax<json> {
 public:
  TreeBuilder(const std::string& text, const std::string& file) : text_(text), file_(file) {}

  json root;

  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(number_integer_t value) override { return add(value); }
  bool number_unsigned(number_unsigned_t value) override { return add(value); }
  bool number_float(number_float_t value, const string_t&) override { return add(value); }
  bool string(string_t& value) override { return add(std::move(value)); }
  bool binary(binary_t&) override { return false; }  // never in text
  bool start_object(std::size_t) override { return open(json::object()); }
  bool start_array(std::size_t) override { return open(json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& name) override {
    Level& level = levels_.back();
    level.name = name;
    if (level.container->contains(name)) {
      throw InputError(file_, pointer(), "occurs twice in the same object",
                       "keep one and rename or remove the other");
    }
    return true;
  }

  bool parse_error(std::size_t position, const std::string&, const json::exception& error) override {
    const std::size_t end = std::min(position == 0 ? 0 : position - 1, text_.size());
    const std::size_t newline = end == 0 ? text_.npos : text_.rfind('\n', end - 1);
    const std::size_t lineStart = newline == text_.npos ? 0 : newline + 1;
    const auto line = 1 + std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(end), '\n');
    const std::string where = fmt::format("line {}, column {}", line, 1 + end - lineStart);
    constexpr int kNumberOverflow = 406;
    if (error.id == kNumberOverflow) {
      throw InputError(file_, where, "a number is too large to be represented", "give a finite number");
    }
    if (const auto mistake = mistakeAt(text_, end))
      throw InputError(file_, where, "not valid JSON: " + mistake->problem, mistake->remedy);
    const std::string problem = syntaxProblem(error.what());
    const bool isEncoding = problem.find("ill-formed UTF-8") != problem.npos;
    throw InputError(file_, where, "not valid JSON: " + problem,
                     isEncoding ? "save the file as UTF-8" : "correct the text there");
  }

 private:
  /// An object or array that is not closed yet, and the name of its next value.
  struct Level {
    json* container;
    std::string name;
  };

  json* insert(json&& value) {
    if (levels_.empty()) return &(root = std::move(value));
    Level& level = levels_.back();
    if (level.container->is_array()) {
      level.container->push_back(std::move(value));
      return &level.container->back();
    }
    return &((*level.container)[level.name] = std::move(value));
  }

  bool add(json&& value) {
    insert(std::move(value));
    return true;
  }

  bool open(json&& container) {
    if (levels_.size() == kMaxNesting) {
      throw InputError(file_, pointer(), fmt::format("nested more than {} deep", kMaxNesting),
                       "reduce the nesting, or look for brackets that are not closed");
    }
    levels_.push_back({insert(std::move(container)), ""});
    return true;
  }

  bool close() {
    levels_.pop_back();
    return true;
  }

  /// JSON pointer of the next value. The innermost array does not contain it yet; the outer ones contain the
  /// open container.
  std::string pointer() const {
    std::string path;
    for (const Level& level : levels_) {
      const std::size_t count = level.container->size();
      const std::size_t index = &level == &levels_.back() ? count : count - 1;
      path += level.container->is_array() ? fmt::format("/{}", index) : referenceToken(level.name);
    }
    return path;
  }

  const std::string& text_;
  const std::string& file_;
  std::vector<Level> levels_;
};

}  // namespace

json parseJson(const std::string& text, const std::string& file) {
  if (text.find_first_not_of(" \t\r\n") == text.npos) {
    throw InputError(file, "", "is empty", "give a scene file (format: content/schema/scene.schema.json)");
  }
  if (isWideText(text)) throw InputError(file, "", "is UTF-16 text, not UTF-8", "save it as UTF-8");
  TreeBuilder builder(text, file);
  json::sax_parse(text, &builder, json::input_format_t::json, true, kIgnoreComments);
  return std::move(builder.root);
}

nlohmann::ordered_json parseOrderedJson(const std::string& text, const std::string& file) {
  parseJson(text, file);
  return nlohmann::ordered_json::parse(text, nullptr, true, kIgnoreComments);
}

std::string referenceToken(const std::string& name) {
  std::string step = "/";
  for (const char c : name) {
    if (c == '~') {
      step += "~0";
    } else if (c == '/') {
      step += "~1";
    } else {
      step += c;
    }
  }
  return step;
}

}  // namespace tenon::content
