// See printed_page.h.
#include "runtime/export/printed_page.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string_view>
#include <thread>
#include <vector>

#include "content/step/read_step.h"

namespace tenon::runtime {

namespace fs = std::filesystem;

namespace {

constexpr std::chrono::seconds kTimeout{120};
constexpr std::chrono::milliseconds kPollInterval{50};

[[noreturn]] void fail(const std::string& problem) {
  throw content::MissingComponent(
      fmt::format("--format pdf: {}; export html, and print it from a browser", problem));
}

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::error_code error;
    const fs::path parent = fs::temp_directory_path(error);
    if (error) fail("TMPDIR names no folder");
    std::string pattern = (fs::absolute(parent) / "tenon-print-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) fail("no folder can be made in " + parent.string());
    path_ = pattern;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string operator/(const char* name) const { return path_ / name; }

 private:
  fs::path path_;
};

/// A program in a process group of its own, which ends with this object.
class Browser {
 public:
  Browser(const std::string& program, std::vector<std::string> arguments, const std::string& home) {
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&attributes);
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
      posix_spawn_file_actions_addopen(&files, stream, "/dev/null", O_RDWR, 0);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    arguments.insert(arguments.begin(), program);
    std::vector<char*> argv, variables;
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    std::string homeVariable = "HOME=" + home;
    variables.push_back(homeVariable.data());
    for (char** variable = environ; *variable != nullptr; ++variable)
      if (!std::string_view(*variable).starts_with("HOME=")) variables.push_back(*variable);
    variables.push_back(nullptr);
    if (posix_spawn(&process_, program.c_str(), &files, &attributes, argv.data(), variables.data()) != 0)
      process_ = -1;
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    if (process_ < 0) fail(program + " cannot be started");
  }
  ~Browser() {
    kill(-process_, SIGKILL);  // also what it has started
    if (!status_) waitpid(process_, nullptr, 0);
  }
  Browser(const Browser&) = delete;
  Browser& operator=(const Browser&) = delete;

  /// Its status once it has ended.
  std::optional<int> status() {
    int status = 0;
    if (!status_ && waitpid(process_, &status, WNOHANG) == process_) status_ = status;
    return status_;
  }

 private:
  pid_t process_ = -1;
  std::optional<int> status_;
};

/// Of an absolute path.
std::string urlOf(const std::string& path) {
  std::string url = "file://";
  for (const char c : path) {
    const bool isPlain = std::isalnum(static_cast<unsigned char>(c)) || c == '/' || c == '.' || c == '-';
    url += isPlain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return url;
}

std::string browserProgram() {
  const char* const path = std::getenv("PATH");
  std::string_view rest = path == nullptr ? "" : path;
  while (!rest.empty()) {
    const std::string_view folder = rest.substr(0, rest.find(':'));
    rest.remove_prefix(std::min(folder.size() + 1, rest.size()));
    for (const char* const name : {"chromium", "chromium-browser", "google-chrome"})
      if (std::string program = fmt::format("{}/{}", folder, name);
          access(program.c_str(), X_OK) == 0 && !fs::is_directory(program))
        return program;
  }
  throw content::MissingComponent(
      "--format pdf needs Chromium to print the page: install the package chromium, or export html");
}

}  // namespace

void requirePrinter() {
  static_cast<void>(browserProgram());
}

std::string printedPage(const std::string& html, const std::function<void()>& wait) {
  const std::string program = browserProgram();
  const TemporaryFolder folder;
  const std::string page = folder / "page.html", pdf = folder / "page.pdf";
  std::ofstream file(page, std::ios::binary);
  file << html;
  file.close();
  if (!file) fail("the temporary page cannot be written");
  std::vector<std::string> arguments{"--headless",
                                     "--disable-gpu",
                                     "--no-first-run",
                                     "--disable-background-networking",
                                     "--proxy-server=0.0.0.0:0",
                                     "--no-pdf-header-footer",
                                     "--print-to-pdf-no-header",
                                     "--user-data-dir=" + folder / "profile",
                                     "--print-to-pdf=" + pdf,
                                     urlOf(page)};
  if (geteuid() == 0) arguments.insert(arguments.begin(), "--no-sandbox");  // it has none for root
  Browser browser(program, std::move(arguments), folder / "home");
  const auto end = std::chrono::steady_clock::now() + kTimeout;
  while (!browser.status()) {
    if (std::chrono::steady_clock::now() > end)
      fail(fmt::format("{} has not answered for {} s", program, kTimeout.count()));
    wait();
    std::this_thread::sleep_for(kPollInterval);
  }
  std::ifstream in(pdf, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(in), {}};
  if (*browser.status() != 0 || !bytes.starts_with("%PDF-")) fail(program + " made no document");
  return bytes;
}

}  // namespace tenon::runtime
