// See draw_list.h.
#include "xr/render/draw_list.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "xr/render/arrow_mesh.h"

namespace tenon::xr {

namespace {

constexpr double kMaxCoarseCell = 1.5;  ///< cells of coarse triangles are smaller than this [pixels]

Eigen::Matrix4d matrixOf(const physics::Pose& X, const physics::Vector3d& scale) {
  Eigen::Matrix4d m = Eigen::Matrix4d::Identity();
  m.topLeftCorner<3, 3>() = X.q.toRotationMatrix() * scale.asDiagonal();
  m.topRightCorner<3, 1>() = X.p;
  return m;
}

GpuDraw drawConstants(const Eigen::Matrix4d& model, const Surface& surface, bool arrow) {
  GpuDraw out;
  put(out.model, model);
  put(out.color, surface.color, surface.opacity);
  put(out.material, {surface.metallic, surface.roughness, arrow ? 1.0 : 0.0}, 0);
  return out;
}

}  // namespace

void DrawList::build(const RenderScene& scene, const MeshBuffers& meshes) {
  items_.clear();
  casters_.clear();
  casterItems_.clear();
  cuts_.clear();
  for (const Instance& instance : scene.instances) addInstance(instance, scene, meshes);
  // The smallest first: it stays visible inside a larger one, as a pin that is pressed into a block.
  std::stable_sort(cuts_.begin(), cuts_.end(),
                   [](const CutPart& a, const CutPart& b) { return a.boxVolume < b.boxVolume; });
  for (const Arrow& arrow : scene.arrows) addArrow(arrow, meshes);
}

void DrawList::addInstance(const Instance& instance, const RenderScene& scene, const MeshBuffers& meshes) {
  const MeshRange& range = meshes.rangeOf(instance.mesh);
  const Eigen::Matrix4d model = matrixOf(instance.X_WM, physics::Vector3d::Ones());
  items_.push_back({.range = range,
                    .constants = drawConstants(model, instance.surface, false),
                    .transparent = instance.surface.opacity < 1,
                    .edges = instance.edges,
                    .hatching = static_cast<std::uint32_t>(instance.hatching & 1),
                    .center = instance.X_WM.p,
                    .model = model});
  if (items_.back().transparent) return;
  if (scene.section) addCut(items_.back(), *scene.section);
  casters_.push_back({range.firstShadow, range.shadowIndices, range.firstVertex, model});
  casterItems_.push_back(items_.size() - 1);
}

void DrawList::addArrow(const Arrow& arrow, const MeshBuffers& meshes) {
  const ArrowTransforms transforms = arrowTransforms(arrow);
  // The opacity is that of arrows behind parts; in front they are opaque.
  const Surface surface{arrow.color, 0, 0.4, 0.35};
  const auto add = [&](const MeshRange& range, const Eigen::Matrix4d& model) {
    items_.push_back({.range = range,
                      .constants = drawConstants(model, surface, true),
                      .arrow = true,
                      .center = arrow.tail,
                      .model = model});
  };
  add(meshes.arrowShaftRange(), matrixOf(transforms.X_WShaft, transforms.shaftScale));
  add(meshes.arrowHeadRange(), matrixOf(transforms.X_WHead, transforms.headScale));
}

void DrawList::addCut(const DrawItem& item, const SectionPlane& plane) {
  const std::optional<Corners> corners = cutCorners(item.range.box, item.model, plane);
  if (!corners) return;
  GpuDraw constants = item.constants;
  constants.material[3] = static_cast<float>(item.hatching);
  // The full mesh: coarse triangles are not closed.
  cuts_.push_back({constants, *corners, item.range.indices, item.range.firstIndex, item.range.firstVertex,
                   item.range.box.volume()});
}

void DrawList::chooseDetail(const View& view, double pixelsHigh) {
  coarse_.assign(items_.size(), false);
  for (std::size_t k = 0; k < items_.size(); ++k) {
    const double distance = (items_[k].center - view.X_WC.p).norm();
    const double pixel = view.spreadAt(distance) * (view.up - view.down) / std::max(pixelsHigh, 1.0);
    coarse_[k] = items_[k].range.cell > 0 && items_[k].range.cell < kMaxCoarseCell * pixel;
  }
}

void DrawList::sort(const View& view, bool byDistance) {
  order_.resize(items_.size());
  std::iota(order_.begin(), order_.end(), std::size_t(0));
  if (!byDistance) return;
  std::vector<double> distances;
  for (const DrawItem& item : items_) {
    const Eigen::AlignedBox3d& box = item.range.box;
    const Eigen::Vector3d center = box.isEmpty() ? Eigen::Vector3d::Zero() : Eigen::Vector3d(box.center());
    const double d = ((item.model * center.homogeneous()).head<3>() - view.X_WC.p).squaredNorm();
    distances.push_back(std::isfinite(d) ? d : std::numeric_limits<double>::max());  // a pose may be NaN
  }
  // Transparent items and arrows keep their order: they are blended.
  std::stable_sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) {
    const bool solidA = items_[a].isSolid(), solidB = items_[b].isSolid();
    return solidA != solidB ? solidA : solidA && distances[a] < distances[b];
  });
}

void DrawList::showOnly(const PixelRect& area, std::span<const PixelRect> itemRects) {
  for (std::size_t k = 0; k < items_.size(); ++k) culled_[k] = !itemRects[k].intersects(area);
}

}  // namespace tenon::xr
