// Equilibria by trying every set of at most two contacts, each with Newton's method.
#include "tests/support/planar_insertion.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace tenon::tests {
namespace {

using Eigen::Vector2d;  // (x, z)

constexpr double kHalfTurn = 3.14159265358979323846;
constexpr double kGapTolerance = 1e-12;   // m; rounding of a coordinate is 1e-17
constexpr double kForceTolerance = 1e-9;  // N

/// Pose of the peg in the plane and how far the target has come.
struct Pose2 {
  double x = 0, z = 0, tilt = 0, progress = 0;
};

struct Touch {
  bool exists = false;        ///< the features face each other
  double gap = 0;             ///< [m]
  Vector2d p{0, 0};           ///< where the force acts
  Vector2d n{0, 0}, t{0, 0};  ///< force on the peg; friction on a peg that slides down
};

Touch touchOf(const PlanarInsertion& in, const Pose2& pose, int which) {
  const double side = which % 2 == 0 ? 1 : -1;
  const Vector2d axis(std::sin(pose.tilt), std::cos(pose.tilt)), across(axis.y(), -axis.x());
  const Vector2d tip = Vector2d(pose.x, pose.z) - in.centreHeight * axis;
  const Vector2d corner = tip + side * in.radius * across;
  const double bore = in.radius + in.clearance / 2;
  Touch touch;
  switch (static_cast<PlanarContact>(which / 2)) {
    case PlanarContact::tipOnChamfer: {
      const double r = std::sqrt(0.5);
      touch.exists = corner.y() > -in.chamfer && corner.y() < 0;
      touch.gap = r * (bore + corner.y() + in.chamfer - side * corner.x());
      touch.p = corner;
      touch.n = {-side * r, r};
      touch.t = {side * r, r};
      break;
    }
    case PlanarContact::tipOnBore:
      touch.exists = corner.y() <= -in.chamfer;
      touch.gap = bore - side * corner.x();
      touch.p = corner;
      touch.n = {-side, 0};
      touch.t = {0, 1};
      break;
    case PlanarContact::edgeOnShank: {
      touch.p = {side * bore, -in.chamfer};
      touch.exists = (touch.p - tip).dot(axis) > 0;
      touch.gap = side * (touch.p - tip).dot(across) - in.radius;
      touch.n = -side * across;
      touch.t = axis;
      break;
    }
  }
  return touch;
}

/// Unknowns: x, tilt, progress, forces of the active contacts.
using Unknowns = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 5, 1>;
using Jacobian = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 5, 5>;

struct ActiveSet {
  int count = 0;
  int contacts[2] = {0, 0};
};

struct Statics {
  const PlanarInsertion& in;
  double z;
  ActiveSet active;

  Pose2 pose(const Unknowns& y) const { return {y[0], z, y[1], y[2]}; }

  double push(const Unknowns& y) const {
    double sum = 0;
    for (int k = 0; k < active.count; ++k) {
      const Touch touch = touchOf(in, pose(y), active.contacts[k]);
      sum += y[3 + k] * (touch.n + in.friction * touch.t).y();
    }
    return sum;
  }

  /// Unbalanced force and moment as displacements, the target's height, the active gaps: all [m, rad].
  Unknowns residual(const Unknowns& y) const {
    const Pose2 at = pose(y);
    const double target = in.tilt * (1 - at.progress);
    const double targetX = in.offset * (1 - at.progress) + in.centreHeight * std::sin(target);
    const double targetZ = in.top - (in.top + in.depth) * at.progress + in.centreHeight * std::cos(target);
    double fx = in.lateralStiffness * (targetX - at.x), moment = in.angularStiffness * (target - at.tilt);
    Unknowns r(3 + active.count);
    for (int k = 0; k < active.count; ++k) {
      const Touch touch = touchOf(in, at, active.contacts[k]);
      const Vector2d force = y[3 + k] * (touch.n + in.friction * touch.t);
      const Vector2d arm = touch.p - Vector2d(at.x, at.z);
      fx += force.x();
      moment += arm.y() * force.x() - arm.x() * force.y();
      r[3 + k] = touch.gap;
    }
    r[0] = fx / in.lateralStiffness;
    r[1] = moment / in.angularStiffness;
    r[2] = at.z - targetZ - (in.axialStiffness > 0 ? push(y) / in.axialStiffness : 0);
    return r;
  }

  Jacobian jacobian(const Unknowns& y) const {
    Jacobian result(y.size(), y.size());
    for (int j = 0; j < y.size(); ++j) {
      const double h = j < 3 ? 1e-7 : 1e-3;
      Unknowns above = y, below = y;
      above[j] += h;
      below[j] -= h;
      result.col(j) = (residual(above) - residual(below)) / (2 * h);
    }
    return result;
  }

  std::optional<Unknowns> solve(const PlanarEquilibrium& last) const {
    Unknowns y = Unknowns::Zero(3 + active.count);
    y.head<3>() << last.x, last.tilt, last.progress;
    for (int pass = 0; pass < 50; ++pass) {
      const Unknowns r = residual(y);
      if (r.cwiseAbs().maxCoeff() < 1e-14) return y;
      const Unknowns step = jacobian(y).fullPivLu().solve(r);
      if (!step.allFinite()) return std::nullopt;
      y -= step;
      if (std::abs(y[1]) > kHalfTurn / 4) return std::nullopt;
    }
    if (residual(y).cwiseAbs().maxCoeff() < 1e-12) return y;
    return std::nullopt;
  }

  /// True where the contacts push, exist, and nothing else overlaps.
  bool holds(const Unknowns& y) const {
    for (int k = 0; k < active.count; ++k) {
      if (y[3 + k] < -kForceTolerance || !touchOf(in, pose(y), active.contacts[k]).exists) return false;
    }
    for (int which = 0; which < kPlanarContacts; ++which) {
      const Touch touch = touchOf(in, pose(y), which);
      if (touch.exists && touch.gap < -kGapTolerance) return false;
    }
    return true;
  }
};

}  // namespace

int PlanarEquilibrium::contacts() const {
  return static_cast<int>(
      std::count_if(force.begin(), force.end(), [](double f) { return f > kForceTolerance; }));
}

PlanarEquilibrium planarTarget(const PlanarInsertion& insertion, double progress) {
  const double tilt = insertion.tilt * (1 - progress);
  const double x = insertion.offset * (1 - progress) + insertion.centreHeight * std::sin(tilt);
  return {true, x, tilt, progress, 0, {}};
}

PlanarEquilibrium planarEquilibrium(const PlanarInsertion& insertion, double z,
                                    const PlanarEquilibrium& last) {
  PlanarEquilibrium best;
  double least = std::numeric_limits<double>::infinity();
  const auto attempt = [&](const ActiveSet& active) {
    const Statics statics{insertion, z, active};
    const auto y = statics.solve(last);
    if (!y || !statics.holds(*y)) return;
    const double distance = std::hypot((*y)[0] - last.x, insertion.centreHeight * ((*y)[1] - last.tilt));
    if (distance >= least) return;
    least = distance;
    best = {true, (*y)[0], (*y)[1], (*y)[2], statics.push(*y), {}};
    for (int k = 0; k < active.count; ++k)
      best.force[static_cast<std::size_t>(active.contacts[k])] = (*y)[3 + k];
  };
  attempt({});
  for (int a = 0; a < kPlanarContacts; ++a) {
    attempt({1, {a, 0}});
    for (int b = a + 1; b < kPlanarContacts; ++b) attempt({2, {a, b}});
  }
  return best;
}

InsertionTruth insertionTruth(const PlanarInsertion& insertion, int steps) {
  InsertionTruth truth;
  const double start = insertion.centreHeight * std::cos(insertion.tilt) + insertion.top;
  const double end = insertion.centreHeight - insertion.depth;
  PlanarEquilibrium at = planarTarget(insertion, 0);
  for (int k = 0; k <= steps; ++k) {
    const double z = start + (end - start) * k / steps;
    at = planarEquilibrium(insertion, z, at);
    if (!at.found) {
      truth.wedged = true;
      break;
    }
    if (at.progress > 1 + 1e-9) break;
    const double tip = insertion.centreHeight * std::cos(at.tilt) - z;
    truth.endDepth = tip;
    if (at.push > truth.peakPush) {
      truth.peakPush = at.push;
      truth.peakDepth = tip;
    }
    if (at.contacts() == 2 && truth.twoPointDepth == 0 && tip > insertion.chamfer)
      truth.twoPointDepth = tip - insertion.chamfer;
  }
  truth.arrives = !truth.wedged && truth.endDepth > insertion.depth - 1e-6;
  if (truth.twoPointDepth > 0)
    truth.wedgingPossible = truth.twoPointDepth / (2 * insertion.radius) < insertion.friction;
  return truth;
}

}  // namespace tenon::tests
