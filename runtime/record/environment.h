// What the program is and what it runs on: for reports and `tenon doctor`.
#pragma once

#include <string>

namespace tenon::runtime {

struct Environment {
  std::string version;    ///< of tenon
  std::string compiler;   ///< name and version
  std::string build;      ///< "optimised" or "with asserts"
  std::string system;     ///< name and release of the operating system's kernel, and machine
  std::string processor;  ///< model name, empty where the system does not tell
  int threads = 1;        ///< that run at once
};

Environment thisEnvironment();

}  // namespace tenon::runtime
