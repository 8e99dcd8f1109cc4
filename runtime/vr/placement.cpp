// Table height and room pose.
#include "runtime/vr/placement.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tenon::runtime {

using physics::Pose;
using physics::Quaterniond;
using physics::Vector3d;

namespace {

constexpr double kBelowEyes = 0.45;        ///< comfortable distance of the table top below the eyes [m]
constexpr double kUsedFieldOfView = 0.85;  ///< used fraction of the lower field of view [-]
constexpr double kMinTableHeight = 0.4;  ///< minimum table height; the headset is not worn if it is lower [m]

Eigen::AlignedBox3d boxOf(const Eigen::AlignedBox3d& parts) {
  return parts.isEmpty() ? Eigen::AlignedBox3d(Vector3d::Zero(), Vector3d::Zero()) : parts;
}

}  // namespace

double centerDistance(const Eigen::AlignedBox3d& parts, const Table& table) {
  return std::max(table.distance, table.nearest + 0.5 * boxOf(parts).sizes().y());
}

double visibleTableHeight(const Eigen::AlignedBox3d& parts, const Table& table, double eyesHeight,
                          double down) {
  const Eigen::AlignedBox3d box = boxOf(parts);
  // The near edge is the lowest in the view.
  const double edge = centerDistance(box, table) - 0.5 * box.sizes().y();
  return std::max(kMinTableHeight, eyesHeight - std::min(kBelowEyes, kUsedFieldOfView * down * edge));
}

Vector3d levelDirection(const Pose& X_SHead) {
  const Vector3d ahead = X_SHead.q * -Vector3d::UnitZ(), up = X_SHead.q * Vector3d::UnitY();
  // When looking straight down or up, the head's up axis gives the horizontal direction.
  const Vector3d level = std::hypot(ahead.x(), ahead.z()) > 0.2 ? ahead : ahead.y() < 0 ? up : Vector3d(-up);
  return Vector3d(level.x(), 0, level.z()).normalized();
}

Pose placeRoom(const Pose& X_SHead, const Eigen::AlignedBox3d& parts, const Table& table, double headHeight) {
  const Vector3d level = levelDirection(X_SHead);
  const double turn = std::atan2(-level.x(), -level.z());  // about y, from −z
  const Eigen::AlignedBox3d box = boxOf(parts);
  const double distance = centerDistance(box, table);
  const double floor = headHeight < 0 ? 0 : X_SHead.p.y() - headHeight;
  const Vector3d center_W(box.center().x(), box.center().y(), box.min().z());
  const Vector3d center_S(X_SHead.p.x() - distance * std::sin(turn), floor + table.height,
                          X_SHead.p.z() - distance * std::cos(turn));
  Pose X_SW;
  X_SW.q = Quaterniond(Eigen::AngleAxisd(turn, Vector3d::UnitY())) *
           Quaterniond(Eigen::AngleAxisd(-std::numbers::pi / 2, Vector3d::UnitX()));
  X_SW.p = center_S - X_SW.q * center_W;
  return X_SW.inverse();
}

}  // namespace tenon::runtime
