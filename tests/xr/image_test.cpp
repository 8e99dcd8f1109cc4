// Images of 16-bit floats become bytes.
#include "xr/display/image.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>

namespace tenon::tests {
namespace {

std::array<std::uint8_t, 4> encoded(const std::array<std::uint16_t, 4>& halves) {
  std::array<std::uint8_t, 8> bytes{};
  std::memcpy(bytes.data(), halves.data(), bytes.size());
  std::array<std::uint8_t, 4> out{};
  xr::encodeLinearHalves(bytes.data(), out.size(), out.data());
  return out;
}

TEST(LinearHalves, AreEncodedAsSrgbWithLinearAlpha) {
  // 0, 0.5, 1 and, as alpha, 0.5.
  EXPECT_EQ(encoded({0x0000, 0x3800, 0x3c00, 0x3800}), (std::array<std::uint8_t, 4>{0, 188, 255, 128}));
  // 0.001 lies on the linear part; -1 and 2 are out of range.
  EXPECT_EQ(encoded({0x1419, 0xbc00, 0x4000, 0x3c00}), (std::array<std::uint8_t, 4>{3, 0, 255, 255}));
  // The smallest number above 0, infinity.
  EXPECT_EQ(encoded({0x0001, 0x7c00, 0x8000, 0x0000}), (std::array<std::uint8_t, 4>{0, 255, 0, 0}));
}

TEST(LinearHalves, EncodingMatchesTheStandard) {
  EXPECT_NEAR(xr::encodeSrgb(0.2140), 0.5, 1e-3);
  EXPECT_NEAR(xr::encodeSrgb(0.0031308), 0.04045, 1e-5);
}

}  // namespace
}  // namespace tenon::tests
