// See boundary_surfaces.h.
#include "content/recognize/boundary_surfaces.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "content/recognize/hole_profile.h"
#include "content/recognize/profile_arcs.h"
#include "content/recognize/profile_chains.h"
#include "content/recognize/shape_deviation.h"
#include "physics/collision/brep/surface.h"
#include "physics/collision/geometry/bounds.h"

namespace tenon::content {
namespace {

using physics::Surface;
using physics::SurfaceKind;

/// Fraction of the tolerance by which a direction may be turned to that of another face or of the file [-].
constexpr double kSnapRatio = 0.1;
/// Rounding of the coordinates of a file: of floats, and of six to seven digits, relative to the largest [-].
constexpr double kFileRounding = 1e-6;
/// Fewer triangles do not make a plane among the facets of a smooth region.
constexpr std::size_t kLeastOfPlane = 3;
/// Triangles whose normals differ more are not of one plane, slivers aside [-].
constexpr double kSamePlane = 0.9;
/// Smallest limit of the distance of vertices from a surface of small radius [m].
constexpr double kMinLimit = 1e-6;

/// The axis of the file along `direction` if that moves the ends of the part by less than a tenth of the
/// tolerance.
Vector3d snapped(const Facets& facets, const Vector3d& direction) {
  int axis = 0;
  direction.cwiseAbs().maxCoeff(&axis);
  const Vector3d unit = (direction[axis] > 0 ? 1 : -1) * Vector3d::Unit(axis);
  return (direction - unit).norm() * facets.extent < kSnapRatio * facets.tolerance ? unit : direction;
}

class SurfaceFinder {
 public:
  SurfaceFinder(const RecognitionInput& input, BoreRule rule) : input_(input), f_(input.facets), rule_(rule) {
    found_.surfaceOf.assign(static_cast<std::size_t>(f_.count()), -1);
    found_.alongFlats.assign(static_cast<std::size_t>(f_.count()), 0);
  }

  BoundarySurfaces find() {
    normals_.assign(input_.regions.size(), Vector3d::Zero());
    std::vector<Axis> axes;
    for (const RevolvedGroup& group : input_.groups) axes.push_back(axisOf(group));
    for (std::size_t r = 0; r < input_.regions.size(); ++r) addRegion(input_.regions[r], normals_[r]);
    for (std::size_t g = 0; g < axes.size(); ++g) addProfile(axes[g], input_.groups[g]);
    for (const Region& region : input_.regions) addBall(region);
    found_.firstGrown = found_.surfaces.size();
    const bool hasCadSurfaces = std::any_of(input_.regions.begin(), input_.regions.end(),
                                            [](const Region& region) { return region.surface.has_value(); });
    if (!hasCadSurfaces) growPlanes();  // else what is planar is known
    return std::move(found_);
  }

 private:
  /// Largest displacement of points by which a direction may be turned to that of another face [m]:
  /// `deviation` is that of the vertices from their surface.
  double allowance(double deviation) const { return kSnapRatio * f_.tolerance + 2 * deviation; }

  const Region& region(int id) const { return input_.regions[static_cast<std::size_t>(id)]; }

  /// The axis of a group in the direction of the normal of its largest plane, so that they meet in circles,
  /// if the vertices confirm it; turned about the middle of its lines. Other planes across the axis get the
  /// same normal: two ends of a hole are parallel, but for the scatter of their vertices.
  Axis axisOf(const RevolvedGroup& group) {
    Axis axis = group.axis;
    int largest = -1;
    for (const int id : group.regions)
      if (region(id).planar && (largest < 0 || region(id).area > region(largest).area)) largest = id;
    if (largest < 0) {
      axis.setDirection(snapped(f_, axis.z));
      return axis;
    }
    Vector3d& first = normals_[static_cast<std::size_t>(largest)];
    if (first.isZero()) first = snapped(f_, region(largest).normal);
    const Vector3d n = first;
    for (const int id : group.regions) {
      Vector3d& normal = normals_[static_cast<std::size_t>(id)];
      if (!region(id).planar || region(id).surface || !normal.isZero()) continue;
      const Vector3d turned = region(id).normal.dot(n) > 0 ? n : Vector3d(-n);
      if (turned.cross(region(id).normal).norm() * extentOf(region(id)) < allowance(region(id).maxDeviation))
        normal = turned;
    }
    double low = HUGE_VAL, high = -HUGE_VAL, deviation = 0;
    for (const ProfileLine& line : group.lines) {
      if (line.isPlane()) continue;
      low = std::min(low, line.low);
      high = std::max(high, line.high);
      deviation = std::max(deviation, line.maxDeviation);
    }
    if (!(n.cross(axis.z).norm() * (high - low) < allowance(deviation))) return axis;
    const double middle = 0.5 * (low + high);
    const Vector3d about = pointOnAxis(axis, middle);
    axis.setDirection(n.dot(axis.z) > 0 ? n : Vector3d(-n));
    axis.origin = about - middle * axis.z;
    return axis;
  }

  /// Largest distance of two corners of the bounds of a region [m].
  double extentOf(const Region& r) const {
    physics::Bounds bounds;
    for (const int t : r.triangles)
      for (int k = 0; k < 3; ++k) physics::include(bounds, {f_.point(t, k), f_.point(t, k)});
    return (bounds.high - bounds.low).norm();
  }

  /// `normal`: zero: its own.
  void addRegion(const Region& region, const Vector3d& normal) {
    if (region.planar) {
      const Vector3d n = normal.isZero() ? snapped(f_, region.normal) : normal;
      if (!addPlane(n, region) && n != region.normal) addPlane(region.normal, region);
    } else if (region.surface) {
      // Vertices beside it are the file's own; whether the face can be used is measured.
      if (auto s = surfaceOfCad(*region.surface))
        add(*s, region.triangles, kMaxDeviationRatio * f_.tolerance);
    }
  }

  bool addPlane(const Vector3d& n, const Region& region) {
    // Through the middle of the vertices, which turning the normal does not move.
    const double offset = n == region.normal ? region.offset : offsetOf(n, region.triangles);
    Surface s;
    s.X_BS = frameAt(offset * n, n);
    return add(s, region.triangles, region.surface ? f_.tolerance : kPlaneRatio * f_.tolerance);
  }

  /// n · p in the mean of the vertices [m].
  double offsetOf(const Vector3d& n, const std::vector<int>& triangles) const {
    double sum = 0, count = 0;
    for (const int t : triangles)
      for (int k = 0; k < 3; ++k, ++count) sum += n.dot(f_.point(t, k));
    return sum / count;
  }

  /// Planes among the triangles that have no surface, as the top of a plate with round edges: from the
  /// largest triangle, whose normal is the most accurate, to all whose vertices lie on them but for the
  /// rounding of the file.
  void growPlanes() {
    const double limit =
        std::min(kPlaneRatio * f_.tolerance,
                 kFileRounding * std::max(f_.low.cwiseAbs().maxCoeff(), f_.high.cwiseAbs().maxCoeff()));
    std::vector<int> order;
    for (int t = 0; t < f_.count(); ++t)
      if (isFree(t) && !normalOf(t).isZero()) order.push_back(t);
    std::stable_sort(order.begin(), order.end(), [&](int t, int u) {
      return f_.areas[static_cast<std::size_t>(t)] > f_.areas[static_cast<std::size_t>(u)];
    });
    std::vector<int> stamp(static_cast<std::size_t>(f_.count()), -1);
    std::vector<char> isTried(stamp.size(), 0);
    for (const int seed : order) {
      if (!isFree(seed) || isTried[static_cast<std::size_t>(seed)] != 0) continue;
      std::vector<int> grown = grow(seed, normalOf(seed), f_.point(seed, 0), 2 * limit, stamp);
      for (const int t : grown) isTried[static_cast<std::size_t>(t)] = 1;
      if (grown.size() < kLeastOfPlane) continue;
      const Region whole = planeThrough(f_, std::move(grown));
      if (!whole.planar) continue;
      for (const Vector3d& n : {snapped(f_, whole.normal), whole.normal}) {
        const double offset = offsetOf(n, whole.triangles);
        Surface s;
        s.X_BS = frameAt(offset * n, n);
        if (add(s, whole.triangles, limit)) break;
      }
    }
  }

  bool isFree(int t) const { return found_.surfaceOf[static_cast<std::size_t>(t)] < 0; }
  const Vector3d& normalOf(int t) const { return f_.normals[static_cast<std::size_t>(t)]; }

  /// The free triangles around `seed` on the plane through p, to within `limit`. `stamp`: by triangle, the
  /// last seed that came across it.
  std::vector<int> grow(int seed, const Vector3d& n, const Vector3d& p, double limit,
                        std::vector<int>& stamp) const {
    const auto fits = [&](int t) {
      for (int k = 0; k < 3; ++k)
        if (!(std::abs(n.dot(f_.point(t, k) - p)) <= limit)) return false;
      return normalOf(t).isZero() || normalOf(t).dot(n) > kSamePlane;
    };
    std::vector<int> grown{seed};
    stamp[static_cast<std::size_t>(seed)] = seed;
    for (std::size_t at = 0; at < grown.size(); ++at)
      for (int side = 0; side < 3; ++side) {
        const int other = f_.neighbor(grown[at], side);
        if (other < 0 || !isFree(other) ||
            std::exchange(stamp[static_cast<std::size_t>(other)], seed) == seed)
          continue;
        if (fits(other)) grown.push_back(other);
      }
    return grown;
  }

  /// `slack`: of a face that continues a bore along its flats.
  bool addCurved(const Surface& s, const std::vector<int>& triangles, double slack = 0) {
    const double least = s.kind == SurfaceKind::torus      ? std::min(s.radius, s.minor)
                         : s.kind == SurfaceKind::freeform ? f_.extent
                                                           : s.radius;
    return add(s, triangles, slack + std::min(f_.tolerance, std::max(0.01 * least, kMinLimit)));
  }

  /// Lines and arcs of a profile. Arcs are found first, since lines include their first rows of facets if
  /// these are within the tolerance; then they are made tangent to the lines that they continue.
  void addProfile(const Axis& axis, const RevolvedGroup& group) {
    std::vector<int> free;
    for (const ProfileLine& line : group.lines)
      for (const int t : line.triangles)
        if (isFree(t)) free.push_back(t);
    std::vector<ProfileArc> arcs = profileArcs(f_, axis, free);
    std::vector<char> isArc(found_.surfaceOf.size(), 0);
    for (const ProfileArc& arc : arcs)
      for (const int t : arc.triangles) isArc[static_cast<std::size_t>(t)] = 1;
    for (const ProfileLine& line : group.lines) {
      const auto rest = lineOfRest(
          f_, axis, line, [&](int t) { return isFree(t) && isArc[static_cast<std::size_t>(t)] == 0; });
      if (rest) addLine(axis, *rest);
    }
    std::stable_sort(arcs.begin(), arcs.end(), [](const ProfileArc& a, const ProfileArc& b) {
      return a.triangles.size() > b.triangles.size();
    });
    for (const ProfileArc& arc : arcs) addArc(axis, arc);
  }

  /// Distance of the vertices outside of the surface of a face that follows the flats [m].
  double slackOf(int surface) const {
    const auto found = slack_.find(surface);
    return found == slack_.end() ? 0 : found->second;
  }

  /// The line or arc of a surface about `axis`; empty if it has another axis.
  std::optional<ArcNeighbor> profileOf(const Surface& s, const Axis& axis) const {
    constexpr double kSameAxis = 1e-9;  // [m] and [-]
    if (s.kind == SurfaceKind::freeform) return std::nullopt;
    const Vector3d z = s.X_BS.R.col(2), p = s.X_BS.p - axis.origin;
    const double along = z.dot(axis.z), height = p.dot(axis.z);
    const bool isBall = s.kind == SurfaceKind::sphere;
    if (!isBall && axis.z.cross(z).norm() > kSameAxis) return std::nullopt;
    if (s.kind != SurfaceKind::plane && axis.z.cross(p).norm() > kSameAxis) return std::nullopt;
    ArcNeighbor found;
    if (s.kind == SurfaceKind::plane) {
      found.n = {0, along > 0 ? 1.0 : -1.0};
      found.d = z.dot(p);
    } else if (s.kind == SurfaceKind::cylinder || s.kind == SurfaceKind::cone) {
      found.n = Eigen::Vector2d(1, along > 0 ? -s.slope : s.slope).normalized();
      found.d = found.n.dot(Eigen::Vector2d(s.radius, height));
    } else {
      found.center = {isBall ? 0 : s.radius, height};
      found.radius = isBall ? s.radius : s.minor;
    }
    return found;
  }

  /// The surfaces that an arc continues smoothly.
  std::vector<ArcNeighbor> smoothNeighbors(const Axis& axis, const ProfileArc& arc, double& slack) const {
    constexpr double kSmooth = 0.05, kNear = 0.5;  // [rad]; over the tolerance
    std::vector<int> seen;
    std::vector<ArcNeighbor> smooth;
    for (const int t : arc.triangles)
      for (int side = 0; side < 3; ++side) {
        const int other = f_.neighbor(t, side);
        const int s = other < 0 ? -1 : found_.surfaceOf[static_cast<std::size_t>(other)];
        if (s < 0 || std::find(seen.begin(), seen.end(), s) != seen.end()) continue;
        seen.push_back(s);
        const auto profile = profileOf(found_.surfaces[static_cast<std::size_t>(s)], axis);
        if (!profile) continue;
        const Eigen::Vector2d out = (axis.meridian(f_.point(t, side)) - arc.center).normalized();
        const bool isLine = !profile->n.isZero(0);
        const Eigen::Vector2d n =
            isLine ? profile->n
                   : Eigen::Vector2d((axis.meridian(f_.point(t, side)) - profile->center).normalized());
        const double distance = isLine ? std::abs(profile->n.dot(arc.center) - profile->d)
                                       : (profile->center - arc.center).norm();
        const double off = isLine ? std::abs(distance - arc.radius)
                                  : std::min(std::abs(distance - arc.radius - profile->radius),
                                             std::abs(distance - std::abs(arc.radius - profile->radius)));
        if (std::abs(n.x() * out.y() - n.y() * out.x()) > kSmooth || off > kNear * f_.tolerance + slackOf(s))
          continue;
        slack = std::max(slack, slackOf(s));
        smooth.push_back(*profile);
      }
    return smooth;
  }

  void addArc(const Axis& axis, const ProfileArc& arc) {
    double slack = 0;
    const std::vector<ArcNeighbor> neighbors = smoothNeighbors(axis, arc, slack);
    const double reach = std::min(kPlaneRatio * f_.tolerance, 0.01 * arc.radius) + slack;
    const bool isSphere = std::abs(arc.center.x()) < reach;
    const auto exact = tangentArc(arc, neighbors, isSphere);
    // About a center beyond the axis the arc sweeps the inner part of a spindle torus.
    if (!exact || !(isSphere || exact->center.x() > 0)) return;
    Surface s;
    s.kind = isSphere ? SurfaceKind::sphere : SurfaceKind::torus;
    s.radius = isSphere ? exact->radius : exact->center.x();
    s.minor = isSphere ? 0 : exact->radius;
    s.X_BS = frameAt(pointOnAxis(axis, exact->center.y()), axis.z);
    if (addCurved(s, arc.triangles, slack) && slack > 0) markAlongFlats(arc.triangles);
  }

  /// A region that is no surface of revolution about an axis of its own, but lies on a sphere.
  void addBall(const Region& region) {
    constexpr std::size_t kLeastTriangles = 20;
    if (region.planar || region.surface || region.triangles.size() < kLeastTriangles) return;
    if (!std::all_of(region.triangles.begin(), region.triangles.end(), [&](int t) { return isFree(t); }))
      return;
    const Vector3d middle = 0.5 * (f_.low + f_.high);
    Eigen::Matrix4d A = Eigen::Matrix4d::Zero();
    Eigen::Vector4d b = Eigen::Vector4d::Zero();
    // |q|² = 2 c · q + r² − |c|²
    for (const int t : region.triangles)
      for (int k = 0; k < 3; ++k) {
        const Vector3d q = (f_.point(t, k) - middle) / f_.extent;
        const Eigen::Vector4d row(2 * q.x(), 2 * q.y(), 2 * q.z(), 1);
        A += row * row.transpose();
        b += q.squaredNorm() * row;
      }
    const Eigen::Vector4d x = A.ldlt().solve(b);
    Surface s;
    s.kind = SurfaceKind::sphere;
    s.radius = f_.extent * std::sqrt(std::max(0.0, x[3] + x.head<3>().squaredNorm()));
    if (!x.allFinite() || !(s.radius > 0 && s.radius < f_.extent)) return;
    s.X_BS = frameAt(middle + f_.extent * x.head<3>(), Vector3d::UnitZ());
    // The corners of two equal circles lie on a ball, too: normals of its facets must also lie along the
    // radius.
    constexpr double kLeast = 0.89;  // cosine of 27°, the angle of a coarse facet
    for (const int t : region.triangles)
      for (int k = 0; k < 3; ++k) {
        const Vector3d out = (f_.point(t, k) - s.X_BS.p).normalized();
        if (std::abs(out.dot(f_.normals[static_cast<std::size_t>(t)])) < kLeast) return;
      }
    add(s, region.triangles, std::min(kPlaneRatio * f_.tolerance, 0.01 * s.radius));
  }

  void addLine(const Axis& axis, const ProfileLine& line) {
    if (line.isPlane()) {
      Surface s;
      const Vector3d n = line.n.y() * axis.z;
      s.X_BS = frameAt(pointOnAxis(axis, line.n.y() * line.d), n);
      add(s, line.triangles, kPlaneRatio * f_.tolerance);
      return;
    }
    const ExactLine exact(line, rule_);
    const double z = 0.5 * (line.low + line.high);
    Surface s;
    s.kind = line.isCylinder() ? SurfaceKind::cylinder : SurfaceKind::cone;
    s.slope = line.isCylinder() ? 0 : -exact.n.y() / exact.n.x();
    s.radius = (exact.d - exact.n.y() * z) / exact.n.x();
    s.X_BS = frameAt(pointOnAxis(axis, z), axis.z);
    // On the facets' vertices, or the facets inside of the circle.
    const double outside = s.radius * (1 / line.flatRatio - line.flatRatio);
    if (add(s, line.triangles, line.maxDeviation + f_.tolerance + outside) && followsFlats(line, rule_))
      slack_[markAlongFlats(line.triangles)] = outside;
  }

  /// The triangles of those on the last surface. Returns its index.
  int markAlongFlats(const std::vector<int>& triangles) {
    const int last = static_cast<int>(found_.surfaces.size()) - 1;
    for (const int t : triangles)
      if (found_.surfaceOf[static_cast<std::size_t>(t)] == last)
        found_.alongFlats[static_cast<std::size_t>(t)] = 1;
    return last;
  }

  /// Adds a surface for triangles without one, unless a vertex is farther than `limit` [m] from it.
  bool add(const Surface& s, const std::vector<int>& triangles, double limit) {
    std::vector<int> own;
    for (const int t : triangles) {
      if (found_.surfaceOf[static_cast<std::size_t>(t)] >= 0) continue;
      own.push_back(t);
      for (int k = 0; k < 3; ++k)
        if (!(std::abs(physics::brep::distanceValue(s, s.X_BS.inverse().point(f_.point(t, k)))) <= limit))
          return false;
    }
    if (own.empty()) return false;
    for (const int t : own)
      found_.surfaceOf[static_cast<std::size_t>(t)] = static_cast<int>(found_.surfaces.size());
    found_.surfaces.push_back(s);
    return true;
  }

  const RecognitionInput& input_;
  const Facets& f_;
  BoreRule rule_;
  std::vector<Vector3d> normals_;  ///< of planes across an axis, by region; zero: not yet
  std::map<int, double> slack_;    // see slackOf()
  BoundarySurfaces found_;
};

/// A block with this hole, only to carry it; its size is not that of the part.
physics::PlacedShape carrierOf(const RevolvedGroup& group, const HoleProfile& hole) {
  Axis axis = group.axis;
  if (!hole.upwards) {
    axis.z = -axis.z;
    axis.y = -axis.y;
  }
  physics::BlockWithHoles block;
  const double half = std::max(hole.depth(), hole.radius());
  block.halfExtents = Vector3d::Constant(half);
  physics::Cavity cavity;
  cavity.X_BH.p = {0, 0, half};
  cavity.profile = hole.points;
  cavity.through = hole.through;
  block.cavities.push_back(std::move(cavity));
  physics::Pose X = poseOf(axis);
  X.p = pointOnAxis(group.axis, hole.mouth) - half * axis.z;
  return {std::move(block), X};
}

}  // namespace

BoundarySurfaces boundarySurfaces(const RecognitionInput& input, BoreRule rule) {
  return SurfaceFinder(input, rule).find();
}

std::vector<ExactChain> holesAndShafts(const RecognitionInput& input) {
  std::vector<ExactChain> found;
  for (int g = 0; g < static_cast<int>(input.groups.size()); ++g) {
    const RevolvedGroup& group = input.groups[static_cast<std::size_t>(g)];
    for (int c = 0; c < static_cast<int>(group.chains.size()); ++c) {
      const ProfileChain& chain = chainOf(input, g, c);
      ExactChain exact;
      exact.group = g;
      exact.chain = c;
      if (const auto hole = holeProfile(group, chain)) {
        exact.shape = carrierOf(group, *hole);
      } else {
        const auto ends = [](ChainEnd end) { return end != ChainEnd::open && end != ChainEnd::other; };
        if (chain.isInner || !ends(chain.begin) || !ends(chain.end)) continue;
        physics::SolidOfRevolution solid{solidProfile(chain)};
        if (problemWith(solid)) continue;
        exact.shape = {std::move(solid), poseOf(group.axis)};
      }
      found.push_back(std::move(exact));
    }
  }
  return found;
}

}  // namespace tenon::content
