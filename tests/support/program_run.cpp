// How program_run.h does it: a child process, pipes or a terminal of its own.
#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "tests/support/program_run.h"

namespace tenon::tests {

namespace fs = std::filesystem;

namespace {

constexpr unsigned kLongest = 300;  // [s]; far longer than any run of a test

struct Channel {
  int ours = -1, theirs = -1;
};

Channel makePipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  return {ends[0], ends[1]};
}

Channel makeTerminal() {
  const int ours = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (ours < 0 || grantpt(ours) != 0 || unlockpt(ours) != 0) throw std::runtime_error("no terminal");
  const int theirs = open(ptsname(ours), O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (theirs < 0) throw std::runtime_error("no terminal");
  return {ours, theirs};
}

[[noreturn]] void become(const std::vector<std::string>& arguments, const Setting& setting, int out,
                         int err) {
  dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);
  dup2(out, STDOUT_FILENO);
  dup2(err, STDERR_FILENO);
  alarm(kLongest);  // survives the exec: a program that never ends fails its test instead of all tests
  std::vector<std::string> environment = setting.environment;
  for (std::string& variable : environment) putenv(variable.data());
  std::vector<std::string> words{TENON_PROGRAM};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  execv(argv[0], argv.data());
  _exit(127);
}

bool existsWithPrefix(const std::string& prefix) {
  const fs::path path(prefix);
  for (const auto& entry : fs::directory_iterator(path.parent_path()))
    if (entry.path().string().starts_with(prefix)) return true;
  return false;
}

/// Reads both channels to their ends. Returns after `child` closed them.
void readAll(Outcome& outcome, int out, int err, pid_t child, std::string interruptWhen) {
  pollfd channels[2] = {{out, POLLIN, 0}, {err, POLLIN, 0}};
  std::string* texts[2] = {&outcome.out, &outcome.err};
  while (channels[0].fd >= 0 || channels[1].fd >= 0) {
    poll(channels, 2, interruptWhen.empty() ? -1 : 5);
    if (!interruptWhen.empty() && existsWithPrefix(interruptWhen)) {
      kill(child, SIGINT);
      interruptWhen.clear();
    }
    for (int k = 0; k < 2; ++k) {
      if (channels[k].fd < 0 || channels[k].revents == 0) continue;
      char buffer[4096];
      const ssize_t count = read(channels[k].fd, buffer, sizeof buffer);
      if (count > 0) texts[k]->append(buffer, static_cast<std::size_t>(count));
      if (count <= 0) channels[k].fd = -1;  // a terminal ends with an error
    }
  }
}

}  // namespace

Outcome runTenon(const std::vector<std::string>& arguments, const Setting& setting) {
  const Channel out = setting.terminal ? makeTerminal() : makePipe();
  const Channel err = setting.terminal ? Channel{-1, out.theirs} : makePipe();
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("no process");
  if (child == 0) become(arguments, setting, out.theirs, err.theirs);
  close(out.theirs);
  if (!setting.terminal) close(err.theirs);
  Outcome outcome;
  readAll(outcome, out.ours, err.ours, child, setting.interruptWhen);
  close(out.ours);
  if (err.ours >= 0) close(err.ours);
  int status = 0;
  waitpid(child, &status, 0);
  outcome.exitCode = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  return outcome;
}

std::string scenePath(const std::string& name) {
  return TENON_SOURCE_DIR "/content/scenes/" + name + ".json";
}

std::string fileText(const std::string& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

TemporaryFolder::TemporaryFolder() {
  std::string name = (fs::temp_directory_path() / "tenon-test-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no folder for temporary files");
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace tenon::tests
