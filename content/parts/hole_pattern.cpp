// See hole_pattern.h.
#include "content/parts/hole_pattern.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <optional>

#include "content/input/limits.h"
#include "content/input/wording.h"
#include "content/parts/read_thread.h"
#include "content/parts/standard_tables.h"
#include "content/parts/tapped_shapes.h"
#include "physics/collision/geometry/cavity_separation.h"

namespace tenon::content {
namespace {

using Eigen::Vector2d;
using physics::BlockWithHoles;
using physics::Cavity;
using physics::Pose;

Vector2d readPair(const JsonCursor& at) {
  const auto xy = at.elements(2, 2);
  return {xy[0].length(-kMaxPosition, kMaxPosition), xy[1].length(-kMaxPosition, kMaxPosition)};
}

std::vector<Vector2d> readCircle(const JsonCursor& at) {
  at.allowOnly({"count", "diameter", "start_deg"});
  const int count = at.member("count").integer(1, static_cast<int>(kMaxEntries));
  const double radius = 0.5 * at.member("diameter").positiveLength();
  const auto start = at.find("start_deg");
  const double first = start ? start->angle(-360, 360) : 0;
  std::vector<Vector2d> centers;
  for (int k = 0; k < count; ++k) {
    const double phi = first + 2 * std::numbers::pi * k / count;
    centers.emplace_back(radius * std::cos(phi), radius * std::sin(phi));
  }
  return centers;
}

std::vector<Vector2d> readGrid(const JsonCursor& at) {
  at.allowOnly({"count", "pitch"});
  const auto count = at.member("count").elements(2, 2);
  const int nx = count[0].integer(1, static_cast<int>(kMaxEntries)),
            ny = count[1].integer(1, static_cast<int>(kMaxEntries));
  const Vector2d pitch = readPair(at.member("pitch"));
  if (static_cast<std::size_t>(nx) * static_cast<std::size_t>(ny) > kMaxEntries)
    at.fail(fmt::format("has {} holes", nx * ny), fmt::format("use at most {}", kMaxEntries));
  std::vector<Vector2d> centers;
  for (int j = 0; j < ny; ++j)
    for (int i = 0; i < nx; ++i)
      centers.emplace_back(pitch.x() * (i - 0.5 * (nx - 1)), pitch.y() * (j - 0.5 * (ny - 1)));
  return centers;
}

std::vector<Vector2d> readCenters(const JsonCursor& at) {
  if (static_cast<int>(at.has("at")) + static_cast<int>(at.has("circle")) +
          static_cast<int>(at.has("grid")) !=
      1)
    at.fail("needs one of \"at\", \"circle\" and \"grid\"", "define the positions by exactly one of them");
  if (const auto circle = at.find("circle")) return readCircle(*circle);
  if (const auto grid = at.find("grid")) return readGrid(*grid);
  return {readPair(at.member("at"))};
}

double readDiameter(const JsonCursor& at, const std::optional<ThreadRequest>& thread) {
  if (static_cast<int>(at.has("diameter")) + static_cast<int>(at.has("screw")) +
          static_cast<int>(at.has("thread")) !=
      1)
    at.fail("needs one of \"diameter\", \"screw\" and \"thread\"",
            "give the diameter of the hole, the screw that passes through it, or its own thread");
  const auto series = at.find("series");
  if (thread) {
    if (series) series->fail("is given together with \"thread\"", "remove it");
    return thread->thread.minorDiameter;
  }
  if (const auto diameter = at.find("diameter")) {
    if (series) series->fail("is given together with \"diameter\"", "remove it, or name a \"screw\" instead");
    return diameter->positiveLength();
  }
  const JsonCursor screw = at.member("screw");
  const std::string name = screw.name();
  const ThreadSize* const size = findThread(name);
  if (!size) screw.fail(fmt::format("is {}", inQuotes(name)), "use M3, M4, M5, M6, M8, M10, M12 or M16");
  const ThreadSize::ClearanceHole& hole = size->clearance;
  const std::size_t index = series ? series->choice({"fine", "medium", "coarse"}) : 1;
  return (index == 0 ? hole.fine : index == 1 ? hole.medium : hole.coarse) / 1000;
}

/// The bore of one entry, from the mouth down.
Cavity readBore(const JsonCursor& at, double height, const std::optional<ThreadRequest>& thread) {
  Cavity bore;
  const double radius = 0.5 * readDiameter(at, thread);
  double top = 0, mouth = radius;
  if (const auto counterbore = at.find("counterbore")) {
    counterbore->allowOnly({"diameter", "depth"});
    mouth = 0.5 * counterbore->member("diameter").positiveLength();
    top = counterbore->member("depth").positiveLength();
    if (mouth <= radius) counterbore->fail("is no wider than its hole", "make its \"diameter\" larger");
    bore.profile.emplace_back(0, mouth);
    bore.profile.emplace_back(-top, mouth);
  }
  const double c = optionalLength(at, "chamfer");
  if (c > 0 && top > 0 && radius + c >= mouth)
    at.member("chamfer").fail("is wider than the counterbore", "make it smaller");
  bore.profile.emplace_back(-top, radius + c);
  if (c > 0) bore.profile.emplace_back(-top - c, radius);
  const auto depth = at.find("depth");
  const double end = depth ? depth->positiveLength() : height;
  if (depth && end >= height)
    depth->fail("goes through the part", "make it shallower, or remove \"depth\" for a through hole");
  if (top + c >= end)
    at.fail("leaves no bore below its mouth", "make the counterbore or the chamfer shallower");
  bore.profile.emplace_back(-end, radius);
  bore.through = !depth;
  if (depth) bore.profile.emplace_back(-end, 0);
  return bore;
}

/// Adds a hole after checking that it is valid, disjoint from the others and has a unique name.
void addHole(const JsonCursor& at, const Cavity& cavity, BlockWithHoles& block) {
  const char* const remedy = "move the holes, make them smaller or the part larger";
  if (block.cavities.size() >= kMaxEntries)
    at.fail(fmt::format("brings the part above {} holes", kMaxEntries), "use fewer holes");
  if (const auto problem = physics::problemWith(BlockWithHoles{block.halfExtents, {cavity}}))
    at.fail(*problem, remedy);
  for (const Cavity& other : block.cavities) {
    if (other.name == cavity.name)
      at.fail(fmt::format("is the second hole named {}", inQuotes(cavity.name)),
              "give each its own \"name\"");
    if (!physics::areDisjoint(cavity, other))
      at.fail(fmt::format("hole {} meets hole {}", inQuotes(cavity.name), inQuotes(other.name)), remedy);
  }
  block.cavities.push_back(cavity);
}

}  // namespace

std::vector<physics::PlacedShape> readHolePatterns(const JsonCursor& list, const Pose& X_BF, double height,
                                                   BlockWithHoles& block) {
  std::vector<physics::PlacedShape> threads;
  for (const JsonCursor& at : list.elements(0, kMaxEntries)) {
    at.allowOnly({"name", "at", "circle", "grid", "diameter", "screw", "series", "thread", "chamfer",
                  "counterbore", "depth"});
    const std::string name = at.member("name").name();
    const std::vector<Vector2d> centers = readCenters(at);
    const auto threadAt = at.find("thread");
    const auto thread = threadAt ? std::optional(readThread(*threadAt, ThreadPlace::hole)) : std::nullopt;
    const Cavity bore = readBore(at, height, thread);
    for (std::size_t k = 0; k < centers.size(); ++k) {
      Cavity cavity = bore;
      cavity.name = at.has("at") ? name : fmt::format("{} {}", name, k + 1);
      cavity.X_BH = {X_BF.q, X_BF * physics::Vector3d(centers[k].x(), centers[k].y(), 0)};
      if (thread) threads.push_back(tapCavity(*threadAt, *thread, readThreadDepth(*threadAt), cavity));
      addHole(at, cavity, block);
    }
  }
  return threads;
}

double optionalLength(const JsonCursor& at, const char* field) {
  const auto given = at.find(field);
  return given && given->length(0, kMaxSize) > 0 ? given->positiveLength() : 0;
}

}  // namespace tenon::content
