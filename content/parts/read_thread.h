// Reads the key "thread" of a scene file: size, tolerance, hand and starts of a screw thread.
#pragma once

#include <optional>
#include <string>

#include "content/fits/iso965.h"
#include "content/input/json_cursor.h"
#include "physics/collision/geometry/thread.h"

namespace tenon::content {

/// A thread as requested; where it begins and ends is not set yet.
struct ThreadRequest {
  physics::Thread thread;   ///< diameters, pitch, hand, starts and phase
  double nominal = 0;       ///< nominal diameter d [m]
  std::string designation;  ///< "M8", "M8x1", "Ø 8.5 mm x 1.1 mm"
};

/// What a thread is cut into; decides which fields its object has.
enum class ThreadPlace {
  section,  ///< of a turned part: "from" and "length"
  ring,     ///< the whole hole of a ring
  hole,     ///< of a block: "depth"
  screw,    ///< a standard screw, whose size is given
  nut,      ///< a standard nut, likewise
};

/// Reads size, tolerance, hand and starts; the caller reads the length. `standard`: the size of a standard
/// part. Throws InputError for unknown fields, sizes, pitches and classes and for invalid profiles.
ThreadRequest readThread(const JsonCursor& at, ThreadPlace place,
                         const std::optional<ThreadSizeAndPitch>& standard = {});

/// The "depth" of a thread in a hole, below its mouth [m]; empty: as deep as the hole.
std::optional<double> readThreadDepth(const JsonCursor& at);

/// Throws InputError if the finished thread is invalid.
void checkThread(const JsonCursor& at, const ThreadRequest& request);

/// Size of a thread for messages, from its pitch diameter: "M8x1" or, beside ISO 261, "Ø 8.5 mm,
/// pitch 1.1 mm"; with ", left-handed" and the number of starts where these are not 1 and right.
std::string threadText(const physics::Thread& thread);

}  // namespace tenon::content
