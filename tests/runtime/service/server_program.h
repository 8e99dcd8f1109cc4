// A running `tenon serve` for a test.
#pragma once

#include <chrono>
#include <string>
#include <thread>

#include "tests/support/program_run.h"
#include "tests/support/traced_program.h"

namespace tenon::tests {

/// `tenon serve` on a port of this machine that the system chooses.
class ServerProgram {
 public:
  ServerProgram()
      : program_({TENON_PROGRAM, "serve", "--listen", "127.0.0.1:0", "--data", folder_ / "data"}, {},
                 folder_.path(), folder_ / "none") {
    const std::string begin = "tenon serves on ";
    for (int k = 0; k < 6000 && address_.empty(); ++k) {
      const std::string said = program_.said();
      const std::size_t at = said.find(begin);
      const std::size_t end = at == std::string::npos ? at : said.find('\n', at);
      if (end != std::string::npos) address_ = said.substr(at + begin.size(), end - at - begin.size());
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  }
  const std::string& address() const { return address_; }
  TracedProgram& program() { return program_; }

 private:
  TemporaryFolder folder_;
  TracedProgram program_;
  std::string address_;
};

}  // namespace tenon::tests
