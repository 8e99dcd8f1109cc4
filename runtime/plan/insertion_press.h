// How fast hands insert, and how far beyond its place they press a part.
#pragma once

#include "runtime/plan/plan.h"

namespace tenon::runtime {

/// Speed of the step's insertion [m/s].
double insertionSpeed(const PlanStep& step);

/// Travel beyond the place with which the hand's spring presses the part on a face [m], world; of a press fit
/// that which stretches it to half its force. Zero without a face.
physics::Vector3d pressTravel(const PlanStep& step, const content::Hand& hand);

}  // namespace tenon::runtime
