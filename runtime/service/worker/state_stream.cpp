// See state_stream.h.
#include "runtime/service/worker/state_stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include "content/input/input_error.h"

namespace tenon::service {

namespace {

using std::chrono::steady_clock;

constexpr double kDefaultRate = 30, kMinRate = 0.1;
/// Interval at which a stream without new states looks whether its reader is gone.
constexpr std::chrono::milliseconds kCancelCheck{100};

/// Removes parts whose bytes are those of the last state, and keeps the present ones.
class PartChanges {
 public:
  void filter(v1::State& state) {
    last_.resize(static_cast<std::size_t>(state.parts_size()));
    auto* const parts = state.mutable_parts();
    const auto same = [this](const v1::PartState& part) {
      std::string bytes = part.SerializeAsString();
      std::string& last = last_[static_cast<std::size_t>(part.part())];
      if (bytes == last) return true;
      last = std::move(bytes);
      return false;
    };
    parts->erase(std::remove_if(parts->begin(), parts->end(), same), parts->end());
  }

 private:
  std::vector<std::string> last_;  ///< by part
};

}  // namespace

void requireValid(const StreamSettings& settings) {
  if (settings.rate == 0 || (settings.rate >= kMinRate && settings.rate <= ServedSession::kMaxStreamRate))
    return;
  throw content::InputError("rate", fmt::format("{:g}", settings.rate), "is out of range",
                            fmt::format("give a number from {:g} to {:g} states per second", kMinRate,
                                        ServedSession::kMaxStreamRate));
}

void writeObservations(ServedSession& session, const StreamSettings& settings, const ObservationWriter& write,
                       const std::function<bool()>& isCanceled) {
  const double rate = settings.rate == 0 ? kDefaultRate : settings.rate;
  const auto period =
      std::chrono::duration_cast<steady_clock::duration>(std::chrono::duration<double>(1 / rate));
  ServedSession::Cursor cursor;
  session.beginStream(cursor, settings.withPast);
  auto due = steady_clock::now();
  bool writes = true;
  while (writes && !isCanceled()) {
    const bool isLast = session.isFinished();  // read first: then all that it published is there
    const auto now = steady_clock::now();
    if (now < due && !isLast) {
      std::this_thread::sleep_until(std::min(due, now + kCancelCheck));
      continue;
    }
    std::shared_ptr<const ServedSession::Observation> newest;
    std::vector<v1::Event> events;
    if (!session.next(cursor, newest, events, now + kCancelCheck)) {
      if (isLast) break;
      continue;
    }
    due = std::max(due + period, steady_clock::now());
    writes = write(*newest, events);
  }
  session.endStream();
}

void writeStates(ServedSession& session, const StreamSettings& settings,
                 const std::function<bool(const v1::State&)>& write,
                 const std::function<bool()>& isCanceled) {
  PartChanges changes;
  const auto writeState = [&](const ServedSession::Observation& newest,
                              const std::vector<v1::Event>& events) {
    v1::State state = newest.state;
    for (const v1::Event& event : events) *state.add_events() = event;
    if (settings.changesOnly) changes.filter(state);
    return write(state);
  };
  writeObservations(session, settings, writeState, isCanceled);
}

}  // namespace tenon::service
