// See text_scanner.h.
#include "content/mesh/text_scanner.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "content/input/input_error.h"
#include "content/input/wording.h"

namespace tenon::content {
namespace {

bool isBlank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

/// Control bytes that occur only in binary files.
bool isBinaryByte(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x20 && !isBlank(c) && c != '\n' && c != '\f' && c != '\v';
}

/// Without the byte order mark of UTF-8 that some programs write first.
std::string_view withoutMark(std::string_view text) {
  constexpr std::string_view kMark = "\xef\xbb\xbf";
  if (text.starts_with(kMark)) text.remove_prefix(kMark.size());
  return text;
}

}  // namespace

std::string_view TextScanner::afterBlanks(std::string_view text) {
  text = withoutMark(text);
  while (!text.empty() && (isBlank(text.front()) || text.front() == '\n')) text.remove_prefix(1);
  return text;
}

TextScanner::TextScanner(std::string_view text, std::string file, std::string format)
    : text_(withoutMark(text)), file_(std::move(file)), format_(std::move(format)) {
  const auto binary = std::find_if(text_.begin(), text_.end(), isBinaryByte);
  if (binary == text_.end()) return;
  line_ = static_cast<std::size_t>(std::count(text_.begin(), binary, '\n')) + 1;
  fail(fmt::format("contains the byte {:#04x}, which is not text", static_cast<unsigned char>(*binary)),
       fmt::format("export it again as {}, or correct the file extension", format_));
}

void TextScanner::skipBlanks() {
  while (at_ < text_.size() && isBlank(text_[at_])) ++at_;
}

bool TextScanner::nextLine() {
  // The first call starts line 1; later calls skip the rest of the current line.
  if (line_ > 0) {
    at_ = text_.find('\n', at_);
    if (at_ == std::string_view::npos) at_ = text_.size();
  }
  while (true) {
    if (line_ > 0) {
      if (at_ >= text_.size()) return false;
      ++at_;  // the line's end
    }
    ++line_;
    skipBlanks();
    if (at_ >= text_.size()) return false;
    if (text_[at_] != '\n' && text_[at_] != '#') return true;
    at_ = text_.find('\n', at_);
    if (at_ == std::string_view::npos) at_ = text_.size();
  }
}

std::string_view TextScanner::nextWord() {
  if (line_ == 0) line_ = 1;
  skipBlanks();
  const std::size_t begin = at_;
  while (at_ < text_.size() && !isBlank(text_[at_]) && text_[at_] != '\n') ++at_;
  return text_.substr(begin, at_ - begin);
}

std::string_view TextScanner::nextWordAcrossLines() {
  while (true) {
    const std::string_view found = nextWord();
    if (!found.empty() || at_ >= text_.size()) return found;
    ++at_;
    ++line_;
  }
}

double TextScanner::number(const char* what) {
  const std::string_view token = nextWord();
  if (token.empty())
    fail(fmt::format("ends before {}", what), "the file is truncated or damaged: export it again");
  return parseNumber(token, what);
}

double TextScanner::parseNumber(std::string_view token, const char* what) const {
  std::string_view digits = token;
  if (digits.starts_with('+')) digits.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size() || !std::isfinite(value))
    fail(fmt::format("has {} for {}, which is not a finite number", inQuotes(token), what),
         "the file is damaged: export it again");
  return value;
}

long TextScanner::integer(std::string_view token, const char* what) const {
  long value = 0;
  const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), value);
  if (error != std::errc() || end != token.data() + token.size())
    fail(fmt::format("has {} for {}, which is not a whole number", inQuotes(token), what),
         "the file is damaged: export it again");
  return value;
}

void TextScanner::fail(const std::string& problem, const std::string& remedy) const {
  throw InputError(file_, fmt::format("line {}", line_), problem, remedy);
}

}  // namespace tenon::content
