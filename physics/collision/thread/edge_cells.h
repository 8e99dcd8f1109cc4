// Cells of an edge of one thread, seen from the axis of another, and the bounds that decide what is near.
#pragma once

#include <array>
#include <vector>

#include "physics/collision/thread/tooth.h"
#include "physics/math/rigid_transform.h"

namespace tenon::physics {

/// A point of an edge in the frame of the other thread.
struct EdgeSample {
  double tau = 0;
  SpiralPoint on;                       ///< point and derivatives by τ
  CylindricalPoint at;                  ///< θ continuous along the edge
  double dRho = 0, dTheta = 0, dZ = 0;  ///< derivatives by τ
  bool isWithinBounds = false;          ///< within the other thread's bounds
};

/// Point of `edge` at τ in the frame of the other thread (X_OE of the edge's thread), with θ near `theta`.
EdgeSample sampleAt(const SpiralPoint& on, const RigidTransform& X_OE, double tau, double theta);

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

/// A tooth's faces over a cell, for the turn of the tooth at which the angle of a point is θ + 2π `turn`.
struct ToothBounds {
  std::array<FaceBounds, kMaxFaces> faces;
  int turn = 0;
};

/// Calls use(bounds) for each turn of `tooth` with a point of the cell at which all F ≤ `reach` [m].
template <class Use>
void forEachTurn(const Tooth& tooth, const EdgeCell& cell, double reach, Use use);

/// First and last turn of a tooth that can be within `reach` of the cell.
std::array<int, 2> turnsNear(const Tooth& tooth, const EdgeCell& cell, double reach);

/// Fills `bounds`; false if F of a face is above `reach` along the cell.
bool isNearTooth(const Tooth& tooth, const EdgeCell& cell, double reach, ToothBounds& bounds);

template <class Use>
void forEachTurn(const Tooth& tooth, const EdgeCell& cell, double reach, Use use) {
  const auto [first, last] = turnsNear(tooth, cell, reach);
  ToothBounds bounds;
  for (bounds.turn = first; bounds.turn <= last; ++bounds.turn)
    if (isNearTooth(tooth, cell, reach, bounds)) use(bounds);
}

/// The same point with its angle counted on by `turn` turns.
CylindricalPoint onTurn(const CylindricalPoint& at, int turn);

/// Number of a face's turn for feature codes, relative to the turn closest to `at`: 0 near the face, on
/// whatever turn the angle is counted.
int turnNumber(const HelicoidFace& face, const CylindricalPoint& at);

}  // namespace tenon::physics
