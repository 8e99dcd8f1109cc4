// Assemblies whose parts come out on paths with corners only, as boxes in millimeters.
#pragma once

#include <numbers>
#include <vector>

#include "tests/runtime/plan/plan_scene.h"
#include "tests/support/burr.h"

namespace tenon::tests {

/// From corner to corner [mm].
struct Corners {
  physics::Vector3d low, high;
};

inline physics::Compound boxes(const std::vector<Corners>& corners) {
  physics::Compound compound;
  for (const Corners& c : corners)
    compound.children.push_back(
        {physics::Box{0.5e-3 * (c.high - c.low)}, physics::Pose::at(0.5e-3 * (c.low + c.high))});
  return compound;
}

/// A block in a slot under lips up to x = 45 mm; where it is free between there and the end at x = 80 mm, it
/// can be lifted. It is 30 mm long and begins at x = 5 mm.
inline content::Scene tSlot() {
  content::Scene scene = emptyScene();
  addPart(scene, "rail",
          boxes({{{0, -20, 0}, {80, 20, 5}},
                 {{0, -20, 5}, {80, -10, 20}},
                 {{0, 10, 5}, {80, 20, 20}},
                 {{0, -10, 12}, {45, -5, 20}},
                 {{0, 5, 12}, {45, 10, 20}},
                 {{80, -20, 0}, {85, 20, 20}},
                 {{-5, -20, 0}, {0, 20, 20}}}),
          physics::Vector3d::Zero());
  addPart(scene, "block", boxes({{{5, -9.9, 5}, {35, 9.9, 11.9}}, {{5, -4.9, 11.9}, {35, 4.9, 30}}}),
          physics::Vector3d::Zero());
  return scene;
}

/// A drawer 25 mm high behind a lip of 3 mm, below a top 30 mm above the floor.
inline content::Scene drawerBehindALip() {
  content::Scene scene = emptyScene();
  addPart(scene, "cabinet",
          boxes({{{0, 0, 0}, {60, 50, 3}},
                 {{0, 0, 33}, {60, 50, 36}},
                 {{0, 0, 3}, {3, 50, 33}},
                 {{57, 0, 3}, {60, 50, 33}},
                 {{3, 47, 3}, {57, 50, 33}},
                 {{3, 0, 3}, {57, 3, 6}}}),
          physics::Vector3d::Zero());
  addPart(scene, "drawer", boxes({{{3.2, 3.2, 3}, {56.8, 46.5, 28}}}), physics::Vector3d::Zero());
  return scene;
}

/// A key whose bar of 16 × 4 mm along y is below a plate with a slot for it along x.
inline content::Scene bayonet() {
  content::Scene scene = emptyScene();
  addPart(scene, "housing",
          boxes({{{-15, -15, 20}, {-8.3, 15, 24}},
                 {{8.3, -15, 20}, {15, 15, 24}},
                 {{-8.3, 2.3, 20}, {8.3, 15, 24}},
                 {{-8.3, -15, 20}, {8.3, -2.3, 24}},
                 {{-15, -15, 0}, {15, 15, 2}},
                 {{-15, -15, 2}, {-12, 15, 20}},
                 {{12, -15, 2}, {15, 15, 20}},
                 {{-12, 12, 2}, {12, 15, 20}},
                 {{-12, -15, 2}, {12, -12, 20}}}),
          physics::Vector3d::Zero());
  physics::Compound key = boxes({{{-2, -8, 12}, {2, 8, 15}}});
  key.children.push_back({physics::Cylinder{0.002, 0.02}, physics::Pose::at({0, 0, 0.035})});
  const int part = addPart(scene, "key", key, physics::Vector3d::Zero());
  scene.part(part).features = {{"tip", physics::Vector3d(0, 0, 0.012), physics::Vector3d(0, 0, -1)}};
  return scene;
}

/// A hook through a square hole of a plate, with a head that is wider: its foot goes through only if it
/// turns. The bars are 6 mm thick, the hole is 2 `half` wide [mm].
inline content::Scene hookInAPlate(double half) {
  content::Scene scene = emptyScene();
  addPart(scene, "plate",
          boxes({{{-40, -40, 0}, {40, -half, 5}},
                 {{-40, half, 0}, {40, 40, 5}},
                 {{-40, -half, 0}, {-half, half, 5}},
                 {{half, -half, 0}, {40, half, 5}}}),
          physics::Vector3d::Zero());
  addPart(scene, "hook",
          boxes({{{-3, -3, -40}, {3, 3, 5}}, {{3, -3, -40}, {30, 3, -34}}, {{-12, -12, 5}, {12, 12, 10}}}),
          physics::Vector3d::Zero());
  return scene;
}

/// A plug in a well, locked by the tip of a latch in its notch. The latch, in a channel beside the well, is
/// longer than its play there: it comes out through the well only.
inline content::Scene latchedPlug() {
  content::Scene scene = emptyScene();
  addPart(scene, "housing",
          boxes({{{-10, -25, -10}, {72, 25, 0}},
                 {{-10, -25, 0}, {0, 25, 40}},
                 {{0, -25, 0}, {72, -15, 40}},
                 {{0, 15, 0}, {72, 25, 40}},
                 {{30, -15, 0}, {62, -6, 40}},
                 {{30, 6, 0}, {62, 15, 40}},
                 {{30, -6, 0}, {62, 6, 10}},
                 {{30, -6, 20.1}, {62, 6, 40}},
                 {{62, -15, 0}, {72, 15, 40}}}),
          physics::Vector3d::Zero());
  addPart(scene, "latch", boxes({{{22, -5.9, 10}, {50, 5.9, 20}}}), physics::Vector3d::Zero());
  addPart(scene, "plug",
          boxes({{{0.1, -14.9, 0}, {29.9, 14.9, 9.9}},
                 {{0.1, -14.9, 20.2}, {29.9, 14.9, 60}},
                 {{0.1, -14.9, 9.9}, {21.8, 14.9, 20.2}}}),
          physics::Vector3d::Zero());
  return scene;
}

/// A burr of cells of 10 mm, without a fixed piece; piece 1 is the key. Each piece is smaller by `gap` [mm]
/// all around.
inline content::Scene burrScene(const std::vector<Voxels>& pieces, double gap = 0) {
  content::Scene scene = emptyScene();
  scene.gravity.setZero();
  for (const Voxels& piece : pieces) {
    std::vector<Corners> corners;
    for (const Eigen::AlignedBox3d& box : boxesOf(piece, 0.1 * gap))
      corners.push_back({10 * box.min(), 10 * box.max()});
    const int part = addPart(scene, "piece " + std::to_string(scene.parts.size() + 1), boxes(corners),
                             physics::Vector3d::Zero());
    scene.part(part).motion = physics::MotionType::dynamic;
  }
  return scene;
}

}  // namespace tenon::tests
