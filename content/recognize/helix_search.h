// Finds helices in a mesh: axes that a thread may have, and pitch, hand, starts and phase about an axis.
#pragma once

#include <vector>

#include "content/recognize/revolved_groups.h"

namespace tenon::content {

inline constexpr double kFullTurn = 6.283185307179586;  ///< [rad]

/// A helical surface before its profile is known: the tooth of start k is near z = h (θ − phase) + k P, as in
/// physics::Thread.
struct Helix {
  Axis axis;
  double pitch = 0;  ///< P [m]
  int starts = 1;
  bool isLeftHanded = false;
  double phase = 0;                         ///< [rad]
  double low = 0, high = 0;                 ///< of the triangles that were searched, along the axis [m]
  double innerRadius = 0, outerRadius = 0;  ///< of these triangles [m]
  /// Share of the area projected along the axis that is in phase with the helix [-]: 0.8 for threads.
  double coherence = 0;

  /// Travel per angle [m/rad], negative if left-handed.
  double rise() const;
};

/// Axes of possible threads, the likeliest first.
struct ThreadAxes {
  std::vector<Axis> axes;
  int unsearched = 0;  ///< further ones, beyond kMaxThreadAxes
};
inline constexpr std::size_t kMaxThreadAxes = 250;

/// Axes of helical motions that leave a smooth region as it is (the linear complex closest to its normals:
/// Pottmann & Randrup, Rotational and helical surface approximation, 1998), those of `groups`, and the axes
/// of inertia of a closed mesh.
ThreadAxes threadAxes(const Facets& facets, const std::vector<Region>& regions,
                      const std::vector<RevolvedGroup>& groups);

/// Helices of up to four starts about `axis`, the strongest first: at most one for each range of radii,
/// two with `besideOthers`: where other threads have been found on the axis, narrow ranges are searched as
/// well. Their spectrum is ∫ n_z exp(i (k z − m θ)) dA over the surface between two radii, for m = ± 1 to ± 4
/// and all pitches of 0.06 to 0.9 radii: rings, gears, knurls and what is symmetrical about the axis have no
/// part in it. Triangles that are marked in `isLeftOut` have none, either.
std::vector<Helix> helicesAbout(const Facets& facets, const Axis& axis, const std::vector<char>& isLeftOut,
                                bool besideOthers);

}  // namespace tenon::content
