// Which pixels of a target show a point of the world: rectangles round projected points. Without Vulkan.
#pragma once

#include <array>
#include <span>

#include <Eigen/Geometry>

#include "xr/view.h"

namespace tenon::xr {

/// From `left` and `top` to before `right` and `bottom`.
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

using Corners = std::array<Eigen::Vector3d, 8>;

/// Of a box in the frame of `model` [world, m].
Corners cornersOf(const Eigen::AlignedBox3d& box, const Eigen::Matrix4d& model);

/// The projection of a view onto the pixels of a target.
class PixelMap {
 public:
  PixelMap() = default;
  /// `width`, `height`: of the target [pixels].
  PixelMap(const View& view, int width, int height);

  /// The pixels of the view.
  const PixelRect& all() const { return all_; }
  /// Homogeneous: x and y times depth [pixels · m], and the depth [m].
  Eigen::Vector3d operator()(const Eigen::Vector3d& p_W) const;
  /// Bounds of the convex hull of points, clipped at the nearest distance of the view and to its pixels, with
  /// a margin for lines and for pixels that are covered in part.
  PixelRect around(std::span<const Eigen::Vector3d> points) const;

 private:
  PixelRect all_;
  double nearest_ = 0;                                 ///< [m]
  Eigen::Matrix4d map_ = Eigen::Matrix4d::Identity();  ///< from the world to pixels, homogeneous
};

}  // namespace tenon::xr
