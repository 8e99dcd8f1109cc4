// What is to be drawn: plain data. The renderer gets nothing else, so that the same data is the same picture
// on every display.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "content/parts/display_mesh.h"

namespace tenon::xr {

/// How a surface looks.
struct Surface {
  Eigen::Vector3d color{0.6, 0.6,
                        0.6};  ///< linear RGB, 0…1: of a metal its reflection, else its diffuse colour
  double metallic = 0;         ///< 0: plastic, wood, stone; 1: metal
  double roughness = 0.5;      ///< 0…1
  double opacity = 1;          ///< below 1: drawn after all else, as of glass
};

struct Instance {
  std::shared_ptr<const content::DisplayMesh> mesh;
  physics::Pose X_WM;
  Surface surface;
  int hatching = 0;           ///< cut faces of equal parity are hatched the same way
  bool edges = true;          ///< sharp edges are drawn as lines
  bool affectsBounds = true;  ///< for the size of the scene, which sets the reach of lights and the grid
};

/// From `tail` along `vector`. Also seen, faintly, where parts hide it.
struct Arrow {
  physics::Vector3d tail = physics::Vector3d::Zero();    ///< [m]
  physics::Vector3d vector = physics::Vector3d::Zero();  ///< [m], as long as it is drawn
  double radius = 0;                                     ///< of the shaft [m]
  Eigen::Vector3d color{1, 1, 1};                        ///< linear RGB
};

struct Ground {
  double height = 0;   ///< z [m]
  double cell = 0.01;  ///< of the grid [m]; each tenth line is stronger
};

/// What lies on the side that `normal` points to is cut away.
struct SectionPlane {
  physics::Vector3d normal = physics::Vector3d::UnitX();  ///< unit
  double offset = 0;                                      ///< n·p of the points p in the plane [m]
};

/// A text at a place; each display writes it with what it has for texts.
struct Label {
  physics::Vector3d at = physics::Vector3d::Zero();  ///< [m]
  physics::Vector3d from =
      physics::Vector3d::Zero();  ///< the text goes to the far side of `at`, seen from here
  std::string text;
};

/// A sheet in the world that shows a piece of the image of panels (Renderer::showOnPanels): hidden by parts
/// and hiding them, by no section cut, without shadow. Later ones hide earlier ones that are `onTop`.
struct Panel {
  physics::Pose X_WP;            ///< of its middle: x is to the right, y up, z to who reads it
  double width = 0, height = 0;  ///< [m]
  double left = 0, top = 0, right = 1, bottom = 1;  ///< of the image, from its top left corner, 0…1
  bool onTop = false;                               ///< also seen where parts are before it
};

/// Darkness before the eyes, over all else.
struct Vignette {
  double rim = 0;  ///< 0 none … 1: all is dark that is far from the line of sight
  double all = 0;  ///< 0 none … 1: nothing is seen any more
};

/// A line of the legend.
struct Caption {
  std::string text;
  std::optional<Eigen::Vector3d> color;  ///< of the arrow that it explains, linear RGB
};

struct RenderScene {
  std::vector<Instance> instances;
  std::vector<Arrow> arrows;
  std::optional<Ground> ground;
  std::optional<SectionPlane> section;
  std::vector<Label> labels;
  std::vector<Caption> captions;
  std::vector<Panel> panels;
  Vignette vignette;
};

}  // namespace tenon::xr
