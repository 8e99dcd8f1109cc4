// See mesh_report_text.h.
#include "content/mesh/mesh_report_text.h"

#include <fmt/format.h>

#include "content/input/wording.h"
#include "content/mesh/position_text.h"
#include "content/mesh/thicken_sheets.h"

namespace tenon::content {
namespace {

std::string counted(std::size_t n, const char* one, const char* many) {
  return fmt::format("{} {}", n, n == 1 ? one : many);
}

/// "3 open edges, the first at (1, 2, 3) mm".
std::string countedAt(std::size_t n, const char* one, const char* many, const Vector3d& position) {
  return fmt::format("{}, {} {}", counted(n, one, many), n == 1 ? "at" : "the first at",
                     positionText(position));
}

std::string openText(const MeshReport& report) {
  return countedAt(report.openEdges, "open edge", "open edges", report.openEdgePosition);
}

std::string nonManifoldText(const MeshReport& report) {
  return countedAt(report.nonManifoldEdges, "edge of three or more triangles",
                   "edges of three or more triangles", report.nonManifoldEdgePosition);
}

/// "without loss" up to a nanometer, else "which moved the surface by at most 0.4 µm".
std::string lossText(double offset) {
  constexpr double kNoLoss = 1e-9;
  if (!(offset > kNoLoss)) return "without loss";
  return "which moved the surface by at most " + smallLengthText(offset);
}

constexpr const char* kTwisted = "twisted like a Möbius band";

}  // namespace

std::vector<std::string> describeMeshReport(const MeshReport& report) {
  std::vector<std::string> lines;
  const auto add = [&](std::size_t n, const char* one, const char* many, const std::string& meaning) {
    if (n > 0) lines.push_back(counted(n, one, many) + ": " + meaning);
  };
  if (report.openEdges > 0)
    lines.push_back(openText(report) + ": the surface is not closed, so its mass is unknown");
  if (report.nonManifoldEdges > 0)
    lines.push_back(nonManifoldText(report) + ": the inside is ambiguous there, so the mass is unknown");
  if (report.nonOrientable)
    lines.push_back(fmt::format("the surface is {}: it has no inside, so its mass is unknown", kTwisted));
  if (report.thickened)
    lines.push_back(fmt::format("collides from both sides, {} thick; bodies that cross are not united",
                                smallLengthText(kSheetThickness)));
  add(report.flipped, "triangle flipped", "triangles flipped", "their neighbors faced the other way");
  if (report.insideOut) lines.emplace_back("inside out: all triangles were flipped");
  if (report.emptyFaces > 0)
    lines.push_back(
        countedAt(report.emptyFaces, "face without area", "faces without area", report.emptyFacePosition) +
        ": left out");
  add(report.degenerate, "triangle without area", "triangles without area", "removed, without loss");
  add(report.duplicate, "duplicate triangle", "duplicate triangles", "removed, without loss");
  add(report.internalFacePairs, "pair of triangles face to face", "pairs of triangles face to face",
      "removed: the bodies touch there and are joined");
  add(report.splitEdges, "vertex on the edge of another triangle", "vertices on edges of other triangles",
      "joined to them, " + lossText(report.splitOffset));
  add(report.joinedVertices, "vertex next to another one at a crack", "vertices next to others at cracks",
      "merged, " + lossText(report.joinedOffset) + ", which closes the crack");
  add(report.filledTriangles, "hole of three edges", "holes of three edges",
      fmt::format("filled, {:.3g} mm² in all", report.filledArea * 1e6));
  if (report.unitedBodies > 0)
    lines.push_back(fmt::format(
        "{}: {} removed as far as inside",
        report.unitedBodies == 1 ? "a body that crosses itself"
                                 : fmt::format("{} bodies that overlap or touch united", report.unitedBodies),
        counted(report.hiddenTriangles, "triangle", "triangles")));
  add(report.foldedTriangles, "triangle at a fold", "triangles at folds",
      "the surface is inside out there; removed, up to " + smallLengthText(report.foldDepth) + " deep");
  return lines;
}

std::string describeOpenEdges(const MeshReport& report) {
  if (report.openEdges > 0) return "has " + openText(report);
  if (report.nonManifoldEdges > 0) return "has " + nonManifoldText(report);
  return report.nonOrientable ? fmt::format("is {}", kTwisted) : "";
}

std::string roundingText(double rounding) {
  constexpr double kMaxRounding = 1e-6;  // as a deviation of the shape [m]
  if (!(rounding > kMaxRounding)) return "";
  return fmt::format(
      "its coordinates are floats, rounded by up to {} so far from the origin; move the part to its origin, "
      "or export it with all digits as OBJ",
      smallLengthText(rounding));
}

}  // namespace tenon::content
