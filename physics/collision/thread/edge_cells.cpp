// Bounds of the faces of a tooth over the cells of an edge.
#include "physics/collision/thread/edge_cells.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tenon::physics {
namespace {

constexpr double kWholeTurn = 2 * std::numbers::pi;
/// Error of the cubic interpolation of ρ, θ and z along a cell, of length and radius one [-].
constexpr double kInterpolationError = 0.03;

// Largest error of F interpolated along a cell [m].
double interpolationError(const EdgeCell& cell) {
  const double length = cell.length(), rho = std::min(cell.begin->at.rho, cell.end->at.rho);
  const double ratio = length / std::max(rho - 0.5 * length, 1e-3 * length);
  return kInterpolationError * length * ratio * ratio * ratio;
}

// Bernstein coefficients of the cubic through the values and slopes at the ends of a cell.
FaceBounds boundsOver(double f0, double d0, double f1, double d1, double length) {
  const double b1 = f0 + length / 3 * d0, b2 = f1 - length / 3 * d1;
  return {std::min({f0, b1, b2, f1}), std::max({f0, b1, b2, f1})};
}

/// Points farther off than this fraction of their radius have no angle near their own [-].
constexpr double kNearAxis = 0.3;

// atan t for |t| < 0.5, by its series; the argument is halved twice unless it is small: the next term is
// 1e-17 of the first.
double smallArcTangent(double t) {
  double x = t;
  const bool isSmall = std::abs(t) < 0.1;
  if (!isSmall) {
    const double half = t / (1 + std::sqrt(1 + t * t));
    x = half / (1 + std::sqrt(1 + half * half));
  }
  const double y = x * x;
  const double sum =
      1 -
      y * (1.0 / 3 -
           y * (1.0 / 5 - y * (1.0 / 7 - y * (1.0 / 9 - y * (1.0 / 11 - y * (1.0 / 13 - y * (1.0 / 15)))))));
  return (isSmall ? 1 : 4) * x * sum;
}

}  // namespace

CylindricalPoint onTurn(const CylindricalPoint& at, int turn) {
  return {at.rho, at.theta + kWholeTurn * turn, at.z};
}

int turnNumber(const HelicoidFace& face, const CylindricalPoint& at) {
  if (face.kappa == 0) return 0;
  return static_cast<int>(std::lround(face.at(at.rho, at.theta, at.z) / (face.kappa * kWholeTurn)));
}

AxisView::AxisView(const ThreadGeometry& own, const RigidTransform& X_OE) : X_OE_(X_OE) {
  const Matrix3d& R = X_OE.R;
  yaw_ = std::atan2(R(1, 0) - R(0, 1), R(0, 0) + R(1, 1));
  cosine_ = std::cos(yaw_);
  sine_ = std::sin(yaw_);
  // The ends of the axis, and what the tilt moves points of the largest radius.
  const double a = X_OE.point({0, 0, own.low}).head<2>().norm(),
               b = X_OE.point({0, 0, own.high}).head<2>().norm();
  const double away = std::max(a, b) + own.outerRadius * (1 - R(2, 2));
  isNearAxis_ = R(2, 2) > 0 && away < kNearAxis * own.minorRadius;
}

EdgeSample AxisView::sample(const SpiralPoint& on, const CylindricalPoint& own, double tau,
                            double theta) const {
  EdgeSample s;
  s.tau = tau;
  s.ownRho = own.rho;
  s.ownRadial = on.p.head<2>() / own.rho;
  s.on = {X_OE_.point(on.p), X_OE_.vector(on.dp), X_OE_.vector(on.ddp)};
  const double x = s.on.p.x(), y = s.on.p.y();
  s.at.rho = std::sqrt(x * x + y * y);
  s.at.z = s.on.p.z();
  if (isNearAxis_) {
    const double u = cosine_ * on.p.x() - sine_ * on.p.y(), v = sine_ * on.p.x() + cosine_ * on.p.y();
    s.at.theta = own.theta + yaw_ + smallArcTangent((u * y - v * x) / (u * x + v * y));
  } else {
    s.at.theta = theta + std::remainder(std::atan2(y, x) - theta, kWholeTurn);
  }
  const double rho = std::max(s.at.rho, 1e-12);
  s.dRho = (x * s.on.dp.x() + y * s.on.dp.y()) / rho;
  s.dTheta = (x * s.on.dp.y() - y * s.on.dp.x()) / (rho * rho);
  s.dZ = s.on.dp.z();
  return s;
}

CellBounds boundsOver(const Tooth& tooth, const EdgeCell& cell, FaceValues& begin, FaceValues& end,
                      double reach, double depth) {
  const double error = interpolationError(cell), length = cell.length();
  CellBounds bounds;
  const auto boundsOf = [&](std::size_t k) {
    FaceBounds& f = bounds.faces[k];
    f = boundsOver(begin.value(k), begin.slope(k), end.value(k), end.slope(k), length);
    f.low -= error;
    f.high += error;
    return f.low;
  };
  std::size_t face = 0;
  if (tooth.isCore) {
    bounds.first = bounds.last = 0;
  } else {
    // F = F at turn 0 + change · turn ≤ reach: one flank's F grows with the turn, the other's falls.
    double from = -HUGE_VAL, to = HUGE_VAL;
    for (; face < kFlanks; ++face) {
      const double change = changeByTurn(tooth.faces[face]), end0 = (reach - boundsOf(face)) / change;
      if (change > 0)
        to = std::min(to, end0);
      else
        from = std::max(from, end0);
    }
    if (error > tooth.halfWidth) {
      // A cell near the axis, whose interpolation bounds nothing: by the height of its points.
      const double turns = (cell.begin->at.z - tooth.middle) / tooth.lead - cell.begin->at.theta / kWholeTurn;
      const double away = 1 + (2 * length + tooth.halfWidth + 2 * reach) / std::abs(tooth.lead);
      from = std::max(from, turns - away);
      to = std::min(to, turns + away);
    }
    bounds.first = static_cast<int>(std::ceil(from));
    bounds.last = static_cast<int>(std::floor(to));
    if (bounds.first > bounds.last) return bounds;
  }
  const double z0 = cell.begin->at.z, z1 = cell.end->at.z,
               rho = std::max(cell.begin->at.rho, cell.end->at.rho);
  const bool isPlain = !tooth.isCore && std::min(z0, z1) - error > tooth.plainLow &&
                       std::max(z0, z1) + error < tooth.plainHigh && rho + error < tooth.plainRadius &&
                       tooth.plainDepth > depth;
  for (; face < tooth.faces.size(); ++face) {
    if (isPlain && face >= kEndFaces)
      bounds.faces[face] = {-HUGE_VAL, -tooth.plainDepth};
    else if (boundsOf(face) > reach)
      return {bounds.faces, 0, -1};
  }
  return bounds;
}

}  // namespace tenon::physics
