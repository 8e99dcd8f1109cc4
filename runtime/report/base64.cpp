// See base64.h.
#include "runtime/report/base64.h"

#include <cstdint>
#include <string_view>

namespace tenon::runtime {

std::string base64(const std::string& bytes) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t k = 0; k < bytes.size(); k += 3) {
    std::uint32_t three = 0;
    for (std::size_t j = 0; j < 3; ++j)
      three = three << 8 | (k + j < bytes.size() ? static_cast<unsigned char>(bytes[k + j]) : 0U);
    for (std::size_t j = 0; j < 4; ++j)
      text += k + j <= bytes.size() ? kDigits[three >> (18 - 6 * j) & 63] : '=';
  }
  return text;
}

}  // namespace tenon::runtime
