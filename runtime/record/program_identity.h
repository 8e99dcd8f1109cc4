// What must be the same for a re-simulation to give the same bytes.
#pragma once

#include <string>

namespace tenon::runtime {

struct ProgramIdentity {
  std::string version;      ///< of tenon
  std::string sources;      ///< hash of all sources that decide how a world moves
  std::string compiler;     ///< name and version
  std::string processor;    ///< model name, empty where the system does not tell
  std::string cpuFeatures;  ///< of those that the C library chooses its functions by
  std::string cLibrary;     ///< name and version: its sin() and its rounding
  std::string build;        ///< for information: "optimised" and "with asserts" give the same bytes
  std::string system;       ///< for information
};

ProgramIdentity thisProgram();

/// In words what of `recorded` is other here, such as "processor A, here B"; empty: nothing that matters.
std::string differenceOf(const ProgramIdentity& recorded, const ProgramIdentity& here);

}  // namespace tenon::runtime
