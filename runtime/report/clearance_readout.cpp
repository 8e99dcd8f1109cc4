// See clearance_readout.h.
#include "runtime/report/clearance_readout.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "content/model/hole_sites.h"
#include "physics/collision/bullet/bullet_collider.h"
#include "runtime/assess/insertion_fit.h"
#include "runtime/report/units_text.h"

namespace tenon::runtime {

namespace {

using physics::Pose;
using physics::Vector3d;
using xr::PickedFeature;
using Kind = PickedFeature::Kind;

constexpr double kNear = 1e-3;  ///< first search distance [m], then four times as far each time

const Pose& poseOf(std::span<const Pose> X_WP, int part) {
  return X_WP[static_cast<std::size_t>(part)];
}

}  // namespace

std::optional<PartGap> ClearanceReadout::gapBetween(int a, int b, std::span<const Pose> X_WP) {
  if (a == b) return std::nullopt;
  const auto shapeOf = [this](int part) { return scene_.part(part).shape; };
  if (a_ != a || b_ != b) {
    collider_ = physics::makeBulletCollider();
    for (const int part : {a, b}) {
      const physics::Shape& shape = shapeOf(part);
      collider_->addBody(shape, Vector3d::Zero(), !std::holds_alternative<physics::HalfSpace>(shape));
    }
    a_ = a;
    b_ = b;
  }
  const physics::BodyPair pair{{0}, {1}};
  for (double range = kNear; range < kMaxDistance; range *= 4) {
    contacts_.clear();
    collider_->findContacts(pair, poseOf(X_WP, a), poseOf(X_WP, b), range, contacts_);
    const auto nearest = std::min_element(
        contacts_.begin(), contacts_.end(),
        [](const physics::Contact& x, const physics::Contact& y) { return x.separation < y.separation; });
    if (nearest == contacts_.end()) continue;
    const Vector3d half = 0.5 * nearest->separation * nearest->n;
    return PartGap{nearest->separation, nearest->p - half, nearest->p + half};
  }
  return std::nullopt;
}

std::optional<double> ClearanceReadout::clearanceOf(const PickedFeature& hole,
                                                    const PickedFeature& pin) const {
  if (hole.kind != Kind::hole || pin.kind != Kind::axis || hole.part == pin.part) return std::nullopt;
  const content::Part& into = scene_.part(hole.part);
  const auto sites = content::holesOf(into.shape);
  content::Goal goal;
  goal.part = pin.part;
  goal.feature = pin.index;
  goal.into = hole.part;
  goal.hole = hole.name;
  goal.X_IH = hole.X_PF;
  goal.depth = sites[static_cast<std::size_t>(hole.index)].depth();
  const InsertionFit fit = insertionFitOf(scene_, goal);
  return fit.known() ? std::optional(fit.clearance()) : std::nullopt;
}

AxisFit ClearanceReadout::axesOf(const PickedFeature& a, const PickedFeature& b,
                                 std::span<const Pose> X_WP) const {
  const Pose X_AB = (poseOf(X_WP, a.part) * a.X_PF).inverse() * (poseOf(X_WP, b.part) * b.X_PF);
  const Vector3d z = X_AB.q * Vector3d::UnitZ();
  AxisFit axes;
  axes.offset = X_AB.p.head<2>().norm();
  axes.tilt = std::atan2(z.head<2>().norm(), std::abs(z.z()));
  axes.depth = -X_AB.p.z();
  axes.clearance = clearanceOf(a, b);
  return axes;
}

std::string ClearanceReadout::nameOf(const PickedFeature& feature) const {
  const std::string& part = scene_.part(feature.part).name;
  return feature.name.empty() ? part : part + "/" + feature.name;
}

ClearanceReading ClearanceReadout::read(const PickedFeature& a, const PickedFeature& b,
                                        std::span<const Pose> X_WP) {
  if (b.kind == Kind::hole && a.kind != Kind::hole) return read(b, a, X_WP);  // the hole first
  ClearanceReading reading;
  reading.gap = gapBetween(std::min(a.part, b.part), std::max(a.part, b.part), X_WP);
  if (a.kind != Kind::part && b.kind != Kind::part) reading.axes = axesOf(a, b, X_WP);
  reading.text = fmt::format("{} to {}:", nameOf(a), nameOf(b));
  if (const auto& gap = reading.gap)
    reading.text += gap->distance < 0 ? fmt::format(" they overlap by {}", smallLengthText(-gap->distance))
                                      : fmt::format(" {} apart", smallLengthText(gap->distance));
  else
    reading.text += a.part == b.part ? " the same part" : " too far apart to measure";
  if (const auto& axes = reading.axes) {
    if (axes->clearance)
      reading.text += fmt::format(", {} of diametral {}", smallLengthText(std::abs(*axes->clearance)),
                                  *axes->clearance < 0 ? "interference" : "clearance");
    reading.text += fmt::format(", axes {} beside each other and tilted {}", smallLengthText(axes->offset),
                                degreesText(axes->tilt));
    if (a.kind == Kind::hole && b.kind == Kind::axis)
      reading.text += fmt::format(", {} {} the mouth", smallLengthText(std::abs(axes->depth)),
                                  axes->depth < 0 ? "above" : "below");
  }
  return reading;
}

}  // namespace tenon::runtime
