// See wall_fits.h.
#include "content/reader/wall_fits.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include "content/input/wording.h"
#include "content/mesh/position_text.h"
#include "content/reader/boundary_of_shape.h"
#include "content/reader/socket_rotation.h"

namespace tenon::content {

namespace {

using physics::BoundarySolid;
using physics::SurfaceKind;

/// The part on faces that can be moved; throws if it has none.
BoundarySolid facesOfPart(const FitRequest& request, const Part& part) {
  if (auto solid = boundaryOf(part.shape)) return *std::move(solid);
  request.at.fail(
      fmt::format("is for {}, a shape whose faces cannot be moved: a compound, one with a thread or with "
                  "\"sectors\", a sphere, a capsule or a half-space",
                  inQuotes(part.name)),
      "draw the clearance, and remove \"fit\", or give the part as one mesh");
}

/// A place of `into` at which a free-form face of the part lies on one of its own, if any [m].
std::optional<Vector3d> freeformContact(const FacedSolid& part, const FacedSolid& into, const Pose& X_IP) {
  constexpr double kOpposite = -0.99;
  const auto isFreeform = [](const MeshFace& face) { return face.surface.kind == SurfaceKind::freeform; };
  for (const MeshFace& wall : into.topology.faces) {
    if (!isFreeform(wall)) continue;
    Eigen::AlignedBox3d box;
    for (const int t : wall.triangles)
      for (const int v : into.solid.triangles[asIndex(t)]) box.extend(into.solid.vertices[asIndex(v)]);
    const double margin = 0.1 * box.diagonal().norm();
    box.min().array() -= margin;
    box.max().array() += margin;
    for (const MeshFace& face : part.topology.faces) {
      if (!isFreeform(face)) continue;
      for (const int t : face.triangles) {
        const Vector3d middle = middleOf(part.solid, t), n = face.normalAt(middle);
        const Vector3d p = X_IP * Vector3d(middle - face.distanceOf(middle) * n);
        if (box.contains(p) && std::abs(wall.distanceOf(p)) < kOnWall &&
            wall.normalAt(p).dot(X_IP.q * n) < kOpposite)
          return p;
      }
    }
  }
  return std::nullopt;
}

}  // namespace

WallFit readWallFit(const FitRequest& request, const Scene& scene) {
  const Goal& goal = requestedGoal(request, scene);
  const Part &part = scene.part(goal.part), &into = scene.part(goal.into);
  const BoundarySolid own = facesOfPart(request, part), other = facesOfPart(request, into);
  const Pose X_IP = goal.pose ? goal.pose->X_IP : poseInSocket(request, own, other, scene);
  const Vector3d along = goal.X_IH.q * -Vector3d::UnitZ();
  WallFit fit{request,
              {},
              std::make_shared<const FaceTopology>(topologyOf(own)),
              std::make_shared<const FaceTopology>(topologyOf(other))};
  const FacedSolid ownFaces{own, *fit.partFaces}, otherFaces{other, *fit.intoFaces};
  fit.walls = matingWalls(ownFaces, otherFaces, X_IP, along);
  if (const auto place = freeformContact(ownFaces, otherFaces, X_IP))
    request.at.fail(fmt::format("cannot move the free-form face of {} that lies on one of {} near {}",
                                inQuotes(part.name), inQuotes(into.name), positionText(*place)),
                    "draw the clearance, and remove \"fit\"");
  if (std::all_of(fit.walls.begin(), fit.walls.end(), [](const MatingWall& w) { return w.isRounding; }))
    request.at.fail(
        fmt::format("is for {}, which lies on no wall of {} where the goal is reached", inQuotes(part.name),
                    inQuotes(into.name)),
        fmt::format("draw both in the same nominal size, so that walls along the path lie on one another to "
                    "{}, and check the goal's {}; if the clearance is drawn, remove \"fit\"{}",
                    smallLengthText(kOnWall), goal.pose ? "\"pose\"" : "\"feature\" and \"hole\"",
                    boreRuleRemedy(into)));
  return fit;
}

}  // namespace tenon::content
