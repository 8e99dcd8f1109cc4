// Prisms with round faces, and plates with towers, as triangles with their surfaces.
#include <cmath>
#include <numbers>
#include <random>
#include <utility>
#include <vector>

#include "tests/bench/distances/distance_case.h"

namespace tenon::bench {
namespace {

using physics::BoundarySolid;
using physics::Pose;
using physics::Surface;
using physics::SurfaceKind;
using physics::Vector3d;

constexpr double kTurn = 2 * std::numbers::pi;
constexpr int kPoses = 40;

/// A vertex of an outline; the side to the next one is on a circle of `radius` about the axis, or straight.
struct Corner {
  double x = 0, y = 0;
  double radius = 0;  ///< [m]; 0: straight
};

Corner polar(double r, double angle, double radius) {
  return {r * std::cos(angle), r * std::sin(angle), radius};
}

int addSurface(const Surface& s, BoundarySolid& solid) {
  solid.surfaces.push_back(s);
  return static_cast<int>(solid.surfaces.size()) - 1;
}

int addPlane(const Vector3d& p, const Vector3d& n, BoundarySolid& solid) {
  Surface s;
  const Vector3d x = n.unitOrthogonal();
  s.X_BS.R << x, n.cross(x), n;
  s.X_BS.p = p;
  return addSurface(s, solid);
}

void addTriangle(int a, int b, int c, int surface, BoundarySolid& solid) {
  solid.triangles.push_back({a, b, c});
  solid.surfaceOf.push_back(surface);
}

/// The walls of a prism between the vertices from `low` and from `high` on; inwards for a hole.
void addWalls(const std::vector<Corner>& outline, int low, int high, bool isHole, BoundarySolid& solid) {
  const int n = static_cast<int>(outline.size());
  int round = -1;
  double roundRadius = 0;
  for (int k = 0; k < n; ++k) {
    const int l = (k + 1) % n;
    const Corner& c = outline[static_cast<std::size_t>(k)];
    int surface = -1;
    if (c.radius == 0) {
      const Vector3d p = solid.vertices[static_cast<std::size_t>(low + k)];
      const Vector3d along = solid.vertices[static_cast<std::size_t>(low + l)] - p;
      surface = addPlane(p, along.cross(Vector3d::UnitZ()).normalized(), solid);
    } else {
      const bool continues = round >= 0 && roundRadius == c.radius;
      if (!continues) {
        Surface s;
        s.kind = SurfaceKind::cylinder;
        s.radius = c.radius;
        round = addSurface(s, solid);
      }
      surface = round;
    }
    roundRadius = c.radius;
    if (c.radius == 0) round = -1;
    if (isHole) {
      addTriangle(low + k, high + l, low + l, surface, solid);
      addTriangle(low + k, high + k, high + l, surface, solid);
    } else {
      addTriangle(low + k, low + l, high + l, surface, solid);
      addTriangle(low + k, high + l, high + k, surface, solid);
    }
  }
}

int addRing(const std::vector<Corner>& outline, double z, BoundarySolid& solid) {
  const int first = static_cast<int>(solid.vertices.size());
  for (const Corner& c : outline) solid.vertices.emplace_back(c.x, c.y, z);
  return first;
}

/// A prism between two heights [m].
BoundarySolid prism(const std::vector<Corner>& outline, double z0, double z1) {
  BoundarySolid solid;
  const int low = addRing(outline, z0, solid), high = addRing(outline, z1, solid);
  addWalls(outline, low, high, false, solid);
  const int bottom = addPlane({0, 0, z0}, -Vector3d::UnitZ(), solid),
            top = addPlane({0, 0, z1}, Vector3d::UnitZ(), solid);
  const int n = static_cast<int>(outline.size()), middle = static_cast<int>(solid.vertices.size());
  solid.vertices.emplace_back(0, 0, z0);
  solid.vertices.emplace_back(0, 0, z1);
  for (int k = 0; k < n; ++k) {
    addTriangle(middle, low + (k + 1) % n, low + k, bottom, solid);
    addTriangle(middle + 1, high + k, high + (k + 1) % n, top, solid);
  }
  return solid;
}

/// A round block of radius `outer` with a through hole of this outline [m].
BoundarySolid block(const std::vector<Corner>& hole, double outer, double z0, double z1) {
  std::vector<Corner> rim;
  for (const Corner& c : hole) rim.push_back(polar(outer, std::atan2(c.y, c.x), outer));
  BoundarySolid solid;
  const int low = addRing(rim, z0, solid), high = addRing(rim, z1, solid);
  const int inLow = addRing(hole, z0, solid), inHigh = addRing(hole, z1, solid);
  addWalls(rim, low, high, false, solid);
  addWalls(hole, inLow, inHigh, true, solid);
  const int bottom = addPlane({0, 0, z0}, -Vector3d::UnitZ(), solid),
            top = addPlane({0, 0, z1}, Vector3d::UnitZ(), solid);
  const int n = static_cast<int>(hole.size());
  for (int k = 0; k < n; ++k) {
    const int l = (k + 1) % n;
    addTriangle(inLow + k, low + l, low + k, bottom, solid);
    addTriangle(inLow + k, inLow + l, low + l, bottom, solid);
    addTriangle(inHigh + k, high + k, high + l, top, solid);
    addTriangle(inHigh + k, high + l, inHigh + l, top, solid);
  }
  return solid;
}

std::vector<Corner> circle(double radius, int sides) {
  std::vector<Corner> outline;
  for (int k = 0; k < sides; ++k) outline.push_back(polar(radius, kTurn * k / sides, radius));
  return outline;
}

/// A circle with a flat at x = `flat`.
std::vector<Corner> dOutline(double radius, double flat, int sides) {
  std::vector<Corner> outline;
  const double from = std::acos(flat / radius), step = (kTurn - 2 * from) / sides;
  for (int k = 0; k <= sides; ++k) outline.push_back(polar(radius, from + step * k, k < sides ? radius : 0));
  return outline;
}

/// Teeth with radial flanks; `gap`: by which each flank is turned into the tooth [rad].
std::vector<Corner> splineOutline(double root, double tip, int teeth, double gap) {
  constexpr int kSides = 6;  // of each arc
  std::vector<Corner> outline;
  const double half = kTurn / teeth / 4 - gap, other = kTurn / teeth / 2 - half;
  for (int tooth = 0; tooth < teeth; ++tooth) {
    const double middle = kTurn * tooth / teeth;
    for (int k = 0; k <= kSides; ++k)
      outline.push_back(polar(tip, middle - half + 2 * half * k / kSides, k < kSides ? tip : 0));
    const double valley = middle + kTurn / teeth / 2;
    for (int k = 0; k <= kSides; ++k)
      outline.push_back(polar(root, valley - other + 2 * other * k / kSides, k < kSides ? root : 0));
  }
  return outline;
}

/// A star with half as many tips as sides, one at the angle 0; of an even number of tips also one at π.
std::vector<Corner> star(double inner, double outer, int sides) {
  std::vector<Corner> outline;
  for (int k = 0; k < sides; ++k) outline.push_back(polar(k % 2 == 0 ? outer : inner, kTurn * k / sides, 0));
  return outline;
}

/// A regular polygon with a corner at the angle π.
std::vector<Corner> polygon(double radius, int sides) {
  std::vector<Corner> outline;
  for (int k = 0; k < sides; ++k) outline.push_back(polar(radius, kTurn * k / sides + kTurn / 2, 0));
  return outline;
}

/// B coaxial with the hole of A but for an offset of at most `most` [m] in the direction of a wall that is
/// `gap` away: what remains of the gap. All other walls are further.
void addOffsets(DistanceCase& pair, double gap, double most, std::mt19937& random) {
  std::uniform_real_distribution<double> offset(0.1 * most, most), height(-1e-3, 1e-3);
  for (int k = 0; k < kPoses; ++k) {
    const double e = offset(random);
    pair.X_AB.push_back(Pose::at({-e, 0, height(random)}));
    pair.distance.push_back(gap - e);
  }
}

/// The same in any direction and turned about the axis, of two circles.
void addTurned(DistanceCase& pair, double gap, double most, std::mt19937& random) {
  std::uniform_real_distribution<double> offset(0.1 * most, most), height(-1e-3, 1e-3), angle(0, kTurn);
  for (int k = 0; k < kPoses; ++k) {
    const double e = offset(random), direction = angle(random), turn = angle(random);
    pair.X_AB.push_back({physics::exponential({0, 0, turn}),
                         {e * std::cos(direction), e * std::sin(direction), height(random)}});
    pair.distance.push_back(gap - e);
  }
}

/// The tips of A and B face each other on x, `gap` apart, B turned about x.
void addTips(DistanceCase& pair, double between, double gap, std::mt19937& random) {
  std::uniform_real_distribution<double> turn(0.05, 0.3), more(0, 0.1);
  for (int k = 0; k < kPoses; ++k) {
    const double d = gap * (1 + more(random));
    pair.X_AB.push_back({physics::exponential({turn(random), 0, 0}), {between + d, 0, 0}});
    pair.distance.push_back(d);
  }
}

}  // namespace

std::vector<DistanceCase> distanceCases() {
  std::mt19937 random(7);
  std::vector<DistanceCase> cases;
  constexpr double kGap = 20e-6;
  const auto add = [&](const char* name, BoundarySolid a, BoundarySolid b, double range,
                       bool isConvex) -> DistanceCase& {
    DistanceCase pair;
    pair.name = name;
    pair.a = std::move(a);
    pair.b = std::move(b);
    pair.range = range;
    pair.isBConvex = isConvex;
    cases.push_back(std::move(pair));
    return cases.back();
  };
  addTurned(add("peg in bore", block(circle(5e-3 + kGap, 128), 12e-3, -10e-3, 10e-3),
                prism(circle(5e-3, 128), -15e-3, 15e-3), 50e-6, true),
            kGap, 0.9 * kGap, random);
  addOffsets(add("D shaft in D bore", block(dOutline(3e-3 + kGap, 2e-3 + kGap, 96), 8e-3, -5e-3, 5e-3),
                 prism(dOutline(3e-3, 2e-3, 96), -8e-3, 8e-3), 50e-6, true),
             kGap, 0.9 * kGap, random);
  addOffsets(add("spline of 34 faces in one of 35",
                 block(splineOutline(7e-3 + kGap, 9e-3 + kGap, 8, -5e-3), 14e-3, -10e-3, 10e-3),
                 prism(splineOutline(7e-3, 9e-3, 8, 0), -15e-3, 15e-3), 50e-6, false),
             kGap, 0.5 * kGap, random);
  addTips(add("1018 faces beside 23", prism(star(19e-3, 20e-3, 1016), -10e-3, 10e-3),
              prism(polygon(8e-3, 21), -10e-3, 10e-3), 0.5e-3, true),
          28e-3, 0.28e-3, random);
  addTips(
      add("998 faces beside 998, apart by 1 % of their size", prism(star(19e-3, 20e-3, 996), -10e-3, 10e-3),
          prism(star(19e-3, 20e-3, 996), -10e-3, 10e-3), 0.5e-3, false),
      40e-3, 0.4e-3, random);
  return cases;
}

}  // namespace tenon::bench
