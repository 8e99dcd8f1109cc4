// The parts library: tables against bounds and a second source, shapes, masses and meshes against each other.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "content/mesh/mesh_mass.h"
#include "content/mesh/read_obj.h"
#include "content/mesh/repair_mesh.h"
#include "content/model/hole_sites.h"
#include "content/parts/parametric_part.h"
#include "content/parts/standard_part.h"
#include "content/parts/standard_tables.h"
#include "content/parts/threaded_shapes.h"
#include "content/parts/write_mesh.h"
#include "content/reader/load_scene.h"

namespace tenon::content::test::parts_library_test {
namespace {

using std::numbers::pi;

/// Every part of the library.
std::vector<LibraryPart> everyPart() {
  std::vector<LibraryPart> parts;
  for (const ThreadSize& size : threadSizes()) {
    const std::string name(size.name);
    for (const char* family : {"ISO 4762 ", "ISO 4014 ", "ISO 4017 "})
      for (const double length : screwLengths()) {
        try {
          parts.push_back(standardPart(family + name + "x" + std::to_string(static_cast<int>(length))));
        } catch (const UnknownPart&) {  // not made in this length
        }
      }
    parts.push_back(standardPart("ISO 4032 " + name));
    parts.push_back(standardPart("ISO 7089 " + name));
  }
  for (const PinSize& size : pinSizes())
    parts.push_back(standardPart("ISO 2338 " + std::to_string(static_cast<int>(size.d)) + "x" +
                                 std::to_string(static_cast<int>(size.shortest))));
  parts.push_back(
      parametricPart(R"({"kind": "flange", "width": 130, "thickness": 15, "bore": 50, "hub_diameter": 70,
    "hub_height": 10, "chamfer": 1, "holes": [{"name": "screw", "screw": "M8", "chamfer": 0.5,
    "circle": {"count": 8, "diameter": 100, "start_deg": 22.5}}]})",
                     "test"));
  parts.push_back(
      parametricPart(R"({"kind": "bracket", "width": 60, "depth": 50, "height": 60, "thickness": 8,
    "base_holes": [{"name": "base", "screw": "M6", "grid": {"count": [1, 2], "pitch": [10, 30]}}],
    "wall_holes": [{"name": "wall", "diameter": 20, "at": [0, 5], "counterbore": {"diameter": 26, "depth": 3}}]})",
                     "test"));
  parts.push_back(parametricPart(R"({"kind": "bushing", "bore": 10, "outer": 16, "length": 20, "chamfer": 0.5,
    "collar_diameter": 22, "collar_thickness": 3})",
                                 "test"));
  parts.push_back(parametricPart(
      R"({"kind": "bushing", "bore": 10, "outer": 16, "length": 20, "chamfer": 0.5})", "test"));
  parts.push_back(
      parametricPart(R"({"kind": "bearing", "bore": 20, "outer": 47, "width": 14, "chamfer": 1})", "test"));
  parts.push_back(
      parametricPart(R"({"kind": "shaft", "steps": [[20, 40], [30, 20], [18, 20]], "chamfer": 1})", "test"));
  for (const char* bit : {R"("key", "width": 6)", R"("socket", "width": 13)"})
    parts.push_back(parametricPart(R"({"kind": "driver", "bit": )" + std::string(bit) + "}", "test"));
  for (const KeySize& key : keySizes()) parts.push_back(standardPart(fmt::format("ISO 2936 {:g}", key.s)));
  return parts;
}

// Relations defined by the standards or by the function of the parts. They detect a wrong digit.
TEST(PartTables, KeepTheRelationsOfTheirStandards) {
  for (const ThreadSize& size : threadSizes()) {
    SCOPED_TRACE(size.name);
    const auto& cap = size.socketHead;
    EXPECT_EQ(cap.k, size.d);                       // ISO 4762: k = d
    EXPECT_EQ(cap.threadLength, 2 * size.d + 12);   // b = 2 d + 12
    EXPECT_DOUBLE_EQ(cap.chamfer, size.d / 10);     // v = d/10
    EXPECT_GE(cap.t, 0.4 * size.d);                 // socket deep enough to drive
    EXPECT_LT(cap.s * 2 / std::sqrt(3.0), cap.dk);  // and within the head
    EXPECT_GE(cap.dk, 1.5 * size.d - 1e-9);
    EXPECT_EQ(size.hexHead.threadLength, 2 * size.d + 6);  // ISO 4014: b = 2 d + 6
    EXPECT_GE(size.hexHead.k, 0.62 * size.d);
    EXPECT_LE(size.hexHead.k, 0.7 * size.d + 1e-9);
    EXPECT_LT(size.hexHead.dw, size.hexHead.s);
    EXPECT_GE(size.hexHead.dw, 0.8 * size.hexHead.s);
    EXPECT_GE(size.nut.m, 0.8 * size.d - 1e-9);  // ISO 4032: 0.8 d … 0.95 d
    EXPECT_LE(size.nut.m, 0.95 * size.d);
    EXPECT_GE(size.nut.da, size.d);  // d … 1.15 d
    EXPECT_LE(size.nut.da, 1.15 * size.d + 1e-9);
    EXPECT_EQ(size.washer.d1, size.clearance.fine);  // ISO 7089: d1 is ISO 273, fine
    EXPECT_GE(size.washer.d2, size.hexHead.s * 2 / std::sqrt(3.0) * 0.95);
    EXPECT_LT(size.clearance.fine, size.clearance.medium);
    EXPECT_LT(size.clearance.medium, size.clearance.coarse);
    EXPECT_NEAR(minorDiameter(size), size.d - 1.082532 * size.pitch, 1e-5);
  }
  for (const PinSize& pin : pinSizes()) {
    EXPECT_GE(pin.chamfer, 0.15 * pin.d);
    EXPECT_LE(pin.chamfer, 0.22 * pin.d);
    EXPECT_LT(2 * pin.chamfer, pin.shortest);
  }
  // A key for each socket, with room for its bend; larger keys have longer arms.
  for (const ThreadSize& size : threadSizes()) EXPECT_NE(findKey(size.socketHead.s), nullptr) << size.name;
  double l1 = 0, l2 = 0;
  for (const KeySize& key : keySizes()) {
    EXPECT_GT(key.l2, 4 * key.s) << key.s;
    EXPECT_GT(key.l1, 2 * key.l2) << key.s;
    EXPECT_GT(key.l1, l1) << key.s;
    EXPECT_GT(key.l2, l2) << key.s;
    l1 = key.l1;
    l2 = key.l2;
  }
}

// Weight chart of DIN 912 by fullerkr.com [g]. The library's screws have the largest sizes that the standard
// allows, so they weigh up to an eighth more.
TEST(PartTables, SocketScrewsMatchAWeightChart) {
  struct Row {
    const char* size;
    double grams;
  };
  for (const Row& row : {Row{"M4x16", 2.3}, Row{"M5x20", 4.0}, Row{"M6x20", 6.5}, Row{"M8x30", 16.9},
                         Row{"M8x80", 37.0}, Row{"M10x40", 32.9}, Row{"M12x50", 54.5}, Row{"M16x60", 122}}) {
    const LibraryPart screw = standardPart(std::string("ISO 4762 ") + row.size);
    const double grams = 1e3 * withDensity(screw.unitDensityMass, 7850).mass;
    EXPECT_GE(grams, 0.98 * row.grams) << row.size;
    EXPECT_LE(grams, 1.125 * row.grams) << row.size;
  }
}

TEST(PartsLibrary, WashersAndPinsMatchTheClosedFormMass) {
  const LibraryPart washer = standardPart("ISO 7089 M8");
  EXPECT_NEAR(washer.unitDensityMass.mass, pi / 4 * 1e-9 * (16 * 16 - 8.4 * 8.4) * 1.6, 1e-18);
  const LibraryPart nut = standardPart("ISO 4032 M8");
  const double r = meanThreadDiameter(*findThread("M8")) / 2;
  const double hexagon = std::sqrt(3.0) / 2 * 13 * 13;
  // Less than the prism with a plain hole by the countersinks.
  EXPECT_LT(nut.unitDensityMass.mass, 1e-9 * 6.8 * (hexagon - pi * r * r));
  EXPECT_GT(nut.unitDensityMass.mass, 0.97 * 1e-9 * 6.8 * (hexagon - pi * r * r));
}

TEST(PartsLibrary, EveryPartIsValidAndItsDisplayMeshMatchesItsMass) {
  const std::vector<LibraryPart> parts = everyPart();
  EXPECT_GT(parts.size(), 250u);
  for (const LibraryPart& part : parts) {
    SCOPED_TRACE(part.name);
    EXPECT_TRUE(physics::isPhysicalInertia(part.unitDensityMass.inertia));
    const DisplayMesh mesh = displayMeshOf(part);
    ASSERT_EQ(mesh.positions.size(), mesh.normals.size());
    // The display mesh is closed and faces outwards: its volume matches the mass, except for facets.
    EXPECT_NEAR(volumeOf(mesh), part.unitDensityMass.mass, 0.03 * part.unitDensityMass.mass);
    for (const auto& t : mesh.triangles) {
      const Vector3d &a = mesh.positions[t[0]], &b = mesh.positions[t[1]], &c = mesh.positions[t[2]];
      const Vector3d n = (b - a).cross(c - a);
      // Slivers where the countersink of a nut cuts its thread may stand on edge.
      const double longest = std::max({(b - a).squaredNorm(), (c - b).squaredNorm(), (a - c).squaredNorm()});
      if (n.norm() < 0.05 * longest) continue;
      for (const auto i : t) ASSERT_GT(n.dot(mesh.normals[i]), 0) << n.norm();
    }
  }
}

/// A scene of two standard parts, the second one rotated and moved; `more` belongs to the first.
Scene sceneOf(const std::string& first, const std::string& second, const std::string& place,
              const std::string& more = "") {
  return parseScene(R"({"tenon": 1, "title": "t", "unit": "mm", "duration_s": 1,
    "materials": [{"name": "steel", "density_kg_per_m3": 7850}],
    "parts": [{"name": "a", "material": "steel", "standard": ")" +
                        first + "\"" + more + R"(}, {"name": "b", "material": "steel", "standard": ")" +
                        second + "\", " + place + "}]}",
                    "two.json");
}

// Without threads a screw passes through the holes of nut and washer, with little clearance.
TEST(PartsLibrary, ASmoothScrewGoesThroughItsWasherAndItsNut) {
  const std::string smooth = ", \"thread\": false";
  for (const char* size : {"M3", "M8", "M16"}) {
    const double k = findThread(size)->nut.m / 2;
    const std::string screw = std::string("ISO 4762 ") + size + "x30", nut = std::string("ISO 4032 ") + size;
    const std::string low = std::to_string(-15 - k);
    EXPECT_NO_THROW(sceneOf(screw, nut, "\"position\": [0, 0, " + low + "]" + smooth, smooth)) << size;
    EXPECT_NO_THROW(sceneOf(screw, std::string("ISO 7089 ") + size, "\"position\": [0, 0, -8]", smooth))
        << size;
    EXPECT_THROW(sceneOf(screw, nut, "\"position\": [0.08, 0, " + low + "]" + smooth, smooth), InputError)
        << size;
  }
}

// Teeth have their middle at multiples of the pitch: the nut's lie between those of the screw, or on them.
TEST(PartsLibrary, TheTeethOfANutStandBetweenThoseOfItsScrew) {
  for (const char* size : {"M3", "M8", "M16"}) {
    const double P = findThread(size)->pitch;
    for (const char* family : {"ISO 4762 ", "ISO 4017 "}) {
      const std::string screw = std::string(family) + size + "x30", nut = std::string("ISO 4032 ") + size;
      const auto at = [&](double pitches) {
        return "\"position\": [0, 0, " + std::to_string(-pitches * P) + "]";
      };
      const double below = std::floor(15 / P);
      EXPECT_NO_THROW(sceneOf(screw, nut, at(below + 0.5))) << screw;
      EXPECT_THROW(sceneOf(screw, nut, at(below)), InputError) << screw;
    }
  }
}

// Before and behind a flat of the nut, and at its corners.
TEST(PartsLibrary, NutsAndHeadsAreHexagonsAcrossTheirFlats) {
  const double corner = 13 / std::sqrt(3.0), flat = 6.5;
  for (const char* part : {"ISO 4032 M8", "ISO 4017 M8x30"}) {
    const double z = std::string(part) == "ISO 4032 M8" ? 0 : 3;
    const auto standsFree = [&](double x, double y) {
      try {
        sceneOf(part, "ISO 2338 3x8",
                "\"position\": [" + std::to_string(x) + ", " + std::to_string(y) + ", " + std::to_string(z) +
                    "]");
        return true;
      } catch (const InputError&) {
        return false;
      }
    };
    EXPECT_TRUE(standsFree(0, flat + 1.51)) << part;
    EXPECT_FALSE(standsFree(0, flat + 1.49)) << part;
    EXPECT_TRUE(standsFree(corner + 1.51, 0)) << part;
    EXPECT_FALSE(standsFree(corner + 1.49, 0)) << part;
  }
}

TEST(PartsLibrary, CommonSpellingsOfDesignationsAreAccepted) {
  for (const char* text : {"ISO 4762 M8x30", "iso4762 m8 x 30", "ISO 4762 M8×30", "ISO 4762 - M8 x 30"})
    EXPECT_EQ(standardPart(text).name, "ISO 4762 M8x30") << text;
  EXPECT_EQ(standardPart("ISO 2338 8x30").name, "ISO 2338 8x30");
  EXPECT_EQ(standardPart("ISO 7089 M8").name, "ISO 7089 M8");
}

TEST(PartsLibrary, UnavailableSizesAreRejectedWithTheAvailableOnes) {
  struct Case {
    const char* text;
    const char* problem;
    const char* remedy;
  };
  for (const Case& c :
       {Case{"DIN 912 M8x30", "\"DIN 912 M8x30\": DIN 912 has been replaced by ISO 4762",
             "write \"ISO 4762 M8x30\""},
        Case{"DIN 7991 M8x30", "is not a standard of the library", "ISO 4762"},
        Case{"ISO 4762 M7x30", "has no size \"M7\"", "M6, M8"},
        Case{"ISO 4762 M8x31", "is not available 31 mm long", "25, 30, 35"},
        Case{"ISO 4762 M8", "has no length", "30"}, Case{"ISO 4762 M8xlong", "has no length", "30"},
        Case{"ISO 4032 M8x30", "has no lengths", "ISO 4032 M8"},
        Case{"ISO 2338 7x30", "has no size \"7\"", "6, 8"}, Case{"", "is not a standard", "ISO 4762"}}) {
    SCOPED_TRACE(c.text);
    try {
      standardPart(c.text);
      ADD_FAILURE() << "made it";
    } catch (const UnknownPart& error) {
      EXPECT_NE(std::string(error.what()).find(c.problem), std::string::npos) << error.what();
      EXPECT_NE(error.remedy.find(c.remedy), std::string::npos) << error.remedy;
    }
  }
}

TEST(PartsLibrary, FlangeHolesLieOnTheirCircle) {
  const LibraryPart flange =
      parametricPart(R"({"kind": "flange", "width": 130, "thickness": 15, "bore": 50, "holes": [
      {"name": "screw", "screw": "M8", "series": "fine", "circle": {"count": 8, "diameter": 100, "start_deg": 22.5}}]})",
                     "test");
  const auto holes = holesOf(flange.shape);
  ASSERT_EQ(holes.size(), 9u);
  for (std::size_t k = 1; k < holes.size(); ++k) {
    const double phi = pi / 8 + pi / 4 * static_cast<double>(k - 1);
    EXPECT_EQ(holes[k].name, "screw " + std::to_string(k));
    EXPECT_LE((holes[k].X_PH.p - Vector3d(0.05 * std::cos(phi), 0.05 * std::sin(phi), 0.0075)).norm(), 1e-15);
    EXPECT_DOUBLE_EQ(holes[k].profile.front().y(), 0.0042);
  }
}

TEST(PartsLibrary, WallHolesOfABracketOpenTowardsItsBase) {
  const LibraryPart bracket = parametricPart(R"({"kind": "bracket", "width": 60, "depth": 50, "height": 60,
    "thickness": 8, "wall_holes": [{"name": "w", "diameter": 6, "at": [10, 5]}]})",
                                             "test");
  const HoleSite hole = holesOf(bracket.shape).at(0);
  EXPECT_LE((hole.X_PH.q * Vector3d::UnitZ() - Vector3d::UnitX()).norm(), 1e-15);
  EXPECT_LE((hole.X_PH.p - Vector3d(0.008, 0.010, 0.039)).norm(), 1e-15);
}

TEST(PartsLibrary, EveryParametricPartIsWrittenAsAClosedMeshOfItsMass) {
  for (const LibraryPart& part : everyPart()) {
    if (part.name.starts_with("ISO")) continue;  // drawn with thread and socket
    SCOPED_TRACE(part.name);
    const RepairedMesh mesh = repairMesh(parseObj(objOf(displayMeshOf(part), part.name), "part.obj"));
    EXPECT_TRUE(mesh.report.isClosed());
    EXPECT_NEAR(massOf(mesh.mesh, 1).mass / part.unitDensityMass.mass, 1, 0.01);
  }
}

TEST(PartsLibrary, DriversFitTheHexagonsOfTheScrewsOfTheirWidth) {
  const auto fitsTo = [](const LibraryPart& tool, const LibraryPart& screw) {
    return physics::fits(tool.driver.value().size, screw.hexagons.at(0).size);
  };
  const LibraryPart key = standardPart("ISO 2936 6"),
                    socket = parametricPart(R"({"kind": "driver", "bit": "socket", "width": 13})", "test");
  EXPECT_TRUE(fitsTo(key, standardPart("ISO 4762 M8x30")));
  EXPECT_FALSE(fitsTo(key, standardPart("ISO 4762 M6x30")));
  EXPECT_FALSE(fitsTo(key, standardPart("ISO 4017 M8x30")));
  EXPECT_TRUE(fitsTo(socket, standardPart("ISO 4017 M8x30")));
  EXPECT_TRUE(fitsTo(socket, standardPart("ISO 4014 M8x50")));
  EXPECT_FALSE(fitsTo(socket, standardPart("ISO 4762 M8x30")));
  EXPECT_EQ(standardPart("ISO 4762 M8x30").hexagons.at(0).depth, 4e-3);
  const LibraryPart nut = standardPart("ISO 4032 M8");
  ASSERT_EQ(nut.hexagons.size(), 2u);
  for (const Hexagon& end : nut.hexagons) {
    EXPECT_TRUE(physics::fits(socket.driver->size, end.size));
    EXPECT_NEAR((end.X_PH.q * Vector3d::UnitZ()).dot(end.X_PH.p), 3.4e-3, 1e-12) << "z points out of the nut";
  }
  EXPECT_FALSE(standardPart("ISO 7089 M8").driver);
}

// ISO 2936: arms measured over their outer edges.
TEST(PartsLibrary, KeysHaveTheLengthsOfTheirArms) {
  const DisplayMesh mesh = displayMeshOf(standardPart("ISO 2936 6"));
  Eigen::AlignedBox3d box;
  for (const auto& p : mesh.positions) box.extend(Vector3d(p));
  EXPECT_NEAR(box.sizes().x(), 96e-3, 1e-6);
  EXPECT_NEAR(box.sizes().z(), 38e-3, 1e-6);
  EXPECT_NEAR(box.sizes().y(), 6e-3, 1e-6);
}

TEST(PartsLibrary, InvalidDimensionsAreRejectedWithTheirPointer) {
  struct Case {
    const char* json;
    const char* errorText;
  };
  for (
      const Case& c : {
          Case{R"({"kind": "wheel"})", "test: /kind: "},
          Case{R"({"kind": "driver", "bit": "key", "width": 7})",
               "/width: is 7 mm, the width across flats of no socket of ISO 4762"},
          Case{R"({"kind": "driver", "bit": "socket", "width": 6})", "/width: is 6 mm, the width across"},
          Case{R"({"kind": "driver", "bit": "key", "width": 6, "torque_limit_nm": 0})", "/torque_limit_nm: "},
          Case{R"({"kind": "driver", "bit": "key", "width": 6, "torque_limit_nm": -8})",
               "/torque_limit_nm: "},
          Case{R"({"kind": "driver", "bit": "key", "width": 6, "length": 60})",
               "/length: is 60 mm, too short for its handle"},
          Case{R"({"kind": "driver", "bit": "blade", "width": 6})", "/bit: "},
          Case{R"({"kind": "bushing", "bore": 16, "outer": 16, "length": 20})",
               "bore at least as wide as its outer diameter"},
          Case{R"({"kind": "bushing", "bore": 10, "outer": 16, "length": 20, "collar_diameter": 20})",
               "an incomplete collar"},
          Case{R"({"kind": "bearing", "bore": 20, "outer": 47, "width": 14, "chamfer": 7})",
               "chamfers that leave no surface"},
          Case{R"({"kind": "shaft", "steps": [[20, 10], [20, 5]]})",
               "/steps/1: has the diameter of the previous step"},
          Case{R"({"kind": "shaft", "steps": [[20, 10]], "chamfer": 10})", "chamfer larger than its end"},
          Case{R"({"kind": "flange", "width": 100, "thickness": 10, "hub_diameter": 40, "hub_height": 5})",
               "no bore"},
          Case{R"({"kind": "flange", "width": 100, "thickness": 10, "chamfer": 1})",
               "has a chamfer and no bore"},
          Case{R"({"kind": "flange", "width": 100, "thickness": 10, "bore": 30, "chamfer": 10})",
               "has a chamfer as deep as its thickness"},
          Case{R"({"kind": "flange", "width": 100, "thickness": 10, "bore": 30, "hub_diameter": 40,
                   "hub_height": 9, "chamfer": 2.5})",
               "two chamfers leave no face"},
          Case{R"({"kind": "flange", "width": 100, "thickness": 10, "bore": 30, "hub_diameter": 60,
                   "hub_height": 5, "chamfer": 5})",
               "chamfered over its whole height"},
          Case{R"({"kind": "shaft", "steps": [[20, 10]], "chamfer": 5})",
               "two chamfers that leave no surface"},
          Case{
              R"({"kind": "flange", "width": 100, "thickness": 10, "bore": 30, "hub_diameter": 60, "hub_height": 5,
                    "holes": [{"name": "h", "diameter": 6, "at": [25, 0]}]})",
              "hub that covers its holes"},
          Case{
              R"({"kind": "plate", "size": [50, 50, 5], "holes": [{"name": "h", "diameter": 6, "at": [24, 0]}]})",
              "/holes/0: "},
          Case{
              R"({"kind": "plate", "size": [50, 50, 5], "holes": [{"name": "h", "screw": "M7", "at": [0, 0]}]})",
              "/holes/0/screw: is \"M7\""},
          Case{R"({"kind": "plate", "size": [50, 50, 5], "holes": [{"name": "h", "diameter": 6}]})",
               "one of \"at\", \"circle\" and \"grid\""},
          Case{
              R"({"kind": "plate", "size": [50, 50, 5], "holes": [{"name": "h", "diameter": 6, "depth": 5, "at": [0, 0]}]})",
              "goes through the part"},
      }) {
    SCOPED_TRACE(c.json);
    try {
      parametricPart(c.json, "test");
      ADD_FAILURE() << "made it";
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(c.errorText), std::string::npos) << error.what();
    }
  }
}

TEST(PartsLibrary, ADimensionOf0IsTheDefault) {
  const std::pair<const char*, const char*> pairs[] = {
      {R"({"kind": "flange", "width": 100, "thickness": 10})",
       R"({"kind": "flange", "width": 100, "thickness": 10, "bore": 0, "hub_diameter": 0, "hub_height": 0,
           "chamfer": 0})"},
      {R"({"kind": "bushing", "bore": 10, "outer": 16, "length": 20})",
       R"({"kind": "bushing", "bore": 10, "outer": 16, "length": 20, "chamfer": 0, "collar_diameter": 0,
           "collar_thickness": 0})"},
      {R"({"kind": "plate", "size": [50, 50, 5], "holes": [{"name": "h", "diameter": 6, "at": [0, 0]}]})",
       R"({"kind": "plate", "size": [50, 50, 5], "holes": [{"name": "h", "diameter": 6, "at": [0, 0],
           "chamfer": 0}]})"}};
  for (const auto& [left, zero] : pairs) {
    const double mass = parametricPart(left, "test").unitDensityMass.mass;
    EXPECT_GT(mass, 0);
    EXPECT_EQ(parametricPart(zero, "test").unitDensityMass.mass, mass) << zero;
  }
  EXPECT_THROW(parametricPart(R"({"kind": "shaft", "steps": [[20, 10]], "chamfer": -1})", "test"),
               InputError);
}

TEST(PartsLibrary, PlatesFlangesAndBracketsHaveThreadsInTheirHoles) {
  const char* const kThread = R"("thread": {"size": "M8", "depth": 9}, "chamfer": 0.8, "depth": 12)";
  const auto threadsOfPart = [&](const std::string& dimensions, const std::string& pattern) {
    const LibraryPart part = parametricPart(dimensions + pattern + ", " + kThread + "}]}", "test");
    std::vector<PlacedThread> threads = threadsOf(part.shape);
    double teeth = 0;
    for (const PlacedThread& placed : threads) {
      const auto site = holesOf(part.shape);
      EXPECT_TRUE(std::any_of(site.begin(), site.end(), [&](const HoleSite& hole) {
        return (hole.X_PH.p - placed.X_PT.p).norm() < 1e-12 &&
               hole.X_PH.q.angularDistance(placed.X_PT.q) < 1e-12;
      }));
      EXPECT_NEAR(placed.thread.low, -9e-3, 1e-12);
      EXPECT_NEAR(placed.thread.ends[1].radius, placed.thread.minorDiameter / 2 + 0.8e-3, 1e-12);
      teeth += physics::massProperties(physics::threadedSolid(placed.thread), 1).mass;
    }
    EXPECT_GT(teeth, 0);
    EXPECT_EQ(part.unitDensityMass.mass, physics::massProperties(part.shape, 1).mass);
    return threads.size();
  };
  EXPECT_EQ(threadsOfPart(R"({"kind": "plate", "size": [80, 60, 20], "holes": [)",
                          R"({"name": "h", "grid": {"count": [2, 2], "pitch": [50, 30]})"),
            4U);
  EXPECT_EQ(threadsOfPart(R"({"kind": "flange", "width": 130, "thickness": 15, "bore": 50, "hub_diameter": 70,
                              "hub_height": 10, "holes": [)",
                          R"({"name": "h", "circle": {"count": 8, "diameter": 100})"),
            8U);
  EXPECT_EQ(threadsOfPart(R"({"kind": "bracket", "width": 60, "depth": 60, "height": 60, "thickness": 15,
                              "wall_holes": [)",
                          R"({"name": "h", "at": [0, 0])"),
            1U);
  for (const char* both : {R"("diameter": 8)", R"("screw": "M8")", R"("series": "fine")"})
    EXPECT_THROW(parametricPart(std::string(R"({"kind": "plate", "size": [80, 60, 20], "holes": [
                                 {"name": "h", "at": [0, 0], "thread": {"size": "M8"}, )") +
                                    both + "}]}",
                                "test"),
                 InputError);
}

/// The error of a scene of `count` plates with 10 × 10 holes each.
std::string errorForPlates(int count, bool fromLibrary) {
  std::string holes, parts;
  for (int k = 0; k < 100; ++k)
    holes += (k > 0 ? R"(, {"name": ")" : R"({"name": ")") + std::to_string(k) + R"(", "diameter": 3, )" +
             (fromLibrary ? "" : R"("through": true, )") + R"("at": [)" + std::to_string(k / 10 * 10 - 45) +
             ", " + std::to_string(k % 10 * 10 - 45) + "]}";
  const std::string shape = fromLibrary ? R"("library": {"kind": "plate", "size": [100, 100, 5], "holes": [)"
                                        : R"("shape": {"kind": "block", "size": [100, 100, 5], "holes": [)";
  for (int k = 0; k < count; ++k)
    parts += (k > 0 ? R"(, {"name": ")" : R"({"name": ")") + std::to_string(k) +
             R"(", "material": "steel", "motion": "fixed", "position": [0, 0, )" + std::to_string(20 * k) +
             "], " + shape + holes + "]}}";
  try {
    parseScene(R"({"tenon": 1, "title": "t", "unit": "mm", "duration_s": 1,
      "materials": [{"name": "steel", "density_kg_per_m3": 7850}], "parts": [)" +
                   parts + "]}",
               "plates.json");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(PartsLibrary, APartCountsAsManyConvexPartsAsItsShape) {
  for (const bool fromLibrary : {false, true}) {
    EXPECT_EQ(errorForPlates(99, fromLibrary), "");  // 99 (1 + 100 holes whose profiles have 2 points)
    EXPECT_NE(errorForPlates(100, fromLibrary).find("20000 convex parts"), std::string::npos);
  }
}

TEST(PartsLibrary, ARingsHoleRunsFromItsMouthDown) {
  const LibraryPart bushing =
      parametricPart(R"({"kind": "bushing", "bore": 10, "outer": 16, "length": 20, "chamfer": 0.5})", "test");
  const auto holes = holesOf(bushing.shape);
  ASSERT_EQ(holes.size(), 1u);
  EXPECT_EQ(holes[0].name, "bore");
  EXPECT_TRUE(holes[0].through);
  ASSERT_EQ(holes[0].profile.size(), 4u);
  EXPECT_LE((holes[0].profile[0] - Eigen::Vector2d(0, 0.0055)).norm(), 1e-15);
  EXPECT_LE((holes[0].profile[1] - Eigen::Vector2d(-0.0005, 0.005)).norm(), 1e-15);
  EXPECT_NEAR(holes[0].depth(), 0.02, 1e-15);
}

}  // namespace
}  // namespace tenon::content::test::parts_library_test
