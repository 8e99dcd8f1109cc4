// What a frame shows: plain data. The renderer gets nothing else, so the same data gives the same image on
// every display.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "xr/render/mesh.h"

namespace tenon::xr {

/// The material of a surface.
struct Surface {
  Eigen::Vector3d color{0.6, 0.6, 0.6};  ///< linear RGB, 0…1: a metal's reflectance, else the diffuse color
  double metallic = 0;                   ///< 0: plastic, wood, stone; 1: metal
  double roughness = 0.5;                ///< 0…1
  double opacity = 1;                    ///< below 1: drawn after all opaque surfaces
};

struct Instance {
  std::shared_ptr<const Mesh> mesh;
  physics::Pose X_WM;
  Surface surface;
  int hatching = 0;           ///< cut faces of equal parity have the same hatching
  bool edges = true;          ///< sharp edges are drawn as lines
  bool affectsBounds = true;  ///< counts for the scene's size, which sets the range of lights and the grid
};

/// From `tail` along `vector`. Shown faintly where parts hide it.
struct Arrow {
  physics::Vector3d tail = physics::Vector3d::Zero();    ///< [m]
  physics::Vector3d vector = physics::Vector3d::Zero();  ///< from tail to tip [m]
  double radius = 0;                                     ///< of the shaft [m]
  Eigen::Vector3d color{1, 1, 1};                        ///< linear RGB
};

struct Ground {
  double height = 0;   ///< z [m]
  double cell = 0.01;  ///< of the grid [m]; each tenth line is stronger
};

/// Cuts away the side that `normal` points to.
struct SectionPlane {
  physics::Vector3d normal = physics::Vector3d::UnitX();  ///< unit
  double offset = 0;                                      ///< n·p of the points p in the plane [m]
};

/// A text at a point of the world; each display draws it with its own text renderer.
struct Label {
  physics::Vector3d at = physics::Vector3d::Zero();  ///< [m]
  physics::Vector3d from =
      physics::Vector3d::Zero();  ///< the text is placed on the side of `at` away from here
  std::string text;
};

/// A rectangle in the world that shows a part of the panel image (Renderer::showOnPanels). It is depth-tested
/// against parts, is not cut by the section plane and casts no shadow. Of panels that are `onTop` later ones
/// cover earlier ones.
struct Panel {
  physics::Pose X_WP;            ///< of its center: x to the right, y up, z towards the reader
  double width = 0, height = 0;  ///< [m]
  double left = 0, top = 0, right = 1, bottom = 1;  ///< in the image, from its top left corner, 0…1
  bool onTop = false;                               ///< also drawn where parts are in front
};

/// Darkening of the view, over all else.
struct Vignette {
  double rim = 0;  ///< 0 none … 1: only the surroundings of the line of sight stay visible
  double all = 0;  ///< 0 none … 1: the whole view is black
};

/// A line of the legend.
struct Caption {
  std::string text;
  std::optional<Eigen::Vector3d> color;  ///< of the arrows it explains, linear RGB
};

struct RenderScene {
  std::vector<Instance> instances;
  std::vector<Arrow> arrows;
  std::optional<Ground> ground;
  /// Ground and backdrop are left out: the image is transparent there (premultiplied alpha), for displays
  /// that show the real room.
  bool passthrough = false;
  std::optional<SectionPlane> section;
  std::vector<Label> labels;
  std::vector<Caption> captions;
  std::vector<Panel> panels;
  Vignette vignette;
};

}  // namespace tenon::xr
