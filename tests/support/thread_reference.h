// Least distance of an external and an internal thread by brute force: what thread contacts are checked
// against. Calls nothing of the engine but the values of a thread and a pose.
//
// A half-plane θ = const cuts a thread in convex polygons, one a turn. The distance of a point to a thread is
// the least, over half-planes near the point's, of √(d² + (r sin ψ)²) with d the distance to the polygons
// there.
#pragma once

#include "physics/collision/geometry/thread.h"
#include "physics/math/pose.h"

namespace tenon::test {

/// Least distance of the surfaces [m]: a grid over all faces of the external thread, the best cells refined;
/// 0 where a point of that grid lies in the internal thread. X_NB: bolt in the nut's frame.
double referenceThreadDistance(const physics::Thread& bolt, const physics::Thread& nut,
                               const physics::Pose& X_NB);

/// Distance of a point in the thread's frame to the thread, with the core of an external one [m]; 0 inside.
double referenceThreadDistance(const physics::Thread& thread, const physics::Vector3d& p);

}  // namespace tenon::test
