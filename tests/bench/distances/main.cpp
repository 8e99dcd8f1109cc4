// bench_distances: the least distance of two parts on their own faces, beside FCL and Bullet on their
// triangles: error against closed forms, and time of a query.
#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>

#include "tests/bench/bench_program.h"
#include "tests/bench/distances/distance_case.h"

namespace tenon::bench {
namespace {

struct Engine {
  std::string name;
  MakeEngine make;
};

struct Measured {
  double worst = 0;   ///< error [m]
  double median = 0;  ///< time of a query [µs]
  int missed = 0;     ///< poses without a distance
};

Measured measure(const DistanceCase& pair, DistanceEngine& engine, int repeats) {
  using Clock = std::chrono::steady_clock;
  Measured measured;
  std::vector<double> times;
  for (int repeat = 0; repeat < repeats; ++repeat)
    for (std::size_t k = 0; k < pair.X_AB.size(); ++k) {
      const auto start = Clock::now();
      const std::optional<double> distance = engine.distance(pair.X_AB[k]);
      times.push_back(std::chrono::duration<double, std::micro>(Clock::now() - start).count());
      if (repeat > 0) continue;
      if (distance)
        measured.worst = std::max(measured.worst, std::abs(*distance - pair.distance[k]));
      else
        ++measured.missed;
    }
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
  std::nth_element(times.begin(), middle, times.end());
  measured.median = *middle;
  return measured;
}

int run(int argc, char** argv) {
  CLI::App app{"The least distance of two parts, with Tenon, FCL and Bullet"};
  int repeats = 5;
  app.add_option("--repeats", repeats, "Queries of each pose")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  std::vector<Engine> engines{{"Tenon", makeTenonEngine}};
#ifdef TENON_BENCH_FCL
  engines.push_back({"FCL", makeFclEngine});
#else
  fmt::print("FCL: not found (libfcl-dev)\n\n");
#endif
  engines.push_back({"Bullet", makeBulletEngine});
  fmt::print(
      "| pair | triangles | engine | worst error [nm] | median query [µs] | × Tenon "
      "|\n|---|---|---|---|---|---|\n");
  for (const DistanceCase& pair : distanceCases()) {
    double reference = 0;
    for (const Engine& engine : engines) {
      const std::string row = fmt::format("| {} | {} x {} | {} |", pair.name, pair.a.triangles.size(),
                                          pair.b.triangles.size(), engine.name);
      const auto made = engine.make(pair);
      if (!made) {
        fmt::print("{} no distance of two parts that are not convex | - | - |\n", row);
        continue;
      }
      const Measured measured = measure(pair, *made, repeats);
      if (reference == 0) reference = measured.median;
      fmt::print("{} {:.3g}{} | {:.1f} | {:.2f} |\n", row, 1e9 * measured.worst,
                 measured.missed > 0
                     ? fmt::format(", {} of {} poses without", measured.missed, pair.X_AB.size())
                     : "",
                 measured.median, measured.median / reference);
      std::fflush(stdout);
    }
  }
  return 0;
}

}  // namespace
}  // namespace tenon::bench

int main(int argc, char** argv) {
  return tenon::bench::benchMain("bench_distances", tenon::bench::run, argc, argv);
}
