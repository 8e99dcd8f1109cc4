// The projection of the world onto the pixels of a target, and rectangles of pixels. Without Vulkan.
#pragma once

#include <array>
#include <span>

#include <Eigen/Geometry>

#include "xr/view.h"

namespace tenon::xr {

/// Pixels from (left, top) inclusive to (right, bottom) exclusive.
struct PixelRect {
  int left = 0, top = 0, right = 0, bottom = 0;

  bool empty() const { return left >= right || top >= bottom; }
  double area() const { return empty() ? 0 : static_cast<double>(right - left) * (bottom - top); }
  bool intersects(const PixelRect& o) const {
    return left < o.right && o.left < right && top < o.bottom && o.top < bottom;
  }
};

/// The intersection of two rectangles.
PixelRect intersection(const PixelRect& a, const PixelRect& b);

/// The least rectangle that includes both; empty ones are ignored.
PixelRect united(const PixelRect& a, const PixelRect& b);

using Corners = std::array<Eigen::Vector3d, 8>;

/// The corners of a box in the frame of `model` [world, m].
Corners cornersOf(const Eigen::AlignedBox3d& box, const Eigen::Matrix4d& model);

/// The projection of a view onto the pixels of a target.
class PixelMap {
 public:
  PixelMap() = default;
  /// `width`, `height`: of the target [pixels].
  PixelMap(const View& view, int width, int height);

  /// The pixels of the view.
  const PixelRect& viewRect() const { return viewRect_; }
  /// Homogeneous pixel coordinates: x and y times depth [pixels · m], and the depth [m].
  Eigen::Vector3d operator()(const Eigen::Vector3d& p_W) const;
  /// Bounds of the points' convex hull, clipped at the near plane and to the view, with a margin of two
  /// pixels for lines and partly covered pixels.
  PixelRect boundsOf(std::span<const Eigen::Vector3d> points) const;

 private:
  PixelRect viewRect_;
  double nearPlane_ = 0;                               ///< [m]
  Eigen::Matrix4d map_ = Eigen::Matrix4d::Identity();  ///< from the world to pixels, homogeneous
};

}  // namespace tenon::xr
