// Hands of a session that streams of clients have leased.
#include <fmt/format.h>

#include <cmath>

#include "content/input/input_error.h"
#include "runtime/service/messages/command_messages.h"
#include "runtime/service/messages/status.h"
#include "runtime/service/worker/served_session.h"

namespace tenon::service {

std::int64_t ServedSession::lease(const std::vector<int>& hands) {
  return perform([&] {
    if (hands.empty())
      throw content::InputError("BeginHands", "hands", "is empty", "name the hands to move by their indices");
    for (const int hand : hands) {
      requireHand(scene(), hand);
      if (leases_[static_cast<std::size_t>(hand)] != 0)
        throw StatusError(
            grpc::StatusCode::ABORTED,
            fmt::format("the hand {} belongs to another client; choose another one, or wait until "
                        "it is free",
                        scene().hands[static_cast<std::size_t>(hand)].name));
    }
    ++leaseNumber_;
    for (const int hand : hands) leases_[static_cast<std::size_t>(hand)] = leaseNumber_;
    return leaseNumber_;
  });
}

void ServedSession::endLease(std::int64_t lease) {
  perform([&] {
    for (std::size_t hand = 0; hand < leases_.size(); ++hand) {
      if (leases_[hand] != lease) continue;
      leases_[hand] = 0;
      simulation_->unfollow({static_cast<int>(hand)});
    }
  });
}

void ServedSession::follow(const v1::HandSample& message, std::int64_t lease) {
  const xr::HandSample sample = sampleOf(message, scene());
  perform([&] {
    if (leases_[static_cast<std::size_t>(message.hand())] != lease)
      throw StatusError(grpc::StatusCode::PERMISSION_DENIED,
                        fmt::format("the hand {} is not one of those that this stream has leased",
                                    scene().hands[static_cast<std::size_t>(message.hand())].name));
    simulation_->follow({message.hand()}, sample, std::llround(message.move_duration() * 1e9));
  });
}

}  // namespace tenon::service
