// Every edit replaces ranges of bytes and scans the text again, which takes a millisecond for a long scene.
#include "content/edit/json_text.h"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <utility>

#include "content/edit/json_style.h"
#include "content/input/parse_json.h"

namespace tenon::content {

namespace {

using Json = nlohmann::ordered_json;

/// The first reference token of a JSON pointer, unescaped (RFC 6901); removes it from `pointer`.
std::string firstToken(std::string_view& pointer) {
  pointer.remove_prefix(1);
  const std::size_t end = std::min(pointer.find('/'), pointer.size());
  std::string token;
  for (std::size_t k = 0; k < end; ++k) {
    const bool escaped = pointer[k] == '~' && k + 1 < end;
    token += escaped ? (pointer[++k] == '1' ? '/' : '~') : pointer[k];
  }
  pointer.remove_prefix(end);
  return token;
}

const JsonNode* childOf(const JsonNode& node, const std::string& token) {
  if (node.kind == JsonNode::Kind::object) return node.find(token);
  std::size_t index = node.children.size();
  std::from_chars(token.data(), token.data() + token.size(), index);
  return index < node.children.size() ? &node.children[index] : nullptr;
}

/// Splits off the last token: the pointer of the container, and the member's name.
std::pair<std::string, std::string> parentAndName(const std::string& pointer) {
  const std::size_t slash = pointer.rfind('/');
  std::string_view last = std::string_view(pointer).substr(slash);
  return {pointer.substr(0, slash), firstToken(last)};
}

std::size_t rankIn(std::span<const std::string_view> order, std::string_view name) {
  return static_cast<std::size_t>(std::find(order.begin(), order.end(), name) - order.begin());
}

}  // namespace

JsonText::JsonText(std::string text, const std::string& file) : text_(std::move(text)) {
  parseJson(text_, file);
  root_ = scanJson(text_);
}

const JsonNode* JsonText::find(std::string_view pointer) const {
  const JsonNode* node = &root_;
  while (node != nullptr && !pointer.empty()) {
    const std::string token = firstToken(pointer);
    node = childOf(*node, token);
  }
  return node;
}

std::size_t JsonText::count(const std::string& pointer) const {
  const JsonNode* const node = find(pointer);
  return node == nullptr ? 0 : node->children.size();
}

Json JsonText::value(const std::string& pointer) const {
  const JsonNode* const node = find(pointer);
  if (node == nullptr) return nullptr;
  return Json::parse(text_.substr(node->begin, node->end - node->begin), nullptr, true, true);
}

void JsonText::replace(std::size_t begin, std::size_t end, const std::string& by) {
  text_.replace(begin, end - begin, by);
}

std::size_t JsonText::lineStart(std::size_t at) const {
  const std::size_t newline = at == 0 ? std::string::npos : text_.rfind('\n', at - 1);
  return newline == std::string::npos ? 0 : newline + 1;
}

bool JsonText::beginsLine(std::size_t at) const {
  const std::size_t start = lineStart(at);
  return start > 0 && text_.find_first_not_of(" \t", start) >= at;
}

/// Blanks at the start of the line of `at`.
std::size_t JsonText::indentOf(std::size_t at) const {
  const std::size_t start = lineStart(at);
  return std::min(text_.find_first_not_of(" \t", start), at) - start;
}

void JsonText::set(const std::string& pointer, const Json& value, std::span<const std::string_view> order) {
  if (const JsonNode* const node = find(pointer)) {
    const std::size_t indent = indentOf(node->first);
    replace(node->begin, node->end, styled(value, indent, node->begin - lineStart(node->begin)));
  } else {
    const auto [container, name] = parentAndName(pointer);
    const JsonNode* const parent = find(container);
    if (parent == nullptr || parent->kind != JsonNode::Kind::object) return;
    std::size_t index = parent->children.size();
    while (index > 0 && !order.empty() &&
           rankIn(order, parent->children[index - 1].name) > rankIn(order, name))
      --index;
    insert(*parent, index, name, value);
  }
  root_ = scanJson(text_);
}

void JsonText::append(const std::string& array, const Json& value) {
  const JsonNode* const node = find(array);
  if (node == nullptr || node->kind != JsonNode::Kind::array) return;
  insert(*node, node->children.size(), "", value);
  root_ = scanJson(text_);
}

/// What replaces the inside of a container without children; its comments stay above the new child.
std::string JsonText::insertionInto(const JsonNode& empty, const std::string& label,
                                    const Json& value) const {
  const std::size_t indent = indentOf(empty.first);
  const std::string inside = text_.substr(empty.begin + 1, empty.end - empty.begin - 2);
  const std::size_t last = inside.find_last_not_of(" \t\r\n");
  if (last == std::string::npos && !value.is_structured()) return label + styled(value, indent, indent);
  const std::string line = "\n" + std::string(indent + 2, ' ') + label +
                           styled(value, indent + 2, indent + 2 + label.size()) + "\n" +
                           std::string(indent, ' ');
  return (last == std::string::npos ? "" : inside.substr(0, last + 1)) + line;
}

void JsonText::insert(const JsonNode& parent, std::size_t index, const std::string& name, const Json& value) {
  const std::string label = parent.kind == JsonNode::Kind::object
                                ? Json(name).dump(-1, ' ', false, Json::error_handler_t::replace) + ": "
                                : "";
  if (parent.children.empty())
    return replace(parent.begin + 1, parent.end - 1, insertionInto(parent, label, value));
  const bool atEnd = index == parent.children.size();
  const JsonNode& beside = parent.children[atEnd ? index - 1 : index];
  const std::size_t indent = indentOf(beside.first);
  const std::string child = label + styled(value, indent, indent + label.size());
  if (!beginsLine(beside.first))
    return atEnd ? replace(beside.end, beside.end, ", " + child)
                 : replace(beside.first, beside.first, child + ", ");
  const std::string line = "\n" + std::string(indent, ' ') + child;
  if (atEnd) {
    const std::size_t end = skipInLine(text_, beside.end);
    const std::size_t at = text_.find_last_not_of(" \t\r", end - 1) + 1;
    replace(at, at, line);
    return replace(beside.end, beside.end, ",");
  }
  // Behind the comma of the child before, and behind the comment in its line.
  const std::size_t comma = index == 0 ? parent.begin : skipToToken(text_, parent.children[index - 1].end);
  const std::size_t end = skipInLine(text_, comma + 1);
  const std::size_t at = text_.find_last_not_of(" \t\r", end - 1) + 1;
  replace(at, at, line + ",");
}

void JsonText::remove(const std::string& pointer) {
  const JsonNode* const node = find(pointer);
  if (node == nullptr || pointer.empty()) return;
  const JsonNode* const parent = find(parentAndName(pointer).first);
  removeChild(*parent, static_cast<std::size_t>(node - parent->children.data()));
  root_ = scanJson(text_);
}

void JsonText::removeChild(const JsonNode& parent, std::size_t index) {
  const JsonNode& child = parent.children[index];
  const bool isLast = index + 1 == parent.children.size(), ownLine = beginsLine(child.first);
  std::size_t begin = child.first, end = child.end;
  if (!isLast) end = skipToToken(text_, end) + 1;  // the comma
  const std::size_t rest = skipInLine(text_, end);
  const bool endsLine = rest >= text_.size() || text_[rest] == '\n';
  if (ownLine && endsLine) {
    begin = lineStart(begin) - 1;
    end = rest;
  } else if (!isLast) {
    end = std::max(end, text_.find_first_not_of(" \t", end));
  }
  if (ownLine && isLast && !endsLine) begin = lineStart(begin);
  replace(begin, end, "");
  if (isLast && index > 0) {
    const std::size_t comma = skipToToken(text_, parent.children[index - 1].end);
    const std::size_t blanks = std::min(text_.find_first_not_of(" \t", comma + 1), text_.size());
    replace(comma, ownLine ? comma + 1 : blanks, "");
  }
  if (parent.children.size() > 1) return;
  const std::size_t close = text_.find_first_not_of(" \t\r\n", parent.begin + 1);
  if (text_[close] == ']' || text_[close] == '}') replace(parent.begin + 1, close, "");
}

}  // namespace tenon::content
