// Starts the reader with the bytes, forwards its progress, and parses its output: see read_step.h.
#include "content/step/read_step.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <utility>

#include "content/input/input_error.h"
#include "content/input/program_files.h"
#include "content/input/wording.h"
#include "content/step/step_model_bytes.h"

// Version of the library that the reader was built with: content/CMakeLists.txt.
#ifndef TENON_STEP_VERSION
#define TENON_STEP_VERSION ""
#endif

namespace tenon::content {
namespace {

namespace fs = std::filesystem;

constexpr const char* kRemedy =
    "sudo apt-get install libocct-data-exchange-dev libtbb-dev, then build again: bash runtime/quickstart.sh";
constexpr const char* kRepair = "open it in CAD, repair it and export it again";
/// Descriptors of the reader's output and progress, and the first one that it does not use.
constexpr int kOutput = 3, kProgress = 4, kFirstFree = 10;

/// Sanitizers reserve much more address space than memory, so they cannot run with a limit.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#elif defined(__has_feature)
constexpr bool kSanitized = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
constexpr bool kSanitized = false;
#endif

bool isExecutable(const fs::path& program) {
  return !program.empty() && access(program.c_str(), X_OK) == 0;
}

/// Owns a file descriptor, moved to kFirstFree or above.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {
    if (number < 0 || number >= kFirstFree) return;
    number_ = fcntl(number, F_DUPFD_CLOEXEC, kFirstFree);
    ::close(number);
  }
  ~Descriptor() { close(); }
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&&) = delete;
  int get() const { return number_; }
  void close() {
    if (number_ >= 0) ::close(number_);
    number_ = -1;
  }

 private:
  int number_;
};

[[noreturn]] void failSystem(const char* what) {
  throw std::runtime_error(
      fmt::format("cannot exchange data with the STEP reader: {}: {}", what, std::strerror(errno)));
}

Descriptor memoryFile(const char* name) {
  Descriptor file(memfd_create(name, MFD_CLOEXEC));
  if (file.get() < 0) failSystem("memfd_create");
  return file;
}

void writeAll(int descriptor, const std::string& bytes) {
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t count = write(descriptor, bytes.data() + done, bytes.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) failSystem("write");
    done += static_cast<std::size_t>(count);
  }
  if (lseek(descriptor, 0, SEEK_SET) != 0) failSystem("lseek");
}

std::string readAll(int descriptor) {
  std::string bytes;
  if (lseek(descriptor, 0, SEEK_SET) != 0) failSystem("lseek");
  std::string part(1 << 20, '\0');
  for (;;) {
    const ssize_t count = ::read(descriptor, part.data(), part.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) failSystem("read");
    if (count == 0) return bytes;
    bytes.append(part, 0, static_cast<std::size_t>(count));
  }
}

pid_t start(const std::string& program, const StepLimits& limits, int input, int output, int progress) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  // OpenCASCADE prints to both.
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO})
    posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output, kOutput);
  posix_spawn_file_actions_adddup2(&actions, progress, kProgress);
  std::string path = program, seconds = std::to_string(limits.seconds),
              mebibytes = std::to_string(kSanitized ? 0 : limits.mebibytes);
  std::array<char*, 4> arguments{path.data(), seconds.data(), mebibytes.data(), nullptr};
  pid_t child = 0;
  const int error = posix_spawn(&child, path.c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0)
    throw MissingComponent(
        fmt::format("the STEP reader {} cannot be started ({}); build again", program, std::strerror(error)));
  return child;
}

/// Forwards each progress line of the reader until it exits.
void forwardProgress(int descriptor, const std::string& file,
                     const std::function<void(const std::string&)>& progress) {
  std::string line;
  for (char c = 0;;) {
    const ssize_t count = ::read(descriptor, &c, 1);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return;
    if (c != '\n') {
      line += c;
      continue;
    }
    progress(fmt::format("{}: reading STEP, {}", file, line));
    line.clear();
  }
}

/// The problem of a file for which the reader has no output.
std::string failureText(int status, const StepLimits& limits) {
  const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  if (signal == SIGXCPU || signal == SIGKILL)
    return fmt::format("needs more than {} s of the STEP reader, or more memory than available",
                       limits.seconds);
  if (signal != 0) return fmt::format("crashes OpenCASCADE ({})", strsignal(signal));
  if (status == 0) return "has geometry with numbers that are not finite";
  return "crashes OpenCASCADE";
}

int statusOf(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) failSystem("waitpid");
  return status;
}

}  // namespace

bool isStepFile(const std::string& file) {
  std::string extension = fs::path(file).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return extension == ".step" || extension == ".stp";
}

StepReader findStepReader() {
  StepReader reader{"", TENON_STEP_VERSION, ""};
  if (reader.version.empty()) {
    reader.remedy = kRemedy;
    return reader;
  }
  const fs::path program = findProgramFile("libexec/tenon/tenon-step");
  if (isExecutable(program))
    reader.program = program;
  else
    reader.remedy = "build or install Tenon again: libexec/tenon/tenon-step is missing";
  return reader;
}

StepModel parseStep(const std::string& bytes, const std::string& file,
                    const std::function<void(const std::string&)>& progress, const StepLimits& limits) {
  const StepReader reader = findStepReader();
  if (reader.program.empty())
    throw MissingComponent(fmt::format("{}: the STEP reader is not installed; {}", file, reader.remedy));
  const Descriptor input = memoryFile("step"), output = memoryFile("output");
  writeAll(input.get(), bytes);
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) failSystem("pipe2");
  const Descriptor readEnd(ends[0]);
  Descriptor writeEnd(ends[1]);
  const pid_t child = start(reader.program, limits, input.get(), output.get(), writeEnd.get());
  writeEnd.close();
  forwardProgress(readEnd.get(), file, progress);
  const int status = statusOf(child);
  auto result = status == 0 ? parseStepReaderOutput(readAll(output.get())) : std::nullopt;
  if (!result) throw InputError(file, "", failureText(status, limits), kRepair);
  if (!result->model)
    throw InputError(file, result->problem.place, result->problem.problem, result->problem.remedy);
  return std::move(*result->model);
}

void requireUsable(const StepProduct& product, const std::string& file) {
  if (product.problem)
    throw InputError(file, "product " + inQuotes(product.name), product.problem->problem,
                     product.problem->remedy);
}

}  // namespace tenon::content
