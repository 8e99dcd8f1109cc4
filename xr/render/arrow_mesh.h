// The meshes of an arrow, a shaft and a head of unit size, and the transforms that stretch them.
#pragma once

#include <memory>

#include "xr/render/mesh.h"
#include "xr/render/render_scene.h"

namespace tenon::xr {

/// Cylinder of radius 1 from z = 0 to z = 1; always the same object.
std::shared_ptr<const Mesh> arrowShaft();
/// Cone of radius 1 from z = 0 to its tip at z = 1; always the same object.
std::shared_ptr<const Mesh> arrowHead();

struct ArrowTransforms {
  physics::Pose X_WShaft, X_WHead;
  physics::Vector3d shaftScale, headScale;
};

/// The head is 2.5 times as wide as the shaft and at most half as long as the arrow.
ArrowTransforms arrowTransforms(const Arrow& arrow);

}  // namespace tenon::xr
