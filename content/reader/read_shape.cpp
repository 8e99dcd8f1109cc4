// See read_shape.h. The file has diameters and full sizes; physics shapes have radii and half sizes.
#include "content/reader/read_shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <stdexcept>

#include "content/input/limits.h"
#include "content/model/hole_sites.h"
#include "content/parts/threaded_shapes.h"
#include "content/reader/read_holes.h"
#include "content/reader/read_profile.h"
#include "physics/collision/geometry/convex_hull.h"
#include "physics/collision/geometry/shape_conversions.h"

namespace tenon::content {
namespace {

using physics::Shape;

/// Adds to the number of convex parts of the scene; throws if there are too many.
void countConvexParts(const JsonCursor& at, int convexParts) {
  at.context().convexParts += convexParts;
  if (at.context().convexParts > kMaxConvexParts) {
    at.fail(
        fmt::format(
            "brings the scene above {} convex parts (shapes, hull vertices, points of profiles, hole facets)",
            kMaxConvexParts),
        "use fewer shapes or fewer \"sectors\"");
  }
}

/// Convex parts of a shape, less the one that readAny() counts for each shape.
int additionalConvexParts(const Shape& shape) {
  return physics::convexPartCount(shape) - 1;
}

Shape readBox(const JsonCursor& at) {
  at.allowOnly({"kind", "size"});
  const auto xyz = at.member("size").elements(3, 3);
  return physics::Box{
      0.5 * Eigen::Vector3d(xyz[0].positiveLength(), xyz[1].positiveLength(), xyz[2].positiveLength())};
}

Shape readSphere(const JsonCursor& at) {
  at.allowOnly({"kind", "diameter"});
  return physics::Sphere{0.5 * at.member("diameter").positiveLength()};
}

Shape readCylinder(const JsonCursor& at) {
  at.allowOnly({"kind", "diameter", "length"});
  at.reportMissing({"diameter", "length"});
  return physics::Cylinder{0.5 * at.member("diameter").positiveLength(),
                           0.5 * at.member("length").positiveLength()};
}

Shape readCapsule(const JsonCursor& at) {
  at.allowOnly({"kind", "diameter", "length"});
  at.reportMissing({"diameter", "length"});
  const double radius = 0.5 * at.member("diameter").positiveLength();
  const JsonCursor length = at.member("length");
  const double straight = length.positiveLength() - 2 * radius;
  if (!(straight >= kMinSize)) {
    length.fail("is not larger than the diameter of the capsule",
                "make \"length\" (end to end) larger than \"diameter\", or use a sphere");
  }
  return physics::Capsule{radius, 0.5 * straight};
}

Shape readFrustum(const JsonCursor& at) {
  at.allowOnly({"kind", "bottom_diameter", "top_diameter", "length"});
  at.reportMissing({"bottom_diameter", "top_diameter", "length"});
  const double bottom = at.member("bottom_diameter").length(0, kMaxSize);
  const double top = at.member("top_diameter").length(0, kMaxSize);
  if (!(bottom >= kMinSize || top >= kMinSize)) {
    at.fail("is a frustum without thickness", "make \"bottom_diameter\" or \"top_diameter\" larger than 0");
  }
  return physics::Frustum{0.5 * bottom, 0.5 * top, 0.5 * at.member("length").positiveLength()};
}

Shape readHull(const JsonCursor& at) {
  at.allowOnly({"kind", "vertices"});
  const JsonCursor list = at.member("vertices");
  physics::Hull hull;
  for (const JsonCursor& vertex : list.elements(4, kMaxVertices)) hull.vertices.push_back(vertex.position());
  countConvexParts(list, additionalConvexParts(hull));
  try {
    physics::convexHull(hull.vertices);
  } catch (const std::invalid_argument& error) {
    list.fail(fmt::format("enclose no solid: {}", error.what()),
              "give four or more points that are not in one plane");
  }
  return hull;
}

/// Names a hole of a solid of revolution: the name in the file, else "hole" and `suffix`. Throws if the file
/// names a hole that does not exist.
void nameHole(const JsonCursor& at, const char* field, const char* suffix, std::string& name, bool exists) {
  const auto given = at.find(field);
  if (given && !exists)
    given->fail("names a hole of a part without one",
                "remove it, close the profile to a ring, or end it on the axis inside the part");
  if (exists) name = given ? given->name() : std::string("hole") + suffix;
}

Shape readSolidOfRevolution(const JsonCursor& at) {
  at.allowOnly({"kind", "profile", "hole", "hole_below", "thread"});
  const JsonCursor list = at.member("profile");
  physics::SolidOfRevolution solid{readRevolvedProfile(list)};
  countConvexParts(list, additionalConvexParts(solid));
  if (const auto problem = physics::problemWith(solid)) {
    list.fail(
        *problem,
        "list [z, r] from the bottom up, from the axis (r = 0) along the outline back to the axis; for a "
        "ring up outside and down inside, back to its first point");
  }
  nameHole(at, "hole", "", solid.hole, isRing(solid) || recessesOf(solid).top);
  nameHole(at, "hole_below", " below", solid.holeBelow, recessesOf(solid).below);
  if (const auto thread = at.find("thread")) {
    countConvexParts(*thread, kMaxThreadedShapes - 1);
    return withThread(*thread, solid);
  }
  return solid;
}

/// A block whose holes consist of flat facets.
Shape readFacetedBlock(const JsonCursor& at, const Eigen::Vector3d& halfExtents, const JsonCursor& sectors) {
  physics::FacetedBlock block;
  block.halfExtents = halfExtents;
  block.sectors = sectors.integer(8, kMaxSectors);
  if (block.sectors % 4 != 0) sectors.fail(fmt::format("is {}", block.sectors), "give a multiple of 4");
  const JsonCursor holes = at.member("holes");
  // Counted first, because reading many holes takes long.
  physics::FacetedBlock unread = block;
  unread.holes.resize(holes.elements(1, kMaxEntries).size());
  countConvexParts(holes, additionalConvexParts(unread));
  readHoles(holes, block);
  return block;
}

Shape readBlock(const JsonCursor& at) {
  at.allowOnly({"kind", "size", "holes", "sectors"});
  at.reportMissing({"size", "holes"});
  const JsonCursor holes =
      at.member("holes", "add \"holes\", or give it the \"kind\" \"box\" if it has none");
  const auto xyz = at.member("size").elements(3, 3);
  const Eigen::Vector3d halfExtents =
      0.5 * Eigen::Vector3d(xyz[0].positiveLength(), xyz[1].positiveLength(), xyz[2].positiveLength());
  if (const auto sectors = at.find("sectors")) return readFacetedBlock(at, halfExtents, *sectors);
  physics::BlockWithHoles block{halfExtents, {}};
  std::vector<physics::PlacedShape> threads = readHoles(holes, block);
  countConvexParts(holes, additionalConvexParts(block));
  if (threads.empty()) return block;
  countConvexParts(holes, static_cast<int>(threads.size()));
  physics::Compound compound{{{block, physics::Pose()}}};
  std::move(threads.begin(), threads.end(), std::back_inserter(compound.children));
  return compound;
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
  countConvexParts(at, 1);
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
      return readSolidOfRevolution(at);
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
