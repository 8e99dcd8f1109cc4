// The draw calls of a scene: meshes with their constants, section caps and shadow casters.
#pragma once

#include <cstdint>
#include <vector>

#include "xr/render/gpu_data.h"
#include "xr/render/mesh_buffers.h"
#include "xr/render/section_caps.h"
#include "xr/render/shadow_atlas.h"

namespace tenon::xr {

/// One mesh of the scene, or the shaft or head of an arrow.
struct DrawItem {
  MeshRange range;
  GpuDraw constants{};
  bool transparent = false, arrow = false, edges = false;
  std::uint32_t hatching = 0;                            ///< 0 or 1
  physics::Vector3d center = physics::Vector3d::Zero();  ///< [m]
  Eigen::Matrix4d model = Eigen::Matrix4d::Identity();

  bool isSolid() const { return !transparent && !arrow; }
};

class DrawList {
 public:
  /// Lists the scene, whose meshes are in the buffers.
  void build(const RenderScene& scene, const MeshBuffers& meshes);
  /// Chooses coarse triangles for items whose cells are smaller than 1.5 pixels. `pixelsHigh`: height of the
  /// view.
  void chooseDetail(const View& view, double pixelsHigh);
  /// Sets the order of drawing: as listed, or solid items first from near to far, so that hidden fragments
  /// are not shaded.
  void sort(const View& view, bool byDistance);
  /// Marks all items visible, or those whose rectangle meets `area`.
  void showAll() { culled_.assign(items_.size(), false); }
  void showOnly(const PixelRect& area, std::span<const PixelRect> itemRects);

  const std::vector<DrawItem>& items() const { return items_; }
  const std::vector<std::size_t>& order() const { return order_; }
  bool isCulled(std::size_t item) const { return culled_[item]; }
  bool isCoarse(std::size_t item) const { return coarse_[item]; }
  const std::vector<CutPart>& cuts() const { return cuts_; }
  const std::vector<ShadowCaster>& casters() const { return casters_; }
  /// The item of a shadow caster.
  std::size_t itemOfCaster(std::size_t caster) const { return casterItems_[caster]; }

 private:
  void addInstance(const Instance& instance, const RenderScene& scene, const MeshBuffers& meshes);
  void addArrow(const Arrow& arrow, const MeshBuffers& meshes);
  void addCut(const DrawItem& item, const SectionPlane& plane);

  std::vector<DrawItem> items_;
  std::vector<std::size_t> order_;     ///< indices of items
  std::vector<bool> coarse_, culled_;  ///< by item
  std::vector<CutPart> cuts_;          ///< the smallest box first
  std::vector<ShadowCaster> casters_;
  std::vector<std::size_t> casterItems_;  ///< by caster
};

}  // namespace tenon::xr
