// Materials and parts: see read_parts.h.
#include "content/scene/read_parts.h"
#include <Eigen/Eigenvalues>

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "content/scene/limits.h"
#include "content/scene/read_shape.h"
#include "content/scene/wording.h"

namespace tenon::content {
namespace {

using physics::MassProperties;
using physics::Motion;

void readMaterialPair(const JsonCursor& at, Scene& scene) {
  at.only({"materials", "friction", "restitution", "stiffness_n_per_m"});
  const JsonCursor both = at.member("materials");
  const auto names = both.elements(2, 2);
  const auto known = namesOf(scene.materials);
  MaterialPair pair;
  const int a = names[0].indexIn(known, "material"), b = names[1].indexIn(known, "material");
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
    at.fail("is the inertia of no real body",
            "it must be symmetric with positive principal moments, each at most the sum of the other two");
  }
  return inertia;
}

/// The mass as given; what is left out is that of the shape filled evenly.
MassProperties readMass(const JsonCursor& at, const physics::Shape& shape) {
  at.only({"mass_kg", "centre", "inertia_kg_m2"});
  const double mass = at.member("mass_kg").number({0, kMaxMass, false, "kg"});
  MassProperties m = physics::massProperties(shape, 1.0);
  m.inertia *= mass / m.mass;
  m.mass = mass;
  if (const auto centre = at.find("centre")) m.centre = centre->position();
  if (const auto inertia = at.find("inertia_kg_m2")) m.inertia = readInertia(*inertia);
  return m;
}

void readFeatures(const JsonCursor& at, Part& part) {
  for (const JsonCursor& entry : at.elements(0, kMaxEntries)) {
    entry.only({"name", "origin", "direction"});
    AxisFeature feature;
    feature.name = newName(entry.member("name"), part.features);
    feature.origin = entry.member("origin").position();
    feature.direction = entry.member("direction").direction();
    part.features.push_back(feature);
  }
}

void checkHoleNames(const JsonCursor& shapeAt, const Part& part) {
  std::vector<std::string> names = namesOf(holesOf(part.shape));
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice != names.end()) {
    shapeAt.fail(fmt::format("has two holes named {}", inQuotes(*twice)),
                 "give each hole of a part its own \"name\"");
  }
}

void readMassOf(const JsonCursor& at, const Scene& scene, Part& part) {
  const bool endless = std::holds_alternative<physics::HalfSpace>(part.shape);
  const auto given = at.find("mass");
  if (given) {
    if (endless) given->fail("is given for a half-space", "remove it: a half-space never moves");
    part.mass = readMass(*given, part.shape);
  } else if (part.material >= 0 && !endless) {
    const double density = scene.materials[static_cast<std::size_t>(part.material)].density;
    part.mass = physics::massProperties(part.shape, density);
  } else if (part.motion == Motion::dynamic) {
    at.member("material",
              "name a material, or give \"mass\": a part that moves by forces needs one of the two");
  }
  if (part.motion == Motion::dynamic && !physics::isPhysicalInertia(part.mass.inertia)) {
    at.member("shape").fail("is too thin or too light to turn like a real body",
                            "make it thicker, or give \"mass\" with \"inertia_kg_m2\"");
  }
}

void readMotion(const JsonCursor& at, Part& part) {
  if (const auto motion = at.find("motion")) {
    part.motion = std::array{Motion::fixed, Motion::kinematic,
                             Motion::dynamic}[motion->choice({"fixed", "kinematic", "dynamic"})];
  }
  if (std::holds_alternative<physics::HalfSpace>(part.shape) && part.motion != Motion::fixed) {
    at.member("shape").fail("is a half-space that can move", "add \"motion\": \"fixed\" to the part");
  }
  for (const char* field : {"velocity_m_per_s", "angular_velocity_rad_per_s"}) {
    const auto given = at.find(field);
    if (given && part.motion == Motion::fixed) {
      given->fail("is given for a fixed part", "remove it, or make \"motion\" \"kinematic\" or \"dynamic\"");
    }
  }
  if (const auto v = at.find("velocity_m_per_s"))
    part.v = v->vector({-kMaxVelocity, kMaxVelocity, true, "m/s"});
  if (const auto w = at.find("angular_velocity_rad_per_s"))
    part.omega = w->vector({-kMaxSpin, kMaxSpin, true, "rad/s"});
}

/// A part that moves by forces must weigh something a step can divide by.
void checkMass(const JsonCursor& at, const Part& part) {
  if (part.motion != physics::Motion::dynamic) return;
  const double moment = part.mass.inertia.selfadjointView<Eigen::Lower>().eigenvalues().minCoeff();
  if (part.mass.mass >= kMinMass && moment >= kMinInertia) return;
  at.fail(
      fmt::format("weighs {:.3g} kg with a least moment of inertia of {:.3g} kg m²", part.mass.mass, moment),
      fmt::format("give it at least {:g} kg and {:g} kg m²", kMinMass, kMinInertia));
}

Part readPart(const JsonCursor& at, const Scene& scene) {
  at.only({"name", "material", "motion", "shape", "position", "rotation", "velocity_m_per_s",
           "angular_velocity_rad_per_s", "mass", "features"});
  Part part;
  part.name = newName(at.member("name"), scene.parts);
  if (const auto material = at.find("material")) {
    part.material = material->indexIn(namesOf(scene.materials), "material");
  }
  const JsonCursor shape = at.member("shape");
  part.shape = readShape(shape);
  checkHoleNames(shape, part);
  readMotion(at, part);
  readMassOf(at, scene, part);
  checkMass(at, part);
  part.X_WP = at.pose();
  if (const auto features = at.find("features")) readFeatures(*features, part);
  return part;
}

}  // namespace

void readMaterials(const JsonCursor& root, Scene& scene) {
  if (const auto list = root.find("materials")) {
    for (const JsonCursor& at : list->elements(0, kMaxEntries)) {
      at.only({"name", "density_kg_per_m3"});
      const std::string name = newName(at.member("name"), scene.materials);
      scene.materials.push_back(
          {name, at.member("density_kg_per_m3").number({0, kMaxDensity, false, "kg/m³"})});
    }
  }
  if (const auto list = root.find("material_pairs")) {
    for (const JsonCursor& at : list->elements(0, kMaxEntries)) readMaterialPair(at, scene);
  }
}

void readParts(const JsonCursor& root, Scene& scene) {
  for (const JsonCursor& at : root.member("parts").elements(1, kMaxParts)) {
    scene.parts.push_back(readPart(at, scene));
  }
}

}  // namespace tenon::content
