// See product_meshes.h.
#include "content/step/reader/product_meshes.h"

#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <stdexcept>

#include "content/step/reader/face_mesh.h"
#include "content/step/reader/unreadable_step.h"
#include "content/step/step_model_bytes.h"

namespace tenon::content {
namespace {

using Progress = std::function<void(const std::string&)>;

/// No process is started for less time than this [s].
constexpr double kLeastShare = 0.1;

double cpuSeconds(int who) {
  rusage usage{};
  getrusage(who, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// Ends this process after so much more CPU time, with SIGPROF [s]; infinite: never.
void setTimer(double seconds) {
  itimerval timer{};
  if (std::isfinite(seconds)) {
    timer.it_value.tv_sec = static_cast<time_t>(seconds);
    timer.it_value.tv_usec =
        std::max(suseconds_t{1}, static_cast<suseconds_t>(1e6 * (seconds - std::floor(seconds))));
  }
  setitimer(ITIMER_PROF, &timer, nullptr);
}

StepProduct meshed(const StepDocument& document, std::size_t k) {
  StepProduct product = document.model.products[k];
  if (product.problem) return product;
  try {
    meshFaces(document.shapes[k], product);
  } catch (...) {
    product.problem = problemOfException();
    product.mesh = {};
    product.faces = {};
    product.emptyFaces.clear();
  }
  return product;
}

bool writeAll(int descriptor, const std::string& bytes) {
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t count = write(descriptor, bytes.data() + done, bytes.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    done += static_cast<std::size_t>(count);
  }
  return true;
}

/// SIGXCPU shall come before SIGKILL, which a lack of memory sends, too.
void warnBeforeLimit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_CPU, &limit) != 0 || limit.rlim_max == RLIM_INFINITY || limit.rlim_max < 2) return;
  limit.rlim_cur = limit.rlim_max - 1;
  setrlimit(RLIMIT_CPU, &limit);
}

/// Exit codes of work().
constexpr int kNotWritten = 1, kNoMemory = 2;

/// In a process of its own: appends the size and the bytes of each product from `first` on.
[[noreturn]] void work(const StepDocument& document, std::size_t first, int out, double share,
                       const Progress& progress) {
  warnBeforeLimit();
  try {
    for (std::size_t k = first; k < document.model.products.size(); ++k) {
      setTimer(share);
      progress("triangles of " + document.model.products[k].name);
      const std::string bytes = serialize(meshed(document, k));
      const std::uint64_t size = bytes.size();
      std::string record(sizeof size, '\0');
      std::memcpy(record.data(), &size, sizeof size);
      if (!writeAll(out, record) || !writeAll(out, bytes)) _exit(kNotWritten);
    }
  } catch (...) {  // nothing but a lack of memory
    _exit(kNoMemory);
  }
  _exit(0);
}

bool readAll(int descriptor, char* data, std::size_t size, std::uint64_t at) {
  for (std::size_t done = 0; done < size;) {
    const ssize_t count = pread(descriptor, data + done, size - done, static_cast<off_t>(at + done));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    done += static_cast<std::size_t>(count);
  }
  return true;
}

/// Moves the complete products out of the file, which is empty afterwards.
void takeProducts(int descriptor, std::vector<std::string>& products) {
  const auto end = static_cast<std::uint64_t>(std::max<off_t>(0, lseek(descriptor, 0, SEEK_END)));
  std::uint64_t at = 0, size = 0;
  while (end - at >= sizeof size && readAll(descriptor, reinterpret_cast<char*>(&size), sizeof size, at)) {
    at += sizeof size;
    if (size > end - at) break;
    std::string bytes(size, '\0');
    if (!readAll(descriptor, bytes.data(), size, at)) break;
    products.push_back(std::move(bytes));
    at += size;
  }
  if (ftruncate(descriptor, 0) != 0 || lseek(descriptor, 0, SEEK_SET) != 0)
    throw std::runtime_error("cannot empty the file of the products");
}

std::string secondsText(double seconds) {
  return std::to_string(static_cast<long>(std::ceil(seconds))) + " s";
}

StepProblem timeUsedUp(double seconds) {
  return {"", "is not read: the products of the file need more than " + secondsText(seconds),
          "export it in a file of its own, or with fewer details"};
}

/// Why a process ended before it had written its product; it had `share` of `seconds`.
StepProblem failureOf(int status, double share, double seconds) {
  const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  if (signal == SIGXCPU) return timeUsedUp(seconds);
  if (signal == SIGPROF)
    return {"", "needs more than " + secondsText(share) + " to be triangulated",
            "repair it in CAD, or export it with fewer details"};
  if (signal == SIGKILL || (WIFEXITED(status) && WEXITSTATUS(status) == kNoMemory)) return tooLarge();
  if (WIFEXITED(status) && WEXITSTATUS(status) == kNotWritten)
    return {"", "cannot be written to a temporary file", "free disk space"};
  const std::string name = signal != 0 ? std::string(" (") + strsignal(signal) + ")" : "";
  return {"", "crashes OpenCASCADE" + name, "open it in CAD, repair it and export it again"};
}

}  // namespace

std::vector<std::string> meshProducts(const StepDocument& document, int products, double seconds,
                                      const Progress& progress) {
  const std::size_t count = document.model.products.size();
  std::vector<std::string> all;
  const auto refuseNext = [&](const StepProblem& problem) {
    StepProduct product = document.model.products[all.size()];
    if (!product.problem) product.problem = problem;
    all.push_back(serialize(product));
  };
  while (all.size() < count) {
    const double left =
        seconds > 0 ? seconds - cpuSeconds(RUSAGE_SELF) - cpuSeconds(RUSAGE_CHILDREN) : HUGE_VAL;
    const double share = all.size() + 1 == count ? left : kProductShare * left;
    if (share < kLeastShare) {
      refuseNext(timeUsedUp(seconds));
      continue;
    }
    const pid_t child = fork();
    if (child < 0) throw std::runtime_error(std::string("fork: ") + std::strerror(errno));
    if (child == 0) work(document, all.size(), products, share, progress);
    int status = 0;
    while (waitpid(child, &status, 0) < 0)
      if (errno != EINTR) throw std::runtime_error(std::string("waitpid: ") + std::strerror(errno));
    takeProducts(products, all);
    if (all.size() < count) refuseNext(failureOf(status, share, seconds));
  }
  return all;
}

}  // namespace tenon::content
