// Implements the mouse conventions listed in actions.h.
#include "runtime/live_view/pointer.h"

namespace tenon::runtime {

using Kind = xr::WindowInput::Kind;

std::optional<xr::PartHit> Pointer::hitAt(double x, double y, const PointerScene& scene) const {
  if (x < 0 || x > 1 || y < 0 || y > 1) return std::nullopt;
  const xr::Ray ray = xr::rayThrough(scene.state.camera.view(scene.aspect), x, y);
  return scene.sceneView.picker.pick(ray, scene.X_WP, scene.sceneView.seeThrough);
}

void Pointer::pull(const PointerScene& scene, double notches, const std::optional<xr::PartHit>& under) {
  scene.sceneView.hands.update(scene.state.camera.view(scene.aspect),
                               {x_, y_, dragsPart_, rotates_, fine_, notches}, under);
}

void Pointer::measure(const PointerScene& scene) {
  const xr::Ray ray = xr::rayThrough(scene.state.camera.view(scene.aspect), x_, y_);
  const auto feature = scene.sceneView.picker.featureAt(ray, hitAt(x_, y_, scene), scene.X_WP);
  if (!feature) return;
  auto& measured = scene.state.measured;
  if (measured.size() >= 2) measured.clear();
  measured.push_back(*feature);
}

void Pointer::press(const xr::WindowInput& input, const PointerScene& scene) {
  if (scene.overPanels) return;
  const bool left = input.button == xr::MouseButton::left;
  if (left && input.control) {
    measure(scene);
  } else if (left && !input.alt) {
    const auto hit = hitAt(x_, y_, scene);
    const bool moves =
        scene.canGrab && hit && scene.sceneView.scene->part(hit->part).motion == physics::MotionType::dynamic;
    if (!moves) {
      dragMode_ = DragMode::orbit;
    } else if (scene.scripted) {
      scene.state.showNotice("The script moves the hands. Press P to take over with the mouse.");
    } else {
      dragsPart_ = true;
      pull(scene, 0, hit);
      scene.handsMoved();
    }
  } else if (left || input.button == xr::MouseButton::middle) {
    dragMode_ = input.shift ? DragMode::pan : DragMode::orbit;
  } else if (input.button == xr::MouseButton::right) {
    dragMode_ = DragMode::pan;
  }
}

void Pointer::release(const xr::WindowInput& input, const PointerScene& scene) {
  if (input.button == xr::MouseButton::left && dragsPart_) {
    dragsPart_ = false;
    pull(scene, 0, std::nullopt);
    scene.handsMoved();
  } else {
    dragMode_ = DragMode::nothing;
  }
}

void Pointer::move(const xr::WindowInput& input, const PointerScene& scene) {
  const double x = (input.x - scene.area.x) / scene.area.width,
               y = (input.y - scene.area.y) / scene.area.height;
  const double across = (x - x_) * scene.aspect, down = y - y_;
  x_ = x;
  y_ = y;
  if (dragMode_ == DragMode::orbit) scene.state.camera.orbit(across, down);
  if (dragMode_ == DragMode::pan) scene.state.camera.pan(across, down);
  if (dragsPart_) pull(scene, 0, std::nullopt);
}

void Pointer::handleInput(const xr::WindowInput& input, const PointerScene& scene) {
  if (input.kind == Kind::key || input.kind == Kind::keyUp) {
    if (input.key == 'R') rotates_ = input.kind == Kind::key && !input.control;
    return;
  }
  if (input.kind == Kind::drop) return;
  fine_ = input.shift;
  move(input, scene);
  if (input.kind == Kind::press) press(input, scene);
  if (input.kind == Kind::release) release(input, scene);
  if (input.kind != Kind::wheel) return;
  if (dragsPart_) {
    pull(scene, input.notches, std::nullopt);
  } else if (!scene.overPanels) {
    scene.state.camera.zoom(input.notches, x_, y_, scene.aspect);
  }
}

void Pointer::updateHover(const PointerScene& scene) {
  if (scene.scripted && dragsPart_) {
    dragsPart_ = false;
    pull(scene, 0, std::nullopt);
    scene.sceneView.hands.releaseAll();
  }
  scene.state.hoveredPart.reset();
  if (!scene.overPanels && !dragsPart_ && dragMode_ == DragMode::nothing)
    scene.state.hoveredPart = hitAt(x_, y_, scene);
}

}  // namespace tenon::runtime
