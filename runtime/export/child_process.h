// A program of the system that works for an export: a browser that prints, an encoder of movies.
#pragma once

#include <sys/types.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::runtime {

/// A folder for files that only this process and its child need; removed with this object.
class TemporaryFolder {
 public:
  /// Throws content::MissingComponent, whose message begins with `purpose`, if there is no place for it.
  explicit TemporaryFolder(const std::string& purpose);
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string operator/(const char* name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

/// The first of these programs in the folders of PATH; empty if there is none.
std::optional<std::string> programInPath(std::span<const char* const> names);

/// A program in a process group of its own, which ends with this object.
class ChildProcess {
 public:
  struct Streams {
    int in = -1;      ///< descriptor to read from; −1: empty
    std::string err;  ///< file for messages; empty: none
  };
  /// `home`: its HOME; empty: that of this process. Throws content::MissingComponent, whose message begins
  /// with `purpose`, if it cannot be started.
  ChildProcess(const std::string& purpose, const std::string& program, std::vector<std::string> arguments,
               const std::string& home, const Streams& streams);
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  static constexpr int kUnknownStatus = -1;  ///< of a process that something else has waited for

  /// Its status, as of waitpid(), or kUnknownStatus, once it has ended.
  std::optional<int> status();

 private:
  pid_t process_ = -1;
  std::optional<int> status_;
};

}  // namespace tenon::runtime
