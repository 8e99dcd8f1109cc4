// See axis_fit.h.
#include "content/recognize/axis_fit.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "content/recognize/profile_lines.h"

namespace tenon::content {
namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::VectorXd;

/// Facets wider than those of a regular 14-gon, which are about the widest of a smooth region, are not a
/// circle [rad].
constexpr double kMaxFacetAngle = 2 * std::numbers::pi / 13.5;
/// Minimum fraction of the full circle: nearly round surfaces are split into shorter arcs [-].
constexpr double kMinCoverage = 0.4;
/// Limit of the vertices per line in the fit; more do not change the result.
constexpr std::size_t kMaxSamples = 4000;
/// Limit of the lines in the fit, the longest first.
constexpr std::size_t kMaxFittedLines = 60;
/// Approximate number of triangles for the first fits.
constexpr std::size_t kThinnedTriangles = 20000;

// --- start values --------------------------------------------------------------------------------------

/// Direction with a positive largest component: eigenvectors have an arbitrary sign.
Vector3d withPositiveSign(const Vector3d& a) {
  int main = 0;
  a.cwiseAbs().maxCoeff(&main);
  return a[main] < 0 ? Vector3d(-a) : a;
}

/// Start axis of one cylinder or cone: all normals have the same angle to the axis. Positions are used only
/// perpendicular to it. axisOfNormals() fails for a chamfer narrower than its facets, whose centers are
/// too inaccurate, and for a fan about a point, whose normal lines all intersect.
std::optional<Axis> axisFromConstantAngle(const Facets& f, const Region& region) {
  Vector3d mean = Vector3d::Zero();
  Matrix3d nn = Matrix3d::Zero();
  for (const int t : region.triangles) {
    const Vector3d& n = f.normals[static_cast<std::size_t>(t)];
    const double w = f.areas[static_cast<std::size_t>(t)] / region.area;
    mean += w * n;
    nn += w * n * n.transpose();
  }
  const Eigen::SelfAdjointEigenSolver<Matrix3d> normals(nn - mean * mean.transpose());
  Axis axis;
  axis.setDirection(withPositiveSign(normals.eigenvectors().col(0)));
  // The point closest to the lines of the normals, projected along the axis.
  Eigen::Matrix2d A = Eigen::Matrix2d::Zero();
  Vector2d b = Vector2d::Zero();
  const Vector3d middle = 0.5 * (f.low + f.high);
  for (const int t : region.triangles) {
    const Vector3d& n = f.normals[static_cast<std::size_t>(t)];
    const Vector3d p = (f.point(t, 0) + f.point(t, 1) + f.point(t, 2)) / 3 - middle;
    const Vector2d side(-n.dot(axis.y), n.dot(axis.x));
    const double w = f.areas[static_cast<std::size_t>(t)] / region.area;
    A += w * side * side.transpose();
    b += w * side * side.dot(Vector2d(p.dot(axis.x), p.dot(axis.y)));
  }
  const Vector2d across = A.ldlt().solve(b);
  axis.origin = middle + across.x() * axis.x + across.y() * axis.y;
  if (!axis.origin.allFinite() || !axis.z.allFinite()) return std::nullopt;
  return axis;
}

// --- least squares -------------------------------------------------------------------------------------

/// Gauss-Newton fit of axis and lines to the distances of the vertices from their lines.
class LeastSquares {
 public:
  LeastSquares(const Facets& facets, Axis& axis, std::vector<ProfileLine>& lines)
      : f_(facets), axis_(axis), lines_(lines) {
    std::vector<std::size_t> order(lines.size());
    for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return lines_[a].triangles.size() > lines_[b].triangles.size();
    });
    if (order.size() > kMaxFittedLines) order.resize(kMaxFittedLines);
    for (const std::size_t k : order)
      samples_.push_back(
          {k, samplesOf(lines[k]), lines[k].isPlane() ? std::nullopt : apexOf(f_, axis_, lines[k])});
  }

  /// Returns false if the data do not determine an axis.
  bool solve() {
    for (int pass = 0; pass < 8; ++pass)
      if (!iterate()) return false;
    return true;
  }

 private:
  struct Samples {
    std::size_t line;
    std::vector<Vector3d> points;
    std::optional<Vector3d> apex;
  };

  std::vector<Vector3d> samplesOf(const ProfileLine& line) const {
    const std::size_t all = line.isPlane() ? 3 * line.triangles.size() : line.rim.size();
    const std::size_t used = std::min(all, kMaxSamples);
    std::vector<Vector3d> points;
    for (std::size_t k = 0; k < used; ++k) {
      const std::size_t at = k * all / used;
      points.push_back(line.isPlane()
                           ? f_.point(line.triangles[at / 3], static_cast<int>(at % 3))
                           : f_.mesh->mesh.vertices[static_cast<std::size_t>(line.rim[at].vertex)]);
    }
    return points;
  }

  /// Unknowns: the origin along x and y, the direction along x and y, each line's angle and offset.
  bool iterate() {
    recenter();
    const auto size = static_cast<Eigen::Index>(4 + 2 * samples_.size());
    MatrixXd A = MatrixXd::Zero(size, size);
    VectorXd b = VectorXd::Zero(size);
    for (std::size_t k = 0; k < samples_.size(); ++k) add(k, A, b);
    // Scaled by the diagonal and slightly regularized, for directions that the vertices do not determine.
    VectorXd scale = A.diagonal().cwiseSqrt();
    for (double& s : scale) s = s > 1e-12 ? 1 / s : 1;
    A = scale.asDiagonal() * A * scale.asDiagonal();
    A.diagonal().array() += 1e-9;
    const VectorXd x = scale.cwiseProduct(A.ldlt().solve(scale.cwiseProduct(b)));
    if (!x.allFinite() || x.head<2>().norm() > f_.extent) return false;
    axis_.origin += x[0] * axis_.x + x[1] * axis_.y;
    axis_.setDirection(axis_.z + x[2] * axis_.x + x[3] * axis_.y);
    for (std::size_t k = 0; k < samples_.size(); ++k) {
      ProfileLine& line = lines_[samples_[k].line];
      const auto at = static_cast<Eigen::Index>(4 + 2 * k);
      if (!line.isPlane()) line.n = (line.n + x[at] * Vector2d(-line.n.y(), line.n.x())).normalized();
      line.d += x[at + 1];
    }
    return true;
  }

  /// Moves the origin along the axis to the mean of the samples, which decouples rotation and translation.
  void recenter() {
    double sum = 0;
    std::size_t count = 0;
    for (const Samples& s : samples_) {
      for (const Vector3d& p : s.points) sum += (p - axis_.origin).dot(axis_.z);
      count += s.points.size();
    }
    if (count == 0) return;
    const double shift = sum / static_cast<double>(count);
    axis_.origin += shift * axis_.z;
    for (ProfileLine& line : lines_) line.d -= line.n.y() * shift;
  }

  void add(std::size_t k, MatrixXd& A, VectorXd& b) const {
    const ProfileLine& line = lines_[samples_[k].line];
    const auto at = static_cast<Eigen::Index>(4 + 2 * k);
    const Vector2d across(-line.n.y(), line.n.x());
    for (const Vector3d& p : samples_[k].points) {
      const Vector3d w = p - axis_.origin;
      const Vector2d rz = axis_.meridian(p);
      if (rz.x() < 1e-9) continue;
      const Vector3d radial = (w - rz.y() * axis_.z) / rz.x();
      Eigen::Matrix<double, 6, 1> J;
      const Vector2d u(radial.dot(axis_.x), radial.dot(axis_.y));
      const Vector2d lateral(w.dot(axis_.x), w.dot(axis_.y));
      J.head<2>() = -line.n.x() * u;
      J.segment<2>(2) = line.n.x() * -rz.y() * u + line.n.y() * lateral;
      J[4] = line.isPlane() ? 0 : across.dot(rz);
      J[5] = -1;
      const double e = line.n.dot(rz) - line.d;
      A.topLeftCorner<4, 4>() += J.head<4>() * J.head<4>().transpose();
      A.block<4, 2>(0, at) += J.head<4>() * J.tail<2>().transpose();
      A.block<2, 4>(at, 0) += J.tail<2>() * J.head<4>().transpose();
      A.block<2, 2>(at, at) += J.tail<2>() * J.tail<2>().transpose();
      b.head<4>() -= e * J.head<4>();
      b.segment<2>(at) -= e * J.tail<2>();
    }
    if (samples_[k].apex) addApex(line, at, *samples_[k].apex - axis_.origin, A, b);
  }

  /// The apex of a cone, `w` from the origin: the line meets the axis there, and the axis goes through it.
  void addApex(const ProfileLine& line, Eigen::Index at, const Vector3d& w, MatrixXd& A, VectorXd& b) const {
    const double z = w.dot(axis_.z);
    const Vector2d across(-line.n.y(), line.n.x());
    const Vector2d J(across.y() * z, -1);
    A.block<2, 2>(at, at) += J * J.transpose();
    b.segment<2>(at) -= (line.n.y() * z - line.d) * J;
    for (int side = 0; side < 2; ++side) {
      Eigen::Vector4d lateral = Eigen::Vector4d::Zero();
      lateral[side] = -line.n.x();
      lateral[2 + side] = -line.n.x() * z;
      A.topLeftCorner<4, 4>() += lateral * lateral.transpose();
      b.head<4>() -= line.n.x() * w.dot(side == 0 ? axis_.x : axis_.y) * lateral;
    }
  }

  const Facets& f_;
  Axis& axis_;
  std::vector<ProfileLine>& lines_;
  std::vector<Samples> samples_;
};

/// Makes a line a cylinder if its change of radius is within the scatter of its vertices.
void snapToCylinder(const Facets& f, const Axis& axis, ProfileLine& line) {
  if (line.isPlane() || std::abs(line.n.y()) > 0.02) return;
  const double change = std::abs(line.n.y() / line.n.x()) * (line.high - line.low);
  if (change > std::max(2e-6, 2 * line.rms)) return;
  double sum = 0;
  int count = 0;
  for (const RimPoint& p : line.rim) {
    sum += axis.meridian(f.mesh->mesh.vertices[static_cast<std::size_t>(p.vertex)]).x();
    ++count;
  }
  if (count == 0) return;
  line.n = {line.n.x() > 0 ? 1.0 : -1.0, 0};
  line.d = line.n.x() * sum / count;
  measureCircle(f, axis, line);
}

/// Makes a line a plane across the axis if its change of height is within the scatter of its vertices: the
/// end of a pin with a fillet, which is of one smooth region with it.
void snapToPlane(const Facets& f, const Axis& axis, ProfileLine& line) {
  if (line.isPlane() || std::abs(line.n.x()) > 0.02) return;
  double low = HUGE_VAL, high = -HUGE_VAL, near = HUGE_VAL, far = 0, sum = 0;
  for (const int t : line.triangles)
    for (int k = 0; k < 3; ++k) {
      const Vector2d rz = axis.meridian(f.point(t, k));
      low = std::min(low, rz.y());
      high = std::max(high, rz.y());
      near = std::min(near, rz.x());
      far = std::max(far, rz.x());
      sum += rz.y();
    }
  if (std::abs(line.n.x() / line.n.y()) * (far - near) > 2e-6 || high - low > f.tolerance) return;
  line.n = {0, line.n.y() > 0 ? 1.0 : -1.0};
  line.d = line.n.y() * sum / (3.0 * static_cast<double>(line.triangles.size()));
  measureLine(f, axis, line);
}

bool isRound(const Facets& f, const ProfileLine& line) {
  if (line.isPlane()) return line.maxDeviation <= f.tolerance;
  const double radius = std::max(line.radiusAt(line.low), line.radiusAt(line.high));
  return radius > 0 && line.facets > 0 && line.facetAngle < kMaxFacetAngle && line.coverage >= kMinCoverage &&
         line.maxDeviation <= std::min(f.tolerance, 0.01 * radius);
}

/// Assigns triangles to lines about the current axis, then refits the axis. False if either fails.
bool refit(const Facets& facets, std::span<const Region* const> regions, double toleranceFactor,
           std::size_t stride, AxisFit& fit, bool areCut = true) {
  fit.lines.clear();
  for (const Region* region : regions) {
    auto lines = profileLines(facets, *region, fit.axis, toleranceFactor * facets.tolerance, stride, areCut);
    if (!lines) return false;
    std::move(lines->begin(), lines->end(), std::back_inserter(fit.lines));
  }
  return LeastSquares(facets, fit.axis, fit.lines).solve();
}

/// Measures the lines; false if one of them is not round.
bool finish(const Facets& facets, AxisFit& fit) {
  for (ProfileLine& line : fit.lines) {
    if (!line.n.allFinite() || !std::isfinite(line.d)) return false;
    measureLine(facets, fit.axis, line);
    snapToCylinder(facets, fit.axis, line);
    snapToPlane(facets, fit.axis, line);
    if (!isRound(facets, line)) return false;
  }
  return true;
}

}  // namespace

void Axis::setDirection(const Vector3d& direction) {
  z = direction.normalized();
  // Keeps the direction of the x axis as far as possible.
  Vector3d across = x - x.dot(z) * z;
  if (across.norm() < 0.1) across = z.unitOrthogonal();
  x = across.normalized();
  y = z.cross(x);
}

std::optional<AxisFit> fitAxis(const Facets& facets, std::span<const Region* const> regions,
                               const Axis& start) {
  AxisFit fit;
  fit.axis = start;
  std::size_t total = 0;
  for (const Region* region : regions) total += region->triangles.size();
  const std::size_t thin = 1 + total / kThinnedTriangles;
  // First with loose tolerances and few triangles, because the start axis is inaccurate.
  for (const double toleranceFactor : {20.0, 3.0, 1.0})
    if (!refit(facets, regions, toleranceFactor, thin, fit)) return std::nullopt;
  // A line within the tolerance of the first chord of a fillet may take it, and then misses both: separate
  // lines for them are tried next.
  if (!refit(facets, regions, 1, 1, fit)) return std::nullopt;
  if (finish(facets, fit)) return fit;
  if (refit(facets, regions, kPlaneRatio, 1, fit, false) && finish(facets, fit)) return fit;
  return std::nullopt;
}

std::optional<Axis> axisOfNormals(const Facets& f, const Region& region, double leastSpread) {
  const Vector3d middle = 0.5 * (f.low + f.high);
  const double scale = f.extent;
  Matrix3d nn = Matrix3d::Zero(), nm = Matrix3d::Zero(), mm = Matrix3d::Zero();
  for (const int t : region.triangles) {
    const Vector3d& n = f.normals[static_cast<std::size_t>(t)];
    const Vector3d p = ((f.point(t, 0) + f.point(t, 1) + f.point(t, 2)) / 3 - middle) / scale;
    const Vector3d m = p.cross(n);
    const double w = f.areas[static_cast<std::size_t>(t)] / region.area;
    nn += w * n * n.transpose();
    nm += w * n * m.transpose();
    mm += w * m * m.transpose();
  }
  // n · ā + m · a = 0 for the lines of all normals, |a| = 1. ā is determined only in the span of the normals
  // (for a cylinder, not along the axis), hence the pseudoinverse.
  const Eigen::SelfAdjointEigenSolver<Matrix3d> normals(nn);
  if (leastSpread > 0 && !(normals.eigenvalues()[0] > leastSpread)) return std::nullopt;
  Matrix3d inverse = Matrix3d::Zero();
  for (int k = 0; k < 3; ++k)
    if (normals.eigenvalues()[k] > 1e-4)
      inverse += normals.eigenvectors().col(k) * normals.eigenvectors().col(k).transpose() /
                 normals.eigenvalues()[k];
  const Eigen::SelfAdjointEigenSolver<Matrix3d> directions(mm - nm.transpose() * inverse * nm);
  const Vector3d a = withPositiveSign(directions.eigenvectors().col(0));
  const Vector3d moment = -inverse * nm * a;
  Axis axis;
  axis.setDirection(a);
  axis.origin = middle + scale * a.cross(moment);
  if (!axis.origin.allFinite()) return std::nullopt;
  return axis;
}

std::optional<AxisFit> fitAxis(const Facets& facets, const Region& region) {
  if (region.planar || !(region.area > 0)) return std::nullopt;
  const Region* const only = &region;
  const auto fitFrom = [&](const std::optional<Axis>& start) {
    return start ? fitAxis(facets, std::span(&only, 1), *start) : std::nullopt;
  };
  if (auto fit = fitFrom(axisOfNormals(facets, region))) return fit;
  return fitFrom(axisFromConstantAngle(facets, region));
}

}  // namespace tenon::content
