// Products of a STEP file that cannot be used beside others that can, mirrored and scaled instances, tori
// that cross themselves, and bodies that touch along a line.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <numbers>
#include <random>
#include <string>

#include "content/mesh/mesh_report_text.h"
#include "content/reader/load_scene.h"
#include "content/reader/part_file.h"
#include "content/step/read_step.h"
#include "content/step/scene_draft.h"
#include "content/step/step_model_bytes.h"
#include "physics/collision/brep/solid_contacts.h"
#include "physics/collision/brep/solid_of_shape.h"
#include "tests/content/mesh_samples.h"
#include "tests/support/program_run.h"
#include "tests/support/step_file.h"

namespace tenon::content::step_products_test {
namespace {

using Json = nlohmann::json;
using std::numbers::pi;

class StepProducts : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string missing = tests::stepIsMissing(); !missing.empty()) GTEST_SKIP() << missing;
  }
  void make(const std::string& kind, const std::vector<double>& numbers = {}) const {
    ASSERT_TRUE(tests::makeStep(kind, file_, numbers)) << kind;
  }
  StepModel parsed() const {
    return parseStep(tests::fileText(file_), "part.step", [](const std::string&) {});
  }
  Part read(const Json& shape = Json::object()) const {
    Json scene = tests::onePartScene();
    scene["parts"][0]["motion"] = "fixed";  // a sheet has no mass
    scene["parts"][0]["shape"].update(shape);
    return parseScene(scene.dump(), folder_ / "scene.json").parts.front();
  }

  tests::TemporaryFolder folder_;
  std::string file_ = folder_ / "part.step";
};

TEST_F(StepProducts, OneBadProductLeavesTheOthersUsable) {
  make("mixed");
  EXPECT_GT(read({{"product", "good"}}).mass.mass, 0);
  EXPECT_EQ(read({{"product", "sheet"}}).mass.mass, 0);
  const std::map<std::string, std::string> problems{
      {"far", "has coordinates above 10 km"}, {"long", "is longer than 1 km"}, {"sketch", "has no faces"}};
  for (const auto& one : problems) {
    const std::string text = test::errorFrom([&] { read({{"product", one.first}}); });
    EXPECT_NE(text.find("product \"" + one.first + "\": " + one.second), std::string::npos) << text;
    EXPECT_NE(text.find("; "), std::string::npos) << text;
  }
  const std::string text = test::errorFrom([&] { read(); });
  EXPECT_NE(text.find("choose one of the 4 products of the file"), std::string::npos) << text;
  std::map<std::string, FilePart> parts;
  for (const FilePart& part : readPartFile(file_, {})) parts[part.product] = part;
  ASSERT_EQ(parts.size(), 5u);
  for (const auto& [name, part] : parts) {
    const auto problem = problems.find(name);
    EXPECT_EQ(part.shape == nullptr, problem != problems.end()) << name;
    if (problem != problems.end()) {
      EXPECT_NE(part.problem.find(problem->second), std::string::npos) << part.problem;
    }
  }
}

TEST_F(StepProducts, ADraftHasTheUsableProducts) {
  make("mixed");
  StepModel model = parsed();
  const std::vector<std::string> refused = dropRefused(model, "part.step");
  ASSERT_EQ(refused.size(), 3u);
  EXPECT_EQ(refused[0].find("product \"far\" has coordinates above 10 km"), 0u) << refused[0];
  const SceneDraft draft = draftOf(model, "part.step");
  ASSERT_EQ(draft.parts.size(), 2u);
  EXPECT_EQ(draft.parts[0].product, "good");
  EXPECT_EQ(draft.parts[1].product, "sheet");
  for (StepProduct& product : model.products) product.problem = {"", "is bad", "mend it"};
  const std::string text = test::errorFrom([&] { dropRefused(model, "part.step"); });
  EXPECT_EQ(text, "part.step: product \"good\": is bad; mend it");
}

TEST_F(StepProducts, ASketchIsNotTheProductOfAFileWithOnePart) {
  make("mixed");
  StepModel model = parsed();
  std::erase_if(model.products, [](const StepProduct& p) { return p.name != "good" && p.name != "sketch"; });
  EXPECT_TRUE(model.products[0].hasFaces);
  EXPECT_FALSE(model.products[1].hasFaces);
  std::erase_if(model.instances, [](const StepInstance& instance) { return instance.product > 0; });
  EXPECT_EQ(model.instances.size(), 1u);
  const std::string bytes = serialize(model);
  const auto back = parseStepReaderOutput(bytes);
  ASSERT_TRUE(back && back->model);
  EXPECT_EQ(serialize(*back->model), bytes);
  ASSERT_TRUE(back->model->products[1].problem);
  EXPECT_EQ(back->model->products[1].problem->problem, "has no faces");
  for (std::size_t k = 0; k < bytes.size(); k += 5)
    EXPECT_FALSE(parseStepReaderOutput(bytes.substr(0, k))) << k;
}

/// Volume of a pin of radius R and length L [m³], with a fillet of r = 0.65 R at its lower rim: of the ring
/// inside the fillet, disks of radius R − r + √(r² − (r − z)²).
double volumeOfRoundedPin(double R, double L) {
  const double r = 0.65 * R, c = R - r;
  return pi * R * R * (L - r) + pi * (c * c * r + 2 * c * pi * r * r / 4 + 2 * r * r * r / 3);
}

// The borders of the fillet of a small pin must not be wound twice about it.
TEST_F(StepProducts, ARoundedPinHasTheVolumeOfItsFillet) {
  for (const std::string unit : {"MM", "M"})
    for (const double diameter : {0.04, 0.4, 0.62, 1.0, 4.0}) {
      ASSERT_TRUE(tests::makeStep("rounded-pin", file_, {diameter, 2 * diameter}, unit));
      const StepModel model = parsed();
      ASSERT_EQ(model.products.size(), 1u);
      ASSERT_FALSE(model.products[0].problem) << diameter << model.products[0].problem->problem;
      const double volume = volumeOfRoundedPin(0.5e-3 * diameter, 2e-3 * diameter);
      // The spline of the fillet is 0.1 µm from its circle at the most.
      EXPECT_NEAR(model.products[0].faces.solid.mass / volume, 1, 1e-5) << diameter;
    }
}

TEST_F(StepProducts, AFaceWithoutAreaIsLeftOutAndListed) {
  make("empty-face");
  const StepModel model = parsed();
  ASSERT_EQ(model.products.size(), 1u);
  ASSERT_EQ(model.products[0].emptyFaces.size(), 1u);
  const Part part = read();
  ASSERT_TRUE(part.mesh);
  const MeshReport& report = part.mesh->part.report;
  EXPECT_EQ(report.emptyFaces, 1u);
  EXPECT_TRUE(report.isClosed());
  EXPECT_NEAR(part.mesh->part.solid.mass, 6e-6, 1e-12);
  const std::vector<std::string> lines = describeMeshReport(report);
  ASSERT_FALSE(lines.empty());
  EXPECT_EQ(lines.front(), "1 face without area, at (0, 0, 15) mm: left out");
}

TEST_F(StepProducts, AFaceWithoutAnEndIsRefusedWithItsPlace) {
  make("endless-face");
  const std::string text = test::errorFrom([&] { read(); });
  EXPECT_NE(text.find("has 1 face of 7 that cannot be triangulated, at (0, 0, 40) mm"), std::string::npos)
      << text;
}

/// The assembly of make_step, with its transformation `number` by these axes, its columns, and the origin
/// (5, 0, 0) mm. Number 1 is that of the two bolts, 2 that of the left one among them.
std::string withTransformation(std::string step, std::size_t number, const Eigen::Matrix3i& axes) {
  const std::string entity = "ITEM_DEFINED_TRANSFORMATION(";
  std::size_t begin = step.find(entity);
  for (; number > 0; --number) begin = step.find(entity, begin + 1);
  step.replace(begin, step.find(')', begin) - begin + 1,
               "CARTESIAN_TRANSFORMATION_OPERATOR_3D('','','',#9001,#9002,#9003,1.,#9004)");
  const char* const names[] = {"#9001", "#9002", "#9004"};
  std::string entities = "#9003 = CARTESIAN_POINT('',(5.,0.,0.));\n";
  for (std::size_t k = 0; k < 3; ++k)
    entities +=
        fmt::format("{} = DIRECTION('',({}.,{}.,{}.));\n", names[k], axes(0, k), axes(1, k), axes(2, k));
  step.insert(step.rfind("ENDSEC;"), entities);
  return step;
}

TEST_F(StepProducts, AMirroredSubAssemblyIsRefused) {
  make("assembly", {0});
  const std::string step = tests::fileText(file_);
  const auto textWith = [&](const Eigen::Vector3i& axes) {
    std::ofstream(file_, std::ios::binary) << withTransformation(step, 1, Eigen::Matrix3i(axes.asDiagonal()));
    return test::errorFrom([&] { parsed(); });
  };
  EXPECT_EQ(textWith({1, -1, -1}), "") << "a rotation";
  EXPECT_NE(textWith({1, 1, -1}).find("contains a mirrored sub-assembly; "), std::string::npos);
}

// ISO 10303-42: the third axis is z if it is not given.
TEST_F(StepProducts, AMirrorImageWithoutAThirdAxisIsAProductOfItsOwn) {
  make("assembly", {0});
  const std::string step = tests::fileText(file_);
  for (const int y : {1, -1}) {
    std::string text = withTransformation(step, 2, Eigen::Matrix3i(Eigen::Vector3i(1, y, 1).asDiagonal()));
    text.replace(text.find(",1.,#9004)"), 10, ",1.,$)");
    std::ofstream(file_, std::ios::binary) << text;
    const StepModel model = parsed();
    EXPECT_EQ(std::any_of(model.products.begin(), model.products.end(),
                          [](const StepProduct& p) { return p.name.ends_with(" mirrored"); }),
              y < 0);
  }
}

TEST_F(StepProducts, AMirrorImageIsAProductOfItsOwn) {
  make("assembly", {0});
  const std::string step = tests::fileText(file_);
  const StepModel plain = parsed();
  Eigen::Matrix3i swapped;
  swapped << 0, 1, 0, 1, 0, 0, 0, 0, 1;
  for (const Eigen::Matrix3i& axes : {Eigen::Matrix3i(Eigen::Vector3i(1, 1, -1).asDiagonal()), swapped}) {
    std::ofstream(file_, std::ios::binary) << withTransformation(step, 2, axes);
    const StepModel model = parsed();
    const auto mirrored = std::find_if(model.products.begin(), model.products.end(),
                                       [](const StepProduct& p) { return p.name.ends_with(" mirrored"); });
    ASSERT_NE(mirrored, model.products.end());
    EXPECT_FALSE(mirrored->problem);
    const physics::MassProperties &image = mirrored->faces.solid, &own = plain.products[1].faces.solid;
    EXPECT_NEAR(image.mass, own.mass, 1e-9 * own.mass);
    EXPECT_NEAR(image.center.z(), -own.center.z(), 1e-12);
    EXPECT_NEAR(mirrored->faces.low.z(), -plain.products[1].faces.high.z(), 1e-9);
    bool isPlaced = false;
    for (const StepInstance& instance : model.instances) {
      if (instance.product != mirrored - model.products.begin()) continue;
      isPlaced = true;
      const Eigen::Matrix3d linear =
          instance.X_AP.q.toRotationMatrix() * Eigen::Vector3d(1, 1, -1).asDiagonal();
      EXPECT_LT((linear - axes.cast<double>()).norm(), 1e-12) << linear;
    }
    EXPECT_TRUE(isPlaced);
  }
}

// OpenCASCADE places it as if it had no scale.
TEST_F(StepProducts, AScaledInstanceIsNotUsed) {
  make("assembly", {0});
  const std::string step = tests::fileText(file_);
  const auto scale = [&](std::size_t number, const std::string& by, int z) {
    std::string text =
        withTransformation(step, number, Eigen::Matrix3i(Eigen::Vector3i(1, 1, z).asDiagonal()));
    text.replace(text.find(",1.,#9004)"), 10, "," + by + ",#9004)");
    std::ofstream(file_, std::ios::binary) << text;
  };
  for (const auto& [by, z] : {std::pair("2.", 1), {"0.5", 1}, {"2.", -1}}) {
    scale(2, by, z);
    const StepModel model = parsed();
    const auto found = std::find_if(model.products.begin(), model.products.end(),
                                    [](const StepProduct& p) { return p.name.ends_with(" scaled"); });
    ASSERT_NE(found, model.products.end()) << by;
    ASSERT_TRUE(found->problem) << by;
    EXPECT_EQ(found->problem->problem, "is placed in the assembly with a scale");
    EXPECT_EQ(std::count_if(model.products.begin(), model.products.end(),
                            [](const StepProduct& p) { return p.problem.has_value(); }),
              1);
  }
  scale(1, "2.", 1);
  EXPECT_NE(test::errorFrom([&] { parsed(); }).find("contains a scaled sub-assembly; "), std::string::npos);
}

/// The volume inside the outer part of a torus with the radii R of its circle and r > R of its tube [m³]:
/// disks between its poles at ± √(r² − R²), rings above and below.
double volumeOfApple(double R, double r) {
  const double pole = std::sqrt(r * r - R * R);
  double volume = 0;
  constexpr int kSteps = 200'000;
  for (int k = 0; k < kSteps; ++k) {
    const double t = pi * ((k + 0.5) / kSteps - 0.5), z = r * std::sin(t), s = r * std::cos(t);
    const double area = std::abs(z) < pole ? pi * (R + s) * (R + s) : 4 * pi * R * s;
    volume += area * s * pi / kSteps;
  }
  return volume;
}

TEST_F(StepProducts, ATorusThatCrossesItselfIsItsOuterPart) {
  make("torus", {3, 5});
  const Part part = read();
  ASSERT_TRUE(part.mesh);
  EXPECT_EQ(part.mesh->part.exactArea, 1);
  constexpr double R = 3e-3, r = 5e-3;
  const double volume = volumeOfApple(R, r);
  EXPECT_NEAR(part.mass.mass, volume, 1e-8 * volume);
  const physics::brep::Solid solid = physics::brep::solidOf(part.shape);
  std::mt19937 random(11);
  std::uniform_real_distribution<double> unit(0, 1);
  const double radius = 1e-3;
  const physics::brep::Solid ball = physics::brep::solidOf(physics::Sphere{radius});
  for (int k = 0; k < 300; ++k) {
    // On a normal of the tube, outside of the dimples.
    const double around = 2 * pi * unit(random), tilt = 0.8 * pi * (unit(random) - 0.5),
                 gap = 1e-4 * unit(random);
    const double rho = R + (r + radius + gap) * std::cos(tilt);
    const Vector3d p(rho * std::cos(around), rho * std::sin(around), (r + radius + gap) * std::sin(tilt));
    std::vector<physics::brep::SolidContact> found;
    findSolidContacts(ball, solid, physics::Pose::at(p), 1e-3, found);
    double least = HUGE_VAL;
    for (const physics::brep::SolidContact& contact : found) least = std::min(least, contact.separation);
    EXPECT_NEAR(least, gap, 1e-10) << p.transpose();
  }
}

// Where both bodies are united, their facets cross beside the line at which they touch, or nearly touch.
TEST_F(StepProducts, ARodThatTouchesItsBoreAlongALineIsExact) {
  constexpr double kBore = 0.7e-3, kRod = 0.3e-3, kHeight = 3e-3, kAt = 0.06;  // [m], [rad]
  for (const double gap : {0.0, 1.2e-9}) {
    make("ring-with-rod", {1.5, 1000 * kBore, 1000 * kRod, 1000 * kHeight, 3, 1000 * gap, kAt});
    const Part part = read();
    ASSERT_TRUE(part.mesh);
    EXPECT_EQ(part.mesh->part.exactArea, 1) << gap;
    EXPECT_LT(part.mesh->part.meshDeviation.largest().distance, 1e-6) << gap;
    const physics::brep::Solid solid = physics::brep::solidOf(part.shape);
    const double radius = 0.1e-3, off = 1e-6;
    const physics::brep::Solid ball = physics::brep::solidOf(physics::Sphere{radius});
    // At (x, y) with the rod beside the x axis.
    const auto least = [&](double x, double y) {
      const Vector3d p(x * std::cos(kAt) - y * std::sin(kAt), x * std::sin(kAt) + y * std::cos(kAt),
                       0.4 * kHeight);
      std::vector<physics::brep::SolidContact> found;
      findSolidContacts(ball, solid, physics::Pose::at(p), 1e-4, found);
      double separation = HUGE_VAL;
      for (const auto& contact : found) separation = std::min(separation, contact.separation);
      return separation;
    };
    for (int k = 0; k < 100; ++k) {
      // Beside the bore, and the rod on its free side.
      const double around = 0.9 + 0.044 * k, rho = kBore - radius - off;
      EXPECT_NEAR(least(rho * std::cos(around), rho * std::sin(around)), off, 1e-10) << around;
      const double aroundRod = 1.6 + 0.03 * k, out = kRod + radius + off;
      EXPECT_NEAR(least(kBore - kRod - gap + out * std::cos(aroundRod), out * std::sin(aroundRod)), off,
                  1e-10)
          << aroundRod;
    }
  }
}

}  // namespace
}  // namespace tenon::content::step_products_test
