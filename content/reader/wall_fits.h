// Fits of parts that no round hole guides: the walls that lie on one another are moved apart.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "content/reader/face_topology.h"
#include "content/reader/fit_request.h"
#include "content/reader/mating_walls.h"

namespace tenon::content {

/// A fit on the walls of a goal with a pose, or into a socket.
struct WallFit {
  FitRequest request;
  std::vector<MatingWall> walls;
  std::shared_ptr<const FaceTopology> partFaces, intoFaces;  ///< in nominal sizes
};

/// The walls of the goal where it is reached, in nominal sizes. In a socket the part is rotated as
/// poseInSocket() finds it. Throws InputError
/// where none do, and for shapes and free-form faces that cannot be moved.
WallFit readWallFit(const FitRequest& request, const Scene& scene);

/// What a fit on a round hole has made of the cylinders of one part.
struct RoundDeviation {
  int goal = -1;         ///< the first that required it
  int part = -1;         ///< index into Scene::parts
  std::string hole;      ///< of that part; empty: its outer cylinders of the radius
  double radius = 0;     ///< nominal [m]
  double deviation = 0;  ///< of the diameter, which may be 0 [m]
};

/// Applies fits, after those of round holes, which have made `rounds`. Each wall moves by half of the
/// deviation of its size along its normal, so that a size of two walls changes by the whole one; of a
/// clearance the opening gets all. Each wall moves once, though several goals have it, by the deviation of
/// the smallest of its sizes. Sets the fits of the goals. Throws InputError where walls cannot move, goals
/// require different deviations of one, and for an interference of rigid materials.
void applyWallFits(const std::vector<WallFit>& fits, const std::vector<RoundDeviation>& rounds, Scene& scene);

}  // namespace tenon::content
