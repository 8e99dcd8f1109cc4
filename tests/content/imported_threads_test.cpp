// Screw threads in meshes: found with their sizes, whatever the mesh, and not where there are none.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <numbers>
#include <random>

#include "content/mesh/mesh_mass.h"
#include "content/model/hole_sites.h"
#include "content/recognize/recognized_cache.h"
#include "content/recognize/recognized_part.h"
#include "content/recognize/threaded_part.h"
#include "tests/content/mesh_samples.h"
#include "tests/support/thread_meshes.h"

namespace tenon::content::imported_threads_test {
namespace {

using std::numbers::pi;
using tests::ThreadMeshOptions;

/// ISO 68-1 for a size [m]: basic diameters, with the roots of the standard's design profiles.
ThreadMeshOptions sized(double diameter_mm, double pitch_mm, bool isInternal) {
  ThreadMeshOptions o;
  const double d = diameter_mm / 1e3, P = pitch_mm / 1e3;
  o.isInternal = isInternal;
  o.pitch = P;
  o.majorDiameter = isInternal ? d + 0.1 * P : d;
  o.pitchDiameter = d - 0.6495 * P;
  o.minorDiameter = d - (isInternal ? 1.0825 : 1.2269) * P;
  o.length = isInternal ? 6 * P : 10 * P;
  o.across = 1.7 * d;
  o.head = 0.7 * d;
  o.chamfer = 0.7 * P;
  return o;
}

RecognizedPart found(const ThreadMeshOptions& options) {
  const physics::BoundarySolid solid = tests::threadMesh(options);
  return recognize(repairMesh({solid.vertices, solid.triangles}), BoreRule::flats);
}

/// The only thread, which must be used.
const RecognizedThread& only(const RecognizedPart& part) {
  static const RecognizedThread none;
  EXPECT_EQ(part.threads.size(), 1u);
  if (part.threads.empty()) return none;
  EXPECT_EQ(part.threads.front().problem, "");
  return part.threads.front();
}

/// Sizes within `error` [m], and points in the middle of the given teeth in the middle of the found ones.
void expectThread(const RecognizedThread& t, const ThreadMeshOptions& o, double error) {
  EXPECT_EQ(t.thread.isInternal, o.isInternal);
  EXPECT_EQ(t.thread.starts, o.starts);
  EXPECT_EQ(t.thread.isLeftHanded, o.isLeftHanded);
  EXPECT_NEAR(t.thread.pitch, o.pitch, std::min(1e-6, 1e-3 * o.pitch));
  EXPECT_NEAR(t.thread.majorDiameter, o.majorDiameter, error);
  EXPECT_NEAR(t.thread.pitchDiameter, o.pitchDiameter, error);
  EXPECT_NEAR(t.thread.minorDiameter, o.minorDiameter, error);
  const double lead = (o.isLeftHanded ? -1 : 1) * o.starts * o.pitch, r = o.pitchDiameter / 2;
  for (int k = 2; k <= 8; ++k) {
    const double z = 0.1 * k * o.length, angle = o.phase + 2 * pi * z / lead;
    const Vector3d p = t.X_PT.inverse() * (o.X * Vector3d(r * std::cos(angle), r * std::sin(angle), z));
    const double turns = p.z() / t.thread.lead() - (std::atan2(p.y(), p.x()) - t.thread.phase) / (2 * pi);
    EXPECT_LT(std::abs(std::remainder(turns * o.starts, 1)) / o.starts, 0.5 / 360) << k;
    EXPECT_NEAR(p.head<2>().norm(), r, error + 1e-9);
  }
}

physics::Pose somewhere(unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> any(-1, 1);
  return {physics::exponential(3 * Vector3d(any(random), any(random), any(random))),
          0.1 * Vector3d(any(random), any(random), any(random))};
}

TEST(ImportedThreads, SizesOfExactMeshesAreExact) {
  const double sizes[][2] = {{3, 0.5}, {5, 0.8}, {8, 1.25}, {8, 1}, {12, 1.75}, {20, 2.5}};
  unsigned k = 0;
  for (const auto& [d, P] : sizes)
    for (const bool isInternal : {false, true}) {
      ThreadMeshOptions o = sized(d, P, isInternal);
      o.facets = std::array{24, 30, 48, 90, 200}[k % 5];
      o.phase = k;
      o.isLeftHanded = k % 3 == 1;
      o.X = somewhere(k++);
      SCOPED_TRACE(testing::Message() << "M" << d << "x" << P << ' ' << o.facets);
      const RecognizedPart part = found(o);
      const RecognizedThread& t = only(part);
      expectThread(t, o, 2e-9);
      EXPECT_LT(t.worst, 1e-8);
      EXPECT_NEAR(t.facets, o.facets, 0.5);
      EXPECT_EQ(t.thread.pitch, o.pitch);
      EXPECT_EQ(t.thread.halfAngle, pi / 6);
    }
}

TEST(ImportedThreads, ScansWithNoiseAreFoundWithinTheNoise) {
  unsigned k = 0;
  for (const double noise : {1e-6, 5e-6, 20e-6})
    for (const bool isInternal : {false, true}) {
      ThreadMeshOptions o = sized(noise > 5e-6 ? 16 : 8, noise > 5e-6 ? 2 : 1.25, isInternal);
      o.isScan = true;
      o.rows = 8;
      o.facets = 64;
      o.noise = noise;
      o.seed = k;
      o.phase = 2 * k;
      o.X = somewhere(k++);
      SCOPED_TRACE(testing::Message() << "seed " << o.seed << ", noise " << noise);
      const RecognizedPart part = found(o);
      const RecognizedThread& t = only(part);
      // Scans round the edges of the teeth off.
      expectThread(t, o, 1e-6 + 2 * noise);
      EXPECT_NEAR(t.rms, noise, 0.3 * noise);
      EXPECT_LT(t.p99, 3.2 * noise);
    }
}

TEST(ImportedThreads, SeveralStartsAreCounted) {
  for (const int starts : {2, 3}) {
    ThreadMeshOptions o = sized(12, 1.5, false);
    o.starts = starts;
    o.isLeftHanded = starts == 3;
    o.phase = 1;
    const RecognizedPart part = found(o);
    expectThread(only(part), o, 2e-9);
  }
}

TEST(ImportedThreads, PitchesInInchesAreExact) {
  ThreadMeshOptions o = sized(6.35, 25.4 / 20, false);
  o.isScan = true;
  o.noise = 3e-6;
  o.facets = 80;
  const RecognizedPart part = found(o);
  EXPECT_DOUBLE_EQ(only(part).thread.pitch, 25.4e-3 / 20);
}

TEST(ImportedThreads, ABoltKeepsItsHeadTipAndMass) {
  ThreadMeshOptions o = sized(8, 1.25, false);
  o.runOut = 1.5e-3;
  o.X = physics::Pose::at({0.01, 0.02, 0.03});
  const RecognizedPart part = found(o);
  const RecognizedThread& t = only(part);
  const auto* compound = std::get_if<physics::Compound>(&part.shape);
  ASSERT_TRUE(compound && compound->children.size() == 2);
  const auto* rest = std::get_if<physics::BoundarySolid>(&compound->children[0].shape);
  ASSERT_NE(rest, nullptr);
  const auto* solid = std::get_if<physics::SolidOfRevolution>(&compound->children[1].shape);
  ASSERT_TRUE(solid && solid->thread);
  // The run-out stays with the head.
  double low = HUGE_VAL;
  for (const Vector3d& v : rest->vertices) low = std::min(low, v.z());
  EXPECT_NEAR(low, (t.X_PT * Vector3d(0, 0, t.thread.high)).z() + 2e-6, 1e-12);
  EXPECT_LT(low - 0.03, o.length - o.runOut + 1e-9);
  EXPECT_GT(low - 0.03, o.length - o.runOut - 1.5 * o.pitch);
  ASSERT_FALSE(part.features.empty());
  const AxisFeature& tip = part.features.back();
  EXPECT_EQ(tip.name, "end -z");
  EXPECT_LT((tip.origin - o.X.p).norm(), 1e-9);
  EXPECT_LT(t.worst, 1e-8);
  EXPECT_EQ(t.endsAtFace, (std::array{true, false}));
  EXPECT_NEAR(t.thread.ends[0].radius, 4e-3 - o.chamfer, 1e-8);
  EXPECT_NEAR(t.thread.ends[0].length, o.chamfer, 1e-8);
  const physics::BoundarySolid given = tests::threadMesh(o);
  EXPECT_NEAR(part.solid.mass, volumeOf(TriangleMesh{given.vertices, given.triangles}),
              1e-12 * part.solid.mass);
  // The facets of the thread are inside of it.
  EXPECT_NEAR(part.shapeVolume, part.solid.mass, 0.01 * part.solid.mass);
}

TEST(ImportedThreads, HolesOfNutsAndBlindOnesHaveNames) {
  for (const double chamfer : {0.0, 0.9e-3})
    for (const double floor : {0.0, 4e-3}) {
      ThreadMeshOptions o = sized(8, 1.25, true);
      o.chamfer = chamfer;
      o.floor = floor;
      o.runOut = floor > 0 ? 2e-3 : 0;
      o.length = 11e-3;
      SCOPED_TRACE(testing::Message() << chamfer << ' ' << floor);
      const RecognizedPart part = found(o);
      const RecognizedThread& t = only(part);
      EXPECT_LT(t.worst, 1e-8);
      const auto holes = holesOf(part.shape);
      ASSERT_EQ(holes.size(), 1u);
      EXPECT_EQ(holes[0].name, "hole +z");
      EXPECT_NEAR((holes[0].X_PH.p - Vector3d(0, 0, 0.011)).norm(), 0, 1e-9);
      EXPECT_EQ(holes[0].through, floor == 0);
      EXPECT_NEAR(holes[0].diameter(), o.majorDiameter, 8e-6);
      // Threads are on an axis to 1 nm.
      const Vector3d axis = holes[0].X_PH.q * Vector3d::UnitZ();
      EXPECT_LT(axis.cross(t.X_PT.q * Vector3d::UnitZ()).norm(), 1e-14);
      EXPECT_GT(part.exactArea, floor > 0 ? 0.9 : 0.99);
    }
}

TEST(ImportedThreads, WhatCannotBeUsedSaysWhy) {
  const auto problemOf = [](const ThreadMeshOptions& o) {
    const RecognizedPart part = found(o);
    EXPECT_TRUE(std::holds_alternative<physics::BoundarySolid>(part.shape));
    return part.threads.empty() ? std::string() : part.threads.front().problem;
  };
  ThreadMeshOptions o = sized(8, 1.25, false);
  o.facets = 12;
  EXPECT_EQ(problemOf(o), "it has 12 facets a turn, fewer than 16");
  o = sized(8, 1.25, false);
  o.taper = 1.0 / 32;
  EXPECT_EQ(problemOf(o).substr(0, 16), "it is tapered, b");
  o = sized(8, 1.25, false);
  o.halfAngle = 14.5 * pi / 180;
  EXPECT_EQ(problemOf(o), "its flank angle is 29.0°, not 60°");
  // Corners of which some are far off.
  o = sized(8, 1.25, false);
  physics::BoundarySolid solid = tests::threadMesh(o);
  for (Vector3d& p : solid.vertices)
    if (std::abs(p.z() - 6e-3) < 0.1e-3 && std::abs(p.y()) < 0.2e-3 && p.x() > 0) p.head<2>() *= 0.96;
  const RecognizedPart part = recognize(repairMesh({solid.vertices, solid.triangles}), BoreRule::flats);
  ASSERT_EQ(part.threads.size(), 1u);
  EXPECT_EQ(part.threads[0].problem.substr(0, 18), "its faces deviate ");
}

/// A closed solid of the radius r(θ, z) about z.
TriangleMesh radial(double length, int facets, int rows,
                    const std::function<double(double, double)>& radius) {
  TriangleMesh mesh;
  std::vector<std::vector<int>> rings;
  for (int i = 0; i <= rows; ++i) {
    std::vector<Eigen::Vector2d> loop;
    const double z = length * i / rows;
    for (int j = 0; j < facets; ++j) {
      const double theta = 2 * pi * j / facets, r = radius(theta, z);
      loop.emplace_back(r * std::cos(theta), r * std::sin(theta));
    }
    rings.push_back(test::addLoop(loop, z, mesh));
    if (i == 0) continue;
    for (std::size_t j = 0; j < loop.size(); ++j) {
      const std::size_t next = (j + 1) % loop.size();
      const auto &a = rings[rings.size() - 2], &b = rings.back();
      mesh.triangles.push_back({a[j], a[next], b[next]});
      mesh.triangles.push_back({a[j], b[next], b[j]});
    }
  }
  test::addLid(rings.front(), false, mesh);
  test::addLid(rings.back(), true, mesh);
  return mesh;
}

/// A threaded rod M8 of 12 mm about z, without a chamfer, with something cut into it whose corners all lie on
/// the thread or the ends.
class CutRod {
 public:
  enum class Kind { whole, bore, crossHole, slot, flat };
  explicit CutRod(Kind kind) : kind_(kind) {}

  TriangleMesh make() {
    for (int j = 0; j < kColumns; ++j)
      for (int i = 0; i <= kRows; ++i) mesh_.vertices.push_back(point(j, kLength * i / kRows));
    for (int j = 0; j < kColumns; ++j)
      for (int i = 0; i < kRows; ++i)
        if (!isGone(j, i)) quad(at(j, i), at(j + 1, i), at(j + 1, i + 1), at(j, i + 1));
    if (kind_ == Kind::crossHole || kind_ == Kind::slot) makeTunnel();
    if (kind_ == Kind::bore) {
      makeBore();
    } else {
      test::addLid(row(0, kColumns - 1, kRows), true, mesh_);
      if (kind_ != Kind::slot) test::addLid(row(0, kColumns - 1, 0), false, mesh_);
    }
    return mesh_;
  }

 private:
  static constexpr int kColumns = 48, kRows = 160, kHalf = 3;
  static constexpr double kLength = 12e-3, kPitch = 1.25e-3, kCrest = 4e-3, kRoot = 3.233e-3, kFlat = 2.9e-3;

  static double radius(double theta, double z) {
    const double away = std::remainder(z - kPitch * theta / (2 * pi), kPitch);
    return std::clamp(3.594e-3 - (std::abs(away) - kPitch / 4) / std::tan(pi / 6), kRoot, kCrest);
  }

  /// Angle at which the flat ends, at y > 0 or < 0.
  static double edge(double z, double side) {
    double low = std::acos(kFlat / kRoot), high = std::acos(kFlat / kCrest);
    for (int k = 0; k < 60; ++k) {
      const double middle = 0.5 * (low + high);
      (radius(side * middle, z) * std::cos(middle) > kFlat ? low : high) = middle;
    }
    return side * low;
  }

  Vector3d point(int j, double z) const {
    double theta = 2 * pi * j / kColumns;
    if (kind_ == Kind::flat) {
      const double first = edge(z, 1), last = edge(z, -1) + 2 * pi;
      theta = first + (last - first) * j / (kColumns - 1);
    }
    const double r = radius(theta, z);
    return {r * std::cos(theta), r * std::sin(theta), z};
  }

  int firstRow() const { return kind_ == Kind::slot ? 0 : 65; }
  int lastRow() const { return kind_ == Kind::slot ? 27 : 95; }
  bool isGone(int j, int i) const {
    if (kind_ != Kind::crossHole && kind_ != Kind::slot) return false;
    const int fromAxis = (j + kHalf) % (kColumns / 2);
    return fromAxis < 2 * kHalf && i >= firstRow() && i < lastRow();
  }

  static int at(int j, int i) { return ((j + kColumns) % kColumns) * (kRows + 1) + i; }
  void quad(int a, int b, int c, int d) {
    mesh_.triangles.push_back({a, b, c});
    mesh_.triangles.push_back({a, c, d});
  }
  static std::vector<int> row(int from, int to, int i) {
    std::vector<int> loop;
    for (int j = from; j <= to; ++j) loop.push_back(at(j, i));
    return loop;
  }

  /// From the gap at θ = 0 to that at θ = π.
  void makeTunnel() {
    const auto wall = [&](int j, int i, int nextJ, int nextI) {
      constexpr int h = kColumns / 2;
      quad(at(j, i), at(nextJ, nextI), at(h - nextJ, nextI), at(h - j, i));
    };
    for (int i = firstRow(); i < lastRow(); ++i) {
      wall(kHalf, i, kHalf, i + 1);
      wall(-kHalf, i + 1, -kHalf, i);
    }
    for (int j = -kHalf; j < kHalf; ++j) {
      wall(j + 1, lastRow(), j, lastRow());
      if (kind_ != Kind::slot) wall(j, firstRow(), j + 1, firstRow());
    }
    if (kind_ != Kind::slot) return;
    test::addLid(row(kHalf, kColumns / 2 - kHalf, 0), false, mesh_);
    test::addLid(row(kColumns / 2 + kHalf, kColumns - kHalf, 0), false, mesh_);
  }

  void makeBore() {
    const auto loop = test::polygon(1.5e-3, kColumns);
    const auto low = test::addLoop(loop, 0, mesh_), high = test::addLoop(loop, kLength, mesh_);
    for (int j = 0; j < kColumns; ++j) {
      const auto k = static_cast<std::size_t>(j), next = static_cast<std::size_t>((j + 1) % kColumns);
      quad(low[k], low[next], at(j + 1, 0), at(j, 0));
      quad(high[next], high[k], at(j, kRows), at(j + 1, kRows));
      quad(low[next], low[k], high[k], high[next]);
    }
  }

  Kind kind_;
  TriangleMesh mesh_;
};

TEST(ImportedThreads, BoresCrossHolesSlotsAndFlatsAreNotFilled) {
  using Kind = CutRod::Kind;
  for (const Kind kind : {Kind::whole, Kind::bore, Kind::crossHole, Kind::slot, Kind::flat}) {
    SCOPED_TRACE(static_cast<int>(kind));
    const RepairedMesh mesh = repairMesh(CutRod(kind).make());
    ASSERT_TRUE(mesh.report.isClosed());
    ASSERT_GT(volumeOf(mesh.mesh), 0);
    const RecognizedPart part = recognize(mesh, BoreRule::flats);
    ASSERT_EQ(part.threads.size(), 1u);
    if (kind == Kind::whole)
      EXPECT_EQ(part.threads[0].problem, "");
    else
      EXPECT_EQ(part.threads[0].problem.substr(0, 29), "other faces cross the thread ");
    EXPECT_NEAR(part.shapeVolume, volumeOf(mesh.mesh), 0.005 * part.shapeVolume);
  }
}

/// A block of 20 mm with a hole from z = 20 mm down: 10 mm wide for 5 mm, M8 for 7 mm, 6 mm wide for 5 mm.
/// Open below, it has a floor 3 mm above the bottom.
TriangleMesh tappedBelowClearance() {
  TriangleMesh mesh;
  constexpr int kColumns = 48, kRows = 112;
  const auto ring = [&](double z, const std::function<double(double)>& radius) {
    std::vector<Eigen::Vector2d> loop;
    for (int j = 0; j < kColumns; ++j) {
      const double theta = 2 * pi * j / kColumns;
      loop.push_back(radius(theta) * Eigen::Vector2d(std::cos(theta), std::sin(theta)));
    }
    return test::addLoop(loop, z, mesh);
  };
  const auto round = [&](double z, double r) { return ring(z, [r](double) { return r; }); };
  const std::vector<Eigen::Vector2d> square{
      {0.012, 0.012}, {-0.012, 0.012}, {-0.012, -0.012}, {0.012, -0.012}};
  const auto top = test::addLoop(square, 0.02, mesh), bottom = test::addLoop(square, 0, mesh);
  test::addBetween(top, bottom, mesh);
  test::addLid(bottom, false, mesh);
  std::vector<std::vector<int>> rings{round(0.02, 5e-3), round(0.015, 5e-3)};
  for (int i = 0; i <= kRows; ++i) {
    const double z = 0.015 - 0.007 * i / kRows;
    rings.push_back(ring(z, [z](double theta) {
      const double away = std::remainder(z - 1.25e-3 * theta / (2 * pi), 1.25e-3);
      return std::clamp(3.594e-3 + (std::abs(away) - 1.25e-3 / 4) / std::tan(pi / 6), 3.324e-3, 4.06e-3);
    }));
  }
  rings.push_back(round(0.008, 3e-3));
  rings.push_back(round(0.003, 3e-3));
  test::addBetween(rings.front(), top, mesh);
  for (std::size_t i = 0; i + 1 < rings.size(); ++i)
    for (std::size_t j = 0; j < kColumns; ++j) {
      const std::size_t next = (j + 1) % kColumns;
      mesh.triangles.push_back({rings[i][j], rings[i + 1][next], rings[i + 1][j]});
      mesh.triangles.push_back({rings[i][j], rings[i][next], rings[i + 1][next]});
    }
  test::addLid(rings.back(), true, mesh);
  return mesh;
}

TEST(ImportedThreads, ATappedHoleKeepsItsClearanceBoreAndPilot) {
  const RepairedMesh mesh = repairMesh(tappedBelowClearance());
  ASSERT_TRUE(mesh.report.isClosed());
  const RecognizedPart part = recognize(mesh, BoreRule::flats);
  only(part);
  const auto holes = holesOf(part.shape);
  ASSERT_EQ(holes.size(), 1u);
  EXPECT_EQ(holes[0].name, "hole +z");
  EXPECT_FALSE(holes[0].through);
  EXPECT_LT((holes[0].X_PH.p - Vector3d(0, 0, 0.02)).norm(), 1e-9);
  const auto& profile = holes[0].profile;
  std::string text;
  for (const auto& p : profile) text += fmt::format("{:.3f} {:.3f}\n", p.x() * 1e3, p.y() * 1e3);
  SCOPED_TRACE(text);
  ASSERT_GE(profile.size(), 7u);
  EXPECT_LT((profile[1] - Eigen::Vector2d(-5e-3, 5e-3)).norm(), 20e-6);
  EXPECT_LT((profile[2] - Eigen::Vector2d(-5e-3, 4.06e-3)).norm(), 20e-6);
  EXPECT_NEAR(profile[3].y(), 4.06e-3, 20e-6);  // its rows miss the edges of the roots
  EXPECT_LT(profile[3].x(), -10e-3);
  EXPECT_LT((profile.back() - Eigen::Vector2d(-17e-3, 0)).norm(), 1e-6);
}

double wave(double x) {  // a triangle's, −1 to 1
  return 2 / pi * std::asin(std::sin(x));
}

TriangleMesh spring(double radius, double wire, double pitch, double turns, int facets) {
  TriangleMesh mesh;
  std::vector<int> before;
  const int steps = static_cast<int>(turns * facets);
  for (int i = 0; i <= steps; ++i) {
    const double theta = 2 * pi * i / facets;
    const Vector3d out(std::cos(theta), std::sin(theta), 0);
    std::vector<int> ring;
    for (int k = 0; k < 16; ++k) {
      const double angle = 2 * pi * k / 16;
      ring.push_back(static_cast<int>(mesh.vertices.size()));
      mesh.vertices.push_back((radius + wire * std::cos(angle)) * out +
                              Vector3d(0, 0, pitch * theta / (2 * pi) + wire * std::sin(angle)));
    }
    for (std::size_t k = 0; i > 0 && k < 16; ++k) {
      const std::size_t next = (k + 1) % 16;
      mesh.triangles.push_back({before[k], ring[k], ring[next]});
      mesh.triangles.push_back({before[k], ring[next], before[next]});
    }
    if (i == 0 || i == steps)
      for (std::size_t k = 1; k + 1 < 16; ++k)
        mesh.triangles.push_back(i == 0 ? std::array{ring[0], ring[k], ring[k + 1]}
                                        : std::array{ring[0], ring[k + 1], ring[k]});
    before = ring;
  }
  return mesh;
}

TEST(ImportedThreads, GearsKnurlsSpringsAndSmoothPartsHaveNone) {
  const std::vector<std::pair<const char*, TriangleMesh>> others{
      {"cylinder", radial(0.03, 48, 60, [](double, double) { return 4e-3; })},
      {"rings",
       radial(0.02, 48, 320, [](double, double z) { return 4e-3 + 0.3e-3 * wave(2 * pi * z / 1.25e-3); })},
      {"gear", radial(0.01, 240, 20, [](double a, double) { return 8e-3 + 0.5e-3 * wave(20 * a); })},
      {"helical gear",
       radial(0.01, 240, 20, [](double a, double z) { return 8e-3 + 0.5e-3 * wave(20 * a + 300 * z); })},
      {"knurl", radial(0.01, 300, 50,
                       [](double a, double z) {
                         return 6e-3 + 0.1e-3 * std::max(wave(30 * a + 4000 * z), wave(30 * a - 4000 * z));
                       })},
      {"twisted",
       radial(0.03, 100, 60, [](double a, double z) { return 6e-3 + 1e-3 * std::cos(2 * (a - 200 * z)); })},
      {"spring", spring(6e-3, 0.8e-3, 2.5e-3, 8, 48)},
      {"tight spring", spring(5e-3, 0.5e-3, 1.05e-3, 8, 60)}};
  for (const auto& [name, mesh] : others) {
    const RepairedMesh fixed = repairMesh(mesh);
    ASSERT_TRUE(fixed.report.isClosed()) << name;
    for (const RecognizedThread& t : recognize(fixed, BoreRule::flats).threads)
      EXPECT_FALSE(t.isUsed()) << name << ", pitch " << t.thread.pitch;
  }
}

/// Part of a rod along z with a thread about it, seen from the height `low`.
struct RodSection {
  double low = 0, high = 0, diameter = 0, pitch = 0;  ///< [m]; no pitch: smooth
  double halfAngle = pi / 6;
  bool isLeftHanded = false;

  double radius(double theta, double z) const {
    if (pitch == 0) return diameter / 2;
    const double away = std::remainder(z - (isLeftHanded ? -1 : 1) * pitch * theta / (2 * pi), pitch);
    const double middle = diameter / 2 - 0.32476 * pitch;
    return std::clamp(middle - (std::abs(away) - pitch / 4) / std::tan(halfAngle), middle - 0.28868 * pitch,
                      diameter / 2);
  }
};

RecognizedPart rodOf(const std::vector<RodSection>& sections) {
  const double length = sections.back().high;
  const auto radius = [&](double theta, double z) {
    for (const RodSection& s : sections)
      if (z <= s.high + 1e-9) return s.radius(theta, z);
    return sections.back().radius(theta, z);
  };
  const RepairedMesh mesh = repairMesh(radial(length, 48, static_cast<int>(length / 0.1e-3), radius));
  EXPECT_TRUE(mesh.report.isClosed());
  return recognize(mesh, BoreRule::flats);
}

const RecognizedThread* withPitch(const RecognizedPart& part, double pitch) {
  for (const RecognizedThread& t : part.threads)
    if (std::abs(t.thread.pitch - pitch) < 1e-3 * pitch) return &t;
  return nullptr;
}

TEST(ImportedThreads, TwoOnOneAxisAreBothFound) {
  const RecognizedPart part =
      rodOf({{0, 0.014, 8e-3, 1.25e-3}, {0.014, 0.018, 9e-3}, {0.018, 0.03, 6e-3, 1e-3, pi / 6, true}});
  ASSERT_EQ(part.threads.size(), 2u);
  const RecognizedThread *coarse = withPitch(part, 1.25e-3), *fine = withPitch(part, 1e-3);
  ASSERT_TRUE(coarse && fine);
  EXPECT_EQ(coarse->problem, "");
  EXPECT_EQ(fine->problem, "");
  EXPECT_FALSE(coarse->thread.isLeftHanded);
  EXPECT_TRUE(fine->thread.isLeftHanded);
  EXPECT_NEAR(coarse->thread.pitchDiameter, 8e-3 - 0.6495e-3 * 1.25, 2e-6);
  EXPECT_NEAR(fine->thread.pitchDiameter, 6e-3 - 0.6495e-3, 2e-6);
}

// Turns that are left of the larger ones lie beside the smallest.
TEST(ImportedThreads, ThreeOnOneAxisAreFound) {
  physics::BoundarySolid all;
  double z = 0;
  for (const auto& [diameter, pitch] : {std::pair{8.0, 1.25}, {10.0, 1.5}, {12.0, 1.75}}) {
    ThreadMeshOptions o = sized(diameter, pitch, false);
    if (diameter < 12) o.head = 0;
    o.X = physics::Pose::at({0, 0, z});
    z += o.length;
    const physics::BoundarySolid one = tests::threadMesh(o);
    const int first = static_cast<int>(all.vertices.size());
    all.vertices.insert(all.vertices.end(), one.vertices.begin(), one.vertices.end());
    for (const auto& t : one.triangles) all.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
  }
  const RecognizedPart part = recognize(repairMesh({all.vertices, all.triangles}), BoreRule::flats);
  ASSERT_EQ(part.threads.size(), 3u);
  for (const double pitch : {1.25e-3, 1.5e-3, 1.75e-3}) {
    const RecognizedThread* const found = withPitch(part, pitch);
    ASSERT_TRUE(found) << pitch;
    EXPECT_EQ(found->problem, "");
    EXPECT_GT(found->turns, 7.5);
  }
}

// The one that cannot be used is longer, so that it is found first.
TEST(ImportedThreads, OneThatCannotBeUsedHidesNoOtherOnItsAxis) {
  for (const double diameter : {8e-3, 6e-3}) {
    SCOPED_TRACE(diameter);
    const RecognizedPart part = rodOf(
        {{0, 0.02, 8e-3, 1.25e-3, 14.5 * pi / 180}, {0.02, 0.024, 9e-3}, {0.024, 0.034, diameter, 1e-3}});
    ASSERT_EQ(part.threads.size(), 2u);
    const RecognizedThread *refused = withPitch(part, 1.25e-3), *used = withPitch(part, 1e-3);
    ASSERT_TRUE(refused && used);
    EXPECT_EQ(refused->problem.substr(0, 18), "its flank angle is");
    EXPECT_NE(refused->remedy.find("\"threads\": \"facets\""), std::string::npos);
    EXPECT_EQ(used->problem, "");
    EXPECT_NEAR(used->thread.pitchDiameter, diameter - 0.6495e-3, 2e-6);
  }
}

TEST(ImportedThreads, OneIsUsedBesideATrapezoidalOneOnItsAxis) {
  const RecognizedPart part =
      rodOf({{0, 0.02, 8e-3, 1.25e-3}, {0.02, 0.024, 9e-3}, {0.024, 0.034, 8e-3, 1.5e-3, 15 * pi / 180}});
  const RecognizedThread* const used = withPitch(part, 1.25e-3);
  ASSERT_TRUE(used);
  EXPECT_EQ(used->problem, "");
  EXPECT_NEAR(used->thread.pitchDiameter, 7.188e-3, 2e-6);
  for (const RecognizedThread& found : part.threads) EXPECT_EQ(found.thread.starts, 1) << "no harmonics";
}

TEST(ImportedThreads, NoneIsSearchedIfFacetsAreToCollide) {
  ThreadMeshOptions o = sized(8, 1.25, false);
  const physics::BoundarySolid solid = tests::threadMesh(o);
  const RepairedMesh mesh = repairMesh({solid.vertices, solid.triangles});
  const RecognizedPart part = recognize(mesh, BoreRule::flats, nullptr, ThreadRule::facets);
  EXPECT_TRUE(part.threads.empty());
  EXPECT_TRUE(std::holds_alternative<physics::BoundarySolid>(part.shape));
  EXPECT_NEAR(part.shapeVolume, volumeOf(mesh.mesh), 1e-3 * part.shapeVolume);
}

TEST(ImportedThreads, ThoseOfOpenMeshesAreListed) {
  for (const bool isInternal : {false, true}) {
    ThreadMeshOptions o = sized(8, 1.25, isInternal);
    o.phase = 0.5;
    physics::BoundarySolid solid = tests::threadMesh(o);
    // Without the faces of one side across the axis.
    std::erase_if(solid.triangles, [&](const auto& t) {
      return std::all_of(t.begin(), t.end(), [&](int v) {
        return solid.vertices[static_cast<std::size_t>(v)].z() >
               (isInternal ? o.length : o.length + o.head) - 1e-9;
      });
    });
    const RepairedMesh mesh = repairMesh({solid.vertices, solid.triangles});
    ASSERT_FALSE(mesh.report.isClosed());
    const RecognizedPart part = recognize(mesh, BoreRule::flats);
    ASSERT_EQ(part.threads.size(), 1u);
    const RecognizedThread& t = part.threads.front();
    EXPECT_EQ(t.problem, "the surface is not closed");
    EXPECT_EQ(t.remedy, "close it in CAD and export it again");
    EXPECT_EQ(t.thread.isInternal, isInternal);
    EXPECT_EQ(t.thread.pitch, o.pitch);
    EXPECT_NEAR(t.thread.pitchDiameter, o.pitchDiameter, 2e-9);
    EXPECT_TRUE(recognize(mesh, BoreRule::flats, nullptr, ThreadRule::facets).threads.empty());
  }
}

/// A square tile of a plate with a through hole of `radius(θ, z)`.
void addTile(const Vector3d& middle, double side, double height, int rows,
             const std::function<double(double, double)>& radius, TriangleMesh& mesh) {
  constexpr int kColumns = 48;
  TriangleMesh tile;
  std::vector<std::vector<int>> rings;
  for (int i = 0; i <= rows; ++i) {
    const double z = height * i / rows;
    std::vector<Eigen::Vector2d> loop;
    for (int j = 0; j < kColumns; ++j) {
      const double theta = 2 * pi * j / kColumns;
      loop.push_back(radius(theta, z) * Eigen::Vector2d(std::cos(theta), std::sin(theta)));
    }
    rings.push_back(test::addLoop(loop, z, tile));
  }
  const double h = side / 2;
  const std::vector<Eigen::Vector2d> square{{h, h}, {-h, h}, {-h, -h}, {h, -h}};
  const auto bottom = test::addLoop(square, 0, tile), top = test::addLoop(square, height, tile);
  test::addBetween(rings.back(), top, tile);
  const auto firstOfBottom = tile.triangles.size();
  test::addBetween(rings.front(), bottom, tile);
  for (std::size_t t = firstOfBottom; t < tile.triangles.size(); ++t)
    std::swap(tile.triangles[t][1], tile.triangles[t][2]);
  for (std::size_t i = 0; i + 1 < rings.size(); ++i)
    for (std::size_t j = 0; j < kColumns; ++j) {
      const std::size_t next = (j + 1) % kColumns;
      tile.triangles.push_back({rings[i][j], rings[i + 1][next], rings[i][next]});
      tile.triangles.push_back({rings[i][j], rings[i + 1][j], rings[i + 1][next]});
    }
  test::addBetween(top, bottom, tile);
  const int first = static_cast<int>(mesh.vertices.size());
  for (const Vector3d& p : tile.vertices) mesh.vertices.push_back(p + middle);
  for (const auto& t : tile.triangles) mesh.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
}

TEST(ImportedThreads, ThoseOfALargePlateWithManyHolesAreFound) {
  constexpr int kCount = 7;  // holes along each side
  constexpr double kSide = 12e-3, kHeight = 6e-3, kPitch = 1e-3;
  TriangleMesh mesh;
  const auto isTapped = [](int i, int j) { return (i == 0 && j == 0) || (i == 5 && (j == 3 || j == 6)); };
  // Countersunk ones have axes and cones as threads do.
  const auto countersunk = [](double, double z) { return 3.3e-3 + std::max(0.0, z - 4.5e-3); };
  const auto tapped = [](double theta, double z) {
    const double away = std::remainder(z - kPitch * theta / (2 * pi), kPitch);
    const double r =
        std::clamp(2.675e-3 + (std::abs(away) - kPitch / 4) / std::tan(pi / 6), 2.459e-3, 3.05e-3);
    return std::max(r, 3.2e-3 - std::min(z, kHeight - z));
  };
  for (int i = 0; i < kCount; ++i)
    for (int j = 0; j < kCount; ++j)
      addTile(kSide * Vector3d(i, j, 0), kSide, kHeight, isTapped(i, j) ? 96 : 12,
              isTapped(i, j) ? std::function<double(double, double)>(tapped) : countersunk, mesh);
  // The walls between tiles are double, and go.
  const RepairedMesh plate = [&] {
    TriangleMesh open;
    open.vertices = mesh.vertices;
    const auto isBetween = [&](const std::array<int, 3>& t) {
      for (int axis : {0, 1}) {
        const auto at = [&](int k) {
          return mesh.vertices[static_cast<std::size_t>(t[static_cast<std::size_t>(k)])][axis] / kSide + 0.5;
        };
        const double place = std::round(at(0));
        if (place < 0.5 || place > kCount - 0.5) continue;
        if (std::abs(at(0) - place) + std::abs(at(1) - place) + std::abs(at(2) - place) < 1e-9) return true;
      }
      return false;
    };
    for (const auto& t : mesh.triangles)
      if (!isBetween(t)) open.triangles.push_back(t);
    return repairMesh(open);
  }();
  ASSERT_TRUE(plate.report.isClosed());
  const Facets facets(plate);
  const std::vector<Region> regions = smoothRegions(facets);
  const ThreadsOfMesh found = threadsOfMesh(facets, regions, revolvedGroups(facets, regions, BoreRule::flats),
                                            BoreRule::flats, nullptr);
  EXPECT_EQ(found.unsearchedAxes, 0);
  ASSERT_EQ(found.threads.size(), 3u);
  for (const RecognizedThread& t : found.threads) {
    EXPECT_EQ(t.problem, "");
    EXPECT_TRUE(t.thread.isInternal);
    EXPECT_EQ(t.thread.pitch, kPitch);
    const Vector3d tile = t.X_PT.p / kSide;
    EXPECT_TRUE(isTapped(static_cast<int>(std::lround(tile.x())), static_cast<int>(std::lround(tile.y()))));
    EXPECT_NEAR(tile.x(), std::round(tile.x()), 1e-4);
    EXPECT_NEAR(tile.y(), std::round(tile.y()), 1e-4);
  }
}

TEST(ImportedThreads, AxesBeyondTheLimitAreCounted) {
  TriangleMesh mesh;
  constexpr int kCones = 300;
  for (int k = 0; k < kCones; ++k) {
    const TriangleMesh cone = test::turnedMesh({{0, 0}, {0, 5e-3}, {3e-3, 2e-3}, {3e-3, 0}}, 36);
    const int first = static_cast<int>(mesh.vertices.size());
    const Vector3d at(0.02 * (k % 20), 0.001 * (k - k % 20), 0);
    for (const Vector3d& p : cone.vertices) mesh.vertices.push_back(p + at);
    for (const auto& t : cone.triangles) mesh.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
  }
  const RepairedMesh fixed = repairMesh(mesh);
  const Facets facets(fixed);
  const std::vector<Region> regions = smoothRegions(facets);
  const std::vector<RevolvedGroup> groups = revolvedGroups(facets, regions, BoreRule::flats);
  const ThreadAxes axes = threadAxes(facets, regions, groups);
  EXPECT_EQ(axes.axes.size(), kMaxThreadAxes);
  EXPECT_EQ(static_cast<int>(axes.axes.size()) + axes.unsearched, kCones + 3);  // and of inertia
  const ThreadsOfMesh found = threadsOfMesh(facets, regions, groups, BoreRule::flats, nullptr);
  EXPECT_TRUE(found.threads.empty());
  EXPECT_EQ(found.unsearchedAxes, axes.unsearched);
}

// Its rows miss the edges of the roots, which are wider at the faces.
TEST(ImportedThreads, AHoleWithoutCountersinksIsCutAtItsFaces) {
  TriangleMesh mesh;
  constexpr double kPitch = 1e-3;
  const auto tapped = [](double theta, double z) {
    const double away = std::remainder(z - kPitch * theta / (2 * pi), kPitch);
    return std::clamp(2.675e-3 + (std::abs(away) - kPitch / 4) / std::tan(pi / 6), 2.459e-3, 3.05e-3);
  };
  addTile(Vector3d::Zero(), 12e-3, 6e-3, 96, tapped, mesh);
  const RepairedMesh fixed = repairMesh(mesh);
  ASSERT_TRUE(fixed.report.isClosed());
  const RecognizedPart part = recognize(fixed, BoreRule::flats);
  const RecognizedThread& t = only(part);
  EXPECT_EQ(t.endsAtFace, (std::array{true, true}));
  EXPECT_EQ(t.thread.pitch, kPitch);
  EXPECT_NEAR(t.thread.pitchDiameter, 5.35e-3, 1e-7);
}

TEST(ImportedThreads, AreInTheCache) {
  ThreadMeshOptions o = sized(6, 1, true);
  o.facets = 24;
  const RecognizedPart part = found(o);
  const std::string text = toCacheText(part);
  const auto back = fromCacheText(text);
  ASSERT_TRUE(back && back->threads.size() == 1);
  EXPECT_EQ(toCacheText(*back), text);
  EXPECT_EQ(back->threads.front().thread.pitchDiameter, part.threads.front().thread.pitchDiameter);
}

// Subdivided meshes, as for simulators with signed distances: vertices inside of flat facets are off the
// thread.
TEST(ImportedThreads, SubdividedFacetsChangeNothing) {
  ThreadMeshOptions o = sized(16, 2, false);
  o.facets = 32;
  o.rows = 1;
  const physics::BoundarySolid solid = tests::threadMesh(o);
  TriangleMesh fine{solid.vertices, {}};
  std::map<std::pair<int, int>, int> middles;
  const auto middle = [&](int a, int b) {
    const auto [at, isNew] = middles.try_emplace(std::minmax(a, b), static_cast<int>(fine.vertices.size()));
    if (isNew)
      fine.vertices.push_back(
          0.5 * (fine.vertices[static_cast<std::size_t>(a)] + fine.vertices[static_cast<std::size_t>(b)]));
    return at->second;
  };
  for (const auto& [a, b, c] : solid.triangles) {
    const int p = middle(a, b), q = middle(b, c), r = middle(c, a);
    for (const auto& t : {std::array{a, p, r}, {p, b, q}, {r, q, c}, {p, q, r}}) fine.triangles.push_back(t);
  }
  const RecognizedPart part = recognize(repairMesh(fine), BoreRule::flats);
  expectThread(only(part), o, 1e-6);
}

}  // namespace
}  // namespace tenon::content::imported_threads_test
