// Cells of an edge of one thread, seen from the axis of another, and the bounds that decide what is near.
#pragma once

#include <array>
#include <numbers>
#include <vector>

#include "physics/collision/thread/tooth.h"
#include "physics/math/rigid_transform.h"

namespace tenon::physics {

/// A point of an edge in the frame of the other thread.
struct EdgeSample {
  double tau = 0;
  double ownRho = 0;  ///< ρ in the own thread, and unit vector towards the point there
  Eigen::Vector2d ownRadial = Eigen::Vector2d::UnitX();
  SpiralPoint on;                       ///< point and derivatives by τ
  CylindricalPoint at;                  ///< θ continuous along the edge
  double dRho = 0, dTheta = 0, dZ = 0;  ///< derivatives by τ
  bool isWithinBounds = false;          ///< within the other thread's bounds
};

/// Where the points of one thread's edges are about the axis of another.
class AxisView {
 public:
  /// X_OE: frame of the thread with the edges in that of the other.
  AxisView(const ThreadGeometry& own, const RigidTransform& X_OE);

  /// Point of an edge at τ in the frame of the other thread, with θ near `theta`. `own`: ρ and θ of the point
  /// in its thread.
  EdgeSample sample(const SpiralPoint& on, const CylindricalPoint& own, double tau, double theta) const;

 private:
  RigidTransform X_OE_;
  double yaw_ = 0, cosine_ = 1, sine_ = 0;  // of the frame about the other axis
  bool isNearAxis_ =
      false;  // no point's angle differs by more than a fraction of a radian from its own plus yaw
};

/// Two neighboring samples.
struct EdgeCell {
  const EdgeSample *begin = nullptr, *end = nullptr;
  double length() const { return end->tau - begin->tau; }
};

/// Lower and upper bound of F of a face over a cell [m].
struct FaceBounds {
  double low = 0, high = 0;
};

inline constexpr std::size_t kMaxFaces = 8;  ///< of a tooth

/// F of a tooth's faces at a sample, and its derivatives by τ: at the angle of the sample, turn 0. Computed
/// where they are used.
class FaceValues {
 public:
  void begin(const Tooth& tooth, const EdgeSample& sample) {
    tooth_ = &tooth;
    sample_ = &sample;
    known_ = 0;
  }
  double value(std::size_t face) {
    know(face);
    return value_[face];
  }
  double slope(std::size_t face) {
    know(face);
    return slope_[face];
  }

 private:
  void know(std::size_t k) {
    if ((known_ & 1U << k) != 0) return;
    known_ |= 1U << k;
    const HelicoidFace& face = tooth_->faces[k];
    const EdgeSample& s = *sample_;
    value_[k] = face.at(s.at.rho, s.at.theta, s.at.z);
    slope_[k] = face.alpha * s.dRho + face.gamma * s.dZ - face.kappa * s.dTheta;
  }

  const Tooth* tooth_ = nullptr;
  const EdgeSample* sample_ = nullptr;
  unsigned known_ = 0;
  std::array<double, kMaxFaces> value_, slope_;
};

/// A tooth's faces over a cell, for the turn of the tooth at which the angle of a point is θ + 2π `turn`.
struct ToothBounds {
  std::array<FaceBounds, kMaxFaces> faces;
  int turn = 0;
};

/// Change of F of a face by a turn [m].
inline double changeByTurn(const HelicoidFace& face) {
  return -2 * std::numbers::pi * face.kappa;
}

/// Bounds at turn 0, and the turns at which F of both flanks can be up to `reach`; first > last: none.
struct CellBounds {
  std::array<FaceBounds, kMaxFaces> faces;
  int first = 0, last = -1;
};
/// Bounds of faces that are proven to be deeper than `depth` may be that.
CellBounds boundsOver(const Tooth& tooth, const EdgeCell& cell, FaceValues& begin, FaceValues& end,
                      double reach, double depth);

/// Calls use(bounds) for each turn of `tooth` with a point of the cell at which all F ≤ `reach` [m]; `depth`
/// as above.
template <class Use>
void forEachTurn(const Tooth& tooth, const EdgeCell& cell, FaceValues& begin, FaceValues& end, double reach,
                 double depth, Use use) {
  const CellBounds cellBounds = boundsOver(tooth, cell, begin, end, reach, depth);
  if (cellBounds.first > cellBounds.last) return;
  ToothBounds bounds{cellBounds.faces, 0};
  for (bounds.turn = cellBounds.first; bounds.turn <= cellBounds.last; ++bounds.turn) {
    for (std::size_t k = 0; k < kFlanks && !tooth.isCore; ++k) {
      const double change = changeByTurn(tooth.faces[k]) * bounds.turn;
      bounds.faces[k] = {cellBounds.faces[k].low + change, cellBounds.faces[k].high + change};
    }
    use(bounds);
  }
}

/// The same point with its angle counted on by `turn` turns.
CylindricalPoint onTurn(const CylindricalPoint& at, int turn);

/// Number of a face's turn for feature codes, relative to the turn closest to `at`: 0 near the face, on
/// whatever turn the angle is counted.
int turnNumber(const HelicoidFace& face, const CylindricalPoint& at);

}  // namespace tenon::physics
