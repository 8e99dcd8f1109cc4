// Closest points of helicoids.
#include "physics/collision/thread/helicoid_face.h"

#include <algorithm>
#include <cmath>

namespace tenon::physics {
namespace {

/// Newton's method ends with steps this short [rad]: its error is then about the square, that of the
/// distance, which is stationary there, the fourth power.
constexpr double kRulingTolerance = 1e-5;
constexpr int kRulingIterations = 24;
/// Largest rotation from the point to its foot [rad]: farther rulings are those of other turns.
constexpr double kLargestRotation = 1.0;

/// sin ψ and cos ψ, by their series where those are exact to rounding.
struct Rotation {
  explicit Rotation(double psi) {
    if (std::abs(psi) < 0.02) {
      const double s = psi * psi;
      sine = psi * (1 - s / 6 * (1 - s / 20 * (1 - s / 42)));
      cosine = 1 - s / 2 * (1 - s / 12 * (1 - s / 30 * (1 - s / 56)));
    } else {
      sine = std::sin(psi);
      cosine = std::cos(psi);
    }
  }
  double sine, cosine;
};

// Newton's method on half the squared distance to the ruling, from ψ = 0, where its first step is simple.
double closestRuling(const HelicoidFace& face, double rho, double theta, double z) {
  if (face.kappa == 0) return 0;
  const double square = rho * rho, m0 = face.at(rho, theta, z);
  const double curvature0 = square + face.kappa * face.kappa - m0 * face.alpha * rho;
  double psi = m0 * face.kappa / (curvature0 > 0.1 * square ? curvature0 : square);
  psi = std::clamp(psi, -kLargestRotation, kLargestRotation);
  if (std::abs(psi) <= kRulingTolerance) return psi;
  for (int iteration = 1; iteration < kRulingIterations; ++iteration) {
    const Rotation turn(psi);
    const double m = face.at(rho * turn.cosine, theta + psi, z);
    const double dm = -face.alpha * rho * turn.sine - face.kappa;
    const double slope = m * dm + square * turn.sine * turn.cosine;
    const double curvature = dm * dm - m * face.alpha * rho * turn.cosine +
                             square * (turn.cosine * turn.cosine - turn.sine * turn.sine);
    // Far from the face the curvature may have the wrong sign: then along the slope.
    const double step = -slope / (curvature > 0.1 * square ? curvature : square);
    psi = std::clamp(psi + step, -kLargestRotation, kLargestRotation);
    if (std::abs(step) <= kRulingTolerance) break;
  }
  return psi;
}

}  // namespace

HelicoidFoot footOn(const HelicoidFace& face, const Vector3d& p, double rho, double theta) {
  const double psi = closestRuling(face, rho, theta, p.z());
  const Rotation turn(psi);
  const double x = p.x() / rho, y = p.y() / rho;
  HelicoidFoot foot;
  foot.radial = {x * turn.cosine - y * turn.sine, y * turn.cosine + x * turn.sine, 0};
  foot.tangential = {-foot.radial.y(), foot.radial.x(), 0};
  const double along = rho * turn.cosine, m = face.at(along, theta + psi, p.z());
  foot.at = {along - face.alpha * m, theta + psi, p.z() - face.gamma * m};
  // Beyond the axis there is no face: its borders reject such a foot.
  const Vector3d g = face.gradient(std::max(foot.at.rho, 1e-3 * rho));
  foot.normal = (g.x() * foot.radial + g.y() * foot.tangential + g.z() * Vector3d::UnitZ()).normalized();
  foot.distance = m * (face.alpha * foot.radial.dot(foot.normal) + face.gamma * foot.normal.z()) -
                  rho * turn.sine * foot.tangential.dot(foot.normal);
  return foot;
}

// H = P (∇²F) P / |∇F| at the foot, P the projection onto the tangent plane, and H (1 + δ H)⁻¹ on the
// parallel surface through the point: by Cayley and Hamilton (uᵀ H u + δ K u²) / (1 + δ tr H + δ² K) with
// Gauss's curvature K = −γ² κ² / (ρ⁴ |∇F|⁴).
double distanceCurvature(const HelicoidFace& face, const HelicoidFoot& foot, const Vector3d& d) {
  const double rho = foot.at.rho, delta = foot.distance;
  const Vector3d u = d - foot.normal * foot.normal.dot(d);
  const double radial = u.dot(foot.radial), tangential = u.dot(foot.tangential);
  const double mixed = face.kappa / (rho * rho), around = face.alpha / rho, size = face.gradient(rho).norm();
  const double across = foot.normal.dot(foot.radial), along = foot.normal.dot(foot.tangential);
  const double curvature = (2 * mixed * radial + around * tangential) * tangential / size;
  const double trace = (around - (2 * mixed * across + around * along) * along) / size;
  const double bend = face.gamma * mixed / (size * size), gauss = -bend * bend;
  return (curvature + delta * gauss * u.squaredNorm()) / (1 + delta * trace + delta * delta * gauss);
}

}  // namespace tenon::physics
