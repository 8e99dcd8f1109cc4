// Whether somebody is looking.
#pragma once

#include <cstdio>

namespace tenon::runtime {

/// `stream` goes to a terminal that can rewrite a line.
bool isTerminal(std::FILE* stream);

/// Colour is welcome on `stream`: a terminal, and NO_COLOR is unset or empty (no-color.org).
bool wantsColour(std::FILE* stream);

}  // namespace tenon::runtime
