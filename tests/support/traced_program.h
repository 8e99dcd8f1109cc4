// A running program that writes a trace, one line of JSON for each thing it did: started, watched, ended.
#pragma once

#include <sys/types.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace tenon::tests {

class TracedProgram {
 public:
  using Json = nlohmann::json;

  /// Starts these words in this folder with these variables ("NAME=VALUE") besides this process's own; what
  /// it says on stdout and stderr goes to the file "stderr" there. `trace` is the file that it writes its
  /// trace to.
  TracedProgram(std::vector<std::string> words, std::vector<std::string> environment, std::string folder,
                std::string trace);
  /// Ends it if it still runs.
  ~TracedProgram();
  TracedProgram(const TracedProgram&) = delete;
  TracedProgram& operator=(const TracedProgram&) = delete;

  /// The newest line; null: there is none yet.
  const Json& now();
  /// Lines until `is` holds of one; false: not within two minutes, or the program has ended.
  bool waitFor(const std::function<bool(const Json&)>& is);
  /// Sends a signal.
  void send(int signal) const;
  /// Waits for the end; the exit code, −signal where one ended it.
  int exitCode();
  /// What it said so far.
  std::string said() const;
  bool hasEnded() const;
  pid_t process() const { return child_; }

 private:
  bool readMore();

  std::string folder_, trace_;
  pid_t child_ = -1;
  long read_ = 0;  ///< bytes of the trace
  std::string rest_;
  Json now_;
};

}  // namespace tenon::tests
