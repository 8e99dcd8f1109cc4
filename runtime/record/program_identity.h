// Identity of program and machine, and what of it bit-exact re-simulation requires.
#pragma once

#include <string>

namespace tenon::runtime {

struct ProgramIdentity {
  std::string version;      ///< of tenon
  std::string sources;      ///< hash of all sources that affect the motion
  std::string arithmetic;   ///< hash of what sin(), exp() … return; empty before format 5
  std::string compiler;     ///< name and version; GCC and Clang give the same bytes
  std::string processor;    ///< for information: model name, empty if unknown
  std::string cpuFeatures;  ///< for information: features by which the C library selects its functions
  std::string cLibrary;     ///< for information: name and version
  std::string build;        ///< for information: "optimised" and "with asserts" give the same bytes
  std::string system;       ///< for information
};

ProgramIdentity thisProgram();

/// Why `here` cannot be expected to repeat a record of `recorded` bit for bit, such as "version 1, here 2":
/// another version, other sources or arithmetic. Empty if nothing recorded speaks against it.
std::string differenceOf(const ProgramIdentity& recorded, const ProgramIdentity& here);

/// Other differences, which should not change a bit: compiler, processor, C library. Text as above.
std::string circumstancesOf(const ProgramIdentity& recorded, const ProgramIdentity& here);

}  // namespace tenon::runtime
