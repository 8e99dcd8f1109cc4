// The holes of a block: see read_holes.h.
#include "content/scene/read_holes.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "content/scene/limits.h"
#include "content/scene/wording.h"
#include "physics/collision/holed_block.h"

namespace tenon::content {
namespace {

using physics::HoledBlock;
using physics::RoundHole;

/// Radius of the mouth's corners: the facets touch the true circle from outside [m].
double outerRadius(const RoundHole& hole, const HoledBlock& block) {
  return (hole.radius + hole.chamferWidth) / std::cos(std::numbers::pi / block.sectors);
}

/// A length as the file would write it.
std::string inFileUnit(const JsonCursor& at, double length) {
  const Reading& r = at.reading();
  return fmt::format("{:.6g} {}", length * r.divisor / r.numerator, r.unit);
}

void readChamfer(const JsonCursor& at, RoundHole& hole) {
  at.only({"width", "depth", "angle_deg"});
  hole.chamferWidth = at.member("width").size();
  if (at.has("depth") == at.has("angle_deg")) {
    at.fail("needs either \"depth\" or \"angle_deg\"", "keep one of the two");
  }
  const auto angle = at.find("angle_deg");
  hole.chamferDepth = angle ? hole.chamferWidth / std::tan(angle->angle(5, 85)) : at.member("depth").size();
}

void readDepth(const JsonCursor& at, double height, RoundHole& hole) {
  if (at.has("depth") == at.has("through")) {
    at.fail("needs either \"depth\" or \"through\"", "say \"through\": true, or how deep the hole is");
  }
  if (const auto through = at.find("through")) {
    if (!through->flag()) through->fail("is false", "say \"through\": true, or give \"depth\" instead");
    hole.depth = height;
    return;
  }
  const JsonCursor depth = at.member("depth");
  hole.depth = depth.size();
  if (!(hole.depth < height)) {
    depth.fail(fmt::format("is no less than the block's height of {}", inFileUnit(at, height)),
               "make the hole shallower, or say \"through\": true");
  }
}

RoundHole readHole(const JsonCursor& at, double height) {
  at.only({"name", "at", "diameter", "chamfer", "depth", "through"});
  RoundHole hole;
  hole.name = at.member("name").name();
  const auto xy = at.member("at").elements(2, 2);
  hole.centre << xy[0].length(-kMaxPosition, kMaxPosition), xy[1].length(-kMaxPosition, kMaxPosition);
  hole.radius = 0.5 * at.member("diameter").size();
  readDepth(at, height, hole);
  if (const auto chamfer = at.find("chamfer")) {
    readChamfer(*chamfer, hole);
    if (!(hole.chamferDepth < hole.depth)) {
      chamfer->fail(fmt::format("is {} deep and leaves no bore below it", inFileUnit(at, hole.chamferDepth)),
                    "make the chamfer shallower or the hole deeper");
    }
  }
  return hole;
}

void checkRoom(const JsonCursor& at, const RoundHole& hole, const HoledBlock& block) {
  const double r = outerRadius(hole, block);
  const std::string mouth = inFileUnit(at, 2 * (hole.radius + hole.chamferWidth));
  const Eigen::Vector2d half = block.halfExtents.head<2>();
  if (r >= half.minCoeff()) {
    at.fail(fmt::format("hole {} with a mouth of {} is larger than its block ({} × {})", inQuotes(hole.name),
                        mouth, inFileUnit(at, 2 * half.x()), inFileUnit(at, 2 * half.y())),
            "make \"diameter\" or \"chamfer\" smaller, or the block's \"size\" larger");
  }
  if (((hole.centre.cwiseAbs().array() + r) >= half.array()).any()) {
    at.fail(fmt::format("hole {} with a mouth of {} leaves its block", inQuotes(hole.name), mouth),
            "move \"at\" inwards, make the hole smaller or the block larger");
  }
  for (const RoundHole& other : block.holes) {
    if (other.name == hole.name) {
      at.fail(fmt::format("is the second hole named {}", inQuotes(hole.name)),
              "give each hole its own \"name\"");
    }
    if ((hole.centre - other.centre).norm() <= r + outerRadius(other, block)) {
      at.fail(fmt::format("hole {} overlaps hole {}", inQuotes(hole.name), inQuotes(other.name)),
              "move them apart or make them smaller");
    }
  }
}

}  // namespace

void readHoles(const JsonCursor& list, HoledBlock& block) {
  for (const JsonCursor& at : list.elements(1, kMaxEntries)) {
    const RoundHole hole = readHole(at, 2 * block.halfExtents.z());
    checkRoom(at, hole, block);
    block.holes.push_back(hole);
    // Whatever else collision needs of a block; what was there before this hole was good.
    if (const auto problem = physics::problemWith(block)) {
      at.fail(fmt::format("hole {} cannot be built: {}", inQuotes(hole.name), *problem),
              "move the hole, change its size, or the block's");
    }
  }
}

}  // namespace tenon::content
