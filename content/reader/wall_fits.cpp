// See wall_fits.h.
#include "content/reader/wall_fits.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <memory>
#include <numbers>
#include <tuple>
#include <utility>

#include "content/input/wording.h"
#include "content/mesh/position_text.h"
#include "content/model/part_holes.h"
#include "content/parts/display_mesh.h"
#include "content/reader/boundary_of_shape.h"
#include "content/reader/offset_faces.h"
#include "content/recognize/conforming_faces.h"

namespace tenon::content {

namespace {

using physics::BoundarySolid;
using physics::SurfaceKind;

const Goal& requestedGoal(const FitRequest& request, const Scene& scene) {
  return scene.goals[asIndex(request.goal)];
}

/// The part on faces that can be moved; throws if it has none.
BoundarySolid facesOfPart(const FitRequest& request, const Part& part) {
  if (auto solid = boundaryOf(part.shape)) return *std::move(solid);
  request.at.fail(
      fmt::format("is for {}, a shape whose faces cannot be moved: a compound, one with a thread or with "
                  "\"sectors\", a sphere or a capsule",
                  inQuotes(part.name)),
      "draw the clearance, and remove \"fit\"");
}

// --- where the part is at the end of its way -----------------------------------------------------------

/// Directions of planes parallel to `axis` as angles about it [rad], each once; `x`, `y`: across it.
std::vector<double> anglesOfPlanes(const std::vector<SolidFace>& faces, const Pose& X, const Vector3d& x,
                                   const Vector3d& y, double sign) {
  constexpr double kParallel = 1e-5;
  std::vector<double> angles;
  for (const SolidFace& face : faces) {
    if (face.surface.kind != SurfaceKind::plane) continue;
    const Vector3d n = sign * face.surface.side * (X.q * face.surface.X_BS.R.col(2));
    if (std::hypot(x.dot(n), y.dot(n)) < 1 - kParallel) continue;
    const double angle = std::atan2(y.dot(n), x.dot(n));
    if (std::none_of(angles.begin(), angles.end(), [&](double other) {
          return std::abs(std::remainder(angle - other, 2 * std::numbers::pi)) < kParallel;
        }))
      angles.push_back(angle);
  }
  return angles;
}

/// The pose in a socket at the goal's depth: of all in which a plane of the part faces one of the socket,
/// that with the most faces on one another, then the one nearest to the start.
Pose poseInSocket(const BoundarySolid& part, const BoundarySolid& into, const Goal& goal,
                  const Scene& scene) {
  constexpr std::size_t kMaxAngles = 500;
  const AxisFeature& feature = scene.part(goal.part).features[asIndex(goal.feature)];
  const Vector3d out = goal.X_IH.q * Vector3d::UnitZ();
  const Eigen::Quaterniond start = scene.part(goal.into).X_WP.q.conjugate() * scene.part(goal.part).X_WP.q;
  const Eigen::Quaterniond upright =
      (physics::shortestRotation(start * feature.direction, -out) * start).normalized();
  const auto poseAt = [&](double angle) {
    Pose X;
    X.q = (Eigen::Quaterniond(Eigen::AngleAxisd(angle, out)) * upright).normalized();
    X.p = goal.X_IH * Vector3d(0, 0, -goal.depth) - X.q * feature.origin;
    return X;
  };
  const std::vector<SolidFace> intoFaces = facesOf(into), partFaces = facesOf(part);
  const Vector3d x = out.unitOrthogonal(), y = out.cross(x);
  std::vector<double> angles{0};
  for (const double wall : anglesOfPlanes(intoFaces, {}, x, y, -1))
    for (const double own : anglesOfPlanes(partFaces, poseAt(0), x, y, 1)) {
      const double angle = std::remainder(wall - own, 2 * std::numbers::pi);
      const bool isKnown = std::any_of(angles.begin(), angles.end(),
                                       [&](double other) { return std::abs(angle - other) < 1e-9; });
      if (!isKnown && angles.size() < kMaxAngles) angles.push_back(angle);
    }
  std::stable_sort(angles.begin(), angles.end(), [](double a, double b) {
    return std::pair(std::abs(a), -a) < std::pair(std::abs(b), -b);
  });
  double best = 0;
  std::size_t most = 0;
  for (const double angle : angles) {
    const std::size_t count = conformingFaces(intoFaces, partFaces, poseAt(angle), kOnWall).size();
    if (count > most) {
      most = count;
      best = angle;
    }
  }
  return poseAt(best);
}

/// A place of `into` at which a free-form face of the part lies on one of its own, if any [m].
std::optional<Vector3d> freeformContact(const BoundarySolid& part, const BoundarySolid& into,
                                        const Pose& X_IP) {
  constexpr double kOpposite = -0.99;
  const auto isFreeform = [](const MeshFace& face) { return face.surface.kind == SurfaceKind::freeform; };
  const FaceTopology own = topologyOf(part), other = topologyOf(into);
  for (const MeshFace& wall : other.faces) {
    if (!isFreeform(wall)) continue;
    Eigen::AlignedBox3d box;
    for (const int t : wall.triangles)
      for (const int v : into.triangles[asIndex(t)]) box.extend(into.vertices[asIndex(v)]);
    const double margin = 0.1 * box.diagonal().norm();
    box.min().array() -= margin;
    box.max().array() += margin;
    for (const MeshFace& face : own.faces) {
      if (!isFreeform(face)) continue;
      for (const int t : face.triangles) {
        const Vector3d middle = middleOf(part, t), n = face.normalAt(middle);
        const Vector3d p = X_IP * Vector3d(middle - face.distanceOf(middle) * n);
        if (box.contains(p) && std::abs(wall.distanceOf(p)) < kOnWall &&
            wall.normalAt(p).dot(X_IP.q * n) < kOpposite)
          return p;
      }
    }
  }
  return std::nullopt;
}

// --- deviations ----------------------------------------------------------------------------------------

std::string sizeText(const MatingWall& wall) {
  if (wall.kind == FitSize::diameter) return diameterText(0.5 * wall.size);
  return fmt::format("a {} of {:.4g} mm", wall.kind == FitSize::width ? "width" : "size across a wall",
                     1e3 * wall.size);
}

/// Throws for an interference that the materials cannot overcome: planes need a common stiffness, since
/// elastic materials press only cylinders (Lamé).
void checkWall(const FitRequest& request, const Fit& fit, const MatingWall& wall, const Scene& scene) {
  if (wall.kind == FitSize::diameter)
    return checkInterference(request, fit, sizeText(wall), "opening", scene);
  const Goal& goal = requestedGoal(request, scene);
  if (!(fit.clearance() < -kSameSize) ||
      std::isfinite(materialPairOf(scene, scene.part(goal.part), scene.part(goal.into)).stiffness))
    return;
  request.at.fail(
      fmt::format("makes {} on {} {} wider than its opening, and the two materials are rigid there", fit.text,
                  sizeText(wall), smallLengthText(-fit.clearance())),
      "to press it in, give the pair of materials \"stiffness_n_per_m\" (\"youngs_modulus_gpa\" "
      "presses cylinders alone); to slide it in, choose H7/g6 or H7/h6");
}

/// Offsets of faces of one part, by face.
struct PartOffsets {
  struct Entry {
    double by = 0;                     ///< along the outward normal [m]
    const FitRequest* from = nullptr;  ///< the first that required it
  };
  std::map<int, Entry> byFace;
};

class WallMover {
 public:
  explicit WallMover(Scene& scene) : scene_(scene) {}

  void add(const WallFit& wallFit) {
    Goal& goal = scene_.goals[asIndex(wallFit.request.goal)];
    nominal_.emplace(goal.part, wallFit.partFaces);
    nominal_.emplace(goal.into, wallFit.intoFaces);
    std::vector<Fit> fits;
    for (const MatingWall& wall : wallFit.walls) {
      Fit fit;
      if (!wall.isRounding) {
        fit = fitOf(wallFit.request, wall.size, sizeText(wall));
        checkWall(wallFit.request, fit, wall, scene_);
        fit.sizes = {{wall.kind, wall.size, fit.holeDeviation, fit.partDeviation}};
        fits.push_back(fit);
      }
      const double inner = -0.5 * fit.holeDeviation, outer = 0.5 * fit.partDeviation;
      addFaces(wallFit.request, goal.part, wall.part, wall.isPartInner ? inner : outer, wall.place);
      addFaces(wallFit.request, goal.into, wall.into, wall.isPartInner ? outer : inner, wall.place);
    }
    goal.fit = summaryOf(std::move(fits));
  }

  void apply() {
    for (const auto& [index, offsets] : offsets_) move(index, offsets);
  }

 private:
  /// The size with the least clearance, and all sizes.
  static Fit summaryOf(std::vector<Fit> fits) {
    std::stable_sort(fits.begin(), fits.end(), [](const Fit& a, const Fit& b) {
      return std::tuple(a.clearance(), a.sizes.front().kind, a.nominal) <
             std::tuple(b.clearance(), b.sizes.front().kind, b.nominal);
    });
    Fit summary = fits.front();
    for (std::size_t k = 1; k < fits.size(); ++k) {
      const FittedSize& size = fits[k].sizes.front();
      if (std::none_of(summary.sizes.begin(), summary.sizes.end(), [&](const FittedSize& known) {
            return known.kind == size.kind && std::abs(known.nominal - size.nominal) < kSameSize;
          }))
        summary.sizes.push_back(size);
    }
    return summary;
  }

  void addFaces(const FitRequest& request, int part, const std::vector<int>& triangles, double by,
                const Vector3d& place) {
    const FaceTopology& topology = *nominal_.at(part);
    for (const int t : triangles) {
      const auto [entry, isNew] =
          offsets_[part].byFace.emplace(topology.faceOf[asIndex(t)], PartOffsets::Entry{by, &request});
      if (!isNew && std::abs(entry->second.by - by) >= kSameSize)
        request.at.fail(
            fmt::format("gives a wall of {} another deviation than /goals/{}/fit, near {} of {}",
                        inQuotes(scene_.part(part).name), entry->second.from->goal, positionText(place),
                        inQuotes(scene_.part(requestedGoal(request, scene_).into).name)),
            "use the same fit and position in the tolerance in both");
    }
  }

  void move(int index, const PartOffsets& offsets) {
    Part& part = scene_.part(index);
    const FaceTopology& topology = *nominal_.at(index);
    BoundarySolid solid = boundaryOf(part.shape).value();
    std::vector<FaceOffset> moves;
    for (const auto& [face, entry] : offsets.byFace) {
      const MeshFace& nominal = topology.faces[asIndex(face)];
      if (isMovedAlready(index, nominal, solid, entry)) continue;
      moves.push_back({nominal.triangles, entry.by});
    }
    if (std::all_of(moves.begin(), moves.end(), [](const FaceOffset& one) { return one.by == 0; })) return;
    const FitRequest& request = *offsets.byFace.begin()->second.from;
    try {
      offsetFaces(moves, solid);
    } catch (const OffsetProblem& problem) {
      request.at.fail(fmt::format("cannot move the walls of {} near {}: {}", inQuotes(part.name),
                                  positionText(problem.place), problem.problem),
                      "give a \"clearance_um\" nearer 0, or draw the clearance and remove \"fit\"");
    }
    if (!part.displayMesh && !std::holds_alternative<BoundarySolid>(part.shape))
      part.displayMesh = std::make_shared<DisplayMesh>(displayMeshOf(part.shape));
    part.shape = std::move(solid);
  }

  /// True for a cylinder to which a fit of a round hole has given this deviation.
  bool isMovedAlready(int part, const MeshFace& nominal, const BoundarySolid& solid,
                      const PartOffsets::Entry& entry) const {
    if (nominal.index < 0 || nominal.surface.kind != SurfaceKind::cylinder) return false;
    const double change = solid.surfaces[asIndex(nominal.index)].radius - nominal.surface.radius;
    if (change == 0) return false;
    if (std::abs(nominal.surface.side * change - entry.by) >= kSameSize)
      entry.from->at.fail(fmt::format("gives {} a different size than the fit of a round hole",
                                      inQuotes(scene_.part(part).name)),
                          "use the same fit and position in the tolerance in both");
    return true;
  }

  Scene& scene_;
  std::map<int, std::shared_ptr<const FaceTopology>> nominal_;  ///< faces in nominal sizes, by part
  std::map<int, PartOffsets> offsets_;                          ///< by part
};

}  // namespace

WallFit readWallFit(const FitRequest& request, const Scene& scene) {
  const Goal& goal = requestedGoal(request, scene);
  const Part &part = scene.part(goal.part), &into = scene.part(goal.into);
  const BoundarySolid own = facesOfPart(request, part), other = facesOfPart(request, into);
  const Pose X_IP = goal.pose ? goal.pose->X_IP : poseInSocket(own, other, goal, scene);
  const Vector3d along = goal.X_IH.q * -Vector3d::UnitZ();
  WallFit fit{request, matingWalls(own, other, X_IP, along),
              std::make_shared<const FaceTopology>(topologyOf(own)),
              std::make_shared<const FaceTopology>(topologyOf(other))};
  if (const auto place = freeformContact(own, other, X_IP))
    request.at.fail(fmt::format("cannot move the free-form face of {} that lies on one of {} near {}",
                                inQuotes(part.name), inQuotes(into.name), positionText(*place)),
                    "draw the clearance, and remove \"fit\"");
  if (std::all_of(fit.walls.begin(), fit.walls.end(), [](const MatingWall& w) { return w.isRounding; }))
    request.at.fail(
        fmt::format("is for {}, which lies on no wall of {} where the goal is reached", inQuotes(part.name),
                    inQuotes(into.name)),
        fmt::format("draw both in the same nominal size, so that walls along the way lie on one another to "
                    "{}, and check the goal's {}; if the clearance is drawn, remove \"fit\"",
                    smallLengthText(kOnWall), goal.pose ? "\"pose\"" : "\"feature\" and \"hole\""));
  return fit;
}

void applyWallFits(const std::vector<WallFit>& fits, Scene& scene) {
  WallMover mover(scene);
  for (const WallFit& fit : fits) mover.add(fit);
  mover.apply();
}

}  // namespace tenon::content
