// Contacts of one convex part of a pair with the curved side of the other: edges, rims and swept cores
// against cylinders, cones and capsules; and of two round parts: crossing axes, and two swept cores.
#pragma once

#include "physics/collision/manifold/candidates.h"
#include "physics/collision/manifold/separating_axes.h"

namespace tenon::physics {

class SideContacts {
 public:
  /// Of features of side `s` with the curved side of the other. All references must outlive this; `axes` has
  /// measured the faces.
  SideContacts(const ConvexPair& pair, const SeparatingAxes& axes, Candidates& candidates, int s)
      : pair_(pair), axes_(axes), candidates_(candidates), s_(s) {}

  void add() {
    addEdges();
    addCoreAgainstSide();
    addRimsAgainstSide();
  }

 private:
  void addEdges();
  void addEdgeAgainstSide(int edge, const ConicalSide& side);
  void addEdgeAgainstEnd(int edge, int end);
  void addEdgePoint(int edge, double t, const Vector3d& p, const Vector3d& n, double separation, int slot,
                    double slack);
  bool isBetweenFaceNormals(int edge, double t, const Vector3d& p, const Vector3d& n, double slack) const;
  void addCoreAgainstSide();
  void addRimsAgainstSide();
  void addRimPoint(const ConicalSide& side, const Vector3d& p, int rim, int ordinal);

  const ConvexPair& pair_;
  const SeparatingAxes& axes_;
  Candidates& candidates_;
  int s_;
};

/// Two cylinders that cross: the common perpendicular of their axes.
void addCrossingAxes(const ConvexPair& pair, const SeparatingAxes& axes, Candidates& candidates);

/// Two spheres or capsules: the closest points of their cores, and for nearly parallel cores the ends.
void addCores(const ConvexPair& pair, Candidates& candidates);

}  // namespace tenon::physics
