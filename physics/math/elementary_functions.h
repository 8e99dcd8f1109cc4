// Own sin(), exp() … for this library and the program that links it: see elementary_functions.cpp.
#pragma once

namespace tenon::physics {

/// Does nothing. A call of it links the functions even where another library that has them is named before
/// this one.
void linkElementaryFunctions() noexcept;

}  // namespace tenon::physics
