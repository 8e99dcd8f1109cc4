// Regions of a mesh that are turned about one axis, and how their profile lines follow each other.
#pragma once

#include <vector>

#include "content/recognize/axis_fit.h"

namespace tenon::content {

/// What lies beyond the end of a chain of profile lines.
enum class ChainEnd {
  axis,    ///< nothing: it ends on the axis
  face,    ///< a plane across the axis that goes on beyond the circle
  open,    ///< the mesh ends
  closed,  ///< its own beginning: a ring
  other,   ///< something that is not turned about this axis
};

/// Profile lines one behind the other, each meeting the next in a whole circle.
struct ProfileChain {
  std::vector<int> lines;  ///< of the group
  /// Corners (r, z) [m] on the axis' frame: those of the exact surface, one more than lines. Outer faces run
  /// through the vertices of their facets, inner ones along the facets' middles: the largest pin that goes
  /// through, as a gauge measures it. A ring's first point is also its last.
  std::vector<Eigen::Vector2d> points;
  ChainEnd begin = ChainEnd::other, end = ChainEnd::other;
  int beginFace = -1, endFace = -1;  ///< region of a face
  bool isInner = false;              ///< every line that is no plane is a bore's

  bool isWhole() const { return begin != ChainEnd::other && end != ChainEnd::other; }
};

struct RevolvedGroup {
  Axis axis;
  std::vector<ProfileLine> lines;
  std::vector<int> regions;  ///< that the lines are made of, planes across the axis included
  std::vector<ProfileChain> chains;
};

/// Where the exact surface of a bore lies.
enum class BoreRule {
  flats,     ///< on the facets: what goes through as drawn
  vertices,  ///< through their corners: what CAD mostly means
};

/// All groups, the largest first. Regions that belong to none are flat or of any other form.
std::vector<RevolvedGroup> revolvedGroups(const Facets& facets, const std::vector<Region>& regions,
                                          BoreRule rule);

}  // namespace tenon::content
