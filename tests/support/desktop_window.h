// A program's window as the person at the screen has it: its pixels, its cross.
#pragma once

#include <string>

#include "tests/support/png_picture.h"

namespace tenon::tests {

/// What is to be seen in a window of this display now. Throws std::runtime_error where there is none of that
/// number.
PngPicture pixelsOf(const std::string& display, unsigned long window);
/// Requests closing, as a click on the cross in its title bar does.
void askToClose(const std::string& display, unsigned long window);

/// What a window manager has made of a window (ICCCM 4.1.3.1, the property WM_STATE).
enum class WindowState { normal = 1, iconic = 3 };
/// Waits until the manager has made this of it. False when two minutes have gone by.
bool waitForState(const std::string& display, unsigned long window, WindowState state);

}  // namespace tenon::tests
