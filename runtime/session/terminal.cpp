// Asks the C library and the environment.
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

/// What the program itself sends: red, green, yellow, and back.
constexpr std::array<std::string_view, 4> kColours{"\x1b[31m", "\x1b[32m", "\x1b[33m", "\x1b[0m"};

}  // namespace

bool isTerminal(std::FILE* stream) {
  const char* kind = std::getenv("TERM");
  return isatty(fileno(stream)) == 1 && kind != nullptr && std::string_view(kind) != "dumb";
}

bool supportsColor(std::FILE* stream) {
  const char* noColour = std::getenv("NO_COLOR");
  return isTerminal(stream) && (noColour == nullptr || *noColour == '\0');
}

std::string terminalText(const std::string& text, bool color) {
  std::string out;
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::size_t next = color ? rest.find('\x1b', 1) : std::string_view::npos;
    const std::string_view piece = rest.substr(0, next);
    const auto code = std::find_if(kColours.begin(), kColours.end(),
                                   [&](std::string_view c) { return color && piece.starts_with(c); });
    const std::size_t length = code == kColours.end() ? 0 : code->size();
    out += piece.substr(0, length);
    out += content::printable(piece.substr(length), content::LineEndings::preserved);
    rest.remove_prefix(piece.size());
  }
  return out;
}

void say(const std::string& message) {
  fmt::print(stderr, "{}tenon: {}\n", isTerminal(stderr) ? "\r\x1b[K" : "", content::printable(message));
}

void printResult(const std::string& result) {
  const std::string text = terminalText(result, supportsColor(stdout));
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (written && std::fflush(stdout) == 0) return;
  throw content::InputError("standard output", "", std::strerror(errno),
                            "write the result to where there is room");
}

}  // namespace tenon::runtime
