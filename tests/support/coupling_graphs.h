// Graphs of coupled bodies for tests of block matrices: the ones on which elimination is understood, and
// random ones.
#pragma once

#include <Eigen/Core>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "physics/math/block_pattern.h"

namespace tenon::tests {

struct CouplingGraph {
  std::string name;
  int bodies = 0;
  std::vector<physics::BodyCoupling> couplings;
};

inline CouplingGraph chain(int bodies) {
  CouplingGraph graph{"chain", bodies, {}};
  for (int k = 1; k < bodies; ++k) graph.couplings.push_back({k - 1, k});
  return graph;
}

/// All of them with body 0.
inline CouplingGraph star(int bodies) {
  CouplingGraph graph{"star", bodies, {}};
  for (int k = 1; k < bodies; ++k) graph.couplings.push_back({k, 0});
  return graph;
}

inline CouplingGraph clique(int bodies) {
  CouplingGraph graph{"clique", bodies, {}};
  for (int i = 0; i < bodies; ++i) {
    for (int j = 0; j < i; ++j) graph.couplings.push_back({i, j});
  }
  return graph;
}

/// side × side, each with its neighbours.
inline CouplingGraph grid(int side) {
  CouplingGraph graph{"grid", side * side, {}};
  for (int k = 0; k < side * side; ++k) {
    if (k % side > 0) graph.couplings.push_back({k - 1, k});
    if (k >= side) graph.couplings.push_back({k, k - side});
  }
  return graph;
}

/// Two chains and a body that couples with none.
inline CouplingGraph apart(int bodies) {
  CouplingGraph graph{"apart", bodies, {}};
  for (int k = 2; k < bodies - 1; ++k) graph.couplings.push_back({k - 2, k});
  return graph;
}

/// Bodies at random in a box, coupled where they are near each other, with some six neighbours each: as in a
/// pile. Some couplings stand twice, in both orders.
inline CouplingGraph pile(int bodies, unsigned seed) {
  CouplingGraph graph{"pile " + std::to_string(seed), bodies, {}};
  std::mt19937 random(seed);
  const auto unit = [&] { return static_cast<double>(random()) / 4294967296.0; };
  std::vector<Eigen::Vector3d> places;
  for (int k = 0; k < bodies; ++k) {
    const double x = unit(), y = unit(), z = unit();
    places.emplace_back(x, y, z);
  }
  // A ball about a body holds six others on average: 4/3 π r³ n = 6.
  const double reach = std::cbrt(6 / (4.0 / 3 * 3.141592653589793 * bodies));
  for (int i = 0; i < bodies; ++i) {
    for (int j = 0; j < i; ++j) {
      if ((places[static_cast<std::size_t>(i)] - places[static_cast<std::size_t>(j)]).norm() > reach)
        continue;
      graph.couplings.push_back({i, j});
      if (unit() < 0.2) graph.couplings.push_back({j, i});
    }
  }
  return graph;
}

}  // namespace tenon::tests
