// See read_profile.h. Checks points and neighboring pairs; physics::problemWith() checks the whole outline,
// such as self-intersections.
#include "content/reader/read_profile.h"

#include <fmt/format.h>

#include "content/input/limits.h"
#include "physics/collision/geometry/revolved_shapes.h"

namespace tenon::content {
namespace {

using Eigen::Vector2d;
using physics::kProfileTolerance;
using Profile = std::vector<Vector2d>;

/// The points of a profile with their cursors and the names of the two coordinates, for errors.
struct ProfileReader {
  std::vector<JsonCursor> places;
  const char* names;
  Profile points;  ///< as in the file [m]

  [[noreturn]] void fail(std::size_t k, const std::string& problem, const std::string& remedy) const {
    const ReadContext& r = places[k].context();
    const Vector2d inUnit = points[k] * r.divisor / r.numerator;
    places[k].fail(fmt::format("{} at point {}, {} = [{:g}, {:g}] {}", problem, k, names, inUnit.x(),
                               inUnit.y(), r.unit),
                   remedy);
  }
};

ProfileReader readPoints(const JsonCursor& list, std::size_t minCount, const char* names, double minFirst) {
  ProfileReader reader{list.elements(minCount, kMaxVertices), names, {}};
  for (const JsonCursor& place : reader.places) {
    const auto pair = place.elements(2, 2);
    reader.points.emplace_back(pair[0].length(minFirst, kMaxPosition), pair[1].length(-kMaxSize, kMaxSize));
  }
  return reader;
}

void checkPoints(const ProfileReader& reader) {
  const Profile& points = reader.points;
  for (std::size_t k = 0; k < points.size(); ++k) {
    if (points[k].y() < 0) reader.fail(k, "the profile crosses the axis", "give a radius of at least 0");
    if (k > 0 && (points[k] - points[k - 1]).norm() < kProfileTolerance)
      reader.fail(k, "the profile has no length", "remove this point or the one before it");
    if (k > 0 && k + 1 < points.size() && points[k].y() < kProfileTolerance)
      reader.fail(k, "the profile touches the axis", "only its ends may touch the axis");
  }
}

}  // namespace

Profile readRevolvedProfile(const JsonCursor& list) {
  const ProfileReader reader = readPoints(list, 3, "[z, r]", -kMaxPosition);
  checkPoints(reader);
  const bool ring = reader.points.front() == reader.points.back() && reader.points.front().y() > 0;
  if (ring) return reader.points;
  for (const std::size_t end : {std::size_t{0}, reader.points.size() - 1})
    if (reader.points[end].y() > 0)
      reader.fail(end, "the profile does not start and end on the axis",
                  "add points with r = 0 in front and at the end, or end a ring where it starts");
  return reader.points;
}

Profile readHoleProfile(const JsonCursor& list, bool through, double height) {
  const ProfileReader reader = readPoints(list, 2, "[depth, radius]", 0);
  checkPoints(reader);
  const Profile& points = reader.points;
  const std::size_t last = points.size() - 1;
  if (points[0].x() > 0) reader.fail(0, "the profile does not begin at the mouth", "begin it at depth 0");
  for (std::size_t k = 1; k <= last; ++k) {
    if (points[k].x() < kProfileTolerance)
      reader.fail(k, "the profile is back at the mouth", "go down into the block from there");
    if (points[k].x() > height - kProfileTolerance && !(through && k == last))
      reader.fail(k, "the profile leaves the block below",
                  fmt::format("stay above its opposite face at {}", list.inFileUnit(height)));
  }
  if (through && std::abs(points[last].x() - height) > kProfileTolerance)
    reader.fail(last, "the profile of a through hole does not end on the opposite face",
                fmt::format("end it at depth {}", list.inFileUnit(height)));
  if (through && points[last].y() < kProfileTolerance)
    reader.fail(last, "the profile of a through hole ends on its axis", "give it a radius there");
  if (!through && points[last].y() > 0)
    reader.fail(last, "the profile of a blind hole does not end on its axis",
                "add a point with radius 0, or set \"through\": true");
  Profile profile;
  for (const Vector2d& point : points) profile.emplace_back(-point.x(), point.y());
  return profile;
}

}  // namespace tenon::content
