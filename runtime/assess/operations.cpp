// See operations.h; operations.md defines each figure.
#include "runtime/assess/operations.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/assess/goal_watch.h"

namespace tenon::runtime {

namespace {

using physics::Pose;
using physics::Vector3d;

const content::Part& partAt(const content::Scene& scene, int index) {
  return scene.part(index);
}

Operation operationFor(const content::Scene& scene, std::size_t goal) {
  const content::Goal& g = scene.goals[goal];
  Operation op;
  op.goal = static_cast<int>(goal);
  op.part = partAt(scene, g.part).name;
  op.into = partAt(scene, g.into).name;
  op.hole = g.hole;
  const auto first = std::find_if(scene.goals.begin(), scene.goals.end(),
                                  [&](const content::Goal& other) { return other.part == g.part; });
  const auto firstGoal = static_cast<std::size_t>(first - scene.goals.begin());
  if (firstGoal != goal) op.sameHandlingAs = static_cast<int>(firstGoal);
  op.name = g.name.empty() ? op.part + " into " + op.into + "/" + op.hole : g.name;
  return op;
}

}  // namespace

bool Operation::isReached() const {
  return std::any_of(kVerdicts.begin(), kVerdicts.end(),
                     [&](Verdict known) { return runtime::isReached(known) && verdict == toText(known); });
}

std::optional<double> Operation::duration() const {
  if (!grabbed) return std::nullopt;
  if (seated && *seated >= *grabbed) return *seated - *grabbed;
  if (released) return *released - *grabbed;
  return std::nullopt;
}

Operations::Operations(const content::Scene& scene, const physics::World& world)
    : scene_(scene),
      world_(world),
      clearances_(scene),
      handlings_(scene, world),
      previousFrames_(scene.goals.size()),
      convergedFrames_(scene.goals.size(), 0),
      headFrames_(scene.goals.size(), 0) {
  for (std::size_t k = 0; k < scene.goals.size(); ++k) {
    all_.push_back(operationFor(scene, k));
    const content::Goal& goal = scene.goals[k];
    mouths_.push_back(entryRegionOf(scene, goal));
    torqueCurves_.emplace_back();
    if (const auto threads = content::threadPairOf(scene, goal))
      torqueCurves_.back().emplace(*threads, goal,
                                   partAt(scene, goal.part).motion == physics::MotionType::fixed);
  }
  excludeClearances();
}

/// Excludes pairs that must touch, or may pass through each other.
void Operations::excludeClearances() {
  for (const content::Goal& goal : scene_.goals) {
    const bool always = std::all_of(
        scene_.goals.begin(), scene_.goals.end(),
        [&](const content::Goal& other) { return other.part != goal.part || other.into == goal.into; });
    if (always) clearances_.exclude(goal.part, goal.into);
    profile_.exclude(goal.part, goal.into);
  }
  for (const content::Joint& joint : scene_.joints) {
    if (joint.collides || joint.to < 0) continue;
    clearances_.exclude(joint.part, joint.to);
    clearances_.exclude(joint.to, joint.part);
  }
}

void Operations::add(const SessionEvent& event) {
  handlings_.add(event);
  const bool lets = event.kind == "release" || event.kind == "lost";
  for (std::optional<TorqueCurve>& curve : torqueCurves_)
    if (curve) curve->add(event);
  if (event.kind == "grab") grasps_.push_back({event.hand, event.body, event.time, std::nullopt});
  for (Grasp& grasp : grasps_)
    if (lets && grasp.hand == event.hand && !grasp.until) grasp.until = event.time;
  if (event.kind == "contact-begin") openContacts_[{event.body, event.other}] = event.time;
  if (event.kind == "contact-end") openContacts_.erase({event.body, event.other});
  for (Operation& op : all_) {
    const content::Goal& goal = scene_.goals[static_cast<std::size_t>(op.goal)];
    const bool ofPart = event.body == goal.part, between = ofPart && event.other == goal.into;
    const bool turned = event.body == goal.into && event.other == goal.part;
    if (ofPart && event.kind == "grab") {
      ++op.grasps;
      if (std::find(op.hands.begin(), op.hands.end(), event.hand) == op.hands.end() && event.hand >= 0)
        op.hands.push_back(event.hand);
      if (!op.grabbed) op.grabbed = event.time;
    }
    if (ofPart && lets) op.released = event.time;
    if (op.grabbed && !op.firstContact && event.kind == "contact-begin" && (between || turned))
      op.firstContact = event.time;
    if (event.goal != op.goal) continue;
    if (event.kind == "seated" && !op.seated) op.seated = event.time;
    if (event.kind == "jam") {
      ++op.jams;
      op.why = event.text;
    }
  }
}

void Operations::add(const ContactEpisode& episode) {
  episodes_.push_back(episode);
}

void Operations::add(const Keyframe& frame) {
  handlings_.add(frame);
  updateClearances(frame);
  for (std::size_t k = 0; k < all_.size(); ++k) {
    follow(k, frame);
    followTorque(k, frame);
    addEnd(k, frame);
  }
}

/// Minimum clearances of the goals' parts.
void Operations::updateClearances(const Keyframe& frame) {
  X_WP_.clear();
  for (std::size_t part = 0; part < scene_.parts.size(); ++part) {
    const auto id = static_cast<int>(part);
    const bool asked = std::any_of(scene_.goals.begin(), scene_.goals.end(),
                                   [&](const content::Goal& goal) { return goal.part == id; });
    const bool held = std::any_of(frame.hands.begin(), frame.hands.end(),
                                  [&](const physics::HandState& hand) { return hand.body.value == id; });
    if (!asked || !held) continue;
    for (std::size_t k = X_WP_.size(); k < scene_.parts.size(); ++k)
      X_WP_.push_back(partPose(static_cast<int>(k), frame));
    clearances_.update(id, frame.time, X_WP_);
    profile_.add(id, X_WP_);
  }
}

Pose Operations::partPose(int part, const Keyframe& frame) const {
  return world_.partPose({part}, frame.bodies[static_cast<std::size_t>(part)]);
}

InsertionPose Operations::insertionPoseAt(std::size_t goal, const Keyframe& frame) const {
  const content::Goal& g = scene_.goals[goal];
  return insertionPoseOf(scene_, g, partPose(g.into, frame), partPose(g.part, frame));
}

void Operations::follow(std::size_t goal, const Keyframe& frame) {
  const content::Goal& g = scene_.goals[goal];
  Operation& op = all_[goal];
  Vector3d force = Vector3d::Zero(), torque = Vector3d::Zero();
  const physics::HandState* holding = nullptr;
  for (const physics::HandState& hand : frame.hands) {
    if (hand.body.value != g.part) continue;
    if (holding == nullptr) holding = &hand;
    force += hand.force;
    torque += hand.torque;
  }
  if (holding == nullptr) {
    previousFrames_[goal].reset();
    return;
  }
  const Pose X_WP = partPose(g.part, frame);
  const content::AxisFeature& tip = partAt(scene_, g.part).features[static_cast<std::size_t>(g.feature)];
  op.path.emplace_back(frame.time, X_WP * tip.origin);
  if (frame.head) followHead(goal, X_WP * tip.origin, frame);
  if (previousFrames_[goal]) {
    op.held += frame.time - previousFrames_[goal]->time;
    op.handPath += (holding->X_WH.p - previousFrames_[goal]->hand).norm();
    op.partPath += (X_WP.p - previousFrames_[goal]->part).norm();
  }
  previousFrames_[goal] = PreviousFrame{frame.time, holding->X_WH.p, X_WP.p};
  if (goal < frame.goals.size() && mouths_[goal].contains(insertionPoseAt(goal, frame)))
    op.curve.push_back({frame.time, frame.goals[goal].depth, frame.goals[goal].push});
  if (!frame.converged) return;  // its forces are invalid
  const double n = ++convergedFrames_[goal];
  op.peakForce = std::max(op.peakForce, force.norm());
  op.peakTorque = std::max(op.peakTorque, torque.norm());
  op.meanForce += (force.norm() - op.meanForce) / n;
  op.meanTorque += (torque.norm() - op.meanTorque) / n;
}

void Operations::followTorque(std::size_t goal, const Keyframe& frame) {
  if (!torqueCurves_[goal]) return;
  const content::Goal& g = scene_.goals[goal];
  torqueCurves_[goal]->add(frame, partPose(g.into, frame) * g.X_IH, partPose(g.part, frame),
                           mouths_[goal].contains(insertionPoseAt(goal, frame)));
}

void Operations::followHead(std::size_t goal, const Vector3d& tip, const Keyframe& frame) {
  Operation& op = all_[goal];
  const Pose& head = *frame.head;
  const double distance = (head.p - tip).norm();
  // The head views along −z; the world's z is up, whatever the scene's gravity.
  const double gaze = std::asin(std::clamp((head.q * Vector3d::UnitZ()).z(), -1.0, 1.0));
  if (!op.head) op.head = PostureStatistics{distance, distance, gaze, gaze, 0};
  PostureStatistics& figures = *op.head;
  const double n = ++headFrames_[goal];
  figures.minDistance = std::min(figures.minDistance, distance);
  figures.meanDistance += (distance - figures.meanDistance) / n;
  figures.meanGazeDown += (gaze - figures.meanGazeDown) / n;
  figures.maxGazeDown = std::max(figures.maxGazeDown, gaze);
  for (const physics::HandState& hand : frame.hands)
    if (hand.body.value == scene_.goals[goal].part)
      figures.maxReach = std::max(figures.maxReach, (head.p - hand.X_WH.p).norm());
}

void Operations::addEnd(std::size_t goal, const Keyframe& frame) {
  Operation& op = all_[goal];
  const InsertionPose stand = insertionPoseAt(goal, frame);
  double depth = effectiveDepth(mouths_[goal], stand);
  op.lateralError = stand.offset();
  if (goal < frame.goals.size()) {
    op.tilt = frame.goals[goal].tilt;
    op.verdict = frame.goals[goal].verdict;
    if (op.verdict == toText(Verdict::tooDeep)) depth = stand.depth();
  }
  op.depthError = depth - scene_.goals[goal].depth;
}

std::vector<PairContacts> Operations::pairContactsOf(int part) const {
  std::map<std::string, PairContacts> pairContacts;
  for (const ContactEpisode& episode : episodes_) {
    if (episode.i != part && episode.j != part) continue;
    // Only the time in a hand; two hands at once count once.
    double last = episode.start, duration = 0;
    bool whileHeld = false;
    for (const Grasp& grasp : grasps_) {
      const double from = std::max(last, grasp.from),
                   to = std::min(episode.end, grasp.until.value_or(episode.end));
      if (grasp.body != part || to < from) continue;
      whileHeld = true;
      duration += to - from;
      last = to;
    }
    if (!whileHeld) continue;
    const std::string& with = partAt(scene_, episode.i == part ? episode.j : episode.i).name;
    PairContacts& pair = pairContacts[with];
    pair.with = with;
    ++pair.episodes;
    pair.duration += duration;
    pair.peakForce = std::max(pair.peakForce, episode.peakForce);
  }
  std::vector<PairContacts> all;
  for (auto& [name, pair] : pairContacts) all.push_back(std::move(pair));
  return all;
}

/// True if the two were in contact while the first was held, or until a hand grasped it and carried its
/// weight.
bool Operations::met(int part, int other) const {
  const auto isOf = [&](int i, int j) { return (i == part && j == other) || (i == other && j == part); };
  const auto inHand = [&](double from, double to) {
    return std::any_of(grasps_.begin(), grasps_.end(), [&](const Grasp& grasp) {
      return grasp.body == part && to >= grasp.from - kEpisodePause && from <= grasp.until.value_or(from);
    });
  };
  return std::any_of(episodes_.begin(), episodes_.end(),
                     [&](const ContactEpisode& e) { return isOf(e.i, e.j) && inHand(e.start, e.end); }) ||
         // Of an incomplete recording.
         std::any_of(openContacts_.begin(), openContacts_.end(), [&](const auto& contact) {
           return isOf(contact.first.first, contact.first.second) &&
                  inHand(contact.second, std::numeric_limits<double>::infinity());
         });
}

std::vector<NearbyPart> Operations::nearbyPartsOf(int part, int into) const {
  std::vector<NearbyPart> all;
  for (std::size_t k = 0; k < scene_.parts.size(); ++k) {
    const auto other = static_cast<int>(k);
    const auto nearest = other == into ? std::nullopt : clearances_.between(part, other);
    if (nearest && !met(part, other)) all.push_back({scene_.parts[k].name, nearest->distance, nearest->time});
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const NearbyPart& a, const NearbyPart& b) { return a.clearance < b.clearance; });
  return all;
}

MotionEstimate Operations::motions() const {
  return estimateMotions(scene_, handlings_.results());
}

std::vector<Operation> Operations::results() const {
  std::vector<Operation> all = all_;
  const MotionEstimate estimate = motions();
  for (Operation& op : all) {
    const content::Goal& goal = scene_.goals[static_cast<std::size_t>(op.goal)];
    op.pairContacts = pairContactsOf(goal.part);
    op.nearbyParts = nearbyPartsOf(goal.part, goal.into);
    op.clearance = profile_.of(goal.part);
    op.checks = toleranceChecksOf(goal, op);
    op.estimatedTmu = estimate.sequenceFor(goal.part);
    op.motions = estimate.formulaFor(goal.part);
    const auto& curve = torqueCurves_[static_cast<std::size_t>(op.goal)];
    if (curve) op.torqueCurve = curve->points();
  }
  return all;
}

}  // namespace tenon::runtime
