// Reads the fits of goals and applies them to hole and part.
#pragma once

#include <optional>

#include "content/input/json_cursor.h"
#include "content/model/scene.h"

namespace tenon::content {

/// Reads the "fit" of each goal of the list at `goals` after the goals and parts, and changes the diameters
/// of hole and part accordingly, or, of a goal without a round hole, moves the walls that lie on one another
/// (see wall_fits.h). Masses stay those of the nominal sizes. Throws InputError if hole and part have
/// different nominal diameters or no common walls, if two goals require different deviations of the same
/// part, hole or wall, or if rigid materials interfere.
void readFits(const JsonCursor& goals, Scene& scene);

/// The nominal diameter of a goal whose hole and part have it in common, so that a fit can be applied [m].
std::optional<double> fitDiameter(const Scene& scene, const Goal& goal);

/// Widens the hole of a goal by a diametral clearance [m]. False if it has no hole of its own in the shape,
/// or if that would reach the next edge or wall; the scene is then of no use.
bool addClearance(Scene& scene, const Goal& goal, double clearance);

}  // namespace tenon::content
