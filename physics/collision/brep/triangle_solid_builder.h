// Builds the solid of a closed triangle mesh, step by step; see triangle_solid.h.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "physics/collision/brep/edge_curve.h"
#include "physics/collision/brep/freeform.h"
#include "physics/collision/brep/mesh_edges.h"
#include "physics/collision/brep/triangle_solid.h"

namespace tenon::physics::brep {

/// Faces that meet with a smaller sine of the angle between their normals are smooth there [-].
inline constexpr double kSmoothEdge = 1e-8;
/// Triangles, vertices and borders that one thread takes at a time.
inline constexpr std::size_t kItemsAtATime = 4096;

// The border of two faces through edges of the mesh, and the curves in which their surfaces meet.
struct BorderChain {
  int edge = 0;                // the first that was found
  std::span<const int> chain;  // vertices in order; a closed one ends where it begins
  bool isClosed = false;       // and nothing else meets it there
  std::vector<Vector3d> points;
  std::vector<Curve> curves;    // none: they were not found
  std::vector<char> areConvex;  // by curve
};

class TriangleSolid {
 public:
  /// `surfaceOf`: of each triangle, −1: flat; empty: all are.
  TriangleSolid(const BoundarySolid& boundary, const std::vector<int>& surfaceOf)
      : given_(boundary.vertices),
        vertices_(boundary.vertices),
        triangles_(boundary.triangles),
        surfaces_(boundary.surfaces),
        surfaceOf_(surfaceOf) {}

  /// Faces and edges. False if the borders of surfaces cannot be found: failed() lists them.
  bool trim() {
    findEdges();
    findNormals();
    growRegions();
    if (!failed_.empty()) return false;
    listTriangles();
    moveCorners();
    addFaces();
    if (failed_.empty()) addEdges();
    if (failed_.empty()) closeTrims();
    return failed_.empty();
  }

  /// After trim() has succeeded.
  Solid finish(double depthLimit) {
    addVertices();
    for (std::size_t r = 0; r < regions_.size(); ++r)
      if (regions_[r].kind == SurfaceKind::freeform) divideIntoPatches(r);
    solid_.finish(depthLimit, middleOf(0));
    return std::move(solid_);
  }

  const std::set<int>& failed() const { return failed_; }
  /// The face of each triangle, of several patches the first.
  const std::vector<int>& faceOf() const { return region_; }

 private:
  const Vector3d& corner(std::size_t t, int k) const {
    return vertices_[static_cast<std::size_t>(triangles_[t][static_cast<std::size_t>(k % 3)])];
  }
  const Vector3d& at(int v) const { return vertices_[static_cast<std::size_t>(v)]; }
  int regionOf(int triangle) const { return region_[static_cast<std::size_t>(triangle)]; }
  bool isBorder(const MeshEdge& e) const { return regionOf(e.left) != regionOf(e.right); }

  void findEdges() {
    MeshEdges found = meshEdges(triangles_, vertices_.size());
    edges_ = std::move(found.edges);
    edgesOf_ = std::move(found.ofTriangle);
  }
  void findNormals();
  void growRegions();
  void grow(std::size_t seed);
  void growWithoutArea(std::size_t seed, int region);
  bool fits(std::size_t t, const Vector3d& p, const Vector3d& n) const;
  // So thin that its normal is rounding.
  bool isSliver(std::size_t t) const {
    const double longest =
        std::max({(corner(t, 1) - corner(t, 0)).norm(), (corner(t, 2) - corner(t, 1)).norm(),
                  (corner(t, 0) - corner(t, 2)).norm()});
    return areas_[t] < 10 * kCoplanar * longest;
  }
  void listTriangles();
  void moveCorners();
  bool isLoose(int region) const;
  std::vector<const Surface*> meetingAt(int v, int without = -1) const;
  void keepFacetsAt(int v, double reach);
  bool areFacetsKept(int v, const Vector3d& moved) const;
  double scatterAt(int v) const;
  bool isKnifeEdge(int v) const;
  // Of a given corner: it may stay though the surfaces do not meet there.
  bool isNearSurfaces(int v) const { return scatterAt(v) <= kSeamGap; }
  bool returnCorners(std::size_t t);
  void movePlane(int region);
  bool isMoved(int v) const {
    return vertices_[static_cast<std::size_t>(v)] != given_[static_cast<std::size_t>(v)];
  }
  bool isTurnedOver(std::size_t t) const;
  void failAround(std::size_t t);
  void addFaces();
  void findTurn(Face& face, int region) const;
  void turnFromPoles(Surface& sphere, int region) const;
  void addEdges();
  void addChains();
  bool follow(int k, std::vector<int>& vertices);
  void findCurves(BorderChain& border) const;
  static void addLine(Face& face, const Vector3d& from, const Vector3d& to);
  void addChain(const BorderChain& border);
  void closeTrims();
  void divideIntoPatches(std::size_t region);
  Vector3d middleOf(std::size_t t) const;
  bool hasTip(int region, int v) const;
  void closeTorus(int region);
  bool closeCone(int region);
  std::size_t largestOf(int region) const;
  template <class Contains>
  bool holdsForMost(int region, const Contains& contains) const;
  void closeSphere(int region);
  // A corner of a triangle at a vertex.
  struct Corner {
    int region = 0, triangle = 0, corner = 0;
  };
  std::vector<int> numberVertices();
  Vertex vertexAt(int v, std::span<const Corner> corners) const;
  void addVertices();
  std::span<const int> trianglesOf(int region) const {
    const auto r = static_cast<std::size_t>(region);
    return std::span(byRegion_).subspan(static_cast<std::size_t>(firstOfRegion_[r]),
                                        static_cast<std::size_t>(firstOfRegion_[r + 1] - firstOfRegion_[r]));
  }
  Vector3d leaving(int e, int v) const;
  int surfaceOf(std::size_t t) const { return surfaceOf_.empty() ? -1 : surfaceOf_[t]; }
  bool isCurved(int region) const {
    return regions_[static_cast<std::size_t>(region)].kind != SurfaceKind::plane;
  }
  bool isStraight(const MeshEdge& e) const {
    return !isCurved(regionOf(e.left)) && !isCurved(regionOf(e.right));
  }
  void fail(int region) {
    if (const int s = regionSurface_[static_cast<std::size_t>(region)]; s >= 0) failed_.insert(s);
  }
  void failSmallest(std::span<const int> regions, bool onlyCurved = false);
  /// Ends of borders that are this close in the first coordinate of a trim meet [m or rad].
  static double joint(const Surface& s) {
    if (s.kind == SurfaceKind::plane) return kCoplanar;
    if (s.kind == SurfaceKind::freeform) return std::min(1e-6, kCoplanar / s.freeform->largestSpeed().x());
    return s.radius > 0 ? std::min(1e-6, kCoplanar / s.radius) : 1e-13;
  }
  Vector3d normalAt(int region, const Vector3d& p) const {
    const Surface& s = regions_[static_cast<std::size_t>(region)];
    if (s.kind == SurfaceKind::plane) return s.X_BS.R * Vector3d(0, 0, s.side);
    return s.X_BS.R * distanceTo(s, s.X_BS.inverse().point(p)).gradient;
  }
  bool isConvex(const MeshEdge& e) const;
  bool isConvexAlong(const Curve& curve, int left, int right) const;
  bool continuesThrough(int v) const;
  std::span<const int> bordersOf(int v) const {
    const auto first = static_cast<std::size_t>(firstBorder_[static_cast<std::size_t>(v)]),
               last = static_cast<std::size_t>(firstBorder_[static_cast<std::size_t>(v) + 1]);
    return std::span(borders_).subspan(first, last - first);
  }
  int otherEnd(int e, int v) const {
    const MeshEdge& edge = edges_[static_cast<std::size_t>(e)];
    return edge.from == v ? edge.to : edge.from;
  }

  const std::vector<Vector3d>& given_;
  std::vector<Vector3d> vertices_;  // those at borders of curved faces are moved onto them
  const std::vector<std::array<int, 3>>& triangles_;
  const std::vector<Surface>& surfaces_;
  const std::vector<int>& surfaceOf_;
  std::set<int> failed_;  // surfaces
  std::vector<MeshEdge> edges_;
  std::vector<std::array<int, 3>> edgesOf_;  // of each triangle: edge k from its corner k to corner k + 1
  std::vector<Vector3d> normals_;            // of the triangles, unit
  std::vector<double> areas_;
  std::vector<int> region_;                    // of each triangle
  std::vector<Surface> regions_;               // of each region
  std::vector<int> regionSurface_;             // index into surfaces_; −1: flat
  std::vector<double> areaOf_;                 // of each region [m²]
  std::vector<int> firstOfRegion_, byRegion_;  // triangles by region
  std::vector<char> loose_;                    // by region: see isLoose(); of those that meet surfaces
  std::vector<char> isAtBorder_;               // by vertex
  std::vector<std::vector<int>> regionsAt_;    // of each vertex at a border of a face on a surface
  std::vector<int> firstBorder_, borders_;     // border edges by vertex
  std::vector<char> isDone_;                   // by edge
  std::vector<std::pair<int, int>> tips_;      // vertex and region of pointed cones
  Solid solid_;
};

}  // namespace tenon::physics::brep
