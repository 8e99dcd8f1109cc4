// Which pixels of a frame differ from the frame before: where something moved or changed its appearance, and
// where its shadow was and is. Without Vulkan.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <Eigen/Geometry>

#include "xr/render/mesh_patches.h"
#include "xr/render/pixel_map.h"
#include "xr/render/render_scene.h"
#include "xr/render/scene_bounds.h"
#include "xr/render/sky_lights.h"
#include "xr/view.h"

namespace tenon::xr {

/// A mesh in a frame.
struct PlacedMesh {
  std::uint32_t mesh = 0;                               ///< number of the mesh
  Eigen::AlignedBox3d box;                              ///< bounds in the mesh's frame [m]
  Eigen::Matrix4d model = Eigen::Matrix4d::Identity();  ///< from the mesh's frame to the world
  std::array<float, 8> material{};                      ///< all else that its pixels depend on
  const std::vector<Patch>* patches = nullptr;  ///< receive shadows; null: none do. Must outlive the frame
  std::uint32_t indices = 0;                    ///< number of indices, for the cost of drawing
};

/// Shadows that moved.
struct MovedShadows {
  struct Shadow {
    std::size_t mesh = 0;  ///< index of the caster
    Eigen::Matrix4d before, after;
  };
  std::vector<Shadow> moved;
  std::span<const SkyLight> lights;
  std::size_t prominentLights = 0;  ///< the first ones of `lights`, whose shadows are conspicuous
  /// By how much a shadow's edge is widened in a map as large as its tile, and by how much visibly [m].
  double blur = 0, prominentBlur = 0;
};

/// Everything else that a whole frame depends on.
struct FrameInputs {
  View view;
  int width = 0, height = 0;  ///< of the target [pixels]
  std::optional<SectionPlane> section;
  std::optional<Ground> ground;
  Bounds bounds;
  std::int64_t meshes = 0;  ///< changes with the content of the mesh buffers
};

/// Faint shadows of moving parts are wide and least conspicuous: their damage is deferred and redrawn in
/// tiles, some in each frame. When nothing moves any more, the whole view is redrawn once in tiles, which
/// also shows the motions that were too small for a redraw.
class DamageTracker {
 public:
  /// Compares a frame with the one of the previous call.
  void update(const FrameInputs& inputs, std::vector<PlacedMesh> meshes, const MovedShadows& shadows);
  /// The next frame needs a full redraw.
  void invalidate() { valid_ = false; }
  /// The frame of the last update() was drawn in full.
  void markAllDrawn();

  /// No pixel of the previous frame can be reused.
  bool needsFullRedraw() const { return fullRedraw_; }
  /// Otherwise the pixels to draw; rectangles may overlap.
  const std::vector<PixelRect>& damagedRects() const { return rects_; }
  /// Area of the damaged rectangles over the area of the view; 1: full redraw.
  double damagedFraction() const;
  /// Once damagedRects() are drawn, the image equals a full redraw.
  bool isUpToDate() const { return !fullRedraw_ && !finalRedraw_ && staleTiles_ == 0; }
  /// Bounds of each mesh in pixels, in the order of update().
  const std::vector<PixelRect>& meshRects() const { return meshRects_; }

 private:
  bool sameInputs(const FrameInputs& inputs) const;
  bool addMoves(const std::vector<PlacedMesh>& meshes);
  void addShadow(const MovedShadows::Shadow& shadow, const SkyLight& light, double blur, bool isProminent);
  PixelRect shadowOn(const PlacedMesh& mesh, const Patch& patch, std::span<const Eigen::Vector3d> caster,
                     const Eigen::Vector3d& toward, double blur) const;
  /// Prominent damage is drawn now, other damage makes its tiles stale.
  void add(const PixelRect& rect, bool isProminent);
  void selectStaleTiles(double maxArea);
  double costOf(const PixelRect& rect) const;
  void merge();
  std::size_t tileAt(int row, int column) const {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(tilesAcross_) +
           static_cast<std::size_t>(column);
  }

  bool valid_ = false, fullRedraw_ = true;
  FrameInputs inputs_;
  PixelMap pixels_;
  std::vector<PlacedMesh> meshes_;               ///< as the image shows them
  std::vector<Eigen::AlignedBox3d> worldBoxes_;  ///< of the meshes [world, m]
  std::vector<PixelRect> meshRects_, rects_;

  int tilesAcross_ = 0, tilesDown_ = 0;
  int nextStaleRow_ = 0;     ///< row of tiles where selectStaleTiles() continues
  std::vector<bool> stale_;  ///< by tile, row by row: to be redrawn
  int staleTiles_ = 0;
  bool finalRedraw_ = false;  ///< the whole view is to be redrawn once nothing moves
};

}  // namespace tenon::xr
