// The deviations of walls and the motion of their faces; see wall_fits.h.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "content/input/wording.h"
#include "content/mesh/position_text.h"
#include "content/model/part_holes.h"
#include "content/parts/display_mesh.h"
#include "content/reader/boundary_of_shape.h"
#include "content/reader/offset_faces.h"
#include "content/reader/wall_fits.h"

namespace tenon::content {

namespace {

using physics::BoundarySolid;
using physics::SurfaceKind;

std::string sizeText(const MatingWall& wall) {
  if (wall.kind == FitSize::diameter) return diameterText(0.5 * wall.size);
  if (wall.size == 0) return "one plane";
  return fmt::format("{} of {:.4g} mm", wall.kind == FitSize::width ? "a width" : "an extent across a wall",
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

/// A set of walls, each a part and one of its faces, that are joined step by step.
class JoinedWalls {
 public:
  using Wall = std::pair<int, int>;  ///< part, and index of the face

  void join(const Wall& a, const Wall& b) {
    const Wall p = rootOf(a), q = rootOf(b);
    parent_[std::max(p, q)] = std::min(p, q);
  }
  /// The least of the walls that are joined with it.
  Wall rootOf(Wall wall) {
    for (;;) {
      const Wall next = parent_.emplace(wall, wall).first->second;
      if (next == wall) return wall;
      wall = next;
    }
  }

 private:
  std::map<Wall, Wall> parent_;
};

/// What the fits of walls require of one face.
struct WallOffset {
  std::optional<double> by;          ///< along the outward normal [m]; empty: a rounding
  const FitRequest* from = nullptr;  ///< the first that required it
  std::string text;                  ///< "H7/g6, mid on a width of 10 mm"
};

class WallMover {
 public:
  WallMover(const std::vector<WallFit>& fits, const std::vector<RoundDeviation>& rounds, Scene& scene)
      : fits_(fits), rounds_(rounds), scene_(scene) {}

  void apply() {
    for (const WallFit& fit : fits_) join(fit);
    for (const WallFit& fit : fits_) setOffsets(fit);
    for (const auto& [index, offsets] : offsets_) move(index, offsets);
  }

 private:
  using Wall = JoinedWalls::Wall;

  const MeshFace& faceOf(const Wall& wall) const {
    return nominal_.at(wall.first)->faces[asIndex(wall.second)];
  }
  std::vector<Wall> wallsOf(int part, const std::vector<int>& triangles) const {
    const FaceTopology& topology = *nominal_.at(part);
    std::vector<Wall> walls;
    for (const int t : triangles) walls.emplace_back(part, topology.faceOf[asIndex(t)]);
    walls.erase(std::unique(walls.begin(), walls.end()), walls.end());
    return walls;
  }

  /// Walls that lie on one another in any goal have one nominal size, the smallest. Walls of one part in one
  /// goal have one random position in the tolerance.
  void join(const WallFit& fit) {
    const Goal& goal = requestedGoal(fit.request, scene_);
    nominal_.emplace(goal.part, fit.partFaces);
    nominal_.emplace(goal.into, fit.intoFaces);
    inserted_.insert(goal.part);
    for (const int part : {goal.part, goal.into}) {
      if (!solids_.contains(part)) solids_.emplace(part, boundaryOf(scene_.part(part).shape).value());
      std::optional<Wall> first;
      for (const MatingWall& wall : fit.walls)
        for (const Wall& one : wallsOf(part, part == goal.part ? wall.part : wall.into)) {
          if (!first) first = one;
          sites_.join(*first, one);
        }
    }
    for (const MatingWall& wall : fit.walls) {
      if (wall.isRounding) continue;
      const Wall first = wallsOf(goal.part, wall.part).front();
      for (const auto& [part, triangles] :
           {std::pair(goal.part, &wall.part), std::pair(goal.into, &wall.into)})
        for (const Wall& one : wallsOf(part, *triangles)) joined_.join(first, one);
    }
    for (const MatingWall& wall : fit.walls)
      if (!wall.isRounding && wall.size > 0)
        sizes_.emplace_back(wallsOf(goal.part, wall.part).front(), wall.size);
  }

  double nominalOf(const Wall& wall) {
    const Wall root = joined_.rootOf(wall);
    double least = HUGE_VAL;
    for (const auto& [other, size] : sizes_)
      if (joined_.rootOf(other) == root) least = std::min(least, size);
    return std::isfinite(least) ? least : 0;
  }

  /// Random position in the tolerance of a part's walls: that of its round hole or shaft, if they are one.
  double randomOfWall(int seed, const Wall& wall, bool isInner) {
    const int part = wall.first;
    if (isInner) {
      const std::vector<HoleSite> holes = holesOf(scene_.part(part));
      for (std::size_t h = 0; h < holes.size(); ++h)
        if (isOfHole(holes[h], wall)) return randomOfHole(seed, part, h);
    } else if (inserted_.contains(part) || roundOf(wall) != nullptr) {
      return randomOfPart(seed, part);
    }
    return randomOfFace(seed, part, sites_.rootOf(wall).second);
  }

  void setOffsets(const WallFit& wallFit) {
    Goal& goal = scene_.goals[asIndex(wallFit.request.goal)];
    std::vector<Fit> fits;
    for (const MatingWall& wall : wallFit.walls) {
      const std::vector<Wall> own = wallsOf(goal.part, wall.part), other = wallsOf(goal.into, wall.into);
      WallOffset inner{std::nullopt, &wallFit.request, ""}, outer = inner;
      if (!wall.isRounding) {
        const Wall &opening = wall.isPartInner ? own.front() : other.front(),
                   &shaft = wall.isPartInner ? other.front() : own.front();
        fits.push_back(fitOfWall(wallFit.request, wall, nominalOf(own.front()), opening, shaft));
        const Fit& fit = fits.back();
        inner.by = -0.5 * fit.holeDeviation;
        outer.by = 0.5 * fit.partDeviation;
        inner.text = outer.text = fit.text + " on " + sizeText(wall);
      }
      for (const Wall& one : own) add(one, wall.isPartInner ? inner : outer, wall.place);
      for (const Wall& one : other) add(one, wall.isPartInner ? outer : inner, wall.place);
    }
    goal.fit = summaryOf(std::move(fits));
  }

  Fit fitOfWall(FitRequest request, const MatingWall& wall, double nominal, const Wall& opening,
                const Wall& shaft) {
    if (nominal == 0 && !request.text.empty())
      request.at.fail(
          fmt::format("is {}, and {} touches {} on one plane only near {}, which is no size", request.text,
                      inQuotes(scene_.part(requestedGoal(request, scene_).part).name),
                      inQuotes(scene_.part(requestedGoal(request, scene_).into).name),
                      positionText(wall.place)),
          "draw the opposite walls in nominal size, too, or give \"clearance_um\"");
    if (request.seed) {
      request.hole = randomOfWall(*request.seed, opening, true);
      request.part = randomOfWall(*request.seed, shaft, false);
    }
    Fit fit = fitOf(request, nominal, sizeText(wall));
    checkWall(request, fit, wall, scene_);
    fit.nominal = wall.size > 0 ? wall.size : nominal;
    fit.sizes = {{wall.kind, fit.nominal, fit.holeDeviation, fit.partDeviation}};
    return fit;
  }

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

  /// `place`: on the wall, in the frame of the goal's `into` [m].
  void add(const Wall& wall, const WallOffset& offset, const Vector3d& place) {
    const auto [entry, isNew] = offsets_[wall.first].emplace(wall.second, offset);
    WallOffset& known = entry->second;
    if (!isNew && known.by && offset.by && std::abs(*known.by - *offset.by) >= kSameSize)
      offset.from->at.fail(
          fmt::format("gives a wall of {} another deviation than /goals/{}/fit, near {} of {}: {} for {}, "
                      "not {} for {}",
                      inQuotes(scene_.part(wall.first).name), known.from->goal, positionText(place),
                      inQuotes(scene_.part(requestedGoal(*offset.from, scene_).into).name),
                      offsetText(*offset.by), offset.text, offsetText(*known.by), known.text),
          "use the same fit and position in the tolerance in both, or \"clearance_um\"");
    if (!known.by) known = offset;
  }

  static std::string offsetText(double by) { return by == 0 ? "0 µm" : fmt::format("{:+.4g} µm", 1e6 * by); }

  void move(int index, const std::map<int, WallOffset>& offsets) {
    Part& part = scene_.part(index);
    std::vector<FaceOffset> moves;
    for (const auto& [face, offset] : offsets)
      if (!isMovedAlready({index, face}, offset))
        moves.push_back({faceOf({index, face}).triangles, offset.by.value_or(0)});
    if (std::all_of(moves.begin(), moves.end(), [](const FaceOffset& one) { return one.by == 0; })) return;
    BoundarySolid& solid = solids_.at(index);
    try {
      offsetFaces(moves, solid);
    } catch (const OffsetProblem& problem) {
      nearestTo(problem.place, index, offsets, solid)
          .at.fail(fmt::format("cannot move the walls of {} near {}: {}", inQuotes(part.name),
                               positionText(problem.place), problem.problem),
                   "give a \"clearance_um\" nearer 0, or draw the clearance and remove \"fit\"");
    }
    if (!part.displayMesh && !std::holds_alternative<BoundarySolid>(part.shape))
      part.displayMesh = std::make_shared<DisplayMesh>(displayMeshOf(part.shape));
    part.shape = std::move(solid);
  }

  /// The request for the moved face with the nearest vertex or middle of a triangle.
  const FitRequest& nearestTo(const Vector3d& place, int index, const std::map<int, WallOffset>& offsets,
                              const BoundarySolid& solid) const {
    const FitRequest* nearest = offsets.begin()->second.from;
    double least = HUGE_VAL;
    for (const auto& [face, offset] : offsets) {
      if (offset.by.value_or(0) == 0) continue;
      for (const int t : faceOf({index, face}).triangles) {
        double distance = (middleOf(solid, t) - place).norm();
        for (const int v : solid.triangles[asIndex(t)])
          distance = std::min(distance, (solid.vertices[asIndex(v)] - place).norm());
        if (!(distance < least)) continue;
        least = distance;
        nearest = offset.from;
      }
    }
    return *nearest;
  }

  /// True for a cylindrical wall of a round hole.
  bool isOfHole(const HoleSite& hole, const Wall& wall) const {
    constexpr double kSameAxis = 1e-9;  // [m] and [-]
    const MeshFace& face = faceOf(wall);
    const physics::Surface& s = face.surface;
    if (s.kind != SurfaceKind::cylinder || s.side > 0 || !hole.isRound) return false;
    const Vector3d axis = hole.X_PH.q * Vector3d::UnitZ();
    const double depth = -axis.dot(middleOf(solids_.at(wall.first), face.triangles.front()) - hole.X_PH.p);
    return axis.cross(s.X_BS.R.col(2)).norm() <= kSameAxis &&
           axis.cross(s.X_BS.p - hole.X_PH.p).norm() <= kSameAxis && depth >= 0 && depth <= hole.depth();
  }

  /// The fit on a round hole that has changed this cylinder, if any.
  const RoundDeviation* roundOf(const Wall& wall) const {
    const physics::Surface& s = faceOf(wall).surface;
    if (s.kind != SurfaceKind::cylinder) return nullptr;
    for (const RoundDeviation& round : rounds_) {
      if (round.part != wall.first || std::abs(round.radius - s.radius) >= kSameSize) continue;
      if (round.hole.empty() ? s.side > 0 : isOfHole(holeNamed(round), wall)) return &round;
    }
    return nullptr;
  }
  HoleSite holeNamed(const RoundDeviation& round) const {
    const std::vector<HoleSite> holes = holesOf(scene_.part(round.part));
    return *std::find_if(holes.begin(), holes.end(),
                         [&](const HoleSite& site) { return site.name == round.hole; });
  }

  /// True for a cylinder to which a fit of a round hole has given this deviation, which may be 0.
  bool isMovedAlready(const Wall& wall, const WallOffset& offset) const {
    const RoundDeviation* round = roundOf(wall);
    if (round == nullptr) return false;
    const double by = faceOf(wall).surface.side * 0.5 * round->deviation;
    if (offset.by && std::abs(*offset.by - by) >= kSameSize)
      offset.from->at.fail(
          fmt::format("gives {}{} a different size than /goals/{}/fit: {} on its radius for {}, not {}",
                      round->hole.empty() ? "" : "hole " + inQuotes(round->hole) + " of ",
                      inQuotes(scene_.part(wall.first).name), round->goal,
                      offsetText(faceOf(wall).surface.side * *offset.by), offset.text,
                      offsetText(0.5 * round->deviation)),
          "use the same fit and position in the tolerance in both");
    return true;
  }

  const std::vector<WallFit>& fits_;
  const std::vector<RoundDeviation>& rounds_;
  Scene& scene_;
  std::map<int, std::shared_ptr<const FaceTopology>> nominal_;  ///< faces in nominal sizes, by part
  std::map<int, BoundarySolid> solids_;                         ///< after fits of round holes, by part
  std::set<int> inserted_;                                      ///< parts of the goals
  JoinedWalls joined_;                                          ///< those that lie on one another
  JoinedWalls sites_;                                           ///< those of one part in one goal
  std::vector<std::pair<Wall, double>> sizes_;                  ///< of walls in each goal [m]
  std::map<int, std::map<int, WallOffset>> offsets_;            ///< by part and face
};

}  // namespace

void applyWallFits(const std::vector<WallFit>& fits, const std::vector<RoundDeviation>& rounds,
                   Scene& scene) {
  WallMover(fits, rounds, scene).apply();
}

}  // namespace tenon::content
