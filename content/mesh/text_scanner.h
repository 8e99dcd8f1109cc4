// Words and numbers of a text file of vertices and faces, with the line they stand on.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tenon::content {

/// Walks over a text once. Numbers are read as std::from_chars does: to the last bit of a double.
class TextScanner {
 public:
  /// `format` names the file's kind in messages. Throws InputError where the text holds bytes that no text
  /// has.
  TextScanner(std::string_view text, std::string file, std::string format);

  /// To the first word of the next line that has one; false at the end.
  bool nextLine();
  /// The next word of this line; empty at its end.
  std::string_view nextWord();
  /// The next word of this line or of one below; empty at the end of the text.
  std::string_view nextWordAcrossLines();
  /// The next word, which must be a finite number; `what` says which.
  double number(const char* what);
  /// Takes `token` apart as a whole number, complaining if it is none.
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
