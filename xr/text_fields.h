// Encodes a list of texts as one text, the result of an isolated process.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace tenon::xr {

/// Fields end with NUL, which no name of a driver or runtime contains.
class FieldWriter {
 public:
  void add(std::string_view field) {
    // A field from a fixed-size array ends at its first NUL.
    text_ += field.substr(0, field.find('\0'));
    text_ += '\0';
  }
  void addBool(bool field) { add(field ? "1" : ""); }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

/// Decodes the text of a FieldWriter; fields beyond the end are empty. Borrows the text.
class FieldReader {
 public:
  explicit FieldReader(std::string_view text) : left_(text) {}
  bool atEnd() const { return left_.empty(); }
  std::string next() {
    const std::string_view field = left_.substr(0, left_.find('\0'));
    left_.remove_prefix(std::min(left_.size(), field.size() + 1));
    return std::string(field);
  }
  bool nextBool() { return !next().empty(); }

 private:
  std::string_view left_;
};

}  // namespace tenon::xr
