// See read_parts.h.
#include "content/reader/read_parts.h"
#include <Eigen/Eigenvalues>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <set>
#include <string>
#include <tuple>

#include "content/input/limits.h"
#include "content/input/wording.h"
#include "content/mesh/mesh_report_text.h"
#include "content/model/hole_sites.h"
#include "content/parts/read_library_part.h"
#include "content/parts/threaded_shapes.h"
#include "content/reader/found_sites.h"
#include "content/reader/read_mesh.h"
#include "content/reader/read_shape.h"

namespace tenon::content {
namespace {

using physics::MassProperties;
using physics::MotionType;

/// ν of metals where it is not given [-].
constexpr double kUsualPoissonsRatio = 0.3;
/// Of a part without material and mass: steel [kg/m³].
constexpr double kUsualDensity = 7850;

void readElasticity(const JsonCursor& at, physics::Elasticity& elasticity) {
  const auto modulus = at.find("youngs_modulus_gpa"), ratio = at.find("poissons_ratio");
  if (ratio && !modulus) ratio->fail("is given without a \"youngs_modulus_gpa\"", "give both, or neither");
  if (!modulus) return;
  elasticity.youngsModulus = 1e9 * modulus->number({0, kMaxYoungsModulus_gpa, false, "GPa"});
  elasticity.poissonsRatio = ratio ? ratio->number({0, 0.5}) : kUsualPoissonsRatio;
}

void readMaterialPair(const JsonCursor& at, Scene& scene) {
  at.allowOnly({"materials", "friction", "restitution", "stiffness_n_per_m"});
  const JsonCursor both = at.member("materials");
  const auto names = both.elements(2, 2);
  const auto materials = namesOf(scene.materials);
  MaterialPair pair;
  const int a = names[0].indexIn(materials, "material"), b = names[1].indexIn(materials, "material");
  pair.a = std::min(a, b);
  pair.b = std::max(a, b);
  if (const auto friction = at.find("friction")) pair.friction = friction->number({0, kMaxFriction});
  if (const auto restitution = at.find("restitution")) pair.restitution = restitution->number({0, 1});
  if (const auto stiffness = at.find("stiffness_n_per_m"))
    pair.stiffness = stiffness->number({1, kMaxSurfaceStiffness, true, "N/m"});
  for (const MaterialPair& other : scene.pairs) {
    if (other.a == pair.a && other.b == pair.b) both.fail("is a pair listed twice", "keep one of the two");
  }
  scene.pairs.push_back(pair);
}

Eigen::Matrix3d readInertia(const JsonCursor& at) {
  const Range positive{0, kMaxInertia, false, "kg m²"}, any{-kMaxInertia, kMaxInertia, true, "kg m²"};
  const auto rows = at.elements(3, 3);
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();
  if (rows[0].isArray()) {
    for (int k = 0; k < 3; ++k) inertia.row(k) = rows[static_cast<std::size_t>(k)].vector(any).transpose();
  } else {
    inertia.diagonal() = at.vector(positive);
  }
  if (!physics::isPhysicalInertia(inertia)) {
    at.fail("is not a physically possible inertia",
            "it must be symmetric with positive principal moments, each at most the sum of the other two");
  }
  return inertia;
}

/// Mass properties at uniform density: of the mesh if it is closed, else of the shape.
MassProperties uniformMass(const Part& part, double density) {
  if (!part.mesh || !part.mesh->part.report.isClosed()) return physics::massProperties(part.shape, density);
  MassProperties m = part.mesh->part.solid;
  m.mass *= density;
  m.inertia *= density;
  return m;
}

/// The given mass; center and inertia default to those at uniform density.
MassProperties readMass(const JsonCursor& at, const Part& part) {
  at.allowOnly({"mass_kg", "centre", "inertia_kg_m2"});
  const double mass = at.member("mass_kg").number({0, kMaxMass, false, "kg"});
  MassProperties m = uniformMass(part, 1.0);
  m.inertia *= mass / m.mass;
  m.mass = mass;
  if (const auto center = at.find("centre")) m.center = center->position();
  if (const auto inertia = at.find("inertia_kg_m2")) m.inertia = readInertia(*inertia);
  return m;
}

void readFeatures(const JsonCursor& at, Part& part) {
  for (const JsonCursor& entry : at.elements(0, kMaxEntries)) {
    entry.allowOnly({"name", "origin", "direction"});
    entry.reportMissing({"name", "origin", "direction"});
    AxisFeature feature;
    feature.name = uniqueName(entry.member("name"), part.features);
    feature.origin = entry.member("origin").position();
    feature.direction = entry.member("direction").direction();
    part.features.push_back(feature);
  }
}

/// Openings of any cross-section, as a mouth, a direction out of it, and the width of a cylinder around it.
void readSockets(const JsonCursor& at, Part& part) {
  const auto mouths = namesOf(mouthsOf(part));
  std::set<std::string> names(mouths.begin(), mouths.end());
  for (const JsonCursor& entry : at.elements(0, kMaxEntries)) {
    entry.allowOnly({"name", "origin", "direction", "width", "depth", "through"});
    entry.reportMissing({"name", "origin", "direction", "width", "depth"});
    const JsonCursor nameAt = entry.member("name");
    const std::string name = nameAt.name();
    if (!names.insert(name).second || !names.insert(name + " far side").second)
      nameAt.fail("is a name given twice", "give each hole and socket its own \"name\"");
    const auto through = entry.find("through");
    part.sockets.push_back(socketOf(name, entry.member("origin").position(),
                                    entry.member("direction").direction(),
                                    entry.member("width").positiveLength(),
                                    entry.member("depth").positiveLength(), through && through->boolean()));
  }
}

/// One of kThrusterKeys.
char readThrusterKey(const JsonCursor& at) {
  const std::string key = at.text(kMaxNameBytes);
  std::string all;
  for (const char* known : kThrusterKeys) {
    if (key == known) return known[0];
    all += (all.empty() ? "" : ", ") + std::string(known);
  }
  at.fail("is " + inQuotes(key), "give one of the keys without another use: " + all);
}

void readThrusters(const JsonCursor& at, Part& part) {
  if (part.motion != MotionType::dynamic)
    at.fail("are given for a part that is not dynamic", "remove them, or make \"motion\" \"dynamic\"");
  for (const JsonCursor& entry : at.elements(0, kMaxEntries)) {
    entry.allowOnly({"name", "key", "position", "force_n", "axes"});
    entry.reportMissing({"name", "key", "force_n"});
    Thruster thruster;
    thruster.name = uniqueName(entry.member("name"), part.thrusters);
    thruster.key = readThrusterKey(entry.member("key"));
    if (const auto position = entry.find("position")) thruster.position = position->position();
    thruster.force = entry.member("force_n").vector({-kMaxForce, kMaxForce, true, "N"});
    if (const auto axes = entry.find("axes")) thruster.inWorldAxes = axes->choice({"part", "world"}) == 1;
    part.thrusters.push_back(thruster);
  }
}

void checkHoleNames(const JsonCursor& shapeAt, const Part& part) {
  std::vector<std::string> names = namesOf(mouthsOf(part));
  std::sort(names.begin(), names.end());
  const auto duplicate = std::adjacent_find(names.begin(), names.end());
  if (duplicate != names.end()) {
    shapeAt.fail(fmt::format("has two holes named {}", inQuotes(*duplicate)),
                 "give each hole of a part its own \"name\"");
  }
}

/// True if two parts of one designation have the same threads: sizes, hand, starts, phase and ends.
bool haveSameThreads(const physics::Shape& a, const physics::Shape& b) {
  const auto isSame = [](const PlacedThread& p, const PlacedThread& q) {
    const physics::Thread &s = p.thread, &t = q.thread;
    const auto values = [](const physics::Thread& x) {
      const auto& [low, high] = x.ends;
      return std::tie(x.majorDiameter, x.pitchDiameter, x.minorDiameter, x.pitch, x.halfAngle, x.phase,
                      x.starts, x.isLeftHanded, x.isInternal, x.low, x.high, low.radius, low.length,
                      high.radius, high.length);
    };
    return values(s) == values(t);
  };
  const auto ofA = threadsOf(a), ofB = threadsOf(b);
  return std::equal(ofA.begin(), ofA.end(), ofB.begin(), ofB.end(), isSame);
}

/// Copies a library part into `part`. Parts of one designation with the same threads share one display mesh.
void applyLibraryPart(const LibraryPart& from, const Scene& scene, Part& part) {
  part.libraryName = from.name;
  part.shape = from.shape;
  part.features = from.features;
  part.hexagons = from.hexagons;
  part.driver = from.driver;
  if (!from.buildDisplayMesh) return;
  const auto other = std::find_if(scene.parts.begin(), scene.parts.end(), [&](const Part& p) {
    return p.displayMesh && p.libraryName == from.name && haveSameThreads(p.shape, from.shape);
  });
  part.displayMesh = other != scene.parts.end() ? other->displayMesh
                                                : std::make_shared<DisplayMesh>(from.buildDisplayMesh());
}

/// "#rrggbb".
std::array<double, 3> readColor(const JsonCursor& at) {
  const std::string text = at.text(kMaxNameBytes);
  const auto isHex = [](char c) { return std::isxdigit(static_cast<unsigned char>(c)) != 0; };
  if (text.size() != 7 || text[0] != '#' || !std::all_of(text.begin() + 1, text.end(), isHex))
    at.fail("is " + inQuotes(text), "write red, green and blue as \"#rrggbb\", such as \"#c0c8d0\"");
  std::array<double, 3> color;
  for (std::size_t k = 0; k < 3; ++k) color[k] = std::stoi(text.substr(1 + 2 * k, 2), nullptr, 16) / 255.0;
  return color;
}

void readMassOf(const JsonCursor& at, const JsonCursor& shape, const Scene& scene, const LibraryPart* library,
                Part& part) {
  const bool unbounded = std::holds_alternative<physics::HalfSpace>(part.shape);
  const auto given = at.find("mass");
  if (given) {
    if (unbounded) given->fail("is given for a half-space", "remove it: a half-space never moves");
    part.mass = readMass(*given, part);
  } else if ((part.material >= 0 || part.motion == MotionType::dynamic) && !unbounded) {
    const double density =
        part.material < 0 ? kUsualDensity : scene.materials[static_cast<std::size_t>(part.material)].density;
    if (library)
      part.mass = withDensity(library->unitDensityMass, density);
    else if (!part.mesh || part.mesh->part.report.isClosed())
      part.mass = uniformMass(part, density);
    else if (part.motion != MotionType::fixed)
      (part.material < 0 ? shape : at.member("material"))
          .fail(fmt::format("{} a mesh that is not closed: it {}",
                            part.material < 0 ? "is" : "gives a density to",
                            describeOpenEdges(part.mesh->part.report)),
                "close the mesh in CAD, give \"mass\", or make the part \"fixed\"");
  }
  if (part.motion == MotionType::dynamic && !physics::isPhysicalInertia(part.mass.inertia)) {
    shape.fail("is too thin or too light: its inertia is numerically singular",
               "make it thicker, or give \"mass\" with \"inertia_kg_m2\"");
  }
}

void readMotion(const JsonCursor& at, Part& part) {
  if (const auto motion = at.find("motion")) {
    part.motion = std::array{MotionType::fixed, MotionType::kinematic,
                             MotionType::dynamic}[motion->choice({"fixed", "kinematic", "dynamic"})];
  }
  if (std::holds_alternative<physics::HalfSpace>(part.shape) && part.motion != MotionType::fixed) {
    at.member("shape").fail("is a half-space that can move", "add \"motion\": \"fixed\" to the part");
  }
  for (const char* field : {"velocity_m_per_s", "angular_velocity_rad_per_s"}) {
    const auto given = at.find(field);
    if (given && part.motion == MotionType::fixed) {
      given->fail("is given for a fixed part", "remove it, or make \"motion\" \"kinematic\" or \"dynamic\"");
    }
  }
  if (const auto v = at.find("velocity_m_per_s"))
    part.v = v->vector({-kMaxVelocity, kMaxVelocity, true, "m/s"});
  if (const auto w = at.find("angular_velocity_rad_per_s"))
    part.omega = w->vector({-kMaxAngularVelocity, kMaxAngularVelocity, true, "rad/s"});
}

/// Mass and inertia of a dynamic part must be large enough to be inverted.
void checkMass(const JsonCursor& at, const Part& part) {
  if (part.motion != physics::MotionType::dynamic) return;
  const double moment = part.mass.inertia.selfadjointView<Eigen::Lower>().eigenvalues().minCoeff();
  if (part.mass.mass >= kMinMass && moment >= kMinInertia) return;
  at.fail(fmt::format("has a mass of {:.3g} kg and a smallest moment of inertia of {:.3g} kg m²",
                      part.mass.mass, moment),
          fmt::format("give it at least {:g} kg and {:g} kg m²", kMinMass, kMinInertia));
}

/// The part's name, with a number appended for parts of one "count".
std::string readPartName(const JsonCursor& at, const Scene& scene) {
  const auto index = at.context().expressions.index();
  if (!index) return uniqueName(at, scene.parts);
  const std::string name = fmt::format("{} {}", at.name(), *index + 1);
  if (name.size() > kMaxNameBytes)
    at.fail(fmt::format("becomes {}, more than {} bytes", inQuotes(name), kMaxNameBytes), "shorten it");
  for (const Part& other : scene.parts) {
    if (other.name == name)
      at.fail(fmt::format("becomes {}, a name given twice", inQuotes(name)),
              "give each part its own \"name\"; \"count\" adds numbers from 1");
  }
  return name;
}

Part readPart(const JsonCursor& at, const Scene& scene) {
  Part part;
  if (!at.has("standard") && !at.has("library")) at.reportMissing({"name", "shape"});
  part.name = readPartName(at.member("name"), scene);
  if (const auto material = at.find("material")) {
    part.material = material->indexIn(namesOf(scene.materials), "material");
  }
  const auto library = readLibraryPart(at);
  const JsonCursor shape =
      library ? library->at : at.member("shape", "give \"shape\", \"standard\" or \"library\"");
  if (library) {
    applyLibraryPart(library->part, scene, part);
  } else if (isMesh(shape)) {
    part.mesh = readMesh(shape);
    part.shape = part.mesh->part.shape;
    part.features = part.mesh->part.features;
    part.color = part.mesh->part.color;
  } else {
    part.shape = readShape(shape);
  }
  checkHoleNames(shape, part);
  readMotion(at, part);
  readMassOf(at, shape, scene, library ? &library->part : nullptr, part);
  checkMass(at, part);
  if (part.driver && part.motion != MotionType::dynamic)
    at.member("motion").fail("is given for a driver that cannot move", "remove it: hands carry drivers");
  part.X_WP = at.pose();
  if (const auto features = at.find("features")) readFeatures(*features, part);
  if (const auto sockets = at.find("sockets")) readSockets(*sockets, part);
  addFoundSites(part);
  if (const auto thrusters = at.find("thrusters")) readThrusters(*thrusters, part);
  if (const auto color = at.find("color")) part.color = readColor(*color);
  return part;
}

/// Reads "count": the number of parts of an entry; empty without "count". Limits the total text of repeated
/// parts to that of the largest file.
std::optional<int> readCount(const JsonCursor& at, const Scene& scene) {
  const auto given = at.find("count");
  const int count = given ? given->integer(0, static_cast<int>(kMaxParts)) : 1;
  const JsonCursor& place = given ? *given : at;
  const std::size_t total = scene.parts.size() + static_cast<std::size_t>(count);
  if (total > kMaxParts)
    place.fail(fmt::format("brings the scene to {} parts", total), fmt::format("use at most {}", kMaxParts));
  if (!given) return std::nullopt;
  ReadContext& context = at.context();
  context.repeatedBytes += at.bytes() * static_cast<std::size_t>(count);
  if (context.repeatedBytes > kMaxFileBytes)
    place.fail(fmt::format("repeats more than {} MiB of text, the limit of a scene", kMaxFileBytes >> 20),
               "repeat fewer parts, or parts with shorter descriptions");
  return count;
}

void readEntry(const JsonCursor& at, int entry, Scene& scene) {
  const auto read = [&] {
    scene.parts.push_back(readPart(at, scene));
    scene.parts.back().fileEntry = entry;
  };
  at.allowOnly({"name", "count", "material", "motion", "shape", "standard", "library", "thread", "color",
                "position", "rotation", "velocity_m_per_s", "angular_velocity_rad_per_s", "mass", "features",
                "sockets", "thrusters"});
  const auto count = readCount(at, scene);
  if (!count) return read();
  for (int index = 0; index < *count; ++index) {
    at.context().expressions.setIndex(index);
    read();
  }
  at.context().expressions.setIndex(std::nullopt);
}

}  // namespace

void readMaterials(const JsonCursor& root, Scene& scene) {
  if (const auto list = root.find("materials")) {
    for (const JsonCursor& at : list->elements(0, kMaxEntries)) {
      at.allowOnly({"name", "density_kg_per_m3", "youngs_modulus_gpa", "poissons_ratio"});
      at.reportMissing({"name", "density_kg_per_m3"});
      Material material{uniqueName(at.member("name"), scene.materials),
                        at.member("density_kg_per_m3").number({0, kMaxDensity, false, "kg/m³"})};
      readElasticity(at, material.elasticity);
      scene.materials.push_back(std::move(material));
    }
  }
  if (const auto list = root.find("material_pairs")) {
    for (const JsonCursor& at : list->elements(0, kMaxEntries)) readMaterialPair(at, scene);
  }
}

void readParts(const JsonCursor& root, Scene& scene) {
  const JsonCursor list = root.member("parts");
  int entry = 0;
  for (const JsonCursor& at : list.elements(1, kMaxParts)) readEntry(at, entry++, scene);
  if (scene.parts.empty()) list.fail("contain no part", "give at least one a \"count\" above 0");
}

int featureAt(const JsonCursor& at, const Part& part) {
  return at.indexIn(namesOf(part.features), "feature of " + inQuotes(part.name));
}

HoleSite holeAt(const JsonCursor& at, const Part& part) {
  const auto holes = mouthsOf(part);
  return holes[static_cast<std::size_t>(at.indexIn(namesOf(holes), "hole of " + inQuotes(part.name)))];
}

}  // namespace tenon::content
