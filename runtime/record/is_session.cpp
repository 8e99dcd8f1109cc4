// See is_session.h.
#include "runtime/record/is_session.h"

#include <array>
#include <fstream>

namespace tenon::runtime {

bool isSessionFile(const std::string& file) {
  constexpr std::array kMagic = std::to_array("SQLite format 3");  // with the 0 at its end
  std::array<char, kMagic.size()> head{};
  std::ifstream stream(file, std::ios::binary);
  return stream.read(head.data(), head.size()) && head == kMagic;
}

}  // namespace tenon::runtime
