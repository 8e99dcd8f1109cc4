// Fits of parts that no round hole guides: the walls that lie on one another are moved apart.
#pragma once

#include <memory>
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

/// The walls of the goal where it is reached, in nominal sizes. In a socket the part is turned about the
/// goal's axis, from its start by the least angle, until the most walls lie on one another. Throws InputError
/// where none do, and for shapes and free-form faces that cannot be moved.
WallFit readWallFit(const FitRequest& request, const Scene& scene);

/// Applies fits, after those of round holes. Each wall moves by half of the deviation of its size along its
/// normal, so that a size of two walls changes by the whole one; of a clearance the opening gets all. Each
/// wall moves once, though several goals have it. Sets the fits of the goals. Throws InputError where walls
/// cannot move, goals require different deviations of one, and for an interference of rigid materials.
void applyWallFits(const std::vector<WallFit>& fits, Scene& scene);

}  // namespace tenon::content
