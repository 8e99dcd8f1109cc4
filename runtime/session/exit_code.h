// The exit codes of every command.
#pragma once

namespace tenon::runtime {

/// Scripts depend on these values.
enum ExitCode : int {
  kSuccess = 0,           ///< done, every goal reached
  kGoalNotReached = 1,    ///< done, some goal not reached
  kBadInput = 2,          ///< bad file, flag or value; stderr gives the place and the remedy
  kMissingComponent = 3,  ///< the machine lacks a component
  kInternalError = 4,     ///< a defect of the program
  kInterrupted = 130,     ///< Ctrl-C
};

}  // namespace tenon::runtime
