// Which pixels of a picture differ from the one before: where something moved or changed its looks, and where
// its shadow fell and falls. Without Vulkan.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <Eigen/Geometry>

#include "xr/render/pixel_map.h"
#include "xr/render/render_scene.h"
#include "xr/render/scene_bounds.h"
#include "xr/render/sky_lights.h"
#include "xr/view.h"

namespace tenon::xr {

/// Some triangles of a mesh that look much the same way.
struct Patch {
  Eigen::AlignedBox3d box;                           ///< round them, in the mesh's frame [m]
  Eigen::Vector3d normal = Eigen::Vector3d::Zero();  ///< unit, of all of them; 0: they differ
};
/// All triangles of a mesh in some tens of patches: where on it a shadow can fall.
std::vector<Patch> patchesOf(const content::DisplayMesh& mesh);

/// A mesh that is drawn.
struct PlacedMesh {
  std::uint32_t mesh = 0;                               ///< which
  Eigen::AlignedBox3d box;                              ///< round it, in its own frame [m]
  Eigen::Matrix4d model = Eigen::Matrix4d::Identity();  ///< from that to the world
  std::array<float, 8> material{};                      ///< whatever else the picture shows of it
  const std::vector<Patch>* patches = nullptr;  ///< on which shadows fall; null: none do. Outlive the picture
  std::uint32_t indices = 0;                    ///< what drawing it costs
};

/// Shadows that are not any more where they were.
struct MovedShadows {
  struct One {
    std::size_t mesh = 0;  ///< that casts it, by its number
    Eigen::Matrix4d before, after;
  };
  std::vector<One> moved;
  std::span<const SkyLight> lights;
  std::size_t sharp = 0;  ///< so many lights, the first ones, make shadows that strike the eye
  double blur = 0;        ///< how far beside its place a shadow shows [m]
};

/// What all of a picture hangs on.
struct FrameInputs {
  View view;
  int width = 0, height = 0;  ///< of the target [pixels]
  std::optional<SectionPlane> section;
  std::optional<Ground> ground;
  Bounds bounds;
  std::int64_t meshes = 0;  ///< changes with the meshes' content
};

/// Weak shadows of what moves are wide, and seen less than all else: where they change is drawn in turns,
/// some of it in each picture. When all is at rest, all of the picture is, so that nothing is left that was
/// too small to be seen in one picture.
class DamageTracker {
 public:
  /// Of this picture against the one that was taken before.
  void take(const FrameInputs& setting, std::vector<PlacedMesh> meshes, const MovedShadows& shadows);
  /// All of the next picture differs, whatever it is.
  void invalidate() { valid_ = false; }
  /// All of the picture that was taken last has been drawn.
  void markAllDrawn();

  /// Nothing of the picture before can be kept.
  bool all() const { return all_; }
  /// Else what is to be drawn. Some may overlap.
  const std::vector<PixelRect>& parts() const { return parts_; }
  /// Of the view's pixels: the part that is to be drawn, 1 for all of them.
  double share() const;
  /// When parts() are drawn, all of the picture is as if it had been drawn at once.
  bool isUpToDate() const { return !all_ && !finalRedraw_ && staleTiles_ == 0; }
  /// In which pixels each mesh may be, in the order of taking.
  const std::vector<PixelRect>& meshRects() const { return meshRects_; }

 private:
  bool same(const FrameInputs& setting) const;
  bool addMoves(const std::vector<PlacedMesh>& meshes);
  void addShadow(const MovedShadows::One& shadow, const SkyLight& light, double blur, bool sharp);
  PixelRect shadowOn(const PlacedMesh& mesh, const Patch& patch, std::span<const Eigen::Vector3d> caster,
                     const Eigen::Vector3d& toward, double blur) const;
  void add(const PixelRect& part, bool sharp);
  void selectStaleTiles(double most);
  double costOf(const PixelRect& part) const;
  void merge();

  bool valid_ = false, all_ = true;
  FrameInputs setting_;
  PixelMap pixels_;
  std::vector<PlacedMesh> meshes_;               ///< as they are in the picture
  std::vector<Eigen::AlignedBox3d> worldBoxes_;  ///< of the meshes [world, m]
  std::vector<PixelRect> meshRects_, parts_;
  // Squares of the view, row by row: whether they are to be drawn in turns; the row whose turn is next.
  std::size_t tileAt(int row, int column) const {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(tilesAcross_) +
           static_cast<std::size_t>(column);
  }

  int tilesAcross_ = 0, tilesDown_ = 0, turn_ = 0;
  std::vector<bool> stale_;
  int staleTiles_ = 0;
  bool finalRedraw_ = false;  ///< all of the view is to be drawn once more when all is at rest
};

}  // namespace tenon::xr
