// See press_fit.h.
#include "physics/contact/press_fit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace tenon::physics {

namespace {

/// Largest interference, relative to the diameter [-].
constexpr double kMaxInterference = 0.01;
/// Least length that carries load, relative to the diameter [-]: an edge that enters presses on a wall that
/// yields next to it too.
constexpr double kLeastLength = 0.05;
/// Contacts whose normal is nearer to the axis are those of end faces [cosine]; lead-ins are at 45°.
constexpr double kEndFace = 0.9;
/// Greatest tilt of the axes [cosine], and offset relative to the radius [-], of a cylinder in its bore.
constexpr double kMinAlignment = 0.99, kMaxOffset = 0.1;

/// A wall of a part: a cylinder, or a bore.
struct Wall {
  Pose X_CA;                                        // its axis, on the center of mass
  Eigen::Vector2d range = Eigen::Vector2d::Zero();  // along z [m]
  double radius = 0;                                // [m]
  double otherRadius = 0;                           // of the hub around a bore, or of the hole in a shaft [m]
};

struct Walls {
  std::vector<Wall> shafts, bores;
};

/// Appends the wall between two points (z, r) of a profile with equal radii.
void addWall(const Pose& X_CA, const Eigen::Vector2d& from, const Eigen::Vector2d& to, double otherRadius,
             std::vector<Wall>& walls) {
  if (std::abs(from.y() - to.y()) > kProfileTolerance || !(from.y() > kProfileTolerance)) return;
  const double low = std::min(from.x(), to.x()), high = std::max(from.x(), to.x());
  if (high - low > kProfileTolerance) walls.push_back({X_CA, {low, high}, from.y(), otherRadius});
}

/// Outer walls run up, inner walls down.
void addWalls(const SolidOfRevolution& solid, const Pose& X_CA, Walls& walls) {
  double outer = 0, inner = 0;
  const auto& p = solid.profile;
  for (std::size_t k = 1; k < p.size(); ++k) {
    outer = std::max(outer, p[k].y());
    if (p[k].x() < p[k - 1].x() && isRing(solid)) inner = std::max(inner, std::min(p[k].y(), p[k - 1].y()));
  }
  for (std::size_t k = 1; k < p.size(); ++k) {
    const bool up = p[k].x() > p[k - 1].x();
    addWall(X_CA, p[k - 1], p[k], up ? inner : outer, up ? walls.shafts : walls.bores);
  }
}

/// The hub around a hole of a block is the largest cylinder in it about the hole's axis.
void addWalls(const BlockWithHoles& block, const Pose& X_CP, Walls& walls) {
  for (const Cavity& cavity : block.cavities) {
    const Vector3d axis = cavity.X_BH.q * Vector3d::UnitZ();
    double hub = std::numeric_limits<double>::infinity();
    for (int k = 0; k < 3; ++k)
      if (std::abs(axis[k]) < 0.5) hub = std::min(hub, block.halfExtents[k] - std::abs(cavity.X_BH.p[k]));
    for (std::size_t k = 1; k < cavity.profile.size(); ++k)
      addWall(X_CP * cavity.X_BH, cavity.profile[k - 1], cavity.profile[k], hub, walls.bores);
  }
}

/// Full cylinders on the faces of a solid; the hub around a bore, and the hole in a shaft, are the largest
/// cylinders of the other kind about the same axis. Bores without a hub are rigid.
void addWalls(const BoundarySolid& solid, const Pose& X_CP, Walls& walls) {
  constexpr double kWhole = 0.9;  // of the area of the full circle
  struct Cylindrical {
    double area = 0, low = HUGE_VAL, high = -HUGE_VAL, outward = 0;
  };
  std::vector<Cylindrical> found(solid.surfaces.size());
  for (std::size_t t = 0; t < solid.surfaceOf.size(); ++t) {
    const int s = solid.surfaceOf[t];
    if (s < 0 || solid.surfaces[static_cast<std::size_t>(s)].kind != SurfaceKind::cylinder) continue;
    const RigidTransform toSurface = solid.surfaces[static_cast<std::size_t>(s)].X_BS.inverse();
    std::array<Vector3d, 3> p;
    for (std::size_t k = 0; k < 3; ++k)
      p[k] = toSurface.point(solid.vertices[static_cast<std::size_t>(solid.triangles[t][k])]);
    Cylindrical& wall = found[static_cast<std::size_t>(s)];
    const Vector3d across = 0.5 * (p[1] - p[0]).cross(p[2] - p[0]);
    wall.area += across.norm();
    wall.outward += across.head<2>().dot((p[0] + p[1] + p[2]).head<2>());
    for (const Vector3d& q : p) {
      wall.low = std::min(wall.low, q.z());
      wall.high = std::max(wall.high, q.z());
    }
  }
  const auto isWhole = [&](std::size_t s) {
    const double length = found[s].high - found[s].low;
    return found[s].area > kWhole * 2 * std::numbers::pi * solid.surfaces[s].radius * length && length > 0;
  };
  for (std::size_t s = 0; s < found.size(); ++s) {
    if (!isWhole(s)) continue;
    const Surface& surface = solid.surfaces[s];
    const Vector3d axis = surface.X_BS.R.col(2);
    const bool isShaft = found[s].outward > 0;
    double other = 0;
    for (std::size_t n = 0; n < found.size(); ++n) {
      const Surface& second = solid.surfaces[n];
      if (n == s || !isWhole(n) || isShaft == (found[n].outward > 0)) continue;
      if (axis.cross(second.X_BS.R.col(2)).norm() < kProfileTolerance &&
          axis.cross(second.X_BS.p - surface.X_BS.p).norm() < kProfileTolerance)
        other = std::max(other, second.radius);
    }
    Pose X_PA;
    X_PA.q = Eigen::Quaterniond(surface.X_BS.R).normalized();
    X_PA.p = surface.X_BS.p;
    (isShaft ? walls.shafts : walls.bores)
        .push_back({X_CP * X_PA, {found[s].low, found[s].high}, surface.radius, other});
  }
}

void addWalls(const Shape& shape, const Pose& X_CP, Walls& walls) {
  if (const auto* cylinder = std::get_if<Cylinder>(&shape)) {
    walls.shafts.push_back({X_CP, {-cylinder->halfLength, cylinder->halfLength}, cylinder->radius, 0});
  } else if (const auto* solid = std::get_if<SolidOfRevolution>(&shape)) {
    if (solid->thread) return;  // a thread is not pressed in
    addWalls(*solid, X_CP, walls);
  } else if (const auto* block = std::get_if<BlockWithHoles>(&shape)) {
    addWalls(*block, X_CP, walls);
  } else if (const auto* boundary = std::get_if<BoundarySolid>(&shape)) {
    addWalls(*boundary, X_CP, walls);
  } else if (const auto* compound = std::get_if<Compound>(&shape)) {
    for (const PlacedShape& child : compound->children) addWalls(child.shape, X_CP * child.X_PS, walls);
  }
}

/// A part's share of C [1/Pa]: `inner` and `outer` diameters of its wall, `sign` +1 for a hub, −1 for a
/// shaft.
double shareOf(const Elasticity& material, double inner, double outer, double sign) {
  if (!(material.youngsModulus > 0)) return 0;
  const double a = inner * inner, b = outer * outer;
  return ((b + a) / (b - a) + sign * material.poissonsRatio) / material.youngsModulus;
}

void addFits(BodyPair pair, bool shaftIsI, const Walls& shafts, const Elasticity& ofShaft, const Walls& bores,
             const Elasticity& ofHub, std::vector<PressFit>& fits) {
  for (const Wall& shaft : shafts.shafts)
    for (const Wall& bore : bores.bores) {
      const double overlap = shaft.radius - bore.radius;
      if (!(overlap > 0 && overlap <= kMaxInterference * shaft.radius)) continue;
      if (!(bore.otherRadius > bore.radius && shaft.otherRadius < shaft.radius)) continue;
      const double c = shareOf(ofHub, bore.radius, bore.otherRadius, 1) +
                       shareOf(ofShaft, shaft.otherRadius, shaft.radius, -1);
      fits.push_back({pair, shaftIsI, shaft.X_CA, bore.X_CA, shaft.range, bore.range, shaft.radius,
                      2 * std::numbers::pi / c});
    }
}

}  // namespace

Engagement::Engagement(const PressFit& fit, const Pose& X_WI, const Pose& X_WJ)
    : fit_(&fit), X_WS_((fit.shaftIsI ? X_WI : X_WJ) * fit.X_CS) {
  const Pose X_SB = X_WS_.inverse() * ((fit.shaftIsI ? X_WJ : X_WI) * fit.X_CB);
  const double along = (X_SB.q * Vector3d::UnitZ()).z();
  const double from = X_SB.p.z() + along * fit.bore.x(), to = X_SB.p.z() + along * fit.bore.y();
  range_ = {std::max(fit.shaft.x(), std::min(from, to)), std::min(fit.shaft.y(), std::max(from, to))};
  const double middle = 0.5 * (fit.bore.x() + fit.bore.y());
  const double offset = (X_SB * Vector3d(0, 0, middle)).head<2>().norm();
  active_ = std::abs(along) > kMinAlignment && offset < kMaxOffset * fit.radius &&
            length() > -2 * kLeastLength * fit.radius;
}

double Engagement::stiffness() const {
  return fit_->stiffnessPerLength * std::max(length(), 2 * kLeastLength * fit_->radius);
}

bool Engagement::includes(const Contact& contact) const {
  const Vector3d p = X_WS_.inverse() * contact.p;
  const double margin = 2 * kLeastLength * fit_->radius;
  return std::abs((X_WS_.q * Vector3d::UnitZ()).dot(contact.n)) < kEndFace &&
         std::abs(p.head<2>().norm() - fit_->radius) < kMaxOffset * fit_->radius &&
         p.z() > std::min(range_.x(), range_.y()) - margin &&
         p.z() < std::max(range_.x(), range_.y()) + margin;
}

void findPressFits(BodyPair pair, const FitPart& i, const FitPart& j, std::vector<PressFit>& fits) {
  if (!(i.material.youngsModulus > 0 || j.material.youngsModulus > 0)) return;
  Walls ofI, ofJ;
  addWalls(*i.shape, Pose::at(i.p_CP), ofI);
  addWalls(*j.shape, Pose::at(j.p_CP), ofJ);
  addFits(pair, true, ofI, i.material, ofJ, j.material, fits);
  addFits(pair, false, ofJ, j.material, ofI, i.material, fits);
}

}  // namespace tenon::physics
