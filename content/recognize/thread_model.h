// A thread about an axis as a solid in the section through the axis, for fitting and for measuring distances.
#pragma once

#include <array>

#include "content/recognize/helix_search.h"
#include "physics/collision/geometry/thread.h"

namespace tenon::content {

/// Faces of a thread in its axial section.
enum class ThreadFace : char { crest, flank, root };

/// The profile of physics::Thread about an axis in the frame of the file. Distances are positive outside of
/// the material.
struct ThreadModel {
  Axis axis;
  bool isInternal = false;
  double pitch = 0;  ///< P [m]
  int starts = 1;
  bool isLeftHanded = false;
  double phase = 0;  ///< angle of the middle of tooth 0 at z = 0, from the axis' x [rad]
  double pitchRadius = 0, halfAngle = 0, crestRadius = 0, rootRadius = 0;  ///< [m], [rad]

  /// A point about the axis.
  struct Point {
    double r = 0, z = 0;  ///< [m]
    double away = 0;      ///< along the axis from the middle of the nearest tooth, −P/2 to P/2 [m]
  };
  Point at(const Vector3d& p) const;
  /// r and z of at() alone, in less time [m].
  Eigen::Vector2d radiusAndHeightOf(const Vector3d& p) const;

  double rise() const;               ///< travel per angle, negative if left-handed [m/rad]
  double halfWidth(double r) const;  ///< of a tooth [m]
  double depth() const { return isInternal ? rootRadius - crestRadius : crestRadius - rootRadius; }
  /// Radius above that of the root, in the direction of the crest [m].
  double height(double r) const { return isInternal ? rootRadius - r : r - rootRadius; }

  /// Distance from one face, continued beyond its ends [m].
  double distance(const Point& p, ThreadFace face) const;
  /// The closest face, and the distance from its part in the profile, ≥ 0 [m].
  ThreadFace closestFace(const Point& p, double& distance) const;
  /// Of the solid without ends: positive outside of it [m].
  double signedDistance(const Point& p) const;

  /// The thread between z = low and z = high of `axis`, whose frame is its own.
  physics::Thread thread(double low, double high) const;
};

}  // namespace tenon::content
