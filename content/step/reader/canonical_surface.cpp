// See canonical_surface.h. The points p + r n at the right distance r of a cylinder, sphere or torus are a
// line, a point or a circle; the normals of a cone lie on a circle.
#include "content/step/reader/canonical_surface.h"

#include <gp_Pnt.hxx>
#include <gp_Vec.hxx>

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <vector>

#include "content/recognize/cad_surfaces.h"
#include "content/step/reader/meters.h"
#include "physics/collision/brep/surface.h"

namespace tenon::content {
namespace {

using Kind = CadSurface::Kind;

constexpr int kSamples = 11;  ///< along each parameter
/// A derivative below this part of the largest one is rounding [-].
constexpr double kPole = 1e-6;
/// Part of the normals' spread that a cylinder's or plane's may have across [-].
constexpr double kAcross = 1e-6;

struct Sample {
  Vector3d p = Vector3d::Zero(), n = Vector3d::Zero();  ///< [m], unit
  std::array<double, 2> curvature{};                    ///< principal [1/m]
};

// Of a parameter's range, from the middle outwards: at unequal distances, since at equal ones a helix of many
// turns would have all samples in a plane.
double fraction(int k) {
  const double part = static_cast<double>((k + kSamples / 2) % kSamples) / (kSamples - 1);
  return 0.5 * (1 - std::cos(std::numbers::pi * part));
}

// Points without a normal, as at poles, where a derivative is rounding, are left out.
std::vector<Sample> samplesOf(const BRepAdaptor_Surface& surface) {
  std::vector<Sample> samples;
  const double u0 = surface.FirstUParameter(), u1 = surface.LastUParameter(), v0 = surface.FirstVParameter(),
               v1 = surface.LastVParameter();
  if (!(std::isfinite(u0) && std::isfinite(u1) && std::isfinite(v0) && std::isfinite(v1))) return samples;
  std::array<double, 2> largest{};  // derivatives so far; the first samples lie inside, away from poles
  for (int i = 0; i < kSamples; ++i)
    for (int k = 0; k < kSamples; ++k) {
      gp_Pnt p;
      gp_Vec du, dv, duu, dvv, duv;
      surface.D2(u0 + (u1 - u0) * fraction(i), v0 + (v1 - v0) * fraction(k), p, du, dv, duu, dvv, duv);
      const Vector3d a = inMeters(du.XYZ()), b = inMeters(dv.XYZ()), across = a.cross(b);
      largest = {std::max(largest[0], a.norm()), std::max(largest[1], b.norm())};
      const bool hasNormal = a.norm() > kPole * largest[0] && b.norm() > kPole * largest[1] &&
                             across.norm() > kPole * a.norm() * b.norm();
      if (!hasNormal) continue;
      Sample s;
      s.p = inMeters(p.XYZ());
      s.n = across.normalized();
      const double E = a.squaredNorm(), F = a.dot(b), G = b.squaredNorm();
      const double L = s.n.dot(inMeters(duu.XYZ())), M = s.n.dot(inMeters(duv.XYZ())),
                   N = s.n.dot(inMeters(dvv.XYZ()));
      const double det = E * G - F * F, mean = 0.5 * (E * N - 2 * F * M + G * L) / det,
                   gauss = (L * N - M * M) / det;
      const double root = std::sqrt(std::max(0.0, mean * mean - gauss));
      s.curvature = {mean - root, mean + root};
      if (s.p.allFinite() && s.n.allFinite() && std::isfinite(mean) && std::isfinite(root))
        samples.push_back(s);
    }
  return samples;
}

// The mean of vectors, and the directions of their spread, least first.
struct Spread {
  Vector3d mean = Vector3d::Zero(), extent = Vector3d::Zero();  ///< extent: standard deviations
  Eigen::Matrix3d directions = Eigen::Matrix3d::Identity();
};

template <class At>
Spread spreadOf(const std::vector<Sample>& samples, const At& at) {
  Spread spread;
  for (const Sample& s : samples) spread.mean += at(s) / static_cast<double>(samples.size());
  Eigen::Matrix3d sum = Eigen::Matrix3d::Zero();
  for (const Sample& s : samples) {
    const Vector3d q = at(s) - spread.mean;
    sum += q * q.transpose() / static_cast<double>(samples.size());
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(sum);
  spread.extent = solver.eigenvalues().cwiseMax(0).cwiseSqrt();
  spread.directions = solver.eigenvectors();
  return spread;
}

CadSurface planeOf(const std::vector<Sample>& samples) {
  const Spread points = spreadOf(samples, [](const Sample& s) { return s.p; });
  CadSurface s;
  s.kind = Kind::plane;
  s.origin = points.mean;
  s.axis = points.directions.col(0);
  return s;
}

// p + t n = c for all samples: the center, and the radius |t|.
CadSurface sphereOf(const std::vector<Sample>& samples) {
  Eigen::MatrixXd rows(3 * samples.size(), 4);
  Eigen::VectorXd right(3 * samples.size());
  for (std::size_t k = 0; k < samples.size(); ++k) {
    const auto row = static_cast<Eigen::Index>(3 * k);
    rows.block<3, 3>(row, 0).setIdentity();
    rows.block<3, 1>(row, 3) = -samples[k].n;
    right.segment<3>(row) = samples[k].p;
  }
  const Eigen::VectorXd x = rows.colPivHouseholderQr().solve(right);
  CadSurface s;
  s.kind = Kind::sphere;
  s.origin = x.head<3>();
  s.radius = std::abs(x[3]);
  return s;
}

// The same across the direction that all normals are perpendicular to.
std::optional<CadSurface> cylinderOf(const std::vector<Sample>& samples) {
  Eigen::Matrix3d sum = Eigen::Matrix3d::Zero();
  for (const Sample& s : samples) sum += s.n * s.n.transpose();
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(sum);
  const Eigen::Vector3d values = solver.eigenvalues().cwiseMax(0).cwiseSqrt();
  if (!(values[0] < kAcross * values[1])) return std::nullopt;
  const Vector3d axis = solver.eigenvectors().col(0), x = solver.eigenvectors().col(1), y = axis.cross(x);
  Eigen::MatrixXd rows(2 * samples.size(), 3);
  Eigen::VectorXd right(2 * samples.size());
  for (std::size_t k = 0; k < samples.size(); ++k) {
    const auto row = static_cast<Eigen::Index>(2 * k);
    rows.row(row) << 1, 0, -samples[k].n.dot(x);
    rows.row(row + 1) << 0, 1, -samples[k].n.dot(y);
    right[row] = samples[k].p.dot(x);
    right[row + 1] = samples[k].p.dot(y);
  }
  const Eigen::Vector3d c = rows.colPivHouseholderQr().solve(right);
  const Spread points = spreadOf(samples, [](const Sample& s) { return s.p; });
  CadSurface s;
  s.kind = Kind::cylinder;
  s.axis = axis;
  s.origin = c[0] * x + c[1] * y + points.mean.dot(axis) * axis;
  s.radius = std::abs(c[2]);
  return s;
}

// All tangent planes pass the tip: n·(p − tip) = 0.
std::optional<CadSurface> coneOf(const std::vector<Sample>& samples) {
  const Spread normals = spreadOf(samples, [](const Sample& s) { return s.n; });
  if (!(normals.extent[0] < kAcross * normals.extent[1])) return std::nullopt;
  Vector3d axis = normals.directions.col(0);
  const double sine = std::abs(normals.mean.dot(axis));
  if (!(sine > kAcross && sine < 1 - kAcross)) return std::nullopt;
  Eigen::MatrixXd rows(samples.size(), 3);
  Eigen::VectorXd right(samples.size());
  for (std::size_t k = 0; k < samples.size(); ++k) {
    rows.row(static_cast<Eigen::Index>(k)) = samples[k].n.transpose();
    right[static_cast<Eigen::Index>(k)] = samples[k].n.dot(samples[k].p);
  }
  const Vector3d tip = rows.colPivHouseholderQr().solve(right);
  const Spread points = spreadOf(samples, [](const Sample& s) { return s.p; });
  if (axis.dot(points.mean - tip) < 0) axis = -axis;
  const double height = axis.dot(points.mean - tip);
  CadSurface s;
  s.kind = Kind::cone;
  s.axis = axis;
  s.slope = sine / std::sqrt(1 - sine * sine);
  s.origin = tip + height * axis;
  s.radius = s.slope * height;
  return s;
}

// With the tube radius of the more constant curvature, p + n / k is on the circle of the tube.
std::optional<CadSurface> torusOf(const std::vector<Sample>& samples) {
  std::array<double, 2> mean{}, spread{};
  for (std::size_t k = 0; k < 2; ++k) {
    for (const Sample& s : samples) mean[k] += s.curvature[k] / static_cast<double>(samples.size());
    for (const Sample& s : samples) spread[k] = std::max(spread[k], std::abs(s.curvature[k] - mean[k]));
  }
  const double k = spread[0] < spread[1] ? mean[0] : mean[1];
  if (k == 0) return std::nullopt;
  const auto center = [&](const Sample& s) { return Vector3d(s.p + s.n / k); };
  const Spread circle = spreadOf(samples, center);
  const Vector3d axis = circle.directions.col(0), x = circle.directions.col(1), y = axis.cross(x);
  // |q|² = 2 c·q + d in the plane of the circle
  Eigen::MatrixXd rows(samples.size(), 3);
  Eigen::VectorXd right(samples.size());
  for (std::size_t n = 0; n < samples.size(); ++n) {
    const Vector3d q = center(samples[n]) - circle.mean;
    const Eigen::Vector2d inPlane(q.dot(x), q.dot(y));
    rows.row(static_cast<Eigen::Index>(n)) << 2 * inPlane.x(), 2 * inPlane.y(), 1;
    right[static_cast<Eigen::Index>(n)] = inPlane.squaredNorm();
  }
  const Eigen::Vector3d c = rows.colPivHouseholderQr().solve(right);
  CadSurface s;
  s.kind = Kind::torus;
  s.axis = axis;
  s.origin = circle.mean + c[0] * x + c[1] * y;
  s.radius = std::sqrt(std::max(0.0, c[2] + c.head<2>().squaredNorm()));
  s.minor = 1 / std::abs(k);
  return s;
}

bool isOn(const CadSurface& cad, const std::vector<Sample>& samples) {
  const auto surface = surfaceOfCad(cad);
  if (!surface || !cad.origin.allFinite()) return false;
  return std::all_of(samples.begin(), samples.end(), [&](const Sample& s) {
    const Vector3d p = surface->X_BS.inverse().point(s.p);
    return std::abs(physics::brep::distanceValue(*surface, p)) <= kCanonicalDeviation;
  });
}

}  // namespace

// The simplest first: a plane is a sphere of any radius, too.
CadSurface canonicalSurface(const BRepAdaptor_Surface& surface) {
  const std::vector<Sample> samples = samplesOf(surface);
  if (samples.size() < 2 * kSamples) return {};
  if (const CadSurface plane = planeOf(samples); isOn(plane, samples)) return plane;
  for (const auto& fitted :
       {cylinderOf(samples), coneOf(samples), std::optional(sphereOf(samples)), torusOf(samples)})
    if (fitted && isOn(*fitted, samples)) return *fitted;
  return {};
}

}  // namespace tenon::content
