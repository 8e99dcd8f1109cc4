// An HTML page as a PDF document.
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace tenon::runtime {

/// The Chromium that prints pages, if this machine has one.
std::optional<std::string> printerProgram();

/// Throws content::MissingComponent if this machine has no Chromium.
void requirePrinter();

/// Prints `html` by a Chromium of this machine, without its network, in a folder for temporary files that is
/// removed afterwards; returns the PDF. Calls `wait` several times a second; what that throws ends the
/// browser. Throws content::MissingComponent if there is no Chromium, or if it fails or takes more than 2
/// minutes.
std::string printedPage(const std::string& html, const std::function<void()>& wait);

}  // namespace tenon::runtime
