// Steps a scene as the Python module does, from C++: the peer of python_overhead.py.
// Usage: bench_steps SCENE RATE STEPS. Prints the CPU time of the steps [s].
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <memory>

#include "content/reader/load_scene.h"
#include "runtime/simulation/lockstep_simulation.h"

namespace {

double cpuSeconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

int measure(const char* file, double rate, int steps) {
  tenon::physics::WorldOptions options;
  options.dt = 1 / rate;
  const auto scene = std::make_shared<const tenon::content::Scene>(tenon::content::loadScene(file));
  tenon::runtime::LockstepSimulation simulation(scene, options, true);
  const double start = cpuSeconds();
  for (int k = 0; k < steps; ++k) simulation.step();
  const double used = cpuSeconds() - start;
  std::printf("%.9f %016llx\n", used, static_cast<unsigned long long>(simulation.stateHash()));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: bench_steps SCENE RATE STEPS\n");
    return 2;
  }
  try {
    return measure(argv[1], std::atof(argv[2]), std::atoi(argv[3]));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_steps: %s\n", error.what());
    return 2;
  }
}
