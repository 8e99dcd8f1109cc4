// The volume that a part sweeps on its path, as a closed surface with a proven outer error.
#pragma once

#include <functional>
#include <string>

#include "content/mesh/triangle_mesh.h"
#include "physics/collision/geometry/shape.h"
#include "runtime/sweep/part_path.h"

namespace tenon::runtime {

struct SweptVolumeSettings {
  double error = 1e-4;  ///< largest distance of the surface from the swept volume [m]
  double pathDeviation =
      0;  ///< by which the true path may deviate from the given one, below a third of it [m]
  int threads = 1;
  std::function<bool()> stop = [] { return false; };
  std::function<void(const std::string&)> progress = [](const std::string&) {};
};

struct SweptVolume {
  /// Closed, counter-clockwise seen from outside, world [m].
  content::TriangleMesh mesh;
  double volume = 0;       ///< inside the surface [m³]
  bool isComplete = true;  ///< false: stopped
};

/// A surface that has the swept volume inside, and no point of which is farther from it than the error.
///
/// Both are proven: each triangle is divided until the distance at its center, which changes by no more than
/// the displacement, shows that it lies between 0 and the error everywhere. A surface that the connected
/// volume does not meet has it inside or outside as a whole, which one point for each connected piece of the
/// part decides. Where the proof fails, cells are refined. Closed hollows of the volume that are narrower
/// than the error are filled. Throws content::InputError if the finest cells, or the facets of the part, do
/// not suffice for the error.
SweptVolume sweptVolume(const physics::Shape& shape, const PartPath& path,
                        const SweptVolumeSettings& settings);

}  // namespace tenon::runtime
