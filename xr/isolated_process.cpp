// A forked child, a pipe and a deadline.
#include "xr/isolated_process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <exception>

namespace tenon::xr {
namespace {

using Clock = std::chrono::steady_clock;
using End = IsolatedResult::End;
constexpr std::chrono::milliseconds kPollPeriod{50};  ///< between two calls of shouldCancel

void redirectToNull() {
  const int null = open("/dev/null", O_RDWR);
  if (null < 0) return;
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(null, stream);
}

bool writeAll(int file, const std::string& text) {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t count = write(file, text.data() + done, text.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    done += static_cast<std::size_t>(count);
  }
  return true;
}

/// Runs the child. Ends with _exit, because destructors and exit handlers belong to the parent.
[[noreturn]] void runChild(const std::function<std::string()>& task, int pipeEnd) {
  redirectToNull();
  bool isWritten = false;
  try {
    isWritten = writeAll(pipeEnd, task());
  } catch (const std::exception&) {
    isWritten = false;
  }
  _exit(isWritten ? 0 : 1);
}

/// Reads until the other end is closed (`finished`), the deadline or a cancellation.
End readAll(int file, Clock::time_point deadline, const std::function<bool()>& shouldCancel,
            std::string& text) {
  std::array<char, 4096> buffer{};
  while (true) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now());
    if (left.count() <= 0) return End::timedOut;
    if (shouldCancel && shouldCancel()) return End::cancelled;
    pollfd ready{file, POLLIN, 0};
    const int events =
        poll(&ready, 1, static_cast<int>((shouldCancel ? std::min(left, kPollPeriod) : left).count()));
    if (events < 0 && errno != EINTR) return End::timedOut;
    if (events <= 0) continue;
    const ssize_t count = read(file, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return End::finished;
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

int waitFor(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

}  // namespace

IsolatedResult runIsolated(const std::function<std::string()>& task, std::chrono::milliseconds limit,
                           const std::function<bool()>& shouldCancel) {
  IsolatedResult result;
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return result;
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    runChild(task, ends[1]);
  }
  close(ends[1]);
  if (child > 0) {
    result.end = readAll(ends[0], Clock::now() + limit, shouldCancel, result.output);
    if (result.end != End::finished) kill(child, SIGKILL);
    const int status = waitFor(child);
    const bool succeeded = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (result.end == End::finished && !succeeded) result.end = End::crashed;
  }
  close(ends[0]);
  return result;
}

}  // namespace tenon::xr
