// See worker_process.h.
#include "runtime/service/server/worker_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <grpcpp/create_channel_posix.h>
#include <grpcpp/support/channel_arguments.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <system_error>
#include <utility>

#include "runtime/service/messages/keepalive.h"
#include "runtime/service/messages/status.h"

namespace tenon::service {

namespace {

constexpr int kChannel = 3, kLifeline = 4;  ///< descriptors in the worker
constexpr std::chrono::seconds kEndLimit{10};
/// Between the end of a connection and that of its process.
constexpr std::chrono::seconds kBrokenLimit{2};

/// Closes both unless they are released.
struct Descriptors {
  std::array<int, 2> fds{-1, -1};
  Descriptors() = default;
  Descriptors(const Descriptors&) = delete;
  Descriptors& operator=(const Descriptors&) = delete;
  ~Descriptors() {
    for (const int fd : fds)
      if (fd >= 0) close(fd);
  }
  int release(std::size_t k) { return std::exchange(fds[k], -1); }
};

[[noreturn]] void failToStart(int error) {
  throw StatusError(
      grpc::StatusCode::RESOURCE_EXHAUSTED,
      fmt::format("the system cannot start another process ({}); close sessions", std::strerror(error)));
}

/// The descriptor again, above those of the worker: else one of these would be made from the other.
int raised(int descriptor) {
  const int copy = fcntl(descriptor, F_DUPFD_CLOEXEC, kLifeline + 1);
  if (copy < 0) failToStart(errno);
  return copy;
}

/// Starts this program with the two descriptors (raised()) and no others, in a process group and with signals
/// of its own.
pid_t spawnWorker(int channel, int lifeline) {
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&files);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_adddup2(&files, channel, kChannel);
  posix_spawn_file_actions_adddup2(&files, lifeline, kLifeline);
  posix_spawn_file_actions_addclosefrom_np(&files, kLifeline + 1);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
  std::string name = "tenon", command = "serve-worker", first = std::to_string(kChannel),
              second = std::to_string(kLifeline);
  const std::array<char*, 5> arguments{name.data(), command.data(), first.data(), second.data(), nullptr};
  pid_t pid = -1;
  const int error = posix_spawn(&pid, "/proc/self/exe", &files, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  if (error != 0) failToStart(error);
  return pid;
}

std::string reasonOf(int status) {
  if (WIFSIGNALED(status))
    return fmt::format("its process was ended by signal {} ({})", WTERMSIG(status),
                       strsignal(WTERMSIG(status)));
  return fmt::format("its process ended with exit code {}", WEXITSTATUS(status));
}

double secondsOf(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

}  // namespace

WorkerProcess::WorkerProcess() {
  Descriptors channel, lifeline;
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, channel.fds.data()) != 0)
    failToStart(errno);
  if (pipe2(lifeline.fds.data(), O_CLOEXEC) != 0) failToStart(errno);
  Descriptors ofWorker;
  ofWorker.fds[0] = raised(channel.fds[1]);
  ofWorker.fds[1] = raised(lifeline.fds[0]);
  pid_ = spawnWorker(ofWorker.fds[0], ofWorker.fds[1]);
  lifeline_ = lifeline.release(1);
  try {
    thread_ = std::thread([this] { wait(); });
  } catch (const std::system_error& error) {
    close(lifeline_);
    ::kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
    failToStart(error.code().value());
  }
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(-1);  // of our own process
  arguments.SetMaxSendMessageSize(-1);
  arguments.SetInt(GRPC_ARG_HTTP2_BDP_PROBE, 0);  // buffers do not grow: a slow reader gets new states
  keepAlive(arguments);
  stub_ = worker::Worker::NewStub(
      grpc::CreateCustomInsecureChannelFromFd("worker", channel.release(0), arguments));
}

WorkerProcess::~WorkerProcess() {
  {
    const std::lock_guard lock(mutex_);
    onEnd_ = nullptr;
  }
  stub_.reset();
  close(lifeline_);
  if (!waitForEnd(std::chrono::steady_clock::now() + kEndLimit)) kill();
  thread_.join();
}

void WorkerProcess::kill() {
  const std::lock_guard lock(mutex_);
  if (!reaped_) ::kill(pid_, SIGKILL);
}

void WorkerProcess::endBroken() {
  if (waitForEnd(std::chrono::steady_clock::now() + kBrokenLimit)) return;
  {
    const std::lock_guard lock(mutex_);
    if (!reaped_) isUnresponsive_ = true;
  }
  kill();
  waitForEnd(std::chrono::steady_clock::now() + kBrokenLimit);
}

double WorkerProcess::processorTime() const {
  const std::lock_guard lock(mutex_);
  if (reaped_) return processorTime_;
  clockid_t clock{};
  timespec used{};
  if (clock_getcpuclockid(pid_, &clock) != 0 || clock_gettime(clock, &used) != 0) return 0;
  return static_cast<double>(used.tv_sec) + 1e-9 * static_cast<double>(used.tv_nsec);
}

void WorkerProcess::wait() {
  // First without reaping: until `reaped_` is set, the number belongs to this process, and kill() to it.
  siginfo_t info{};
  while (waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOWAIT) != 0 && errno == EINTR) {
  }
  std::function<void(const std::string&)> onEnd;
  {
    const std::lock_guard lock(mutex_);
    int status = 0;
    rusage used{};
    while (wait4(pid_, &status, 0, &used) < 0 && errno == EINTR) {
    }
    processorTime_ = secondsOf(used.ru_utime) + secondsOf(used.ru_stime);
    reason_ = isUnresponsive_ ? "its process did not answer" : reasonOf(status);
    reaped_ = true;
    onEnd = std::exchange(onEnd_, nullptr);
  }
  if (onEnd) onEnd(reason_);  // before waitForEnd() returns: its callers report the reason
  const std::lock_guard lock(mutex_);
  ended_ = true;
  changed_.notify_all();
}

void WorkerProcess::whenEnded(std::function<void(const std::string&)> onEnd) {
  {
    const std::lock_guard lock(mutex_);
    if (!reaped_) {
      onEnd_ = std::move(onEnd);
      return;
    }
  }
  onEnd(reason_);
}

bool WorkerProcess::waitForEnd(std::chrono::steady_clock::time_point limit) {
  std::unique_lock lock(mutex_);
  return changed_.wait_until(lock, limit, [this] { return ended_; });
}

}  // namespace tenon::service
