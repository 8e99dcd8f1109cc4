// See handling_tracker.h.
#include "runtime/assess/handling_tracker.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "runtime/assess/goal_watch.h"

namespace tenon::runtime {

namespace {

using physics::Pose;
using physics::Vector3d;

bool isJump(std::string_view kind) {
  return kind == "undo" || kind == "redo" || kind == "reset";
}

bool isReachedText(std::string_view verdict) {
  return std::any_of(kVerdicts.begin(), kVerdicts.end(),
                     [&](Verdict known) { return isReached(known) && verdict == toText(known); });
}

}  // namespace

HandlingTracker::HandlingTracker(const content::Scene& scene, const physics::World& world)
    : scene_(scene), world_(world), seated_(scene.goals.size()), tracks_(scene.hands.size()) {
  for (const content::Goal& goal : scene.goals) mouths_.push_back(entryRegionOf(scene, goal));
  for (std::size_t h = 0; h < tracks_.size(); ++h)
    tracks_[h].isPerson = !scene.hands[h].name.starts_with("fixture");
}

void HandlingTracker::add(const SessionEvent& event) {
  if (isJump(event.kind)) jumps_.push_back(event.time);
  const auto isPart = [&](int part) { return part >= 0 && part < static_cast<int>(scene_.parts.size()); };
  if (event.kind == "driver-on" && isPart(event.body) && isPart(event.other))
    fits_.push_back({event.body, event.other, event.time, std::nullopt});
  if (event.kind == "driver-off")
    for (DriverFit& fit : fits_)
      if (fit.driver == event.body && !fit.until) fit.until = event.time;
  if (event.kind == "seated" && event.goal >= 0 && event.goal < static_cast<int>(seated_.size()))
    seated_[static_cast<std::size_t>(event.goal)] = event.time;
}

void HandlingTracker::add(const Keyframe& frame) {
  const bool jumped = hasJumped(frame.time);
  for (std::size_t h = 0; h < std::min(tracks_.size(), frame.hands.size()); ++h) {
    Track& track = tracks_[h];
    if (!track.isPerson) continue;
    if (jumped) track.isKnown = false;
    move(track, frame.hands[h].X_WH);
    if (track.handling && handlings_[*track.handling].part != frame.hands[h].body.value)
      release(track, frame.time);
  }
  for (std::size_t h = 0; h < std::min(tracks_.size(), frame.hands.size()); ++h) {
    const int held = frame.hands[h].body.value;
    if (tracks_[h].isPerson && !tracks_[h].handling && held >= 0)
      grasp(static_cast<int>(h), tracks_[h], held, frame);
  }
  for (Track& track : tracks_)
    if (track.handling) follow(track, frame);
  lastTime_ = frame.time;
}

bool HandlingTracker::hasJumped(double time) const {
  return std::any_of(jumps_.begin(), jumps_.end(),
                     [&](double jump) { return lastTime_ < jump && jump <= time; });
}

void HandlingTracker::move(Track& track, const Pose& X_WH) const {
  if (!track.isKnown) {  // at the start, and where an undo has moved the hand
    track.path += (track.last - track.counted).norm();
    track.counted = track.last = X_WH.p;
    track.start = track.turned = track.lastTurn = X_WH.q;
    track.isKnown = true;
    return;
  }
  track.last = X_WH.p;
  track.lastTurn = X_WH.q;
  const double moved = (track.last - track.counted).norm();
  if (moved < kPathStep) return;
  track.path += moved;
  track.counted = track.last;
}

void HandlingTracker::grasp(int hand, Track& track, int part, const Keyframe& frame) {
  Handling handling;
  handling.hand = hand;
  handling.part = part;
  handling.begin = frame.time;
  handling.reach = track.length();
  int hands = 1;
  for (const Track& other : tracks_) {
    if (!other.handling || &other == &track) continue;
    Handling& held = handlings_[*other.handling];
    if (held.part != part) continue;
    ++hands;
    if (held.begin < frame.time) handling.heldBefore = static_cast<int>(*other.handling);
  }
  handling.hands = hands;
  for (const Track& other : tracks_)
    if (other.handling && &other != &track && handlings_[*other.handling].part == part)
      handlings_[*other.handling].hands = std::max(handlings_[*other.handling].hands, hands);
  track.handling = handlings_.size();
  track.path = 0;
  track.counted = track.last;
  track.start = track.turned = track.lastTurn;
  for (std::size_t g = 0; g < scene_.goals.size(); ++g) {
    const content::Goal& goal = scene_.goals[g];
    if (goal.part != part) continue;
    const Pose X_WI = partPose(goal.into, frame), X_WP = partPose(part, frame);
    if (!isAt(g, X_WI, X_WP, false)) continue;
    if (!goal.pose && insertionPoseOf(scene_, goal, X_WI, X_WP).depth() < kInside) continue;
    Stay& stay = begin(track, handling, static_cast<int>(g), -1, frame.time);
    stay.fromStart = stay.isInside = true;
    if (g < frame.goals.size()) stay.earlierPush = frame.goals[g].maxPush;
  }
  handlings_.push_back(std::move(handling));
}

/// True if the part is in the entry region of the goal's hole. At a goal with a pose: if it has arrived
/// within the tolerances, and until it has left.
bool HandlingTracker::isAt(std::size_t g, const Pose& X_WI, const Pose& X_WP, bool wasThere) const {
  const content::Goal& goal = scene_.goals[g];
  const InsertionPose pose = insertionPoseOf(scene_, goal, X_WI, X_WP);
  if (!goal.pose) return mouths_[g].contains(pose);
  const double along = std::abs(pose.depth() - goal.depth);
  if (wasThere) return std::hypot(along, pose.offset()) < kLeave;
  return along <= goal.depthTolerance && pose.offset() <= goal.pose->across &&
         (X_WI.q * goal.pose->X_IP.q).angularDistance(X_WP.q) <= goal.tiltTolerance;
}

void HandlingTracker::release(Track& track, double time) {
  Handling& handling = handlings_[*track.handling];
  for (const Track& other : tracks_) {
    if (!other.handling || &other == &track) continue;
    Handling& later = handlings_[*other.handling];
    if (later.heldBefore == static_cast<int>(*track.handling)) later.together = other.length();
  }
  handling.end = time;
  handling.path = track.length();
  handling.rotation = track.start.angularDistance(track.lastTurn);
  for (Stay& stay : handling.stays)
    if (!stay.isLeft) stay.until = handling.path;
  track.handling.reset();
  track.path = 0;
  track.counted = track.last;
}

void HandlingTracker::follow(Track& track, const Keyframe& frame) {
  Handling& handling = handlings_[*track.handling];
  for (std::size_t g = 0; g < scene_.goals.size(); ++g)
    if (scene_.goals[g].part == handling.part) followGoal(g, track, handling, frame);
  if (scene_.part(handling.part).driver) followDriver(track, handling, frame);
}

void HandlingTracker::followGoal(std::size_t g, Track& track, Handling& handling, const Keyframe& frame) {
  const content::Goal& goal = scene_.goals[g];
  const Pose X_WI = partPose(goal.into, frame);
  const Pose X_WP = partPose(goal.part, frame);
  Stay* stay = openStay(handling, static_cast<int>(g));
  if (!isAt(g, X_WI, X_WP, stay != nullptr)) {
    if (stay != nullptr) leave(track, handling, *stay);
    return;
  }
  if (stay == nullptr) {
    stay = &begin(track, handling, static_cast<int>(g), -1, frame.time);
    if (g < frame.goals.size()) stay->earlierPush = frame.goals[g].maxPush;
  }
  stay->isInside = stay->isInside || goal.pose || insertionPoseOf(scene_, goal, X_WI, X_WP).depth() > kInside;
  if (g < frame.goals.size()) {
    const RecordedGoalState& state = frame.goals[g];
    const bool isNewPeak = state.maxPush > stay->earlierPush;
    if (!stay->isSeated) stay->push = std::max(stay->push, isNewPeak ? state.maxPush : state.push);
    stay->isSeated = isReachedText(state.verdict);
  }
  const bool inThisStay = seated_[g] && *seated_[g] >= stay->begin && *seated_[g] <= frame.time;
  if (inThisStay && (goal.preload > 0 || goal.torque > 0)) stay->isTightened = true;
  turn(track, *stay, X_WI.q * (goal.X_IH.q * Vector3d::UnitZ()));
}

void HandlingTracker::followDriver(Track& track, Handling& handling, const Keyframe& frame) {
  const std::optional<int> screw = screwOf(handling.part, frame.time);
  Stay* stay = openStay(handling, -1);
  if (stay != nullptr && (!screw || *screw != stay->screw)) {
    leave(track, handling, *stay);
    stay = nullptr;
  }
  if (!screw) return;
  if (stay == nullptr) stay = &begin(track, handling, -1, *screw, frame.time);
  stay->isInside = true;
  for (std::size_t g = 0; g < scene_.goals.size(); ++g) {
    const content::Goal& goal = scene_.goals[g];
    if (goal.part == *screw && (goal.preload > 0 || goal.torque > 0) && seated_[g] &&
        *seated_[g] >= stay->begin && *seated_[g] <= frame.time)
      stay->isTightened = true;
  }
  const content::Driver& driver = *scene_.part(handling.part).driver;
  turn(track, *stay, partPose(handling.part, frame).q * (driver.X_PT.q * Vector3d::UnitZ()));
}

std::optional<int> HandlingTracker::screwOf(int driver, double time) const {
  for (const DriverFit& fit : fits_)
    if (fit.driver == driver && fit.from <= time && (!fit.until || time < *fit.until)) return fit.screw;
  return std::nullopt;
}

Stay* HandlingTracker::openStay(Handling& handling, int goal) const {
  const auto found = std::find_if(handling.stays.begin(), handling.stays.end(),
                                  [&](const Stay& stay) { return stay.goal == goal && !stay.isLeft; });
  return found == handling.stays.end() ? nullptr : &*found;
}

Stay& HandlingTracker::begin(Track& track, Handling& handling, int goal, int screw, double time) const {
  Stay stay;
  stay.begin = time;
  stay.goal = goal;
  stay.screw = screw;
  stay.from = track.length();
  stay.rotation = track.start.angularDistance(track.lastTurn);
  track.turned = track.lastTurn;
  handling.stays.push_back(stay);
  return handling.stays.back();
}

void HandlingTracker::leave(Track& track, Handling& handling, Stay& stay) const {
  if (!stay.isInside) {  // it only passed the mouth
    handling.stays.erase(handling.stays.begin() + (&stay - handling.stays.data()));
    return;
  }
  stay.isLeft = true;
  stay.until = track.length();
  track.start = track.turned = track.lastTurn;
}

/// Counts the rotation of the hand about the axis since the last count.
void HandlingTracker::turn(Track& track, Stay& stay, const Vector3d& axis_W) const {
  const double angle = physics::logarithm(track.lastTurn * track.turned.conjugate()).dot(axis_W);
  if (std::abs(angle) < kTurnStep) return;
  (angle > 0 ? stay.forward : stay.backward) += std::abs(angle);
  track.turned = track.lastTurn;
}

std::vector<Handling> HandlingTracker::results() const {
  std::vector<Handling> all = handlings_;
  for (const Track& track : tracks_) {
    if (!track.handling) continue;
    Handling& open = all[*track.handling];
    open.path = track.length();
    open.rotation = track.start.angularDistance(track.lastTurn);
    for (Stay& stay : open.stays)
      if (!stay.isLeft) stay.until = open.path;
  }
  return all;
}

Pose HandlingTracker::partPose(int part, const Keyframe& frame) const {
  return world_.partPose({part}, frame.bodies[static_cast<std::size_t>(part)]);
}

}  // namespace tenon::runtime
