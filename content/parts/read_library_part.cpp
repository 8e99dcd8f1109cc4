// See read_library_part.h.
#include "content/parts/read_library_part.h"

#include "content/input/limits.h"
#include "content/parts/parametric_part.h"
#include "content/parts/standard_part.h"
#include "physics/collision/geometry/shape_conversions.h"

namespace tenon::content {
namespace {

LibraryPart readStandard(const JsonCursor& at, const std::optional<JsonCursor>& thread) {
  const std::string designation = at.name();
  try {
    return thread ? standardPart(designation, *thread) : standardPart(designation);
  } catch (const UnknownPart& error) {
    at.fail(error.what(), error.remedy);
  }
}

}  // namespace

std::optional<NamedLibraryPart> readLibraryPart(const JsonCursor& at) {
  const auto standard = at.find("standard"), library = at.find("library");
  const auto thread = at.find("thread");
  if (thread && !standard)
    thread->fail("is given for a part that is no standard screw or nut",
                 "move it into the \"turned\" shape, or into a hole of the \"block\"");
  if (!standard && !library) return std::nullopt;
  const JsonCursor& place = standard ? *standard : *library;
  if (at.has("shape") || (standard && library))
    place.fail("is given together with another description of the same part",
               "keep one of \"shape\", \"standard\" and \"library\"");
  NamedLibraryPart named{standard ? readStandard(place, thread) : readParametricPart(place), place};
  int& convexParts = at.context().convexParts;
  convexParts += physics::convexPartCount(named.part.shape);
  if (convexParts > kMaxConvexParts)
    place.fail("brings the scene above " + std::to_string(kMaxConvexParts) + " convex parts",
               "use fewer parts or fewer holes");
  return named;
}

}  // namespace tenon::content
