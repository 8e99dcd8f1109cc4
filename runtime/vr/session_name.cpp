// See session_name.h.
#include "runtime/vr/session_name.h"

#include <fmt/chrono.h>

#include <ctime>
#include <filesystem>

namespace tenon::runtime {

std::string freshSessionName() {
  const std::string stem = fmt::format("tenon-{:%Y%m%d-%H%M%S}", fmt::localtime(std::time(nullptr)));
  std::string name = stem + ".tenon";
  for (int k = 2; std::filesystem::exists(name); ++k) name = fmt::format("{}-{}.tenon", stem, k);
  return name;
}

}  // namespace tenon::runtime
