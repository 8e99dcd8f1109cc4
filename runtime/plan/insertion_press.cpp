// See insertion_press.h.
#include "runtime/plan/insertion_press.h"

#include <algorithm>
#include <optional>

namespace tenon::runtime {

namespace {

using physics::Vector3d;

/// Of unhurried motions of a person; of a press fit, and of an insertion that failed before [m/s].
constexpr double kInsertSpeed = 0.03, kPressFitSpeed = 0.008;
/// Travel beyond a seat, and at most of a press fit [m].
constexpr double kPressTravel = 0.2e-3, kMaxPressTravel = 20e-3;

double pressFitTravel(const content::Hand& hand, const Vector3d& d) {
  const physics::HandParameters& parameters = hand.parameters;
  const double stiffness = parameters.stiffness.dot(d.cwiseAbs2());
  return std::clamp(0.5 * parameters.maxForce / stiffness, kPressTravel, kMaxPressTravel);
}

}  // namespace

double insertionSpeed(const PlanStep& step) {
  return step.isPressFit || step.isSlow ? kPressFitSpeed : kInsertSpeed;
}

Vector3d pressTravel(const PlanStep& step, const content::Hand& hand) {
  const std::optional<Vector3d> d = step.firstDirection();
  if (!d || !step.isPressed) return Vector3d::Zero();
  return -(step.isPressFit ? pressFitTravel(hand, *d) : kPressTravel) * *d;
}

}  // namespace tenon::runtime
