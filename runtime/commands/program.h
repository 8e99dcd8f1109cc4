// The whole command line: subcommands, usage errors, and the mapping from exceptions to exit codes.
#pragma once

namespace tenon::runtime {

/// Runs the program and returns its exit code. Prints results on stdout, everything else on stderr. Throws
/// nothing.
int runProgram(int argc, const char* const* argv);

}  // namespace tenon::runtime
