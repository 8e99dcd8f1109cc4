// What a person does to a window: plain data, in the order of doing.
#pragma once

#include <string>
#include <vector>

namespace tenon::xr {

/// Keys that are no character; those that are one have its capital letter's code.
namespace key {
inline constexpr int kSpace = 32, kEscape = 256, kEnter = 257, kTab = 258, kBackspace = 259, kDelete = 261,
                     kRight = 262, kLeft = 263, kDown = 264, kUp = 265, kPageUp = 266, kPageDown = 267,
                     kHome = 268, kEnd = 269, kF1 = 290, kF11 = 300, kF12 = 301;
}  // namespace key

enum class MouseButton { left, right, middle, other };

struct WindowInput {
  enum class Kind { press, release, move, wheel, key, keyUp, drop };
  Kind kind = Kind::move;
  double x = 0, y = 0;  ///< of the pointer, as fractions of the window from its top left corner
  MouseButton button = MouseButton::other;
  double notches = 0;  ///< of the wheel, away from the person
  int key = 0;
  bool repeated = false;  ///< of a key that is being held down
  bool shift = false, control = false, alt = false;
  std::vector<std::string> files;  ///< that were dropped
  double time = 0;                 ///< when it was taken in [s], by Window::now()
};

}  // namespace tenon::xr
