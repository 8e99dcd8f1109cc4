// Circles in the meridian half-planes of other axes.
#include "physics/collision/revolved/circle.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tenon::physics {
namespace {

/// Without cosines and sines.
Grid cellsBetween(double from, double to) {
  constexpr double kFewest = 4;
  Grid grid;
  const double cells = std::ceil(Grid::kCells * (to - from) / (2 * std::numbers::pi));
  grid.cells = static_cast<std::size_t>(std::clamp(cells, kFewest, static_cast<double>(Grid::kCells)));
  grid.step = (to - from) / static_cast<double>(grid.cells);
  for (std::size_t i = 0; i <= grid.cells; ++i) grid.at[i] = from + static_cast<double>(i) * grid.step;
  return grid;
}

}  // namespace

Circle expressedIn(const Matrix3d& R_CF, const Vector3d& p_CF, const Circle& circle) {
  return {R_CF.transpose() * (circle.center - p_CF), R_CF.transpose() * circle.x, R_CF.transpose() * circle.y,
          R_CF.transpose() * circle.axis, circle.radius};
}

Grid arcGrid(double from, double to) {
  Grid grid = cellsBetween(from, to);
  const double c = std::cos(grid.step), s = std::sin(grid.step);
  grid.cosine[0] = std::cos(from);
  grid.sine[0] = std::sin(from);
  for (std::size_t i = 1; i < grid.cells; ++i) {
    grid.cosine[i] = c * grid.cosine[i - 1] - s * grid.sine[i - 1];
    grid.sine[i] = s * grid.cosine[i - 1] + c * grid.sine[i - 1];
  }
  // Where the next arc begins.
  grid.cosine[grid.cells] = std::cos(to);
  grid.sine[grid.cells] = std::sin(to);
  return grid;
}

const Grid& fullCircleGrid() {
  static const Grid grid16 = [] {
    Grid grid = cellsBetween(0, 2 * std::numbers::pi);
    for (std::size_t i = 0; i < grid.cells; ++i) {
      grid.cosine[i] = std::cos(grid.at[i]);
      grid.sine[i] = std::sin(grid.at[i]);
    }
    // The last point equals the first bit for bit, so that no minimum is lost at the seam.
    grid.cosine.back() = grid.cosine.front();
    grid.sine.back() = grid.sine.front();
    return grid;
  }();
  return grid16;
}

MeridianPoint inMeridian(const Vector3d& p, const Vector3d& dp, const Vector3d& ddp) {
  MeridianPoint m;
  m.z = p.z();
  m.dZ = dp.z();
  m.ddZ = ddp.z();
  m.rho = std::sqrt(p.x() * p.x() + p.y() * p.y());
  if (m.rho <= 0) return m;
  m.dRho = (p.x() * dp.x() + p.y() * dp.y()) / m.rho;
  const double speed2 = dp.x() * dp.x() + dp.y() * dp.y();
  m.ddRho = (speed2 - m.dRho * m.dRho + p.x() * ddp.x() + p.y() * ddp.y()) / m.rho;
  return m;
}

CirclePoints::CirclePoints(const Circle& circle_M, const Grid& phases) : circle(circle_M), grid(phases) {
  for (std::size_t i = 0; i <= grid.cells; ++i) points[i] = at(grid.cosine[i], grid.sine[i]);
}

MeridianPoint CirclePoints::at(double c, double s) const {
  const Vector3d u = circle.radius * circle.outward(c, s);
  return inMeridian(circle.center + u, circle.radius * circle.tangent(c, s), -u);
}

}  // namespace tenon::physics
