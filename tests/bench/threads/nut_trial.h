// A nut on a bolt as every engine gets them: meshes of triangles of M16 × 2 threads, the same start, and what
// is measured, from the poses alone and the formulas of the threads.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "physics/math/pose.h"
#include "tests/support/thread_meshes.h"

namespace tenon::bench {

using physics::Pose;
using physics::Vector3d;

/// CPU time of this thread [µs]: of what else the machine does, only caches are in it.
double cpuTime();

/// A fixed vertical bolt, and a nut on its flanks that its weight, or a load along the axis, presses down.
struct NutTrial {
  std::string name;
  double friction = 0;
  double load = 0;  ///< along the axis, in place of the weight [N]; 0: the weight alone
  int steps = 500;
  double dt = 1e-3;  ///< [s]

  tests::ThreadMeshOptions bolt, nut;  ///< 6g and 6H of ISO 965-1, in the middle of their tolerances
  double mass = 0;                     ///< of the nut [kg]
  Vector3d inertia;                    ///< about its center of mass, which is its origin [kg m²]
  Pose X_WN;                           ///< start of the nut: 0.1 µm above the bolt's flanks

  NutTrial(const std::string& trialName, int facets, double mu, double axialLoad);
  double acceleration() const { return load > 0 ? load / mass : 9.81; }  ///< downwards [m/s²]
  double lead() const { return bolt.pitch; }
  /// Acceleration of a smooth nut: a = g / (1 + I/(m h²)), h = P/2π [m/s²].
  double smoothFall() const;
};

/// Depth of the surface of either thread in the other, in sections through the axis, the worst of a grid on
/// the flanks, refined [m]; negative: apart by so much. By the formulas of the threads, without an engine.
double overlap(const NutTrial& trial, const Pose& X_WN);

class NutEngine {
 public:
  NutEngine() = default;
  virtual ~NutEngine() = default;
  NutEngine(const NutEngine&) = delete;
  NutEngine& operator=(const NutEngine&) = delete;
  virtual void step() = 0;
  virtual Pose pose() const = 0;           ///< of the nut
  virtual std::string remark() const = 0;  ///< what makes the result void; empty: nothing
};

std::unique_ptr<NutEngine> makeTenon(const NutTrial& trial);
/// Only linked where it was found. MuJoCo takes a mesh for its convex hull: with `inPieces` each tooth is cut
/// in a convex piece a facet, else each mesh is one.
std::unique_ptr<NutEngine> makeMujoco(const NutTrial& trial, bool inPieces);

/// Steps in which the nut meets the flanks; they count for no advance.
inline constexpr int kSettling = 20;

struct NutOutcome {
  double fallen = 0;   ///< of the nut [m]
  double advance = 0;  ///< along the axis for each turn, after kSettling steps [m]; 0: it did not turn
  double overlap = 0;  ///< worst at the end of a step [m]
  double median_us = 0, p99_us = 0;  ///< of a step
  int steps = 0;                     ///< that were done: ends where the nut is 10 mm away from where it began
  std::string remark;
};

NutOutcome measure(const NutTrial& trial, NutEngine& engine);

}  // namespace tenon::bench
