// See live_trace.h.
#include "runtime/simulation/live_trace.h"

#include <iterator>

namespace tenon::runtime {

namespace {

template <class Point>
void move(std::vector<Point>& from, std::vector<Point>& to) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
  from.clear();
  if (to.size() > LiveTrace::kMaxEntries)
    to.erase(to.begin(), to.end() - static_cast<std::ptrdiff_t>(LiveTrace::kMaxEntries / 2));
}

}  // namespace

void LiveTrace::clear() {
  steps.clear();
  goals.clear();
  events.clear();
  episodes.clear();
}

void LiveTrace::append(LiveTrace& more) {
  move(more.steps, steps);
  move(more.goals, goals);
  move(more.events, events);
  move(more.episodes, episodes);
}

}  // namespace tenon::runtime
