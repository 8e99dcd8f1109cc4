// The re-simulation thread.
#include "runtime/replay/ghost.h"

#include <exception>
#include <iterator>
#include <utility>

#include "runtime/record/resimulation.h"
#include "xr/hands/pose_interpolation.h"

namespace tenon::runtime {

Ghost::Ghost(std::string file, std::shared_ptr<const content::Scene> scene,
             const physics::WorldOptions& options)
    : file_(std::move(file)), scene_(std::move(scene)), options_(options), thread_([this] { runThread(); }) {}

Ghost::~Ghost() {
  stop_ = true;
  thread_.join();
}

GhostStatus Ghost::status() const {
  const std::lock_guard lock(mutex_);
  return status_;
}

bool Ghost::posesAt(double time, std::vector<physics::Pose>& X_WP) const {
  const std::lock_guard lock(mutex_);
  if (poses_.empty() || time < poses_.begin()->first || time > status_.time) return false;
  const auto after = poses_.lower_bound(time);
  if (after == poses_.end()) {
    X_WP = poses_.rbegin()->second;
    return true;
  }
  X_WP = after->second;
  if (after == poses_.begin()) return true;
  const auto before = std::prev(after);
  const double fraction = (time - before->first) / (after->first - before->first);
  for (std::size_t k = 0; k < X_WP.size(); ++k)
    X_WP[k] = xr::interpolatePose(before->second[k], after->second[k], fraction);
  return true;
}

void Ghost::runThread() {
  std::string problem;
  try {
    simulate();
  } catch (const std::exception& error) {  // any failure: the record is still shown
    problem = error.what();
  }
  const std::lock_guard lock(mutex_);
  status_.done = true;
  status_.problem = problem;
}

void Ghost::simulate() {
  SessionReader session(file_);
  Resimulation resimulation(session, *scene_, options_);
  const physics::World& world = resimulation.world();
  RecordedStep recorded;
  while (!stop_ && session.next(recorded)) {
    resimulation.step(recorded);
    const bool differs = world.stateHash() != recorded.stateHash;
    GhostStatus now = status_;  // only this thread writes it
    now.tick = recorded.tick;
    now.time = recorded.time;
    if (differs && !now.firstDifferent) {
      now.firstDifferent = recorded.tick;
      now.firstDifferentTime = recorded.time;
    }
    std::vector<physics::Pose> poses;
    if (recorded.keyframe && now.firstDifferent) {
      const std::vector<physics::BodyState>& states = world.stepResult().bodies;
      for (std::size_t b = 0; b < states.size(); ++b) {
        poses.push_back(world.partPose({static_cast<int>(b)}, states[b]));
        const double distance = (states[b].X_WC.p - recorded.states[b].X_WC.p).norm();
        if (distance <= now.maxDistance) continue;
        now.maxDistance = distance;
        now.body = static_cast<int>(b);
        now.maxDistanceTime = recorded.time;
      }
    }
    const std::lock_guard lock(mutex_);
    status_ = std::move(now);
    if (!poses.empty()) storePoses(recorded.time, std::move(poses));
  }
}

void Ghost::storePoses(double time, std::vector<physics::Pose> poses) {
  if (sampleCount_++ % sampleInterval_ != 0) return;
  const std::size_t bytes = poses.size() * sizeof(physics::Pose);
  poses_[time] = std::move(poses);
  if (poses_.size() * bytes < kMaxBytes) return;
  sampleInterval_ *= 2;
  bool erase = false;
  for (auto pose = poses_.begin(); pose != poses_.end(); erase = !erase)
    pose = erase ? poses_.erase(pose) : std::next(pose);
}

}  // namespace tenon::runtime
