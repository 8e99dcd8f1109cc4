// The manual page tenon(1), in the macros of man(7).
#pragma once

#include <string>

#include "runtime/manual/command_description.h"

namespace tenon::runtime {

/// `version`: of the program, for the footer of the page.
std::string manualPage(const CommandDescription& program, const std::string& version);

}  // namespace tenon::runtime
