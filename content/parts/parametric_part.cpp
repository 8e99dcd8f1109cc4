// See parametric_part.h.
#include "content/parts/parametric_part.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "content/input/limits.h"
#include "content/input/parse_json.h"
#include "content/parts/driver_part.h"
#include "content/parts/hole_pattern.h"
#include "physics/collision/geometry/shape_conversions.h"

namespace tenon::content {
namespace {

using Eigen::Vector2d;
using physics::BlockWithHoles;
using physics::Compound;
using physics::Pose;
using physics::Shape;
using physics::SolidOfRevolution;

/// A required dimension [m].
double requiredLength(const JsonCursor& at, const char* field) {
  return at.member(field).positiveLength();
}

AxisFeature axis(const std::string& name, double z, double direction) {
  return {name, {0, 0, z}, {0, 0, direction}};
}

void rejectIf(const JsonCursor& at, bool invalid, const char* problem, const char* remedy) {
  if (invalid) at.fail(problem, remedy);
}

void checkSolid(const JsonCursor& at, const SolidOfRevolution& solid) {
  if (const auto problem = physics::problemWith(solid))
    at.fail(*problem, "make the chamfers smaller, or the part larger");
}

/// Frame in the center of the upper face of a plate.
Pose topFace(double height) {
  return Pose::at({0, 0, 0.5 * height});
}

/// Reads holes of a block at X_PB into it, and their threads into the part.
void readPatterns(const JsonCursor& at, const Pose& X_BF, double height, const Pose& X_PB,
                  BlockWithHoles& block, std::vector<physics::PlacedShape>& threads) {
  for (physics::PlacedShape& thread : readHolePatterns(at, X_BF, height, block))
    threads.push_back({std::move(thread.shape), X_PB * thread.X_PS});
}

/// The shapes of a part with its threads, as one shape.
Shape joined(std::vector<physics::PlacedShape> shapes, std::vector<physics::PlacedShape>& threads) {
  if (shapes.size() == 1 && threads.empty()) return std::move(shapes.front().shape);
  std::move(threads.begin(), threads.end(), std::back_inserter(shapes));
  return Compound{std::move(shapes)};
}

Shape readPlate(const JsonCursor& at) {
  at.allowOnly({"kind", "size", "holes"});
  const auto xyz = at.member("size").elements(3, 3);
  BlockWithHoles block{
      0.5 * physics::Vector3d(xyz[0].positiveLength(), xyz[1].positiveLength(), xyz[2].positiveLength()), {}};
  const double height = 2 * block.halfExtents.z();
  std::vector<physics::PlacedShape> threads;
  if (const auto holes = at.find("holes"))
    readPatterns(*holes, topFace(height), height, Pose(), block, threads);
  return joined({{block, Pose()}}, threads);
}

/// Ring about z between two heights, with 45° chamfers at the outer and the inner edge of its upper end.
SolidOfRevolution hub(double bore, double outer, double low, double high, double chamfer) {
  std::vector<Vector2d> p{{low, 0.5 * bore}, {low, 0.5 * outer}};
  if (chamfer > 0) p.emplace_back(high - chamfer, 0.5 * outer);
  p.emplace_back(high, 0.5 * outer - chamfer);
  p.emplace_back(high, 0.5 * bore + chamfer);
  if (chamfer > 0) p.emplace_back(high - chamfer, 0.5 * bore);
  p.push_back(p.front());
  return {p, "hub"};
}

Shape readFlange(const JsonCursor& at) {
  at.allowOnly({"kind", "width", "thickness", "bore", "hub_diameter", "hub_height", "chamfer", "holes"});
  at.reportMissing({"width", "thickness"});
  const double width = requiredLength(at, "width"), thickness = requiredLength(at, "thickness"),
               bore = optionalLength(at, "bore");
  const double chamfer = optionalLength(at, "chamfer"), outer = optionalLength(at, "hub_diameter");
  BlockWithHoles block{0.5 * physics::Vector3d(width, width, thickness), {}};
  const double height = optionalLength(at, "hub_height");
  rejectIf(at, (outer > 0) != (height > 0), "has an incomplete hub",
           "give both \"hub_diameter\" and \"hub_height\", or neither");
  rejectIf(at, outer > 0 && !(bore > 0), "has a hub and no bore", "give \"bore\", or remove the hub");
  rejectIf(at, chamfer > 0 && !(bore > 0), "has a chamfer and no bore",
           "give \"bore\", or remove \"chamfer\"");
  rejectIf(at, !(outer > 0) && chamfer > thickness - kMinSize, "has a chamfer as deep as its thickness",
           "make \"chamfer\" smaller than \"thickness\"");
  if (bore > 0) {
    // With a hub, the chamfer is at the top of the hub.
    const double c = outer > 0 ? 0 : chamfer;
    std::vector<Vector2d> profile{{0, 0.5 * bore + c}};
    if (c > 0) profile.emplace_back(-c, 0.5 * bore);
    profile.emplace_back(-thickness, 0.5 * bore);
    block.cavities.push_back({"bore", topFace(thickness), profile, true});
    if (const auto problem = physics::problemWith(block))
      at.fail(*problem, "make the bore or its chamfer smaller");
  }
  std::vector<physics::PlacedShape> threads;
  if (const auto holes = at.find("holes"))
    readPatterns(*holes, topFace(thickness), thickness, Pose(), block, threads);
  if (!(outer > 0)) return joined({{block, Pose()}}, threads);
  rejectIf(at, outer > width, "has a hub wider than the flange", "make \"hub_diameter\" smaller");
  rejectIf(at, outer <= bore, "has a hub no wider than its bore", "make \"hub_diameter\" larger");
  for (const physics::Cavity& hole : block.cavities) {
    const double distance = hole.X_BH.p.head<2>().norm() - hole.profile.front().y();
    rejectIf(at, hole.name != "bore" && distance < 0.5 * outer, "has a hub that covers its holes",
             "make \"hub_diameter\" smaller, or move the holes outwards");
  }
  rejectIf(at, 2 * chamfer > 0.5 * (outer - bore) - kMinSize,
           "has a hub whose two chamfers leave no face between them",
           "make \"chamfer\" smaller than half the hub's wall, (\"hub_diameter\" - \"bore\") / 4");
  rejectIf(at, chamfer > height - kMinSize, "has a hub chamfered over its whole height",
           "make \"chamfer\" smaller than \"hub_height\"");
  const double top = 0.5 * thickness;
  const SolidOfRevolution ring = hub(bore, outer, top, top + height, chamfer);
  checkSolid(at, ring);
  return joined({{block, Pose()}, {ring, Pose()}}, threads);
}

/// Base from z = 0 to the thickness, wall at its −x end.
Shape readBracket(const JsonCursor& at) {
  at.allowOnly({"kind", "width", "depth", "height", "thickness", "base_holes", "wall_holes"});
  at.reportMissing({"width", "depth", "height", "thickness"});
  const double width = requiredLength(at, "width"), depth = requiredLength(at, "depth"),
               height = requiredLength(at, "height"), t = requiredLength(at, "thickness");
  rejectIf(at, t >= depth || t >= height, "has a thickness that exceeds its depth or height",
           "make \"thickness\" smaller");
  BlockWithHoles base{0.5 * physics::Vector3d(depth, width, t), {}},
      wall{0.5 * physics::Vector3d(t, width, height - t), {}};
  const Pose X_PBase = Pose::at({0.5 * depth, 0, 0.5 * t}),
             X_PWall = Pose::at({0.5 * t, 0, t + 0.5 * (height - t)});
  std::vector<physics::PlacedShape> threads;
  if (const auto holes = at.find("base_holes")) readPatterns(*holes, topFace(t), t, X_PBase, base, threads);
  // Frame on the wall: x along the width, y upwards.
  Pose front;
  physics::Matrix3d R;
  R << 0, 0, 1, 1, 0, 0, 0, 1, 0;
  front.q = physics::Quaterniond(R);
  front.p = {0.5 * t, 0, 0};
  if (const auto holes = at.find("wall_holes")) readPatterns(*holes, front, t, X_PWall, wall, threads);
  return joined({{base, X_PBase}, {wall, X_PWall}}, threads);
}

/// Shank along −z, optional collar above; the origin is under the collar, else at the top.
Shape readBushing(const JsonCursor& at, std::vector<AxisFeature>& features) {
  at.allowOnly({"kind", "bore", "outer", "length", "chamfer", "collar_diameter", "collar_thickness"});
  at.reportMissing({"bore", "outer", "length"});
  const double r = 0.5 * requiredLength(at, "bore"), R = 0.5 * requiredLength(at, "outer"),
               L = requiredLength(at, "length"), c = optionalLength(at, "chamfer");
  const double collar = 0.5 * optionalLength(at, "collar_diameter"),
               t = optionalLength(at, "collar_thickness");
  rejectIf(at, (collar > 0) != (t > 0), "has an incomplete collar",
           "give both \"collar_diameter\" and \"collar_thickness\", or neither");
  rejectIf(at, collar > 0 && collar <= R, "has a collar no wider than its outer diameter",
           "make \"collar_diameter\" larger");
  rejectIf(at, r >= R, "has a bore at least as wide as its outer diameter",
           "make \"bore\" smaller than \"outer\"");
  rejectIf(at, 2 * c >= R - r || 2 * c >= L, "has chamfers that leave no surface between them",
           "make \"chamfer\" smaller");
  std::vector<Vector2d> p{{-L, r + c}, {-L, R - c}};
  if (c > 0) p.emplace_back(-L + c, R);
  p.emplace_back(0, R);
  if (collar > 0) {
    p.emplace_back(0, collar);
    p.emplace_back(t, collar);
  } else if (c > 0) {
    p.back() = {-c, R};
    p.emplace_back(0, R - c);
  }
  p.emplace_back(t, r + c);
  if (c > 0) p.emplace_back(t - c, r);
  if (c > 0) p.emplace_back(-L + c, r);
  p.push_back(p.front());
  const SolidOfRevolution ring{p, "bore"};
  checkSolid(at, ring);
  features = {axis("end", -L, -1), axis("top", t, 1)};
  return ring;
}

SolidOfRevolution chamferedRing(double r, double R, double h, double c) {
  std::vector<Vector2d> p{{-h, r + c}, {-h, R - c}};
  if (c > 0) p.emplace_back(-h + c, R);
  p.emplace_back(h - c, R);
  if (c > 0) p.emplace_back(h, R - c);
  p.emplace_back(h, r + c);
  if (c > 0) p.emplace_back(h - c, r);
  p.emplace_back(-h + c, r);
  p.push_back(p.front());
  if (!(c > 0)) p = {{-h, r}, {-h, R}, {h, R}, {h, r}, {-h, r}};
  return {p, "bore"};
}

/// One rigid ring: its balls neither roll nor yield.
Shape readBearing(const JsonCursor& at, std::vector<AxisFeature>& features) {
  at.allowOnly({"kind", "bore", "outer", "width", "chamfer"});
  at.reportMissing({"bore", "outer", "width"});
  const double r = 0.5 * requiredLength(at, "bore"), R = 0.5 * requiredLength(at, "outer"),
               h = 0.5 * requiredLength(at, "width"), c = optionalLength(at, "chamfer");
  rejectIf(at, r >= R, "has a bore at least as wide as its outer diameter",
           "make \"bore\" smaller than \"outer\"");
  rejectIf(at, 2 * c >= R - r || c >= h, "has chamfers that leave no surface between them",
           "make \"chamfer\" smaller");
  const SolidOfRevolution ring = chamferedRing(r, R, h, c);
  checkSolid(at, ring);
  features = {axis("lower face", -h, -1), axis("upper face", h, 1)};
  return ring;
}

/// Steps from z = 0 upwards, chamfered at both ends.
Shape readShaft(const JsonCursor& at, std::vector<AxisFeature>& features) {
  at.allowOnly({"kind", "steps", "chamfer"});
  const double c = optionalLength(at, "chamfer");
  const JsonCursor list = at.member("steps");
  std::vector<Vector2d> p{{0, 0}};
  double z = 0;
  std::vector<double> shoulders;
  for (const JsonCursor& step : list.elements(1, 100)) {
    const auto pair = step.elements(2, 2);
    const double radius = 0.5 * pair[0].positiveLength(), length = pair[1].positiveLength();
    rejectIf(step, !shoulders.empty() && p.back().y() == radius, "has the diameter of the previous step",
             "merge the two");
    p.emplace_back(z, radius);
    z += length;
    p.emplace_back(z, radius);
    shoulders.push_back(z);
  }
  if (c > 0) {
    rejectIf(at, c >= p[1].y() || c >= p.back().y() || c >= p[2].x() || c >= z - p[p.size() - 2].x(),
             "has a chamfer larger than its end", "make \"chamfer\" smaller");
    rejectIf(at, shoulders.size() == 1 && 2 * c > z - kMinSize,
             "has two chamfers that leave no surface between them",
             "make \"chamfer\" smaller than half the step's length");
    p[1].y() -= c;
    p.insert(p.begin() + 2, {c, p[1].y() + c});
    const double top = p.back().y();
    p.back() = {z - c, top};
    p.emplace_back(z, top - c);
  }
  p.emplace_back(z, 0);
  const SolidOfRevolution shaft{p};
  checkSolid(at, shaft);
  features = {axis("bottom", 0, -1), axis("top", z, 1)};
  for (std::size_t k = 0; k + 1 < shoulders.size(); ++k)
    features.push_back(axis(fmt::format("shoulder {}", k + 1), shoulders[k], 1));
  return shaft;
}

constexpr const char* kHoles =
    "list of {name, at | circle {count, diameter, start_deg} | grid {count, pitch}, diameter | screw and "
    "series (ISO 273: fine, medium, coarse) | thread {size, class, depth}, chamfer (45°), counterbore "
    "{diameter, depth}, depth (default: through)}";

}  // namespace

std::vector<ParametricKind> parametricKinds() {
  return {
      {"plate",
       "cuboid with holes in its upper face",
       {{"size", "[x, y, z]"}, {"holes", kHoles}},
       "plate 'size=[80,60,12]' "
       "'holes=[{\"name\":\"hole\",\"screw\":\"M8\",\"grid\":{\"count\":[2,2],\"pitch\":[50,30]}}]'"},
      {"flange",
       "square plate with a bore, a hub around it, and holes",
       {{"width", "of the square"},
        {"thickness", "of the plate"},
        {"bore", "diameter; default: none"},
        {"hub_diameter", "default: no hub"},
        {"hub_height", "above the plate"},
        {"chamfer", "at the mouth of the bore and the hub's outer rim, 45°"},
        {"holes", kHoles}},
       "flange width=130 thickness=15 bore=50 'holes=[{\"name\":\"screw\",\"screw\":\"M8\","
       "\"circle\":{\"count\":8,\"diameter\":100}}]'"},
      {"bracket",
       "base plate and a wall upright at its -x end; origin at that end, under the base",
       {{"width", "along y"},
        {"depth", "of the base, along x"},
        {"height", "of the wall, base included"},
        {"thickness", "of both"},
        {"base_holes", kHoles},
        {"wall_holes", "the same, relative to the center of the wall"}},
       "bracket width=60 depth=50 height=60 thickness=8"},
      {"bushing",
       "ring, with a collar or without; origin under the collar, shank along -z; features end, top; hole "
       "bore",
       {{"bore", "diameter"},
        {"outer", "diameter"},
        {"length", "of the shank"},
        {"chamfer", "at its ends, 45°"},
        {"collar_diameter", "default: no collar"},
        {"collar_thickness", ""}},
       "bushing bore=10 outer=16 length=20 chamfer=0.5"},
      {"bearing",
       "ring as wide as a ball bearing, in one piece; centered; features lower face, upper face; hole bore",
       {{"bore", "diameter"}, {"outer", "diameter"}, {"width", ""}, {"chamfer", "at all rims, 45°"}},
       "bearing bore=20 outer=47 width=14 chamfer=1"},
      {"shaft",
       "steps from the bottom up along z, chamfered at both ends; features bottom, top, shoulder 1, …",
       {{"steps", "[[diameter, length], …]"}, {"chamfer", "at both ends, 45°"}},
       "shaft 'steps=[[30,20],[20,40]]' chamfer=1"},
      {"driver",
       "driver with a handle; origin in its tip, axis along z; features tip, end",
       {{"bit", "key, for sockets of ISO 4762; or socket, for hexagons of ISO 4014, 4017 and 4032"},
        {"width", "across flats, of these standards"},
        {"length", "in all; default: 12 widths, at least 120 mm"},
        {"torque_limit_nm", "above it, the driver clicks; default: none"},
        {"ratchet", "true: turns back freely; default: false"}},
       "driver bit=key width=6 torque_limit_nm=8 ratchet=true"}};
}

LibraryPart readParametricPart(const JsonCursor& at) {
  LibraryPart part;
  const std::size_t kind =
      at.member("kind").choice({"plate", "flange", "bracket", "bushing", "bearing", "shaft", "driver"});
  const ParametricKind listed = parametricKinds()[kind];
  part.name = listed.name;
  part.description = listed.description;
  switch (kind) {
    case 0:
      part.shape = readPlate(at);
      break;
    case 1:
      part.shape = readFlange(at);
      break;
    case 2:
      part.shape = readBracket(at);
      break;
    case 3:
      part.shape = readBushing(at, part.features);
      break;
    case 4:
      part.shape = readBearing(at, part.features);
      break;
    case 5:
      part.shape = readShaft(at, part.features);
      break;
    default:
      return readDriver(at);
  }
  part.unitDensityMass = physics::massProperties(part.shape, 1);
  return part;
}

LibraryPart parametricPart(const std::string& json, const std::string& source) {
  const nlohmann::json document = parseJson(json, source);
  ReadContext context;
  context.file = source;
  context.unit = "mm";
  context.divisor = 1000;
  return readParametricPart(JsonCursor(document, "", context));
}

}  // namespace tenon::content
