// A tooth of a thread: in coordinates (ρ, θ, z) a convex polytope.
//
// All faces of a tooth are linear in (ρ, θ, z) (helicoid_face.h): both flanks, crest, cones and planes of the
// ends, and the root, which is a border without contacts. So its edges are straight lines in these
// coordinates (a crest's helix, the conical helix in which a flank leaves through the chamfer, the spiral on
// an end plane), and its corners intersections of three faces.
#pragma once

#include <vector>

#include "physics/collision/geometry/thread.h"
#include "physics/collision/thread/helicoid_face.h"

namespace tenon::physics {

/// A point of an edge with its derivatives by the edge's parameter.
struct SpiralPoint {
  Vector3d p = Vector3d::Zero();    ///< [m]
  Vector3d dp = Vector3d::Zero();   ///< about unit
  Vector3d ddp = Vector3d::Zero();  ///< [1/m]
};

/// A convex edge: ρ, θ and z linear in τ from 0 to `length`, about the arc length.
struct SpiralEdge {
  CylindricalPoint start;
  double dRho = 0, dTheta = 0, dZ = 0;  ///< derivatives by τ
  double length = 0;                    ///< [m]
  std::size_t f = 0, g = 0;             ///< its faces, by index
  int feature = 0;                      ///< number in the thread
  std::vector<SpiralPoint> samples;     ///< ends of cells of equal length, at most a sixteenth of a turn

  double cell() const { return length / static_cast<double>(samples.size() - 1); }
  CylindricalPoint coordinates(double tau) const {
    return {start.rho + dRho * tau, start.theta + dTheta * tau, start.z + dZ * tau};
  }
  SpiralPoint at(double tau) const;
};

/// A convex corner of three faces.
struct ToothCorner {
  CylindricalPoint at;
  std::size_t f = 0, g = 0, h = 0;  ///< its faces, by index
  int feature = 0;                  ///< number in the thread
};

/// The first faces of a tooth that is no core are its flanks; crest and root follow, then planes and cones of
/// the ends.
inline constexpr std::size_t kFlanks = 2, kEndFaces = 4;

/// A tooth of one start, over all its turns; or the core of an external thread, which has no flanks.
struct Tooth {
  std::vector<HelicoidFace> faces;
  std::vector<SpiralEdge> edges;
  std::vector<ToothCorner> corners;
  bool isCore = false;
  double lead = 0;       ///< of its flanks, negative if left-handed [m]
  double middle = 0;     ///< z of its middle at θ = 0 [m]
  double halfWidth = 0;  ///< along z, at the root [m]
  /// Between these heights and up to this radius, F of all faces from kEndFaces on is at most −plainDepth
  /// [m].
  double plainLow = 0, plainHigh = 0, plainRadius = 0, plainDepth = 0;
  double radius = 0;  ///< at which the parameters of its edges are arc lengths [m]
  double speed = 1;   ///< largest |dp/dτ| of its edges [-]
  int firstFace = 0;  ///< number of its face 0 in the thread
};

/// Outward unit normals of an edge's or corner's face at a point of it.
Vector3d faceNormal(const HelicoidFace& face, const CylindricalPoint& at);
/// The same at radius ρ in the direction `radial`.
Vector3d faceNormal(const HelicoidFace& face, double rho, const Eigen::Vector2d& radial);

/// A thread prepared for contacts, in its own frame.
struct ThreadGeometry {
  std::vector<Tooth> teeth;
  bool isInternal = false;
  double pitch = 0;                                            ///< [m]
  double innerRadius = 0, outerRadius = 0, low = 0, high = 0;  ///< bounds [m]
  double minorRadius = 0;                                      ///< least of the teeth [m]
  double lead = 0;                                             ///< without sign [m]

  /// Largest F of a face at a point that is within `range` of the face [m].
  double largestValue(double range) const;
};

/// Teeth of a thread without problem.
ThreadGeometry prepareThread(const Thread& thread);

}  // namespace tenon::physics
