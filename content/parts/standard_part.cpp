// See standard_part.h. Dimensions are in millimeters until a shape is built.
#include "content/parts/standard_part.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>
#include <optional>

#include "content/model/hole_sites.h"
#include "content/parts/designation.h"
#include "content/parts/driver_part.h"
#include "content/parts/standard_tables.h"
#include "content/parts/tapped_shapes.h"
#include "content/parts/threaded_shapes.h"

namespace tenon::content {
namespace {

using Eigen::Vector2d;
using physics::Compound;
using physics::MassProperties;
using physics::PlacedShape;
using physics::SolidOfRevolution;
using Profile = std::vector<Vector2d>;
using std::numbers::pi;

/// Diametral clearance between the bore of a nut without thread and the nominal thread diameter [mm].
constexpr double kSmoothBoreClearance = 0.1;

// --- shapes --------------------------------------------------------------------------------------------

Profile inMeters(const Profile& profile) {
  Profile result;
  for (const Vector2d& p : profile) result.emplace_back(p / 1000);
  return result;
}

/// Appends a fillet under a head as two chords of its arc, from the shank to the bearing face at z = 0. The
/// chords deviate by at most 8 % of the fillet radius.
void addFillet(double radius, double fillet, Profile& profile) {
  for (const double angle : {0.0, pi / 4, pi / 2})
    profile.emplace_back(-fillet * (1 - std::sin(angle)), radius + fillet * (1 - std::cos(angle)));
}

/// Profile from the tip up to the head; the tip has a 45° chamfer to the minor diameter (ISO 4753 CH) [mm].
Profile shankProfile(const ThreadSize& size, double length, double fillet) {
  const double r = size.d / 2, tip = minorDiameter(size) / 2;
  Profile profile{{-length, 0}, {-length, tip}, {-length + r - tip, r}};
  addFillet(r, fillet, profile);
  return profile;
}

MassProperties subtract(const MassProperties& whole, const MassProperties& removed) {
  return physics::combined(whole, {-removed.mass, removed.center, -removed.inertia});
}

/// Mass of the thread grooves in a shank of the nominal diameter, at 1 kg/m³.
MassProperties threadGrooves(const ThreadSize& size, double length, double threadLength) {
  const double half = std::min(threadLength, length) / 2000;
  const auto cylinder = [&](double diameter) {
    return physics::massProperties(physics::Cylinder{diameter / 2000, half}, 1);
  };
  return physics::transformed(subtract(cylinder(size.d), cylinder(meanThreadDiameter(size))),
                              Pose::at({0, 0, -length / 1000 + half}));
}

AxisFeature standardAxis(const char* name, double z_mm, double direction) {
  return {name, {0, 0, z_mm / 1000}, {0, 0, direction}};
}

LibraryPart namedPart(const Designation& d, const char* description) {
  LibraryPart part;
  part.name = designationText(d);
  part.description = description;
  return part;
}

/// Share of the height of a hexagon that a wrench socket covers: its rim stays off what is under the head
/// [-].
constexpr double kCoveredHeight = 0.9;

/// An end of a hexagon around a head, at z [mm].
Hexagon headHexagon(const char* name, double s, double z_mm, double height_mm, bool down = false) {
  const physics::Quaterniond q = down ? physics::Quaterniond(0, 1, 0, 0) : physics::Quaterniond::Identity();
  return {name, {q, {0, 0, z_mm / 1000}}, {s / 1000, false}, kCoveredHeight * height_mm / 1000};
}

/// Features of a screw: tip, bearing face and drive.
std::vector<AxisFeature> screwFeatures(double length, double k) {
  return {standardAxis("tip", -length, -1), standardAxis("seat", 0, -1), standardAxis("drive", k, 1)};
}

/// Profile of a head from the bearing face to the edge of the upper face [mm].
Profile headProfile(const ThreadSize::SocketHead& h) {
  return {{0, h.dk / 2}, {h.k - h.chamfer, h.dk / 2}, {h.k, h.dk / 2 - h.chamfer}};
}

/// Adds a socket head: an outline up to the edge of its upper face [m], that face, and the socket.
void addSocketHead(const ThreadSize::SocketHead& h, const Profile& outline, MeshBuilder& builder) {
  const Polygon socket = hexagon(h.s / 1000);
  const double top = h.k / 1000, floor = (h.k - h.t) / 1000;
  const int facets = circleFacetCount(h.dk / 2000);
  builder.revolve(outline, Pose(), facets);
  builder.face(circle({0, 0}, (h.dk / 2 - h.chamfer) / 1000, facets), std::array{socket},
               Pose::at({0, 0, top}));
  builder.prismWalls(socket, floor, top, Pose(), true);
  builder.face(socket, {}, Pose::at({0, 0, floor}));
}

/// The shapes of a screw that is this solid of revolution: with a thread from its tip over `threadLength`, at
/// most up to a pitch below the fillet under its head, or only the solid where `thread` is false.
std::vector<PlacedShape> shapesOfScrew(const JsonCursor& thread, const Designation& d,
                                       const SolidOfRevolution& solid, double fillet, double threadLength) {
  if (thread.isFalse()) return {{solid, Pose()}};
  const ThreadSize& size = *d.thread;
  const ThreadRequest request =
      readThread(thread, ThreadPlace::screw, ThreadSizeAndPitch{size.d / 1000, size.pitch / 1000});
  const double high = std::min(-d.length + threadLength, -fillet - size.pitch);
  return std::get<Compound>(withExternalThread(thread, request, solid, -d.length / 1000, high / 1000))
      .children;
}

/// At 1 kg/m³, with the thread also where `thread` is false.
MassProperties massOfScrew(const JsonCursor& thread, const physics::Shape& shape, const ThreadSize& size,
                           double length, double threadLength) {
  const MassProperties mass = physics::massProperties(shape, 1);
  return thread.isFalse() ? subtract(mass, threadGrooves(size, length, threadLength)) : mass;
}

LibraryPart socketScrew(const Designation& d, const JsonCursor& thread) {
  const ThreadSize& size = *d.thread;
  const ThreadSize::SocketHead& h = size.socketHead;
  LibraryPart part = namedPart(d, "hexagon socket head cap screw");
  const Profile head = headProfile(h);
  Profile profile = shankProfile(size, d.length, h.fillet);
  profile.insert(profile.end(), head.begin(), head.end());
  profile.emplace_back(h.k, 0);
  const SolidOfRevolution solid{inMeters(profile)};
  const std::vector<PlacedShape> shapes = shapesOfScrew(thread, d, solid, h.fillet, h.threadLength);
  part.shape = shapes.size() == 1 ? shapes.front().shape : Compound{shapes};
  const Polygon socket = hexagon(h.s / 1000);
  const double top = h.k / 1000, floor = (h.k - h.t) / 1000;
  part.unitDensityMass = subtract(massOfScrew(thread, part.shape, size, d.length, h.threadLength),
                                  physics::massProperties(prism(socket, floor, top), 1));
  part.features = screwFeatures(d.length, h.k);
  part.hexagons = {{"drive", Pose::at({0, 0, top}), {h.s / 1000, true}, h.t / 1000}};
  part.buildDisplayMesh = [shapes, h] {
    DisplayMesh mesh;
    MeshBuilder builder(mesh);
    const std::size_t last = shapes.size() - 1;  // the shank and the head, which is open at the top
    for (std::size_t k = 0; k < last; ++k) builder.shape(shapes[k].shape, Pose());
    Profile outline = std::get<SolidOfRevolution>(shapes[last].shape).profile;
    outline.pop_back();
    addSocketHead(h, outline, builder);
    return mesh;
  };
  return part;
}

/// A washer face and a hexagonal prism above it, without the chamfer of its corners.
LibraryPart hexScrew(const Designation& d, const JsonCursor& thread) {
  const ThreadSize& size = *d.thread;
  const ThreadSize::HexHead& h = size.hexHead;
  const bool fullThread = d.family == PartFamily::iso4017;
  const double threadLength = fullThread ? d.length : h.threadLength;
  LibraryPart part =
      namedPart(d, fullThread ? "hexagon head screw, thread to the head" : "hexagon head bolt");
  Profile profile = shankProfile(size, d.length, h.fillet);
  for (const Vector2d& p : Profile{{0, h.dw / 2}, {h.c, h.dw / 2}, {h.c, 0}}) profile.push_back(p);
  const SolidOfRevolution solid{inMeters(profile)};
  const PlacedShape head{prism(hexagon(h.s / 1000), h.c / 1000, h.k / 1000), Pose()};
  std::vector<PlacedShape> shapes = shapesOfScrew(thread, d, solid, h.fillet, threadLength);
  shapes.push_back(head);
  part.shape = Compound{std::move(shapes)};
  part.unitDensityMass = massOfScrew(thread, part.shape, size, d.length, threadLength);
  part.features = screwFeatures(d.length, h.k);
  part.hexagons = {headHexagon("drive", h.s, h.k, h.k - h.c)};
  return part;
}

/// Closed profile of a ring with countersinks at both ends of its bore, at 30° to the face [mm].
Profile nutRing(double bore, double mouth, double outer, double height) {
  const double depth = (mouth - bore) / 2 / std::sqrt(3.0), h = height / 2;
  return {{-h, mouth / 2},       {-h, outer / 2},        {h, outer / 2}, {h, mouth / 2},
          {h - depth, bore / 2}, {-h + depth, bore / 2}, {-h, mouth / 2}};
}

/// Adds the hexagon of a nut with its two faces; returns the number of facets of the mouths.
int addNutHexagon(const ThreadSize& size, MeshBuilder& builder) {
  const double m = size.nut.m / 1000, mouth = size.nut.da;
  const Polygon outer = hexagon(size.hexHead.s / 1000);
  builder.prismWalls(outer, -m / 2, m / 2, Pose(), false);
  const int facets = circleFacetCount(mouth / 2000);
  const Polygon rim = circle({0, 0}, mouth / 2000, facets);
  builder.face(outer, std::array{rim}, Pose::at({0, 0, m / 2}));
  builder.face(outer, std::array{rim}, {physics::Quaterniond(0, 1, 0, 0), {0, 0, -m / 2}});
  return facets;
}

/// Outer diameter of the ring in a nut [mm].
double ringDiameter(const ThreadSize& size) {
  return (size.nut.da + size.hexHead.s) / 2;
}

/// The ring in a nut, with this bore [mm].
SolidOfRevolution ringOfNut(const ThreadSize& size, double bore) {
  return {inMeters(nutRing(bore, size.nut.da, ringDiameter(size), size.nut.m)), "thread"};
}

/// Adds the six tangential prisms around the ring of a nut.
void addFlats(const ThreadSize& size, Compound& shape) {
  const double m = size.nut.m / 1000;
  const Polygon outer = hexagon(size.hexHead.s / 1000), inner = hexagon(ringDiameter(size) / 1000);
  for (std::size_t k = 0; k < 6; ++k) {
    const std::size_t next = (k + 1) % 6;
    shape.children.push_back({prism({inner[k], outer[k], outer[next], inner[next]}, -m / 2, m / 2), Pose()});
  }
}

/// The ring in a nut with its thread, or with a smooth bore where `thread` is false.
std::vector<PlacedShape> threadedRing(const JsonCursor& thread, const ThreadSize& size) {
  if (thread.isFalse()) return {{ringOfNut(size, size.d + kSmoothBoreClearance), Pose()}};
  const ThreadRequest request =
      readThread(thread, ThreadPlace::nut, ThreadSizeAndPitch{size.d / 1000, size.pitch / 1000});
  return tapRing(thread, request, ringOfNut(size, size.d)).children;
}

/// A ring with the thread, and a tangential prism at each flat. The gaps between the round ring and the
/// prisms are negligible for collision, and the mass is that of the full hexagon.
LibraryPart nut(const Designation& d, const JsonCursor& thread) {
  const ThreadSize& size = *d.thread;
  const double s = size.hexHead.s / 1000, m = size.nut.m / 1000, mouth = size.nut.da;
  LibraryPart part = namedPart(d, "hexagon nut");
  const std::vector<PlacedShape> ring = threadedRing(thread, size);
  Compound shape{ring};
  addFlats(size, shape);
  part.shape = std::move(shape);
  const Polygon outer = hexagon(s);
  const double mean = meanThreadDiameter(size);
  Profile hole = nutRing(mean, mouth, 2 * mouth, size.nut.m);
  hole = {{hole[0].x(), 0}, hole[0], hole[5], hole[4], hole[3], {hole[3].x(), 0}};
  part.unitDensityMass = subtract(physics::massProperties(prism(outer, -m / 2, m / 2), 1),
                                  physics::massProperties(SolidOfRevolution{inMeters(hole)}, 1));
  part.features = {standardAxis("bottom", -size.nut.m / 2, -1), standardAxis("top", size.nut.m / 2, 1)};
  part.hexagons = {headHexagon("top", size.hexHead.s, size.nut.m / 2, size.nut.m),
                   headHexagon("bottom", size.hexHead.s, -size.nut.m / 2, size.nut.m, true)};
  part.buildDisplayMesh = [&size, ring] {
    DisplayMesh mesh;
    MeshBuilder builder(mesh);
    const int facets = addNutHexagon(size, builder);
    // The wall of the hole: the inner points of the ring.
    const HoleSite bore = holesOf(ring.front().shape).front();
    Profile wall;
    for (const Vector2d& p : bore.profile) wall.emplace_back(bore.X_PH.p.z() + p.x(), p.y());
    builder.revolve(wall, Pose(), facets);
    for (std::size_t k = 1; k < ring.size(); ++k)
      builder.thread(*std::get<SolidOfRevolution>(ring[k].shape).thread, Pose(), false);
    return mesh;
  };
  return part;
}

LibraryPart washer(const Designation& d) {
  const ThreadSize::Washer& w = d.thread->washer;
  LibraryPart part = namedPart(d, "plain washer");
  const double h = w.h / 2, inner = w.d1 / 2, outer = w.d2 / 2;
  part.shape =
      SolidOfRevolution{inMeters({{-h, inner}, {-h, outer}, {h, outer}, {h, inner}, {-h, inner}}), "hole"};
  part.unitDensityMass = physics::massProperties(part.shape, 1);
  part.features = {standardAxis("bottom", -h, -1), standardAxis("top", h, 1)};
  return part;
}

LibraryPart pin(const Designation& d) {
  const PinSize& size = *d.pin;
  LibraryPart part = namedPart(d, "parallel pin");
  const double h = d.length / 2, r = size.d / 2, tip = r - size.chamfer * std::tan(pi / 12);
  part.shape = SolidOfRevolution{
      inMeters({{-h, 0}, {-h, tip}, {-h + size.chamfer, r}, {h - size.chamfer, r}, {h, tip}, {h, 0}})};
  part.unitDensityMass = physics::massProperties(part.shape, 1);
  part.features = {standardAxis("tip", -h, -1), standardAxis("end", h, 1)};
  return part;
}

/// `isGiven`: the scene has the thread, and a part without one is an error.
LibraryPart standardPart(const std::string& text, const JsonCursor& thread, bool isGiven) {
  const Designation d = parseDesignation(text);
  switch (d.family) {
    case PartFamily::iso4762:
      return socketScrew(d, thread);
    case PartFamily::iso4014:
    case PartFamily::iso4017:
      return hexScrew(d, thread);
    case PartFamily::iso4032:
      return nut(d, thread);
    case PartFamily::iso7089:
    case PartFamily::iso2338:
    case PartFamily::iso2936:
      break;
  }
  if (isGiven)
    thread.fail("is given for a part without a thread: " + designationText(d),
                "remove it, or name a screw or a nut");
  if (d.family == PartFamily::iso2936) {
    LibraryPart part = hexKey(*d.key);
    part.name = designationText(d);
    return part;
  }
  return d.family == PartFamily::iso7089 ? washer(d) : pin(d);
}

}  // namespace

physics::MassProperties withDensity(physics::MassProperties unitDensityMass, double density) {
  unitDensityMass.mass *= density;
  unitDensityMass.inertia *= density;
  return unitDensityMass;
}

DisplayMesh displayMeshOf(const LibraryPart& part) {
  return part.buildDisplayMesh ? part.buildDisplayMesh() : displayMeshOf(part.shape);
}

LibraryPart standardPart(const std::string& text) {
  const nlohmann::json standard = nlohmann::json::object();
  ReadContext context;
  context.file = text;
  return standardPart(text, JsonCursor(standard, "", context), false);
}

LibraryPart standardPart(const std::string& text, const JsonCursor& thread) {
  return standardPart(text, thread, true);
}

std::optional<double> threadDiameterOf(const std::string& libraryName) {
  const auto family = findFamily(libraryName);
  if (!family) return std::nullopt;
  const ThreadSize* const thread =
      *family == PartFamily::iso7089 ? nullptr : parseDesignation(libraryName).thread;
  return thread ? std::optional(thread->d / 1000) : std::nullopt;
}

}  // namespace tenon::content
