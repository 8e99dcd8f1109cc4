// Library parts in scenes: see read_library_part.h.
#include "content/parts/read_library_part.h"

#include "content/parts/parametric_part.h"
#include "content/parts/standard_part.h"
#include "content/scene/limits.h"
#include "physics/collision/turned/conversions.h"

namespace tenon::content {
namespace {

LibraryPart readStandard(const JsonCursor& at) {
  const std::string designation = at.name();
  try {
    return standardPart(designation);
  } catch (const UnknownPart& error) {
    at.fail(error.what(), error.remedy);
  }
}

}  // namespace

std::optional<NamedLibraryPart> readLibraryPart(const JsonCursor& at) {
  const auto standard = at.find("standard"), library = at.find("library");
  if (!standard && !library) return std::nullopt;
  const JsonCursor& place = standard ? *standard : *library;
  if (at.has("shape") || (standard && library))
    place.fail("is given beside another description of the same part",
               "keep one of \"shape\", \"standard\" and \"library\"");
  NamedLibraryPart named{standard ? readStandard(place) : readParametricPart(place), place};
  int& pieces = at.reading().pieces;
  pieces += physics::piecesOf(named.part.shape);
  if (pieces > kMaxPieces)
    place.fail("brings the scene above " + std::to_string(kMaxPieces) + " convex pieces",
               "use fewer parts or fewer holes");
  return named;
}

}  // namespace tenon::content
