// A wooden cross of six bars that lock each other, held in a vice, and a hand that draws the key out of it
// and pushes it back.
#pragma once

#include <vector>

#include "physics/world.h"
#include "tests/support/burr.h"
#include "tests/support/convex_overlap.h"

namespace tenon::tests {

class WoodenCross {
 public:
  static constexpr double kCell = 0.01;  ///< half the width of a bar [m]
  static constexpr double kPlay =
      5e-5;  ///< by which faces are further in: half of that between two parts [m]
  static constexpr double kTravel = 0.025;  ///< of the key, of its length of 0.06 [m]
  static constexpr int kSteps = 4000;       ///< out and in again, at 1 kHz

  /// The parts collide on their own faces, of wood (600 kg/m³, µ 0.35).
  WoodenCross();

  /// The step `k` < kSteps.
  const physics::StepResult& step(int k);
  /// How far the key is out [m].
  double keyDisplacement() const;
  /// The deepest overlap of two parts in the present state, by separating planes of the boxes they consist of
  /// [m].
  double overlap() const;

 private:
  physics::Pose target(double share) const;

  std::vector<Voxels> pieces_;
  std::vector<std::vector<Eigen::AlignedBox3d>> boxes_;  // of each piece [m]
  physics::World world_;
  physics::HandId hand_;
};

}  // namespace tenon::tests
