// See patch_bounds.h.
#include "physics/collision/brep/patch_bounds.h"

#include <Eigen/LU>
#include <algorithm>
#include <utility>

#include "physics/collision/brep/bernstein.h"

namespace tenon::physics::brep {
namespace {

using Eigen::Matrix2d;
using Eigen::Vector4d;

static_assert(kBinomials.size() > 2 * BezierPatch::kMaxDegree);

/// Coefficients of a polynomial in s and t in Bernstein form, of i and k at i (degree in t + 1) + k.
template <class Vector>
struct Net {
  std::array<std::size_t, 2> degree{};
  std::vector<Vector> points;

  std::size_t at(std::size_t i, std::size_t k) const { return i * (degree[1] + 1) + k; }
  template <class Visit>
  void forEach(const Visit& visit) const {
    for (std::size_t i = 0; i <= degree[0]; ++i)
      for (std::size_t k = 0; k <= degree[1]; ++k) visit(i, k);
  }
  /// How often the products of Bernstein polynomials with these numbers count.
  double weight(std::size_t i, std::size_t k) const {
    return kBinomials[degree[0]][i] * kBinomials[degree[1]][k];
  }
};
using VectorNet = Net<Vector3d>;
using HomogeneousNet = Net<Vector4d>;

/// The derivative by s (direction 0) or t.
HomogeneousNet derivative(const HomogeneousNet& net, std::size_t direction) {
  HomogeneousNet d{net.degree, {}};
  if (net.degree[direction] == 0) {
    d.points.assign(net.points.size(), Vector4d::Zero());
    return d;
  }
  --d.degree[direction];
  const std::size_t step = direction == 0 ? net.degree[1] + 1 : 1;
  d.forEach([&](std::size_t i, std::size_t k) {
    const std::size_t from = net.at(i, k);
    d.points.push_back(static_cast<double>(net.degree[direction]) *
                       (net.points[from + step] - net.points[from]));
  });
  return d;
}

/// Its coefficients times their weights.
template <class Vector>
Net<Vector> weighted(Net<Vector> net) {
  net.forEach([&](std::size_t i, std::size_t k) { net.points[net.at(i, k)] *= net.weight(i, k); });
  return net;
}

/// The polynomial of(one, other), which is bilinear, of the values of two polynomials.
template <class A, class B, class Of>
VectorNet product(const Net<A>& one, const Net<B>& other, const Of& of) {
  const Net<A> a = weighted(one);
  const Net<B> b = weighted(other);
  VectorNet all{{a.degree[0] + b.degree[0], a.degree[1] + b.degree[1]}, {}};
  all.points.assign((all.degree[0] + 1) * (all.degree[1] + 1), Vector3d::Zero());
  a.forEach([&](std::size_t i, std::size_t k) {
    b.forEach([&](std::size_t j, std::size_t l) {
      all.points[all.at(i + j, k + l)] += of(a.points[a.at(i, k)], b.points[b.at(j, l)]);
    });
  });
  all.forEach([&](std::size_t i, std::size_t k) { all.points[all.at(i, k)] /= all.weight(i, k); });
  return all;
}

/// The same polynomial with coefficients of higher degrees.
VectorNet elevated(const VectorNet& net, const std::array<std::size_t, 2>& degree) {
  Net<double> one{{degree[0] - net.degree[0], degree[1] - net.degree[1]}, {}};
  one.points.assign((one.degree[0] + 1) * (one.degree[1] + 1), 1.0);
  return product(net, one, [](const Vector3d& v, double share) { return Vector3d(share * v); });
}

/// At s = t = 1/2 of a part.
Vector3d middleOf(const PatchDerivatives& d, const std::vector<Vector3d>& points) {
  Vector3d sum = Vector3d::Zero();
  for (const Vector3d& v : weighted(VectorNet{d.degree, points}).points) sum += v;
  return std::ldexp(1.0, -static_cast<int>(d.degree[0] + d.degree[1])) * sum;
}

struct Range {
  double low = HUGE_VAL, high = -HUGE_VAL;

  void add(double x) {
    low = std::min(low, x);
    high = std::max(high, x);
  }
  double middle() const { return 0.5 * (low + high); }
  double half() const { return 0.5 * (high - low); }
};

Range quotient(const Range& x, const Range& positive) {
  Range all;
  for (const double a : {x.low, x.high})
    for (const double b : {positive.low, positive.high}) all.add(a / b);
  return all;
}

/// Sine of the largest angle between a vector of the net and the unit direction `d`; 1 from a right angle on.
double sineFrom(const std::vector<Vector3d>& net, const Vector3d& d) {
  double sine = 0;
  for (const Vector3d& v : net) {
    if (!(v.dot(d) > 0)) return 1;
    sine = std::max(sine, d.cross(v).norm() / v.norm());
  }
  return sine;
}

/// A normal is across a vector of each net, so that along the directions `a` and `b` it has at most the sines
/// of the largest angles from these: in their plane it has at most the length that follows.
double tiltOf(const PatchDerivatives& d, const Vector3d& a, const Vector3d& b) {
  const double sineU = sineFrom(d.u, a), sineV = sineFrom(d.v, b);
  const double sine =
      std::sqrt(sineU * sineU + sineV * sineV + 2 * sineU * sineV * std::abs(a.dot(b))) / a.cross(b).norm();
  return sine < 1 ? std::asin(sine) : std::numbers::pi;
}

/// Largest distance of the quotients of a net and of the weights from the value `middle`.
double spreadOf(const std::vector<Vector3d>& net, const Vector3d& middle, const Range& weights) {
  double largest = 0;
  for (const Vector3d& v : net) largest = std::max(largest, (v - middle).norm());
  return largest / weights.low + middle.norm() * std::max(1 / weights.low - 1, 1 - 1 / weights.high);
}

/// Tangents u and v at a point, and the frame of unit tangents and normal there.
struct Tangents {
  Vector3d u, v;
  Matrix3d frame;
  Matrix2d toUnit;  ///< the tangents times this are the unit tangents

  Tangents(const Vector3d& alongU, const Vector3d& alongV) : u(alongU), v(alongV) {
    frame.col(0) = u.normalized();
    frame.col(2) = u.cross(v).normalized();
    frame.col(1) = frame.col(2).cross(frame.col(0));
    Matrix2d inFrame;
    inFrame << u.norm(), v.dot(frame.col(0)), 0, v.dot(frame.col(1));
    toUnit = inFrame.inverse();
  }
};

/// Bounds of the normal part of a second derivative, whose tangential part in the middle is taken away by
/// multiples of the first ones: the normals, which tilt from that of the middle, are across these.
Range normalPartOf(const std::vector<Vector3d>& second, const PatchDerivatives& d, const Tangents& middle,
                   double tilt, const Range& weights) {
  const Matrix3d toFrame = middle.frame.transpose();
  const Eigen::Vector2d along = middle.toUnit * (toFrame * middleOf(d, second)).head<2>();
  const double sine = std::sin(tilt), cosine = std::cos(tilt);
  Range all;
  for (std::size_t k = 0; k < second.size(); ++k) {
    const Vector3d q = toFrame * (second[k] - along.x() * d.u[k] - along.y() * d.v[k]);
    const double beside = sine * q.head<2>().norm();
    all.add(std::min(q.z(), cosine * q.z()) - beside);
    all.add(std::max(q.z(), cosine * q.z()) + beside);
  }
  return quotient(all, weights);
}

std::array<double, 2> curvaturesOf(const PatchDerivatives& d, const Tangents& middle, double tilt,
                                   const Range& weights) {
  // Elsewhere the tangents times toUnit are within `stretch` of the unit tangents in the middle.
  const Matrix2d sizes = middle.toUnit.cwiseAbs();
  const Eigen::Vector2d spread(spreadOf(d.u, middle.u, weights), spreadOf(d.v, middle.v, weights));
  const double stretch = (sizes.transpose() * spread).norm();
  if (!(stretch < 1)) return PatchBounds{}.curvature;
  const Range metric{std::pow(1 - stretch, 2), std::pow(1 + stretch, 2)};
  const auto part = [&](const std::vector<Vector3d>& second) {
    return normalPartOf(second, d, middle, tilt, weights);
  };
  const Range uu = part(d.uu), uv = part(d.uv), vv = part(d.vv);
  Matrix2d form, error;
  form << uu.middle(), uv.middle(), uv.middle(), vv.middle();
  error << uu.half(), uv.half(), uv.half(), vv.half();
  form = middle.toUnit.transpose() * form * middle.toUnit;
  error = sizes.transpose() * error * sizes;
  const double mean = 0.5 * form.trace(),
               root = std::hypot(0.5 * (form(0, 0) - form(1, 1)), form(0, 1)) + error.norm();
  return {quotient({mean - root, mean - root}, metric).low,
          quotient({mean + root, mean + root}, metric).high};
}

}  // namespace

PatchDerivatives derivativesOf(const BezierPatch& patch) {
  constexpr double kRounding = 1e-13;  // of equal weights after halvings [-]
  PatchDerivatives d;
  d.degree = {static_cast<std::size_t>(patch.degree[0]), static_cast<std::size_t>(patch.degree[1])};
  HomogeneousNet h{d.degree, patch.points};
  Range w;
  for (const Vector4d& q : h.points) w.add(q[3]);
  d.weight = w.middle();
  for (Vector4d& q : h.points) q /= d.weight;
  const bool isPolynomial = w.half() <= kRounding * w.high;
  if (!isPolynomial) d.degree = {2 * d.degree[0], 2 * d.degree[1]};
  // w² times the derivative is w r_p − r_w w p with the derivative r of h = (w p, w).
  const auto numerator = [&](const HomogeneousNet& r) {
    if (!isPolynomial)
      return elevated(product(h, r,
                              [](const Vector4d& a, const Vector4d& b) {
                                return Vector3d(a[3] * b.head<3>() - b[3] * a.head<3>());
                              }),
                      d.degree)
          .points;
    VectorNet alone{r.degree, {}};
    for (const Vector4d& q : r.points) alone.points.emplace_back(q.head<3>());
    return elevated(alone, d.degree).points;
  };
  const HomogeneousNet hu = derivative(h, 0), hv = derivative(h, 1);
  d.u = numerator(hu);
  d.v = numerator(hv);
  d.uu = numerator(derivative(hu, 0));
  d.uv = numerator(derivative(hu, 1));
  d.vv = numerator(derivative(hv, 1));
  return d;
}

std::array<PatchDerivatives, 2> halves(const PatchDerivatives& whole, std::size_t direction) {
  std::array<PatchDerivatives, 2> both;
  for (PatchDerivatives& half : both) {
    half.degree = whole.degree;
    half.weight = whole.weight;
  }
  for (const auto net : {&PatchDerivatives::u, &PatchDerivatives::v, &PatchDerivatives::uu,
                         &PatchDerivatives::uv, &PatchDerivatives::vv}) {
    auto parts = halvesOf(whole.*net, whole.degree, direction);
    for (std::size_t half = 0; half < 2; ++half) both[half].*net = std::move(parts[half]);
  }
  return both;
}

PatchBounds boundsOf(const PatchDerivatives& d, const BezierPatch& part) {
  Range weights;
  for (const Vector4d& q : part.points) weights.add(std::pow(q[3] / d.weight, 2));
  const Tangents middle(middleOf(d, d.u), middleOf(d, d.v));
  PatchBounds bounds;
  bounds.tilt = tiltOf(d, middle.frame.col(0), middle.v.normalized());
  if (bounds.tilt < 0.5 * std::numbers::pi) bounds.curvature = curvaturesOf(d, middle, bounds.tilt, weights);
  return bounds;
}

}  // namespace tenon::physics::brep
