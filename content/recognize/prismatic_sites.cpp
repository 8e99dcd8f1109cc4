// See prismatic_sites.h. Each border of each plane is followed once around: the walls that leave it are those
// of an opening, on an inner border or in a notch of the outer one, or of an end.
#include "content/recognize/prismatic_sites.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "content/recognize/chain_shapes.h"
#include "content/recognize/face_borders.h"
#include "content/recognize/opening_bottom.h"
#include "content/recognize/solid_faces.h"

namespace tenon::content {
namespace {

using physics::Surface;
using physics::SurfaceKind;

/// Largest component of a wall's normal along its direction [-].
constexpr double kAlongWall = 1e-4;
/// Least component of the normal of a chamfer or a lead-in along the direction out of the part [-].
constexpr double kLeadIn = 0.05;
/// Rounding of angles between walls [rad].
constexpr double kAngleRounding = 1e-3;
/// Lengths below which points are one, or nothing is left [m].
constexpr double kSamePlace = 1e-6;
/// Parts with more triangles are not searched.
constexpr std::size_t kMaxSearchedTriangles = 200000;

constexpr double kTurnOfWalls = 2 * std::numbers::pi;

/// Largest gap between angles on a circle [rad].
double widestGapOf(std::vector<double> angles) {
  if (angles.empty()) return kTurnOfWalls;
  for (double& a : angles) a = std::remainder(a, kTurnOfWalls);
  std::sort(angles.begin(), angles.end());
  double widest = angles.front() + kTurnOfWalls - angles.back();
  for (std::size_t k = 1; k < angles.size(); ++k) widest = std::max(widest, angles[k] - angles[k - 1]);
  return widest;
}

/// The walls along one direction, and what they enclose.
struct Walls {
  std::set<int> faces;
  Vector3d out = Vector3d::UnitZ();
  double mouth = 0;  ///< along `out` [m]
};

/// Orders sites by kind, side and position, and appends numbers to equal names; those of `named` are taken.
void sortAndNumber(std::vector<PrismaticSite>& sites, const std::vector<AxisFeature>& named) {
  const auto keyOf = [](const PrismaticSite& site) {
    const auto round = [](double v) { return std::llround(v * 1e5); };
    return std::tuple(site.name, round(site.X.p.x()), round(site.X.p.y()), round(site.X.p.z()));
  };
  std::stable_sort(sites.begin(), sites.end(),
                   [&](const PrismaticSite& a, const PrismaticSite& b) { return keyOf(a) < keyOf(b); });
  std::set<std::string> taken;
  for (const AxisFeature& end : named) taken.insert(end.name);
  std::map<std::string, int> count;
  for (PrismaticSite& site : sites) {
    const std::string base = site.name;
    int& number = count[base];
    do {
      if (++number > 1) site.name = fmt::format("{} {}", base, number);
    } while (taken.contains(site.name));
  }
}

/// The corners of a face with the least and the largest coordinate along each axis.
std::array<Vector3d, 6> extremesOf(const SolidFace& face) {
  std::array<Vector3d, 6> extremes;
  extremes.fill(face.cover.front().corners.front());
  for (const FaceTriangle& t : face.cover)
    for (const Vector3d& p : t.corners)
      for (Eigen::Index axis = 0; axis < 3; ++axis) {
        const auto k = static_cast<std::size_t>(axis);
        if (p[axis] < extremes[k][axis]) extremes[k] = p;
        if (p[axis] > extremes[k + 3][axis]) extremes[k + 3] = p;
      }
  return extremes;
}

class PrismFinder {
 public:
  PrismFinder(const physics::BoundarySolid& solid, const std::vector<AxisFeature>& features)
      : solid_(solid), features_(features), faces_(facesOf(solid)), borders_(solid, faces_) {
    for (const SolidFace& face : faces_) extremes_.push_back(extremesOf(face));
  }

  PrismaticSites find() {
    for (std::size_t f = 0; f < faces_.size(); ++f)
      if (isPlane(faces_[f])) searchPlane(static_cast<int>(f));
    sortAndNumber(sites_.sockets, {});
    sortAndNumber(sites_.ends, features_);
    return std::move(sites_);
  }

 private:
  const Vector3d& point(int vertex) const { return solid_.vertices[static_cast<std::size_t>(vertex)]; }
  const SolidFace& face(int f) const { return faces_[static_cast<std::size_t>(f)]; }
  /// False for planes formed of facets without a surface in the file.
  bool isPlane(const SolidFace& face) const {
    return face.surface.kind == SurfaceKind::plane && !solid_.surfaceOf.empty() &&
           solid_.surfaceOf[static_cast<std::size_t>(face.triangles.front())] >= 0;
  }
  Vector3d planeNormal(int f) const { return face(f).surface.side * face(f).surface.X_BS.R.col(2); }

  bool isWall(int f, const Vector3d& out) const {
    const Surface& s = face(f).surface;
    if (s.kind == SurfaceKind::plane) return std::abs(planeNormal(f).dot(out)) < kAlongWall;
    return s.kind == SurfaceKind::cylinder && s.X_BS.R.col(2).cross(out).norm() < kAlongWall;
  }

  /// True for a chamfer around the mouth.
  bool isLeadIn(int f, const Vector3d& out) const {
    const Surface& s = face(f).surface;
    if (s.kind == SurfaceKind::plane)
      return planeNormal(f).dot(out) > kLeadIn && planeNormal(f).dot(out) < 1 - kLeadIn;
    return s.kind == SurfaceKind::cone && s.X_BS.R.col(2).cross(out).norm() < kAlongWall;
  }

  /// The walls beyond these edges of face f, if there is nothing else.
  std::optional<Walls> wallsBeyond(int f, const BorderLoop& edges) const {
    Walls walls;
    walls.out = planeNormal(f);
    walls.mouth = walls.out.dot(point(edges.front().first));
    std::vector<int> open;
    for (const MeshSide& side : edges) open.push_back(borders_.faceBeyond(side));
    std::set<int> leadIns;
    while (!open.empty()) {
      const int next = open.back();
      open.pop_back();
      if (next == f || leadIns.contains(next)) continue;
      if (next < 0) return std::nullopt;
      if (isWall(next, walls.out)) {
        walls.faces.insert(next);
      } else if (isLeadIn(next, walls.out)) {
        leadIns.insert(next);
        addBelow(next, walls.out, open);
      } else {
        return std::nullopt;
      }
    }
    if (walls.faces.empty()) return std::nullopt;
    return walls;
  }

  /// The faces beside a lead-in below its upper edges.
  void addBelow(int leadIn, const Vector3d& out, std::vector<int>& open) const {
    double top = -HUGE_VAL;
    for (const FaceTriangle& t : face(leadIn).cover)
      for (const Vector3d& p : t.corners) top = std::max(top, out.dot(p));
    for (const int t : face(leadIn).triangles)
      for (std::size_t k = 0; k < 3; ++k) {
        const MeshSide side = borders_.sideOf(static_cast<std::size_t>(t), k);
        const double middle = 0.5 * out.dot(point(side.first) + point(side.second));
        if (const int other = borders_.faceBeyond(side); other != leadIn && middle < top - kSamePlace)
          open.push_back(other);
      }
  }

  /// Outward normals of walls, as angles about the direction [rad].
  std::vector<double> anglesOf(const Walls& walls) const {
    const Vector3d x = walls.out.unitOrthogonal(), y = walls.out.cross(x);
    std::vector<double> angles;
    for (const int f : walls.faces)
      for (const Vector3d& n : normalsOf(f)) angles.push_back(std::atan2(n.dot(y), n.dot(x)));
    return angles;
  }

  std::vector<Vector3d> normalsOf(int f) const {
    if (face(f).surface.kind == SurfaceKind::plane) return {planeNormal(f)};
    std::vector<Vector3d> normals;
    const Surface& s = face(f).surface;
    const Vector3d axis = s.X_BS.R.col(2);
    for (const FaceTriangle& t : face(f).cover)
      for (const Vector3d& p : t.corners) {
        const Vector3d from = p - s.X_BS.p;
        normals.push_back(s.side * (from - axis.dot(from) * axis).normalized());
      }
    return normals;
  }

  /// True if the cylinders about one axis among the walls hold a pin, or are one.
  bool isRound(const Walls& walls) const {
    for (const int first : walls.faces) {
      const Surface& s = face(first).surface;
      if (s.kind != SurfaceKind::cylinder) continue;
      Walls same{{}, walls.out, 0};
      for (const int f : walls.faces) {
        const Surface& other = face(f).surface;
        if (other.kind == SurfaceKind::cylinder && std::abs(other.radius - s.radius) < kSamePlace &&
            walls.out.cross(other.X_BS.p - s.X_BS.p).norm() < kSamePlace)
          same.faces.insert(f);
      }
      if (widestGapOf(anglesOf(same)) < std::numbers::pi - kAngleRounding) return true;
    }
    return false;
  }

  void searchPlane(int f) {
    const Vector3d out = planeNormal(f);
    for (const BorderLoop& loop : borders_.bordersOf(f)) {
      if (borders_.areaOf(loop, out) < 0)
        addSocket(f, loop, "socket");
      else
        searchOuter(f, loop);
    }
  }

  void searchOuter(int f, const BorderLoop& loop) {
    addEnd(f, loop);
    for (const BorderLoop& notch : borders_.notchesOf(loop, planeNormal(f))) addSocket(f, notch, "slot");
  }

  void addSocket(int f, const BorderLoop& edges, const char* kind) {
    const auto walls = edges.empty() ? std::nullopt : wallsBeyond(f, edges);
    if (!walls || walls->faces.size() < 3 || isRound(*walls)) return;
    if (widestGapOf(anglesOf(*walls)) > std::numbers::pi + kAngleRounding) return;
    if (isBeyondMouth(*walls)) return;
    PrismaticSite site = siteOf(*walls, edges);
    if (site.depth < kSamePlace) return;
    const OpeningBottom bottom =
        bottomOf(solid_, faces_, borders_, {walls->faces, walls->out, walls->mouth - site.depth});
    site.through = bottom.isOpen;
    if (bottom.floor) site.depth = std::max(site.depth, walls->mouth - *bottom.floor);
    // Through openings are found from both sides.
    Eigen::Index main = 0;
    walls->out.cwiseAbs().maxCoeff(&main);
    if (site.through && walls->out[main] < 0 && opensUpwards(*walls)) return;
    if (!known_.insert({walls->faces, site.through ? 0 : f}).second) return;
    site.name = fmt::format("{} {}", kind, sideName(walls->out));
    sites_.sockets.push_back(std::move(site));
  }

  /// True if a wall goes on beyond the plane of the mouth. Extremes come first: of large faces they save most
  /// of the time.
  bool isBeyondMouth(const Walls& walls) const {
    for (const int f : walls.faces)
      for (const Vector3d& p : extremes_[static_cast<std::size_t>(f)])
        if (walls.out.dot(p) > walls.mouth + kSamePlace) return true;
    return extentOf(walls, walls.out).second > walls.mouth + kSamePlace;
  }

  /// True if all walls end at one height where planes face the other way.
  bool opensUpwards(const Walls& walls) const {
    for (const int w : walls.faces)
      for (const int t : face(w).triangles)
        for (std::size_t k = 0; k < 3; ++k)
          if (const int other = borders_.faceBeyond(borders_.sideOf(static_cast<std::size_t>(t), k));
              other >= 0 && face(other).surface.kind == SurfaceKind::plane &&
              planeNormal(other).dot(walls.out) < -1 + kAlongWall)
            return true;
    return false;
  }

  void addEnd(int f, const BorderLoop& loop) {
    const auto walls = wallsBeyond(f, loop);
    if (!walls || walls->faces.size() < 3 || isRound(*walls) || isBeyondMouth(*walls)) return;
    PrismaticSite site = siteOf(*walls, loop);
    if (!(site.depth > site.width + kSamePlace)) return;
    const bool isNamed = std::any_of(features_.begin(), features_.end(), [&](const AxisFeature& end) {
      return (end.origin - site.X.p).norm() < kSamePlace && end.direction.dot(walls->out) > 0;
    });
    if (isNamed) return;
    site.name = "end " + sideName(walls->out);
    sites_.ends.push_back(std::move(site));
  }

  /// Least and largest coordinate of the walls along a direction [m].
  std::pair<double, double> extentOf(const Walls& walls, const Vector3d& along) const {
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (const int f : walls.faces)
      for (const FaceTriangle& t : face(f).cover)
        for (const Vector3d& p : t.corners) {
          low = std::min(low, along.dot(p));
          high = std::max(high, along.dot(p));
        }
    return {low, high};
  }

  /// Place and sizes: across those of the mouth's edges and walls, along that to which all walls reach.
  PrismaticSite siteOf(const Walls& walls, const BorderLoop& edges) const {
    PrismaticSite site;
    double largest = 0, reached = -HUGE_VAL;
    Vector3d x = walls.out.unitOrthogonal();
    for (const int f : walls.faces) {
      double area = 0, low = HUGE_VAL;
      for (const FaceTriangle& t : face(f).cover) {
        area += (t.corners[1] - t.corners[0]).cross(t.corners[2] - t.corners[0]).norm();
        for (const Vector3d& p : t.corners) low = std::min(low, walls.out.dot(p));
      }
      reached = std::max(reached, low);
      if (face(f).surface.kind != SurfaceKind::plane || area < largest * (1 + 1e-9)) continue;
      largest = area;
      x = planeNormal(f).cross(walls.out).normalized();
    }
    const Vector3d y = walls.out.cross(x);
    const auto [left, right] = sectionOf(walls, edges, x);
    const auto [front, back] = sectionOf(walls, edges, y);
    site.width = std::max(right - left, back - front);
    site.height = std::min(right - left, back - front);
    site.depth = walls.mouth - reached;
    physics::Matrix3d R;
    R << x, y, walls.out;
    site.X.q = physics::Quaterniond(R).normalized();
    site.X.p = 0.5 * (left + right) * x + 0.5 * (front + back) * y + walls.mouth * walls.out;
    return site;
  }

  /// Of the walls where they begin: without what they reach beyond the edges of a notch.
  std::pair<double, double> sectionOf(const Walls& walls, const BorderLoop& edges,
                                      const Vector3d& along) const {
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (const MeshSide& side : edges)
      for (const int v : {side.first, side.second}) {
        low = std::min(low, along.dot(point(v)));
        high = std::max(high, along.dot(point(v)));
      }
    const auto all = extentOf(walls, along);
    return {std::max(low, all.first), std::min(high, all.second)};
  }

  const physics::BoundarySolid& solid_;
  const std::vector<AxisFeature>& features_;
  std::vector<SolidFace> faces_;
  std::vector<std::array<Vector3d, 6>> extremes_;  // by face
  FaceBorders borders_;
  std::set<std::pair<std::set<int>, int>> known_;  // walls and, of blind openings, their mouths
  PrismaticSites sites_;
};

/// Half extents of a cuboid, with or without holes [m]; empty of other shapes.
std::optional<Vector3d> cuboidOf(const physics::Shape& shape) {
  if (const auto* box = std::get_if<physics::Box>(&shape)) return box->halfExtents;
  if (const auto* block = std::get_if<physics::BlockWithHoles>(&shape)) return block->halfExtents;
  return std::nullopt;
}

/// The ends of a cuboid centered in frame S.
PrismaticSites endsOf(const Vector3d& half, const Pose& X_PS) {
  PrismaticSites sites;
  for (Eigen::Index k = 0; k < 3; ++k) {
    const double a = 2 * half[(k + 1) % 3], b = 2 * half[(k + 2) % 3];
    if (!(2 * half[k] > std::max(a, b) + kSamePlace)) continue;
    for (const double side : {-1.0, 1.0}) {
      const Vector3d out = side * Vector3d::Unit(k), x = Vector3d::Unit((k + (a < b ? 2 : 1)) % 3);
      physics::Matrix3d R;
      R << x, out.cross(x), out;
      PrismaticSite end;
      end.X = X_PS * Pose{physics::Quaterniond(R).normalized(), half[k] * out};
      end.width = std::max(a, b);
      end.height = std::min(a, b);
      end.depth = 2 * half[k];
      end.name = "end " + sideName(X_PS.q * out);
      sites.ends.push_back(std::move(end));
    }
  }
  return sites;
}

}  // namespace

double PrismaticSite::diameter() const {
  return std::hypot(width, height);
}

PrismaticSites prismaticSites(const physics::Shape& shape, const std::vector<AxisFeature>& features) {
  if (const auto* solid = std::get_if<physics::BoundarySolid>(&shape)) {
    if (solid->triangles.size() > kMaxSearchedTriangles) return {};
    return PrismFinder(*solid, features).find();
  }
  if (const auto half = cuboidOf(shape)) return endsOf(*half, {});
  const auto* compound = std::get_if<physics::Compound>(&shape);
  if (!compound || compound->children.size() != 1) return {};
  const auto& child = compound->children.front();
  const auto half = cuboidOf(child.shape);
  return half ? endsOf(*half, child.X_PS) : PrismaticSites{};
}

}  // namespace tenon::content
