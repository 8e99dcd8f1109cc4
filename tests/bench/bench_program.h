// Shared by all benchmarks that print tables: main(), the choice of contestants, peers that are
// missing.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

namespace tenon::bench {

/// Runs `run`; an exception becomes a line on stderr and exit code 2.
inline int benchMain(const char* program, int (*run)(int, char**), int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}: {}\n", program, error.what());
    return 2;
  }
}

/// True if a name begins with one of `prefixes`.
inline bool isSelected(const std::string& name, const std::vector<std::string>& prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [&](const std::string& prefix) { return name.starts_with(prefix); });
}

/// Keeps the contestants whose names begin with one of `prefixes`; all if there are no prefixes.
template <class Contestant>
void keepSelected(std::vector<Contestant>& all, const std::vector<std::string>& prefixes) {
  if (!prefixes.empty())
    std::erase_if(all, [&](const Contestant& one) { return !isSelected(one.name, prefixes); });
}

/// Prints the engines that this build does not have.
inline void printMissingEngines() {
#ifndef TENON_BENCH_MUJOCO
  fmt::print("MuJoCo: not found (libmujoco-dev)\n");
#endif
#ifndef TENON_BENCH_BULLET
  fmt::print("Bullet dynamics: not found (libbullet-dev)\n");
#endif
}

}  // namespace tenon::bench
