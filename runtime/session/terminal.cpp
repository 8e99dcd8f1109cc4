// Terminal detection and output through the C library.
#include "runtime/session/terminal.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "content/input/printable.h"
#include "content/reader/load_scene.h"

namespace tenon::runtime {

namespace {

/// The escape sequences that the program itself prints: red, green, yellow, reset.
constexpr std::array<std::string_view, 4> kColors{"\x1b[31m", "\x1b[32m", "\x1b[33m", "\x1b[0m"};

}  // namespace

bool isTerminal(std::FILE* stream) {
  const char* kind = std::getenv("TERM");
  return isatty(fileno(stream)) == 1 && kind != nullptr && std::string_view(kind) != "dumb";
}

bool supportsColor(std::FILE* stream) {
  const char* noColor = std::getenv("NO_COLOR");
  return isTerminal(stream) && (noColor == nullptr || *noColor == '\0');
}

std::string terminalText(const std::string& text, bool color) {
  std::string out;
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::size_t next = color ? rest.find('\x1b', 1) : std::string_view::npos;
    const std::string_view segment = rest.substr(0, next);
    const auto code = std::find_if(kColors.begin(), kColors.end(),
                                   [&](std::string_view c) { return color && segment.starts_with(c); });
    const std::size_t length = code == kColors.end() ? 0 : code->size();
    out += segment.substr(0, length);
    out += content::printable(segment.substr(length), content::LineEndings::preserved);
    rest.remove_prefix(segment.size());
  }
  return out;
}

void printMessage(const std::string& message) {
  fmt::print(stderr, "{}tenon: {}\n", isTerminal(stderr) ? "\r\x1b[K" : "", content::printable(message));
}

void printResult(const std::string& result) {
  const std::string text = terminalText(result, supportsColor(stdout));
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (written && std::fflush(stdout) == 0) return;
  throw content::InputError("standard output", "", std::strerror(errno),
                            "write the result to a disk with free space");
}

}  // namespace tenon::runtime
