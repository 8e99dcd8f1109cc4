// tenon check --each: what a CAD or mesh file, or every one of a folder, becomes as a part.
#pragma once

#include <string>

namespace tenon::runtime {

struct CheckEachOptions {
  std::string folder;       ///< or a file
  std::string unit = "mm";  ///< of files that define none
  int seconds = 60;         ///< limit for one file
  bool json = false;
};

/// Reads every file in a process of its own, so that none can end or stop the run, and prints a table or one
/// JSON object. Returns the exit code: kBadInput if a file or a product of one cannot be used. Throws
/// InputError if there is no such file, or the folder cannot be read.
int checkEach(const CheckEachOptions& options);

}  // namespace tenon::runtime
