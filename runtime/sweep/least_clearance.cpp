// See least_clearance.h.
#include "runtime/sweep/least_clearance.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>
#include <vector>

namespace tenon::runtime {

namespace {

/// An interval of time, and a bound on the distance in it.
struct Interval {
  double from = 0, to = 0, least = 0;
  /// Of equally promising ones the earliest first.
  bool operator<(const Interval& other) const {
    return least != other.least ? least > other.least : from > other.from;
  }
};

class ClearanceSearch {
 public:
  ClearanceSearch(PartDistance& distance, const MovingPart& a, const MovingPart& b, double range,
                  ClearanceTimes times)
      : times_(times),
        distance_(distance),
        a_(a),
        b_(b),
        reachOfA_(distance.collider().radius({a.part})),
        reachOfB_(distance.collider().radius({b.part})) {
    if (!std::isfinite(reachOfB_)) reachOfB_ = 0;  // half-spaces rest
    best_.distance = range;
  }

  std::optional<LeastClearance> run(const std::function<bool()>& stop) {
    const double from = a_.path.start(), to = a_.path.end();
    measure(from, 0);
    measure(to, 0);
    std::priority_queue<Interval> open;
    if (to > from) open.push({from, to, -std::numeric_limits<double>::infinity()});
    for (std::size_t queries = 0; !open.empty(); ++queries) {
      const Interval interval = open.top();
      open.pop();
      if (interval.least >= best_.distance - kClearanceAccuracy) break;
      if (queries % 256 == 0 && stop()) return std::nullopt;
      const double middle = middleOf(interval);
      if (!(middle > interval.from && middle < interval.to)) continue;
      const double before = moved(interval.from, middle), after = moved(middle, interval.to);
      const double found = measure(middle, std::max(before, after));
      open.push({interval.from, middle, found - before});
      open.push({middle, interval.to, found - after});
    }
    if (!isFound_) return std::nullopt;
    return best_;
  }

 private:
  /// A time inside; one of the ends if there is none.
  double middleOf(const Interval& interval) const {
    const double middle = 0.5 * (interval.from + interval.to);
    if (times_ == ClearanceTimes::all) return middle;
    for (const PartPath* path : {&a_.path, &b_.path}) {
      const std::vector<double>& poses = path->times();
      const auto first = std::upper_bound(poses.begin(), poses.end(), interval.from);
      const auto last = std::lower_bound(first, poses.end(), interval.to);  // one past those inside
      if (first != last) return *(first + (last - first) / 2);
    }
    return interval.from;
  }

  double moved(double from, double to) const {
    return a_.path.moved(from, to, reachOfA_) + b_.path.moved(from, to, reachOfB_);
  }

  /// The distance at a time, at most the best one and `farther`.
  double measure(double time, double farther) {
    double nearest = best_.distance + farther;
    for (const physics::Contact& contact :
         distance_.contacts(a_.part, a_.path.poseAt(time), b_.part, b_.path.poseAt(time), nearest)) {
      nearest = std::min(nearest, contact.separation);
      if (contact.separation >= best_.distance) continue;
      best_ = {contact.separation, time, contact.p};
      isFound_ = true;
    }
    return nearest;
  }

  ClearanceTimes times_;
  PartDistance& distance_;
  const MovingPart &a_, &b_;
  double reachOfA_, reachOfB_;
  LeastClearance best_;
  bool isFound_ = false;
};

}  // namespace

std::optional<LeastClearance> leastClearance(PartDistance& distance, const MovingPart& a, const MovingPart& b,
                                             double range, ClearanceTimes times,
                                             const std::function<bool()>& stop) {
  return ClearanceSearch(distance, a, b, range, times).run(stop);
}

}  // namespace tenon::runtime
