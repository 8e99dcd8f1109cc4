// What all benchmarks that print tables share: their main(), the choice of contestants, peers that are
// missing.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

namespace tenon::bench {

/// Runs `run` and turns what it throws into a line and exit code 2.
inline int benchMain(const char* program, int (*run)(int, char**), int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}: {}\n", program, error.what());
    return 2;
  }
}

/// Whether a name begins like one of those `wanted`.
inline bool isWanted(const std::string& name, const std::vector<std::string>& wanted) {
  return std::any_of(wanted.begin(), wanted.end(),
                     [&](const std::string& beginning) { return name.starts_with(beginning); });
}

/// Leaves the contestants whose names are wanted; all of them where none is.
template <class Contestant>
void keepWanted(std::vector<Contestant>& all, const std::vector<std::string>& wanted) {
  if (!wanted.empty()) std::erase_if(all, [&](const Contestant& one) { return !isWanted(one.name, wanted); });
}

/// Says which engines this build did without.
inline void printMissingEngines() {
#ifndef TENON_BENCH_MUJOCO
  fmt::print("MuJoCo: not found (libmujoco-dev)\n");
#endif
#ifndef TENON_BENCH_BULLET
  fmt::print("Bullet dynamics: not found (libbullet-dev)\n");
#endif
}

}  // namespace tenon::bench
