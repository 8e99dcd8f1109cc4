// See edge_curve.h.
#include "physics/collision/brep/edge_curve.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>

#include "physics/collision/brep/curve_search.h"

namespace tenon::physics::brep {
namespace {

constexpr double kFullCircle = 2 * std::numbers::pi;
/// Deviation of a point from its curve [m]: that of surfaces that meet at rounded angles.
constexpr double kOnCurve = 1e-9;
/// Sine of the angle between parallel axes [-].
constexpr double kParallel = 1e-9;

/// Deviation of a quintic from its surfaces, and of a cubic from its border [m]: a fifth of what a contact is
/// solved to.
constexpr double kPieceDeviation = 2e-10;
/// Surfaces that meet with a smaller sine of the angle between them are tangent [-].
constexpr double kTangentSurfaces = 1e-4;
/// Deviation of a corner from its surfaces, of which more than three may meet there [m].
constexpr double kRoundedCorner = 5e-10;
/// Surfaces that are tangent along a curve are this close to each other there [m].
constexpr double kOnSeam = 1e-11;
/// Halvings of a curve between two points of its mesh, or of a border.
constexpr int kMaxHalvings = 10;

struct Axis {
  Vector3d p = Vector3d::Zero(), direction = Vector3d::UnitZ();
  Vector3d x = Vector3d::UnitX();  ///< not along the axis
};

/// The axis about which both surfaces could turn; of a sphere and another surface, through both of their
/// middles.
std::optional<Axis> axisOf(const Surface& one, const Surface& other) {
  const Vector3d z = one.X_BS.R.col(2);
  if (one.kind == SurfaceKind::plane || one.kind == SurfaceKind::freeform) return std::nullopt;
  if (one.kind != SurfaceKind::sphere) return Axis{one.X_BS.p, z, one.X_BS.R.col(0)};
  if (other.kind == SurfaceKind::plane) return Axis{one.X_BS.p, other.X_BS.R.col(2), other.X_BS.R.col(0)};
  const Vector3d between = other.X_BS.p - one.X_BS.p;
  if (other.kind != SurfaceKind::sphere || !(between.norm() > kOnCurve)) return std::nullopt;
  return Axis{one.X_BS.p, between.normalized(), between.unitOrthogonal()};
}

/// The axis of the tube's circle through p.
Axis meridianAxis(const Surface& torus, const Vector3d& p) {
  const Vector3d z = torus.X_BS.R.col(2), q = p - torus.X_BS.p;
  const Vector3d out = (q - q.dot(z) * z).normalized();
  return {torus.X_BS.p + torus.radius * out, out.cross(z), out};
}

std::optional<Curve> circleAbout(const Axis& axis, std::span<const Vector3d> points, bool isClosed) {
  const auto height = [&](const Vector3d& p) { return axis.direction.dot(p - axis.p); };
  const double z = height(points.front());
  const Vector3d center = axis.p + z * axis.direction;
  const Vector3d first = points.front() - center;
  Curve circle;
  circle.kind = CurveKind::circle;
  circle.p = center;
  circle.radius = first.norm();
  if (!(circle.radius > kOnCurve)) return std::nullopt;
  circle.x = (first - first.dot(axis.direction) * axis.direction).normalized();
  circle.y = axis.direction.cross(circle.x);
  double turned = 0, before = 0;
  for (const Vector3d& p : points.subspan(1)) {
    const Vector3d q = p - center;
    if (std::abs(height(p) - z) > kOnCurve || std::abs(q.norm() - circle.radius) > kOnCurve)
      return std::nullopt;
    const double angle = std::atan2(q.dot(circle.y), q.dot(circle.x));
    turned += std::remainder(angle - before, kFullCircle);
    before = angle;
  }
  if (isClosed) {  // begins where the surface's own angle does
    circle.x = (axis.x - axis.x.dot(axis.direction) * axis.direction).normalized();
    circle.y = std::copysign(1.0, turned) * axis.direction.cross(circle.x);
    circle.range = {0, kFullCircle};
    return circle;
  }
  // From a corner all the way back to it.
  if ((points.back() - points.front()).norm() <= kOnCurve) turned = std::copysign(kFullCircle, turned);
  if (turned < 0) circle.y = -circle.y;
  circle.range = {0, std::abs(turned)};
  return circle;
}

std::optional<Curve> lineThrough(std::span<const Vector3d> points) {
  const Curve line = lineBetween(points.front(), points.back());
  if (!(line.range[1] > 0)) return std::nullopt;
  for (const Vector3d& p : points)
    if ((p - line.p).cross(line.x).norm() > kOnCurve) return std::nullopt;
  return line;
}

// Two points are always on a line or circle: its other points must lie on both surfaces, too.
bool isOnBoth(const Curve& curve, const Surface& left, const Surface& right) {
  constexpr std::array kProbes{0.25, 0.5, 0.75};
  return std::all_of(kProbes.begin(), kProbes.end(), [&](double t) {
    const Vector3d p = curve.at(curve.range[0] + t * (curve.range[1] - curve.range[0]));
    return std::abs(shapeAt(left, p).distance) <= kOnCurve &&
           std::abs(shapeAt(right, p).distance) <= kOnCurve;
  });
}

/// The unit tangent and the curvature vector [1/m] at p of the curve in which two surfaces meet, such that
/// the tangent points along `chord`. False where they are tangent along a curve.
struct Course {
  Vector3d p = Vector3d::Zero(), tangent = Vector3d::Zero(), curvature = Vector3d::Zero();
};

/// At a point where two surfaces touch, and two curves in which they meet cross, as mitered fillets do: in
/// the plane of both, the distance between them is half of tᵀ (K_l − K_r) t, which vanishes in two
/// directions. The curvature is that along the normal alone.
bool courseAtTouch(const SurfaceShape& l, const SurfaceShape& r, const Vector3d& chord, Course& course) {
  if (l.normal.dot(r.normal) < 0) return false;
  const Vector3d x = l.normal.unitOrthogonal(), y = l.normal.cross(x);
  const Matrix3d between = l.curvature - r.curvature;
  Eigen::Matrix2d form;
  form << x.dot(between * x), x.dot(between * y), y.dot(between * x), y.dot(between * y);
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d> solver(form);
  const Eigen::Vector2d& values = solver.eigenvalues();
  if (!(values[0] < 0 && values[1] > 0)) return false;
  const double low = std::sqrt(values[1]), high = std::sqrt(-values[0]);
  double nearest = -1;
  for (const double side : {1.0, -1.0}) {
    const Eigen::Vector2d t =
        (low * solver.eigenvectors().col(0) + side * high * solver.eigenvectors().col(1));
    const Vector3d tangent = (t.x() * x + t.y() * y).normalized();
    if (const double along = tangent.dot(chord); std::abs(along) > nearest) {
      nearest = std::abs(along);
      course.tangent = along < 0 ? Vector3d(-tangent) : tangent;
    }
  }
  course.curvature = -course.tangent.dot(l.curvature * course.tangent) * l.normal;
  return true;
}

bool courseAt(const Surface& left, const Surface& right, const Vector3d& p, const Vector3d& chord,
              Course& course) {
  const SurfaceShape l = shapeAt(left, p), r = shapeAt(right, p);
  const Vector3d along = l.normal.cross(r.normal);
  course.p = p;
  if (!(along.norm() > kTangentSurfaces)) return courseAtTouch(l, r, chord, course);
  course.tangent = along.dot(chord) < 0 ? Vector3d(-along.normalized()) : along.normalized();
  // Second derivatives of both distances along the curve vanish.
  Matrix3d rows;
  rows << l.normal.transpose(), r.normal.transpose(), course.tangent.transpose();
  const Vector3d& t = course.tangent;
  course.curvature = rows.inverse() * Vector3d(-t.dot(l.curvature * t), -t.dot(r.curvature * t), 0);
  return true;
}

// Quintics along the curve in which two surfaces meet.
class IntersectionTracer {
 public:
  IntersectionTracer(std::span<const Vector3d> points, const Surface& left, const Surface& right)
      : points_(points), left_(left), right_(right) {}

  std::vector<Curve> trace() {
    return add(0, points_.size() - 1) ? std::move(pieces_) : std::vector<Curve>{};
  }

 private:
  // From one point of the mesh to another: in one piece if it passes all points between them.
  bool add(std::size_t first, std::size_t last) {
    const Vector3d &from = points_[first], &to = points_[last];
    Course start, end;
    // At a point the direction is that of the nearest points of the mesh.
    if (!courseAt(left_, right_, from, points_[first + 1] - from, start) ||
        !courseAt(left_, right_, to, to - points_[last - 1], end))
      return false;
    if (last == first + 1) return addBetween(start, end, 0);
    if (const auto piece = pieceBetween(start, end); piece && passes(*piece, first, last)) {
      pieces_.push_back(*piece);
      return true;
    }
    const std::size_t middle = first + (last - first) / 2;
    return add(first, middle) && add(middle, last);
  }

  bool addBetween(const Course& start, const Course& end, int halvings) {
    if (const auto piece = pieceBetween(start, end)) {
      pieces_.push_back(*piece);
      return true;
    }
    if (halvings == kMaxHalvings) return false;
    const Curve trial =
        quinticBetween(start.p, start.tangent, start.curvature, end.p, end.tangent, end.curvature);
    Vector3d p = trial.at(0.5);
    const std::array<const Surface*, 2> both{&left_, &right_};
    Course middle;
    // Nearer than a point at an end where the surfaces touch.
    return moveOnto(both, 0.25 * (end.p - start.p).norm(), p) &&
           courseAt(left_, right_, p, end.p - start.p, middle) && addBetween(start, middle, halvings + 1) &&
           addBetween(middle, end, halvings + 1);
  }

  std::optional<Curve> pieceBetween(const Course& start, const Course& end) const {
    constexpr int kProbes = 8;
    if (!(start.tangent.dot(end.tangent) >= std::cos(kLargestTurn) && start.p != end.p)) return std::nullopt;
    const Curve piece =
        quinticBetween(start.p, start.tangent, start.curvature, end.p, end.tangent, end.curvature);
    Vector3d before = start.tangent;
    for (int k = 1; k <= kProbes; ++k) {
      const double t = static_cast<double>(k) / kProbes;
      const Vector3d p = piece.at(t), tangent = piece.tangent(t);
      const bool isOn = std::abs(shapeAt(left_, p).distance) <= kPieceDeviation &&
                        std::abs(shapeAt(right_, p).distance) <= kPieceDeviation;
      if (!(isOn && before.dot(tangent) >= 0.9)) return std::nullopt;
      before = tangent;
    }
    return piece;
  }

  bool passes(const Curve& piece, std::size_t first, std::size_t last) const {
    double before = 0;
    for (std::size_t k = first + 1; k < last; ++k) {
      const double t = closestParameter(piece, points_[k]);
      if (!(t > before && t < 1) || (piece.at(t) - points_[k]).norm() > kOnCurve) return false;
      before = t;
    }
    return true;
  }

  std::span<const Vector3d> points_;
  const Surface &left_, &right_;
  std::vector<Curve> pieces_;
};

// A straight line or an arc in a plane; a line of constant u or v on another surface. In the frame of the
// surface.
std::optional<std::pair<Vector2d, Vector2d>> straightBorder(const Surface& s, const Curve& c) {
  if (s.kind == SurfaceKind::freeform) return std::nullopt;
  const double length = c.range[1] - c.range[0];
  const Vector3d from = c.at(c.range[0]), to = c.at(c.range[1]);
  Vector2d a = parametersOf(s, from), b = parametersOf(s, to);
  if (c.isLine()) {
    if (s.kind == SurfaceKind::plane) return std::pair(a, b);
    const bool isRuled = s.kind == SurfaceKind::cylinder || s.kind == SurfaceKind::cone;
    if (!isRuled || std::abs(c.x.x() * from.y() - c.x.y() * from.x()) > kOnCurve) return std::nullopt;
    // The same half plane through the axis; at the tip of a cone the angle is that of the other end.
    a.x() = b.x() = from.head<2>().norm() > to.head<2>().norm() ? a.x() : b.x();
    return std::pair(a, b);
  }
  if (!c.isCircle() || s.kind == SurfaceKind::plane) return std::nullopt;
  if (c.axis().head<2>().norm() <= kParallel && c.p.head<2>().norm() <= kOnCurve)
    return std::pair(a, Vector2d(a.x() + std::copysign(length, c.axis().z()), a.y()));
  if (s.kind != SurfaceKind::torus) return std::nullopt;
  const Vector3d out(std::cos(a.x()), std::sin(a.x()), 0);
  const double turn = out.cross(Vector3d::UnitZ()).dot(c.axis());
  if ((c.p - s.radius * out).norm() > kOnCurve || 1 - std::abs(turn) > kParallel) return std::nullopt;
  return std::pair(a, Vector2d(a.x(), a.y() + std::copysign(length, turn)));
}

// A border as cubics in the coordinates of the trim.
class BorderFitter {
 public:
  BorderFitter(Face& face, const Curve& curve) : face_(face), curve_(curve) {}

  bool add() {
    const auto [from, to] = curve_.range;
    const int parts = curve_.isCircle() ? 1 + static_cast<int>((to - from) / kLargestTurn) : 1;
    at_ = face_.coordinatesOf(curve_.at(from));
    for (int k = 0; k < parts; ++k)
      if (!add(from + (to - from) * k / parts, from + (to - from) * (k + 1) / parts, 0)) return false;
    return true;
  }

 private:
  // The turn of the angles that is nearest to `near`.
  Vector2d unwrapped(Vector2d uv, const Vector2d& near) const {
    if (isPeriodic(face_.surface)) uv.x() += kFullCircle * std::round((near.x() - uv.x()) / kFullCircle);
    if (face_.surface.kind == SurfaceKind::torus)
      uv.y() += kFullCircle * std::round((near.y() - uv.y()) / kFullCircle);
    return uv;
  }

  bool add(double from, double to, int halvings) {
    const CurvePoint start = curve_.pointAt(from), end = curve_.pointAt(to);
    const Surface& s = face_.surface;
    const Vector2d a = at_, b = unwrapped(face_.coordinatesOf(end.p), a);
    const Vector2d c = a + (to - from) / 3 * face_.ordered(parameterSlope(s, start));
    const Vector2d d = b - (to - from) / 3 * face_.ordered(parameterSlope(s, end));
    TrimSegment cubic;
    cubic.a = a;
    cubic.c = c;
    cubic.d = d;
    cubic.b = b;
    bool isNear = true;
    for (const double t : {0.25, 0.5, 0.75}) {
      const Vector3d p = curve_.at(from + t * (to - from));
      const Vector2d uv = unwrapped(face_.coordinatesOf(p), cubic.cubicAt(t));
      const Vector2d off = (uv - cubic.cubicAt(t)).cwiseProduct(face_.ordered(parameterScale(s, p)));
      isNear = isNear && off.norm() <= kPieceDeviation;
    }
    if (isNear) {
      face_.trim.addCubic(a, c, d, b);
      at_ = b;
      return isOutsideOfSeam({a.y(), b.y(), c.y(), d.y()});
    }
    const double middle = 0.5 * (from + to);
    return halvings < kMaxHalvings && add(from, middle, halvings + 1) && add(middle, to, halvings + 1);
  }

  bool isOutsideOfSeam(std::initializer_list<double> coordinates) const {
    if (face_.surface.kind != SurfaceKind::torus) return true;
    const double low = face_.seam, high = low + kFullCircle;
    return std::min(coordinates) >= low && std::max(coordinates) <= high;
  }

  Face& face_;
  const Curve& curve_;  // in the frame of the surface
  Vector2d at_ = Vector2d::Zero();
};

bool addToTrim(Face& face, const Curve& c) {
  if (face.surface.kind == SurfaceKind::plane && c.isCircle() && c.axis().head<2>().norm() <= kParallel) {
    const double length = c.range[1] - c.range[0];
    const Vector2d center = c.p.head<2>(), start = c.at(c.range[0]).head<2>() - center;
    const double angle = std::atan2(start.y(), start.x());
    const double from = c.axis().z() > 0 ? angle : angle - length;
    face.trim.addArc(center, c.radius, from, from + length);
    return true;
  }
  const auto straight = straightBorder(face.surface, c);
  if (!straight) return BorderFitter(face, c).add();
  Vector2d a = face.ordered(straight->first), b = face.ordered(straight->second);
  if (face.surface.kind == SurfaceKind::torus) {
    const double shift = kFullCircle * std::floor((std::min(a.y(), b.y()) - face.seam) / kFullCircle);
    a.y() -= shift;
    b.y() -= shift;
    if (std::max(a.y(), b.y()) > face.seam + kFullCircle) return false;
  }
  face.trim.addLine(a, b);
  return true;
}

// True if a ball that bulges into the face still lies inside the solid beyond the curve: where the neighbor
// continues the face smoothly and curves no more.
bool isSmoothForBalls(const Surface& s, const Curve& curve, const Surface& neighbor) {
  constexpr double kSmooth = 1e-6, kSameCurvature = 1e-6;
  const bool hasBalls = s.side > 0 && (s.kind == SurfaceKind::sphere || s.kind == SurfaceKind::torus);
  if (!hasBalls) return false;
  const double ball = 1 / (s.kind == SurfaceKind::torus ? s.minor : s.radius);
  const double middle = 0.5 * (curve.range[0] + curve.range[1]);
  const Vector3d p = curve.at(middle), along = curve.tangent(middle);
  const SurfaceShape own = shapeAt(s, p), other = shapeAt(neighbor, p);
  const Vector3d across = own.normal.cross(along);
  const auto curvature = [&](const SurfaceShape& shape) { return across.dot(shape.curvature * across); };
  return own.normal.cross(other.normal).norm() < kSmooth && own.normal.dot(other.normal) > 0 &&
         curvature(own) > (1 - kSameCurvature) * ball && curvature(other) < (1 + kSameCurvature) * ball;
}

bool isNearlySmooth(const Vector3d& left, const Vector3d& right) {
  return left.dot(right) > 0 && left.cross(right).norm() < kNearlyTangent;
}

/// True at a point of all surfaces; those that continue each other smoothly may be apart from it by `gap`
/// [m].
bool isMeeting(std::span<const SurfaceShape> shapes, double gap) {
  for (std::size_t a = 0; a < shapes.size(); ++a) {
    bool isSmooth = false;
    for (std::size_t b = 0; b < shapes.size(); ++b)
      isSmooth = isSmooth || (b != a && isNearlySmooth(shapes[a].normal, shapes[b].normal));
    if (!(std::abs(shapes[a].distance) <= (isSmooth ? gap : std::min(gap, kRoundedCorner)))) return false;
  }
  return true;
}

/// moveOnto() where two of the surfaces are tangent along a curve: onto that curve, where their normals are
/// parallel, too. Both distances alone would leave a vertex beside it: over a distance s from the curve they
/// differ by s²/2 times the difference of curvatures. False, and `p` as it was, where none are tangent, or
/// isMeeting() does not hold.
bool moveOntoSeam(std::span<const Surface* const> surfaces, double reach, double gap, Vector3d& p) {
  constexpr int kNewtonSteps = 20;
  constexpr double kDependent = 1e-6, kThere = 1e-13;
  std::vector<SurfaceShape> shapes(surfaces.size());
  const auto measure = [&](const Vector3d& at) {
    for (std::size_t k = 0; k < surfaces.size(); ++k) shapes[k] = shapeAt(*surfaces[k], at);
  };
  measure(p);
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t a = 0; a < surfaces.size(); ++a)
    for (std::size_t b = 0; b < a; ++b)
      if (shapes[a].normal.cross(shapes[b].normal).norm() < kNearlyTangent &&
          !(shapes[a].curvature - shapes[b].curvature).isZero(0))
        pairs.emplace_back(a, b);
  if (pairs.empty()) return false;
  const auto crossing = [](const Vector3d& v) {
    Matrix3d m;
    m << 0, -v.z(), v.y(), v.z(), 0, -v.x(), -v.y(), v.x(), 0;
    return m;
  };
  const auto count = static_cast<Eigen::Index>(surfaces.size());
  Eigen::MatrixXd J(count + 3 * static_cast<Eigen::Index>(pairs.size()), 3);
  Eigen::VectorXd g(J.rows());
  Vector3d q = p;
  for (int step = 0; step < kNewtonSteps; ++step) {
    for (Eigen::Index k = 0; k < count; ++k) {
      g[k] = shapes[static_cast<std::size_t>(k)].distance;
      J.row(k) = shapes[static_cast<std::size_t>(k)].normal.transpose();
    }
    for (std::size_t n = 0; n < pairs.size(); ++n) {
      const SurfaceShape &a = shapes[pairs[n].first], &b = shapes[pairs[n].second];
      const double length = 1 / (a.curvature.norm() + b.curvature.norm());
      const auto row = count + 3 * static_cast<Eigen::Index>(n);
      g.segment<3>(row) = length * a.normal.cross(b.normal);
      J.middleRows<3>(row) = length * (crossing(a.normal) * b.curvature - crossing(b.normal) * a.curvature);
    }
    if (g.cwiseAbs().maxCoeff() <= kThere) break;
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> inverse(J);
    inverse.setThreshold(kDependent);
    const Vector3d d = inverse.solve(g);
    q -= d;
    if (!q.allFinite() || !((q - p).norm() <= reach)) return false;
    measure(q);
    if (d.norm() <= kThere) break;  // apart there, but as near as they come
  }
  if (!isMeeting(shapes, gap)) return false;
  p = q;
  return true;
}

/// moveOnto() of surfaces that a CAD system meant to be smooth at their border, but which waver about each
/// other: across them only, since along them nothing says where they meet. Between free-form surfaces; onto
/// the others, which those approximate. False, and `p` as it was, where isMeeting()
/// does not hold.
bool moveBetween(std::span<const Surface* const> surfaces, double reach, double gap, Vector3d& p) {
  constexpr int kNewtonSteps = 20;
  constexpr double kThere = 1e-13;
  // Of JᵀJ with two unit normals at an angle of sine s: 1 − √(1 − s²) is its smaller eigenvalue.
  constexpr double kDependent = 0.5 * kNearlyTangent * kNearlyTangent;
  std::vector<SurfaceShape> shapes(surfaces.size());
  const auto isFreeform = [&](std::size_t k) { return surfaces[k]->kind == SurfaceKind::freeform; };
  const auto isLedBy = [&](std::size_t a, std::size_t b) {
    return isFreeform(a) && !isFreeform(b) && isNearlySmooth(shapes[a].normal, shapes[b].normal);
  };
  Vector3d q = p;
  for (int step = 0; step < kNewtonSteps; ++step) {
    for (std::size_t k = 0; k < surfaces.size(); ++k) shapes[k] = shapeAt(*surfaces[k], q);
    Matrix3d JtJ = Matrix3d::Zero();
    Vector3d Jtd = Vector3d::Zero();
    for (std::size_t a = 0; a < surfaces.size(); ++a) {
      bool isLed = false;
      for (std::size_t b = 0; b < surfaces.size(); ++b) isLed = isLed || isLedBy(a, b);
      if (isLed) continue;
      JtJ += shapes[a].normal * shapes[a].normal.transpose();
      Jtd += shapes[a].distance * shapes[a].normal;
    }
    const Eigen::SelfAdjointEigenSolver<Matrix3d> solver(JtJ);
    Vector3d d = Vector3d::Zero();
    for (Eigen::Index k = 0; k < 3; ++k)
      if (const Vector3d axis = solver.eigenvectors().col(k); solver.eigenvalues()[k] > kDependent)
        d -= axis.dot(Jtd) / solver.eigenvalues()[k] * axis;
    q += d;
    if (!q.allFinite() || !((q - p).norm() <= reach)) return false;
    if (d.norm() <= kThere) break;
  }
  if (!isMeeting(shapes, gap)) return false;
  p = q;
  return true;
}

/// moveOnto() by all distances alone. False, and `p` as it was, where the surfaces do not meet: where two of
/// them are nearly tangent, and apart, the last step may lead far away.
bool moveOntoAll(std::span<const Surface* const> surfaces, double reach, Vector3d& p) {
  constexpr int kNewtonSteps = 20;
  constexpr double kThere = 1e-13, kDependent = 1e-6;
  const auto rows = static_cast<Eigen::Index>(surfaces.size());
  Eigen::MatrixXd J(rows, 3);
  Eigen::VectorXd d(rows);
  Vector3d q = p;
  const auto measure = [&] {
    for (Eigen::Index k = 0; k < rows; ++k) {
      const Surface& s = *surfaces[static_cast<std::size_t>(k)];
      const SurfaceDistance at = distanceTo(s, s.X_BS.inverse().point(q));
      d[k] = at.value;
      J.row(k) = (s.X_BS.R * at.gradient).transpose();
    }
  };
  measure();
  for (int step = 0; step < kNewtonSteps && d.cwiseAbs().maxCoeff() > kThere; ++step) {
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> inverse(J);
    inverse.setThreshold(kDependent);
    q -= inverse.solve(d);
    if (!q.allFinite() || !((q - p).norm() <= reach)) return false;
    measure();
  }
  if (!(d.cwiseAbs().maxCoeff() <= kRoundedCorner)) return false;
  p = q;
  return true;
}

/// The end of an edge at a corner of surfaces that waver about each other, of which its own one may be apart.
void moveEnd(const Surface& left, const Surface& right, Vector3d& p) {
  const SurfaceShape l = shapeAt(left, p), r = shapeAt(right, p);
  const double apart = std::max(std::abs(l.distance), std::abs(r.distance));
  if (!(apart > kPieceDeviation && apart <= kSeamGap)) return;
  if (l.normal.cross(r.normal).norm() < kNearlyTangent) return;  // they may meet far away
  const std::array<const Surface*, 2> both{&left, &right};
  moveOnto(both, 2 * apart / kNearlyTangent, p);
}

/// The unit tangent and curvature vector [1/m] at point k of a curve, those of the circle through it and its
/// neighbors. Of a closed curve the first point is given once.
std::pair<Vector3d, Vector3d> courseThrough(std::span<const Vector3d> points, bool isClosed, std::size_t k) {
  const std::size_t count = points.size();
  if (count == 2) return {(points[1] - points[0]).normalized(), Vector3d::Zero()};
  std::size_t middle = k % count;
  if (!isClosed) middle = std::clamp<std::size_t>(middle, 1, count - 2);
  const Vector3d &a = points[(middle + count - 1) % count], &b = points[middle],
                 &c = points[(middle + 1) % count], &p = points[k % count];
  const Vector3d ab = b - a, bc = c - b, ac = c - a;
  const Vector3d across = ab.cross(bc);
  // The circle through three points: its center from b.
  const double area = across.squaredNorm();
  if (!(area > 1e-20 * ab.squaredNorm() * bc.squaredNorm())) return {ac.normalized(), Vector3d::Zero()};
  const Vector3d toCenter =
      (ab.squaredNorm() * bc.cross(across) + bc.squaredNorm() * ab.cross(across)) / (-2 * area);
  const Vector3d radius = b + toCenter - p;
  const Vector3d tangent = across.cross(-radius).normalized();
  return {tangent, radius / radius.squaredNorm()};
}

/// The quintic from point k of a curve to the next one, with these courses.
Curve pieceThrough(std::span<const Vector3d> points, bool isClosed, std::size_t k) {
  const auto [t0, k0] = courseThrough(points, isClosed, k);
  const auto [t1, k1] = courseThrough(points, isClosed, k + 1);
  return quinticBetween(points[k], t0, k0, points[(k + 1) % points.size()], t1, k1);
}

/// A curve along which two surfaces continue each other smoothly: quintics through points where they do, with
/// the tangents and curvatures of circles through three of them.
class SeamTracer {
 public:
  SeamTracer(std::span<const Vector3d> points, bool isClosed, const Surface& left, const Surface& right)
      : points_(points.begin(), points.end()), isClosed_(isClosed), surfaces_{&left, &right} {
    if (isClosed_) points_.pop_back();
  }

  std::vector<Curve> trace() {
    for (const Vector3d& p : points_)
      if (!isSeam(p)) return {};
    for (int pass = 0; pass < kMaxPasses && refine(); ++pass) {
    }
    std::vector<Curve> pieces;
    for (std::size_t k = 0; k < pieceCount(); ++k) pieces.push_back(piece(k));
    const bool turnsTooFar = std::any_of(pieces.begin(), pieces.end(), [](const Curve& c) {
      return !(c.tangent(0).dot(c.tangent(1)) >= std::cos(kLargestTurn));
    });
    return turnsTooFar ? std::vector<Curve>{} : pieces;
  }

 private:
  static constexpr int kMaxPasses = 6;
  /// Deviation of a piece from the seam: that of surfaces from each other there is its square times half of
  /// the difference of their curvatures [m].
  static constexpr double kSeamDeviation = 2e-8;
  static constexpr std::size_t kMaxPoints = 20'000;

  bool isSeam(const Vector3d& p) const {
    const SurfaceShape l = shapeAt(*surfaces_[0], p), r = shapeAt(*surfaces_[1], p);
    return isNearlySmooth(l.normal, r.normal) &&
           std::max(std::abs(l.distance), std::abs(r.distance)) <= kSeamGap;
  }
  std::size_t pieceCount() const { return isClosed_ ? points_.size() : points_.size() - 1; }
  const Vector3d& at(std::size_t k) const { return points_[k % points_.size()]; }
  Curve piece(std::size_t k) const { return pieceThrough(points_, isClosed_, k); }
  bool isOnBoth(const Vector3d& p) const {
    return std::all_of(surfaces_.begin(), surfaces_.end(), [&](const Surface* s) {
      return std::abs(shapeAt(*s, p).distance) <= kPieceDeviation;
    });
  }

  bool hasOneNormal(const Vector3d& p) const {
    constexpr double kSameNormal = 1e-5;  // sine of the angle between the normals [-]
    return shapeAt(*surfaces_[0], p).normal.cross(shapeAt(*surfaces_[1], p).normal).norm() <= kSameNormal;
  }

  /// Adds the points of the seam in the middle of pieces that are not near them; false if all are. Where a
  /// middle lies on both surfaces with one normal, these have nearly the same curvature, so that no other
  /// point is more the seam.
  bool refine() {
    std::vector<Vector3d> finer;
    for (std::size_t k = 0; k < pieceCount(); ++k) {
      finer.push_back(points_[k]);
      const Vector3d middle = piece(k).at(0.5);
      if (isOnBoth(middle) && hasOneNormal(middle)) continue;
      Vector3d p = middle;
      const double reach = 0.25 * (at(k + 1) - at(k)).norm();
      const bool isMoved =
          moveOntoSeam(surfaces_, reach, kOnSeam, p) || moveBetween(surfaces_, reach, kSeamGap, p);
      if (isMoved && (p - middle).norm() > kSeamDeviation) finer.push_back(p);
    }
    if (!isClosed_) finer.push_back(points_.back());
    const bool isFiner = finer.size() > points_.size();
    if (finer.size() > kMaxPoints) return false;
    points_ = std::move(finer);
    return isFiner;
  }

  std::vector<Vector3d> points_;  // of a closed curve the first one once
  bool isClosed_;
  std::array<const Surface*, 2> surfaces_;
};

/// The border of two surfaces that do not meet near it, as at a knife edge of which the file has the corners
/// beside them: as the file has it, through `mesh`. Empty where it is farther than kSeamGap from one of them.
std::vector<Curve> borderThrough(std::span<const Vector3d> mesh, bool isClosed, const Surface& left,
                                 const Surface& right) {
  std::vector<Vector3d> points(mesh.begin(), mesh.end());
  points.erase(std::unique(points.begin(), points.end()), points.end());
  if (isClosed) points.pop_back();
  if (points.size() < 2) return {};
  const auto isNear = [&](const Vector3d& p) {
    return std::abs(shapeAt(left, p).distance) <= kSeamGap &&
           std::abs(shapeAt(right, p).distance) <= kSeamGap;
  };
  std::vector<Curve> pieces;
  for (std::size_t k = 0; k + (isClosed ? 0 : 1) < points.size(); ++k) {
    const Curve piece =
        points.size() == 2 ? lineBetween(points[0], points[1]) : pieceThrough(points, isClosed, k);
    if (!(piece.tangent(piece.range[0]).dot(piece.tangent(piece.range[1])) >= std::cos(kLargestTurn)))
      return {};
    for (const double t : {0.0, 0.25, 0.5, 0.75, 1.0})
      if (!isNear(piece.at(piece.range[0] + t * (piece.range[1] - piece.range[0])))) return {};
    pieces.push_back(piece);
  }
  return pieces;
}

}  // namespace

SurfaceShape shapeAt(const Surface& surface, const Vector3d& p) {
  const RigidTransform& X = surface.X_BS;
  const Vector3d q = X.R.transpose() * (p - X.p);
  const SurfaceDistance d = distanceTo(surface, q);
  return {d.value, X.R * d.gradient, X.R * curvatureAt(surface, q) * X.R.transpose()};
}

bool moveOnto(std::span<const Surface* const> surfaces, double reach, Vector3d& p) {
  return moveOntoSeam(surfaces, reach, kOnSeam, p) || moveOntoAll(surfaces, reach, p) ||
         moveOntoSeam(surfaces, reach, kSeamGap, p) || moveBetween(surfaces, reach, kSeamGap, p);
}

std::vector<Curve> curvesBetween(std::span<const Vector3d> mesh, bool isClosed, const Surface& left,
                                 const Surface& right) {
  std::vector<Vector3d> points(mesh.begin(), mesh.end());
  if (!isClosed)
    for (Vector3d* end : {&points.front(), &points.back()}) moveEnd(left, right, *end);
  for (const auto& [one, other] : {std::pair(&left, &right), std::pair(&right, &left)}) {
    std::array<std::optional<Axis>, 2> axes{axisOf(*one, *other)};
    if (one->kind == SurfaceKind::torus) axes[1] = meridianAxis(*one, points.front());
    for (const auto& axis : axes)
      if (const auto circle = axis ? circleAbout(*axis, points, isClosed) : std::nullopt;
          circle && isOnBoth(*circle, left, right))
        return {*circle};
  }
  // Planes at 0.5 nm from their triangles meet in lines; a cylinder and a cone in lines along their axis.
  if (left.kind == SurfaceKind::plane && right.kind == SurfaceKind::plane) {
    const auto line = lineThrough(points);
    return line ? std::vector{*line} : std::vector<Curve>{};
  }
  if (const auto line = lineThrough(points); line && isOnBoth(*line, left, right)) return {*line};
  std::vector<Curve> curves = IntersectionTracer(points, left, right).trace();
  if (curves.empty()) curves = SeamTracer(points, isClosed, left, right).trace();
  if (curves.empty()) curves = borderThrough(mesh, isClosed, left, right);
  return curves;
}

bool addBorder(Face& face, const Curve& curve, const Surface& neighbor) {
  const std::size_t first = face.trim.segments().size();
  if (!addToTrim(face, placed(face.surface.X_BS.inverse(), curve))) return false;
  if (isSmoothForBalls(face.surface, curve, neighbor)) face.trim.setSmoothFrom(first);
  return true;
}

bool addCornerGaps(Face& before, Face& after, std::span<const Vector3d> points,
                   std::span<const Curve> curves) {
  const Curve &first = curves.front(), &last = curves.back();
  const std::array ends{std::pair(points.front(), first.at(first.range[0])),
                        std::pair(points.back(), last.at(last.range[1]))};
  return std::all_of(ends.begin(), ends.end(), [&](const auto& corner) {
    if ((corner.first - corner.second).norm() <= kRoundedCorner) return true;
    const Curve gap = lineBetween(corner.first, corner.second);
    return addBorder(before, gap, after.surface) && addBorder(after, gap, before.surface);
  });
}

}  // namespace tenon::physics::brep
