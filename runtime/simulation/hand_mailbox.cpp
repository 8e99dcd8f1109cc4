// See hand_mailbox.h.
#include "runtime/simulation/hand_mailbox.h"

#include <algorithm>
#include <utility>

#include "xr/hands/pose_interpolation.h"

namespace tenon::runtime {

namespace {

using xr::HandSample;

bool isLive(const HandSample& sample) {
  return sample.tracked && !sample.posesPart && !sample.frameBlend;
}

/// True if a hand with sample `a` keeps holding the same part with `b`.
bool holdsOn(const HandSample& a, const HandSample& b) {
  return isLive(a) && isLive(b) && a.closed && b.closed && a.wantedPart == b.wantedPart;
}

}  // namespace

void HandMailbox::begin(std::size_t hands) {
  const std::lock_guard lock(mutex_);
  slots_.assign(hands, Slot());
  for (Slot& slot : slots_) slot.awaitsOpening = true;
}

void HandMailbox::resume(std::size_t hand, const physics::Pose& X_WH) {
  const std::lock_guard lock(mutex_);
  Slot& slot = slots_[hand];
  HandSample holding;
  holding.tracked = holding.closed = true;
  holding.X_WH = X_WH;
  holding.wantedPart = slot.newest.wantedPart;
  slot = Slot();
  slot.newest = slot.delivered = slot.target = holding;
  slot.deliveredClosed = true;
}

void HandMailbox::put(Slot& slot, HandSample sample) {
  if (slot.awaitsOpening && sample.tracked) {
    slot.awaitsOpening = sample.closed;
    sample.closed = false;
  }
  if (slot.isNew && slot.newest.closed != sample.closed) {
    // A transition reversed before it was consumed is dropped; else it waits for its step.
    if (slot.transition)
      slot.transition.reset();
    else if (slot.newest.tracked && slot.newest.closed != slot.deliveredClosed)
      slot.transition = slot.newest;
  }
  slot.newest = sample;
  slot.isNew = true;
}

void HandMailbox::put(std::span<const HandSample> samples, std::int64_t sampleTime_ns,
                      std::int64_t moveDuration_ns) {
  const std::lock_guard lock(mutex_);
  for (std::size_t h = 0; h < std::min(samples.size(), slots_.size()); ++h) put(slots_[h], samples[h]);
  sampleTime_ns_ = sampleTime_ns;
  moveDuration_ns_ = moveDuration_ns;
}

void HandMailbox::putHead(const HeadSample& head) {
  const std::lock_guard lock(mutex_);
  head_ = head;
}

std::optional<HeadSample> HandMailbox::consumeHead() {
  const std::lock_guard lock(mutex_);
  return std::exchange(head_, std::nullopt);
}

void HandMailbox::setTarget(Slot& slot, const HandSample& sample, std::int64_t moveDuration_ns) {
  slot.remaining_ns = holdsOn(slot.delivered, sample) ? moveDuration_ns : 0;
  slot.target = sample;
}

void HandMailbox::advance(Slot& slot, std::int64_t step_ns) {
  const physics::Pose from = slot.delivered.X_WH;
  slot.delivered = slot.target;
  if (slot.remaining_ns <= step_ns) {
    slot.remaining_ns = 0;
    return;
  }
  const double fraction = static_cast<double>(step_ns) / static_cast<double>(slot.remaining_ns);
  slot.delivered.X_WH = xr::interpolatePose(from, slot.target.X_WH, fraction);
  slot.remaining_ns -= step_ns;
}

void HandMailbox::consume(std::int64_t step_ns, std::vector<HandSample>& samples) {
  std::int64_t moveDuration_ns = 0;
  arrived_.assign(slots_.size(), std::nullopt);
  {
    const std::lock_guard lock(mutex_);
    moveDuration_ns = moveDuration_ns_;
    bool waiting = false;
    for (std::size_t h = 0; h < slots_.size(); ++h) {
      Slot& slot = slots_[h];
      if (slot.transition) {
        arrived_[h] = slot.transition;
        slot.transition.reset();
        waiting = true;
      } else if (slot.isNew) {
        arrived_[h] = slot.newest;
        slot.isNew = false;
      }
      if (arrived_[h] && arrived_[h]->tracked) slot.deliveredClosed = arrived_[h]->closed;
    }
    if (!waiting)
      consumedSampleTime_ns_ = sampleTime_ns_;  // samples behind a pending transition are not in the step yet
  }
  samples.resize(slots_.size());
  for (std::size_t h = 0; h < slots_.size(); ++h) {
    if (arrived_[h]) setTarget(slots_[h], *arrived_[h], moveDuration_ns);
    advance(slots_[h], step_ns);
    samples[h] = slots_[h].delivered;
  }
}

}  // namespace tenon::runtime
