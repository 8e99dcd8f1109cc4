// stdout and stderr: whether they are terminals, and the one line form of messages.
#pragma once

#include <cstdio>
#include <string>

namespace tenon::runtime {

/// `stream` goes to a terminal that can rewrite a line.
bool isTerminal(std::FILE* stream);

/// Color is welcome on `stream`: a terminal, and NO_COLOR is unset or empty (no-color.org).
bool supportsColor(std::FILE* stream);

/// `text` with its line ends and, where `colour`, the program's own colors (see TextTable); all other control
/// characters as content::printable() has them. JSON stays the same JSON.
std::string terminalText(const std::string& text, bool color);

/// Prints "tenon: MESSAGE" on a line of stderr, in place of a progress line that may be there. What `message`
/// quotes of files, names and arguments is printed as content::printable() has it.
void say(const std::string& message);

/// Writes a command's result to stdout, as terminalText() has it. Throws content::InputError where that
/// cannot be written: a script must not take an empty answer for success.
void printResult(const std::string& result);

}  // namespace tenon::runtime
