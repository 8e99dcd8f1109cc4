// Runs the program as a user would and keeps what it says.
#pragma once

#include <string>
#include <vector>

namespace tenon::tests {

struct Outcome {
  int exitCode = -1;  ///< −signal where one ended it
  std::string out, err;
};

struct Setting {
  std::vector<std::string> environment;  ///< "NAME=VALUE", added to this process's
  bool terminal = false;                 ///< stdout and stderr are a terminal; both come in `out`
  /// SIGINT is sent as soon as a file whose name starts with this exists; empty: never.
  std::string interruptWhen;
};

/// Runs TENON_PROGRAM with these arguments to its end. stdin is empty.
Outcome runTenon(const std::vector<std::string>& arguments, const Setting& setting = {});

/// Path of a shipped scene.
std::string scenePath(const std::string& name);

/// The bytes of a file; none if it is missing.
std::string fileText(const std::string& file);

/// A fresh folder for one test, below the system's folder for temporary files; removed at the end.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace tenon::tests
