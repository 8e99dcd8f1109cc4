// See thread_model.h.
#include "content/recognize/thread_model.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tenon::content {
namespace {

using Eigen::Vector2d;

double distanceFromSide(const Vector2d& p, const Vector2d& a, const Vector2d& b) {
  const Vector2d along = b - a;
  const double length = along.squaredNorm();
  const double t = length > 0 ? std::clamp((p - a).dot(along) / length, 0.0, 1.0) : 0;
  return (p - a - t * along).norm();
}

}  // namespace

double ThreadModel::rise() const {
  return (isLeftHanded ? -1 : 1) * starts * pitch / (2 * std::numbers::pi);
}

ThreadModel::Point ThreadModel::at(const Vector3d& p) const {
  const Vector3d w = p - axis.origin;
  const double x = w.dot(axis.x), y = w.dot(axis.y), z = w.dot(axis.z);
  return {std::sqrt(x * x + y * y), z, std::remainder(z - rise() * (std::atan2(y, x) - phase), pitch)};
}

Vector2d ThreadModel::radiusAndHeightOf(const Vector3d& p) const {
  const Vector3d w = p - axis.origin;
  const double x = w.dot(axis.x), y = w.dot(axis.y);
  return {std::sqrt(x * x + y * y), w.dot(axis.z)};
}

double ThreadModel::halfWidth(double r) const {
  return pitch / 4 + (isInternal ? 1 : -1) * std::tan(halfAngle) * (r - pitchRadius);
}

double ThreadModel::distance(const Point& p, ThreadFace face) const {
  if (face == ThreadFace::crest) return isInternal ? crestRadius - p.r : p.r - crestRadius;
  if (face == ThreadFace::root) return height(p.r);
  const double slope = std::tan(halfAngle), lead = p.r > 0 ? rise() / p.r : 0;
  return (std::abs(p.away) - halfWidth(p.r)) / std::sqrt(1 + slope * slope + lead * lead);
}

ThreadFace ThreadModel::closestFace(const Point& p, double& distance) const {
  const Vector2d at(std::abs(p.away), height(p.r));
  const Vector2d crest(halfWidth(crestRadius), depth()), root(halfWidth(rootRadius), 0);
  const std::array<double, 3> distances{distanceFromSide(at, {0, crest.y()}, crest),
                                        distanceFromSide(at, crest, root),
                                        distanceFromSide(at, root, {pitch / 2, 0})};
  const auto best = std::min_element(distances.begin(), distances.end());
  distance = *best;
  return static_cast<ThreadFace>(best - distances.begin());
}

double ThreadModel::signedDistance(const Point& p) const {
  return std::max(distance(p, ThreadFace::crest),
                  std::min(distance(p, ThreadFace::flank), distance(p, ThreadFace::root)));
}

physics::Thread ThreadModel::thread(double low, double high) const {
  physics::Thread t;
  t.isInternal = isInternal;
  t.pitch = pitch;
  t.pitchDiameter = 2 * pitchRadius;
  t.majorDiameter = 2 * (isInternal ? rootRadius : crestRadius);
  t.minorDiameter = 2 * (isInternal ? crestRadius : rootRadius);
  t.halfAngle = halfAngle;
  t.starts = starts;
  t.isLeftHanded = isLeftHanded;
  t.phase = phase;
  t.low = low;
  t.high = high;
  return t;
}

}  // namespace tenon::content
