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

/// Rounding moves each of four components by at most half of this, so that the quaternion turns by at most
/// 2 · half · √4 = two quanta, and a point at `reach` [m] moves by that angle times its distance.
double rotationQuantum(double reach) {
  constexpr double kLargest = 1e-4;  // of a body without extent, whose rotation is still shown
  return std::min(kLargest, kPoseAccuracy / 2 / (2 * std::max(reach, 1e-9)));
}

}  // namespace

PoseTrack::PoseTrack(double reach)
    : position_{NumberTrack{kPositionQuantum, Prediction::linear},
                NumberTrack{kPositionQuantum, Prediction::linear},
                NumberTrack{kPositionQuantum, Prediction::linear}},
      rotation_{NumberTrack{rotationQuantum(reach), Prediction::linear},
                NumberTrack{rotationQuantum(reach), Prediction::linear},
                NumberTrack{rotationQuantum(reach), Prediction::linear},
                NumberTrack{rotationQuantum(reach), Prediction::linear}} {}

void PoseTrack::add(const physics::Pose& X) {
  for (std::size_t k = 0; k < 3; ++k) position_[k].add(X.p[static_cast<Eigen::Index>(k)]);
  Eigen::Vector4d q{X.q.w(), X.q.x(), X.q.y(), X.q.z()};
  if (q.dot(last_) < 0) q = -q;
  for (std::size_t k = 0; k < 4; ++k) rotation_[k].add(q[static_cast<Eigen::Index>(k)]);
  last_ = q;
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
