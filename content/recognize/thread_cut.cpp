// See thread_cut.h.
#include "content/recognize/thread_cut.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <span>

#include "content/mesh/triangulate.h"

namespace tenon::content {
namespace {

/// Corners of the wall behind an internal thread.
constexpr int kWallCorners = 96;
constexpr double kFirstCorner = 0.381966;  // angle of the first one, over that of a side
/// Distance of the wall from the roots, so that it does not touch them [m].
constexpr double kWallGap = 2e-6;
/// Distance of a cut from the vertices beside it, and of vertices that lie on it [pitches].
constexpr double kCutDistance = 2e-5, kOnPlane = 1e-7;
/// Around the thread no other face may be nearer [pitches].
constexpr double kFreeMargin = 0.2;

class ThreadCutter {
  using Triangle = std::array<int, 3>;

 public:
  ThreadCutter(const Facets& facets, const ThreadFit& fit, ThreadExtent extent)
      : f_(facets), fit_(fit), m_(fit.model), extent_(extent), mesh_(facets.mesh->mesh) {
    for (const Vector3d& p : mesh_.vertices) points_.push_back(m_.at(p));
    for (int t = 0; t < f_.count(); ++t) sources_.push_back(t);
    sides_.assign(mesh_.triangles.size(), Side::unknown);
    outerRadius_ = std::max(m_.crestRadius, m_.rootRadius) + kFreeMargin * m_.pitch;
  }

  const ThreadExtent& extent() const { return extent_; }

  ThreadCut cut(BoreRule rule) {
    for (const int k : {0, 1})
      if (!limit(k).isFace && !cutAcross(k)) return failed("other faces are too near to it where it ends");
    if (m_.isInternal) {
      setWall(rule);
      for (const int k : {0, 1})
        if (limit(k).isFace && !cutAround(k))
          return failed("the face at its end is not cut by its hole once");
    }
    if (const std::string problem = removeThread(); !problem.empty()) return failed(problem);
    const bool isClosed = m_.isInternal ? closeHole() : closeEnds();
    if (!isClosed) return failed("its section where it ends is not that of one thread");
    return take();
  }

 private:
  /// On which side of a cut a triangle lies.
  enum class Side : char { unknown, thread, rest, gone };
  struct Plane {
    Vector3d n;
    double d;
  };

  const ThreadLimit& limit(int k) const { return extent_.limits[static_cast<std::size_t>(k)]; }
  const ThreadModel::Point& point(int v) const { return points_[static_cast<std::size_t>(v)]; }
  const Vector3d& vertex(int v) const { return mesh_.vertices[static_cast<std::size_t>(v)]; }

  static ThreadCut failed(const std::string& problem) {
    ThreadCut cut;
    cut.problem = problem;
    return cut;
  }

  int addVertex(const Vector3d& p) {
    mesh_.vertices.push_back(p);
    points_.push_back(m_.at(p));
    return static_cast<int>(mesh_.vertices.size()) - 1;
  }
  void addTriangle(const Triangle& t, int source, Side side) {
    mesh_.triangles.push_back(t);
    sources_.push_back(source);
    sides_.push_back(side);
  }

  // --- cuts ---------------------------------------------------------------------------------------------

  /// The parts of a triangle below (n · p < d) and above a plane; new vertices are shared by neighbors.
  void split(const Triangle& t, const Plane& plane, std::map<std::pair<int, int>, int>& onEdges,
             std::vector<Triangle>& below, std::vector<Triangle>& above) {
    std::array<double, 3> h{};
    for (std::size_t k = 0; k < 3; ++k) {
      h[k] = plane.n.dot(vertex(t[k])) - plane.d;
      if (std::abs(h[k]) < kOnPlane * m_.pitch) h[k] = 0;
    }
    const auto [least, most] = std::minmax_element(h.begin(), h.end());
    if (*most <= 0) return below.push_back(t);
    if (*least >= 0) return above.push_back(t);
    std::vector<int> low, high;
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t next = (k + 1) % 3;
      if (h[k] <= 0) low.push_back(t[k]);
      if (h[k] >= 0) high.push_back(t[k]);
      if (h[k] * h[next] >= 0) continue;
      const auto edge = std::minmax(t[k], t[next]);
      auto& middle = onEdges.try_emplace(edge, -1).first->second;
      if (middle < 0) {
        const Vector3d &a = vertex(edge.first), &b = vertex(edge.second);
        const double ha = plane.n.dot(a) - plane.d, hb = plane.n.dot(b) - plane.d;
        middle = addVertex(Vector3d(a + ha / (ha - hb) * (b - a)));
      }
      low.push_back(middle);
      high.push_back(middle);
    }
    for (const auto& [polygon, list] : {std::pair(&low, &below), std::pair(&high, &above)})
      for (std::size_t k = 1; k + 1 < polygon->size(); ++k)
        list->push_back({(*polygon)[0], (*polygon)[k], (*polygon)[k + 1]});
  }

  bool isWithin(const Triangle& t) const {
    return std::all_of(t.begin(), t.end(), [&](int v) { return point(v).r < outerRadius_; });
  }

  /// Moves the end by less than 0.04 pitches to where no vertex is, and cuts there.
  bool cutAcross(int k) {
    ThreadLimit& end = extent_.limits[static_cast<std::size_t>(k)];
    std::vector<double> heights;
    for (const auto& p : points_)
      if (p.r < outerRadius_ && std::abs(p.z - end.height) < 0.2 * m_.pitch) heights.push_back(p.z);
    std::sort(heights.begin(), heights.end());
    const double step = (k == 0 ? 2 : -2) * kCutDistance * m_.pitch;
    const auto isFree = [&](double z) {
      const auto next = std::lower_bound(heights.begin(), heights.end(), z);
      return (next == heights.end() || *next - z > kCutDistance * m_.pitch) &&
             (next == heights.begin() || z - *(next - 1) > kCutDistance * m_.pitch);
    };
    for (int tries = 0; tries < 1000 && !isFree(end.height); ++tries) end.height += step;
    if (!isFree(end.height)) return false;
    const Plane plane{m_.axis.z, m_.axis.z.dot(m_.axis.origin) + end.height};
    std::map<std::pair<int, int>, int> onEdges;
    const std::size_t count = mesh_.triangles.size();
    for (std::size_t i = 0; i < count; ++i) {
      const Triangle t = mesh_.triangles[i];
      if (sides_[i] != Side::unknown || !isWithin(t)) continue;
      const auto below = [&](int v) { return point(v).z < end.height; };
      if (below(t[0]) == below(t[1]) && below(t[0]) == below(t[2])) continue;
      std::vector<Triangle> low, high;
      split(t, plane, onEdges, low, high);
      for (const Triangle& part : low) addTriangle(part, sources_[i], k == 0 ? Side::rest : Side::thread);
      for (const Triangle& part : high) addTriangle(part, sources_[i], k == 0 ? Side::thread : Side::rest);
      sides_[i] = Side::gone;
    }
    auto& loop = loops_[static_cast<std::size_t>(k)];
    for (const auto& [edge, v] : onEdges) loop.push_back(v);
    return !loop.empty();
  }

  void setWall(BoreRule rule) {
    double inner = m_.rootRadius;
    for (const auto& loop : loops_)
      for (const int v : loop) inner = std::max(inner, point(v).r);
    // Rims at a face may be wider than the fitted roots.
    const double slab = std::max(0.05 * m_.pitch, 10 * fit_.rms),
                 slack = std::max(0.03 * m_.pitch, 6 * fit_.rms);
    for (const int k : {0, 1})
      for (const ThreadModel::Point& p : points_)
        if (limit(k).isFace && limit(k).cone.length == 0 && std::abs(p.z - limit(k).height) < slab &&
            p.r < m_.rootRadius + slack)
          inner = std::max(inner, p.r);
    inner += kWallGap;
    cornerRadius_ = inner / std::cos(kFullTurn / 2 / kWallCorners);
    wallRadius_ = rule == BoreRule::flats ? inner : cornerRadius_;
  }

  /// Radius of the corners of the polygon at the mouth of the hole: that of the wall, or a little more than
  /// the countersink's.
  double mouthRadius(int k) const {
    const double rim = limit(k).cone.length > 0 ? limit(k).cone.radius : 0;
    const double around = (rim + kWallGap + 6 * fit_.rms) / std::cos(kFullTurn / 2 / kWallCorners);
    return rim > cornerRadius_ ? around : std::max(cornerRadius_, around);
  }
  bool hasCone(int k) const { return mouthRadius(k) > cornerRadius_ + 20e-6; }

  /// A corner of the polygon of the wall. No corner has the azimuth of the axis' x or another simple one, at
  /// which meshes have edges.
  static double cornerAngle(int k) { return kFullTurn * (k + kFirstCorner) / kWallCorners; }
  Vector3d corner(double radius, double z, int k) const {
    const double angle = cornerAngle(k);
    return m_.axis.origin + z * m_.axis.z +
           radius * (std::cos(angle) * m_.axis.x + std::sin(angle) * m_.axis.y);
  }

  Eigen::Vector2d flat(int v) const {
    const Vector3d w = vertex(v) - m_.axis.origin;
    return {w.dot(m_.axis.x), w.dot(m_.axis.y)};
  }

  /// Where an edge crosses the polygon at a mouth, in its direction.
  struct Crossing {
    int vertex = -1;
    bool isEntry = false;
  };
  using Crossings = std::vector<Crossing>;

  /// Of an edge from the lower to the higher vertex: clipped by the sides of the polygon (Cyrus & Beck 1978).
  Crossings crossingsOf(int a, int b, double radius) {
    const Eigen::Vector2d p = flat(a), along = flat(b) - p;
    double from = 0, to = 1;
    const double distance = radius * std::cos(kFullTurn / 2 / kWallCorners);
    for (int j = 0; j < kWallCorners && from < to; ++j) {
      const double angle = cornerAngle(j) + kFullTurn / 2 / kWallCorners;
      const Eigen::Vector2d n(std::cos(angle), std::sin(angle));
      const double room = distance - n.dot(p), speed = n.dot(along);
      if (speed > 0) to = std::min(to, room / speed);
      if (speed < 0) from = std::max(from, room / speed);
      if (speed == 0 && room < 0) to = -1;
    }
    Crossings found;
    if (!(from < to)) return found;
    const Vector3d start = vertex(a), whole = vertex(b) - start;
    if (from > 0) found.push_back({addVertex(Vector3d(start + from * whole)), true});
    if (to < 1) found.push_back({addVertex(Vector3d(start + to * whole)), false});
    return found;
  }

  /// The corner of the polygon at a mouth, at the height of a triangle.
  int cornerOf(int j, double radius, const Triangle& t, std::map<int, int>& corners) {
    int& at = corners.try_emplace(j, -1).first->second;
    if (at < 0) {
      const Vector3d n = (vertex(t[1]) - vertex(t[0])).cross(vertex(t[2]) - vertex(t[0]));
      const Vector3d p = corner(radius, 0, j);
      at = addVertex(Vector3d(p + n.dot(vertex(t[0]) - p) / n.dot(m_.axis.z) * m_.axis.z));
    }
    return at;
  }

  /// Cuts the faces at a mouth along a regular polygon about the axis, and keeps what is outside of it.
  /// False if a triangle has an exit without an entry.
  bool cutAround(int k) {
    const double radius = hasCone(k) ? mouthRadius(k) : cornerRadius_, face = limit(k).height;
    const double slab = std::max(0.05 * m_.pitch, 10 * fit_.rms);
    const std::size_t count = mesh_.triangles.size();
    std::map<std::pair<int, int>, Crossings> onEdges;
    std::map<int, int> corners;
    auto& loop = loops_[static_cast<std::size_t>(k)];
    for (std::size_t i = 0; i < count; ++i) {
      const Triangle t = mesh_.triangles[i];
      const bool isAtFace =
          std::all_of(t.begin(), t.end(), [&](int v) { return std::abs(point(v).z - face) < slab; });
      if (sides_[i] != Side::unknown || !isAtFace) continue;
      std::vector<Crossing> border;  // corners of the triangle have isEntry = false and are not crossings
      std::vector<char> isCrossing;
      for (std::size_t e = 0; e < 3; ++e) {
        border.push_back({t[e], false});
        isCrossing.push_back(0);
        const auto edge = std::minmax(t[e], t[(e + 1) % 3]);
        auto at = onEdges.find(edge);
        if (at == onEdges.end())
          at = onEdges.emplace(edge, crossingsOf(edge.first, edge.second, radius)).first;
        Crossings crossings = at->second;
        for (const Crossing& c : crossings) loop.push_back(c.vertex);
        if (edge.first != t[e]) {
          std::reverse(crossings.begin(), crossings.end());
          for (Crossing& c : crossings) c.isEntry = !c.isEntry;
        }
        for (const Crossing& c : crossings) {
          border.push_back(c);
          isCrossing.push_back(1);
        }
      }
      if (std::count(isCrossing.begin(), isCrossing.end(), 1) == 0) continue;
      sides_[i] = Side::gone;
      partly_.push_back(sources_[i]);
      if (!addOutside(t, border, isCrossing, radius, corners, sources_[i])) return false;
    }
    for (const auto& [j, v] : corners) loop.push_back(v);
    std::sort(loop.begin(), loop.end());
    loop.erase(std::unique(loop.begin(), loop.end()), loop.end());
    return true;
  }

  /// The parts of a triangle outside of the polygon: along its border from where it leaves the polygon to
  /// where it enters it again, then along the polygon to where it leaves it next.
  bool addOutside(const Triangle& t, const std::vector<Crossing>& border, const std::vector<char>& isCrossing,
                  double radius, std::map<int, int>& corners, int source) {
    const Eigen::Vector2d a = flat(t[0]), b = flat(t[1]), c = flat(t[2]);
    const bool isUp = (b.x() - a.x()) * (c.y() - a.y()) > (b.y() - a.y()) * (c.x() - a.x());
    const std::size_t n = border.size();
    std::vector<char> isDone(n, 0);
    for (std::size_t first = 0; first < n; ++first) {
      if (isCrossing[first] == 0 || border[first].isEntry || isDone[first] != 0) continue;
      std::vector<int> polygon;
      std::size_t exit = first;
      do {
        isDone[exit] = 1;
        std::size_t at = exit, steps = 0;
        do {
          if (++steps > n) return false;
          polygon.push_back(border[at].vertex);
          at = (at + 1) % n;
        } while (isCrossing[at] == 0 || !border[at].isEntry);
        polygon.push_back(border[at].vertex);
        exit = followPolygon(border[at].vertex, isUp, t, border, isCrossing, radius, corners, polygon);
        if (exit == n) return false;
      } while (isDone[exit] == 0);
      const std::size_t count = mesh_.triangles.size();
      addPolygon(polygon, mesh_);
      sources_.resize(sources_.size() + mesh_.triangles.size() - count, source);
      sides_.resize(mesh_.triangles.size(), Side::rest);
    }
    return true;
  }

  /// From an entry along the polygon, clockwise in a triangle that faces up, to the next exit of the
  /// triangle.
  std::size_t followPolygon(int entry, bool isUp, const Triangle& t, const std::vector<Crossing>& border,
                            const std::vector<char>& isCrossing, double radius, std::map<int, int>& corners,
                            std::vector<int>& polygon) {
    const double sense = isUp ? -1 : 1, start = m_.axis.azimuth(vertex(entry));
    const auto turned = [&](double angle) {
      const double forward = std::fmod(sense * (angle - start), kFullTurn);
      return forward < 0 ? forward + kFullTurn : forward;
    };
    std::size_t exit = border.size();
    double least = HUGE_VAL;
    for (std::size_t k = 0; k < border.size(); ++k) {
      if (isCrossing[k] == 0 || border[k].isEntry) continue;
      const double angle = turned(m_.axis.azimuth(vertex(border[k].vertex)));
      if (angle >= least) continue;
      least = angle;
      exit = k;
    }
    std::vector<std::pair<double, int>> between;
    for (int j = 0; j < kWallCorners; ++j)
      if (const double angle = turned(cornerAngle(j)); angle < least) between.emplace_back(angle, j);
    std::sort(between.begin(), between.end());
    for (const auto& [angle, j] : between) polygon.push_back(cornerOf(j, radius, t, corners));
    return exit;
  }

  // --- removal ------------------------------------------------------------------------------------------

  /// The triangles beyond the edges of each triangle; −1: none.
  void findNeighbors() {
    std::map<std::pair<int, int>, std::pair<int, int>> edges;  // triangle, side
    neighbors_.assign(mesh_.triangles.size(), {-1, -1, -1});
    for (std::size_t i = 0; i < mesh_.triangles.size(); ++i) {
      if (sides_[i] == Side::gone) continue;
      for (std::size_t k = 0; k < 3; ++k) {
        const int a = mesh_.triangles[i][k], b = mesh_.triangles[i][(k + 1) % 3];
        if (const auto other = edges.find({b, a}); other != edges.end()) {
          neighbors_[i][k] = other->second.first;
          neighbors_[static_cast<std::size_t>(other->second.first)]
                    [static_cast<std::size_t>(other->second.second)] = static_cast<int>(i);
        }
        edges[{a, b}] = {static_cast<int>(i), static_cast<int>(k)};
      }
    }
  }

  bool isFlank(std::size_t i) const {
    const Triangle& t = mesh_.triangles[i];
    const ThreadModel::Point at = m_.at((vertex(t[0]) + vertex(t[1]) + vertex(t[2])) / 3);
    double distance = 0;
    return at.z > fit_.low + 0.3 * m_.pitch && at.z < fit_.high - 0.3 * m_.pitch &&
           m_.closestFace(at, distance) == ThreadFace::flank && distance < 0.05 * m_.pitch;
  }

  /// Removes what is connected to the flanks up to the cuts; returns a problem or "".
  std::string removeThread() {
    findNeighbors();
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < mesh_.triangles.size(); ++i) {
      const bool isPart = sides_[i] == Side::thread || (sides_[i] == Side::unknown && isFlank(i));
      if (!isPart) continue;
      sides_[i] = Side::thread;
      open.push_back(i);
    }
    while (!open.empty()) {
      const std::size_t i = open.back();
      open.pop_back();
      for (const int next : neighbors_[i]) {
        if (next < 0 || sides_[static_cast<std::size_t>(next)] != Side::unknown) continue;
        sides_[static_cast<std::size_t>(next)] = Side::thread;
        open.push_back(static_cast<std::size_t>(next));
      }
    }
    const double slack = std::max(0.1 * m_.pitch, 10 * fit_.rms);
    const double reach =
        m_.isInternal ? std::max({outerRadius_, mouthRadius(0), mouthRadius(1)}) + slack : outerRadius_;
    for (std::size_t i = 0; i < mesh_.triangles.size(); ++i) {
      if (sides_[i] != Side::thread) continue;
      for (const int v : mesh_.triangles[i])
        if (point(v).r > reach || point(v).z < extent_.low() - slack || point(v).z > extent_.high() + slack)
          return "other faces continue it without an edge across its axis";
    }
    return "";
  }

  // --- closing ------------------------------------------------------------------------------------------

  /// Covers the section of an external thread at each cut.
  bool closeEnds() {
    const std::size_t count = mesh_.triangles.size();
    std::array<int, 2> centers{-1, -1};
    for (std::size_t i = 0; i < count; ++i) {
      if (sides_[i] != Side::rest && sides_[i] != Side::unknown) continue;
      for (std::size_t s = 0; s < 3; ++s) {
        const int other = neighbors_[i][s];
        if (other < 0 || sides_[static_cast<std::size_t>(other)] != Side::thread) continue;
        const int a = mesh_.triangles[i][s], b = mesh_.triangles[i][(s + 1) % 3];
        const std::size_t k =
            std::abs(point(a).z - extent_.low()) < std::abs(point(a).z - extent_.high()) ? 0 : 1;
        if (limit(static_cast<int>(k)).isFace) return false;
        if (centers[k] < 0)
          centers[k] = addVertex(Vector3d(m_.axis.origin + limit(static_cast<int>(k)).height * m_.axis.z));
        const Triangle cap{b, a, centers[k]};
        const Vector3d n = (vertex(a) - vertex(b)).cross(vertex(centers[k]) - vertex(b));
        if (n.dot(m_.axis.z) * (k == 0 ? 1 : -1) < -1e-6 * m_.pitch * m_.pitch) return false;
        addTriangle(cap, ThreadCut::kPlane, Side::rest);
      }
    }
    return true;
  }

  struct RingPoint {
    double angle;
    int vertex;
  };
  using Ring = std::vector<RingPoint>;

  Ring ringOf(const std::vector<int>& loop) const {
    Ring ring;
    for (const int v : loop) ring.push_back({m_.axis.azimuth(vertex(v)), v});
    std::sort(ring.begin(), ring.end(),
              [](const RingPoint& a, const RingPoint& b) { return a.angle < b.angle; });
    return ring;
  }

  Ring circle(double z) {
    std::vector<int> loop;
    for (int k = 0; k < kWallCorners; ++k) loop.push_back(addVertex(corner(cornerRadius_, z, k)));
    return ringOf(loop);
  }

  /// Triangles between two rings: facing inwards where `a` is below `b`, upwards where it is inside.
  void addBetween(const Ring& a, const Ring& b, int source) {
    const auto angle = [](const Ring& ring, std::size_t k) {
      return ring[k % ring.size()].angle + (k >= ring.size() ? kFullTurn : 0);
    };
    const auto at = [](const Ring& ring, std::size_t k) { return ring[k % ring.size()].vertex; };
    std::size_t i = 0, j = 0;
    while (i < a.size() || j < b.size()) {
      const bool alongA =
          j == b.size() || (i < a.size() && angle(a, i) + angle(a, i + 1) <= angle(b, j) + angle(b, j + 1));
      addTriangle({at(a, i), at(b, j), alongA ? at(a, i + 1) : at(b, j + 1)}, source, Side::rest);
      ++(alongA ? i : j);
    }
  }

  /// A ring of the given loop; empty if a gap is wider than two facets.
  Ring closedRing(int k, double widest) const {
    Ring ring = ringOf(loops_[static_cast<std::size_t>(k)]);
    for (std::size_t i = 0; i < ring.size(); ++i) {
      const double next = i + 1 < ring.size() ? ring[i + 1].angle : ring[0].angle + kFullTurn;
      if (next - ring[i].angle > widest) return {};
    }
    return ring;
  }

  /// The wall behind an internal thread, with what leads to it.
  bool closeHole() {
    std::array<Ring, 2> rims, ends;
    for (const int k : {0, 1}) {
      const auto i = static_cast<std::size_t>(k);
      rims[i] = closedRing(k, limit(k).isFace ? 1.01 * kFullTurn / kWallCorners : kFullTurn / 12);
      if (rims[i].size() < 3) return false;
      const bool isPlain = limit(k).isFace && !hasCone(k);
      ends[i] = isPlain ? rims[i] : circle(wallHeight(k));
    }
    if (!(wallHeight(1) > wallHeight(0))) return false;
    const auto leads = [&](int k) { return limit(k).isFace ? ThreadCut::kCone : ThreadCut::kPlane; };
    if (ends[0].front().vertex != rims[0].front().vertex) addBetween(rims[0], ends[0], leads(0));
    addBetween(ends[0], ends[1], ThreadCut::kWall);
    if (ends[1].front().vertex != rims[1].front().vertex) addBetween(ends[1], rims[1], leads(1));
    return true;
  }

  /// Where the wall begins: at the end, or where a countersink meets it.
  double wallHeight(int k) const {
    const ThreadLimit& end = limit(k);
    if (!end.isFace || !hasCone(k)) return end.height;
    const double slope = (end.cone.radius - m_.crestRadius) / end.cone.length;
    return end.height + (k == 0 ? 1 : -1) * (mouthRadius(k) - cornerRadius_) / slope;
  }

  ThreadCut take() {
    ThreadCut cut;
    cut.wallRadius = wallRadius_;
    std::vector<int> index(mesh_.vertices.size(), -1);
    for (std::size_t i = 0; i < mesh_.triangles.size(); ++i) {
      if (sides_[i] == Side::gone) continue;
      if (sides_[i] == Side::thread) {
        cut.removed.push_back(sources_[i]);
        continue;
      }
      Triangle t = mesh_.triangles[i];
      for (int& v : t) {
        int& to = index[static_cast<std::size_t>(v)];
        if (to < 0) {
          to = static_cast<int>(cut.rest.vertices.size());
          cut.rest.vertices.push_back(vertex(v));
        }
        v = to;
      }
      cut.rest.triangles.push_back(t);
      cut.sources.push_back(sources_[i]);
    }
    cut.removed.insert(cut.removed.end(), partly_.begin(), partly_.end());
    std::sort(cut.removed.begin(), cut.removed.end());
    cut.removed.erase(std::unique(cut.removed.begin(), cut.removed.end()), cut.removed.end());
    return cut;
  }

  const Facets& f_;
  const ThreadFit& fit_;
  const ThreadModel& m_;

  ThreadExtent extent_;
  TriangleMesh mesh_;
  std::vector<ThreadModel::Point> points_;  // of the vertices
  std::vector<int> sources_, partly_;       // triangles of the mesh; those cut at a mouth
  std::vector<Side> sides_;
  std::vector<Triangle> neighbors_;
  std::array<std::vector<int>, 2> loops_;  // vertices on the cut at each end
  double outerRadius_ = 0, cornerRadius_ = 0, wallRadius_ = 0;
};

}  // namespace

ThreadCut cutThread(const Facets& facets, const ThreadFit& fit, ThreadExtent& extent, BoreRule rule) {
  ThreadCutter cutter(facets, fit, extent);
  ThreadCut cut = cutter.cut(rule);
  extent = cutter.extent();
  return cut;
}

}  // namespace tenon::content
