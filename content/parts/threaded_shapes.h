// Shapes with screw threads: an external thread on a turned section, an internal one in a hole.
//
// A thread is a shape of its own (physics::Thread): a threaded part is a compound of its threads and of what
// remains of its other shapes. In pairs other than external with internal thread the grooves count as filled.
#pragma once

#include <optional>
#include <vector>

#include "content/parts/read_thread.h"
#include "physics/collision/geometry/shape.h"

namespace tenon::content {

/// Most shapes of a solid with one thread: below, thread, above.
inline constexpr int kMaxThreadedShapes = 3;

/// A solid of revolution with the thread of `at`. A ring gets an internal thread in its hole, over its whole
/// length; any other solid an external one of "length" from "from" upwards (default: its lower end), on a
/// cylinder of the nominal diameter, which may end in chamfers. Beyond the thread the grooves run out in a
/// cone of 1.25 P. Throws InputError for a thread on a cone, beyond the part, or in a hollow section.
physics::Shape withThread(const JsonCursor& at, const physics::SolidOfRevolution& solid);

/// The same for a thread that has been read, between z = low and z = high [m].
physics::Shape withExternalThread(const JsonCursor& at, const ThreadRequest& request,
                                  const physics::SolidOfRevolution& solid, double low, double high);
/// The same for the hole of a ring.
physics::Shape withInternalThread(const JsonCursor& at, const ThreadRequest& request,
                                  const physics::SolidOfRevolution& ring);

/// A hole in a block, of which only the thread's diameters are not known yet.
struct TappedHole {
  double chamferWidth = 0, chamferDepth = 0;  ///< of the lead-in, from the minor diameter outwards [m]
  double depth = 0;                           ///< of the hole [m]
  double threadDepth = 0;                     ///< from the mouth [m]
  bool through = false;
};

/// Sets `cavity`'s profile for a hole with this thread; returns the thread in the cavity's frame. Throws
/// InputError for an invalid thread.
physics::PlacedShape tap(const JsonCursor& at, const ThreadRequest& request, const TappedHole& hole,
                         physics::Cavity& cavity);

/// A thread of a shape, in the shape's frame.
struct PlacedThread {
  physics::Thread thread;
  physics::Pose X_PT;  ///< of the thread's frame
};

/// All threads of a shape, those of a compound's children included.
std::vector<PlacedThread> threadsOf(const physics::Shape& shape);

}  // namespace tenon::content
