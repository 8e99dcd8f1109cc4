// The newest hand samples, and where the head is, from the thread that has them to the one that steps.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "runtime/record/step_record.h"
#include "xr/hands/hand_source.h"

namespace tenon::runtime {

/// One thread puts, one takes. Only the newest sample of a hand counts, but that a closing and an opening
/// that follow each other within a step are given in two steps: a click is not lost, and a hand that let go
/// and took hold again, during a pause say, does not drag the part there. Locked for copies of some samples.
class HandMailbox {
 public:
  static constexpr std::int64_t kNoSampleTime = -1;

  explicit HandMailbox(std::size_t hands) : slots_(hands) {}

  /// For another scene, by the taking thread: all hands are open and wait to have been open.
  void begin(std::size_t hands);

  /// `sampleTime_ns` says when the samples were made. A hand that goes on holding is to be there after
  /// `moveDuration_ns` of the steps' time, going evenly: the time to the next samples, or 0: at once. Extra
  /// samples are ignored, and hands without one stay.
  void put(std::span<const xr::HandSample> samples, std::int64_t sampleTime_ns, std::int64_t moveDuration_ns);

  /// For the next step, which lasts `step_ns` by the clock of the stamps. Replaces `samples`.
  void consume(std::int64_t step_ns, std::vector<xr::HandSample>& samples);

  /// Where the head of who wears a headset is, once a picture. It enters no step, but the record.
  void putHead(const HeadSample& head);
  /// The newest since the last call, if there was one. For the taking thread.
  std::optional<HeadSample> consumeHead();

  /// Of the newest samples that the last take() gave; kNoSampleTime: there were none yet. For the taking
  /// thread.
  std::int64_t consumedSampleTime_ns() const { return consumedSampleTime_ns_; }

 private:
  struct Slot {
    // Under the lock.
    std::optional<xr::HandSample> edge;  ///< comes first; the opposite of what was taken, and `newest` of it
    xr::HandSample newest;
    bool isNew = false;
    bool consumedClosed = false;  ///< what was taken last
    bool awaitsOpening = false;   ///< closed samples count as open until an open one comes
    // Of the taking thread.
    xr::HandSample given;
    xr::HandSample goal;  ///< taken last; `given` is on its way there
    std::int64_t remaining_ns = 0;
  };

  static void put(Slot& slot, xr::HandSample sample);
  void aim(Slot& slot, const xr::HandSample& sample, std::int64_t moveDuration_ns);
  static void advance(Slot& slot, std::int64_t step_ns);

  std::mutex mutex_;
  std::vector<Slot> slots_;
  std::optional<HeadSample> head_;
  std::int64_t sampleTime_ns_ = kNoSampleTime, moveDuration_ns_ = 0;
  std::int64_t consumedSampleTime_ns_ = kNoSampleTime;
  std::vector<std::optional<xr::HandSample>> arrived_;  ///< of the taking thread, for its memory
};

/// The mailbox as a source of hands for a Simulation.
class MailboxHands final : public xr::HandSource {
 public:
  /// `step_ns` is how long a step lasts by the clock; both outlive this.
  MailboxHands(HandMailbox& mailbox, const std::int64_t& step_ns) : mailbox_(mailbox), step_ns_(step_ns) {}
  void sample(std::int64_t /*time_ns*/, std::vector<xr::HandSample>& samples) override {
    mailbox_.consume(step_ns_, samples);
  }

 private:
  HandMailbox& mailbox_;
  const std::int64_t& step_ns_;
};

}  // namespace tenon::runtime
