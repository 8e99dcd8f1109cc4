// Small scenes in code for the tests of the planner.
#pragma once

#include <string>
#include <utility>
#include <variant>

#include "content/model/scene.h"

namespace tenon::tests {

/// Adds a part of steel; the first one and half-spaces are fixed.
inline int addPart(content::Scene& scene, const std::string& name, physics::Shape shape,
                   const physics::Vector3d& position) {
  if (scene.materials.empty()) scene.materials = {{"steel", 7850}};
  content::Part part;
  part.name = name;
  part.material = 0;
  const bool isHalfSpace = std::holds_alternative<physics::HalfSpace>(shape);
  const bool isFixed = scene.parts.empty() || isHalfSpace;
  part.motion = isFixed ? physics::MotionType::fixed : physics::MotionType::dynamic;
  if (!isHalfSpace) part.mass = physics::massProperties(shape, 7850);
  part.shape = std::move(shape);
  part.X_WP.p = position;
  scene.parts.push_back(std::move(part));
  return static_cast<int>(scene.parts.size()) - 1;
}

/// A scene without parts.
inline content::Scene emptyScene() {
  content::Scene scene;
  scene.file = "test.json";
  scene.name = scene.title = "test";
  scene.unit = "mm";
  return scene;
}

/// A ring about z of rectangular section.
inline physics::SolidOfRevolution ringOf(double inner, double outer, double halfHeight) {
  physics::SolidOfRevolution ring;
  ring.profile = {{-halfHeight, inner},
                  {-halfHeight, outer},
                  {halfHeight, outer},
                  {halfHeight, inner},
                  {-halfHeight, inner}};
  return ring;
}

}  // namespace tenon::tests
