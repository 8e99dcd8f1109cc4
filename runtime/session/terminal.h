// Output to stdout and stderr: terminal detection, messages, results.
#pragma once

#include <cstdio>
#include <string>

namespace tenon::runtime {

/// True if `stream` is a terminal that can rewrite a line.
bool isTerminal(std::FILE* stream);

/// True if `stream` is a terminal and NO_COLOR is unset or empty (no-color.org).
bool supportsColor(std::FILE* stream);

/// `text` with control characters replaced by content::printable(), except line ends and, if `color`, the
/// color sequences of TextTable. Does not change JSON.
std::string terminalText(const std::string& text, bool color);

/// Prints "tenon: MESSAGE" as a line on stderr and erases a progress line. Control characters in `message`
/// are replaced by content::printable().
void printMessage(const std::string& message);

/// Prints a command's result on stdout through terminalText(). Throws content::InputError if writing fails,
/// so that a script never mistakes missing output for success.
void printResult(const std::string& result);

}  // namespace tenon::runtime
