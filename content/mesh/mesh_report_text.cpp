// See report_words.h.
#include "content/mesh/mesh_report_text.h"

#include <fmt/format.h>

#include "content/mesh/position_text.h"

namespace tenon::content {
namespace {

std::string counted(std::size_t n, const char* one, const char* many) {
  return fmt::format("{} {}", n, n == 1 ? one : many);
}

/// "3 open edges, the first at (1, 2, 3) mm".
std::string placed(std::size_t n, const char* one, const char* many, const Vector3d& place) {
  return fmt::format("{}, {} {}", counted(n, one, many), n == 1 ? "at" : "the first at", positionText(place));
}

std::string openText(const MeshReport& report) {
  return placed(report.openEdges, "open edge", "open edges", report.openEdgePosition);
}

std::string nonManifoldText(const MeshReport& report) {
  return placed(report.nonManifoldEdges, "edge of three or more triangles",
                "edges of three or more triangles", report.nonManifoldEdgePosition);
}

constexpr const char* kTwisted = "twisted like a Möbius band";

}  // namespace

std::vector<std::string> describeMeshReport(const MeshReport& report) {
  std::vector<std::string> lines;
  const auto add = [&](std::size_t n, const char* one, const char* many, const char* meaning) {
    if (n > 0) lines.push_back(counted(n, one, many) + ": " + meaning);
  };
  if (report.openEdges > 0)
    lines.push_back(openText(report) +
                    ": the surface has gaps, so that it encloses nothing: no mass follows from it");
  if (report.nonManifoldEdges > 0)
    lines.push_back(nonManifoldText(report) +
                    ": walls meet there, and what is inside is not said: no mass follows from it");
  if (report.nonOrientable)
    lines.push_back(
        fmt::format("the surface is {}: it has no inside, and no mass follows from it", kTwisted));
  add(report.flipped, "triangle turned over", "triangles turned over", "its neighbours faced the other way");
  if (report.insideOut) lines.emplace_back("inside out: every triangle was turned over");
  add(report.degenerate, "triangle without area", "triangles without area", "left out, nothing is lost");
  add(report.duplicate, "triangle given twice", "triangles given twice", "left out, nothing is lost");
  add(report.internalFacePairs, "pair of triangles face to face", "pairs of triangles face to face",
      "left out: the bodies touch there, and are one");
  add(report.splitEdges, "vertex on the edge of another triangle", "vertices on edges of other triangles",
      "the edges were split there, nothing is lost");
  add(report.joinedVertices, "vertex beside another one on a crack", "vertices beside others on a crack",
      "joined, which closes the crack");
  return lines;
}

std::string describeOpenEdges(const MeshReport& report) {
  if (report.openEdges > 0) return "has " + openText(report);
  if (report.nonManifoldEdges > 0) return "has " + nonManifoldText(report);
  return report.nonOrientable ? fmt::format("is {}", kTwisted) : "";
}

}  // namespace tenon::content
