// Asks the C library and the environment.
#include "runtime/commands/terminal.h"

#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace tenon::runtime {

bool isTerminal(std::FILE* stream) {
  const char* kind = std::getenv("TERM");
  return isatty(fileno(stream)) == 1 && kind != nullptr && std::string_view(kind) != "dumb";
}

bool wantsColour(std::FILE* stream) {
  const char* noColour = std::getenv("NO_COLOR");
  return isTerminal(stream) && (noColour == nullptr || *noColour == '\0');
}

}  // namespace tenon::runtime
