// Pairs of parts at poses whose least distance has a closed form, and the libraries that measure it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "physics/collision/geometry/shape.h"
#include "physics/math/pose.h"

namespace tenon::bench {

/// Part B moves; part A is at the origin.
struct DistanceCase {
  std::string name;
  physics::BoundarySolid a, b;
  std::vector<physics::Pose> X_AB;  ///< poses of B in the frame of A
  std::vector<double> distance;     ///< the closed form at each of them [m]
  double range = 0;                 ///< largest distance that the query must find [m]
  bool isBConvex = false;
};

/// The cases of the table, each at poses of its own.
std::vector<DistanceCase> distanceCases();

/// Measures one pair: prepared once, then the least distance [m] at a pose; empty if it found none.
class DistanceEngine {
 public:
  virtual ~DistanceEngine() = default;
  virtual std::optional<double> distance(const physics::Pose& X_AB) = 0;
};

/// Null if the library has no distance of such parts.
using MakeEngine = std::function<std::unique_ptr<DistanceEngine>(const DistanceCase&)>;

std::unique_ptr<DistanceEngine> makeTenonEngine(const DistanceCase& pair);
std::unique_ptr<DistanceEngine> makeFclEngine(const DistanceCase& pair);
std::unique_ptr<DistanceEngine> makeBulletEngine(const DistanceCase& pair);

}  // namespace tenon::bench
