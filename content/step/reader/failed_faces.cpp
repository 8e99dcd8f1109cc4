// See failed_faces.h.
#include "content/step/reader/failed_faces.h"

#include <BRepAdaptor_Curve.hxx>
#include <BRepBndLib.hxx>
#include <BRepBuilderAPI_Copy.hxx>
#include <BRepBuilderAPI_MakeVertex.hxx>
#include <BRepExtrema_DistShapeShape.hxx>
#include <BRepMesh_IncrementalMesh.hxx>
#include <BRep_Tool.hxx>
#include <Bnd_Box.hxx>
#include <IMeshData_Status.hxx>
#include <Standard_Failure.hxx>
#include <TopExp_Explorer.hxx>
#include <TopoDS.hxx>
#include <TopoDS_Edge.hxx>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>

#include "content/step/reader/meters.h"

namespace tenon::content {
namespace {

/// Points of an edge that are compared with the other edges.
constexpr int kEdgePoints = 16;
/// Faces that are named at most.
constexpr std::size_t kNamedFaces = 3;

/// Edges with a length, each as often as the face has it.
std::vector<TopoDS_Edge> edgesOf(const TopoDS_Face& face) {
  std::vector<TopoDS_Edge> edges;
  for (TopExp_Explorer at(face, TopAbs_EDGE); at.More(); at.Next())
    if (!BRep_Tool::Degenerated(TopoDS::Edge(at.Current()))) edges.push_back(TopoDS::Edge(at.Current()));
  return edges;
}

bool isNear(const gp_Pnt& p, const TopoDS_Edge& edge) {
  const BRepExtrema_DistShapeShape distance(BRepBuilderAPI_MakeVertex(p).Vertex(), edge);
  return distance.IsDone() && distance.Value() <= kEmptyFaceWidth;
}

/// What BRepMesh finds wrong with a face; "" if it does not say.
std::string reasonOf(const TopoDS_Face& face) {
  int status = 0;
  try {
    const TopoDS_Shape alone = BRepBuilderAPI_Copy(face, true, false).Shape();
    status = BRepMesh_IncrementalMesh(alone, 1).GetStatusFlags();
  } catch (const Standard_Failure&) {
    return "";
  }
  if ((status & IMeshData_SelfIntersectingWire) != 0) return "its border crosses itself";
  if ((status & IMeshData_OpenWire) != 0) return "its border is not closed";
  if ((status & IMeshData_UnorientedWire) != 0) return "its border is not oriented consistently";
  if ((status & IMeshData_TooFewPoints) != 0) return "its border encloses nothing";
  return "";
}

/// As positionText() of content/mesh, without the library that it needs.
std::string millimeters(const physics::Vector3d& p) {
  const auto rounded = [](double x) { return std::round(x * 1e6) / 1e3 + 0.0; };  // no "-0"
  char text[96];
  std::snprintf(text, sizeof text, "(%.7g, %.7g, %.7g) mm", rounded(p.x()), rounded(p.y()), rounded(p.z()));
  return text;
}

}  // namespace

bool hasNoArea(const TopoDS_Face& face) {
  try {
    const std::vector<TopoDS_Edge> edges = edgesOf(face);
    for (std::size_t k = 0; k < edges.size(); ++k) {
      if (BRep_Tool::IsClosed(edges[k], face)) return false;  // a seam: the face goes all around
      const BRepAdaptor_Curve curve(edges[k]);
      const double first = curve.FirstParameter(), step = (curve.LastParameter() - first) / kEdgePoints;
      for (int i = 0; i <= kEdgePoints; ++i) {
        const gp_Pnt p = curve.Value(first + i * step);
        bool isAlong = false;
        for (std::size_t other = 0; other < edges.size() && !isAlong; ++other)
          isAlong = other != k && isNear(p, edges[other]);
        if (!isAlong) return false;
      }
    }
    return !edges.empty();
  } catch (const Standard_Failure&) {  // of edges without a curve
    return false;
  }
}

std::optional<physics::Vector3d> middleOfBorder(const TopoDS_Face& face) {
  Bnd_Box box;
  try {
    for (const TopoDS_Edge& edge : edgesOf(face)) BRepBndLib::AddOptimal(edge, box, false, false);
  } catch (const Standard_Failure&) {
    return std::nullopt;
  }
  if (box.IsVoid() || box.IsOpen()) return std::nullopt;
  return 0.5 * (inMeters(box.CornerMin().XYZ()) + inMeters(box.CornerMax().XYZ()));
}

std::string placesOf(const std::vector<TopoDS_Face>& faces) {
  std::string text;
  for (std::size_t k = 0; k < std::min(faces.size(), kNamedFaces); ++k) {
    const auto middle = middleOfBorder(faces[k]);
    const std::string reason = reasonOf(faces[k]);
    if (!middle) continue;
    text += (text.empty() ? ", at " : ", ") + millimeters(*middle);
    if (!reason.empty()) text += " (" + reason + ")";
  }
  return faces.size() > kNamedFaces && !text.empty() ? text + ", …" : text;
}

}  // namespace tenon::content
