// The command line as a whole: subcommands, usage mistakes, exit codes.
#pragma once

#include <string>

namespace tenon::runtime {

/// What the program's exit tells a script.
enum ExitCode : int {
  kDone = 0,           ///< done, and every goal reached
  kNotReached = 1,     ///< done, some goal not reached
  kBadInput = 2,       ///< bad file, flag or value; stderr says where and what to do
  kMissing = 3,        ///< the machine lacks something
  kInternalError = 4,  ///< a defect of the program
  kInterrupted = 130,  ///< Ctrl-C
};

/// Writes a command's result to stdout, as terminalText() has it. Throws content::InputError where that
/// cannot be written: a script must not take an empty answer for success.
void printResult(const std::string& result);

/// The whole program but for the process around it. Results go to stdout, all else to stderr. Throws
/// nothing.
int runProgram(int argc, const char* const* argv);

}  // namespace tenon::runtime
