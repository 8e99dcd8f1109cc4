// See scene_picture.h.
#include "runtime/session/scene_picture.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <span>
#include <utility>

#include "content/input/input_error.h"
#include "runtime/session/usage.h"
#include "xr/appearance/fit_view.h"
#include "xr/render/scene_bounds.h"

namespace tenon::runtime {

namespace {

using content::InputError;

/// `text` as a number; std::nullopt unless all of it is one.
template <class Number>
std::optional<Number> parseNumber(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// Parses "y=12.5" [mm]; the half space on the camera's side is cut away. `from`: direction to the camera.
xr::SectionPlane sectionOf(const std::string& text, const physics::Vector3d& from) {
  const int axis = text.size() > 2 && text[1] == '=' ? text[0] - 'x' : -1;
  const auto offset =
      axis >= 0 && axis < 3 ? parseNumber<double>(std::string_view(text).substr(2)) : std::nullopt;
  if (!offset || !std::isfinite(*offset))
    throw InputError("--section", text, "is not a plane perpendicular to an axis",
                     "write it as AXIS=OFFSET in millimeters, such as y=0 or z=-12.5");
  xr::SectionPlane plane;
  const double sign = from[axis] < 0 ? -1 : 1;
  plane.normal = sign * physics::Vector3d::Unit(axis);
  plane.offset = sign * 1e-3 * *offset;
  return plane;
}

std::optional<std::size_t> partNamed(const content::Scene& scene, const std::string& name) {
  for (std::size_t k = 0; k < scene.parts.size(); ++k)
    if (scene.parts[k].name == name) return k;
  return std::nullopt;
}

/// "did you mean …? " with the most similar view or part, or "".
std::string suggestionFor(const std::string& wrong, const content::Scene& scene) {
  std::vector<std::string> names = xr::viewNames();
  for (const content::Part& part : scene.parts) names.push_back(part.name);
  return didYouMean(wrong, names);
}

/// The content and direction of the view.
struct ViewTarget {
  physics::Vector3d from;           ///< direction to the camera
  std::optional<std::size_t> part;  ///< std::nullopt: the whole scene
};

ViewTarget viewTargetOf(const content::Scene& scene, const std::string& name) {
  if (const auto direction = xr::viewDirection(name)) return {*direction, std::nullopt};
  const auto part = partNamed(scene, name);
  if (part && std::holds_alternative<physics::HalfSpace>(scene.parts[*part].shape))
    throw InputError("--view", name, "is infinite, so it does not fit into an image", "name another part");
  if (part) return {*xr::viewDirection("iso"), part};
  throw InputError("--view", name, "is neither a view nor a part of the scene",
                   suggestionFor(name, scene) +
                       fmt::format("name one of {}or a part listed by tenon check", viewNameList()));
}

/// Corners of the shown parts, in the world [m]; `part`: of this one alone.
std::vector<physics::Vector3d> pointsOf(std::optional<std::size_t> part, const xr::PartMeshes& meshes,
                                        std::span<const physics::Pose> poses) {
  std::vector<physics::Vector3d> points;
  for (std::size_t k = 0; k < poses.size(); ++k)
    if (meshes.of(k) && (!part || *part == k))
      for (const physics::Vector3d& p : meshes.of(k)->positions) points.push_back(poses[k] * p);
  return points;
}

}  // namespace

std::string viewNameList() {
  std::string list;
  for (const std::string& name : xr::viewNames()) list += name + ", ";
  return list;
}

ScenePicture::ScenePicture(std::shared_ptr<const content::Scene> scene, PictureOptions options)
    : scene_(std::move(scene)), options_(std::move(options)), meshes_(*scene_) {
  const ViewTarget target = viewTargetOf(*scene_, options_.view);
  from_ = target.from;
  part_ = target.part;
  bounds_.resize(scene_->parts.size());
  for (std::size_t k = 0; k < bounds_.size(); ++k)
    if (meshes_.of(k))
      for (const physics::Vector3d& p : meshes_.of(k)->positions) bounds_[k].extend(p);
  if (options_.section) section_ = sectionOf(*options_.section, from_);
  for (const std::string& name : options_.xray) {
    const auto part = partNamed(*scene_, name);
    if (!part || !meshes_.of(*part))
      throw InputError("--xray", name, "is not a visible part",
                       suggestionFor(name, *scene_) + "name a part listed by tenon check");
  }
}

/// Instances are in the order of the parts that have a mesh.
void ScenePicture::makeTransparent(xr::RenderScene& renderScene) const {
  for (const std::string& name : options_.xray) {
    const std::size_t part = partNamed(*scene_, name).value();
    std::size_t instance = 0;
    for (std::size_t k = 0; k < part; ++k) instance += meshes_.of(k) ? 1 : 0;
    renderScene.instances[instance].surface.opacity = 0.22;
  }
}

xr::RenderScene ScenePicture::renderScene(std::span<const physics::Pose> X_WP,
                                          const physics::StepResult& step,
                                          const std::optional<xr::ForceScale>& scale) const {
  xr::RenderScene picture = xr::compose(*scene_, meshes_, {X_WP.begin(), X_WP.end()});
  makeTransparent(picture);
  if (section_) picture.section = *section_;
  if (options_.forces) xr::addForces(picture, *scene_, step, scale);
  return picture;
}

void ScenePicture::addCorners(std::size_t part, const physics::Pose& X_WP,
                              std::vector<physics::Vector3d>& points) const {
  if (bounds_[part].isEmpty() || (part_ && *part_ != part)) return;
  for (int corner = 0; corner < 8; ++corner)
    points.push_back(X_WP * bounds_[part].corner(static_cast<Eigen::AlignedBox3d::CornerType>(corner)));
}

double ScenePicture::radiusAt(std::span<const physics::Pose> X_WP) const {
  return xr::boundsOf(xr::compose(*scene_, meshes_, {X_WP.begin(), X_WP.end()})).radius;
}

xr::View ScenePicture::viewOf(std::span<const physics::Vector3d> points, const ImageSize& size) const {
  const double aspect = static_cast<double>(size.width) / size.height;
  return options_.orthographic ? xr::fitOrthographic(points, from_, aspect)
                               : xr::fitView(points, from_, aspect);
}

xr::Image ScenePicture::draw(xr::Offscreen& display, const ImageSize& size,
                             const physics::World& world) const {
  std::vector<physics::Pose> poses;
  for (std::size_t k = 0; k < world.bodyCount(); ++k)
    poses.push_back(world.partPose({static_cast<int>(k)}, world.stepResult().bodies[k]));
  const xr::RenderScene picture = renderScene(poses, world.stepResult());
  std::vector<physics::Vector3d> points = pointsOf(part_, meshes_, poses);
  for (const xr::Arrow& arrow : picture.arrows)
    if (!part_) points.push_back(arrow.tail + arrow.vector);
  const xr::View view = viewOf(points, size);
  return display.draw({&view, 1}, picture);
}

}  // namespace tenon::runtime
