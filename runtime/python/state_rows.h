// The result of a step as rows of plain numbers, which numpy arrays view without a copy.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "runtime/python/scene_handle.h"
#include "runtime/simulation/lockstep_simulation.h"

namespace tenon::python {

/// A part: the pose of its own frame, and the velocity of its center of mass.
struct PartRow {
  double position[3];         ///< of the part's origin [m]
  double quaternion[4];       ///< w x y z, part to world
  double velocity[3];         ///< of the center of mass [m/s]
  double angularVelocity[3];  ///< [rad/s]
};

struct ContactRow {
  std::int32_t partA, partB;  ///< indices of parts, A < B
  double position[3];         ///< [m]
  double normal[3];           ///< unit, from A into B
  double separation;          ///< negative: overlap [m]
  double force;               ///< along the normal, on B [N]
  double friction[3];         ///< on B [N]
  double impulse[3];          ///< on B, of an impact [N s]
  double mu;                  ///< [-]
};

struct HandRow {
  double position[3];    ///< of the target [m]
  double quaternion[4];  ///< of the target, w x y z
  std::int32_t part;     ///< the held part; −1: none
  bool lost;             ///< lost its part in the last step
  double force[3];       ///< on the part, without the carried weight [N]
  double torque[3];      ///< on the part [N m]
};

/// Stores ASCII text, filled up with zeros as in numpy's arrays of text.
template <std::size_t size>
void storeText(std::string_view text, char32_t (&out)[size]) {
  for (std::size_t k = 0; k < size; ++k) out[k] = k < text.size() ? static_cast<char32_t>(text[k]) : U'\0';
}

struct JointRow {
  double angle;      ///< [rad]
  double travel;     ///< [m]
  double force[3];   ///< on its part, world [N]
  double torque[3];  ///< [N m]
};

struct GoalRow {
  char32_t verdict[12];  ///< as in results
  double depth;          ///< [m]
  double tilt;           ///< [rad]
  double time;           ///< of the first insertion, else of the last step [s]
  double push;           ///< in the last step [N]
  double maxPush;        ///< peak so far [N]
};

/// All of a state; never changes.
struct State {
  std::shared_ptr<const SceneHandle> scene;
  std::int64_t step = 0;
  double time = 0;  ///< [s]
  std::uint64_t stateHash = 0;
  std::vector<PartRow> parts;
  std::vector<ContactRow> contacts;
  std::vector<HandRow> hands;
  std::vector<JointRow> joints;
  std::vector<GoalRow> goals;
  bool converged = true;
  double penetration = 0;  ///< [m]
  double residual = 0;     ///< [N]
};

std::shared_ptr<State> stateOf(const std::shared_ptr<const SceneHandle>& scene,
                               const runtime::LockstepSimulation& simulation);

}  // namespace tenon::python
