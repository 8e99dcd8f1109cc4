// The command line as a whole: subcommands, usage mistakes, and the way from an exception to an exit code.
#pragma once

namespace tenon::runtime {

/// The whole program but for the process around it. Results go to stdout, all else to stderr. Throws
/// nothing.
int runProgram(int argc, const char* const* argv);

}  // namespace tenon::runtime
