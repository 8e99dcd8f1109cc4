// Pictures of a scene for programs: `tenon render`, and render() of the Python module.
#pragma once

#include <Eigen/Geometry>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "content/model/scene.h"
#include "physics/world.h"
#include "runtime/session/image_size.h"
#include "xr/appearance/compose.h"
#include "xr/display/offscreen.h"

namespace tenon::runtime {

struct PictureOptions {
  std::string view = "iso";            ///< direction of the view, or a part to look at
  std::optional<std::string> section;  ///< "AXIS=OFFSET" [mm]; the camera's side is cut away
  std::vector<std::string> xray;       ///< parts to make transparent
  bool orthographic = false;           ///< else perspective
  bool forces = false;                 ///< arrows of contact and hand forces, with a scale
};

/// "iso, front, …, ", with the separator after the last name too.
std::string viewNameList();

/// The meshes of a scene and a view of it.
class ScenePicture {
 public:
  /// Throws content::InputError for an unknown view or part, an infinite part to look at, and an invalid
  /// section.
  ScenePicture(std::shared_ptr<const content::Scene> scene, PictureOptions options);

  /// The parts at these poses, with the arrows of a step if forces are drawn.
  /// Without `scale` it is that of the step's largest force.
  xr::RenderScene renderScene(std::span<const physics::Pose> X_WP, const physics::StepResult& step,
                              const std::optional<xr::ForceScale>& scale = std::nullopt) const;
  /// Adds the corners of the bounds of a part at this pose, in the world [m], if the view must show it.
  void addCorners(std::size_t part, const physics::Pose& X_WP, std::vector<physics::Vector3d>& points) const;
  /// Radius of the scene with the parts at these poses, to which arrows are scaled [m].
  double radiusAt(std::span<const physics::Pose> X_WP) const;
  /// The part that the view looks at; std::nullopt: the whole scene.
  std::optional<std::size_t> part() const { return part_; }
  /// A view that shows these points in an image of this size.
  xr::View viewOf(std::span<const physics::Vector3d> points, const ImageSize& size) const;

  /// Renders the parts at the world's present poses. `size`: that of `display`. Throws
  /// xr::GraphicsUnavailable if the device fails.
  xr::Image draw(xr::Offscreen& display, const ImageSize& size, const physics::World& world) const;

 private:
  void makeTransparent(xr::RenderScene& renderScene) const;

  std::shared_ptr<const content::Scene> scene_;
  PictureOptions options_;
  xr::PartMeshes meshes_;
  std::vector<Eigen::AlignedBox3d> bounds_;  ///< of the meshes, by part; empty without one
  physics::Vector3d from_;                   ///< direction to the camera
  std::optional<std::size_t> part_;          ///< to look at; std::nullopt: the whole scene
  std::optional<xr::SectionPlane> section_;
};

}  // namespace tenon::runtime
