// See round_section.h.
#include "content/recognize/round_section.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace tenon::content {
namespace {

using physics::SurfaceKind;

/// Axes and radii that differ by less are equal [m]; of directions over the extent of the part.
constexpr double kSameRound = 1e-6;

/// A half-plane through an axis that cuts triangles in (r, z).
class Cut {
 public:
  Cut(const Facets& facets, const Axis& axis, double azimuth)
      : f_(facets),
        axis_(axis),
        out_(std::cos(azimuth) * axis.x + std::sin(azimuth) * axis.y),
        across_(axis.z.cross(out_)) {}

  /// Where the plane of the cut crosses the border `side` of a triangle, r < 0 beyond the axis; empty if it
  /// does not. A corner on the plane counts as before it.
  std::optional<Vector2d> crossing(int triangle, int side) const {
    const Vector3d p = f_.point(triangle, side) - axis_.origin,
                   q = f_.point(triangle, (side + 1) % 3) - axis_.origin;
    const double a = across_.dot(p), b = across_.dot(q);
    if ((a >= 0) == (b >= 0)) return std::nullopt;
    const Vector3d at = p + a / (a - b) * (q - p);
    return Vector2d(out_.dot(at), axis_.z.dot(at));
  }

  /// The border by which the plane leaves a triangle upwards or downwards; −1: it does not cross it at r > 0.
  int exitOf(int triangle, bool upwards) const {
    int exit = -1;
    double best = 0;
    for (int side = 0; side < 3; ++side) {
      const auto at = crossing(triangle, side);
      if (!at || at->x() <= 0) continue;
      if (exit < 0 || (upwards ? at->y() > best : at->y() < best)) exit = side, best = at->y();
    }
    return exit;
  }

  /// Goes on from the border `side` of `triangle` to the next triangle and the border by which the plane
  /// leaves that. False at an open edge.
  bool advance(int& triangle, int& side) const {
    const int from = triangle, to = f_.neighbor(triangle, side);
    const int a = f_.vertex(triangle, side), b = f_.vertex(triangle, (side + 1) % 3);
    triangle = to;
    if (to < 0) return false;
    for (side = 0; side < 3; ++side) {
      const int p = f_.vertex(to, side), q = f_.vertex(to, (side + 1) % 3);
      const bool isEntry = f_.neighbor(to, side) == from && ((p == a && q == b) || (p == b && q == a));
      if (!isEntry && crossing(to, side)) return true;
    }
    return false;
  }

 private:
  const Facets& f_;
  const Axis& axis_;
  Vector3d out_, across_;
};

/// The common point of an arc and a straight line near `p`; of a line that touches the arc, to within 1 µm,
/// or misses it, the point of the line nearest to the center.
Vector2d cornerOfArc(const OutlineFace& arc, const OutlineFace& straight, const Vector2d& p) {
  constexpr double kTouching = 1e-6;  // [m]
  const double height = straight.n.dot(arc.center) - straight.d;
  const Vector2d foot = arc.center - height * straight.n, along(-straight.n.y(), straight.n.x());
  const double half = std::sqrt(std::max(arc.radius * arc.radius - height * height, 0.0));
  if (half < kTouching) return foot;
  return foot + (along.dot(p - foot) > 0 ? half : -half) * along;
}

/// The common point of two faces near `p`; of a face and another one, the point of the face.
Vector2d cornerOf(const OutlineFace& a, const OutlineFace& b, const Vector2d& p) {
  using enum OutlineFace::Kind;
  const auto isStraight = [](const OutlineFace& f) { return f.kind == line || f.kind == plane; };
  const auto footOn = [&p](const OutlineFace& f) -> Vector2d { return p - (f.n.dot(p) - f.d) * f.n; };
  if (a.kind == arc && isStraight(b)) return cornerOfArc(a, b, p);
  if (b.kind == arc && isStraight(a)) return cornerOfArc(b, a, p);
  if (!isStraight(a)) return p;
  const double det = a.n.x() * b.n.y() - a.n.y() * b.n.x();
  constexpr double kParallel = 1e-6;
  if (!isStraight(b) || std::abs(det) < kParallel) return footOn(a);
  return {(a.d * b.n.y() - a.n.y() * b.d) / det, (a.n.x() * b.d - a.d * b.n.x()) / det};
}

/// Appends points of an arc from the last one to `to`, on which eight chords replace it.
void addArc(const OutlineFace& arc, const Vector2d& to, std::vector<Vector2d>& points) {
  constexpr int kChords = 8;
  const Vector2d a = points.back() - arc.center, b = to - arc.center;
  const double from = std::atan2(a.y(), a.x());
  const double turn = std::remainder(std::atan2(b.y(), b.x()) - from, 2 * std::numbers::pi);
  for (int k = 1; k < kChords; ++k) {
    const double angle = from + turn * k / kChords;
    points.push_back(arc.center + arc.radius * Vector2d(std::cos(angle), std::sin(angle)));
  }
  points.push_back(to);
}

/// Follows the outline from face to face.
class OutlineTracer {
 public:
  OutlineTracer(const RoundSection& section, const Facets& facets, const Cut& cut, int triangle, bool upwards)
      : section_(section),
        f_(facets),
        cut_(cut),
        triangle_(triangle),
        side_(cut.exitOf(triangle, upwards)),
        last_(section.faceOf(triangle)),
        material_(last_.side),
        direction_(upwards ? 1 : -1) {
    outline_.ids.push_back(last_.id);
    outline_.triangles.push_back(triangle);
    at_ = *cut_.crossing(triangle_, side_);
  }

  Outline trace() {
    for (int step = 0; step < f_.count(); ++step) {
      if (!cut_.advance(triangle_, side_)) {
        addCorner(last_);
        outline_.end = OutlineEnd::open;
        break;
      }
      const OutlineFace next = section_.faceOf(triangle_);
      const Vector2d to = *cut_.crossing(triangle_, side_);
      if (!(plane_ ? passPlane(next, to) : pass(next, to))) break;
      at_ = to;
    }
    return std::move(outline_);
  }

 private:
  bool continues(const OutlineFace& next) const {
    if (next.kind == OutlineFace::Kind::arc) return !next.isSphere || next.side == material_;
    return next.kind == OutlineFace::Kind::line && next.side == material_;
  }

  /// From at_ to `to` on `next`, after a face about the axis. False at the end of the outline.
  bool pass(const OutlineFace& next, const Vector2d& to) {
    const bool isSame = next.kind == last_.kind && next.id == last_.id && next.side == last_.side;
    if (!isSame && next.kind == OutlineFace::Kind::plane) {
      plane_ = next;
      planePoint_ = at_;
      planeTriangle_ = triangle_;
      return to.x() > 0 || endAtPlane();
    }
    if (!isSame && !continues(next)) return endAtOther();
    if (!isSame) {
      addCorner(next);
      outline_.ids.push_back(next.id);
      outline_.triangles.push_back(triangle_);
    }
    return to.x() > 0 || endAtAxis(to.y());
  }

  /// The same after a plane, which belongs to the outline if another face about the axis follows: of a plane
  /// that faces outwards one that goes on outwards. A rounding of the boss around a hole goes back.
  bool passPlane(const OutlineFace& next, const Vector2d& to) {
    const bool isSame = next.kind == plane_->kind && next.id == plane_->id && next.side == plane_->side;
    const bool goesBack = direction_ * plane_->side > 0 && direction_ * (to.y() - planePoint_.y()) < 0;
    if (to.x() <= 0 || (!isSame && (goesBack || !continues(next)))) return endAtPlane();
    if (isSame) return true;
    const Vector2d reached = std::exchange(at_, planePoint_);
    addCorner(*plane_);
    at_ = reached;
    outline_.ids.push_back(plane_->id);
    outline_.triangles.push_back(planeTriangle_);
    plane_.reset();
    return pass(next, to);
  }

  /// Ends the last face where it meets `next`, near at_.
  void addCorner(const OutlineFace& next) {
    const Vector2d corner = cornerOf(last_, next, at_);
    if (last_.kind == OutlineFace::Kind::arc && !outline_.points.empty())
      addArc(last_, corner, outline_.points);
    else
      outline_.points.push_back(corner);
    last_ = next;
  }

  bool endAtPlane() {
    at_ = planePoint_;
    addCorner(*plane_);
    outline_.ids.push_back(plane_->id);
    outline_.end = direction_ * plane_->side > 0 ? OutlineEnd::face : OutlineEnd::floor;
    return false;
  }

  bool endAtAxis(double z) {
    if (last_.kind == OutlineFace::Kind::arc) {
      const double top = last_.center.y() + (z > last_.center.y() ? last_.radius : -last_.radius);
      addArc(last_, {0, top}, outline_.points);
    } else {
      OutlineFace axis;
      axis.kind = OutlineFace::Kind::line;
      outline_.points.push_back(cornerOf(last_, axis, {0, z}));
    }
    outline_.end = OutlineEnd::axis;
    return false;
  }

  /// Whether the section first becomes wider or narrower decides what this end is.
  bool endAtOther() {
    addCorner(last_.kind == OutlineFace::Kind::arc ? OutlineFace{} : last_);
    for (int step = 0; step < f_.count(); ++step) {
      const double wider = cut_.crossing(triangle_, side_)->x() - at_.x();
      if (std::abs(wider) > f_.tolerance) {
        outline_.end = wider > 0 ? OutlineEnd::open : OutlineEnd::closed;
        break;
      }
      if (!cut_.advance(triangle_, side_)) break;
    }
    return false;
  }

  const RoundSection& section_;
  const Facets& f_;
  const Cut& cut_;
  int triangle_, side_;
  OutlineFace last_;
  double material_, direction_;
  Vector2d at_ = Vector2d::Zero(), planePoint_ = Vector2d::Zero();
  std::optional<OutlineFace> plane_;  ///< passed, but not yet known to lead to a face about the axis
  int planeTriangle_ = -1;
  Outline outline_;
};

}  // namespace

RoundSection::RoundSection(const Facets& facets, const physics::BoundarySolid& solid, const Axis& axis)
    : f_(facets), solid_(solid), axis_(axis) {
  for (const physics::Surface& surface : solid.surfaces) {
    OutlineFace face = makeFace(surface);
    for (std::size_t k = 0; k < faces_.size() && face.kind != OutlineFace::Kind::other; ++k) {
      const OutlineFace& other = faces_[k];
      const bool isSame = face.kind == other.kind && (face.n - other.n).norm() * f_.extent < kSameRound &&
                          std::abs(face.d - other.d) < kSameRound &&
                          (face.center - other.center).norm() < kSameRound &&
                          std::abs(face.radius - other.radius) < kSameRound;
      if (isSame) {
        face.id = other.id;
        break;
      }
    }
    if (face.id < 0) face.id = static_cast<int>(faces_.size());
    faces_.push_back(face);
  }
}

OutlineFace RoundSection::makeFace(const physics::Surface& s) const {
  OutlineFace face;
  if (s.kind == SurfaceKind::freeform) return face;
  const Vector3d z = s.X_BS.R.col(2), p = s.X_BS.p - axis_.origin;
  const double height = axis_.z.dot(p), along = axis_.z.dot(z);
  const bool isParallel = axis_.z.cross(z).norm() * f_.extent < kSameRound;
  const bool isCentered = axis_.z.cross(p).norm() < kSameRound;
  if (s.kind == SurfaceKind::plane) {
    if (!isParallel) return face;
    face.kind = OutlineFace::Kind::plane;
    face.n = {0, 1};
    face.d = height;
  } else if (isCentered && (isParallel || s.kind == SurfaceKind::sphere)) {
    face.isSphere = s.kind == SurfaceKind::sphere;
    face.kind =
        face.isSphere || s.kind == SurfaceKind::torus ? OutlineFace::Kind::arc : OutlineFace::Kind::line;
    if (face.kind == OutlineFace::Kind::arc) {
      face.center = {face.isSphere ? 0 : s.radius, height};
      face.radius = face.isSphere ? s.radius : s.minor;
    } else {
      const double slope = s.kind == SurfaceKind::cone ? (along > 0 ? s.slope : -s.slope) : 0;
      face.n = Vector2d(1, -slope).normalized();
      face.d = face.n.dot(Vector2d(s.radius, height));
    }
  }
  return face;
}

OutlineFace RoundSection::faceOf(int triangle) const {
  const int s = solid_.surfaceOf[static_cast<std::size_t>(triangle)];
  if (s < 0) return {};
  OutlineFace face = faces_[static_cast<std::size_t>(s)];
  const Vector3d& n = f_.normals[static_cast<std::size_t>(triangle)];
  const Vector3d middle = (f_.point(triangle, 0) + f_.point(triangle, 1) + f_.point(triangle, 2)) / 3;
  const Vector3d w = middle - axis_.origin;
  const Vector3d radial = w - axis_.z.dot(w) * axis_.z;
  const double out = face.kind == OutlineFace::Kind::plane ? n.dot(axis_.z)
                     : face.isSphere                       ? n.dot(w - face.center.y() * axis_.z)
                                                           : n.dot(radial);
  face.side = out > 0 ? 1 : -1;
  return face;
}

std::optional<double> RoundSection::endOf(int triangle, double azimuth, bool upwards) const {
  const Cut cut(f_, axis_, azimuth);
  const int exit = cut.exitOf(triangle, upwards);
  return exit < 0 ? std::nullopt : std::optional(cut.crossing(triangle, exit)->y());
}

Outline RoundSection::outlineFrom(int triangle, double azimuth, bool upwards) const {
  const Cut cut(f_, axis_, azimuth);
  return OutlineTracer(*this, f_, cut, triangle, upwards).trace();
}

}  // namespace tenon::content
