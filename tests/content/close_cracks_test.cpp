// T-junctions and cracks from rounding are closed; real gaps stay open and are reported with number and
// position.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>
#include <vector>

#include "content/mesh/mesh_mass.h"
#include "content/mesh/mesh_report_text.h"
#include "content/mesh/repair_mesh.h"
#include "content/recognize/recognized_part.h"
#include "physics/collision/brep/solid_contacts.h"
#include "physics/collision/brep/solid_of_shape.h"
#include "tests/content/mesh_samples.h"

namespace tenon::content {
namespace {

/// A box whose upper face is split at x = `at`, unlike its front and back: T-junctions at both ends of the
/// split, `off` [m] from the edges.
TriangleMesh boxWithTJoints(double at, double off = 0) {
  TriangleMesh mesh;
  test::addBox({0.04, 0.02, 0.01}, {0, 0, 0}, mesh);
  // Upper face: corners 4, 5, 7, 6.
  std::erase_if(mesh.triangles, [&](const std::array<int, 3>& t) {
    return std::all_of(t.begin(), t.end(), [](int v) { return v >= 4; });
  });
  const int front = 8, back = 9;
  mesh.vertices.emplace_back(at, off, 0.01);
  mesh.vertices.emplace_back(at, 0.02, 0.01);
  for (const auto& t : {std::array{4, front, back}, {4, back, 6}, {front, 5, 7}, {front, 7, back}})
    mesh.triangles.push_back(t);
  return mesh;
}

TEST(CloseCracks, EdgesAreSplitAtVerticesOfNeighbors) {
  const RepairedMesh mesh = repairMesh(boxWithTJoints(0.013));
  EXPECT_TRUE(mesh.report.isClosed());
  EXPECT_EQ(mesh.report.splitEdges, 2U);
  EXPECT_NEAR(volumeOf(mesh.mesh), 8e-6, 1e-18);
  EXPECT_EQ(mesh.sources.size(), mesh.mesh.triangles.size());
  const auto words = describeMeshReport(mesh.report);
  ASSERT_EQ(words.size(), 1U);
  EXPECT_EQ(words[0], "2 vertices on edges of other triangles: joined to them, without loss");
}

/// A box of 20 x 20 x 10 mm. Triangles of the height `narrow` [m] lie on its upper face along the front edge:
/// their corners are next to the middles of other edges.
TriangleMesh boxWithNarrowTriangles(double narrow) {
  TriangleMesh mesh;
  test::addBox({0.02, 0.02, 0.01}, {0, 0, 0}, mesh);
  // Upper face: corners 4, 5, 7, 6.
  std::erase_if(mesh.triangles, [](const std::array<int, 3>& t) {
    return std::all_of(t.begin(), t.end(), [](int v) { return v >= 4; });
  });
  mesh.vertices.emplace_back(0.005, narrow, 0.01);
  mesh.vertices.emplace_back(0.01, narrow, 0.01);
  for (const auto& t : {std::array{4, 5, 9}, {4, 9, 8}, {5, 7, 9}, {9, 7, 8}, {7, 6, 8}, {6, 4, 8}})
    mesh.triangles.push_back(t);
  return mesh;
}

/// The mesh with each edge split at its middle in one of its triangles, the first one from `from` on.
TriangleMesh splitOnOneSide(const TriangleMesh& mesh, std::size_t from) {
  TriangleMesh out{mesh.vertices, {}};
  std::set<std::pair<int, int>> split;
  for (std::size_t k = 0; k < mesh.triangles.size(); ++k) {
    const std::array<int, 3>& t = mesh.triangles[(from + k) % mesh.triangles.size()];
    std::vector<int> corners;
    for (std::size_t side = 0; side < 3; ++side) {
      const int a = t[side], b = t[(side + 1) % 3];
      corners.push_back(a);
      if (!split.insert(std::minmax(a, b)).second) continue;
      corners.push_back(static_cast<int>(out.vertices.size()));
      out.vertices.push_back(
          0.5 * (mesh.vertices[static_cast<std::size_t>(a)] + mesh.vertices[static_cast<std::size_t>(b)]));
    }
    // Cuts off corners between two middles, then the rest is a fan from a corner, or from a middle.
    for (std::size_t c = 0; c < corners.size() && corners.size() > 3;) {
      const std::size_t n = corners.size(), before = (c + n - 1) % n, after = (c + 1) % n;
      const auto isMiddle = [&](std::size_t at) {
        return corners[at] >= static_cast<int>(mesh.vertices.size());
      };
      if (isMiddle(c) || !isMiddle(before) || !isMiddle(after)) {
        ++c;
        continue;
      }
      out.triangles.push_back({corners[before], corners[c], corners[after]});
      corners.erase(corners.begin() + static_cast<std::ptrdiff_t>(c));
    }
    if (corners.size() == 4) {  // a corner that is opposite a middle
      std::size_t c = 0;
      while (corners[(c + 2) % 4] < static_cast<int>(mesh.vertices.size())) ++c;
      out.triangles.push_back({corners[c], corners[(c + 1) % 4], corners[(c + 2) % 4]});
      out.triangles.push_back({corners[c], corners[(c + 2) % 4], corners[(c + 3) % 4]});
    } else {
      out.triangles.push_back({corners[0], corners[1], corners[2]});
    }
  }
  return out;
}

/// The corners of the triangles, each from its least one on, sorted.
std::vector<std::array<std::array<double, 3>, 3>> sortedTriangles(const TriangleMesh& mesh) {
  std::vector<std::array<std::array<double, 3>, 3>> list;
  for (const auto& t : mesh.triangles) {
    std::array<std::array<double, 3>, 3> corners;
    for (std::size_t k = 0; k < 3; ++k) {
      const Vector3d& p = mesh.vertices[static_cast<std::size_t>(t[k])];
      corners[k] = {p.x(), p.y(), p.z()};
    }
    std::rotate(corners.begin(), std::min_element(corners.begin(), corners.end()), corners.end());
    list.push_back(corners);
  }
  std::sort(list.begin(), list.end());
  return list;
}

// Triangles narrower than the cracks that are closed, and than the weld distance (2 nm).
TEST(CloseCracks, ExactTJointsBesideNarrowTrianglesLeaveTheMeshAsItWas) {
  for (const double narrow : {1e-9, 0.5e-6, 1e-6, 2e-6}) {
    const TriangleMesh mesh = boxWithNarrowTriangles(narrow);
    ASSERT_TRUE(repairMesh(mesh).report.isClean()) << narrow;
    for (std::size_t from = 0; from < mesh.triangles.size(); ++from) {
      const RepairedMesh joined = repairMesh(splitOnOneSide(mesh, from));
      EXPECT_TRUE(joined.report.isClosed()) << narrow << " " << from;
      EXPECT_EQ(joined.report.splitEdges, mesh.triangles.size() * 3 / 2) << narrow << " " << from;
      EXPECT_EQ(joined.report.joinedVertices, 0U) << narrow << " " << from;
      EXPECT_LT(joined.report.splitOffset, 1e-15) << narrow << " " << from;  // the rounding of 20 mm
      EXPECT_EQ(sortedTriangles(joined.mesh), sortedTriangles(mesh)) << narrow << " " << from;
    }
  }
}

TEST(CloseCracks, TJointsOnAnEdgeWhereBodiesTouchAreSplit) {
  TriangleMesh mesh;
  test::addBox({0.02, 0.02, 0.01}, {0, 0, 0}, mesh);
  test::addBox({0.02, 0.02, 0.01}, {0.02, 0.02, 0}, mesh);
  for (auto& t : mesh.triangles)  // one of the four triangles at the common edge is split
    for (int& v : t) v = v == 8 ? 3 : v == 12 ? 7 : v;
  ASSERT_EQ(repairMesh(mesh).report.bodies, 2U);
  for (std::size_t from = 0; from < mesh.triangles.size(); ++from) {
    const RepairedMesh joined = repairMesh(splitOnOneSide(mesh, from));
    EXPECT_TRUE(joined.report.isClosed()) << from;
    EXPECT_EQ(joined.report.bodies, 2U) << from;
    EXPECT_NEAR(volumeOf(joined.mesh), 8e-6, 1e-18) << from;
  }
}

TEST(CloseCracks, AnyTrianglesOfAnEdgeWhereBodiesTouchMayBeSplit) {
  TriangleMesh mesh;
  test::addBox({0.02, 0.02, 0.01}, {0, 0, 0}, mesh);
  test::addBox({0.02, 0.02, 0.01}, {0.02, 0.02, 0}, mesh);
  for (auto& t : mesh.triangles)
    for (int& v : t) v = v == 8 ? 3 : v == 12 ? 7 : v;
  for (unsigned which = 1; which < 16; ++which) {
    TriangleMesh split = mesh;
    const int middle = static_cast<int>(split.vertices.size());
    split.vertices.push_back(0.5 * (mesh.vertices[3] + mesh.vertices[7]));
    unsigned number = 0;
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
      for (std::size_t k = 0; k < 3; ++k) {
        const int a = mesh.triangles[t][k], b = mesh.triangles[t][(k + 1) % 3],
                  c = mesh.triangles[t][(k + 2) % 3];
        if (std::min(a, b) != 3 || std::max(a, b) != 7 || (which >> number++ & 1U) == 0) continue;
        split.triangles[t] = {a, middle, c};
        split.triangles.push_back({middle, b, c});
      }
    ASSERT_EQ(number, 4U);
    const RepairedMesh joined = repairMesh(split);
    EXPECT_TRUE(joined.report.isClosed()) << which;
    EXPECT_EQ(joined.report.flipped, 0U) << which;
    EXPECT_NEAR(volumeOf(joined.mesh), 8e-6, 1e-18) << which;
  }
}

// A sheet whose triangles below a T-joint leave a notch.
TEST(CloseCracks, TheOutlineOfAnOpenMeshStays) {
  TriangleMesh sheet;
  for (const auto& [x, y] : {std::array{0, 0}, {20, 0}, {10, 10}, {10, 0}, {2, -10}, {12, -4}})
    sheet.vertices.emplace_back(1e-3 * x, 1e-3 * y, 0);
  sheet.triangles = {{0, 1, 2}, {0, 4, 3}, {3, 5, 1}};
  const auto areaOf = [](const TriangleMesh& mesh) {
    double area = 0;
    for (const auto& [a, b, c] : mesh.triangles) {
      const Vector3d &p = mesh.vertices[static_cast<std::size_t>(a)],
                     &q = mesh.vertices[static_cast<std::size_t>(b)],
                     &r = mesh.vertices[static_cast<std::size_t>(c)];
      area += 0.5 * (q - p).cross(r - p).norm();
    }
    return area;
  };
  EXPECT_NEAR(areaOf(repairMesh(sheet).mesh), areaOf(sheet), 1e-15);
}

TEST(CloseCracks, CracksFromRoundingAreClosedInAnyUnit) {
  for (const double unit : {1.0, 25.4, 1000.0}) {
    TriangleMesh mesh = boxWithTJoints(0.013, 1e-7);
    for (Vector3d& p : mesh.vertices) p *= unit;
    EXPECT_TRUE(repairMesh(mesh).report.isClosed()) << unit;
  }
}

TEST(CloseCracks, CornersSeparatedByRoundingAreMerged) {
  TriangleMesh mesh, soup;
  test::addBox({0.04, 0.02, 0.01}, {0, 0, 0}, mesh);
  for (const auto& t : mesh.triangles) {
    const int first = static_cast<int>(soup.vertices.size());
    // Written with six digits, the corners of a triangle are 0.1 µm off those of its neighbors.
    for (const int k : t)
      soup.vertices.push_back(mesh.vertices[static_cast<std::size_t>(k)] +
                              Vector3d(soup.triangles.size() % 2 == 0 ? 1e-7 : 0, 0, 0));
    soup.triangles.push_back({first, first + 1, first + 2});
  }
  const RepairedMesh closed = repairMesh(soup);
  EXPECT_TRUE(closed.report.isClosed());
  EXPECT_GT(closed.report.joinedVertices, 0U);
}

// Each triangle has corners of its own, up to 0.5 µm off in each coordinate, so at most 1.7 µm apart.
TEST(CloseCracks, CornersOfAllTrianglesAtAVertexAreMerged) {
  TriangleMesh mesh;
  test::addBox({0.04, 0.02, 0.01}, {0, 0, 0}, mesh);
  std::mt19937 random(1);
  for (int k = 0; k < 100; ++k) {
    TriangleMesh soup;
    for (const auto& t : mesh.triangles) {
      const int first = static_cast<int>(soup.vertices.size());
      for (const int v : t) {
        Vector3d& p = soup.vertices.emplace_back(mesh.vertices[static_cast<std::size_t>(v)]);
        for (int axis = 0; axis < 3; ++axis)
          p[axis] += (static_cast<double>(random()) / 4294967295.0 - 0.5) * 1e-6;
      }
      soup.triangles.push_back({first, first + 1, first + 2});
    }
    const RepairedMesh closed = repairMesh(soup);
    EXPECT_TRUE(closed.report.isClosed()) << k;
    EXPECT_EQ(closed.mesh.triangles.size(), mesh.triangles.size()) << k;
    EXPECT_EQ(closed.report.joinedVertices, 28U) << k;
  }
}

TEST(CloseCracks, ARealGapStaysOpenAndIsReportedWithItsPosition) {
  TriangleMesh mesh = test::prismMesh(test::polygon(0.02, 5), 0.01);
  mesh.triangles.erase(mesh.triangles.begin(), mesh.triangles.begin() + 2);  // between corners 0 and 1
  const RepairedMesh open = repairMesh(mesh);
  EXPECT_EQ(open.report.openEdges, 4U);
  const std::string why = "has 4 open edges, the first at (13.09, 9.511, 10) mm";
  EXPECT_EQ(describeOpenEdges(open.report), why);
  EXPECT_TRUE(recognize(open, BoreRule::flats).report.thickened);
}

// A tray is no block: nothing collides where it is open.
TEST(CloseCracks, ACuboidWithoutAFaceIsOpenThere) {
  TriangleMesh mesh;
  test::addBox({0.04, 0.02, 0.01}, {0, 0, 0}, mesh);
  std::erase_if(mesh.triangles, [&](const std::array<int, 3>& t) {
    return std::all_of(t.begin(), t.end(), [](int v) { return v >= 4; });
  });
  ASSERT_EQ(mesh.triangles.size(), 10U);
  const RecognizedPart part = recognize(repairMesh(mesh), BoreRule::flats);
  EXPECT_TRUE(part.report.thickened);
  EXPECT_LT(part.meshDeviation.largest().distance, 1e-6);
  const physics::brep::Solid tray = physics::brep::solidOf(part.shape);
  const physics::brep::Solid ball = physics::brep::solidOf(physics::Sphere{0.002});
  const auto least = [&](const Vector3d& center) {
    std::vector<physics::brep::SolidContact> found;
    findSolidContacts(ball, tray, physics::Pose::at(center), 1e-3, found);
    double separation = HUGE_VAL;
    for (const auto& contact : found) separation = std::min(separation, contact.separation);
    return separation;
  };
  EXPECT_EQ(least({0.02, 0.01, 0.01}), HUGE_VAL) << "in the opening";
  EXPECT_NEAR(least({0.02, 0.01, 0.0025}), 0.0005, 1e-6) << "above the bottom, inside";
  EXPECT_NEAR(least({0.02, 0.01, -0.0025}), 0.0005, 1e-6) << "below the bottom";
}

TEST(CloseCracks, EdgesOfThreeTrianglesDoNotCountAsOpen) {
  TriangleMesh mesh;
  test::addBox({0.04, 0.02, 0.01}, {0, 0, 0}, mesh);
  test::addBox({0.01, 0.01, 0.01}, {0.1, 0, 0}, mesh);
  const int a = mesh.triangles.front()[0], b = mesh.triangles.front()[1];
  // A closed wall of two sheets with an edge on the box: none of its own edges has three triangles.
  const int c = static_cast<int>(mesh.vertices.size());
  mesh.vertices.emplace_back(-0.01, -0.01, -0.01);
  mesh.triangles.push_back({a, b, c});
  RepairedMesh walled = repairMesh(mesh);
  EXPECT_EQ(walled.report.nonManifoldEdges, 1U);
  walled.report.openEdges = 0;  // were its other edges closed
  EXPECT_EQ(describeOpenEdges(walled.report).find("has 1 edge of three or more triangles, at ("), 0U)
      << describeOpenEdges(walled.report);
  walled.report.nonManifoldEdges = 0;
  EXPECT_EQ(describeOpenEdges(walled.report), "");
  walled.report.nonOrientable = true;
  EXPECT_EQ(describeOpenEdges(walled.report), "is twisted like a Möbius band");
}

}  // namespace
}  // namespace tenon::content
