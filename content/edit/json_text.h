// A JSON text with comments, edited in place: what an edit does not concern stays as it was written, byte by
// byte.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>

#include "content/edit/json_tree.h"

namespace tenon::content {

/// Values are named by JSON pointers, "/parts/2/position". Comments stay, except those inside a removed or
/// replaced value and behind a removed one in its line.
class JsonText {
 public:
  /// Throws InputError like parseJson(); `file` is its name in messages.
  JsonText(std::string text, const std::string& file);

  const std::string& text() const { return text_; }
  bool has(const std::string& pointer) const { return find(pointer) != nullptr; }
  /// Elements of an array or members of an object; 0 if it does not exist.
  std::size_t count(const std::string& pointer) const;
  /// The value; null if it does not exist.
  nlohmann::ordered_json value(const std::string& pointer) const;

  /// Replaces a value, or adds a member to an existing object: behind those of its members that are before it
  /// in `order`, without an order at the end. Does nothing if the object does not exist.
  void set(const std::string& pointer, const nlohmann::ordered_json& value,
           std::span<const std::string_view> order = {});
  /// Appends an element to an array. Does nothing if the array does not exist.
  void append(const std::string& array, const nlohmann::ordered_json& value);
  /// Removes a value, its name and its comma. Does nothing if it does not exist.
  void remove(const std::string& pointer);

 private:
  const JsonNode* find(std::string_view pointer) const;
  void insert(const JsonNode& parent, std::size_t index, const std::string& name,
              const nlohmann::ordered_json& value);
  std::string insertionInto(const JsonNode& empty, const std::string& label,
                            const nlohmann::ordered_json& value) const;
  void removeChild(const JsonNode& parent, std::size_t index);
  void replace(std::size_t begin, std::size_t end, const std::string& by);
  bool beginsLine(std::size_t at) const;
  std::size_t lineStart(std::size_t at) const;
  std::size_t indentOf(std::size_t at) const;

  std::string text_;
  JsonNode root_;
};

}  // namespace tenon::content
