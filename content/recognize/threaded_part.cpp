// See threaded_part.h.
#include "content/recognize/threaded_part.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "content/input/wording.h"
#include "content/mesh/mesh_mass.h"
#include "content/mesh/position_text.h"
#include "content/recognize/chain_shapes.h"
#include "content/recognize/hole_profile.h"
#include "physics/collision/geometry/shape.h"

namespace tenon::content {
namespace {

using physics::Pose;
using physics::Thread;

/// Axes of holes and ends that are taken for that of a thread: angle [-] and distance [m].
constexpr double kSameThreadDirection = 2e-3, kSameThreadLine = 5e-5;
/// Gap between a thread and what is left of the part where it was cut, so that they do not overlap [m].
constexpr double kCutGap = 2e-6;
/// Largest distance of vertices from a thread, beside that in tolerances [pitches].
constexpr double kMaxPitchShare = 0.05;
/// Widest facet of a thread [rad], and the most by which one that cuts off an edge of its profile is away
/// from it [-] of its width, [pitches].
constexpr double kWidestThreadFacet = kFullTurn / 15.5, kEdgeShare = 0.3, kMaxEdge = 0.05;
/// Most threads of a mesh.
constexpr std::size_t kMaxThreads = 64;

bool isOnThread(const Pose& X_PT, const Vector3d& point, const Vector3d& direction, double distance) {
  const Vector3d axis = X_PT.q * Vector3d::UnitZ();
  return axis.cross(direction).norm() < kSameThreadDirection && axis.cross(point - X_PT.p).norm() < distance;
}

/// What to do about a thread that is not used.
std::string remedyOf(const RecognizedThread& found) {
  constexpr double kFewestFacets = 16;
  const bool isCoarse = found.facets > 0 && std::round(found.facets) < kFewestFacets;
  return isCoarse ? "export at least 16 facets a turn"
         : found.thread.isInternal
             ? "leave the thread out in CAD and give the hole one with \"holes\", or give this part "
               "\"threads\": \"facets\" if its faces are meant to collide"
             : "leave the thread out in CAD and give it with \"thread\", or give this part \"threads\": "
               "\"facets\" if its faces are meant to collide";
}

/// Faces of a CAD file on cylinders, cones, spheres and tori are no flanks. Planes may be facets of one.
std::vector<char> facesWithoutFlanks(const CadFaces& faces) {
  std::vector<char> marks;
  for (const CadSurface& surface : faces.surfaces) {
    using enum CadSurface::Kind;
    marks.push_back(surface.kind == cylinder || surface.kind == cone || surface.kind == sphere ||
                    surface.kind == torus);
  }
  return marks;
}

class ThreadSearch {
 public:
  ThreadSearch(const Facets& facets, BoreRule rule, const CadFaces* cadFaces) : rule_(rule) {
    found_.rest = *facets.mesh;
    if (cadFaces) found_.restFaces = *cadFaces;
    setFacets();
  }

  void run(const ThreadAxes& list) {
    found_.unsearchedAxes = list.unsearched;
    for (std::size_t k = 0; k < list.axes.size() && !found_.rest.mesh.triangles.empty(); ++k) {
      if (found_.threads.size() >= kMaxThreads) {
        found_.unsearchedAxes += static_cast<int>(list.axes.size() - k);
        return;
      }
      while (findThread(list.axes[k])) continue;
    }
  }

  ThreadsOfMesh take() { return std::move(found_); }

 private:
  /// One more thread on the axis, used or not; false if there is none.
  bool findThread(const Axis& axis) {
    if (found_.threads.size() >= kMaxThreads || found_.rest.mesh.triangles.empty()) return false;
    const std::vector<Helix> helices =
        helicesAbout(*facets_, axis, trianglesWithoutFlanks(axis), hasThread(axis));
    for (auto at = helices.begin(); at != helices.end(); ++at) {
      if (std::any_of(helices.begin(), at, [&](const Helix& other) { return isHarmonic(*at, other); }))
        continue;
      const auto fit = fitThread(*facets_, isFlat_, *at);
      if (!fit || isKnown(*fit)) continue;
      RecognizedThread thread = describe(*fit);
      if (thread.isUsed() && !use(*fit, thread)) thread.turns = fit->turns();
      if (!thread.isUsed() && thread.remedy.empty()) thread.remedy = remedyOf(thread);
      found_.threads.push_back(std::move(thread));
      return true;
    }
    return false;
  }

  /// True if a thread has been found on the axis.
  bool hasThread(const Axis& axis) const {
    return std::any_of(found_.threads.begin(), found_.threads.end(), [&](const RecognizedThread& other) {
      return isOnThread(other.X_PT, axis.origin, axis.z, other.thread.pitch);
    });
  }

  /// True if the helix is the same as a stronger one there with fewer starts: its flanks' higher harmonics.
  static bool isHarmonic(const Helix& helix, const Helix& stronger) {
    return stronger.starts < helix.starts && stronger.isLeftHanded == helix.isLeftHanded &&
           stronger.low < helix.high && helix.low < stronger.high &&
           std::abs(stronger.rise() - helix.rise()) < 0.05 * std::abs(helix.rise());
  }

  /// Marks the triangles of faces in a CAD file that are no flanks, and those at threads on this axis that
  /// are not used: other threads may follow.
  std::vector<char> trianglesWithoutFlanks(const Axis& axis) const {
    std::vector<char> marks = isNoFlank_;
    for (const RecognizedThread& refused : found_.threads) {
      const Thread& t = refused.thread;
      if (refused.isUsed() || !isOnThread(refused.X_PT, axis.origin, axis.z, t.pitch)) continue;
      const physics::Pose X_TP = refused.X_PT.inverse();
      for (int i = 0; i < facets_->count(); ++i) {
        const Vector3d p = X_TP * ((facets_->point(i, 0) + facets_->point(i, 1) + facets_->point(i, 2)) / 3);
        const double r = p.head<2>().norm();
        if (p.z() > t.low - t.pitch && p.z() < t.high + t.pitch && r > t.minorDiameter / 2 - t.pitch &&
            r < t.majorDiameter / 2 + t.pitch)
          marks[static_cast<std::size_t>(i)] = 1;
      }
    }
    return marks;
  }

  void setFacets() {
    facets_.emplace(found_.rest);
    isFlat_ = flatVertices(*facets_);
    isNoFlank_.assign(static_cast<std::size_t>(facets_->count()), 0);
    if (!found_.restFaces) return;
    const std::vector<char> isOther = facesWithoutFlanks(*found_.restFaces);
    for (std::size_t t = 0; t < isNoFlank_.size(); ++t) {
      const auto source = static_cast<std::size_t>(found_.rest.sources[t]);
      isNoFlank_[t] = isOther[static_cast<std::size_t>(found_.restFaces->surfaceOf[source])];
    }
  }

  /// True if a thread about this axis, with this pitch, has been found there; of a fit that has a problem,
  /// and may be rough, if one lies about its middle.
  bool isKnown(const ThreadFit& fit) const {
    const Vector3d middle = fit.model.axis.origin + 0.5 * (fit.low + fit.high) * fit.model.axis.z;
    return std::any_of(found_.threads.begin(), found_.threads.end(), [&](const RecognizedThread& other) {
      const Vector3d p = other.X_PT.inverse() * middle;
      const bool isThere = p.z() > other.thread.low && p.z() < other.thread.high &&
                           std::abs(other.thread.pitch - fit.model.pitch) < 0.05 * fit.model.pitch;
      return isThere && (fit.problem.empty() ? isOnThread(other.X_PT, fit.model.axis.origin, fit.model.axis.z,
                                                          fit.model.pitch)
                                             : p.head<2>().norm() < other.thread.majorDiameter / 2);
    });
  }

  static RecognizedThread describe(const ThreadFit& fit) {
    RecognizedThread thread;
    thread.thread = fit.model.thread(fit.low, fit.high);
    thread.X_PT = poseOf(fit.model.axis);
    thread.turns = fit.turns();
    thread.facets = fit.facets;
    thread.halfAngle = fit.halfAngle;
    thread.rms = fit.rms;
    thread.problem = fit.problem;
    return thread;
  }

  /// Cuts the thread out; false with thread.problem if it is not used.
  bool use(const ThreadFit& fit, RecognizedThread& thread) {
    if (!found_.rest.report.isClosed()) {
      thread.problem = "the surface is not closed";
      thread.remedy = "close it in CAD and export it again";
      return false;
    }
    ThreadExtent extent = threadExtent(*facets_, fit);
    const ThreadCut cut = cutThread(*facets_, fit, extent, found_.restFaces ? BoreRule::vertices : rule_);
    thread.problem = cut.problem;
    if (!thread.isUsed()) return false;
    thread.thread = threadWithEnds(fit.model, extent);
    for (std::size_t k = 0; k < 2; ++k) thread.endsAtFace[k] = extent.limits[k].isFace;
    if (!thread.endsAtFace[0]) thread.thread.low += kCutGap;
    if (!thread.endsAtFace[1]) thread.thread.high -= kCutGap;
    thread.turns = (thread.thread.high - thread.thread.low) / std::abs(thread.thread.lead());
    if (const auto problem = physics::problemWith(thread.thread)) thread.problem = *problem;
    measure(fit.model, extent, cut, thread);
    const double limit =
        std::min(kMaxDeviationRatio * facets_->tolerance, kMaxPitchShare * thread.thread.pitch);
    if (thread.worst > limit)
      thread.problem = fmt::format("its faces deviate from it by up to {} at {}",
                                   smallLengthText(thread.worst), positionText(thread.worstPosition));
    else if (const auto place = crossingFace(fit.model, extent, cut, limit))
      thread.problem = fmt::format("other faces cross the thread at {}", positionText(*place));
    if (!thread.isUsed()) return false;
    RepairedMesh rest;
    if (!cut.rest.triangles.empty()) {
      rest = repairMesh(cut.rest);
      if (!rest.report.isClosed()) thread.problem = "the faces around it do not close the part without it";
      if (!thread.isUsed()) return false;
    }
    if (!hasVolume(fit.model, cut, rest, thread))
      thread.problem = "the part without it does not have the volume that it leaves";
    if (!thread.isUsed()) return false;
    for (const int t : cut.removed) found_.removedArea += facets_->areas[static_cast<std::size_t>(t)];
    if (found_.restFaces) found_.restFaces = facesOf(cut, fit.model, extent);
    found_.rest = std::move(rest);
    if (!cut.rest.triangles.empty()) setFacets();
    return true;
  }

  /// Distances of the given vertices that the thread replaces.
  void measure(const ThreadModel& model, const ThreadExtent& extent, const ThreadCut& cut,
               RecognizedThread& thread) const {
    std::vector<int> vertices;
    for (const int t : cut.removed)
      for (int k = 0; k < 3; ++k) {
        const int v = facets_->vertex(t, k);
        const double z = model.at(facets_->point(t, k)).z;
        const auto isBeyondCut = [&](std::size_t side) {
          const ThreadLimit& limit = extent.limits[side];
          return !limit.isFace && (side == 0 ? z < limit.height : z > limit.height);
        };
        if (isFlat_[static_cast<std::size_t>(v)] == 0 && !isBeyondCut(0) && !isBeyondCut(1))
          vertices.push_back(v);
      }
    std::sort(vertices.begin(), vertices.end());
    vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
    std::vector<double> distances;
    double sum = 0;
    for (const int v : vertices) {
      const Vector3d& p = facets_->mesh->mesh.vertices[static_cast<std::size_t>(v)];
      const double distance = std::abs(distanceFrom(model, extent, p));
      distances.push_back(distance);
      sum += distance * distance;
      if (distance > thread.worst) {
        thread.worst = distance;
        thread.worstPosition = p;
      }
    }
    if (distances.empty()) return;
    thread.rms = std::sqrt(sum / static_cast<double>(distances.size()));
    std::sort(distances.begin(), distances.end());
    thread.p99 = distances[(distances.size() - 1) * 99 / 100];
  }

  /// How far a flat facet of the thread may be inside of it: by its angle about the axis (that of the facet
  /// of which it is a part), and where it cuts off an edge of the profile.
  double sagittaOf(const ThreadModel& model, int t) const {
    const double first = model.axis.azimuth(facets_->point(t, 0));
    double angle = 0, low = HUGE_VAL, high = -HUGE_VAL;
    bool isPart = false;
    std::array<double, 3> angles{};
    for (int k = 0; k < 3; ++k) {
      const Vector3d& p = facets_->point(t, k);
      double& turned = angles[static_cast<std::size_t>(k)];
      turned = std::remainder(model.axis.azimuth(p) - first, kFullTurn);
      const double away = model.at(p).z - model.rise() * turned;
      low = std::min(low, away);
      high = std::max(high, away);
      isPart = isPart || isFlat_[static_cast<std::size_t>(facets_->vertex(t, k))] != 0;
    }
    angle = *std::max_element(angles.begin(), angles.end()) - *std::min_element(angles.begin(), angles.end());
    const double widest = std::min(isPart ? kWidestThreadFacet : angle, kWidestThreadFacet);
    return std::max(model.crestRadius, model.rootRadius) * (1 - std::cos(widest / 2)) +
           std::min(kEdgeShare * (high - low), kMaxEdge * model.pitch);
  }

  /// A place at which a removed face is inside of the thread although its corners are not: that of a bore, a
  /// slot or a flat.
  std::optional<Vector3d> crossingFace(const ThreadModel& model, const ThreadExtent& extent,
                                       const ThreadCut& cut, double limit) const {
    for (const int t : cut.removed) {
      const std::array<Vector3d, 3> p{facets_->point(t, 0), facets_->point(t, 1), facets_->point(t, 2)};
      const std::array<double, 3> z{model.at(p[0]).z, model.at(p[1]).z, model.at(p[2]).z};
      const auto [least, most] = std::minmax_element(z.begin(), z.end());
      const bool isAtCut = (!extent.limits[0].isFace && *least < extent.low()) ||
                           (!extent.limits[1].isFace && *most > extent.high());
      // A run-out is beyond the cut, and its facets cross it.
      if (isAtCut && *most - *least < model.pitch) continue;
      const double room = limit + sagittaOf(model, t);
      for (const Vector3d& at : {Vector3d((p[0] + p[1] + p[2]) / 3), Vector3d((p[0] + p[1]) / 2),
                                 Vector3d((p[1] + p[2]) / 2), Vector3d((p[2] + p[0]) / 2)}) {
        const double height = model.at(at).z;
        if ((!extent.limits[0].isFace && height < extent.low()) ||
            (!extent.limits[1].isFace && height > extent.high()))
          continue;
        if (std::abs(distanceFrom(model, extent, at)) > room) return at;
      }
    }
    return std::nullopt;
  }

  /// True if the part is as much smaller without the thread as the thread is large, but for the tolerance of
  /// its surface and what its facets cut off.
  bool hasVolume(const ThreadModel& model, const ThreadCut& cut, const RepairedMesh& rest,
                 const RecognizedThread& thread) const {
    const double left = cut.rest.triangles.empty() ? 0 : volumeOf(rest.mesh);
    const double removed = volumeOf(found_.rest.mesh) - left;
    const double own = physics::massProperties(physics::threadedSolid(thread.thread), 1).mass;
    double allowed = 0;
    for (const int t : cut.removed)
      allowed +=
          facets_->areas[static_cast<std::size_t>(t)] * 0.5 * (facets_->tolerance + sagittaOf(model, t));
    return std::abs(removed - own) < allowed;
  }

  /// The surfaces of the CAD file for what is left, with planes, cylinders and cones of the cut.
  CadFaces facesOf(const ThreadCut& cut, const ThreadModel& model, const ThreadExtent& extent) const {
    const CadFaces& given = *found_.restFaces;
    CadFaces faces;
    faces.surfaces = given.surfaces;
    faces.low = given.low;
    faces.high = given.high;
    // What is left of the thread's own faces, such as its run-out, collides as facets.
    for (const int t : cut.removed) {
      const int original = found_.rest.sources[static_cast<std::size_t>(t)];
      CadSurface& own =
          faces.surfaces[static_cast<std::size_t>(given.surfaceOf[static_cast<std::size_t>(original)])];
      if (!own.freeform && own.kind != CadSurface::Kind::revolved) continue;
      own.kind = CadSurface::Kind::other;
      own.freeform = nullptr;
    }
    const int first = static_cast<int>(faces.surfaces.size());
    CadSurface surface;
    surface.axis = model.axis.z;
    for (const ThreadLimit& limit : extent.limits) {
      surface.kind = CadSurface::Kind::plane;
      surface.origin = model.axis.origin + limit.height * model.axis.z;
      faces.surfaces.push_back(surface);
    }
    surface.kind = CadSurface::Kind::cylinder;
    surface.radius = cut.wallRadius;
    faces.surfaces.push_back(surface);
    faces.surfaces.push_back({});  // of the cones: their triangles
    std::vector<int> restOf(given.surfaceOf.size(), -1);
    for (std::size_t i = 0; i < cut.sources.size(); ++i) {
      const int source = cut.sources[i];
      if (source >= 0) {
        const int original = found_.rest.sources[static_cast<std::size_t>(source)];
        faces.surfaceOf.push_back(given.surfaceOf[static_cast<std::size_t>(original)]);
        restOf[static_cast<std::size_t>(original)] = static_cast<int>(i);
        continue;
      }
      const Vector3d& p = cut.rest.vertices[static_cast<std::size_t>(cut.rest.triangles[i][0])];
      const double z = model.at(p).z;
      const bool isUpper = std::abs(z - extent.high()) < std::abs(z - extent.low());
      faces.surfaceOf.push_back(first + (source == ThreadCut::kPlane  ? (isUpper ? 1 : 0)
                                         : source == ThreadCut::kWall ? 2
                                                                      : 3));
    }
    // Parts of one triangle may be gone, and its points with them.
    for (const int t : cut.removed)
      restOf[static_cast<std::size_t>(found_.rest.sources[static_cast<std::size_t>(t)])] = -1;
    for (SurfacePoint point : given.points) {
      point.triangle = restOf[static_cast<std::size_t>(point.triangle)];
      if (point.triangle >= 0) faces.points.push_back(point);
    }
    return faces;
  }

  BoreRule rule_;
  ThreadsOfMesh found_;
  std::optional<Facets> facets_;
  std::vector<char> isFlat_;
  std::vector<char> isNoFlank_;  ///< by triangle
};

// --- names -----------------------------------------------------------------------------------------------

/// Of an external thread: the ends of the part on its axis lie exactly on it; its own ends have names, and
/// not the faces at which the rest of the part was cut.
void useAxisForEnds(const RecognizedThread& found, RecognizedPart& part) {
  const Vector3d axis = found.X_PT.q * Vector3d::UnitZ();
  const auto along = [&](const Vector3d& p) { return axis.dot(p - found.X_PT.p); };
  std::erase_if(part.features, [&](const AxisFeature& end) {
    if (!isOnThread(found.X_PT, end.origin, end.direction, kSameThreadLine)) return false;
    const bool isUp = end.direction.dot(axis) > 0;
    return std::abs(along(end.origin) - (isUp ? found.thread.low : found.thread.high)) < kSameThreadLine;
  });
  for (AxisFeature& end : part.features) {
    if (!isOnThread(found.X_PT, end.origin, end.direction, kSameThreadLine)) continue;
    end.origin = found.X_PT * Vector3d(0, 0, along(end.origin));
    end.direction = end.direction.dot(axis) > 0 ? axis : Vector3d(-axis);
  }
}

/// Names the ends of an external thread at which the part ends.
void nameEnds(const RecognizedThread& found, RecognizedPart& part) {
  const Vector3d axis = found.X_PT.q * Vector3d::UnitZ();
  for (const bool upper : {false, true}) {
    const Vector3d out = upper ? axis : Vector3d(-axis);
    const Vector3d tip = found.X_PT * Vector3d(0, 0, upper ? found.thread.high : found.thread.low);
    if (!found.endsAtFace[upper ? 1 : 0]) continue;
    part.features.push_back({uniqueName("end " + sideName(out), part.features), tip, out});
  }
}

/// Wall of the hole of an internal thread, from its upper or lower end down: as physics::Cavity.
std::vector<Eigen::Vector2d> wallOf(const RecognizedThread& found, bool upper) {
  const Thread& t = found.thread;
  const double root = t.majorDiameter / 2, crest = t.minorDiameter / 2, depth = t.high - t.low;
  std::vector<Eigen::Vector2d> wall{{0, root}, {-depth, root}};
  const auto countersink = [&](const physics::ThreadEnd& cone) {  // length down to the roots
    const bool isWider = cone.length > 0 && cone.radius > root + physics::kProfileTolerance;
    return isWider ? cone.length * (cone.radius - root) / (cone.radius - crest) : 0;
  };
  const physics::ThreadEnd &first = t.ends[upper ? 1 : 0], &last = t.ends[upper ? 0 : 1];
  if (const double length = countersink(last); length > 0) {
    wall.back().x() += length;
    wall.emplace_back(-depth, last.radius);
  }
  if (const double length = countersink(first); length > 0) {
    wall.front().x() -= length;
    wall.insert(wall.begin(), {0, first.radius});
  }
  return wall;
}

/// Heights at which the axis of a thread meets faces: the nearest below and above its middle; infinite: none.
std::array<double, 2> facesOnAxis(const RecognizedThread& found, const physics::BoundarySolid& solid) {
  constexpr double kOnEdge = -1e-9;
  const physics::Pose X_TP = found.X_PT.inverse();
  const double middle = 0.5 * (found.thread.low + found.thread.high);
  std::array<double, 2> heights{-HUGE_VAL, HUGE_VAL};
  for (const auto& t : solid.triangles) {
    std::array<Vector3d, 3> p;
    for (std::size_t k = 0; k < 3; ++k) p[k] = X_TP * solid.vertices[static_cast<std::size_t>(t[k])];
    const auto cross = [](const Vector3d& a, const Vector3d& b) { return a.x() * b.y() - a.y() * b.x(); };
    const double whole = cross(p[1] - p[0], p[2] - p[0]);
    if (whole == 0) continue;
    const double a = cross(p[1], p[2]) / whole, b = cross(p[2], p[0]) / whole, c = 1 - a - b;
    if (std::min({a, b, c}) < kOnEdge) continue;
    const double z = a * p[0].z() + b * p[1].z() + c * p[2].z();
    if (z < middle) heights[0] = std::max(heights[0], z);
    if (z > middle) heights[1] = std::min(heights[1], z);
  }
  return heights;
}

/// The profile of a hole on the axis of a thread.
struct ProfilePiece {
  std::string name;                     ///< "" if it opens to the other side
  std::vector<Eigen::Vector2d> points;  ///< (z, r) from the open side down, from the end of the thread
};

/// The hole of an internal thread: from the side to which its axis is free, as deep as the axis is, with the
/// profile of what was recognized on this axis (a counterbore, the wall behind the thread, a pilot) and the
/// thread in place of its wall.
class HoleOfThread {
 public:
  HoleOfThread(const RecognizedThread& found, physics::BoundarySolid& solid)
      : found_(found), solid_(solid), axis_(found.X_PT.q * Vector3d::UnitZ()) {
    const auto [floor, ceiling] = facesOnAxis(found, solid);
    isOpen_ = {std::isinf(floor), std::isinf(ceiling)};
    int main = 0;
    axis_.cwiseAbs().maxCoeff(&main);
    isUpper_ = isOpen_[0] && isOpen_[1] ? axis_[main] > 0 : isOpen_[1];
    floor_ = isUpper_ ? floor - found.thread.high : found.thread.low - ceiling;
  }

  void add() {
    if (!isOpen_[0] && !isOpen_[1]) return;  // a cavity
    takePieces();
    const Vector3d out = isUpper_ ? axis_ : Vector3d(-axis_);
    std::vector<Eigen::Vector2d> profile = joined();
    const bool isThrough = isOpen_[0] && isOpen_[1];
    if (!isThrough) addFloor(profile);
    const double mouth = profile.front().x();
    for (Eigen::Vector2d& p : profile) p.x() -= mouth;
    physics::Cavity hole;
    for (const ProfilePiece& piece : pieces_) {  // the first in the order of their numbers
      const bool isFirst = std::pair(piece.name.size(), piece.name) < std::pair(hole.name.size(), hole.name);
      if (!piece.name.empty() && (hole.name.empty() || isFirst)) hole.name = piece.name;
    }
    if (hole.name.empty()) hole.name = uniqueName("hole " + sideName(out), solid_.holes);
    const Thread& t = found_.thread;
    hole.X_BH = {physics::shortestRotation(Vector3d::UnitZ(), out),
                 found_.X_PT * Vector3d(0, 0, isUpper_ ? t.high + mouth : t.low - mouth)};
    hole.profile = std::move(profile);
    hole.through = isThrough;
    solid_.holes.push_back(std::move(hole));
  }

 private:
  static constexpr double kSameHeight = 20e-6, kSameRadius = 50e-6;
  std::size_t nearEnd() const { return isUpper_ ? 1 : 0; }

  /// Removes the holes on this axis, between the faces that it meets.
  void takePieces() {
    const Thread& t = found_.thread;
    std::erase_if(solid_.holes, [&](const physics::Cavity& hole) {
      const Vector3d out = hole.X_BH.q * Vector3d::UnitZ();
      if (!isOnThread(found_.X_PT, hole.X_BH.p, out, kSameThreadLine)) return false;
      const bool isSame = (out.dot(axis_) > 0) == isUpper_;
      const double mouth = axis_.dot(hole.X_BH.p - found_.X_PT.p);
      const double from = isUpper_ ? mouth - t.high : t.low - mouth;
      ProfilePiece piece;
      if (isSame) piece.name = hole.name;
      for (const Eigen::Vector2d& p : hole.profile)
        piece.points.emplace_back(from + (isSame ? p.x() : -p.x()), p.y());
      if (!isSame) std::reverse(piece.points.begin(), piece.points.end());
      const double lowest = std::min(piece.points.front().x(), piece.points.back().x());
      if (lowest < floor_ - kSameHeight) return false;  // beyond the floor
      std::erase_if(piece.points, [&](const Eigen::Vector2d& p) {
        return p.y() == 0 && std::abs(p.x() - floor_) > kSameHeight;
      });
      if (!piece.points.empty()) pieces_.push_back(std::move(piece));
      return true;
    });
    std::stable_sort(pieces_.begin(), pieces_.end(), [](const ProfilePiece& a, const ProfilePiece& b) {
      return a.points.front().x() > b.points.front().x();
    });
  }

  /// True for points on the wall behind the thread and its countersinks.
  bool isReplaced(const Eigen::Vector2d& p) const {
    const Thread& t = found_.thread;
    const double bottom = t.low - t.high;
    if (p.x() > kSameHeight || p.x() < bottom - kSameHeight) return false;
    const bool isTop = p.x() > -kSameHeight;
    if (!isTop && p.x() > bottom + kSameHeight) return true;
    const physics::ThreadEnd& cone = t.ends[isTop ? nearEnd() : 1 - nearEnd()];
    const double slack = kSameRadius + 6 * found_.rms;
    return std::abs(p.y() - t.majorDiameter / 2) < slack ||
           (cone.length > 0 && std::abs(p.y() - cone.radius) < slack);
  }

  std::vector<Eigen::Vector2d> joined() const {
    std::vector<Eigen::Vector2d> profile, below;
    for (const ProfilePiece& piece : pieces_)
      for (const Eigen::Vector2d& p : piece.points)
        if (!isReplaced(p)) (p.x() > -kSameHeight ? profile : below).push_back(p);
    const auto append = [&](Eigen::Vector2d p) {
      if (!profile.empty()) p.x() = std::min(p.x(), profile.back().x());
      if (profile.empty() || (p - profile.back()).norm() > physics::kProfileTolerance) profile.push_back(p);
    };
    for (const Eigen::Vector2d& p : wallOf(found_, isUpper_)) append(p);
    for (const Eigen::Vector2d& p : below) append(p);
    return profile;
  }

  /// What goes on below the thread, where nothing was recognized, is as wide as its crests.
  void addFloor(std::vector<Eigen::Vector2d>& profile) const {
    if (profile.back().y() == 0) return;
    const Thread& t = found_.thread;
    if (profile.back().x() > floor_ + kMinWall) {
      const double radius = std::min(profile.back().y(), t.minorDiameter / 2);
      if (profile.back().y() > radius) profile.emplace_back(profile.back().x(), radius);
      profile.emplace_back(floor_, radius);
    }
    profile.emplace_back(profile.back().x(), 0);
  }

  const RecognizedThread& found_;
  physics::BoundarySolid& solid_;
  Vector3d axis_;
  std::array<bool, 2> isOpen_{};  ///< the axis below and above
  bool isUpper_ = false;          ///< the hole opens along +z of the thread
  double floor_ = 0;              ///< from the end of the thread towards the mouth [m]
  std::vector<ProfilePiece> pieces_;
};

}  // namespace

bool ThreadsOfMesh::areUsed() const {
  return std::any_of(threads.begin(), threads.end(), [](const RecognizedThread& t) { return t.isUsed(); });
}

ThreadsOfMesh threadsOfMesh(const Facets& facets, const std::vector<Region>& regions,
                            const std::vector<RevolvedGroup>& groups, BoreRule rule,
                            const CadFaces* cadFaces) {
  ThreadSearch search(facets, rule, cadFaces);
  search.run(threadAxes(facets, regions, groups));
  return search.take();
}

void addThreads(const ThreadsOfMesh& found, RecognizedPart& part) {
  physics::Compound compound;
  if (auto* solid = std::get_if<physics::BoundarySolid>(&part.shape)) {
    for (const RecognizedThread& thread : found.threads)
      if (thread.isUsed() && thread.thread.isInternal) HoleOfThread(thread, *solid).add();
    compound.children.push_back({std::move(*solid), Pose()});
  }
  for (const RecognizedThread& thread : found.threads)
    if (thread.isUsed() && !thread.thread.isInternal) useAxisForEnds(thread, part);
  for (const RecognizedThread& thread : found.threads) {
    if (!thread.isUsed()) continue;
    if (!thread.thread.isInternal) nameEnds(thread, part);
    physics::SolidOfRevolution solid = physics::threadedSolid(thread.thread);
    solid.hole.clear();
    compound.children.push_back({std::move(solid), thread.X_PT});
  }
  part.shape = std::move(compound);
  part.threads = found.threads;
}

}  // namespace tenon::content
