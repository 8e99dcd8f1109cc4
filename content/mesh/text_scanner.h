// Scans words and numbers of a text mesh file and tracks the line number.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tenon::content {

/// Scans a text once. Numbers are read by std::from_chars, exact to the last bit of a double.
class TextScanner {
 public:
  /// `format`: name of the format in messages. A byte order mark at the beginning is skipped. Throws
  /// InputError if the text contains control bytes of a binary file.
  TextScanner(std::string_view text, std::string file, std::string format);
  /// The text from its first visible character on.
  static std::string_view afterBlanks(std::string_view text);

  /// Advances to the next line with a word; false at the end.
  bool nextLine();
  /// The next word of this line; empty at its end.
  std::string_view nextWord();
  /// The next word of this line or of one below; empty at the end of the text.
  std::string_view nextWordAcrossLines();
  /// The next word, which must be a finite number; `what` describes it in errors.
  double number(const char* what);
  /// Parses `token` as an integer or a finite number; throws InputError otherwise.
  long integer(std::string_view token, const char* what) const;
  double parseNumber(std::string_view token, const char* what) const;

  [[noreturn]] void fail(const std::string& problem, const std::string& remedy) const;

 private:
  void skipBlanks();

  std::string_view text_;
  std::string file_, format_;
  std::size_t at_ = 0, line_ = 0;
};

}  // namespace tenon::content
