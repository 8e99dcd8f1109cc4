// The exit codes of every command.
#pragma once

namespace tenon::runtime {

/// For scripts; fixed by contract.
enum ExitCode : int {
  kSuccess = 0,           ///< done, and every goal reached
  kGoalNotReached = 1,    ///< done, some goal not reached
  kBadInput = 2,          ///< bad file, flag or value; stderr says where and what to do
  kMissingComponent = 3,  ///< the machine lacks something
  kInternalError = 4,     ///< a defect of the program
  kInterrupted = 130,     ///< Ctrl-C
};

}  // namespace tenon::runtime
