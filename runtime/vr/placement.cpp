// See placement.h.
#include "runtime/vr/placement.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tenon::runtime {

using physics::Pose;
using physics::Quaterniond;
using physics::Vector3d;

namespace {

constexpr double kBelowEyes = 0.45;  ///< a table's top, for who stands or sits at it [m]
constexpr double kInView = 0.85;     ///< share of the field of view downwards that is used [-]
constexpr double kLowest = 0.4;      ///< a table's top over the floor: below it a headset lies somewhere [m]

/// Of the scene's middle from the head [m].
double awayFrom(const Eigen::AlignedBox3d& box, const Table& table) {
  return std::max(table.distance, table.nearest + 0.5 * box.sizes().y());
}

Eigen::AlignedBox3d boxOf(const Eigen::AlignedBox3d& parts) {
  return parts.isEmpty() ? Eigen::AlignedBox3d(Vector3d::Zero(), Vector3d::Zero()) : parts;
}

}  // namespace

double visibleTableHeight(const Eigen::AlignedBox3d& parts, const Table& table, double eyesHeight,
                          double down) {
  const Eigen::AlignedBox3d box = boxOf(parts);
  // The edge that is nearest to the person is the lowest in the picture.
  const double edge = awayFrom(box, table) - 0.5 * box.sizes().y();
  return std::max(kLowest, eyesHeight - std::min(kBelowEyes, kInView * down * edge));
}

Pose placeRoom(const Pose& X_SHead, const Eigen::AlignedBox3d& parts, const Table& table, double headHeight) {
  const Vector3d ahead = X_SHead.q * -Vector3d::UnitZ(), up = X_SHead.q * Vector3d::UnitY();
  // Who looks straight down or up has the crown, or the chin, in front.
  const Vector3d level = std::hypot(ahead.x(), ahead.z()) > 0.2 ? ahead : ahead.y() < 0 ? up : Vector3d(-up);
  const double turn = std::atan2(-level.x(), -level.z());  // about y, from −z
  const Eigen::AlignedBox3d box = boxOf(parts);
  const double away = awayFrom(box, table);
  const double floor = headHeight < 0 ? 0 : X_SHead.p.y() - headHeight;
  const Vector3d middle_W(box.center().x(), box.center().y(), box.min().z());
  const Vector3d middle_S(X_SHead.p.x() - away * std::sin(turn), floor + table.height,
                          X_SHead.p.z() - away * std::cos(turn));
  Pose X_SW;
  X_SW.q = Quaterniond(Eigen::AngleAxisd(turn, Vector3d::UnitY())) *
           Quaterniond(Eigen::AngleAxisd(-std::numbers::pi / 2, Vector3d::UnitX()));
  X_SW.p = middle_S - X_SW.q * middle_W;
  return X_SW.inverse();
}

}  // namespace tenon::runtime
