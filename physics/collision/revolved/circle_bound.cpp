// See circle_bound.h. With ρ₀² a lower bound of S and δ = S/ρ₀² − 1 ≥ 0,
//
//   f = T − K ρ₀ (1 + δ/2) − K ρ₀ E(δ),  E = √(1 + δ) − 1 − δ/2,
//
// so that the waves of T and S cancel before their amplitudes are added, as they do on nearly coaxial
// circles. |E′| ≤ min(½, δ/4), and the n-th derivatives of E are at most ¼, 3/8, 15/16, 105/32 for n = 2 … 5.
#include "physics/collision/revolved/circle_bound.h"

#include <algorithm>
#include <cmath>

namespace tenon::physics {
namespace {

/// Of slopes, relative to products of the lengths of which they are the sums [-].
constexpr double kRounding = 1e-15;

using Waves = CircleFunction::Waves;

double first(const Waves& w) {
  return std::sqrt(w.cosine1 * w.cosine1 + w.sine1 * w.sine1);
}
double second(const Waves& w) {
  return std::sqrt(w.cosine2 * w.cosine2 + w.sine2 * w.sine2);
}

/// Bounds of S over a cell.
struct Square {
  double low = 0, high = 0;  ///< [m²]
  double slope = 0;          ///< of |S′| [m²/rad]
};

double boundOfFifth(const CircleFunction& f, double s1, double s2, const Square& S) {
  const double K = std::abs(f.K);
  if (K == 0) return first(f.T) + 32 * second(f.T);
  if (!(S.low > 0)) return HUGE_VAL;
  const double rho = std::sqrt(S.low), half = f.K / (2 * rho), inverse = 1 / S.low;
  const Waves linear{f.T.cosine1 - half * f.S.cosine1, f.T.sine1 - half * f.S.sine1,
                     f.T.cosine2 - half * f.S.cosine2, f.T.sine2 - half * f.S.sine2};
  s1 *= inverse;
  s2 *= inverse;
  const double d1 = std::min(s1 + 2 * s2, S.slope * inverse), d2 = s1 + 4 * s2, d3 = s1 + 8 * s2,
               d4 = s1 + 16 * s2, d5 = s1 + 32 * s2;
  const double e1 = std::min(0.5, 0.25 * (S.high * inverse - 1));
  // Faà di Bruno's formula.
  const double curved = e1 * d5 + 0.25 * (5 * d1 * d4 + 10 * d2 * d3) +
                        0.375 * d1 * (10 * d1 * d3 + 15 * d2 * d2) + 0.9375 * 10 * d1 * d1 * d1 * d2 +
                        3.28125 * d1 * d1 * d1 * d1 * d1;
  return first(linear) + 32 * second(linear) + K * rho * curved;
}

/// ρ² of the circle's points about z.
void setSquare(const Circle& c, CircleFunction& f) {
  const double r = c.radius;
  f.radius = r;
  f.S.cosine1 = 2 * r * (c.center.x() * c.x.x() + c.center.y() * c.x.y());
  f.S.sine1 = 2 * r * (c.center.x() * c.y.x() + c.center.y() * c.y.y());
  f.S.cosine2 = 0.5 * r * r * (c.y.z() - c.x.z()) * (c.y.z() + c.x.z());
  f.S.sine2 = -r * r * c.x.z() * c.y.z();
  f.mean = c.center.x() * c.center.x() + c.center.y() * c.center.y() +
           0.5 * r * r * (2 - c.x.z() * c.x.z() - c.y.z() * c.y.z());
}

double reachOf(const Circle& c) {
  return c.radius + std::abs(c.center.x()) + std::abs(c.center.y()) + std::abs(c.center.z());
}

}  // namespace

CircleFunction CircleFunction::toFlank(const Circle& circle, double a, double b) {
  CircleFunction f;
  setSquare(circle, f);
  f.T.cosine1 = a * circle.radius * circle.x.z();
  f.T.sine1 = a * circle.radius * circle.y.z();
  f.K = -b;
  f.rounding = kRounding * reachOf(circle);
  return f;
}

CircleFunction CircleFunction::toSphere(const Circle& circle, double b) {
  CircleFunction f;
  f.radius = circle.radius;
  f.S.cosine1 = 2 * circle.radius * circle.center.dot(circle.x);
  f.S.sine1 = 2 * circle.radius * circle.center.dot(circle.y);
  f.mean = circle.center.squaredNorm() + circle.radius * circle.radius;
  f.K = -b;
  f.rounding = kRounding * reachOf(circle);
  return f;
}

CircleFunction CircleFunction::toCircle(const Circle& circle, double R) {
  CircleFunction f;
  setSquare(circle, f);
  f.T.cosine1 = circle.radius * circle.center.dot(circle.x);
  f.T.sine1 = circle.radius * circle.center.dot(circle.y);
  f.K = R;
  f.rounding = kRounding * (reachOf(circle) + R) * circle.radius;
  f.isSquared = true;
  return f;
}

CircleFunction CircleFunction::toLine(const Circle& circle, const Vector3d& direction) {
  CircleFunction f;
  const double r = circle.radius, x = circle.x.dot(direction), y = circle.y.dot(direction);
  const Vector3d across = circle.center - circle.center.dot(direction) * direction;
  f.radius = r;
  f.T = {r * across.dot(circle.x), r * across.dot(circle.y), 0.25 * r * r * (y - x) * (y + x),
         -0.5 * r * r * x * y};
  f.rounding = kRounding * reachOf(circle) * r;
  f.isSquared = true;
  return f;
}

CertifiedError::CertifiedError(const CircleFunction& function) : function_(&function) {
  const double s1 = first(function.S), s2 = second(function.S);
  fifth_ = boundOfFifth(function, s1, s2, {function.mean - s1 - s2, function.mean + s1 + s2, HUGE_VAL});
}

bool CertifiedError::refine(double t0, double t1) {
  const CircleFunction& f = *function_;
  if (isRefined_ || f.K == 0) return false;
  isRefined_ = true;
  // By S at the middle and its Lipschitz constants.
  const double t = 0.5 * (t0 + t1), half = 0.5 * (t1 - t0);
  const double c = std::cos(t), s = std::sin(t), c2 = (c - s) * (c + s), ss2 = 2 * s * c;
  const double s1 = first(f.S), s2 = second(f.S);
  const double value = f.mean + f.S.cosine1 * c + f.S.sine1 * s + f.S.cosine2 * c2 + f.S.sine2 * ss2;
  const double slope = f.S.sine1 * c - f.S.cosine1 * s + 2 * (f.S.sine2 * c2 - f.S.cosine2 * ss2);
  const double rounding = kRounding * (f.mean + s1 + s2);
  const double low = std::sqrt(std::max(0.0, value - rounding)) - f.radius * half,
               high = std::sqrt(std::max(0.0, value + rounding)) + f.radius * half;
  const double fifth = boundOfFifth(
      f, s1, s2, {low > 0 ? low * low : 0, high * high, std::abs(slope) + rounding + half * (s1 + 4 * s2)});
  if (!(fifth < fifth_)) return false;
  fifth_ = fifth;
  return true;
}

}  // namespace tenon::physics
