// Turned parts with screw threads: an external one on a section, an internal one in the hole of a ring.
//
// A thread is a shape of its own (physics::Thread): a threaded part is a compound of its threads and of what
// remains of its other shapes. In pairs other than external with internal thread the grooves count as filled.
#pragma once

#include <optional>
#include <vector>

#include "content/model/hole_sites.h"
#include "content/parts/read_thread.h"
#include "physics/collision/geometry/shape.h"

namespace tenon::content {

/// Most shapes of a solid with one thread: below, thread, above.
inline constexpr int kMaxThreadedShapes = 3;

/// A solid of revolution with the thread of `at`. A ring gets an internal thread in its hole; any other
/// solid an external one of "length" from "from" upwards (default: its lower end), on a cylinder of the
/// nominal diameter, which may end in chamfers. Beyond the thread the grooves run out in a cone of 1.25 P.
/// Throws InputError for a thread on a cone, beyond the part, or in a hollow section.
physics::Shape withThread(const JsonCursor& at, const physics::SolidOfRevolution& solid);

/// The same for a thread that has been read, between z = low and z = high [m].
physics::Shape withExternalThread(const JsonCursor& at, const ThreadRequest& request,
                                  const physics::SolidOfRevolution& solid, double low, double high);
/// A thread of a shape, in the shape's frame.
struct PlacedThread {
  physics::Thread thread;
  physics::Pose X_PT;  ///< of the thread's frame
};

/// All threads of a shape, those of a compound's children included.
std::vector<PlacedThread> threadsOf(const physics::Shape& shape);

/// True if an internal thread of the shape lies in the hole.
bool hasThreadIn(const physics::Shape& shape, const HoleSite& hole);

}  // namespace tenon::content
