// The hands of a live session: scripts or the mailbox, selected in each step.
#pragma once

#include <memory>
#include <utility>

#include "runtime/simulation/hand_mailbox.h"

namespace tenon::runtime {

class LiveHands final : public xr::HandSource {
 public:
  /// `step_ns`: duration of a step by the clock; `scripted`: whether the scripts are followed. All must
  /// outlive this.
  LiveHands(HandMailbox& mailbox, const std::int64_t& step_ns, const bool& scripted,
            std::unique_ptr<xr::HandSource> scripts)
      : mailbox_(mailbox, step_ns), scripted_(scripted), scripts_(std::move(scripts)) {}

  void sample(std::int64_t time_ns, std::vector<xr::HandSample>& samples) override {
    if (scripted_)
      scripts_->sample(time_ns, samples);
    else
      mailbox_.sample(time_ns, samples);
  }

 private:
  MailboxHands mailbox_;
  const bool& scripted_;
  std::unique_ptr<xr::HandSource> scripts_;
};

}  // namespace tenon::runtime
