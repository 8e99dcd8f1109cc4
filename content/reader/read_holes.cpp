// See read_holes.h.
#include "content/reader/read_holes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "content/input/limits.h"
#include "content/input/wording.h"
#include "content/model/hole_sites.h"
#include "content/parts/tapped_shapes.h"
#include "content/reader/read_profile.h"
#include "physics/collision/geometry/cavity_separation.h"
#include "physics/collision/geometry/faceted_block.h"

namespace tenon::content {
namespace {

using physics::BlockWithHoles;
using physics::Cavity;
using physics::FacetedBlock;
using physics::RoundHole;

/// The position of a hole in the list of its block.
struct HoleEntry {
  std::size_t index = 0, count = 1;
};

/// Radius of the mouth's corners: the facets touch the true circle from outside [m].
double outerRadius(const RoundHole& hole, const FacetedBlock& block) {
  return (hole.radius + hole.chamferWidth) / std::cos(std::numbers::pi / block.sectors);
}

void readChamfer(const JsonCursor& at, RoundHole& hole) {
  at.allowOnly({"width", "depth", "angle_deg"});
  hole.chamferWidth = at.member("width").positiveLength();
  if (at.has("depth") == at.has("angle_deg")) {
    at.fail("needs either \"depth\" or \"angle_deg\"", "keep one of the two");
  }
  const auto angle = at.find("angle_deg");
  hole.chamferDepth =
      angle ? hole.chamferWidth / std::tan(angle->angle(5, 85)) : at.member("depth").positiveLength();
}

void readDepth(const JsonCursor& at, double height, RoundHole& hole) {
  if (at.has("depth") == at.has("through")) {
    at.fail("needs either \"depth\" or \"through\"", "set \"through\": true, or give the depth of the hole");
  }
  if (const auto through = at.find("through")) {
    if (!through->boolean()) through->fail("is false", "set \"through\": true, or give \"depth\" instead");
    hole.depth = height;
    return;
  }
  const JsonCursor depth = at.member("depth");
  hole.depth = depth.positiveLength();
  if (!(hole.depth < height)) {
    depth.fail(fmt::format("is no less than the block's height of {}", at.inFileUnit(height)),
               "make the hole shallower, or set \"through\": true");
  }
}

/// "name" of a hole; by default "hole", or "hole 2" of the second one of several.
std::string readHoleName(const JsonCursor& at, const HoleEntry& entry) {
  if (const auto name = at.find("name")) return name->name();
  return entry.count == 1 ? "hole" : fmt::format("hole {}", entry.index + 1);
}

/// "at"; by default the middle of the face.
Eigen::Vector2d readCenter(const JsonCursor& at) {
  const auto given = at.find("at");
  if (!given) return Eigen::Vector2d::Zero();
  const auto xy = given->elements(2, 2);
  return {xy[0].length(-kMaxPosition, kMaxPosition), xy[1].length(-kMaxPosition, kMaxPosition)};
}

/// A bore with or without a lead-in.
RoundHole readPlainHole(const JsonCursor& at, const HoleEntry& entry, double height) {
  at.allowOnly({"name", "at", "face", "diameter", "chamfer", "depth", "through"});
  RoundHole hole;
  hole.name = readHoleName(at, entry);
  hole.center = readCenter(at);
  hole.radius = 0.5 * at.member("diameter").positiveLength();
  readDepth(at, height, hole);
  if (const auto chamfer = at.find("chamfer")) {
    readChamfer(*chamfer, hole);
    if (!(hole.chamferDepth < hole.depth)) {
      chamfer->fail(fmt::format("is {} deep and leaves no bore below it", at.inFileUnit(hole.chamferDepth)),
                    "make the chamfer shallower or the hole deeper");
    }
  }
  return hole;
}

void checkFits(const JsonCursor& at, const RoundHole& hole, const FacetedBlock& block) {
  const double r = outerRadius(hole, block);
  const std::string mouth = at.inFileUnit(2 * (hole.radius + hole.chamferWidth));
  const Eigen::Vector2d half = block.halfExtents.head<2>();
  if (r >= half.minCoeff()) {
    at.fail(fmt::format("hole {} with a mouth of {} is larger than its block ({} × {})", inQuotes(hole.name),
                        mouth, at.inFileUnit(2 * half.x()), at.inFileUnit(2 * half.y())),
            "make \"diameter\" or \"chamfer\" smaller, or the block's \"size\" larger");
  }
  if (((hole.center.cwiseAbs().array() + r) >= half.array()).any()) {
    at.fail(fmt::format("hole {} with a mouth of {} leaves its block", inQuotes(hole.name), mouth),
            "move \"at\" inwards, make the hole smaller or the block larger");
  }
  for (const RoundHole& other : block.holes) {
    if (other.name == hole.name) {
      at.fail(fmt::format("is the second hole named {}", inQuotes(hole.name)),
              "give each hole its own \"name\"");
    }
    if ((hole.center - other.center).norm() <= r + outerRadius(other, block)) {
      at.fail(fmt::format("hole {} overlaps hole {}", inQuotes(hole.name), inQuotes(other.name)),
              "move them apart or make them smaller");
    }
  }
}

// --- exact holes -----------------------------------------------------------------------------------------

/// The face in which a hole opens: axis and sign of its normal, and the rotation of the mouth's frame.
struct Face {
  int axis = 2;
  double sign = 1;
  Eigen::Quaterniond q = Eigen::Quaterniond::Identity();
};

Face readFace(const JsonCursor& at) {
  const auto given = at.find("face");
  if (!given) return {};
  constexpr double h = std::numbers::sqrt2 / 2;
  switch (given->choice({"+x", "-x", "+y", "-y", "+z", "-z"})) {
    case 0:
      return {0, 1, {h, 0, h, 0}};
    case 1:
      return {0, -1, {h, 0, -h, 0}};
    case 2:
      return {1, 1, {h, -h, 0, 0}};
    case 3:
      return {1, -1, {h, h, 0, 0}};
    case 4:
      return {};
    default:
      return {2, -1, {0, 1, 0, 0}};
  }
}

/// A threaded hole: sets the profile of `cavity`; returns the thread in the cavity's frame.
physics::PlacedShape readTapped(const JsonCursor& at, const HoleEntry& entry, const JsonCursor& thread,
                                double height, Cavity& cavity) {
  at.allowOnly({"name", "at", "face", "thread", "chamfer", "depth", "through"});
  const ThreadRequest request = readThread(thread, ThreadPlace::hole);
  RoundHole hole;
  cavity.name = readHoleName(at, entry);
  hole.radius = request.thread.minorDiameter / 2;
  readDepth(at, height, hole);
  if (const auto chamfer = at.find("chamfer")) readChamfer(*chamfer, hole);
  cavity.through = at.has("through");
  cavity.profile = profileOf(hole, cavity.through);
  return tapCavity(thread, request, readThreadDepth(thread), cavity);
}

Cavity readCavity(const JsonCursor& at, const HoleEntry& entry, const Eigen::Vector3d& halfExtents,
                  std::vector<physics::PlacedShape>& threads) {
  const Face face = readFace(at);
  const double height = 2 * halfExtents[face.axis];
  Cavity cavity;
  Eigen::Vector2d center;
  const auto thread = at.find("thread");
  if (thread) {
    threads.push_back(readTapped(at, entry, *thread, height, cavity));
    center = readCenter(at);
  } else if (const auto profile = at.find("profile")) {
    at.allowOnly({"name", "at", "face", "profile", "through"});
    cavity.name = readHoleName(at, entry);
    center = readCenter(at);
    const auto through = at.find("through");
    cavity.through = through && through->boolean();
    cavity.profile = readHoleProfile(*profile, cavity.through, height);
  } else {
    const RoundHole hole = readPlainHole(at, entry, height);
    cavity.name = hole.name;
    center = hole.center;
    cavity.through = at.has("through");
    cavity.profile = profileOf(hole, cavity.through);
  }
  // "at": the two coordinates in the face, in the order x, y, z.
  cavity.X_BH.q = face.q;
  for (int axis = 0, k = 0; axis < 3; ++axis)
    cavity.X_BH.p[axis] = axis == face.axis ? face.sign * halfExtents[axis] : center[k++];
  if (thread) threads.back().X_PS = cavity.X_BH;
  return cavity;
}

void checkNames(const JsonCursor& at, const Cavity& cavity, const BlockWithHoles& block) {
  for (const Cavity& other : block.cavities) {
    if (other.name == cavity.name) {
      at.fail(fmt::format("is the second hole named {}", inQuotes(cavity.name)),
              "give each hole its own \"name\"");
    }
  }
}

}  // namespace

std::vector<physics::PlacedShape> readHoles(const JsonCursor& list, BlockWithHoles& block) {
  std::vector<physics::PlacedShape> threads;
  HoleEntry entry{0, list.elements(1, kMaxEntries).size()};
  for (const JsonCursor& at : list.elements(1, kMaxEntries)) {
    const Cavity cavity = readCavity(at, entry, block.halfExtents, threads);
    checkNames(at, cavity, block);
    if (const auto problem = physics::problemWith(BlockWithHoles{block.halfExtents, {cavity}})) {
      const auto profile = at.find("profile");
      (profile ? *profile : at)
          .fail(*problem, profile ? "list [depth, radius] from the mouth (depth 0) down to the axis (radius "
                                    "0) or, with \"through\": true, to the opposite face"
                                  : "move the hole, change its size, or the block's");
    }
    for (const Cavity& other : block.cavities) {
      if (!physics::areDisjoint(cavity, other)) {
        at.fail(fmt::format("hole {} meets hole {}", inQuotes(cavity.name), inQuotes(other.name)),
                "move them apart or make them smaller");
      }
    }
    block.cavities.push_back(cavity);
    ++entry.index;
  }
  return threads;
}

void readHoles(const JsonCursor& list, FacetedBlock& block) {
  HoleEntry entry{0, list.elements(1, kMaxEntries).size()};
  for (const JsonCursor& at : list.elements(1, kMaxEntries)) {
    for (const char* field : {"profile", "face", "thread"}) {
      if (const auto given = at.find(field)) {
        given->fail("is given for a faceted hole",
                    "remove \"sectors\" from the block: then its holes are exact");
      }
    }
    const RoundHole hole = readPlainHole(at, entry, 2 * block.halfExtents.z());
    checkFits(at, hole, block);
    block.holes.push_back(hole);
    ++entry.index;
    // All other requirements of collision detection; the block was valid before this hole.
    if (const auto problem = physics::problemWith(block)) {
      at.fail(fmt::format("hole {} cannot be built: {}", inQuotes(hole.name), *problem),
              "move the hole, change its size, or the block's");
    }
  }
}

}  // namespace tenon::content
