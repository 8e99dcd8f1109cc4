// A scanner by recursive descent; the text is valid, so it only finds where values begin and end.
#include "content/edit/json_tree.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace tenon::content {

namespace {

bool isBlank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/// The end of the comment at `at`; `at` itself if there is none. A line comment ends before its line break.
std::size_t commentEnd(std::string_view text, std::size_t at) {
  const std::string_view begin = text.substr(std::min(at, text.size()), 2);
  if (begin == "//") return std::min(text.find('\n', at), text.size());
  if (begin == "/*") return std::min(text.find("*/", at + 2), text.size() - 2) + 2;
  return at;
}

/// The end of the string whose opening quote is at `at`.
std::size_t stringEnd(std::string_view text, std::size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at)
    if (text[at] == '\\') ++at;
  return std::min(at + 1, text.size());
}

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  JsonNode value() {
    at_ = skipToToken(text_, at_);
    JsonNode node;
    node.begin = node.first = at_;
    if (at_ >= text_.size()) {
      node.end = at_;
      return node;
    }
    const char c = text_[at_];
    if (c == '{' || c == '[') {
      container(node, c == '{' ? '}' : ']');
    } else if (c == '"') {
      at_ = stringEnd(text_, at_);
    } else {
      at_ = std::min(text_.find_first_of(",]}/ \t\r\n", at_), text_.size());
    }
    node.end = at_;
    return node;
  }

 private:
  void container(JsonNode& node, char close) {
    node.kind = close == '}' ? JsonNode::Kind::object : JsonNode::Kind::array;
    for (++at_;;) {
      at_ = skipToToken(text_, at_);
      if (at_ >= text_.size()) return;
      if (text_[at_] == close) break;
      if (text_[at_] == ',') {
        ++at_;
        continue;
      }
      node.children.push_back(close == '}' ? member() : value());
    }
    ++at_;
  }

  JsonNode member() {
    const std::size_t first = at_;
    at_ = stringEnd(text_, at_);
    const std::string name =
        nlohmann::json::parse(text_.substr(first, at_ - first), nullptr, false).get<std::string>();
    at_ = skipToToken(text_, at_) + 1;  // the colon
    JsonNode node = value();
    node.name = name;
    node.first = first;
    return node;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

const JsonNode* JsonNode::find(std::string_view member) const {
  for (const JsonNode& child : children)
    if (kind == Kind::object && child.name == member) return &child;
  return nullptr;
}

JsonNode scanJson(std::string_view text) {
  return Scanner(text).value();
}

std::size_t skipToToken(std::string_view text, std::size_t at) {
  for (;;) {
    while (at < text.size() && (isBlank(text[at]) || text.substr(at).starts_with("\xef\xbb\xbf"))) ++at;
    const std::size_t end = commentEnd(text, at);
    if (end == at) return std::min(at, text.size());
    at = end;
  }
}

std::size_t skipInLine(std::string_view text, std::size_t at) {
  for (;;) {
    const std::size_t from = at;
    while (at < text.size() && text[at] != '\n' && isBlank(text[at])) ++at;
    const std::size_t end = commentEnd(text, at);
    if (text.substr(at, end - at).find('\n') != std::string_view::npos) return from;
    if (end == at) return at;
    at = end;
  }
}

}  // namespace tenon::content
