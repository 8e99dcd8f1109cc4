// Arcs of profiles: tori and spheres among the facets of a turned part of a mesh.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "content/recognize/axis_fit.h"

namespace tenon::content {

/// A circular arc of a profile: a torus about the axis, or a sphere where its center lies on it.
struct ProfileArc {
  std::vector<int> triangles;
  Eigen::Vector2d center{0, 0};  ///< (r, z) [m]
  double radius = 0;             ///< through the rings of vertices [m]
};

/// The arcs of a profile about `axis` that these triangles have: at least four rows of facets narrower than
/// 23° whose rings of vertices lie within a tenth of the tolerance (1 µm) and a hundredth of the radius of
/// one circle, and which a straight line would miss by more than the tolerance.
std::vector<ProfileArc> profileArcs(const Facets& facets, const Axis& axis,
                                    const std::vector<int>& triangles);

/// The line through the vertices of those of its triangles that `isUsed` accepts; the line itself if that are
/// all, empty if there is none.
std::optional<ProfileLine> lineOfRest(const Facets& facets, const Axis& axis, const ProfileLine& line,
                                      const std::function<bool(int)>& isUsed);

/// What an arc continues smoothly: a line n · (r, z) = d, or another arc.
struct ArcNeighbor {
  Eigen::Vector2d n{0, 0};  ///< unit; zero: an arc
  double d = 0;             ///< [m]
  Eigen::Vector2d center{0, 0};
  double radius = 0;  ///< of an arc [m]
};

/// The arc exactly tangent to all its neighbors, and with its center on the axis if `isSphere`, moved as
/// little as possible; empty if there is none.
std::optional<ProfileArc> tangentArc(const ProfileArc& arc, std::span<const ArcNeighbor> neighbors,
                                     bool isSphere);

}  // namespace tenon::content
