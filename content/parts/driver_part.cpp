// See driver_part.h.
#include "content/parts/driver_part.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "content/input/limits.h"
#include "content/parts/designation.h"

namespace tenon::content {
namespace {

using Eigen::Vector2d;
using physics::Compound;
using physics::Hull;
using physics::SolidOfRevolution;
using std::numbers::pi;
using std::numbers::sqrt3;

/// Bend of a key: radius of its axis, in widths across flats, and number of prisms.
constexpr double kBendRadius = 1.5;
constexpr int kBendSegments = 6;

/// A driver: length of its key, depth of the bore and of the hexagon of its socket, wall around the corners
/// of the socket, in widths across flats [-].
constexpr double kKeyLength = 4, kBoreDepth = 1.5, kSocketDepth = 0.8, kSocketWall = 0.15;
/// Its handle [m].
constexpr double kHandleDiameter = 0.03, kHandleLength = 0.08, kHandleChamfer = 0.003;
/// Least length, and default in widths across flats.
constexpr double kLeastLength = 0.12, kLengthInWidths = 12;

AxisFeature axisFeature(const char* name, const Vector3d& origin, const Vector3d& direction) {
  return {name, origin, direction};
}

/// The widths of the sockets of ISO 4762, or of the hexagons of ISO 4014, ascending [mm].
std::vector<double> widthsOf(bool key) {
  std::vector<double> widths;
  for (const ThreadSize& size : threadSizes()) widths.push_back(key ? size.socketHead.s : size.hexHead.s);
  return widths;
}

/// Nominal width across flats [m], one of the library's screws.
double readWidth(const JsonCursor& at, bool key) {
  const double width = at.positiveLength();
  const std::vector<double> widths = widthsOf(key);
  for (const double known : widths)
    if (std::abs(width - known / 1000) < 1e-6) return known / 1000;
  at.fail(fmt::format("is {:g} mm, the width across flats of no {}", 1000 * width,
                      key ? "socket of ISO 4762" : "hexagon of ISO 4014, 4017 and 4032"),
          fmt::format("give one of {} mm", numberList(widths)));
}

/// Shank and handle above `low`, from the point at which the profile begins.
void addHandle(double low, double radius, double length, std::vector<Vector2d>& profile) {
  const double grip = length - kHandleLength, R = 0.5 * kHandleDiameter, c = kHandleChamfer;
  profile.emplace_back(low, radius);
  for (const Vector2d& p : {Vector2d(grip, radius), Vector2d(grip, R - c), Vector2d(grip + c, R),
                            Vector2d(length - c, R), Vector2d(length, R - c), Vector2d(length, 0)})
    profile.push_back(p);
}

void makeKey(double width, double length, LibraryPart& part) {
  const double top = kKeyLength * width;
  SolidOfRevolution handle{{{top, 0}}};
  addHandle(top, width / sqrt3, length, handle.profile);
  part.shape = Compound{{{prism(hexagon(width), 0, top), Pose()}, {handle, Pose()}}};
}

void makeSocket(double width, double length, LibraryPart& part) {
  SolidOfRevolution body;
  const double bore = kBoreDepth * width, outer = width / sqrt3 + kSocketWall * width;
  body.profile = {{bore, 0}, {bore, 0.5 * width}, {0, 0.5 * width}};
  addHandle(0, outer, length, body.profile);
  body.holeBelow = "socket";
  part.shape = body;
  part.buildDisplayMesh = [body, width, outer, bore] {
    DisplayMesh mesh;
    MeshBuilder builder(mesh);
    const int facets = circleFacetCount(outer);
    const Polygon corners = hexagon(width), round = circle({0, 0}, 0.5 * width, facets);
    // Seen from below, a polygon is mirrored at the x axis.
    const physics::Quaterniond down(0, 1, 0, 0);
    const double floor = kSocketDepth * width;
    builder.face(circle({0, 0}, outer, facets), std::array{corners}, {down, Vector3d::Zero()});
    builder.prismWalls(corners, 0, floor, Pose(), true);
    builder.face(corners, std::array{round}, {down, {0, 0, floor}});
    builder.revolve(std::array{Vector2d(bore, 0), Vector2d(bore, 0.5 * width), Vector2d(floor, 0.5 * width)},
                    Pose(), facets);
    builder.revolve(std::span(body.profile).subspan(3), Pose(), facets);
    return mesh;
  };
}

/// Takes what is between the bore of a socket and its hexagon from its mass.
void subtractCorners(double width, physics::MassProperties& mass) {
  const double floor = kSocketDepth * width;
  const auto subtract = [&](const physics::MassProperties& from, const physics::MassProperties& removed) {
    return physics::combined(from, {-removed.mass, removed.center, -removed.inertia});
  };
  const physics::Cylinder bore{0.5 * width, 0.5 * floor};
  const auto round = physics::transformed(physics::massProperties(bore, 1), Pose::at({0, 0, 0.5 * floor}));
  mass = subtract(mass, subtract(physics::massProperties(prism(hexagon(width), 0, floor), 1), round));
}

}  // namespace

DriverSize driverSize(const physics::HexagonSize& turned) {
  const double wall = turned.isInternal ? 0 : kSocketWall * turned.width;
  return {turned.width / sqrt3 + wall, std::max(kLeastLength, kLengthInWidths * turned.width), kHandleLength};
}

Polygon hexagon(double acrossFlats) {
  Polygon polygon;
  for (int k = 0; k < 6; ++k)
    polygon.emplace_back(acrossFlats / sqrt3 * Vector2d(std::cos(k * pi / 3), std::sin(k * pi / 3)));
  return polygon;
}

Hull prism(const Polygon& polygon, double z0, double z1) {
  Hull hull;
  for (const double z : {z0, z1})
    for (const Vector2d& p : polygon) hull.vertices.emplace_back(p.x(), p.y(), z);
  return hull;
}

LibraryPart hexKey(const KeySize& size) {
  const double s = size.s / 1000, corner = s / sqrt3, radius = kBendRadius * s;
  const double height = size.l2 / 1000 - corner,
               end = size.l1 / 1000 - corner;  // of the axis; of the long arm
  const Polygon section = hexagon(s);
  Compound shape{{{prism(section, 0, height - radius), Pose()}}};
  const auto addSection = [&](double angle, double beyond, Hull& hull) {
    for (const Vector2d& p : section) {
      const double r = radius - p.x();
      hull.vertices.emplace_back(radius - r * std::cos(angle) + beyond, p.y(),
                                 height - radius + r * std::sin(angle));
    }
  };
  for (int k = 0; k <= kBendSegments; ++k) {
    Hull hull;
    addSection(0.5 * pi * k / kBendSegments, 0, hull);
    if (k < kBendSegments)
      addSection(0.5 * pi * (k + 1) / kBendSegments, 0, hull);
    else
      addSection(0.5 * pi, end - radius, hull);
    shape.children.push_back({hull, Pose()});
  }
  LibraryPart part;
  part.description = "hexagon socket screw key";
  part.shape = std::move(shape);
  part.unitDensityMass = physics::massProperties(part.shape, 1);
  part.features = {axisFeature("tip", Vector3d::Zero(), Vector3d(0, 0, -1)),
                   axisFeature("end", {end, 0, height}, Vector3d::UnitX())};
  part.driver = Driver{Pose(), {s, false}};
  return part;
}

LibraryPart readDriver(const JsonCursor& at) {
  at.allowOnly({"kind", "bit", "width", "length", "torque_limit_nm", "ratchet"});
  const bool key = at.member("bit").choice({"key", "socket"}) == 0;
  const double width = readWidth(at.member("width"), key);
  const double least = std::max(kLeastLength, kHandleLength + (kKeyLength + 1) * width);
  double length = std::max(least, kLengthInWidths * width);
  if (const auto given = at.find("length")) {
    length = given->positiveLength();
    if (length < least)
      given->fail(fmt::format("is {:g} mm, too short for its handle", 1000 * length),
                  fmt::format("give at least {:g} mm", 1000 * least));
  }
  LibraryPart part;
  part.name = fmt::format("{:g} mm × {:g} mm {} driver", 1000 * width, 1000 * length, key ? "key" : "socket");
  part.description = "driver with a handle";
  key ? makeKey(width, length, part) : makeSocket(width, length, part);
  part.unitDensityMass = physics::massProperties(part.shape, 1);
  if (!key) subtractCorners(width, part.unitDensityMass);
  part.features = {axisFeature("tip", Vector3d::Zero(), Vector3d(0, 0, -1)),
                   axisFeature("end", {0, 0, length}, Vector3d::UnitZ())};
  part.driver = Driver{Pose(), {width, !key}};
  if (const auto limit = at.find("torque_limit_nm"))
    part.driver->torqueLimit = limit->number({0, kMaxForce, false, "N m"});
  if (const auto ratchet = at.find("ratchet")) part.driver->ratchet = ratchet->boolean();
  return part;
}

}  // namespace tenon::content
