// See profile_arcs.h.
#include "content/recognize/profile_arcs.h"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <numeric>

#include "physics/math/disjoint_sets.h"

namespace tenon::content {
namespace {

using Eigen::Vector2d;

/// Vertices of one ring differ by less in (r, z), over the tolerance [-]: rows of facets are twice as long.
constexpr double kSameRing = 0.5;
/// Rings about an arc, one more than rows of facets: any three lie on a circle, and four of a chamfer may.
constexpr std::size_t kLeastRings = 5;
/// Widest facet of an arc [rad], as about an axis.
constexpr double kWidestFacet = 2 * std::numbers::pi / 15.5;
/// Deviation of a ring from its arc over the tolerance, and over the radius [-].
constexpr double kRingDeviation = 0.1, kRingRatio = 0.01;

/// The circle through points by least squares; radius 0 if there is none.
struct Circle2 {
  Vector2d center = Vector2d::Zero();
  double radius = 0;

  double off(const Vector2d& p) const { return (p - center).norm() - radius; }
};

Circle2 circleThrough(std::span<const Vector2d> points) {
  Vector2d mean = Vector2d::Zero();
  for (const Vector2d& p : points) mean += p / static_cast<double>(points.size());
  double size = 0;
  for (const Vector2d& p : points) size = std::max(size, (p - mean).norm());
  Eigen::MatrixXd A(static_cast<Eigen::Index>(points.size()), 3);
  Eigen::VectorXd b(A.rows());
  // |q|² = 2 c · q + r² − |c|², then Gauss-Newton on the distances.
  for (Eigen::Index k = 0; k < A.rows(); ++k) {
    const Vector2d q = (points[static_cast<std::size_t>(k)] - mean) / size;
    A.row(k) << 2 * q.x(), 2 * q.y(), 1;
    b[k] = q.squaredNorm();
  }
  Eigen::Vector3d x = A.colPivHouseholderQr().solve(b);
  Circle2 circle{x.head<2>(), std::sqrt(std::max(0.0, x[2] + x.head<2>().squaredNorm()))};
  for (int pass = 0; pass < 4; ++pass) {
    for (Eigen::Index k = 0; k < A.rows(); ++k) {
      const Vector2d out = (points[static_cast<std::size_t>(k)] - mean) / size - circle.center;
      A.row(k) << out.normalized().transpose(), 1;
      b[k] = out.norm() - circle.radius;
    }
    x = A.colPivHouseholderQr().solve(b);
    circle.center += x.head<2>();
    circle.radius += x[2];
  }
  if (!x.allFinite() || !(circle.radius > 0)) return {};
  return {mean + size * circle.center, size * circle.radius};
}

class ArcFinder {
 public:
  ArcFinder(const Facets& facets, const Axis& axis, const std::vector<int>& triangles)
      : f_(facets), axis_(axis), triangles_(triangles) {}

  std::vector<ProfileArc> find() {
    findRings();
    linkRings();
    std::vector<char> isVisited(rings_.size(), 0);
    for (const bool closed : {false, true})
      for (std::size_t start = 0; start < rings_.size(); ++start)
        if (isVisited[start] == 0 && links_[start].size() <= 2 && (closed || links_[start].size() == 1))
          cut(follow(start, isVisited));
    return std::move(arcs_);
  }

 private:
  void findRings();
  void linkRings();
  std::vector<int> follow(std::size_t start, std::vector<char>& isVisited) const;
  void cut(std::vector<int> path);
  bool isArc(std::span<const Vector2d> points, Circle2& circle) const;
  void add(std::span<const int> path, const Circle2& circle);
  const Vector2d& ring(int k) const { return rings_[static_cast<std::size_t>(k)]; }

  const Facets& f_;
  const Axis& axis_;
  const std::vector<int>& triangles_;
  std::vector<int> vertices_, ringOf_;   // of the mesh; ring of each
  std::map<int, int> indexOf_;           // of a vertex of the mesh in vertices_
  std::vector<Vector2d> rings_;          // (r, z), the mean of their vertices
  std::vector<std::vector<int>> links_;  // rings next to each
  std::vector<ProfileArc> arcs_;
};

void ArcFinder::findRings() {
  for (const int t : triangles_)
    for (int k = 0; k < 3; ++k)
      if (indexOf_.emplace(f_.vertex(t, k), static_cast<int>(vertices_.size())).second)
        vertices_.push_back(f_.vertex(t, k));
  std::vector<Vector2d> at;
  for (const int v : vertices_)
    at.push_back(axis_.meridian(f_.mesh->mesh.vertices[static_cast<std::size_t>(v)]));
  const double limit = kSameRing * f_.tolerance;
  physics::DisjointSets sets(static_cast<int>(vertices_.size()));
  std::vector<int> order(vertices_.size());
  std::iota(order.begin(), order.end(), 0);
  const auto point = [&](int k) { return at[static_cast<std::size_t>(k)]; };
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return point(a).y() != point(b).y() ? point(a).y() < point(b).y() : point(a).x() < point(b).x();
  });
  // Of a ring many vertices follow each other; those of others at the same height lie between them.
  constexpr std::size_t kCompared = 8;
  for (std::size_t k = 0; k < order.size(); ++k)
    for (std::size_t n = k + 1; n < std::min(order.size(), k + kCompared); ++n)
      if ((point(order[k]) - point(order[n])).norm() < limit) sets.join(order[k], order[n]);
  for (const int t : triangles_)
    for (int k = 0; k < 3; ++k) {
      const int a = indexOf_.at(f_.vertex(t, k)), b = indexOf_.at(f_.vertex(t, (k + 1) % 3));
      if ((point(a) - point(b)).norm() < limit) sets.join(a, b);
    }
  std::map<int, int> ringOfSet;
  std::vector<int> counts;
  for (int k = 0; k < static_cast<int>(vertices_.size()); ++k) {
    const int r = ringOfSet.emplace(sets.root(k), static_cast<int>(rings_.size())).first->second;
    if (r == static_cast<int>(rings_.size())) {
      rings_.emplace_back(0, 0);
      counts.push_back(0);
    }
    ringOf_.push_back(r);
    rings_[static_cast<std::size_t>(r)] += point(k);
    ++counts[static_cast<std::size_t>(r)];
  }
  for (std::size_t r = 0; r < rings_.size(); ++r) rings_[r] /= counts[r];
}

void ArcFinder::linkRings() {
  links_.resize(rings_.size());
  for (const int t : triangles_)
    for (int k = 0; k < 3; ++k) {
      const int a = ringOf_[static_cast<std::size_t>(indexOf_.at(f_.vertex(t, k)))],
                b = ringOf_[static_cast<std::size_t>(indexOf_.at(f_.vertex(t, (k + 1) % 3)))];
      auto& list = links_[static_cast<std::size_t>(a)];
      if (a != b && std::find(list.begin(), list.end(), b) == list.end()) {
        list.push_back(b);
        links_[static_cast<std::size_t>(b)].push_back(a);
      }
    }
}

/// The rings from `start` on, until they branch or end; of a closed path the first is the last again.
std::vector<int> ArcFinder::follow(std::size_t start, std::vector<char>& isVisited) const {
  std::vector<int> path{static_cast<int>(start)};
  isVisited[start] = 1;
  for (bool goesOn = true; goesOn;) {
    goesOn = false;
    for (const int next : links_[static_cast<std::size_t>(path.back())]) {
      const bool returns = next == path.front() && path.size() > 2;
      if (!returns && isVisited[static_cast<std::size_t>(next)] != 0) continue;
      path.push_back(next);
      goesOn = !returns && links_[static_cast<std::size_t>(next)].size() <= 2;
      if (goesOn) isVisited[static_cast<std::size_t>(next)] = 1;
      break;
    }
  }
  return path;
}

/// Divides a path into its longest arcs and the rest.
void ArcFinder::cut(std::vector<int> path) {
  const bool isClosed = path.size() > 3 && path.front() == path.back();
  std::vector<Vector2d> points;
  for (const int k : path) points.push_back(ring(k));
  Circle2 circle;
  if (isClosed && isArc(points, circle)) return add(path, circle);
  if (isClosed) {  // from its sharpest corner on
    std::size_t corner = 0;
    double sharpest = 2;
    for (std::size_t k = 0; k + 1 < points.size(); ++k) {
      const Vector2d before = (points[k] - points[k == 0 ? points.size() - 2 : k - 1]).normalized(),
                     after = (points[k + 1] - points[k]).normalized();
      if (before.dot(after) < sharpest) sharpest = before.dot(after), corner = k;
    }
    path.pop_back();
    std::rotate(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(corner), path.end());
    path.push_back(path.front());
    points.clear();
    for (const int k : path) points.push_back(ring(k));
  }
  for (std::size_t first = 0; first + kLeastRings <= points.size();) {
    std::size_t count = kLeastRings;
    Circle2 longest;
    for (; first + count <= points.size(); ++count) {
      if (!isArc(std::span(points).subspan(first, count), circle)) break;
      longest = circle;
    }
    if (!(longest.radius > 0)) {
      ++first;
      continue;
    }
    const Circle2 found = longest;
    add(std::span(path).subspan(first, count - 1), found);
    first += count - 2;
  }
}

/// True if the points follow a circle in one sense; short arcs are accepted while they grow.
bool ArcFinder::isArc(std::span<const Vector2d> points, Circle2& circle) const {
  circle = circleThrough(points);
  if (!(circle.radius > 0 && circle.radius < f_.extent)) return false;
  const double limit = std::min(kRingDeviation * f_.tolerance, kRingRatio * circle.radius);
  double sense = 0;
  for (std::size_t k = 0; k < points.size(); ++k) {
    if (!(std::abs(circle.off(points[k])) <= limit)) return false;
    if (k == 0) continue;
    const Vector2d a = points[k - 1] - circle.center, b = points[k] - circle.center;
    const double angle = std::atan2(a.x() * b.y() - a.y() * b.x(), a.dot(b));
    if (!(std::abs(angle) < kWidestFacet) || angle * sense < 0) return false;
    sense = angle;
  }
  return true;
}

void ArcFinder::add(std::span<const int> path, const Circle2& circle) {
  // A straight line would be as good.
  const Vector2d along = (ring(path.back()) - ring(path.front())).normalized();
  double bulge = path.front() == path.back() ? circle.radius : 0;
  for (const int k : path) {
    const Vector2d w = ring(k) - ring(path.front());
    bulge = std::max(bulge, std::abs(along.x() * w.y() - along.y() * w.x()));
  }
  if (!(bulge > f_.tolerance)) return;
  std::map<int, int> placeOf;
  for (std::size_t k = 0; k < path.size(); ++k) placeOf.emplace(path[k], static_cast<int>(k));
  ProfileArc arc;
  arc.center = circle.center;
  arc.radius = circle.radius;
  for (const int t : triangles_) {
    std::array<int, 3> at{};
    bool isOn = true;
    for (int k = 0; k < 3; ++k) {
      const auto found = placeOf.find(ringOf_[static_cast<std::size_t>(indexOf_.at(f_.vertex(t, k)))]);
      isOn = isOn && found != placeOf.end();
      if (isOn) at[static_cast<std::size_t>(k)] = found->second;
    }
    // Between two rings that follow each other; a lid has all its corners on one.
    const auto [low, high] = std::minmax({at[0], at[1], at[2]});
    const int last = static_cast<int>(path.size()) - 2;
    const bool closes = path.front() == path.back() && low == 0 && high == last;
    if (isOn && (high - low == 1 || (closes && last > 1))) arc.triangles.push_back(t);
  }
  if (!arc.triangles.empty()) arcs_.push_back(std::move(arc));
}

}  // namespace

std::vector<ProfileArc> profileArcs(const Facets& facets, const Axis& axis,
                                    const std::vector<int>& triangles) {
  return ArcFinder(facets, axis, triangles).find();
}

std::optional<ProfileLine> lineOfRest(const Facets& facets, const Axis& axis, const ProfileLine& line,
                                      const std::function<bool(int)>& isUsed) {
  ProfileLine rest = line;
  std::erase_if(rest.triangles, [&](int t) { return !isUsed(t); });
  if (rest.triangles.empty()) return std::nullopt;
  if (rest.triangles.size() == line.triangles.size()) return line;
  std::vector<Vector2d> points;
  for (const int t : rest.triangles)
    for (int k = 0; k < 3; ++k) points.push_back(axis.meridian(facets.point(t, k)));
  Vector2d mean = Vector2d::Zero();
  for (const Vector2d& p : points) mean += p / static_cast<double>(points.size());
  Eigen::Matrix2d moments = Eigen::Matrix2d::Zero();
  rest.low = HUGE_VAL;
  rest.high = -HUGE_VAL;
  double near = HUGE_VAL, far = 0;
  for (const Vector2d& p : points) {
    moments += (p - mean) * (p - mean).transpose() / static_cast<double>(points.size());
    rest.low = std::min(rest.low, p.y());
    rest.high = std::max(rest.high, p.y());
    near = std::min(near, p.x());
    far = std::max(far, p.x());
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d> solver(moments);
  const Vector2d n = solver.eigenvectors().col(0);
  rest.n = n.dot(line.n) < 0 ? Vector2d(-n) : n;
  rest.rms = std::sqrt(std::max(0.0, solver.eigenvalues()[0]));
  // As axis_fit: within the scatter of the vertices it is a cylinder, or a plane.
  const double scatter = std::max(2e-6, 2 * rest.rms);
  if (std::abs(rest.n.y()) * (rest.high - rest.low) < scatter && std::abs(rest.n.y()) < 0.02)
    rest.n = {rest.n.x() > 0 ? 1.0 : -1.0, 0};
  if (std::abs(rest.n.x()) * (far - near) < scatter && std::abs(rest.n.x()) < 0.02)
    rest.n = {0, rest.n.y() > 0 ? 1.0 : -1.0};
  rest.d = rest.n.dot(mean);
  rest.maxDeviation = 0;
  for (const Vector2d& p : points)
    rest.maxDeviation = std::max(rest.maxDeviation, std::abs(rest.n.dot(p) - rest.d));
  return rest;
}

std::optional<ProfileArc> tangentArc(const ProfileArc& arc, std::span<const ArcNeighbor> neighbors,
                                     bool isSphere) {
  constexpr int kSteps = 20;
  constexpr double kExact = 1e-15, kGood = 1e-12;  // [m]
  constexpr double kRadiusWeight = 0.01;           // the center moves rather than the radius
  ProfileArc exact = arc;
  const auto rows = static_cast<Eigen::Index>(neighbors.size()) + (isSphere ? 1 : 0);
  if (rows == 0) return exact;
  Eigen::MatrixXd J(rows, 3);
  Eigen::VectorXd g(rows);
  for (int step = 0; step < kSteps; ++step) {
    for (std::size_t k = 0; k < neighbors.size(); ++k) {
      const ArcNeighbor& other = neighbors[k];
      const auto row = static_cast<Eigen::Index>(k);
      if (!other.n.isZero(0)) {
        const double side = other.n.dot(arc.center) < other.d ? -1 : 1;
        g[row] = other.n.dot(exact.center) - other.d - side * exact.radius;
        J.row(row) << other.n.transpose(), -side * kRadiusWeight;
        continue;
      }
      // |c − c₂| = |ρ₂ ± ρ|
      const Vector2d between = exact.center - other.center;
      const double distance = (arc.center - other.center).norm();
      const double sum = arc.radius + other.radius, difference = std::abs(arc.radius - other.radius);
      const bool isOutside = std::abs(distance - sum) < std::abs(distance - difference);
      const double sign = isOutside ? 1 : arc.radius > other.radius ? 1 : -1;
      const double apart = isOutside ? exact.radius + other.radius : sign * (exact.radius - other.radius);
      g[row] = between.norm() - apart;
      J.row(row) << between.normalized().transpose(), -sign * kRadiusWeight;
    }
    if (isSphere) {
      g[rows - 1] = exact.center.x();
      J.row(rows - 1) << 1, 0, 0;
    }
    if (g.cwiseAbs().maxCoeff() <= kExact) break;
    const Eigen::Vector3d move = J.completeOrthogonalDecomposition().solve(g);
    exact.center -= move.head<2>();
    exact.radius -= kRadiusWeight * move[2];
  }
  if (!(g.cwiseAbs().maxCoeff() <= kGood && exact.radius > 0)) return std::nullopt;
  if (isSphere) exact.center.x() = 0;
  return exact;
}

}  // namespace tenon::content
