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

double slopeOf(const HelicoidFace& face, const EdgeSample& s) {
  return face.alpha * s.dRho + face.gamma * s.dZ - face.kappa * s.dTheta;
}

}  // namespace

CylindricalPoint onTurn(const CylindricalPoint& at, int turn) {
  return {at.rho, at.theta + kWholeTurn * turn, at.z};
}

int turnNumber(const HelicoidFace& face, const CylindricalPoint& at) {
  if (face.kappa == 0) return 0;
  return static_cast<int>(std::lround(face.at(at.rho, at.theta, at.z) / (face.kappa * kWholeTurn)));
}

EdgeSample sampleAt(const SpiralPoint& on, const RigidTransform& X_OE, double tau, double theta) {
  EdgeSample s;
  s.tau = tau;
  s.on = {X_OE.point(on.p), X_OE.vector(on.dp), X_OE.vector(on.ddp)};
  const double x = s.on.p.x(), y = s.on.p.y();
  s.at.rho = std::sqrt(x * x + y * y);
  s.at.z = s.on.p.z();
  s.at.theta = theta + std::remainder(std::atan2(y, x) - theta, kWholeTurn);
  const double rho = std::max(s.at.rho, 1e-12);
  s.dRho = (x * s.on.dp.x() + y * s.on.dp.y()) / rho;
  s.dTheta = (x * s.on.dp.y() - y * s.on.dp.x()) / (rho * rho);
  s.dZ = s.on.dp.z();
  return s;
}

std::array<int, 2> turnsNear(const Tooth& tooth, const EdgeCell& cell, double reach) {
  if (tooth.isCore) return {0, 0};
  const auto turnOf = [&](const EdgeSample& s) {
    return (s.at.z - tooth.middle) / tooth.lead - s.at.theta / kWholeTurn;
  };
  const double a = turnOf(*cell.begin), b = turnOf(*cell.end);
  const double away = (tooth.halfWidth + 2 * reach + interpolationError(cell)) / std::abs(tooth.lead);
  // Beyond its ends a cell's interpolant may be as far outside as its slope leads in a third of the cell.
  const double bulge = 0.5 * std::abs(b - a) + 0.02;
  return {static_cast<int>(std::ceil(std::max(std::min(a, b) - away - bulge, -1e6))),
          static_cast<int>(std::floor(std::min(std::max(a, b) + away + bulge, 1e6)))};
}

bool isNearTooth(const Tooth& tooth, const EdgeCell& cell, double reach, ToothBounds& bounds) {
  const double error = interpolationError(cell), length = cell.length();
  const CylindricalPoint p0 = onTurn(cell.begin->at, bounds.turn), p1 = onTurn(cell.end->at, bounds.turn);
  for (std::size_t k = 0; k < tooth.faces.size(); ++k) {
    const HelicoidFace& face = tooth.faces[k];
    FaceBounds& f = bounds.faces[k];
    f = boundsOver(face.at(p0.rho, p0.theta, p0.z), slopeOf(face, *cell.begin),
                   face.at(p1.rho, p1.theta, p1.z), slopeOf(face, *cell.end), length);
    f.low -= error;
    f.high += error;
    if (f.low > reach) return false;
  }
  return true;
}

}  // namespace tenon::physics
