// See pixel_map.h.
#include "xr/render/pixel_map.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace tenon::xr {

namespace {

constexpr int kPixelMargin = 2;  ///< for lines and partly covered pixels [pixels]

}  // namespace

PixelRect intersection(const PixelRect& a, const PixelRect& b) {
  return {std::max(a.left, b.left), std::max(a.top, b.top), std::min(a.right, b.right),
          std::min(a.bottom, b.bottom)};
}

PixelRect united(const PixelRect& a, const PixelRect& b) {
  if (a.empty()) return b;
  if (b.empty()) return a;
  return {std::min(a.left, b.left), std::min(a.top, b.top), std::max(a.right, b.right),
          std::max(a.bottom, b.bottom)};
}

Corners cornersOf(const Eigen::AlignedBox3d& box, const Eigen::Matrix4d& model) {
  Corners corners;
  for (int k = 0; k < 8; ++k) {
    const Eigen::Vector3d p = box.corner(static_cast<Eigen::AlignedBox3d::CornerType>(k));
    corners[static_cast<std::size_t>(k)] = model.topLeftCorner<3, 3>() * p + model.topRightCorner<3, 1>();
  }
  return corners;
}

PixelMap::PixelMap(const View& view, int width, int height)
    : nearPlane_(view.isOrthographic() ? 0.5 : view.nearPlane) {  // the divisor is 1 everywhere
  const auto pixel = [](double fraction, int size) { return static_cast<int>(std::lround(fraction * size)); };
  viewRect_ = {pixel(view.x, width), pixel(view.y, height), pixel(view.x + view.width, width),
               pixel(view.y + view.height, height)};
  Eigen::Matrix4d toPixels = Eigen::Matrix4d::Identity();
  toPixels.row(0) << 0.5 * (viewRect_.right - viewRect_.left), 0, 0, 0.5 * (viewRect_.right + viewRect_.left);
  toPixels.row(1) << 0, 0.5 * (viewRect_.bottom - viewRect_.top), 0, 0.5 * (viewRect_.bottom + viewRect_.top);
  map_ = toPixels * viewProjection(view);
}

Eigen::Vector3d PixelMap::operator()(const Eigen::Vector3d& p_W) const {
  const Eigen::Vector4d h = map_ * p_W.homogeneous();
  return {h.x(), h.y(), h.w()};
}

PixelRect PixelMap::boundsOf(std::span<const Eigen::Vector3d> points) const {
  Eigen::AlignedBox2d box;
  std::vector<Eigen::Vector3d> front, behind;
  for (const Eigen::Vector3d& p : points) {
    const Eigen::Vector3d pixel = (*this)(p);
    if (!pixel.allFinite()) continue;  // of a part whose pose is NaN
    (pixel.z() >= nearPlane_ ? front : behind).push_back(pixel);
  }
  if (front.empty()) return {};
  for (const Eigen::Vector3d& p : front) {
    box.extend(Eigen::Vector2d(p.head<2>() / p.z()));
    for (const Eigen::Vector3d& q : behind) {
      const double s = (nearPlane_ - p.z()) / (q.z() - p.z());
      box.extend(Eigen::Vector2d((p + s * (q - p)).head<2>() / nearPlane_));
    }
  }
  const auto pixel = [](double x) { return static_cast<int>(std::floor(std::clamp(x, -1e6, 1e6))); };
  return intersection({pixel(box.min().x()) - kPixelMargin, pixel(box.min().y()) - kPixelMargin,
                       pixel(box.max().x()) + kPixelMargin + 1, pixel(box.max().y()) + kPixelMargin + 1},
                      viewRect_);
}

}  // namespace tenon::xr
