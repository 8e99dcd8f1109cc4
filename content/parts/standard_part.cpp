// See standard_part.h. Dimensions are in millimeters until a shape is built.
#include "content/parts/standard_part.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>

#include "content/model/hole_sites.h"
#include "content/parts/designation.h"
#include "content/parts/standard_tables.h"
#include "content/parts/threaded_shapes.h"

namespace tenon::content {
namespace {

using Eigen::Vector2d;
using physics::Compound;
using physics::Hull;
using physics::MassProperties;
using physics::SolidOfRevolution;
using Profile = std::vector<Vector2d>;
using std::numbers::pi;

/// Diametral clearance between the bore of a nut and the nominal thread diameter [mm]. Threads do not
/// collide, so a screw at the upper limit of its tolerance must pass through the bore.
constexpr double kThreadClearance = 0.1;

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

/// The same with rings of the basic thread profile, from the tip up to `threadLength` or the fillet.
Profile threadedProfile(const ThreadSize& size, double length, double fillet, double threadLength) {
  const double r = size.d / 2, root = minorDiameter(size) / 2, P = size.pitch;
  const double end = std::min(-length + threadLength, -fillet) - P;
  Profile profile{{-length, 0}, {-length, root}};
  double z = -length + (r - root);
  profile.emplace_back(z, r);
  while (z + P <= end) {
    profile.emplace_back(z + P / 8, r);
    profile.emplace_back(z + P * 7 / 16, root);
    profile.emplace_back(z + P * 11 / 16, root);
    profile.emplace_back(z + P, r);
    z += P;
  }
  addFillet(r, fillet, profile);
  return profile;
}

Polygon hexagon(double acrossFlats) {
  Polygon polygon;
  for (int k = 0; k < 6; ++k)
    polygon.emplace_back(acrossFlats / std::numbers::sqrt3 *
                         Vector2d(std::cos(k * pi / 3), std::sin(k * pi / 3)));
  return polygon;
}

/// Prism over a polygon [m].
Hull prism(const Polygon& polygon, double z0, double z1) {
  Hull hull;
  for (const double z : {z0, z1})
    for (const Vector2d& p : polygon) hull.vertices.emplace_back(p.x(), p.y(), z);
  return hull;
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

DisplayMesh socketScrewMesh(const ThreadSize& size, double length) {
  const ThreadSize::SocketHead& h = size.socketHead;
  Profile outline = threadedProfile(size, length, h.fillet, h.threadLength);
  const Profile head = headProfile(h);
  outline.insert(outline.end(), head.begin(), head.end());
  DisplayMesh mesh;
  MeshBuilder builder(mesh);
  addSocketHead(h, inMeters(outline), builder);
  return mesh;
}

LibraryPart socketScrew(const Designation& d) {
  const ThreadSize& size = *d.thread;
  const ThreadSize::SocketHead& h = size.socketHead;
  LibraryPart part = namedPart(d, "hexagon socket head cap screw");
  const Profile head = headProfile(h);
  Profile profile = shankProfile(size, d.length, h.fillet);
  profile.insert(profile.end(), head.begin(), head.end());
  profile.emplace_back(h.k, 0);
  part.shape = SolidOfRevolution{inMeters(profile)};
  const Polygon socket = hexagon(h.s / 1000);
  const double top = h.k / 1000, floor = (h.k - h.t) / 1000;
  part.unitDensityMass =
      subtract(physics::massProperties(part.shape, 1), threadGrooves(size, d.length, h.threadLength));
  part.unitDensityMass =
      subtract(part.unitDensityMass, physics::massProperties(prism(socket, floor, top), 1));
  part.features = screwFeatures(d.length, h.k);
  part.buildDisplayMesh = [&size, length = d.length] { return socketScrewMesh(size, length); };
  return part;
}

/// A washer face and a hexagonal prism above it, without the chamfer of its corners.
LibraryPart hexScrew(const Designation& d) {
  const ThreadSize& size = *d.thread;
  const ThreadSize::HexHead& h = size.hexHead;
  const bool fullThread = d.family == PartFamily::iso4017;
  const double threadLength = fullThread ? d.length : h.threadLength;
  LibraryPart part =
      namedPart(d, fullThread ? "hexagon head screw, thread to the head" : "hexagon head bolt");
  const Profile face{{0, h.dw / 2}, {h.c, h.dw / 2}, {h.c, 0}};
  const auto withFace = [&](Profile profile) {
    profile.insert(profile.end(), face.begin(), face.end());
    return SolidOfRevolution{inMeters(profile)};
  };
  const physics::PlacedShape head{prism(hexagon(h.s / 1000), h.c / 1000, h.k / 1000), Pose()};
  part.shape = Compound{{{withFace(shankProfile(size, d.length, h.fillet)), Pose()}, head}};
  part.unitDensityMass =
      subtract(physics::massProperties(part.shape, 1), threadGrooves(size, d.length, threadLength));
  part.features = screwFeatures(d.length, h.k);
  const SolidOfRevolution threaded = withFace(threadedProfile(size, d.length, h.fillet, threadLength));
  part.buildDisplayMesh = [threaded, head] { return displayMeshOf(Compound{{{threaded, Pose()}, head}}); };
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

DisplayMesh nutMesh(const ThreadSize& size) {
  DisplayMesh mesh;
  MeshBuilder builder(mesh);
  const int facets = addNutHexagon(size, builder);
  const double mouth = size.nut.da;
  // Thread rings between the countersinks, from the top down.
  const double root = size.d / 2, crest = minorDiameter(size) / 2, P = size.pitch, h = size.nut.m / 2;
  const double depth = mouth / 2 - crest;
  Profile inside{{h, mouth / 2}, {h - depth / std::sqrt(3.0), crest}};
  for (double z = inside.back().x(); z - P > -h + depth / std::sqrt(3.0); z -= P)
    for (const Vector2d& step : {Vector2d(P / 4, crest), Vector2d(P * 9 / 16, root),
                                 Vector2d(P * 11 / 16, root), Vector2d(P, crest)})
      inside.emplace_back(z - step.x(), step.y());
  inside.emplace_back(-h + depth / std::sqrt(3.0), crest);
  inside.emplace_back(-h, mouth / 2);
  builder.revolve(inMeters(inside), Pose(), facets);
  return mesh;
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

/// A ring with the exact bore, and a tangential prism at each flat. The gaps between the round ring and the
/// prisms are negligible for collision, and the mass is that of the full hexagon.
LibraryPart nut(const Designation& d) {
  const ThreadSize& size = *d.thread;
  const double s = size.hexHead.s / 1000, m = size.nut.m / 1000, mouth = size.nut.da;
  LibraryPart part = namedPart(d, "hexagon nut");
  Compound shape;
  shape.children.push_back({ringOfNut(size, size.d + kThreadClearance), Pose()});
  addFlats(size, shape);
  part.shape = shape;
  const Polygon outer = hexagon(s);
  const double mean = meanThreadDiameter(size);
  Profile hole = nutRing(mean, mouth, 2 * mouth, size.nut.m);
  hole = {{hole[0].x(), 0}, hole[0], hole[5], hole[4], hole[3], {hole[3].x(), 0}};
  part.unitDensityMass = subtract(physics::massProperties(prism(outer, -m / 2, m / 2), 1),
                                  physics::massProperties(SolidOfRevolution{inMeters(hole)}, 1));
  part.features = {standardAxis("bottom", -size.nut.m / 2, -1), standardAxis("top", size.nut.m / 2, 1)};
  part.buildDisplayMesh = [&size] { return nutMesh(size); };
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

// --- with real threads -----------------------------------------------------------------------------------

/// A screw's solid of revolution with a thread from its tip over `threadLength`, at most up to a pitch below
/// the fillet under its head.
Compound threadedScrew(const JsonCursor& at, const Designation& d, const SolidOfRevolution& solid,
                       double fillet, double threadLength) {
  const ThreadSize& size = *d.thread;
  const ThreadRequest request =
      readThread(at, ThreadPlace::screw, ThreadSizeAndPitch{size.d / 1000, size.pitch / 1000});
  const double high = std::min(-d.length + threadLength, -fillet - size.pitch);
  return std::get<Compound>(withExternalThread(at, request, solid, -d.length / 1000, high / 1000));
}

LibraryPart threadedSocketScrew(const Designation& d, const JsonCursor& at) {
  const ThreadSize::SocketHead& h = d.thread->socketHead;
  LibraryPart part = socketScrew(d);
  const Compound shape =
      threadedScrew(at, d, std::get<SolidOfRevolution>(part.shape), h.fillet, h.threadLength);
  part.shape = shape;
  part.buildDisplayMesh = [shape, h] {
    DisplayMesh mesh;
    MeshBuilder builder(mesh);
    const std::size_t last = shape.children.size() - 1;  // the shank and the head, which is open at the top
    for (std::size_t k = 0; k < last; ++k) builder.shape(shape.children[k].shape, Pose());
    Profile outline = std::get<SolidOfRevolution>(shape.children[last].shape).profile;
    outline.pop_back();
    addSocketHead(h, outline, builder);
    return mesh;
  };
  return part;
}

LibraryPart threadedHexScrew(const Designation& d, const JsonCursor& at) {
  const ThreadSize::HexHead& h = d.thread->hexHead;
  LibraryPart part = hexScrew(d);
  const Compound plain = std::get<Compound>(part.shape);
  Compound shape = threadedScrew(at, d, std::get<SolidOfRevolution>(plain.children.front().shape), h.fillet,
                                 d.family == PartFamily::iso4017 ? d.length : h.threadLength);
  shape.children.push_back(plain.children.back());
  part.shape = std::move(shape);
  part.buildDisplayMesh = {};
  return part;
}

LibraryPart threadedNut(const Designation& d, const JsonCursor& at) {
  const ThreadSize& size = *d.thread;
  const ThreadRequest request =
      readThread(at, ThreadPlace::nut, ThreadSizeAndPitch{size.d / 1000, size.pitch / 1000});
  LibraryPart part = nut(d);
  Compound shape = std::get<Compound>(withInternalThread(at, request, ringOfNut(size, size.d)));
  const std::vector<physics::PlacedShape> ring = shape.children;
  addFlats(size, shape);
  part.shape = std::move(shape);
  part.buildDisplayMesh = [&size, ring] {
    DisplayMesh mesh;
    MeshBuilder builder(mesh);
    const int facets = addNutHexagon(size, builder);
    // The wall of the hole: the inner points of the ring.
    const HoleSite hole = holesOf(ring.front().shape).front();
    Profile wall;
    for (const Vector2d& p : hole.profile) wall.emplace_back(hole.X_PH.p.z() + p.x(), p.y());
    builder.revolve(wall, Pose(), facets);
    builder.shape(ring.back().shape, Pose());
    return mesh;
  };
  return part;
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
  const Designation d = parseDesignation(text);
  switch (d.family) {
    case PartFamily::iso4762:
      return socketScrew(d);
    case PartFamily::iso4014:
    case PartFamily::iso4017:
      return hexScrew(d);
    case PartFamily::iso4032:
      return nut(d);
    case PartFamily::iso7089:
      return washer(d);
    case PartFamily::iso2338:
      break;
  }
  return pin(d);
}

LibraryPart threadedStandardPart(const std::string& text, const JsonCursor& at) {
  const Designation d = parseDesignation(text);
  switch (d.family) {
    case PartFamily::iso4762:
      return threadedSocketScrew(d, at);
    case PartFamily::iso4014:
    case PartFamily::iso4017:
      return threadedHexScrew(d, at);
    case PartFamily::iso4032:
      return threadedNut(d, at);
    case PartFamily::iso7089:
    case PartFamily::iso2338:
      break;
  }
  at.fail("is given for a part without a thread: " + designationText(d),
          "remove it, or name a screw or a nut");
}

std::optional<double> threadDiameterOf(const std::string& libraryName) {
  const auto family = findFamily(libraryName);
  if (!family || *family == PartFamily::iso7089 || *family == PartFamily::iso2338) return std::nullopt;
  return parseDesignation(libraryName).thread->d / 1000;
}

}  // namespace tenon::content
