// Library parts in scenes: see read_library_part.h.
#include "content/parts/read_library_part.h"

#include "content/parts/parametric_part.h"
#include "content/parts/standard_part.h"
#include "content/scene/limits.h"

namespace tenon::content {
namespace {

/// Convex pieces that the shape counts for: as if its scene had written it out.
int piecesOf(const physics::Shape& shape) {
  if (const auto* turned = std::get_if<physics::Turned>(&shape))
    return static_cast<int>(turned->profile.size());
  if (const auto* hull = std::get_if<physics::Hull>(&shape)) return static_cast<int>(hull->vertices.size());
  if (const auto* block = std::get_if<physics::BoredBlock>(&shape))
    return 1 + 128 * static_cast<int>(block->cavities.size());
  int pieces = 1;
  if (const auto* compound = std::get_if<physics::Compound>(&shape))
    for (const physics::PlacedShape& child : compound->children) pieces += piecesOf(child.shape);
  return pieces;
}

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
  pieces += piecesOf(named.part.shape);
  if (pieces > kMaxPieces)
    place.fail("brings the scene above " + std::to_string(kMaxPieces) + " convex pieces",
               "use fewer parts or fewer holes");
  return named;
}

}  // namespace tenon::content
