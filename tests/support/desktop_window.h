// A program's window as the person at the screen has it: its pixels, its cross.
#pragma once

#include <string>

#include "tests/support/png_picture.h"

namespace tenon::tests {

/// What is to be seen in a window of this display now. Throws std::runtime_error where there is none of that
/// number.
PngPicture pixelsOf(const std::string& display, unsigned long window);
/// As a click on the cross in its title bar asks it to close.
void askToClose(const std::string& display, unsigned long window);

}  // namespace tenon::tests
