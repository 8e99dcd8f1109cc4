// Input events of a window: plain data, in the order of their occurrence.
#pragma once

#include <string>
#include <vector>

namespace tenon::xr {

/// Codes of keys without a character; other keys have the code of their capital letter.
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
  double notches = 0;  ///< of the wheel, away from the user
  int key = 0;
  bool repeated = false;  ///< by the auto-repeat of a held key
  bool shift = false, control = false, alt = false;
  std::vector<std::string> files;  ///< dropped on the window
  double time = 0;                 ///< of the event, by Window::now() [s]
};

}  // namespace tenon::xr
