// Passes the newest hand samples and head pose from the tracking thread to the physics thread.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "runtime/record/step_record.h"
#include "xr/hands/hand_source.h"

namespace tenon::runtime {

/// Single producer, single consumer. Only the newest sample of a hand counts, except that closing and opening
/// within one step are delivered in two steps: a click is not lost, and a hand that released and grasped
/// again, for example during a pause, does not drag the part. The lock is held while some samples are copied.
class HandMailbox {
 public:
  static constexpr std::int64_t kNoSampleTime = -1;

  explicit HandMailbox(std::size_t hands) : slots_(hands) {}

  /// Restarts for another scene, on the consumer thread: all hands are open and must be opened before they
  /// grasp.
  void begin(std::size_t hands);

  /// Restarts one hand that holds a part with its target at `X_WH`, on the consumer thread: it keeps holding,
  /// and its next sample continues from there.
  void resume(std::size_t hand, const physics::Pose& X_WH);

  /// `sampleTime_ns`: time of the samples. The target of a hand that keeps holding moves there linearly
  /// within `moveDuration_ns` of step time, the interval to the next samples; 0: immediately. Extra samples
  /// are ignored; hands without a sample keep theirs.
  void put(std::span<const xr::HandSample> samples, std::int64_t sampleTime_ns, std::int64_t moveDuration_ns);

  /// Samples for the next step, which lasts `step_ns` of the clock's time. Replaces `samples`.
  void consume(std::int64_t step_ns, std::vector<xr::HandSample>& samples);

  /// Head pose, once per rendered frame; only recorded, it does not affect the steps.
  void putHead(const HeadSample& head);
  /// The newest head pose since the last call, if any. For the consumer thread.
  std::optional<HeadSample> consumeHead();

  /// Time of the newest samples returned by consume(); kNoSampleTime: none yet. For the consumer
  /// thread.
  std::int64_t consumedSampleTime_ns() const { return consumedSampleTime_ns_; }

 private:
  struct Slot {
    // Protected by the lock.
    std::optional<xr::HandSample> transition;  ///< delivered first: the closing or opening before `newest`
    xr::HandSample newest;
    bool isNew = false;
    bool deliveredClosed = false;  ///< state of the last delivered sample
    bool awaitsOpening = false;    ///< closed samples count as open until an open one comes
    // For the consumer thread.
    xr::HandSample delivered;
    xr::HandSample target;  ///< `delivered` moves towards it
    std::int64_t remaining_ns = 0;
  };

  static void put(Slot& slot, xr::HandSample sample);
  void setTarget(Slot& slot, const xr::HandSample& sample, std::int64_t moveDuration_ns);
  static void advance(Slot& slot, std::int64_t step_ns);

  std::mutex mutex_;
  std::vector<Slot> slots_;
  std::optional<HeadSample> head_;
  std::int64_t sampleTime_ns_ = kNoSampleTime, moveDuration_ns_ = 0;
  std::int64_t consumedSampleTime_ns_ = kNoSampleTime;
  std::vector<std::optional<xr::HandSample>> arrived_;  ///< of the consumer thread, reused memory
};

/// The mailbox as a source of hands for a Simulation.
class MailboxHands final : public xr::HandSource {
 public:
  /// `step_ns`: duration of a step by the clock; both must outlive this.
  MailboxHands(HandMailbox& mailbox, const std::int64_t& step_ns) : mailbox_(mailbox), step_ns_(step_ns) {}
  void sample(std::int64_t /*time_ns*/, std::vector<xr::HandSample>& samples) override {
    mailbox_.consume(step_ns_, samples);
  }

 private:
  HandMailbox& mailbox_;
  const std::int64_t& step_ns_;
};

}  // namespace tenon::runtime
