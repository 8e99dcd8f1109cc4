// See trim.h.
#include "physics/collision/brep/trim.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace tenon::physics::brep {
namespace {

constexpr double kTurn = 2 * std::numbers::pi;
/// Fewer segments are read one after the other.
constexpr std::size_t kManySegments = 24;
/// Entries of slots for each segment, on average.
constexpr std::size_t kMaxEntries = 8;

double distanceToSegment(const Vector2d& p, const Vector2d& a, const Vector2d& b) {
  const Vector2d d = b - a;
  const double squared = d.squaredNorm();
  const double t = squared > 0 ? std::clamp((p - a).dot(d) / squared, 0.0, 1.0) : 0.0;
  return (p - a - t * d).norm();
}

}  // namespace

double TrimSegment::at(double u) const {
  if (radius > 0) {
    const double x = u - center.x(), height = std::sqrt(std::max(0.0, (radius - x) * (radius + x)));
    return isUpper ? center.y() + height : center.y() - height;
  }
  const double width = b.x() - a.x();
  return width > 0 ? a.y() + (u - a.x()) / width * (b.y() - a.y()) : a.y();
}

void Trim::add(TrimSegment segment) {
  if (segment.a.x() > segment.b.x()) std::swap(segment.a, segment.b);
  segments_.push_back(segment);
}

void Trim::addLine(const Vector2d& a, const Vector2d& b) {
  TrimSegment segment;
  segment.a = a;
  segment.b = b;
  add(segment);
}

// Split where the arc is vertical, at multiples of a half turn, into pieces that are functions of u.
void Trim::addArc(const Vector2d& center, double radius, double from, double to) {
  while (from < to) {
    const double half = std::floor(from / std::numbers::pi + 1e-12);
    const double next = std::min(to, (half + 1) * std::numbers::pi);
    TrimSegment segment;
    segment.center = center;
    segment.radius = radius;
    segment.isUpper = std::fmod(std::abs(half), 2.0) == 0;
    segment.a = center + radius * Vector2d(std::cos(from), std::sin(from));
    segment.b = center + radius * Vector2d(std::cos(next), std::sin(next));
    add(segment);
    if (next >= to) break;
    from = next;
  }
}

// Ends that differ by rounding become equal: between them a point would see one segment too few or too many.
void Trim::joinEnds() {
  constexpr double kRounding = 1e-13;
  std::vector<double*> ends;
  for (TrimSegment& segment : segments_) {
    ends.push_back(&segment.a.x());
    ends.push_back(&segment.b.x());
  }
  std::sort(ends.begin(), ends.end(), [](const double* s, const double* t) { return *s < *t; });
  for (std::size_t k = 1; k < ends.size(); ++k)
    if (*ends[k] - *ends[k - 1] < kRounding) *ends[k] = *ends[k - 1];
}

void Trim::finish(bool isPeriodic) {
  isPeriodic_ = isPeriodic;
  if (isPeriodic)
    for (TrimSegment& segment : segments_) {
      const double shift = kTurn * std::floor(segment.a.x() / kTurn + 1e-13);
      segment.a.x() -= shift;
      segment.b.x() -= shift;
    }
  joinEnds();
  if (segments_.size() < kManySegments) return;
  double high = -HUGE_VAL;
  low_ = HUGE_VAL;
  for (const TrimSegment& segment : segments_) {
    low_ = std::min(low_, segment.a.x());
    high = std::max(high, segment.b.x());
  }
  // A segment also counts in the neighbors of its slots, for the tolerance. Fewer slots where long segments
  // would count in too many.
  auto slots = static_cast<int>(segments_.size() / 2);
  const auto range = [&](const TrimSegment& s) {
    const auto slotOf = [&](double u) {
      return std::clamp(static_cast<int>((u - low_) / slotWidth_), 0, slots - 1);
    };
    return std::pair(std::max(0, slotOf(s.a.x()) - 1), std::min(slots - 1, slotOf(s.b.x()) + 1));
  };
  for (;; slots /= 2) {
    slotWidth_ = (high - low_) / slots;
    if (!(slotWidth_ > 0)) return;
    std::size_t entries = 0;
    for (const TrimSegment& s : segments_) {
      const auto [k, last] = range(s);
      entries += static_cast<std::size_t>(last - k + 1);
    }
    if (slots <= 4 || entries <= kMaxEntries * segments_.size()) break;
  }
  first_.assign(static_cast<std::size_t>(slots) + 1, 0);
  for (const TrimSegment& s : segments_)
    for (auto [k, last] = range(s); k <= last; ++k) ++first_[static_cast<std::size_t>(k) + 1];
  for (std::size_t k = 1; k < first_.size(); ++k) first_[k] += first_[k - 1];
  bySlot_.resize(static_cast<std::size_t>(first_.back()));
  std::vector<int> next(first_.begin(), first_.end() - 1);
  for (std::size_t n = 0; n < segments_.size(); ++n)
    for (auto [k, last] = range(segments_[n]); k <= last; ++k)
      bySlot_[static_cast<std::size_t>(next[static_cast<std::size_t>(k)]++)] = static_cast<int>(n);
}

bool Trim::testSegment(const TrimSegment& s, const Vector2d& uv, const Vector2d& scale, double tolerance,
                       int& above) const {
  const double slack = tolerance / scale.x();
  if (uv.x() < s.a.x() - slack || uv.x() > s.b.x() + slack) return false;
  if (s.radius > 0) {
    if (std::abs((uv - s.center).norm() - s.radius) <= tolerance && (uv.y() >= s.center.y()) == s.isUpper)
      return true;
  } else if (distanceToSegment(uv.cwiseProduct(scale), s.a.cwiseProduct(scale), s.b.cwiseProduct(scale)) <=
             tolerance) {
    return true;
  }
  if (uv.x() >= s.a.x() && uv.x() < s.b.x() && s.at(uv.x()) > uv.y()) ++above;
  return false;
}

bool Trim::countAbove(const Vector2d& uv, const Vector2d& scale, double tolerance, int& above) const {
  if (first_.empty())
    return std::any_of(segments_.begin(), segments_.end(),
                       [&](const TrimSegment& s) { return testSegment(s, uv, scale, tolerance, above); });
  const int slots = static_cast<int>(first_.size()) - 1;
  const double at = (uv.x() - low_) / slotWidth_;
  if (!(at >= -1 && at <= slots + 1)) return false;
  const auto slot = static_cast<std::size_t>(std::clamp(static_cast<int>(at), 0, slots - 1));
  for (int n = first_[slot]; n < first_[slot + 1]; ++n)
    if (testSegment(segments_[static_cast<std::size_t>(bySlot_[static_cast<std::size_t>(n)])], uv, scale,
                    tolerance, above))
      return true;
  return false;
}

bool Trim::contains(const Vector2d& uv, const Vector2d& scale, double tolerance) const {
  if (segments_.empty()) return true;
  const bool countsAtBorder = tolerance >= 0;
  int above = 0;
  if (!isPeriodic_)
    return countAbove(uv, scale, std::abs(tolerance), above) ? countsAtBorder : above % 2 == 1;
  const double u = uv.x() - kTurn * std::floor(uv.x() / kTurn);
  for (const double shifted : {u - kTurn, u, u + kTurn})
    if (countAbove({shifted, uv.y()}, scale, std::abs(tolerance), above)) return countsAtBorder;
  return above % 2 == 1;
}

}  // namespace tenon::physics::brep
