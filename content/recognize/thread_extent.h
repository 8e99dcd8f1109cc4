// Where a fitted thread ends on its part.
#pragma once

#include <array>

#include "content/recognize/thread_fit.h"

namespace tenon::content {

/// One end of a thread: a face of the part, with or without a cone, or a cut where the part goes on.
struct ThreadLimit {
  bool isFace = false;
  double height = 0;        ///< along the axis [m]
  physics::ThreadEnd cone;  ///< no length: none
};

/// The ends of a thread at its lower and upper height.
struct ThreadExtent {
  std::array<ThreadLimit, 2> limits;

  double low() const { return limits[0].height; }
  double high() const { return limits[1].height; }
};

/// An end is at the face across the axis within three pitches of the complete threads, if these reach it or a
/// cone leads to it (a chamfer, a countersink); else where the complete threads end.
ThreadExtent threadExtent(const Facets& facets, const ThreadFit& fit);

/// The thread with its ends, in the frame of the axis.
physics::Thread threadWithEnds(const ThreadModel& model, const ThreadExtent& extent);

/// Distance of a point from the thread with its ends, positive outside of the material [m].
double distanceFrom(const ThreadModel& model, const ThreadExtent& extent, const Vector3d& p);

}  // namespace tenon::content
