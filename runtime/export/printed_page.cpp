// See printed_page.h.
#include "runtime/export/printed_page.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cctype>
#include <chrono>
#include <fstream>
#include <iterator>
#include <thread>
#include <utility>
#include <vector>

#include "content/step/read_step.h"
#include "runtime/export/child_process.h"

namespace tenon::runtime {

namespace {

constexpr const char* kPurpose = "--format pdf";
constexpr std::chrono::seconds kTimeout{120};
constexpr std::chrono::milliseconds kPollInterval{50};

[[noreturn]] void fail(const std::string& problem) {
  throw content::MissingComponent(
      fmt::format("--format pdf: {}; export html, and print it from a browser", problem));
}

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
  if (auto program = printerProgram()) return *program;
  throw content::MissingComponent(
      "--format pdf needs Chromium to print the page: install the package chromium, or export html");
}

}  // namespace

std::optional<std::string> printerProgram() {
  constexpr std::array<const char*, 3> kNames{"chromium", "chromium-browser", "google-chrome"};
  return programInPath(kNames);
}

void requirePrinter() {
  static_cast<void>(browserProgram());
}

std::string printedPage(const std::string& html, const std::function<void()>& wait) {
  const std::string program = browserProgram();
  const TemporaryFolder folder(kPurpose);
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
  ChildProcess browser(kPurpose, program, std::move(arguments), folder / "home", {});
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
