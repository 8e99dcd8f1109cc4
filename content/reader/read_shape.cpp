// Shapes as a scene file writes them: diameters and full sizes there, radii and halves here.
#include "content/reader/read_shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "content/input/limits.h"
#include "content/model/hole_sites.h"
#include "content/reader/read_holes.h"
#include "content/reader/read_profile.h"
#include "physics/collision/geometry/convex_hull.h"
#include "physics/collision/geometry/shape_conversions.h"

namespace tenon::content {
namespace {

using physics::Shape;

/// Counts convex pieces, and complains when the scene has too many.
void take(const JsonCursor& at, int convexParts) {
  at.context().convexParts += convexParts;
  if (at.context().convexParts > kMaxConvexParts) {
    at.fail(fmt::format("brings the scene above {} convex pieces (shapes, hull vertices, hole facets)",
                        kMaxConvexParts),
            "use fewer shapes or fewer \"sectors\"");
  }
}

/// Pieces beyond the one that every shape counts for.
int furtherPieces(const Shape& shape) {
  return physics::convexPartCount(shape) - 1;
}

Shape readBox(const JsonCursor& at) {
  at.allowOnly({"kind", "size"});
  const auto xyz = at.member("size").elements(3, 3);
  return physics::Box{0.5 * Eigen::Vector3d(xyz[0].size(), xyz[1].size(), xyz[2].size())};
}

Shape readSphere(const JsonCursor& at) {
  at.allowOnly({"kind", "diameter"});
  return physics::Sphere{0.5 * at.member("diameter").size()};
}

Shape readCylinder(const JsonCursor& at) {
  at.allowOnly({"kind", "diameter", "length"});
  return physics::Cylinder{0.5 * at.member("diameter").size(), 0.5 * at.member("length").size()};
}

Shape readCapsule(const JsonCursor& at) {
  at.allowOnly({"kind", "diameter", "length"});
  const double radius = 0.5 * at.member("diameter").size();
  const JsonCursor length = at.member("length");
  const double straight = length.size() - 2 * radius;
  if (!(straight >= kMinSize)) {
    length.fail("is no longer than the two half balls at the capsule's ends",
                "make \"length\" (end to end) larger than \"diameter\", or use a sphere");
  }
  return physics::Capsule{radius, 0.5 * straight};
}

Shape readFrustum(const JsonCursor& at) {
  at.allowOnly({"kind", "bottom_diameter", "top_diameter", "length"});
  const double bottom = at.member("bottom_diameter").length(0, kMaxSize);
  const double top = at.member("top_diameter").length(0, kMaxSize);
  if (!(bottom >= kMinSize || top >= kMinSize)) {
    at.fail("is a frustum without thickness", "make \"bottom_diameter\" or \"top_diameter\" larger than 0");
  }
  return physics::Frustum{0.5 * bottom, 0.5 * top, 0.5 * at.member("length").size()};
}

Shape readHull(const JsonCursor& at) {
  at.allowOnly({"kind", "vertices"});
  const JsonCursor list = at.member("vertices");
  physics::Hull hull;
  for (const JsonCursor& vertex : list.elements(4, kMaxVertices)) hull.vertices.push_back(vertex.position());
  take(list, furtherPieces(hull));
  try {
    physics::convexHull(hull.vertices);
  } catch (const std::invalid_argument& error) {
    list.fail(fmt::format("enclose no solid: {}", error.what()),
              "give four or more points that are not in one plane");
  }
  return hull;
}

/// The name of a hole that a turned part has or not, "hole" and `ending` where the file gives it none.
void nameHole(const JsonCursor& at, const char* field, const char* ending, std::string& name, bool isThere) {
  const auto given = at.find(field);
  if (given && !isThere)
    given->fail("names a hole of a part without one",
                "remove it, close the profile to a ring, or let it end on the axis inside the part");
  if (isThere) name = given ? given->name() : std::string("hole") + ending;
}

Shape readTurned(const JsonCursor& at) {
  at.allowOnly({"kind", "profile", "hole", "hole_below"});
  const JsonCursor list = at.member("profile");
  physics::SolidOfRevolution turned{readRevolvedProfile(list)};
  take(list, furtherPieces(turned));
  if (const auto problem = physics::problemWith(turned)) {
    list.fail(
        *problem,
        "list [z, r] from the bottom up, from the axis (r = 0) along the outline back to the axis; or of a "
        "ring up outside and down inside, back to its first point");
  }
  nameHole(at, "hole", "", turned.hole, isRing(turned) || recessesOf(turned).top);
  nameHole(at, "hole_below", " below", turned.holeBelow, recessesOf(turned).below);
  return turned;
}

/// Holes made of flat facets.
Shape readFacetedBlock(const JsonCursor& at, const Eigen::Vector3d& halfExtents, const JsonCursor& sectors) {
  physics::FacetedBlock block;
  block.halfExtents = halfExtents;
  block.sectors = sectors.integer(8, kMaxSectors);
  if (block.sectors % 4 != 0) sectors.fail(fmt::format("is {}", block.sectors), "give a multiple of 4");
  const JsonCursor holes = at.member("holes");
  // Counted before any is read, which takes long for many.
  physics::FacetedBlock unread = block;
  unread.holes.resize(holes.elements(1, kMaxEntries).size());
  take(holes, furtherPieces(unread));
  readHoles(holes, block);
  return block;
}

Shape readBlock(const JsonCursor& at) {
  at.allowOnly({"kind", "size", "holes", "sectors"});
  const auto xyz = at.member("size").elements(3, 3);
  const Eigen::Vector3d halfExtents = 0.5 * Eigen::Vector3d(xyz[0].size(), xyz[1].size(), xyz[2].size());
  if (const auto sectors = at.find("sectors")) return readFacetedBlock(at, halfExtents, *sectors);
  physics::BlockWithHoles block{halfExtents, {}};
  const JsonCursor holes = at.member("holes");
  // Facets are made of exact holes, too, for partners that are not round.
  physics::BlockWithHoles unread = block;
  unread.cavities.resize(holes.elements(1, kMaxEntries).size());
  take(holes, furtherPieces(unread));
  readHoles(holes, block);
  return block;
}

Shape readAny(const JsonCursor& at, bool inCompound);

Shape readCompound(const JsonCursor& at) {
  at.allowOnly({"kind", "children"});
  physics::Compound compound;
  for (const JsonCursor& child : at.member("children").elements(1, kMaxEntries)) {
    child.allowOnly({"shape", "position", "rotation"});
    compound.children.push_back({readAny(child.member("shape"), true), child.pose()});
  }
  return compound;
}

Shape readHalfSpace(const JsonCursor& at, bool inCompound) {
  at.allowOnly({"kind"});
  if (inCompound) at.fail("is a half-space inside a compound", "make it a part of its own");
  return physics::HalfSpace{};
}

Shape readAny(const JsonCursor& at, bool inCompound) {
  take(at, 1);
  switch (at.member("kind").choice({"box", "sphere", "cylinder", "capsule", "frustum", "hull", "half_space",
                                    "block", "turned", "compound", "mesh"})) {
    case 0:
      return readBox(at);
    case 1:
      return readSphere(at);
    case 2:
      return readCylinder(at);
    case 3:
      return readCapsule(at);
    case 4:
      return readFrustum(at);
    case 5:
      return readHull(at);
    case 6:
      return readHalfSpace(at, inCompound);
    case 7:
      return readBlock(at);
    case 8:
      return readTurned(at);
    case 9:
      return readCompound(at);
    default:
      at.fail("is a mesh inside a compound", "make it the shape of a part of its own");
  }
}

}  // namespace

Shape readShape(const JsonCursor& at) {
  return readAny(at, false);
}

}  // namespace tenon::content
