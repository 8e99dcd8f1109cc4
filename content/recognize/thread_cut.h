// Cuts a thread out of the mesh of its part.
#pragma once

#include <string>
#include <vector>

#include "content/recognize/thread_extent.h"

namespace tenon::content {

/// What is left of a mesh without a thread.
struct ThreadCut {
  /// Origins of new triangles in `sources`: the plane of a cut, the wall behind an internal thread, the cone
  /// that leads to it.
  static constexpr int kPlane = -1, kWall = -2, kCone = -3;

  TriangleMesh rest;         ///< closed; no triangles: nothing is left
  std::vector<int> sources;  ///< of each of its triangles: that of the given mesh, or one of the above
  std::vector<int> removed;  ///< triangles of the given mesh that are gone, wholly or in part
  double wallRadius = 0;     ///< of the hole in which an internal thread lies [m]
  std::string problem;       ///< why it cannot be cut out, or ""
};

/// External: the part is cut across the axis where the thread ends and the part goes on; what is on the
/// thread's side goes with it. Internal: a cylinder, at least as wide as the roots, takes the place of the
/// thread, with the cones of its countersinks. `mesh` must be closed. With `rule` the wall's corners lie on
/// the cylinder, or its flats. The ends at cuts move by up to 0.04 pitches, away from
/// vertices.
ThreadCut cutThread(const Facets& facets, const ThreadFit& fit, ThreadExtent& extent, BoreRule rule);

}  // namespace tenon::content
