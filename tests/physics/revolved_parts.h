// Solids of revolution and random poses for the tests of turned contacts.
#pragma once

#include <cmath>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "physics/collision/revolved/revolved_contacts.h"

namespace tenon::test {

using physics::BlockWithHoles;
using physics::Cavity;
using physics::Pose;
using physics::SolidOfRevolution;
using physics::Vector3d;

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double between(double low, double high) { return low + (high - low) * unit_(engine_); }
  int below(int n) { return static_cast<int>(between(0, n)) % n; }
  Vector3d vector() { return {normal_(engine_), normal_(engine_), normal_(engine_)}; }
  Vector3d direction() { return vector().normalized(); }

 private:
  std::mt19937 engine_;
  std::uniform_real_distribution<double> unit_{0, 1};
  std::normal_distribution<double> normal_;
};

/// Sharp cylinder, tip at z = 0.
inline SolidOfRevolution cylinder(double radius, double length) {
  return {{{0, 0}, {0, radius}, {length, radius}, {length, 0}}};
}

/// A block of 80 × 60 × 20 mm, with: a through hole in the middle of the top, Ø 10 mm + c and a chamfer of
/// 1.5 mm; a counterbored blind hole with a drill's point beside it; a blind hole with an undercut in +x; and
/// one with a boss at its floor in the bottom.
inline BlockWithHoles boredBlock(double clearance) {
  const double r = 0.005 + clearance / 2;
  const Pose side{physics::exponential(Vector3d(0, std::numbers::pi / 2, 0)), {0.04, 0.01, 0}};
  const Pose below{physics::exponential(Vector3d(std::numbers::pi, 0, 0)), {-0.025, 0.012, -0.01}};
  BlockWithHoles block;
  block.halfExtents = {0.04, 0.03, 0.01};
  block.cavities = {
      {"through", Pose::at({0, 0, 0.01}), {{0, r + 0.0015}, {-0.0015, r}, {-0.02, r}}, true},
      {"counterbore",
       Pose::at({-0.025, -0.012, 0.01}),
       {{0, 0.006}, {-0.004, 0.006}, {-0.004, 0.003}, {-0.012, 0.003}, {-0.0135, 0}},
       false},
      {"undercut", side, {{0, 0.003}, {-0.004, 0.003}, {-0.005, 0.004}, {-0.007, 0.004}, {-0.007, 0}}, false},
      {"boss", below, {{0, 0.006}, {-0.008, 0.006}, {-0.008, 0.002}, {-0.003, 0.0015}, {-0.003, 0}}, false}};
  return block;
}

/// A peg of the benchmark, a chamfered one, a screw with a head, a shaft with a groove and a waist, a spike,
/// and a cup with a dimple.
inline std::vector<SolidOfRevolution> pegs() {
  return {cylinder(0.005, 0.06),
          {{{0, 0}, {0, 0.004}, {0.001, 0.005}, {0.05, 0.005}, {0.05, 0}}},
          {{{0, 0}, {0, 0.0025}, {0.03, 0.0025}, {0.03, 0.0055}, {0.035, 0.0055}, {0.035, 0}}},
          {{{0, 0},
            {0, 0.004},
            {0.01, 0.004},
            {0.01, 0.003},
            {0.013, 0.003},
            {0.012, 0.0045},
            {0.02, 0.003},
            {0.03, 0.0045},
            {0.03, 0}}},
          {{{0, 0}, {0.012, 0.0015}, {0.02, 0.0015}, {0.024, 0}}},
          {{{0.002, 0}, {0, 0.003}, {0, 0.012}, {0.004, 0.015}, {0.006, 0.015}, {0.006, 0}}}};
}

/// A block's mouth and how deep it goes.
inline Pose mouth(const BlockWithHoles& block, int cavity) {
  return block.cavities[static_cast<std::size_t>(cavity)].X_BH;
}

}  // namespace tenon::test
