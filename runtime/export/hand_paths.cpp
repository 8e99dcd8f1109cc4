// See hand_paths.h.
#include "runtime/export/hand_paths.h"

#include <algorithm>
#include <set>
#include <utility>
#include <variant>

namespace tenon::runtime {

namespace {

using physics::Pose;

bool isSamePoint(const PathPoint& a, const PathPoint& b) {
  return a.held == b.held && a.X_WH.p == b.X_WH.p && a.X_WH.q.coeffs() == b.X_WH.q.coeffs();
}

class PathReader {
 public:
  PathReader(const SessionReader& session, const content::Scene& scene, const physics::World& world)
      : world_(world) {
    paths_.hands.resize(scene.hands.size());
    for (const content::Hand& hand : scene.hands) {
      PathPoint point;
      point.X_WH = hand.X_WH;
      now_.push_back(point);
    }
    for (const SessionEvent& event : session.events())
      if (event.kind == "lost") lost_.insert({event.tick, event.hand});
  }

  void add(const RecordedStep& step) {
    for (const WorldChange& change : step.changes)
      if (const auto* to = std::get_if<ReturnTo>(&change)) goBack(to->tick);
    std::set<std::size_t> noted;
    for (const physics::Command& command : step.commands) apply(command, step, noted);
    for (std::size_t h = 0; h < now_.size(); ++h) {
      if (lost_.contains({step.tick, static_cast<int>(h)})) {
        now_[h].held = -1;
        noted.insert(h);
      }
      if (step.keyframe || noted.contains(h)) note(h, step);
    }
    if (step.keyframe) states_ = step.states;
    paths_.end = step.time;
  }

  HandPaths take() { return std::move(paths_); }

 private:
  Pose partPose(int part) const {
    return world_.partPose(physics::BodyId{part}, states_[static_cast<std::size_t>(part)]);
  }

  PathPoint* pointOf(physics::HandId hand) {
    const bool known = hand.value >= 0 && static_cast<std::size_t>(hand.value) < now_.size();
    return known ? &now_[static_cast<std::size_t>(hand.value)] : nullptr;
  }

  void apply(const physics::Command& command, const RecordedStep& step, std::set<std::size_t>& noted) {
    if (const auto* grab = std::get_if<physics::Grab>(&command)) {
      PathPoint* const point = pointOf(grab->hand);
      const int part = grab->body.value;
      if (point == nullptr || part < 0 || static_cast<std::size_t>(part) >= states_.size()) return;
      point->held = part;
      point->X_WH = grab->X_WH;
      point->X_PH = partPose(part).inverse() * grab->X_WH;
      noted.insert(static_cast<std::size_t>(grab->hand.value));
    } else if (const auto* move = std::get_if<physics::MoveHand>(&command)) {
      if (PathPoint* const point = pointOf(move->hand)) point->X_WH = move->X_WH;
    } else if (const auto* release = std::get_if<physics::Release>(&command)) {
      PathPoint* const point = pointOf(release->hand);
      if (point == nullptr) return;
      point->held = -1;
      noted.insert(static_cast<std::size_t>(release->hand.value));
      std::vector<Pose>& parts = paths_.partsAt[step.tick];
      parts.clear();
      for (std::size_t k = 0; k < states_.size(); ++k) parts.push_back(partPose(static_cast<int>(k)));
    } else if (std::holds_alternative<physics::Reset>(command)) {
      goBack(-1);
    }
  }

  /// Forgets what happened after tick `tick`.
  void goBack(std::int64_t tick) {
    for (std::size_t h = 0; h < now_.size(); ++h) {
      std::vector<PathPoint>& path = paths_.hands[h];
      while (!path.empty() && path.back().tick > tick) path.pop_back();
      now_[h].held = path.empty() ? -1 : path.back().held;
      if (!path.empty()) now_[h] = path.back();
    }
  }

  void note(std::size_t hand, const RecordedStep& step) {
    PathPoint& point = now_[hand];
    point.time = step.time;
    point.tick = step.tick;
    std::vector<PathPoint>& path = paths_.hands[hand];
    // Of a hand that waits, the first and the last point suffice.
    const std::size_t n = path.size();
    if (n >= 2 && isSamePoint(path[n - 1], point) && isSamePoint(path[n - 2], point))
      path.back() = point;
    else
      path.push_back(point);
  }

  const physics::World& world_;
  std::set<std::pair<std::int64_t, int>> lost_;  ///< (tick, hand) of broken grasps
  std::vector<physics::BodyState> states_;       ///< of the last keyframe
  std::vector<PathPoint> now_;                   ///< by hand
  HandPaths paths_;
};

}  // namespace

HandPaths handPaths(SessionReader& session, const content::Scene& scene, const physics::World& world,
                    const std::function<void(double)>& progress) {
  PathReader reader(session, scene, world);
  for (RecordedStep step; session.next(step);) {
    reader.add(step);
    if (step.keyframe) progress(step.time);
  }
  return reader.take();
}

}  // namespace tenon::runtime
