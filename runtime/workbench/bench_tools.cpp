// A click selects; a part that is selected can be dragged at once.
#include "runtime/workbench/bench_tools.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <utility>

#include "content/model/part_holes.h"

namespace tenon::runtime {

namespace {

using Kind = xr::WindowInput::Kind;
using Feature = xr::PickedFeature::Kind;

constexpr double kClickRadius =
    0.006;  ///< motion of the mouse that is still a click, of the image's height [-]

xr::View viewOf(const BenchPicture& picture) {
  return picture.view.camera.view(picture.aspect);
}

Eigen::Vector2d pixel(const BenchPicture& picture, double x, double y) {
  return {x * picture.aspect * picture.height_px, y * picture.height_px};
}

GizmoPicture gizmoPicture(const xr::View& view, const BenchPicture& picture) {
  return {view, picture.aspect * picture.height_px, picture.height_px};
}

GizmoTool gizmoTool(ArrangeTool tool) {
  return tool == ArrangeTool::turn ? GizmoTool::turn : GizmoTool::move;
}

bool picksFeatures(ArrangeTool tool) {
  return tool == ArrangeTool::snap || tool == ArrangeTool::goal;
}

std::string featureText(const content::Scene& scene, const xr::PickedFeature& feature) {
  const std::string& part = scene.part(feature.part).name;
  return feature.kind == Feature::part ? "a face of " + part : part + "/" + feature.name;
}

/// Shows an error of an edit in the status bar.
template <class Edit>
void attempt(ViewState& view, const Edit& edit) {
  try {
    edit();
  } catch (const std::exception& error) {
    view.showNotice(error.what());
  }
}

}  // namespace

std::optional<GizmoPlace> gizmoOf(const BenchPicture& picture) {
  const int part = picture.bench.selectedPart();
  if (part < 0 || picksFeatures(picture.arrange.tool) || picture.bench.isRepeated(part)) return std::nullopt;
  const auto index = static_cast<std::size_t>(part);
  const Eigen::AlignedBox3d& box = picture.bench.sceneView().boxes[index];
  const physics::Pose& X_WP = picture.bench.drawn().X_WP[index];
  GizmoPlace place;
  place.p_W = box.isEmpty() ? X_WP.p : X_WP * physics::Vector3d(box.center());
  if (picture.arrange.partAxes) place.q = X_WP.q;
  const xr::View view = viewOf(picture);
  place.size = gizmoSize(gizmoPicture(view, picture), place.p_W);
  return place;
}

std::optional<xr::PartHit> BenchTools::hitAt(const BenchPicture& picture) const {
  if (x_ < 0 || x_ > 1 || y_ < 0 || y_ > 1) return std::nullopt;
  SceneView& scene = picture.bench.sceneView();
  return scene.picker.pick(xr::rayThrough(viewOf(picture), x_, y_), picture.bench.drawn().X_WP,
                           scene.seeThrough);
}

/// With Shift the face at the mouse, else the hole or the end there.
std::optional<xr::PickedFeature> BenchTools::featureAt(const BenchPicture& picture,
                                                       const std::optional<xr::PartHit>& hit) const {
  if (x_ < 0 || x_ > 1 || y_ < 0 || y_ > 1) return std::nullopt;
  const std::vector<physics::Pose>& X_WP = picture.bench.drawn().X_WP;
  if (!faces_)
    return picture.bench.sceneView().picker.featureAt(xr::rayThrough(viewOf(picture), x_, y_), hit, X_WP);
  if (!hit) return std::nullopt;
  const physics::Pose X_PW = X_WP[static_cast<std::size_t>(hit->part)].inverse();
  return xr::PickedFeature{
      Feature::part,
      hit->part,
      "",
      -1,
      {physics::shortestRotation(physics::Vector3d::UnitZ(), X_PW.q * hit->normal_W), X_PW * hit->p_W}};
}

bool BenchTools::handleInput(const xr::WindowInput& input, const BenchPicture& picture) {
  if (input.kind == Kind::key && drag_ && input.key >= 'X' && input.key <= 'Z') {
    drag_->lock(input.key - 'X');
    drag(picture, input.control);
    return true;
  }
  if (input.kind == Kind::key || input.kind == Kind::keyUp || input.kind == Kind::drop)
    return drag_.has_value();
  x_ = (input.x - picture.area.x) / picture.area.width;
  y_ = (input.y - picture.area.y) / picture.area.height;
  faces_ = input.shift;
  if (std::hypot((x_ - pressX_) * picture.aspect, y_ - pressY_) > kClickRadius) moved_ = true;
  if (drag_ && input.kind == Kind::move) drag(picture, input.control);
  if (input.kind == Kind::press && input.button == xr::MouseButton::left) return press(input, picture);
  if (input.kind == Kind::release && input.button == xr::MouseButton::left && drag_) {
    release(picture);
    return true;
  }
  return drag_.has_value() && input.kind != Kind::move;
}

bool BenchTools::press(const xr::WindowInput& input, const BenchPicture& picture) {
  pressX_ = x_;
  pressY_ = y_;
  moved_ = false;
  if (picture.overPanels || input.alt || input.control) return false;
  if (picksFeatures(picture.arrange.tool)) {
    const bool onPart = hitAt(picture).has_value() || picture.arrange.hovered.has_value();
    if (onPart) pickFeature(picture);
    return onPart;
  }
  if (pressHandle(picture)) return true;
  const auto hit = hitAt(picture);
  if (!hit) {
    picture.bench.select({});
    return false;
  }
  const bool wasSelected = hit->part == picture.bench.selectedPart();
  picture.bench.selectPart(hit->part);
  picture.arrange.scrollToSelection = true;
  if (!wasSelected) return true;
  if (const auto place = gizmoOf(picture)) {
    dragged_ = hit->part;
    X_ = picture.bench.drawn().X_WP[static_cast<std::size_t>(dragged_)];
    drag_.emplace(*place, GizmoTool::move, -1, X_, hit->p_W);
    drag(picture, false);
  }
  return true;
}

bool BenchTools::pressHandle(const BenchPicture& picture) {
  const auto place = gizmoOf(picture);
  if (!place) return false;
  const xr::View view = viewOf(picture);
  const GizmoTool tool = gizmoTool(picture.arrange.tool);
  const int axis = handleAt(*place, tool, gizmoPicture(view, picture), pixel(picture, x_, y_));
  if (axis < 0) return false;
  dragged_ = picture.bench.selectedPart();
  X_ = picture.bench.drawn().X_WP[static_cast<std::size_t>(dragged_)];
  drag_.emplace(*place, tool, axis, X_, place->p_W);
  drag(picture, false);
  return true;
}

void BenchTools::drag(const BenchPicture& picture, bool steps) {
  const xr::View view = viewOf(picture);
  const physics::Pose X = drag_->poseAt(gizmoPicture(view, picture), pixel(picture, x_, y_), steps);
  X_ = moved_ ? X : drag_->start();
  if (dragged_ < static_cast<int>(picture.bench.drawn().X_WP.size())) picture.bench.showPart(dragged_, X_);
}

void BenchTools::release(const BenchPicture& picture) {
  const bool changed = moved_;
  drag_.reset();
  if (changed && dragged_ < static_cast<int>(picture.bench.scene().parts.size()))
    attempt(picture.view, [&] { picture.bench.movePart(dragged_, X_); });
}

void BenchTools::cancel(Workbench& bench) {
  if (drag_ && dragged_ < static_cast<int>(bench.drawn().X_WP.size()))
    bench.showPart(dragged_, drag_->start());
  drag_.reset();
}

void BenchTools::pickFeature(const BenchPicture& picture) {
  if (!picture.arrange.hovered) return;
  const xr::PickedFeature feature = *picture.arrange.hovered;
  picture.bench.selectPart(feature.part);
  if (!picture.arrange.picked || picture.arrange.picked->part == feature.part) {
    picture.arrange.picked = feature;
    return;
  }
  const xr::PickedFeature first = *std::exchange(picture.arrange.picked, std::nullopt);
  if (picture.arrange.tool == ArrangeTool::goal) return addGoal(picture, first, feature);
  picture.bench.selectPart(first.part);
  snap(picture, first, feature);
}

void BenchTools::snap(const BenchPicture& picture, const xr::PickedFeature& moving,
                      const xr::PickedFeature& target) {
  if (picture.bench.isRepeated(moving.part))
    return picture.view.showNotice("The pose of " + picture.bench.scene().part(moving.part).name +
                                   " is an expression of its \"count\"; change it in the file.");
  const auto pose = [&](int part) { return picture.bench.drawn().X_WP[static_cast<std::size_t>(part)]; };
  const Snap snap{moving, target, 1e-3 * picture.arrange.snapDistance_mm};
  attempt(picture.view,
          [&] { picture.bench.movePart(moving.part, snapped(snap, pose(moving.part), pose(target.part))); });
  picture.view.showNotice(fmt::format("{} is aligned with {}.", featureText(picture.bench.scene(), moving),
                                      featureText(picture.bench.scene(), target)));
}

void BenchTools::addGoal(const BenchPicture& picture, const xr::PickedFeature& a,
                         const xr::PickedFeature& b) {
  const bool holeFirst = a.kind == Feature::hole;
  const xr::PickedFeature &hole = holeFirst ? a : b, &end = holeFirst ? b : a;
  if (hole.kind != Feature::hole || end.kind != Feature::axis)
    return picture.view.showNotice(
        "A goal needs an end of a part and a hole of another: click on the shaft, then on the hole.");
  const content::Scene& scene = picture.bench.scene();
  const auto mouth = content::mouthOf(scene.part(hole.part), hole.name);
  if (!mouth) return;
  attempt(picture.view, [&] {
    const content::GoalDraft draft = goalDraft(scene, end.part, end.index, hole.part, *mouth);
    picture.bench.edit("goal " + draft.part + " into " + draft.into, [&](content::JsonText& text) {
      content::addGoal(text, picture.bench.newestScene(), draft);
    });
    picture.bench.select({BenchSelection::Kind::goal, scene.goals.size()});
  });
}

void BenchTools::updateHover(const BenchPicture& picture) {
  hoveredHandle_ = -1;
  picture.view.hoveredPart.reset();
  picture.arrange.hovered.reset();
  if (picture.overPanels || drag_) return;
  const auto hit = hitAt(picture);
  if (picksFeatures(picture.arrange.tool)) {
    picture.arrange.hovered = featureAt(picture, hit);
  } else if (const auto place = gizmoOf(picture)) {
    const xr::View view = viewOf(picture);
    hoveredHandle_ = handleAt(*place, gizmoTool(picture.arrange.tool), gizmoPicture(view, picture),
                              pixel(picture, x_, y_));
  }
  if (hoveredHandle_ < 0 && !picture.arrange.hovered) picture.view.hoveredPart = hit;
}

}  // namespace tenon::runtime
