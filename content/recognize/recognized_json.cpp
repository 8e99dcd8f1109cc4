// See recognized_json.h.
#include "content/recognize/recognized_json.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "content/input/limits.h"
#include "physics/collision/brep/freeform.h"
#include "physics/collision/brep/prepared_solid.h"

namespace tenon::content {
namespace {

using Json = nlohmann::json;
using Eigen::Vector2d;
using physics::Pose;

// --- to JSON -------------------------------------------------------------------------------------------

Json jsonOf(const Vector3d& v) {
  return {v.x(), v.y(), v.z()};
}

Json jsonOf(const Pose& X) {
  return {X.p.x(), X.p.y(), X.p.z(), X.q.w(), X.q.x(), X.q.y(), X.q.z()};
}

Json jsonOf(const std::vector<Vector2d>& profile) {
  Json list = Json::array();
  for (const Vector2d& p : profile) list.push_back({p.x(), p.y()});
  return list;
}

Json jsonOf(const std::vector<physics::Cavity>& cavities) {
  Json list = Json::array();
  for (const physics::Cavity& c : cavities)
    list.push_back({{"name", c.name},
                    {"at", jsonOf(c.X_BH)},
                    {"profile", jsonOf(c.profile)},
                    {"through", c.through},
                    {"interrupted", c.isInterrupted}});
  return list;
}

Json jsonOf(const physics::brep::FreeformSurface& form) {
  Json patches = Json::array();
  for (const physics::brep::BezierPatch& patch : form.given()) {
    Json list = {patch.degree[0], patch.degree[1], patch.low[0], patch.low[1], patch.high[0], patch.high[1]};
    for (const Eigen::Vector4d& q : patch.points)
      for (const double value : q) list.push_back(value);
    patches.push_back(std::move(list));
  }
  return {{"periodic", form.isPeriodic()}, {"patches", patches}};
}

/// The kind and the numbers of a surface: frame by columns, origin, radius, minor radius, slope, side; last
/// the patches of a free-form surface.
Json jsonOf(const physics::Surface& s) {
  Json list = {static_cast<int>(s.kind)};
  for (int column = 0; column < 3; ++column)
    for (int row = 0; row < 3; ++row) list.push_back(s.X_BS.R(row, column));
  for (const double value : s.X_BS.p) list.push_back(value);
  for (const double value : {s.radius, s.minor, s.slope, s.side}) list.push_back(value);
  if (s.freeform) list.push_back(jsonOf(*s.freeform));
  return list;
}

Json jsonOf(const physics::BoundarySolid& solid) {
  Json vertices = Json::array(), surfaces = Json::array();
  for (const Vector3d& v : solid.vertices) vertices.push_back(jsonOf(v));
  for (const physics::Surface& s : solid.surfaces) surfaces.push_back(jsonOf(s));
  return {{"boundary", vertices},
          {"triangles", solid.triangles},
          {"surfaces", surfaces},
          {"surface_of", solid.surfaceOf},
          {"holes", jsonOf(solid.holes)}};
}

Json jsonOf(const physics::Thread& t) {
  Json ends = Json::array();
  for (const physics::ThreadEnd& end : t.ends) ends.push_back({end.radius, end.length});
  return {t.isInternal, t.pitch,        t.majorDiameter, t.pitchDiameter, t.minorDiameter, t.halfAngle,
          t.starts,     t.isLeftHanded, t.phase,         t.low,           t.high,          ends};
}

Json jsonOf(const RecognizedThread& t) {
  return {{"thread", jsonOf(t.thread)},
          {"at", jsonOf(t.X_PT)},
          {"faces", t.endsAtFace},
          {"numbers", {t.turns, t.facets, t.halfAngle, t.rms, t.p99, t.worst}},
          {"place", jsonOf(t.worstPosition)},
          {"problem", t.problem},
          {"remedy", t.remedy}};
}

Json jsonOf(const physics::Shape& shape) {
  if (const auto* turned = std::get_if<physics::SolidOfRevolution>(&shape); turned && turned->thread)
    return {{"thread", jsonOf(*turned->thread)}};
  if (const auto* turned = std::get_if<physics::SolidOfRevolution>(&shape))
    return {{"turned", jsonOf(turned->profile)}, {"hole", turned->hole}, {"below", turned->holeBelow}};
  if (const auto* box = std::get_if<physics::Box>(&shape)) return {{"box", jsonOf(box->halfExtents)}};
  if (const auto* block = std::get_if<physics::BlockWithHoles>(&shape))
    return {{"block", jsonOf(block->halfExtents)}, {"cavities", jsonOf(block->cavities)}};
  if (const auto* solid = std::get_if<physics::BoundarySolid>(&shape)) return jsonOf(*solid);
  Json children = Json::array();
  if (const auto* compound = std::get_if<physics::Compound>(&shape))
    for (const physics::PlacedShape& child : compound->children)
      children.push_back({{"shape", jsonOf(child.shape)}, {"at", jsonOf(child.X_PS)}});
  return {{"compound", children}};
}

Json jsonOf(const RecognizedFace& f) {
  return {f.holeOrEnd,
          f.inner,
          f.cone,
          f.diameterLow,
          f.diameterHigh,
          f.vertexDiameter,
          f.flatDiameter,
          f.length,
          f.rms,
          f.maxDeviation,
          f.facets,
          f.coverage,
          static_cast<int>(f.rule),
          f.exact};
}

Json jsonOf(const MeshReport& r) {
  return {r.vertices,
          r.triangles,
          r.welded,
          r.degenerate,
          r.duplicate,
          r.flipped,
          r.insideOut,
          r.openEdges,
          r.nonManifoldEdges,
          r.nonOrientable,
          r.bodies,
          r.internalFacePairs,
          r.splitEdges,
          r.joinedVertices,
          jsonOf(r.openEdgePosition),
          jsonOf(r.nonManifoldEdgePosition),
          r.filledTriangles,
          r.remaining,
          r.splitOffset,
          r.joinedOffset,
          r.filledArea,
          r.crackWidth,
          r.unitedBodies,
          r.hiddenTriangles,
          r.thickened,
          r.foldedTriangles,
          r.foldDepth,
          r.emptyFaces,
          jsonOf(r.emptyFacePosition)};
}

Json jsonOf(const DirectedDeviation& d) {
  return {d.largest, d.p99, jsonOf(d.position), d.triangle};
}

Json jsonOf(const ShapeDeviation& d) {
  return {d.outside.distance, jsonOf(d.outside.position), d.missing.distance,      jsonOf(d.missing.position),
          d.tolerance,        jsonOf(d.fromGiven),        jsonOf(d.fromColliding), d.spacing,
          d.scatter,          jsonOf(d.scatterPosition)};
}

// --- from JSON: throws Damaged or an exception of the JSON library -------------------------------------

/// Thrown for values that jsonOf() does not write.
struct Damaged : std::runtime_error {
  Damaged() : std::runtime_error("damaged entry") {}
};

void requireValid(bool isValid) {
  if (!isValid) throw Damaged{};
}

double number(const Json& j) {
  const double value = j.get<double>();
  requireValid(std::isfinite(value));
  return value;
}

Vector3d vector(const Json& j) {
  requireValid(j.is_array() && j.size() == 3);
  return {number(j[0]), number(j[1]), number(j[2])};
}

Pose pose(const Json& j) {
  requireValid(j.is_array() && j.size() == 7);
  Pose X;
  X.p = {number(j[0]), number(j[1]), number(j[2])};
  X.q = Eigen::Quaterniond(number(j[3]), number(j[4]), number(j[5]), number(j[6]));
  requireValid(std::abs(X.q.norm() - 1) < 1e-12);
  return X;
}

std::vector<Vector2d> profile(const Json& j) {
  std::vector<Vector2d> list;
  for (const Json& p : j) {
    requireValid(p.is_array() && p.size() == 2);
    list.emplace_back(number(p[0]), number(p[1]));
  }
  return list;
}

std::vector<physics::Cavity> cavities(const Json& j) {
  std::vector<physics::Cavity> list;
  for (const Json& c : j)
    list.push_back({c.at("name").get<std::string>(), pose(c.at("at")), profile(c.at("profile")),
                    c.at("through").get<bool>(), c.at("interrupted").get<bool>()});
  return list;
}

std::shared_ptr<const physics::brep::FreeformSurface> freeform(const Json& j) {
  std::vector<physics::brep::BezierPatch> patches;
  for (const Json& list : j.at("patches")) {
    constexpr std::size_t kHead = 6;
    requireValid(list.is_array() && list.size() > kHead && (list.size() - kHead) % 4 == 0);
    physics::brep::BezierPatch patch;
    patch.degree = {list[0].get<int>(), list[1].get<int>()};
    patch.low = {number(list[2]), number(list[3])};
    patch.high = {number(list[4]), number(list[5])};
    for (std::size_t k = kHead; k < list.size(); k += 4)
      patch.points.emplace_back(number(list[k]), number(list[k + 1]), number(list[k + 2]),
                                number(list[k + 3]));
    patches.push_back(std::move(patch));
  }
  // Throws where they are no surface.
  return std::make_shared<const physics::brep::FreeformSurface>(std::move(patches),
                                                                j.at("periodic").get<bool>());
}

physics::Surface surface(const Json& j) {
  requireValid(j.is_array() && (j.size() == 17 || j.size() == 18));
  const int kind = j[0].get<int>();
  requireValid(kind >= 0 && kind <= static_cast<int>(physics::SurfaceKind::freeform));
  physics::Surface s;
  s.kind = static_cast<physics::SurfaceKind>(kind);
  requireValid((s.kind == physics::SurfaceKind::freeform) == (j.size() == 18));
  if (j.size() == 18) s.freeform = freeform(j[17]);
  for (std::size_t k = 0; k < 9; ++k)
    s.X_BS.R(static_cast<int>(k % 3), static_cast<int>(k / 3)) = number(j[k + 1]);
  requireValid((s.X_BS.R.transpose() * s.X_BS.R - physics::Matrix3d::Identity()).norm() < 1e-12);
  s.X_BS.p = {number(j[10]), number(j[11]), number(j[12])};
  s.radius = number(j[13]);
  s.minor = number(j[14]);
  s.slope = number(j[15]);
  s.side = number(j[16]);
  requireValid(s.radius >= 0 && s.minor >= 0 && std::abs(s.side) == 1 && std::abs(s.slope) <= 1e6);
  requireValid(std::max({s.radius, s.minor, s.X_BS.p.cwiseAbs().maxCoeff()}) <= 10 * kMaxPosition);
  return s;
}

physics::BoundarySolid boundarySolid(const Json& j) {
  physics::BoundarySolid solid;
  for (const Json& v : j.at("boundary")) {
    solid.vertices.push_back(vector(v));
    requireValid(solid.vertices.back().cwiseAbs().maxCoeff() <= 10 * kMaxPosition);
  }
  solid.triangles = j.at("triangles").get<std::vector<std::array<int, 3>>>();
  const auto count = static_cast<int>(solid.vertices.size());
  for (const auto& triangle : solid.triangles)
    for (const int v : triangle) requireValid(v >= 0 && v < count);
  requireValid(!solid.triangles.empty());
  for (const Json& s : j.at("surfaces")) solid.surfaces.push_back(surface(s));
  solid.surfaceOf = j.at("surface_of").get<std::vector<int>>();
  requireValid(solid.surfaceOf.empty() || solid.surfaceOf.size() == solid.triangles.size());
  for (const int s : solid.surfaceOf) requireValid(s >= -1 && s < static_cast<int>(solid.surfaces.size()));
  solid.holes = cavities(j.at("holes"));
  for (const physics::Cavity& hole : solid.holes) requireValid(hole.profile.size() >= 2);
  solid.prepared = physics::brep::preparedSolidOf(solid);  // throws if it is not closed
  return solid;
}

physics::Thread thread(const Json& j) {
  requireValid(j.is_array() && j.size() == 12 && j[11].is_array() && j[11].size() == 2);
  for (const Json& end : j[11]) requireValid(end.is_array() && end.size() == 2);
  physics::Thread t;
  t.isInternal = j[0].get<bool>();
  std::size_t k = 1;
  for (double* value : {&t.pitch, &t.majorDiameter, &t.pitchDiameter, &t.minorDiameter, &t.halfAngle})
    *value = number(j[k++]);
  t.starts = j[6].get<int>();
  t.isLeftHanded = j[7].get<bool>();
  t.phase = number(j[8]);
  t.low = number(j[9]);
  t.high = number(j[10]);
  for (std::size_t end = 0; end < 2; ++end) t.ends[end] = {number(j[11][end][0]), number(j[11][end][1])};
  return t;
}

RecognizedThread recognizedThread(const Json& j) {
  RecognizedThread t;
  t.thread = thread(j.at("thread"));
  t.X_PT = pose(j.at("at"));
  t.endsAtFace = j.at("faces").get<std::array<bool, 2>>();
  const Json& numbers = j.at("numbers");
  requireValid(numbers.is_array() && numbers.size() == 6);
  std::size_t k = 0;
  for (double* value : {&t.turns, &t.facets, &t.halfAngle, &t.rms, &t.p99, &t.worst})
    *value = number(numbers[k++]);
  t.worstPosition = vector(j.at("place"));
  t.problem = j.at("problem").get<std::string>();
  t.remedy = j.at("remedy").get<std::string>();
  requireValid(!t.isUsed() || !physics::problemWith(t.thread));
  return t;
}

template <class Shape>
physics::Shape checkedShape(Shape shape) {
  requireValid(!problemWith(shape));
  return shape;
}

physics::Shape shape(const Json& j, bool inCompound) {
  if (j.contains("thread")) {
    const physics::Thread t = thread(j.at("thread"));
    requireValid(!physics::problemWith(t));
    physics::SolidOfRevolution solid = physics::threadedSolid(t);
    solid.hole.clear();
    return checkedShape(std::move(solid));
  }
  if (j.contains("turned"))
    return checkedShape(physics::SolidOfRevolution{profile(j.at("turned")), j.at("hole").get<std::string>(),
                                                   j.at("below").get<std::string>()});
  if (j.contains("box")) {
    const Vector3d h = vector(j.at("box"));
    requireValid(h.minCoeff() > 0);
    return physics::Box{h};
  }
  if (j.contains("block")) {
    physics::BlockWithHoles block{vector(j.at("block")), cavities(j.at("cavities"))};
    return checkedShape(std::move(block));
  }
  if (j.contains("boundary")) return boundarySolid(j);
  requireValid(!inCompound);
  physics::Compound compound;
  for (const Json& child : j.at("compound"))
    compound.children.push_back({shape(child.at("shape"), true), pose(child.at("at"))});
  requireValid(!compound.children.empty());
  return compound;
}

RecognizedFace face(const Json& j) {
  requireValid(j.is_array() && j.size() == 14);
  RecognizedFace f;
  f.holeOrEnd = j[0].get<std::string>();
  f.inner = j[1].get<bool>();
  f.cone = j[2].get<bool>();
  std::size_t k = 3;
  for (double* value : {&f.diameterLow, &f.diameterHigh, &f.vertexDiameter, &f.flatDiameter, &f.length,
                        &f.rms, &f.maxDeviation})
    *value = number(j[k++]);
  f.facets = j[10].get<int>();
  f.coverage = number(j[11]);
  const int rule = j[12].get<int>();
  requireValid(rule >= 0 && rule <= static_cast<int>(FacetRule::exact));
  f.rule = static_cast<FacetRule>(rule);
  f.exact = j[13].get<bool>();
  return f;
}

MeshReport report(const Json& j) {
  requireValid(j.is_array() && j.size() == 29);
  MeshReport r;
  r.vertices = j[0].get<std::size_t>();
  r.triangles = j[1].get<std::size_t>();
  r.welded = j[2].get<std::size_t>();
  r.degenerate = j[3].get<std::size_t>();
  r.duplicate = j[4].get<std::size_t>();
  r.flipped = j[5].get<std::size_t>();
  r.insideOut = j[6].get<bool>();
  r.openEdges = j[7].get<std::size_t>();
  r.nonManifoldEdges = j[8].get<std::size_t>();
  r.nonOrientable = j[9].get<bool>();
  r.bodies = j[10].get<std::size_t>();
  r.internalFacePairs = j[11].get<std::size_t>();
  r.splitEdges = j[12].get<std::size_t>();
  r.joinedVertices = j[13].get<std::size_t>();
  r.openEdgePosition = vector(j[14]);
  r.nonManifoldEdgePosition = vector(j[15]);
  r.filledTriangles = j[16].get<std::size_t>();
  r.remaining = j[17].get<std::size_t>();
  r.splitOffset = number(j[18]);
  r.joinedOffset = number(j[19]);
  r.filledArea = number(j[20]);
  r.crackWidth = number(j[21]);
  r.unitedBodies = j[22].get<std::size_t>();
  r.hiddenTriangles = j[23].get<std::size_t>();
  r.thickened = j[24].get<bool>();
  r.foldedTriangles = j[25].get<std::size_t>();
  r.foldDepth = number(j[26]);
  r.emptyFaces = j[27].get<std::size_t>();
  r.emptyFacePosition = vector(j[28]);
  return r;
}

DirectedDeviation directedDeviation(const Json& j) {
  requireValid(j.is_array() && j.size() == 4);
  DirectedDeviation d;
  d.largest = number(j[0]);
  d.p99 = number(j[1]);
  d.position = vector(j[2]);
  d.triangle = j[3].get<int>();
  return d;
}

ShapeDeviation shapeDeviation(const Json& j) {
  requireValid(j.is_array() && j.size() == 10);
  ShapeDeviation d;
  d.outside = {number(j[0]), vector(j[1])};
  d.missing = {number(j[2]), vector(j[3])};
  d.tolerance = number(j[4]);
  d.fromGiven = directedDeviation(j[5]);
  d.fromColliding = directedDeviation(j[6]);
  d.spacing = number(j[7]);
  d.scatter = number(j[8]);
  d.scatterPosition = vector(j[9]);
  return d;
}

}  // namespace

Json jsonOf(const RecognizedPart& p) {
  Json features = Json::array(), faces = Json::array(), inertia = Json::array(), threads = Json::array();
  for (const AxisFeature& f : p.features)
    features.push_back({{"name", f.name}, {"origin", jsonOf(f.origin)}, {"direction", jsonOf(f.direction)}});
  for (const RecognizedFace& f : p.faces) faces.push_back(jsonOf(f));
  for (const RecognizedThread& t : p.threads) threads.push_back(jsonOf(t));
  for (int row = 0; row < 3; ++row) inertia.push_back(jsonOf(Vector3d(p.solid.inertia.row(row))));
  return {{"shape", jsonOf(p.shape)},
          {"features", features},
          {"faceted_sites", p.facetedSites},
          {"faces", faces},
          {"threads", threads},
          {"unsearched_axes", p.unsearchedAxes},
          {"report", jsonOf(p.report)},
          {"low", jsonOf(p.low)},
          {"high", jsonOf(p.high)},
          {"volume", p.solid.mass},
          {"centre", jsonOf(p.solid.center)},
          {"inertia", inertia},
          {"shape_volume", p.shapeVolume},
          {"off_mesh", jsonOf(p.meshDeviation)},
          {"deviation", p.deviation},
          {"exact_area", p.exactArea},
          {"unit", p.unit},
          {"color", p.color ? Json(*p.color) : Json(nullptr)}};
}

RecognizedPart recognizedPartOf(const Json& j) {
  RecognizedPart p;
  p.shape = shape(j.at("shape"), false);
  for (const Json& f : j.at("features")) {
    p.features.push_back(
        {f.at("name").get<std::string>(), vector(f.at("origin")), vector(f.at("direction"))});
    requireValid(std::abs(p.features.back().direction.norm() - 1) < 1e-12);
  }
  p.facetedSites = j.at("faceted_sites").get<std::vector<std::string>>();
  for (const Json& f : j.at("faces")) p.faces.push_back(face(f));
  for (const Json& t : j.at("threads")) p.threads.push_back(recognizedThread(t));
  p.unsearchedAxes = j.at("unsearched_axes").get<int>();
  requireValid(p.unsearchedAxes >= 0);
  p.report = report(j.at("report"));
  p.low = vector(j.at("low"));
  p.high = vector(j.at("high"));
  p.solid.mass = number(j.at("volume"));
  p.solid.center = vector(j.at("centre"));
  for (int row = 0; row < 3; ++row)
    p.solid.inertia.row(row) = vector(j.at("inertia").at(static_cast<std::size_t>(row)));
  p.shapeVolume = number(j.at("shape_volume"));
  p.meshDeviation = shapeDeviation(j.at("off_mesh"));
  p.deviation = number(j.at("deviation"));
  p.exactArea = number(j.at("exact_area"));
  p.unit = j.at("unit").get<std::string>();
  if (!j.at("color").is_null()) {
    const Vector3d color = vector(j.at("color"));
    requireValid(color.minCoeff() >= 0 && color.maxCoeff() <= 1);
    p.color = {color.x(), color.y(), color.z()};
  }
  return p;
}

}  // namespace tenon::content
