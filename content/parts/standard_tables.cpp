// See standard_tables.h.
#include "content/parts/standard_tables.h"

#include <cmath>
#include <numbers>

namespace tenon::content {
namespace {

// name d P | dk k s t r v b shortest longest | s k dw c r b 4014 4017 | m da | d1 d2 h | fine medium coarse
constexpr std::array kThreads{ThreadSize{"M3",
                                         3,
                                         0.5,
                                         {5.5, 3, 2.5, 1.3, 0.1, 0.3, 18, 5, 30},
                                         {5.5, 2, 4.57, 0.4, 0.1, 12, 20, 30, 6, 30},
                                         {2.4, 3.45},
                                         {3.2, 7, 0.5},
                                         {3.2, 3.4, 3.6}},
                              ThreadSize{"M4",
                                         4,
                                         0.7,
                                         {7, 4, 3, 2, 0.2, 0.4, 20, 6, 40},
                                         {7, 2.8, 5.88, 0.4, 0.2, 14, 25, 40, 8, 40},
                                         {3.2, 4.6},
                                         {4.3, 9, 0.8},
                                         {4.3, 4.5, 4.8}},
                              ThreadSize{"M5",
                                         5,
                                         0.8,
                                         {8.5, 5, 4, 2.5, 0.2, 0.5, 22, 8, 50},
                                         {8, 3.5, 6.88, 0.5, 0.2, 16, 25, 50, 10, 50},
                                         {4.7, 5.75},
                                         {5.3, 10, 1},
                                         {5.3, 5.5, 5.8}},
                              ThreadSize{"M6",
                                         6,
                                         1,
                                         {10, 6, 5, 3, 0.25, 0.6, 24, 10, 60},
                                         {10, 4, 8.88, 0.5, 0.25, 18, 30, 60, 12, 60},
                                         {5.2, 6.75},
                                         {6.4, 12, 1.6},
                                         {6.4, 6.6, 7}},
                              ThreadSize{"M8",
                                         8,
                                         1.25,
                                         {13, 8, 6, 4, 0.4, 0.8, 28, 12, 80},
                                         {13, 5.3, 11.63, 0.6, 0.4, 22, 40, 80, 16, 80},
                                         {6.8, 8.75},
                                         {8.4, 16, 1.6},
                                         {8.4, 9, 10}},
                              ThreadSize{"M10",
                                         10,
                                         1.5,
                                         {16, 10, 8, 5, 0.4, 1, 32, 16, 100},
                                         {16, 6.4, 14.63, 0.6, 0.4, 26, 45, 100, 20, 100},
                                         {8.4, 10.8},
                                         {10.5, 20, 2},
                                         {10.5, 11, 12}},
                              ThreadSize{"M12",
                                         12,
                                         1.75,
                                         {18, 12, 10, 6, 0.6, 1.2, 36, 20, 120},
                                         {18, 7.5, 16.63, 0.6, 0.6, 30, 50, 120, 25, 120},
                                         {10.8, 13},
                                         {13, 24, 2.5},
                                         {13, 13.5, 14.5}},
                              ThreadSize{"M16",
                                         16,
                                         2,
                                         {24, 16, 14, 8, 0.6, 1.6, 44, 25, 160},
                                         {24, 10, 22.49, 0.8, 0.6, 38, 65, 120, 30, 150},
                                         {14.8, 17.3},
                                         {17, 30, 3},
                                         {17, 17.5, 18.5}}};

constexpr std::array kPins{PinSize{3, 0.5, 8, 30},    PinSize{4, 0.63, 8, 40}, PinSize{5, 0.8, 10, 50},
                           PinSize{6, 1.2, 12, 60},   PinSize{8, 1.6, 14, 80}, PinSize{10, 2, 18, 95},
                           PinSize{12, 2.5, 22, 140}, PinSize{16, 3, 26, 180}};

// The widths of ISO 4762 sockets, M3 to M16.
constexpr std::array kKeys{KeySize{2.5, 58.5, 20.5}, KeySize{3, 66, 23},  KeySize{4, 74, 29},
                           KeySize{5, 85, 33},       KeySize{6, 96, 38},  KeySize{8, 108, 44},
                           KeySize{10, 122, 50},     KeySize{14, 154, 70}};

constexpr std::array<double, 27> kScrewLengths{5,  6,  8,  10, 12, 16,  20,  25,  30,  35,  40,  45,  50, 55,
                                               60, 65, 70, 80, 90, 100, 110, 120, 130, 140, 150, 160, 180};
constexpr std::array<double, 29> kPinLengths{8,  10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30,  32,  35, 40,
                                             45, 50, 55, 60, 65, 70, 75, 80, 85, 90, 95, 100, 120, 140};

double triangleHeight(const ThreadSize& size) {
  return std::numbers::sqrt3 / 2 * size.pitch;
}

}  // namespace

std::span<const ThreadSize> threadSizes() {
  return kThreads;
}

std::span<const PinSize> pinSizes() {
  return kPins;
}

std::span<const KeySize> keySizes() {
  return kKeys;
}

std::span<const double> screwLengths() {
  return kScrewLengths;
}

std::span<const double> pinLengths() {
  return kPinLengths;
}

const ThreadSize* findThread(std::string_view name) {
  for (const ThreadSize& size : kThreads)
    if (size.name == name) return &size;
  return nullptr;
}

const PinSize* findPin(double d) {
  for (const PinSize& size : kPins)
    if (size.d == d) return &size;
  return nullptr;
}

const KeySize* findKey(double s) {
  for (const KeySize& size : kKeys)
    if (size.s == s) return &size;
  return nullptr;
}

double minorDiameter(const ThreadSize& size) {
  return size.d - 2 * 0.625 * triangleHeight(size);
}

double meanThreadDiameter(const ThreadSize& size) {
  // One pitch consists of the crest P/8 at R, two flanks of 5/16 P from R to r, and the root P/4 at r.
  const double R = size.d / 2, r = minorDiameter(size) / 2;
  return 2 * std::sqrt(R * R / 8 + r * r / 4 + 0.625 * (R * R + R * r + r * r) / 3);
}

}  // namespace tenon::content
