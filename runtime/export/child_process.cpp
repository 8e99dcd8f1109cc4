// See child_process.h.
#include "runtime/export/child_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>

#include "content/step/read_step.h"

namespace tenon::runtime {

namespace fs = std::filesystem;

namespace {

/// A parent may have started this process with SIGCHLD ignored: the kernel then discards the status of every
/// child.
void keepStatusOfChildren() {
  struct sigaction action {};
  if (sigaction(SIGCHLD, nullptr, &action) != 0 || action.sa_handler != SIG_IGN) return;
  action = {};
  action.sa_handler = SIG_DFL;
  sigaction(SIGCHLD, &action, nullptr);
}

}  // namespace

TemporaryFolder::TemporaryFolder(const std::string& purpose) {
  std::error_code error;
  const fs::path parent = fs::temp_directory_path(error);
  if (error) throw content::MissingComponent(purpose + ": TMPDIR names no folder");
  std::string pattern = (fs::absolute(parent) / "tenon-export-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr)
    throw content::MissingComponent(purpose + ": no folder can be made in " + parent.string());
  path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

std::optional<std::string> programInPath(std::span<const char* const> names) {
  const char* const path = std::getenv("PATH");
  std::string_view rest = path == nullptr ? "" : path;
  while (!rest.empty()) {
    const std::string_view folder = rest.substr(0, rest.find(':'));
    rest.remove_prefix(std::min(folder.size() + 1, rest.size()));
    for (const char* const name : names)
      if (std::string program = fmt::format("{}/{}", folder, name);
          access(program.c_str(), X_OK) == 0 && !fs::is_directory(program))
        return program;
  }
  return std::nullopt;
}

ChildProcess::ChildProcess(const std::string& purpose, const std::string& program,
                           std::vector<std::string> arguments, const std::string& home,
                           const Streams& streams) {
  keepStatusOfChildren();
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&files);
  posix_spawnattr_init(&attributes);
  if (streams.in >= 0)
    posix_spawn_file_actions_adddup2(&files, streams.in, STDIN_FILENO);
  else
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDERR_FILENO,
                                   streams.err.empty() ? "/dev/null" : streams.err.c_str(),
                                   O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  arguments.insert(arguments.begin(), program);
  std::vector<char*> argv, variables;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  std::string homeVariable = "HOME=" + home;
  if (!home.empty()) variables.push_back(homeVariable.data());
  for (char** variable = environ; *variable != nullptr; ++variable)
    if (home.empty() || !std::string_view(*variable).starts_with("HOME=")) variables.push_back(*variable);
  variables.push_back(nullptr);
  if (posix_spawn(&process_, program.c_str(), &files, &attributes, argv.data(), variables.data()) != 0)
    process_ = -1;
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  if (process_ < 0) throw content::MissingComponent(purpose + ": " + program + " cannot be started");
}

ChildProcess::~ChildProcess() {
  if (process_ < 0) return;
  kill(-process_, SIGKILL);  // also what it has started
  if (!status_) waitpid(process_, nullptr, 0);
}

std::optional<int> ChildProcess::status() {
  int status = 0;
  if (status_) return status_;
  const pid_t ended = waitpid(process_, &status, WNOHANG);
  if (ended == process_)
    status_ = status;
  else if (ended < 0 && errno == ECHILD)
    status_ = kUnknownStatus;
  return status_;
}

}  // namespace tenon::runtime
