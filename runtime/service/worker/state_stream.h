// Writes the states of a session to a stream at a chosen rate; the newest state comes next, however slow the
// reader is.
#pragma once

#include <functional>
#include <vector>

#include "runtime/service/worker/served_session.h"

namespace tenon::service {

/// Settings of a stream, as in v1::WatchRequest.
struct StreamSettings {
  double rate = 0;           ///< [1/s]; 0: 30
  bool changesOnly = false;  ///< leave out parts that are as in the last state
  bool withPast = false;     ///< the first state has the events before it
};

/// Writes one state with the events since the one before; false ends the stream.
using ObservationWriter =
    std::function<bool(const ServedSession::Observation&, const std::vector<v1::Event>&)>;

/// `settings` must be valid. Returns when `write` returns false, `isCanceled` returns true or the session has
/// ended.
void writeObservations(ServedSession& session, const StreamSettings& settings, const ObservationWriter& write,
                       const std::function<bool()>& isCanceled);

/// Throws content::InputError for a rate that is out of range.
void requireValid(const StreamSettings& settings);

/// The same as messages.
void writeStates(ServedSession& session, const StreamSettings& settings,
                 const std::function<bool(const v1::State&)>& write, const std::function<bool()>& isCanceled);

}  // namespace tenon::service
