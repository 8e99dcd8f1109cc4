// Identity of program and machine: bit-exact re-simulation requires the same.
#pragma once

#include <string>

namespace tenon::runtime {

struct ProgramIdentity {
  std::string version;      ///< of tenon
  std::string sources;      ///< hash of all sources that affect the motion
  std::string compiler;     ///< name and version
  std::string processor;    ///< model name, empty if unknown
  std::string cpuFeatures;  ///< features by which the C library selects its functions
  std::string cLibrary;     ///< name and version; sin() and rounding depend on it
  std::string build;        ///< for information: "optimised" and "with asserts" give the same bytes
  std::string system;       ///< for information
};

ProgramIdentity thisProgram();

/// Text of the differences of `here` from `recorded`, such as "processor A, here B"; empty if none matters.
std::string differenceOf(const ProgramIdentity& recorded, const ProgramIdentity& here);

}  // namespace tenon::runtime
