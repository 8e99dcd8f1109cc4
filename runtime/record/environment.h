// Program and machine, for reports and `tenon doctor`.
#pragma once

#include <string>

namespace tenon::runtime {

struct Environment {
  std::string version;    ///< of tenon
  std::string compiler;   ///< name and version
  std::string build;      ///< "optimised" or "with asserts"
  std::string system;     ///< name and release of the operating system's kernel, and machine
  std::string processor;  ///< model name, empty if unknown
  int threads = 1;        ///< hardware threads
};

Environment thisEnvironment();

}  // namespace tenon::runtime
