// Brute force distances of solids of revolution.
#include "tests/support/revolved_reference.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>
#include <vector>

#include "tests/support/golden_section.h"

namespace tenon::test {
namespace {

using Eigen::Vector2d;
using physics::BlockWithHoles;
using physics::Cavity;
using physics::Pose;
using physics::SolidOfRevolution;
using physics::Vector3d;
using std::numbers::pi;

/// A point this deep in a face is on it: above an opening it is not in the material [m].
constexpr double kRounding = 1e-15;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

double squaredDistanceToSegment(const Vector2d& p, const Vector2d& a, const Vector2d& b) {
  const double along = std::clamp((p - a).dot(b - a) / (b - a).dot(b - a), 0.0, 1.0);
  const double dx = p.x() - (a.x() + along * (b.x() - a.x())), dy = p.y() - (a.y() + along * (b.y() - a.y()));
  return dx * dx + dy * dy;
}

double toPolyline(const Vector2d& zr, const std::vector<Vector2d>& profile) {
  double best = kInfinity;
  for (std::size_t i = 1; i < profile.size(); ++i)
    best = std::min(best, squaredDistanceToSegment(zr, profile[i - 1], profile[i]));
  return std::sqrt(best);
}

// Even-odd rule along r → ∞.
bool between(const Vector2d& zr, const std::vector<Vector2d>& profile) {
  bool inside = false;
  for (std::size_t i = 1; i < profile.size(); ++i) {
    const Vector2d &a = profile[i - 1], &b = profile[i];
    if ((a.x() > zr.x()) == (b.x() > zr.x())) continue;
    if (a.y() + (zr.x() - a.x()) / (b.x() - a.x()) * (b.y() - a.y()) > zr.y()) inside = !inside;
  }
  return inside;
}

Vector2d halfPlane(const Vector3d& p) {
  return {p.z(), std::sqrt(p.x() * p.x() + p.y() * p.y())};
}

struct Disc {
  Vector3d center;
  int axis;
  double side, radius;
};

std::vector<Disc> openings(const BlockWithHoles& block) {
  std::vector<Disc> discs;
  for (const Cavity& c : block.cavities) {
    const Vector3d z = c.X_BH.q * Vector3d::UnitZ();
    int axis = 0;
    z.cwiseAbs().maxCoeff(&axis);
    const double side = z[axis] > 0 ? 1 : -1;
    discs.push_back({c.X_BH.p, axis, side, c.profile.front().y()});
    if (c.through)
      discs.push_back({c.X_BH.p - 2 * side * block.halfExtents[axis] * Vector3d::Unit(axis), axis, -side,
                       c.profile.back().y()});
  }
  return discs;
}

// The block with what does not depend on the point.
struct Prepared {
  explicit Prepared(const BlockWithHoles& b) : block(b), discs(openings(b)) {
    for (const Cavity& c : b.cavities)
      frames.emplace_back(Eigen::Isometry3d(Eigen::Translation3d(c.X_BH.p) * c.X_BH.q).inverse());
  }
  double operator()(const Vector3d& p) const;
  double toFace(int axis, double side, const Vector3d& p) const;

  const BlockWithHoles& block;
  std::vector<Disc> discs;
  std::vector<Eigen::Isometry3d> frames;
};

// Distance to a face's rectangle less its openings; the rims are left to the cavities.
double Prepared::toFace(int axis, double side, const Vector3d& p) const {
  const Vector3d& h = block.halfExtents;
  Vector3d q = p.cwiseMax(-h).cwiseMin(h);
  q[axis] = side * h[axis];
  for (const Disc& d : discs) {
    if (d.axis != axis || d.side != side) continue;
    Vector3d w = q - d.center;
    w[axis] = 0;
    if (w.norm() < d.radius) return kInfinity;
  }
  return (p - q).norm();
}

double Prepared::operator()(const Vector3d& p) const {
  double best = kInfinity;
  bool material = (p.cwiseAbs() - block.halfExtents).maxCoeff() < -kRounding;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const std::vector<Vector2d>& profile = block.cavities[i].profile;
    const Vector2d zr = halfPlane(frames[i] * p);
    best = std::min(best, toPolyline(zr, profile));
    if (material && between(zr, profile)) material = false;
  }
  for (int axis = 0; axis < 3; ++axis)
    for (const double side : {-1.0, 1.0}) best = std::min(best, toFace(axis, side, p));
  return material ? -best : best;
}

// --- minimizing over a surface -----------------------------------------------------------------------

/// The flank between two points of a profile, in the other part's frame.
struct Flank {
  Vector2d start, along;  ///< (z, r) [m]
  Eigen::Isometry3d X;
  Vector3d at(double phi, double t) const {
    const Vector2d zr = start + t * along;
    return X * Vector3d(zr.y() * std::cos(phi), zr.y() * std::sin(phi), zr.x());
  }
};

struct Start {
  double value, phi, t;
  const Flank* flank;
};

constexpr int kPhi = 96, kT = 24;
constexpr double kStepPhi = 2 * pi / kPhi, kStepT = 1.0 / kT;

// How far the surface goes over a cell: the field changes by at most that.
double cellSize(const Flank& flank) {
  const double radius = std::max(flank.start.y(), flank.start.y() + flank.along.y());
  return radius * kStepPhi + flank.along.norm() * kStepT;
}

// Towards the minimum, to kCoarse of a window of ±`scale` cells: golden sections along the flank within
// golden sections over the phase, in a window that follows the valley for as long as the least value lies
// towards its border.
constexpr double kCoarse = 0.05;
template <class Field>
Start descend(const Field& field, Start c, double scale) {
  const double dPhi = scale * kStepPhi, dT = scale * kStepT;
  for (int move = 0; move < 200; ++move) {
    const auto along = [&](double phi) {
      return leastBetween(std::max(0.0, c.t - dT), std::min(1.0, c.t + dT), kCoarse * dT,
                          [&](double t) { return field(c.flank->at(phi, t)); });
    };
    const double phi =
        leastBetween(c.phi - dPhi, c.phi + dPhi, kCoarse * dPhi, [&](double x) { return along(x).value; }).at;
    const Least least = along(phi);
    const Vector3d way = c.flank->at(phi, least.at) - c.flank->at(c.phi, c.t);
    const bool still = way.norm() < 1e-3 * scale * cellSize(*c.flank);
    const double moved = std::max(std::abs(phi - c.phi) / dPhi, std::abs(least.at - c.t) / dT);
    c = {std::min(c.value, least.value), phi, least.at, c.flank};
    if (still || moved < 0.5) break;
  }
  return c;
}

// The cells of the flank that are no higher than their neighbors. A cell is as low as its lowest point along
// the flank at its phase: a dip between two nodes is not to be stepped over.
template <class Field>
void findStarts(const Flank& flank, const Field& field, std::vector<Start>& starts) {
  std::vector<Least> grid(kPhi * kT);
  const auto cell = [&](int i, int j) -> Least& { return grid[(i + kPhi) % kPhi * kT + j]; };
  for (int i = 0; i < kPhi; ++i)
    for (int j = 0; j < kT; ++j)
      cell(i, j) = leastBetween(j * kStepT, (j + 1) * kStepT, 0.05 * kStepT,
                                [&](double t) { return field(flank.at(i * kStepPhi, t)); });
  for (int i = 0; i < kPhi; ++i)
    for (int j = 0; j < kT; ++j) {
      // At the flank's ends only along their rims: a valley that runs from end to end may be lowest at
      // either.
      const int reach = j == 0 || j == kT - 1 ? 0 : 1;
      bool least = true;
      for (int di = -1; di <= 1; ++di)
        for (int dj = -reach; dj <= reach; ++dj)
          if (j + dj >= 0 && j + dj < kT && cell(i + di, j + dj).value < cell(i, j).value) least = false;
      if (least) starts.push_back({cell(i, j).value, i * kStepPhi, cell(i, j).at, &flank});
    }
}

// Least of `field` on the surface of a profile.
template <class Field>
double leastOnProfile(const std::vector<Vector2d>& profile, const Pose& X, const Field& field) {
  std::vector<Flank> flanks;
  for (std::size_t i = 1; i < profile.size(); ++i)
    flanks.push_back(
        {profile[i - 1], profile[i] - profile[i - 1], Eigen::Isometry3d(Eigen::Translation3d(X.p) * X.q)});
  std::vector<Start> starts;
  for (const Flank& flank : flanks) findStarts(flank, field, starts);
  std::sort(starts.begin(), starts.end(), [](const Start& x, const Start& y) { return x.value < y.value; });
  double best = kInfinity;
  const auto place = [](const Start& s) { return s.flank->at(s.phi, s.t); };
  // Windows ever finer, for those that can still become the least: within a window it falls by at most its
  // size.
  for (double scale = 1; scale > 1e-9; scale *= 0.15) {
    std::vector<Start> kept;
    for (const Start& start : starts) {
      const double size = scale * cellSize(*start.flank);
      if (start.value - size > best) continue;
      // One of those that have come together is enough (at a tip all phases are one point).
      const bool known = std::any_of(kept.begin(), kept.end(), [&](const Start& other) {
        return other.flank == start.flank && (place(other) - place(start)).norm() < 1e-3 * size;
      });
      if (known) continue;
      kept.push_back(descend(field, start, scale));
      best = std::min(best, kept.back().value);
    }
    starts = std::move(kept);
  }
  return best;
}

}  // namespace

double referenceDistance(const SolidOfRevolution& solid, const Vector3d& p) {
  const Vector2d zr = halfPlane(p);
  return (between(zr, solid.profile) ? -1 : 1) * toPolyline(zr, solid.profile);
}

double referenceDistance(const BlockWithHoles& block, const Vector3d& p) {
  return Prepared(block)(p);
}

BlockDistance distanceTo(const BlockWithHoles& block) {
  return Prepared(block);
}

double referenceSeparation(const SolidOfRevolution& a, const BlockWithHoles& b, const Pose& X_BA) {
  return leastOnProfile(a.profile, X_BA, Prepared(b));
}

double referenceSeparation(const SolidOfRevolution& a, const SolidOfRevolution& b, const Pose& X_BA) {
  return leastOnProfile(a.profile, X_BA, [&](const Vector3d& p) { return referenceDistance(b, p); });
}

namespace {

// Greatest value of `f`, which changes by at most `speed` per unit, on [low, high]: samples, and golden
// sections about those that may still be the greatest.
template <class F>
double greatest(double low, double high, double speed, const F& f) {
  constexpr int kSamples = 64;
  const double step = (high - low) / kSamples;
  std::vector<double> value;
  for (int k = 0; k <= kSamples; ++k) value.push_back(f(low + k * step));
  double best = 0;
  for (int k = 0; k <= kSamples; ++k) {
    const auto i = static_cast<std::size_t>(k);
    if (value[i] + speed * step <= best) continue;
    if ((k > 0 && value[i - 1] > value[i]) || (k < kSamples && value[i + 1] > value[i])) continue;
    best = std::max(
        best, -leastBetween(low + (k - 1) * step, low + (k + 1) * step, 1e-9 * (high - low), [&](double t) {
                 return -f(std::clamp(t, low, high));
               }).value);
  }
  return best;
}

// Of a point going round the rims of `profile` placed at X.
template <class Depth>
double greatestOnRims(const std::vector<Vector2d>& profile, const Pose& X, const Depth& depth) {
  double best = 0;
  for (const Vector2d& zr : profile)
    best = std::max(best, greatest(0, 2 * pi, zr.y(), [&](double phi) {
                      return depth(X * Vector3d(zr.y() * std::cos(phi), zr.y() * std::sin(phi), zr.x()));
                    }));
  return best;
}

}  // namespace

double referencePenetration(const SolidOfRevolution& a, const BlockWithHoles& b, const Pose& X_BA) {
  const Prepared block(b);
  const Pose X_AB = X_BA.inverse();
  const auto inPart = [&](const Vector3d& p_B) { return -referenceDistance(a, X_AB * p_B); };
  double best = greatestOnRims(a.profile, X_BA, [&](const Vector3d& p_B) { return -block(p_B); });
  for (const Cavity& c : b.cavities) best = std::max(best, greatestOnRims(c.profile, c.X_BH, inPart));
  for (int axis = 0; axis < 3; ++axis)
    for (int corner = 0; corner < 4; ++corner) {
      Vector3d p = b.halfExtents;
      if (corner & 1) p[(axis + 1) % 3] *= -1;
      if (corner & 2) p[(axis + 2) % 3] *= -1;
      const double h = b.halfExtents[axis];
      best = std::max(best, greatest(-h, h, 1, [&](double t) {
                        p[axis] = t;
                        return inPart(p);
                      }));
    }
  return best;
}

}  // namespace tenon::test
