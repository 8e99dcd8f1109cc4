// See standard_part.h. Dimensions are in millimeters until a shape is built.
#include "content/parts/standard_part.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <numbers>
#include <optional>

#include "content/input/wording.h"
#include "content/parts/standard_tables.h"

namespace tenon::content {
namespace {

using Eigen::Vector2d;
using physics::Compound;
using physics::Hull;
using physics::MassProperties;
using physics::SolidOfRevolution;
using Profile = std::vector<Vector2d>;
using std::numbers::pi;

enum class Family { iso4762, iso4014, iso4017, iso4032, iso7089, iso2338 };

constexpr std::array kFamilies{Family::iso4762, Family::iso4014, Family::iso4017,
                               Family::iso4032, Family::iso7089, Family::iso2338};
constexpr std::array<const char*, 6> kNumbers{"4762", "4014", "4017", "4032", "7089", "2338"};

/// Diametral clearance between the bore of a nut and the nominal thread diameter [mm]. Threads do not
/// collide, so a screw at the upper limit of its tolerance must pass through the bore.
constexpr double kThreadClearance = 0.1;

// --- designations --------------------------------------------------------------------------------------

struct Designation {
  Family family = Family::iso4762;
  const ThreadSize* thread = nullptr;
  const PinSize* pin = nullptr;
  double length = 0;  ///< [mm]; 0: the family has no lengths
};

bool hasLength(Family family) {
  return family != Family::iso4032 && family != Family::iso7089;
}

std::string nameOf(Family family) {
  return std::string("ISO ") + kNumbers[static_cast<std::size_t>(family)];
}

/// National standards replaced by ISO standards.
struct Withdrawn {
  const char* name;  ///< normalized: "DIN" and the number
  Family family;
  const char* note;  ///< what changed; may be empty
};

constexpr const char* kOtherWidths = ", with other widths across flats of M10, M12, M14 and M22";

constexpr std::array kWithdrawn{
    Withdrawn{"DIN912", Family::iso4762, ""},           Withdrawn{"DIN931", Family::iso4014, kOtherWidths},
    Withdrawn{"DIN933", Family::iso4017, kOtherWidths}, Withdrawn{"DIN934", Family::iso4032, kOtherWidths},
    Withdrawn{"DIN125", Family::iso7089, ""},
};

/// Upper case without blanks and hyphens; × as X, "DIN EN ISO" as ISO.
std::string normalized(const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.compare(i, 2, "×") == 0) {
      result += 'X';
      ++i;
    } else if (text[i] != ' ' && text[i] != '-') {
      result += static_cast<char>(std::toupper(static_cast<unsigned char>(text[i])));
    }
  }
  for (const std::string_view prefix : {"DINENISO", "DINISO", "ENISO"})
    if (result.starts_with(prefix)) return result.substr(prefix.size() - 3);
  return result;
}

std::optional<double> numberIn(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::optional<Family> familyAt(const std::string& normalizedText) {
  for (const Family family : kFamilies) {
    const std::string number = kNumbers[static_cast<std::size_t>(family)];
    if (normalizedText.rfind("ISO" + number, 0) == 0) return family;
  }
  return std::nullopt;
}

/// Throws UnknownPart for a withdrawn standard.
void rejectWithdrawn(const std::string& text) {
  const std::string name = normalized(text);
  for (const Withdrawn& old : kWithdrawn) {
    const std::string_view number = old.name;
    if (!name.starts_with(number)) continue;
    std::string rest = name.substr(number.size());
    if (!rest.empty() && rest[0] >= '0' && rest[0] <= '9') continue;
    if (rest.starts_with("AM")) rest.erase(0, 1);  // form A, the one without a chamfer
    std::replace(rest.begin(), rest.end(), 'X', 'x');
    const std::string_view digits = number.substr(3);
    throw UnknownPart(
        fmt::format("{}: DIN {} has been replaced by {}{}", inQuotes(text), digits, nameOf(old.family),
                    old.note),
        fmt::format("write {}", inQuotes(nameOf(old.family) + (rest.empty() ? "" : " " + rest))));
  }
}

Family familyOf(const std::string& text) {
  if (const auto family = familyAt(normalized(text))) return *family;
  rejectWithdrawn(text);
  throw UnknownPart(fmt::format("{} is not a standard of the library", inQuotes(text)),
                    "use ISO 4762, 4014, 4017, 4032, 7089 or 2338, such as \"ISO 4762 M8x30\"");
}

std::string sizesOf(Family family) {
  std::string sizes;
  const auto add = [&](std::string_view name) { sizes.append(sizes.empty() ? "" : ", ").append(name); };
  if (family == Family::iso2338)
    for (const PinSize& pin : pinSizes()) add(fmt::format("{:g}", pin.d));
  else
    for (const ThreadSize& size : threadSizes()) add(size.name);
  return sizes;
}

/// Shortest and longest available length of a size [mm].
std::pair<double, double> rangeOf(const Designation& d) {
  switch (d.family) {
    case Family::iso4762:
      return {d.thread->socketHead.shortest, d.thread->socketHead.longest};
    case Family::iso4014:
      return {d.thread->hexHead.shortest4014, d.thread->hexHead.longest4014};
    case Family::iso4017:
      return {d.thread->hexHead.shortest4017, d.thread->hexHead.longest4017};
    case Family::iso2338:
      return {d.pin->shortest, d.pin->longest};
    default:
      return {0, 0};
  }
}

std::vector<double> lengthsOf(const Designation& d) {
  const auto [shortest, longest] = rangeOf(d);
  std::vector<double> lengths;
  for (const double length : d.family == Family::iso2338 ? pinLengths() : screwLengths())
    if (length >= shortest && length <= longest) lengths.push_back(length);
  return lengths;
}

std::string listOf(const std::vector<double>& numbers) {
  std::string text;
  for (const double x : numbers) text += fmt::format("{}{:g}", text.empty() ? "" : ", ", x);
  return text;
}

Designation parse(const std::string& text) {
  Designation d;
  d.family = familyOf(text);
  const std::string rest = normalized(text).substr(7);  // after "ISO4762"
  const std::size_t cross = rest.find('X');
  const std::string size = rest.substr(0, cross);
  const std::string family = nameOf(d.family);
  if (d.family == Family::iso2338) {
    const auto diameter = numberIn(size.rfind('M', 0) == 0 ? size.substr(1) : size);
    d.pin = diameter ? findPin(*diameter) : nullptr;
  } else {
    d.thread = findThread(size);
  }
  if (!d.pin && !d.thread)
    throw UnknownPart(fmt::format("{} has no size {}", family, inQuotes(size)),
                      "sizes are " + sizesOf(d.family));
  if (!hasLength(d.family)) {
    if (cross != rest.npos)
      throw UnknownPart(fmt::format("{} has no lengths", family), "write " + inQuotes(family + " " + size));
    return d;
  }
  const auto length = cross == rest.npos ? std::nullopt : numberIn(std::string_view(rest).substr(cross + 1));
  const std::vector<double> lengths = lengthsOf(d);
  const std::string available = fmt::format("{} {} is available {} mm long", family, size, listOf(lengths));
  if (!length) throw UnknownPart(fmt::format("{} has no length", inQuotes(text)), available);
  if (std::find(lengths.begin(), lengths.end(), *length) == lengths.end())
    throw UnknownPart(fmt::format("{} {} is not available {:g} mm long", family, size, *length), available);
  d.length = *length;
  return d;
}

std::string textOf(const Designation& d) {
  const std::string size = d.pin ? fmt::format("{:g}", d.pin->d) : std::string(d.thread->name);
  return nameOf(d.family) + " " + size + (d.length > 0 ? fmt::format("x{:g}", d.length) : "");
}

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

AxisFeature axis(const char* name, double z_mm, double direction) {
  return {name, {0, 0, z_mm / 1000}, {0, 0, direction}};
}

LibraryPart namedPart(const Designation& d, const char* description) {
  LibraryPart part;
  part.name = textOf(d);
  part.description = description;
  return part;
}

/// Features of a screw: tip, bearing face and drive.
std::vector<AxisFeature> screwFeatures(double length, double k) {
  return {axis("tip", -length, -1), axis("seat", 0, -1), axis("drive", k, 1)};
}

/// Profile of a head from the bearing face to the edge of the upper face [mm].
Profile headProfile(const ThreadSize::SocketHead& h) {
  return {{0, h.dk / 2}, {h.k - h.chamfer, h.dk / 2}, {h.k, h.dk / 2 - h.chamfer}};
}

DisplayMesh socketScrewMesh(const ThreadSize& size, double length) {
  const ThreadSize::SocketHead& h = size.socketHead;
  Profile outline = threadedProfile(size, length, h.fillet, h.threadLength);
  const Profile head = headProfile(h);
  outline.insert(outline.end(), head.begin(), head.end());
  const Polygon socket = hexagon(h.s / 1000);
  const double top = h.k / 1000, floor = (h.k - h.t) / 1000;
  DisplayMesh mesh;
  MeshBuilder builder(mesh);
  const int facets = circleFacetCount(h.dk / 2000);
  builder.revolve(inMeters(outline), Pose(), facets);
  builder.face(circle({0, 0}, (h.dk / 2 - h.chamfer) / 1000, facets), std::array{socket},
               Pose::at({0, 0, top}));
  builder.prismWalls(socket, floor, top, Pose(), true);
  builder.face(socket, {}, Pose::at({0, 0, floor}));
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
  const bool fullThread = d.family == Family::iso4017;
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

DisplayMesh nutMesh(const ThreadSize& size) {
  const double m = size.nut.m / 1000, mouth = size.nut.da;
  const Polygon outer = hexagon(size.hexHead.s / 1000);
  DisplayMesh mesh;
  MeshBuilder builder(mesh);
  builder.prismWalls(outer, -m / 2, m / 2, Pose(), false);
  const int facets = circleFacetCount(mouth / 2000);
  const Polygon rim = circle({0, 0}, mouth / 2000, facets);
  builder.face(outer, std::array{rim}, Pose::at({0, 0, m / 2}));
  builder.face(outer, std::array{rim}, {physics::Quaterniond(0, 1, 0, 0), {0, 0, -m / 2}});
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

/// A ring with the exact bore, and a tangential prism at each flat. The gaps between the round ring and the
/// prisms are negligible for collision, and the mass is that of the full hexagon.
LibraryPart nut(const Designation& d) {
  const ThreadSize& size = *d.thread;
  const double s = size.hexHead.s / 1000, m = size.nut.m / 1000, bore = size.d + kThreadClearance;
  const double mouth = size.nut.da, ring = (mouth + size.hexHead.s) / 2000;  // outer diameter of the ring [m]
  LibraryPart part = namedPart(d, "hexagon nut");
  Compound shape;
  shape.children.push_back(
      {SolidOfRevolution{inMeters(nutRing(bore, mouth, 1000 * ring, size.nut.m)), "thread"}, Pose()});
  const Polygon outer = hexagon(s), inner = hexagon(ring);
  for (std::size_t k = 0; k < 6; ++k) {
    const std::size_t next = (k + 1) % 6;
    shape.children.push_back({prism({inner[k], outer[k], outer[next], inner[next]}, -m / 2, m / 2), Pose()});
  }
  part.shape = shape;
  const double mean = meanThreadDiameter(size);
  Profile hole = nutRing(mean, mouth, 2 * mouth, size.nut.m);
  hole = {{hole[0].x(), 0}, hole[0], hole[5], hole[4], hole[3], {hole[3].x(), 0}};
  part.unitDensityMass = subtract(physics::massProperties(prism(outer, -m / 2, m / 2), 1),
                                  physics::massProperties(SolidOfRevolution{inMeters(hole)}, 1));
  part.features = {axis("bottom", -size.nut.m / 2, -1), axis("top", size.nut.m / 2, 1)};
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
  part.features = {axis("bottom", -h, -1), axis("top", h, 1)};
  return part;
}

LibraryPart pin(const Designation& d) {
  const PinSize& size = *d.pin;
  LibraryPart part = namedPart(d, "parallel pin");
  const double h = d.length / 2, r = size.d / 2, tip = r - size.chamfer * std::tan(pi / 12);
  part.shape = SolidOfRevolution{
      inMeters({{-h, 0}, {-h, tip}, {-h + size.chamfer, r}, {h - size.chamfer, r}, {h, tip}, {h, 0}})};
  part.unitDensityMass = physics::massProperties(part.shape, 1);
  part.features = {axis("tip", -h, -1), axis("end", h, 1)};
  return part;
}

// --- tables --------------------------------------------------------------------------------------------

std::vector<std::string> headingsOf(Family family) {
  switch (family) {
    case Family::iso4762:
      return {"pitch", "head Ø", "head height", "socket", "socket depth", "thread length", "lengths"};
    case Family::iso4014:
    case Family::iso4017:
      return {"pitch", "across flats", "head height", "thread length", "lengths"};
    case Family::iso4032:
      return {"pitch", "across flats", "height"};
    case Family::iso7089:
      return {"hole Ø", "outer Ø", "thickness"};
    case Family::iso2338:
      return {"chamfer", "lengths"};
  }
  return {};
}

std::vector<std::string> dimensionsOf(const Designation& d) {
  const auto text = [](std::initializer_list<double> values) {
    std::vector<std::string> texts;
    for (const double value : values) texts.push_back(fmt::format("{:g}", value));
    return texts;
  };
  std::vector<std::string> row;
  switch (d.family) {
    case Family::iso4762: {
      const auto& h = d.thread->socketHead;
      row = text({d.thread->pitch, h.dk, h.k, h.s, h.t, h.threadLength});
      break;
    }
    case Family::iso4014:
      row = text({d.thread->pitch, d.thread->hexHead.s, d.thread->hexHead.k, d.thread->hexHead.threadLength});
      break;
    case Family::iso4017:
      row = text({d.thread->pitch, d.thread->hexHead.s, d.thread->hexHead.k});
      row.emplace_back("all");
      break;
    case Family::iso4032:
      return text({d.thread->pitch, d.thread->hexHead.s, d.thread->nut.m});
    case Family::iso7089:
      return text({d.thread->washer.d1, d.thread->washer.d2, d.thread->washer.h});
    case Family::iso2338:
      row = text({d.pin->chamfer});
      break;
  }
  row.push_back(listOf(lengthsOf(d)));
  return row;
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

std::vector<StandardFamily> standardFamilies() {
  const char* screw = "origin under the head, shank along -z; features tip, seat, drive";
  return {{"ISO 4762", "hexagon socket head cap screw", "M3 … M16", "ISO 4762 M8x30", screw},
          {"ISO 4014", "hexagon head bolt", "M3 … M16", "ISO 4014 M8x50", screw},
          {"ISO 4017", "hexagon head screw, thread to the head", "M3 … M16", "ISO 4017 M8x30", screw},
          {"ISO 4032", "hexagon nut", "M3 … M16", "ISO 4032 M8",
           "origin in the center, axis along z; hole thread; features bottom, top"},
          {"ISO 7089", "plain washer", "M3 … M16", "ISO 7089 M8",
           "origin in the center, axis along z; hole hole; features bottom, top"},
          {"ISO 2338", "parallel pin", "3 … 16", "ISO 2338 8x30",
           "origin in the center, axis along z; features tip (below), end (above)"}};
}

FamilyTable familyTable(const std::string& text) {
  const Family family = familyOf(text);
  FamilyTable table{standardFamilies()[static_cast<std::size_t>(family)], headingsOf(family), {}};
  const auto add = [&](Designation d, const std::string& size) {
    d.family = family;
    table.rows.push_back({size, dimensionsOf(d)});
  };
  if (family == Family::iso2338)
    for (const PinSize& size : pinSizes()) add({.pin = &size}, fmt::format("{:g}", size.d));
  else
    for (const ThreadSize& size : threadSizes()) add({.thread = &size}, std::string(size.name));
  return table;
}

LibraryPart standardPart(const std::string& text) {
  const Designation d = parse(text);
  switch (d.family) {
    case Family::iso4762:
      return socketScrew(d);
    case Family::iso4014:
    case Family::iso4017:
      return hexScrew(d);
    case Family::iso4032:
      return nut(d);
    case Family::iso7089:
      return washer(d);
    case Family::iso2338:
      break;
  }
  return pin(d);
}

std::optional<double> threadDiameterOf(const std::string& libraryName) {
  const auto family = familyAt(normalized(libraryName));
  if (!family || *family == Family::iso7089 || *family == Family::iso2338) return std::nullopt;
  return parse(libraryName).thread->d / 1000;
}

}  // namespace tenon::content
