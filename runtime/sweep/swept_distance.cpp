// See swept_distance.h.
#include "runtime/sweep/swept_distance.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>
#include <variant>

#include "content/parts/display_mesh.h"
#include "physics/collision/brep/boundary_distance.h"
#include "physics/collision/brep/solid_of_shape.h"
#include "xr/interaction/part_bounds.h"

namespace tenon::runtime {

namespace {

using physics::Pose;
using physics::Vector3d;

/// Radius of the probes that stand for points and segments, subtracted from each distance [m].
constexpr double kProbeRadius = 1e-6;
/// Segments below this are points [m]; smaller rotations are ignored [rad].
constexpr double kShortest = 1e-9, kSmallestAngle = 1e-9;
/// Shares of the tolerance: deviation of chords, and step of the lengths of segments.
constexpr double kChordShare = 0.6, kLengthShare = 0.5;

/// Relative accuracy of brep::distanceFromBoundary() from borders.
constexpr double kBorderAccuracy = 2e-3;

/// Largest distance of a point of a box from the origin.
double reachOf(const Eigen::AlignedBox3d& box) {
  return box.min().cwiseAbs().cwiseMax(box.max().cwiseAbs()).norm();
}

/// Largest length of a piece of a segment that is tested against triangles at once, of the reach.
constexpr double kSegmentShare = 0.05;
/// The samples of triangles show this share of their deviation at least.
constexpr double kSampledDeviation = 0.8;
/// Least gap: rounding [m].
constexpr double kMinGap = 1e-7;

/// The distance of two segments.
double segmentDistance(const Vector3d& p, const Vector3d& q, const Vector3d& a, const Vector3d& b) {
  // C. Ericson, Real-time collision detection, 2005, section 5.1.9.
  const Vector3d u = q - p, v = b - a, w = p - a;
  const double uu = u.squaredNorm(), vv = v.squaredNorm(), uv = u.dot(v), uw = u.dot(w), vw = v.dot(w);
  const double denominator = uu * vv - uv * uv;
  double s = denominator > 0 ? std::clamp((uv * vw - uw * vv) / denominator, 0.0, 1.0) : 0.0;
  double t = vv > 0 ? (uv * s + vw) / vv : 0.0;
  if (t < 0 || t > 1) {
    t = std::clamp(t, 0.0, 1.0);
    s = uu > 0 ? std::clamp((uv * t - uw) / uu, 0.0, 1.0) : 0.0;
  }
  return (p + s * u - a - t * v).norm();
}

/// True if the segment crosses the triangle or comes within `distance` of it.
bool isNear(const content::TriangleCorners& t, const Vector3d& p, const Vector3d& q, double distance) {
  for (std::size_t k = 0; k < 3; ++k)
    if (segmentDistance(p, q, t[k], t[(k + 1) % 3]) <= distance) return true;
  for (const Vector3d& end : {p, q})
    if ((content::closestPointOnTriangle(t, end) - end).norm() <= distance) return true;
  const Vector3d n = (t[1] - t[0]).cross(t[2] - t[0]);
  const double from = n.dot(p - t[0]), to = n.dot(q - t[0]);
  if ((from > 0) == (to > 0)) return false;
  const Vector3d x = p + from / (from - to) * (q - p);
  return (content::closestPointOnTriangle(t, x) - x).norm() <= distance;
}

/// Triangles are divided into four at most this often, until they deviate by less than this share of the
/// tolerance.
constexpr int kSubdivisions = 3;
constexpr double kDeviationShare = 1.5;

/// A triangle with the normals of the curved surface at its corners.
struct ShadedTriangle {
  std::array<Vector3d, 3> p, n;
};

std::vector<ShadedTriangle> shadedTrianglesOf(const physics::Shape& shape) {
  const content::DisplayMesh mesh = content::displayMeshOf(shape);
  std::vector<ShadedTriangle> triangles;
  for (const auto& t : mesh.triangles)
    triangles.push_back({{mesh.positions[t[0]], mesh.positions[t[1]], mesh.positions[t[2]]},
                         {mesh.normals[t[0]], mesh.normals[t[1]], mesh.normals[t[2]]}});
  return triangles;
}

/// Each in four, with the middles of edges moved onto the curved surface (A. Vlachos, J. Peters, C. Boyd and
/// J. Mitchell, Curved PN triangles, I3D 2001).
std::vector<ShadedTriangle> subdivided(const std::vector<ShadedTriangle>& triangles) {
  std::vector<ShadedTriangle> result;
  for (const ShadedTriangle& t : triangles) {
    std::array<Vector3d, 3> p, n;
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t l = (k + 1) % 3;
      const Vector3d half = 0.5 * (t.p[l] - t.p[k]);
      p[k] = t.p[k] + half - 0.25 * (half.dot(t.n[k]) * t.n[k] - half.dot(t.n[l]) * t.n[l]);
      n[k] = (t.n[k] + t.n[l]).stableNormalized();
    }
    result.push_back({{t.p[0], p[0], p[2]}, {t.n[0], n[0], n[2]}});
    result.push_back({{p[0], t.p[1], p[1]}, {n[0], t.n[1], n[1]}});
    result.push_back({{p[2], p[1], t.p[2]}, {n[2], n[1], t.n[2]}});
    result.push_back({{p[0], p[1], p[2]}, {n[0], n[1], n[2]}});
  }
  return result;
}

/// Largest distance of the middles of the triangles and of their edges from the boundary.
double deviationOf(const std::vector<ShadedTriangle>& triangles, const physics::brep::Solid& solid) {
  double deviation = 0;
  for (const ShadedTriangle& t : triangles)
    for (const Vector3d& p : {Vector3d((t.p[0] + t.p[1] + t.p[2]) / 3), Vector3d(0.5 * (t.p[0] + t.p[1])),
                              Vector3d(0.5 * (t.p[1] + t.p[2])), Vector3d(0.5 * (t.p[2] + t.p[0]))}) {
      const double guess = std::max(deviation, kMinGap);
      deviation = std::max(deviation, physics::brep::distanceFromBoundary(solid, p, guess).distance);
    }
  return deviation;
}

/// Bounds of a box at a pose.
Eigen::AlignedBox3d placed(const Eigen::AlignedBox3d& box, const Pose& X) {
  const Vector3d center = X * box.center();
  const Vector3d half = X.q.toRotationMatrix().cwiseAbs() * (0.5 * box.sizes());
  return {center - half, center + half};
}

bool isRound(const physics::Shape& shape) {
  return std::holds_alternative<physics::Sphere>(shape) || std::holds_alternative<physics::Cylinder>(shape) ||
         std::holds_alternative<physics::Capsule>(shape) || std::holds_alternative<physics::Frustum>(shape) ||
         std::holds_alternative<physics::SolidOfRevolution>(shape);
}

}  // namespace

PartPath withoutSpin(const physics::Shape& shape, const PartPath& path) {
  if (!isRound(shape)) return path;
  PartPath still;
  for (std::size_t k = 0; k < path.times().size(); ++k) {
    Pose X = path.poses()[k];
    const Vector3d axis = X.q * Vector3d::UnitZ();
    if (k > 0) {
      const physics::Quaterniond& before = still.poses().back().q;
      const Vector3d axisBefore = before * Vector3d::UnitZ();
      X.q = axisBefore.cross(axis).norm() < kSmallestAngle && axisBefore.dot(axis) > 0
                ? before
                : (physics::shortestRotation(axisBefore, axis) * before).normalized();
    }
    still.add(path.times()[k], X, path.jumpsTo(k));
  }
  return still;
}

SweptDistance::SweptDistance(const physics::Shape& shape, const PartPath& path, double tolerance)
    : partBounds_(xr::boundsOf(shape)),
      tolerance_(tolerance),
      lengthStep_(kLengthShare * tolerance),
      reach_(reachOf(partBounds_)),
      point_(physics::brep::solidOf(physics::Sphere{kProbeRadius})) {
  addPieces(shape, Pose());
  const std::vector<Pose>& poses = path.poses();
  addSections(poses.front(), poses.front());
  for (std::size_t k = 1; k < poses.size(); ++k)
    addSections(path.jumpsTo(k) ? poses[k] : poses[k - 1], poses[k]);
  nodes_.reserve(2 * sections_.size());
  addNodes(0, static_cast<int>(sections_.size()));
}

void SweptDistance::addSections(const Pose& X_WP0, const Pose& X_WP1) {
  const Vector3d v = X_WP1.p - X_WP0.p;
  const double angle = X_WP0.q.angularDistance(X_WP1.q);
  // Points of the part are within this of its origin all along; farther ones deviate more.
  const double radius = reach_ + v.norm();
  const double deviation = (angle * angle * radius + 2 * angle * v.norm()) / 8;
  const int count =
      angle < kSmallestAngle
          ? 1
          : std::max(1, static_cast<int>(std::ceil(std::sqrt(deviation / (kChordShare * tolerance_)))));
  const auto poseAt = [&](double share) {
    return Pose{X_WP0.q.slerp(share, X_WP1.q).normalized(), X_WP0.p + share * v};
  };
  for (int k = 0; k < count; ++k) {
    Section section;
    section.X_PW0 = poseAt(static_cast<double>(k) / count).inverse();
    section.X_PW1 = poseAt(static_cast<double>(k + 1) / count).inverse();
    section.q_WP = poseAt((k + 0.5) / count).q;
    section.travel = v.norm() / count;
    section.rotates = angle >= kSmallestAngle;
    sections_.push_back(std::move(section));
  }
}

int SweptDistance::addNodes(int first, int last) {
  const auto index = nodes_.size();
  nodes_.emplace_back();
  Node node;
  if (last - first == 1) {
    const Section& section = sections_[static_cast<std::size_t>(first)];
    node.section = first;
    node.box = placed(partBounds_, section.X_PW0.inverse());
    node.box.extend(placed(partBounds_, section.X_PW1.inverse()));
    // Corners leave the chords of their curves by at most the tolerance.
    node.box.min().array() -= tolerance_;
    node.box.max().array() += tolerance_;
  } else {
    const int middle = (first + last) / 2;
    node.left = addNodes(first, middle);
    node.right = addNodes(middle, last);
    node.box = nodes_[static_cast<std::size_t>(node.left)].box.merged(
        nodes_[static_cast<std::size_t>(node.right)].box);
  }
  nodes_[index] = node;
  return static_cast<int>(index);
}

SweptDistance::Nearest SweptDistance::nearest(const Vector3d& p_W, double range) {
  Nearest best;
  best.distance = range;
  search(0, p_W, best);
  return best;
}

void SweptDistance::search(int index, const Vector3d& p_W, Nearest& best) {
  const Node& node = nodes_[static_cast<std::size_t>(index)];
  if (best.distance <= 0 || node.box.exteriorDistance(p_W) >= best.distance) return;
  if (node.section >= 0) return querySection(node.section, p_W, best);
  const auto distanceTo = [&](int child) {
    return nodes_[static_cast<std::size_t>(child)].box.exteriorDistance(p_W);
  };
  const bool swap = distanceTo(node.right) < distanceTo(node.left);
  search(swap ? node.right : node.left, p_W, best);
  search(swap ? node.left : node.right, p_W, best);
}

void SweptDistance::querySection(int index, const Vector3d& p_W, Nearest& best) {
  const Section& section = sections_[static_cast<std::size_t>(index)];
  const Vector3d x0 = section.X_PW0 * p_W, x1 = section.X_PW1 * p_W, chord = x1 - x0;
  const double length = chord.norm();
  for (const Piece& piece : pieces_)
    if (touches(piece, x0, x1)) {
      best = {0, best.away, index, 0};
      return;
    }
  Pose X_PB = Pose::at(0.5 * (x0 + x1));
  const physics::brep::Solid* probe = &point_;
  if (length > kShortest) {
    probe = &segmentOf(section.rotates ? length : -section.travel);
    X_PB.q = physics::shortestRotation(Vector3d::UnitZ(), chord);
  }
  for (const Piece& piece : pieces_) {
    contacts_.clear();
    physics::brep::findSolidContacts(piece.solid, *probe, X_PB.inverse() * piece.X_PS,
                                     best.distance - kProbeRadius, contacts_);
    for (const physics::brep::SolidContact& contact : contacts_) {
      const double distance = std::max(0.0, contact.separation + kProbeRadius);
      if (distance >= best.distance) continue;
      best.distance = distance;
      best.away = section.q_WP * (X_PB.q * contact.n);
      best.section = index;
      best.share = length > kShortest ? std::clamp(0.5 + contact.p.z() / length, 0.0, 1.0) : 0.0;
    }
  }
}

bool SweptDistance::touches(const Piece& piece, const Vector3d& from, const Vector3d& to) const {
  const Vector3d length = to - from;
  const int count = 1 + static_cast<int>(length.norm() / (kSegmentShare * reach_));
  Vector3d a = from;
  for (int k = 1; k <= count; ++k) {
    const Vector3d b = from + static_cast<double>(k) / count * length;
    Eigen::AlignedBox3d box(a.cwiseMin(b) - Vector3d::Constant(gap_),
                            a.cwiseMax(b) + Vector3d::Constant(gap_));
    bool meets = false;
    if (box.intersects(partBounds_))
      piece.triangles->visitOverlapping(
          box, [&](int index) { meets = meets || isNear(piece.triangles->triangle(index), a, b, gap_); });
    if (meets) return true;
    a = b;
  }
  return partBounds_.contains(from) && piece.triangles->isInside(from);
}

void SweptDistance::addPieces(const physics::Shape& shape, const Pose& X_PS) {
  if (const auto* compound = std::get_if<physics::Compound>(&shape)) {
    for (const physics::PlacedShape& child : compound->children) addPieces(child.shape, X_PS * child.X_PS);
    return;
  }
  Piece piece{physics::brep::solidOf(shape), X_PS, nullptr};
  std::vector<ShadedTriangle> triangles = shadedTrianglesOf(shape);
  double deviation = deviationOf(triangles, piece.solid);
  for (int k = 0; k < kSubdivisions && deviation > kDeviationShare * tolerance_; ++k) {
    triangles = subdivided(triangles);
    deviation = deviationOf(triangles, piece.solid);
  }
  std::vector<content::TriangleCorners> corners;
  for (const ShadedTriangle& t : triangles) corners.push_back({X_PS * t.p[0], X_PS * t.p[1], X_PS * t.p[2]});
  piece.triangles = std::make_unique<content::TriangleBvh>(std::move(corners));
  pieces_.push_back(std::move(piece));
  gap_ = std::max({gap_, kMinGap, deviation / kSampledDeviation});
}

double SweptDistance::depth(const Vector3d& p_W, const Nearest& near, double guess) {
  if (near.section < 0) return 0;
  const Section& section = sections_[static_cast<std::size_t>(near.section)];
  const Vector3d x0 = section.X_PW0 * p_W, x1 = section.X_PW1 * p_W;
  double deepest = 0;
  for (const double share : {near.share, 0.5, 0.0, 1.0}) {
    const Vector3d x = x0 + share * (x1 - x0);
    if (!partBounds_.contains(x)) continue;
    double wall = std::numeric_limits<double>::infinity();
    for (const Piece& piece : pieces_)
      wall = std::min(
          wall, physics::brep::distanceFromBoundary(piece.solid, piece.X_PS.inverse() * x, guess).distance);
    wall = (1 - kBorderAccuracy) * wall - tolerance_;
    if (wall <= deepest) continue;
    // The ball meets no face, so it is inside if its center is.
    const auto contains = [&](const Piece& piece) { return piece.triangles->isInside(x); };
    if (std::any_of(pieces_.begin(), pieces_.end(), contains)) deepest = wall;
    if (x0 == x1) break;
  }
  return deepest;
}

/// A segment of this length, rounded up to a step; of the negative: exactly of this length.
const physics::brep::Solid& SweptDistance::segmentOf(double length) {
  const auto make = [&](double of) {
    return physics::brep::solidOf(physics::Capsule{kProbeRadius, 0.5 * of});
  };
  if (length < 0) {
    const auto found = exactSegments_.find(-length);
    return found != exactSegments_.end() ? found->second
                                         : exactSegments_.emplace(-length, make(-length)).first->second;
  }
  const long steps = static_cast<long>(std::ceil(length / lengthStep_));
  const auto found = segments_.find(steps);
  return found != segments_.end()
             ? found->second
             : segments_.emplace(steps, make(static_cast<double>(steps) * lengthStep_)).first->second;
}

}  // namespace tenon::runtime
