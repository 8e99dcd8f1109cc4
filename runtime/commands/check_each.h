// tenon check --each: what every CAD and mesh file of a folder becomes as a part.
#pragma once

#include <string>

namespace tenon::runtime {

struct CheckEachOptions {
  std::string folder;
  std::string unit = "mm";  ///< of files that define none
  int seconds = 60;         ///< limit for one file
  bool json = false;
};

/// Reads every file in a process of its own, so that none can end or stop the run, and prints a table or one
/// JSON object. Returns the exit code: kBadInput if a file or a product of one cannot be used. Throws
/// InputError if the folder cannot be read or has no such file.
int checkEach(const CheckEachOptions& options);

}  // namespace tenon::runtime
