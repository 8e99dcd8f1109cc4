// What arrows are made of: a shaft and a head of unit size, and how they are stretched.
#pragma once

#include <memory>

#include "xr/render/render_scene.h"

namespace tenon::xr {

/// Cylinder of radius 1 from z = 0 to z = 1; always the same object.
std::shared_ptr<const content::DisplayMesh> arrowShaft();
/// Cone of radius 1 from z = 0 to its tip at z = 1; always the same object.
std::shared_ptr<const content::DisplayMesh> arrowHead();

struct ArrowTransforms {
  physics::Pose X_WShaft, X_WHead;
  physics::Vector3d shaftScale, headScale;
};

/// The head is twice and a half as wide as the shaft, and at most half of the arrow.
ArrowTransforms arrowTransforms(const Arrow& arrow);

}  // namespace tenon::xr
