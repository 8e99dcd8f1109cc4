// See pose_track.h.
#include "runtime/web/pose_track.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace tenon::runtime {

namespace {

using Json = nlohmann::json;

// Half of the accuracy for position, half for rotation.
/// Rounding moves each of three coordinates by at most half of this [m].
const double kPositionQuantum = kPoseAccuracy / std::sqrt(3.0);

NumberTrack linearTrack(double quantum) {
  return {quantum, Prediction::linear};
}

}  // namespace

/// Rounding moves each of four components by at most half of the quantum, so that the quaternion turns by at
/// most 2 · half · √4 = two quanta, and a point at `reach` [m] moves by that angle times its distance.
PoseQuanta poseQuantaFor(double reach) {
  constexpr double kLargest = 1e-4;  // of a body without extent, whose rotation is still shown
  return {kPositionQuantum, std::min(kLargest, kPoseAccuracy / 2 / (2 * std::max(reach, 1e-9)))};
}

Eigen::Vector4d continuedQuaternion(const physics::Quaterniond& q, const Eigen::Vector4d& last) {
  Eigen::Vector4d components{q.w(), q.x(), q.y(), q.z()};
  const double length = components.norm();
  if (!(length > 0)) return {1, 0, 0, 0};
  components /= length;
  return components.dot(last) < 0 ? Eigen::Vector4d(-components) : components;
}

PoseTrack::PoseTrack(double reach)
    : position_{linearTrack(poseQuantaFor(reach).position), linearTrack(poseQuantaFor(reach).position),
                linearTrack(poseQuantaFor(reach).position)},
      rotation_{linearTrack(poseQuantaFor(reach).rotation), linearTrack(poseQuantaFor(reach).rotation),
                linearTrack(poseQuantaFor(reach).rotation), linearTrack(poseQuantaFor(reach).rotation)} {}

void PoseTrack::add(const physics::Pose& X) {
  for (std::size_t k = 0; k < 3; ++k) position_[k].add(X.p[static_cast<Eigen::Index>(k)]);
  last_ = continuedQuaternion(X.q, last_);
  for (std::size_t k = 0; k < 4; ++k) rotation_[k].add(last_[static_cast<Eigen::Index>(k)]);
}

Json PoseTrack::finish(StreamTable& streams) const {
  Json position = Json::array(), rotation = Json::array();
  for (const NumberTrack& track : position_) position.push_back(streams.add(track.bytes()));
  for (const NumberTrack& track : rotation_) rotation.push_back(streams.add(track.bytes()));
  return {{"position", position},
          {"position_quantum_m", position_[0].quantum()},
          {"rotation", rotation},
          {"rotation_quantum", rotation_[0].quantum()}};
}

}  // namespace tenon::runtime
