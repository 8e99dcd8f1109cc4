// A script is converted once to key poses and grips (held parts); a sample looks both up by time.
#include "xr/hands/scripted_hands.h"

#include <algorithm>
#include <cmath>

#include "xr/hands/pose_interpolation.h"

namespace tenon::xr {

namespace {

std::int64_t toNanoseconds(double time) {
  return std::llround(time * 1e9);
}

/// The last element with a time of at most `time_ns`, or end if there is none.
template <class Element>
auto lastAt(const std::vector<Element>& elements, std::int64_t time_ns) {
  const auto after =
      std::upper_bound(elements.begin(), elements.end(), time_ns,
                       [](std::int64_t t, const Element& element) { return t < element.time_ns; });
  return after == elements.begin() ? elements.end() : std::prev(after);
}

}  // namespace

std::optional<double> scriptEndTime(std::span<const content::Hand> hands) {
  std::optional<double> end;
  for (const content::Hand& hand : hands)
    if (!hand.script.empty()) end = std::max(end.value_or(0), hand.script.back().time);
  return end;
}

ScriptedHands::ScriptedHands(std::span<const content::Hand> hands) {
  for (const content::Hand& hand : hands) tracks_.push_back(trackOf(hand));
}

ScriptedHands::Track ScriptedHands::trackOf(const content::Hand& hand) {
  Track track;
  track.keys.push_back({0, hand.X_WH, false});
  for (const content::Waypoint& waypoint : hand.script) {
    Key key = track.keys.back();
    key.time_ns = toNanoseconds(waypoint.time);
    key.rotationVector = waypoint.rotationVector;
    if (waypoint.X_W) {
      key.X_W = *waypoint.X_W;
      key.posesPart = waypoint.frame == content::WaypointFrame::part;
    }
    track.keys.push_back(key);
    if (waypoint.release) track.grips.push_back({key.time_ns, -1, std::nullopt});
    if (waypoint.grab < 0) continue;
    const auto closed = key.posesPart ? std::nullopt : std::optional(key.X_W);
    track.grips.push_back({key.time_ns, waypoint.grab, closed});
  }
  return track;
}

HandSample ScriptedHands::sampleOf(const Track& track, std::int64_t time_ns) {
  HandSample sample;
  sample.tracked = true;
  const auto found = lastAt(track.keys, time_ns);
  const auto from = found == track.keys.end() ? track.keys.begin() : found;
  const auto to = std::next(from);
  sample.X_WH = from->X_W;
  sample.posesPart = from->posesPart;
  if (to != track.keys.end() && time_ns > from->time_ns) {
    const double fraction =
        static_cast<double>(time_ns - from->time_ns) / static_cast<double>(to->time_ns - from->time_ns);
    sample.posesPart = to->posesPart;
    if (from->posesPart == to->posesPart) {
      sample.X_WH = interpolatePose(from->X_W, to->X_W, fraction);
      if (!to->rotationVector.isZero(0))
        sample.X_WH.q = (physics::exponential(fraction * to->rotationVector) * from->X_W.q).normalized();
    } else {
      sample.X_WH = to->X_W;
      sample.frameBlend = FrameBlend{from->X_W, fraction};
    }
  }
  if (const auto grip = lastAt(track.grips, time_ns); grip != track.grips.end() && grip->part >= 0) {
    sample.closed = true;
    sample.wantedPart = grip->part;
    sample.X_WH_closed = grip->X_WH_closed;
  }
  return sample;
}

void ScriptedHands::sample(std::int64_t time_ns, std::vector<HandSample>& samples) {
  samples.clear();
  for (const Track& track : tracks_) samples.push_back(sampleOf(track, time_ns));
}

}  // namespace tenon::xr
