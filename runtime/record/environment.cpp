// Queries compiler and operating system.
#include "runtime/record/environment.h"

#include <sys/utsname.h>

#include <algorithm>
#include <fstream>
#include <thread>

namespace tenon::runtime {

namespace {

std::string compilerName() {
#if defined(__clang__)
  return "Clang " __clang_version__;
#else
  return "GCC " __VERSION__;
#endif
}

std::string processorName() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("model name")) continue;
    const auto start = line.find_first_not_of(" \t", line.find(':') + 1);
    return start == std::string::npos ? "" : line.substr(start);
  }
  return "";
}

std::string systemName() {
  utsname name{};
  if (uname(&name) != 0) return "";
  return std::string(name.sysname) + " " + name.release + " " + name.machine;
}

}  // namespace

Environment thisEnvironment() {
  Environment environment;
  environment.version = TENON_VERSION;
  environment.compiler = compilerName();
#ifdef NDEBUG
  environment.build = "optimised";
#else
  environment.build = "with asserts";
#endif
  environment.system = systemName();
  environment.processor = processorName();
  environment.threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  return environment;
}

}  // namespace tenon::runtime
