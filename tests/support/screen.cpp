// See screen.h.
#include "tests/support/screen.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <utility>

namespace tenon::tests {

std::string whyNoScreen() {
  for (const char* program : {"Xvfb", "xdotool"})
    if (std::system(("command -v " + std::string(program) + " >/dev/null 2>&1").c_str()) != 0)
      return std::string(program) + " is not here; install xvfb and xdotool";
  return "";
}

Screen::Screen() {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) throw std::runtime_error("no pipe");
  server_ = fork();
  if (server_ == 0) {
    close(ends[0]);
    const int nowhere = open("/dev/null", O_RDWR);
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    const std::string descriptor = std::to_string(ends[1]);
    alarm(600);  // survives the exec
    execlp("Xvfb", "Xvfb", "-displayfd", descriptor.c_str(), "-screen", "0", "1600x1000x24", "-nolisten",
           "tcp", nullptr);
    _exit(127);
  }
  close(ends[1]);
  std::string number;
  for (char c = 0; read(ends[0], &c, 1) == 1 && c != '\n';) number += c;
  close(ends[0]);
  if (number.empty()) throw std::runtime_error("Xvfb did not come up");
  name_ = ":" + number;
}

Screen::~Screen() {
  kill();
}

void Screen::kill() {
  if (server_ < 0) return;
  ::kill(server_, SIGKILL);
  waitpid(server_, nullptr, 0);
  server_ = -1;
}

bool Screen::start(const std::string& program) const {
  return std::system(("command -v " + program + " >/dev/null 2>&1").c_str()) == 0 &&
         std::system(("DISPLAY=" + name_ + " " + program + " >/dev/null 2>&1 &").c_str()) == 0;
}

namespace {

/// What a command prints, and how it ended.
std::pair<std::string, int> outcomeOf(const std::string& command) {
  FILE* const pipe = popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("no process");
  std::string said;
  std::array<char, 256> buffer{};
  while (fgets(buffer.data(), buffer.size(), pipe) != nullptr) said += buffer.data();
  return {said, pclose(pipe)};
}

}  // namespace

std::string Screen::said(const std::string& command) const {
  return outcomeOf("DISPLAY=" + name_ + " " + command).first;
}

std::string Screen::xdotool(const std::string& words) const {
  const auto [said, code] = outcomeOf("DISPLAY=" + name_ + " xdotool " + words);
  if (code != 0) throw std::runtime_error("xdotool " + words + ": " + said);
  return said;
}

}  // namespace tenon::tests
