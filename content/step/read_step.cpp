// Starts the reader on the bytes, listens to what it does, and takes its answer: see read_step.h.
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
#include "content/step/step_model_bytes.h"

// Where the reader was built, and with which library: content/CMakeLists.txt.
#ifndef TENON_STEP_READER
#define TENON_STEP_READER ""
#define TENON_STEP_VERSION ""
#endif

namespace tenon::content {
namespace {

namespace fs = std::filesystem;

constexpr const char* kRemedy =
    "sudo apt-get install libocct-data-exchange-dev libtbb-dev, then build again: bash runtime/quickstart.sh";
constexpr const char* kRepair = "open it in CAD, repair it and export it again";
/// Descriptors of the reader's answer and of its progress, and one above all that it uses.
constexpr int kAnswer = 3, kProgress = 4, kAbove = 10;

/// Sanitizers keep far more addresses than memory.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#elif defined(__has_feature)
constexpr bool kSanitized = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
constexpr bool kSanitized = false;
#endif

bool runs(const fs::path& program) {
  return !program.empty() && access(program.c_str(), X_OK) == 0;
}

class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {
    if (number < 0 || number >= kAbove) return;
    number_ = fcntl(number, F_DUPFD_CLOEXEC, kAbove);
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
      fmt::format("the STEP reader cannot be given its file: {}: {}", what, std::strerror(errno)));
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

pid_t start(const std::string& program, const StepLimits& limits, int input, int answer, int progress) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  // The library talks on both of these.
  for (const int chatter : {STDOUT_FILENO, STDERR_FILENO})
    posix_spawn_file_actions_addopen(&actions, chatter, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, answer, kAnswer);
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

/// Passes on each line that the reader says of itself, until it ends.
void listen(int descriptor, const std::string& file,
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

/// How a reader ended that gave no answer.
std::string endText(int status, const StepLimits& limits) {
  const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  if (signal == SIGXCPU || signal == SIGKILL)
    return fmt::format("keeps the STEP reader busy for more than {} s, or takes more memory than there is",
                       limits.seconds);
  if (signal != 0) return fmt::format("makes OpenCASCADE break down ({})", strsignal(signal));
  if (status == 0) return "has geometry that is nowhere: some of its numbers are not finite";
  return "makes OpenCASCADE break down";
}

int statusOf(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) failSystem("waitpid");
  return status;
}

}  // namespace

bool isStepFile(const std::string& file) {
  std::string ending = fs::path(file).extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return ending == ".step" || ending == ".stp";
}

StepReader findStepReader() {
  StepReader reader{"", TENON_STEP_VERSION, ""};
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  const fs::path built = TENON_STEP_READER;
  if (!error && !built.empty() && runs(self.parent_path() / built.filename()))
    reader.program = self.parent_path() / built.filename();
  else if (runs(built))
    reader.program = built;
  if (reader.program.empty())
    reader.remedy = built.empty() ? kRemedy
                                  : fmt::format("put {} beside {}, or build again", built.filename().string(),
                                                self.filename().string());
  return reader;
}

StepModel parseStep(const std::string& bytes, const std::string& file,
                    const std::function<void(const std::string&)>& progress, const StepLimits& limits) {
  const StepReader reader = findStepReader();
  if (reader.program.empty())
    throw MissingComponent(fmt::format("{}: STEP needs the component that reads it, which is not here; {}",
                                       file, reader.remedy));
  const Descriptor input = memoryFile("step"), answer = memoryFile("answer");
  writeAll(input.get(), bytes);
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) failSystem("pipe2");
  const Descriptor ear(ends[0]);
  Descriptor mouth(ends[1]);
  const pid_t child = start(reader.program, limits, input.get(), answer.get(), mouth.get());
  mouth.close();
  listen(ear.get(), file, progress);
  const int status = statusOf(child);
  auto answered = status == 0 ? parseStepReaderOutput(readAll(answer.get())) : std::nullopt;
  if (!answered) throw InputError(file, "", endText(status, limits), kRepair);
  if (!answered->model)
    throw InputError(file, answered->problem.place, answered->problem.problem, answered->problem.remedy);
  return std::move(*answered->model);
}

}  // namespace tenon::content
