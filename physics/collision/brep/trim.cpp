// See trim.h.
#include "physics/collision/brep/trim.h"

#include <algorithm>
#include <array>
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

Vector2d mix(const Vector2d& a, const Vector2d& b, double t) {
  return a + t * (b - a);
}

// Parameter of the cubic a, c, d, b at u: by Newton's method between brackets, as u grows with t.
double parameterAt(const TrimSegment& s, double u) {
  double low = 0, high = 1;
  double t = s.b.x() > s.a.x() ? (u - s.a.x()) / (s.b.x() - s.a.x()) : 0;
  for (int step = 0; step < 60 && low < high; ++step) {
    const double d0 = s.c.x() - s.a.x(), d1 = s.d.x() - s.c.x(), d2 = s.b.x() - s.d.x(), r = 1 - t;
    const double value = s.cubicAt(t).x() - u, slope = 3 * (r * r * d0 + 2 * r * t * d1 + t * t * d2);
    (value < 0 ? low : high) = t;
    double next = t - value / slope;
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    if (std::abs(next - t) < 1e-15) break;
    t = next;
  }
  return t;
}

double distanceToSegment(const Vector2d& p, const Vector2d& a, const Vector2d& b) {
  const Vector2d d = b - a;
  const double squared = d.squaredNorm();
  const double t = squared > 0 ? std::clamp((p - a).dot(d) / squared, 0.0, 1.0) : 0.0;
  return (p - a - t * d).norm();
}

// Of points nearer than the cubic is long: from the point at the same u, along the cubic.
double distanceToCubic(const TrimSegment& s, const Vector2d& uv, const Vector2d& scale) {
  const Vector2d p = uv.cwiseProduct(scale);
  double t = parameterAt(s, std::clamp(uv.x(), s.a.x(), s.b.x()));
  double least = HUGE_VAL;
  for (int step = 0; step < 4; ++step) {
    const Vector2d q = p - s.cubicAt(t).cwiseProduct(scale);
    least = std::min(least, q.norm());
    const double r = 1 - t;
    const Vector2d slope =
        (3 * (r * r * (s.c - s.a) + 2 * r * t * (s.d - s.c) + t * t * (s.b - s.d))).cwiseProduct(scale);
    const double squared = slope.squaredNorm();
    if (!(squared > 0)) break;
    t = std::clamp(t + q.dot(slope) / squared, 0.0, 1.0);
  }
  return least;
}

}  // namespace

Vector2d TrimSegment::cubicAt(double t) const {
  const double r = 1 - t;
  return r * r * r * a + 3 * r * r * t * c + 3 * r * t * t * d + t * t * t * b;
}

double TrimSegment::at(double u) const {
  if (kind == Kind::cubic) return cubicAt(parameterAt(*this, u)).y();
  if (kind == Kind::arc) {
    const double x = u - center.x(), height = std::sqrt(std::max(0.0, (radius - x) * (radius + x)));
    return isUpper ? center.y() + height : center.y() - height;
  }
  const double width = b.x() - a.x();
  return width > 0 ? a.y() + (u - a.x()) / width * (b.y() - a.y()) : a.y();
}

void Trim::add(TrimSegment segment) {
  if (segment.a.x() > segment.b.x()) {
    std::swap(segment.a, segment.b);
    std::swap(segment.c, segment.d);
  }
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
    segment.kind = TrimSegment::Kind::arc;
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

// Split where it turns back in u.
void Trim::addCubic(const Vector2d& a, const Vector2d& c, const Vector2d& d, const Vector2d& b) {
  const double d0 = c.x() - a.x(), d1 = d.x() - c.x(), d2 = b.x() - d.x();
  // (1 − t)² d0 + 2 t (1 − t) d1 + t² d2 = 0
  const double k2 = d0 - 2 * d1 + d2, k1 = d1 - d0, under = k1 * k1 - k2 * d0;
  std::array<double, 2> turns{2, 2};
  if (under > 0) {
    const double q = -(k1 + std::copysign(std::sqrt(under), k1));
    turns = {k2 != 0 ? q / k2 : 2, q != 0 ? d0 / q : 2};
    std::sort(turns.begin(), turns.end());
  }
  std::array<Vector2d, 4> rest{a, c, d, b};
  double done = 0;
  const auto emit = [&](const std::array<Vector2d, 4>& points) {
    TrimSegment segment;
    segment.kind = TrimSegment::Kind::cubic;
    segment.a = points[0];
    segment.c = points[1];
    segment.d = points[2];
    segment.b = points[3];
    add(segment);
  };
  for (const double turn : turns) {
    if (!(turn > done && turn < 1)) continue;
    const double t = (turn - done) / (1 - done);
    const Vector2d p = mix(rest[0], rest[1], t), q = mix(rest[1], rest[2], t), r = mix(rest[2], rest[3], t);
    const Vector2d pq = mix(p, q, t), qr = mix(q, r, t), middle = mix(pq, qr, t);
    emit({rest[0], p, pq, middle});
    rest = {middle, qr, r, rest[3]};
    done = turn;
  }
  emit(rest);
}

void Trim::setSmoothFrom(std::size_t first) {
  for (std::size_t k = first; k < segments_.size(); ++k) segments_[k].isSmooth = true;
}

// Ends that differ by rounding become equal: between them a point would see one segment too few or too many.
void Trim::joinEnds(double joint) {
  std::vector<double*> ends;
  for (TrimSegment& segment : segments_) {
    ends.push_back(&segment.a.x());
    ends.push_back(&segment.b.x());
  }
  std::sort(ends.begin(), ends.end(), [](const double* s, const double* t) { return *s < *t; });
  for (std::size_t k = 1; k < ends.size(); ++k)
    if (*ends[k] - *ends[k - 1] < joint) *ends[k] = *ends[k - 1];
}

// joinEnds() around the turn: every segment begins in the first one. The end of one and the beginning of the
// next are the same number then, also where a turn lies between them.
void Trim::joinAngles(double joint) {
  struct End {
    double angle = 0, turns = 0;
  };
  std::vector<End> ends;
  for (const TrimSegment& segment : segments_)
    for (const double u : {segment.a.x(), segment.b.x()}) {
      const double turns = std::floor(u / kTurn), angle = u - kTurn * turns;
      ends.push_back(angle < kTurn ? End{std::max(angle, 0.0), turns} : End{0, turns + 1});
    }
  std::vector<End*> order;
  for (End& end : ends) order.push_back(&end);
  std::sort(order.begin(), order.end(), [](const End* s, const End* t) { return s->angle < t->angle; });
  for (std::size_t k = 1; k < order.size(); ++k)
    if (order[k]->angle - order[k - 1]->angle < joint) order[k]->angle = order[k - 1]->angle;
  const double first = order.empty() ? 0 : order.front()->angle;
  for (End* end : order)
    if (end->angle > first && first + kTurn - end->angle < joint) *end = {first, end->turns + 1};
  for (std::size_t k = 0; k < segments_.size(); ++k) {
    TrimSegment& segment = segments_[k];
    const End &from = ends[2 * k], &to = ends[2 * k + 1];
    for (Vector2d* p : {&segment.c, &segment.d}) p->x() -= kTurn * from.turns;
    segment.a.x() = from.angle;
    segment.isPastTurn = to.turns > from.turns;
    segment.lastAngle = to.angle;
    segment.b.x() = to.angle + (segment.isPastTurn ? kTurn : 0);
  }
}

void Trim::finish(bool isPeriodic, double joint) {
  isPeriodic_ = isPeriodic;
  if (isPeriodic)
    joinAngles(joint);
  else
    joinEnds(joint);
  low_ = HUGE_VAL;
  high_ = -HUGE_VAL;
  for (const TrimSegment& segment : segments_) {
    low_ = std::min(low_, segment.a.x());
    high_ = std::max(high_, segment.b.x());
  }
  if (segments_.size() < kManySegments) return;
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
    slotWidth_ = (high_ - low_) / slots;
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

Trim Trim::clipped(const Vector2d& low, const Vector2d& high, double joint, bool& isNear) const {
  Trim part;
  isNear = false;
  for (const TrimSegment& s : segments_) {
    const double bulge = s.kind == TrimSegment::Kind::arc ? s.radius : 0;
    std::array<double, 2> v{std::min(s.a.y(), s.b.y()) - bulge, std::max(s.a.y(), s.b.y()) + bulge};
    if (s.kind == TrimSegment::Kind::cubic)
      v = {std::min({v[0], s.c.y(), s.d.y()}), std::max({v[1], s.c.y(), s.d.y()})};
    const auto reaches = [&](double shift) {
      return s.a.x() <= high.x() + shift && s.b.x() >= low.x() + shift;
    };
    const bool isAcross = reaches(0) || (isPeriodic_ && (reaches(kTurn) || reaches(-kTurn)));
    if (!isAcross || v[1] < low.y()) continue;
    isNear = isNear || v[0] <= high.y();
    part.segments_.push_back(s);
  }
  part.finish(isPeriodic_, joint);
  return part;
}

// By angles of the first turn, since their sums with a turn are rounded.
bool Trim::isBetweenEnds(const TrimSegment& s, const Place& at) const {
  if (!isPeriodic_) return at.uv.x() >= s.a.x() && at.uv.x() < s.b.x();
  if (at.turn == 0) return at.angle >= s.a.x() && (s.isPastTurn || at.angle < s.lastAngle);
  return at.turn > 0 && s.isPastTurn && at.angle < s.lastAngle;
}

bool Trim::testSegment(const TrimSegment& s, const Place& at, const Vector2d& scale,
                       const Tolerances& tolerances, int& above) const {
  const Vector2d& uv = at.uv;
  const double tolerance = s.isSmooth ? tolerances.smooth : tolerances.sharp;
  const double slack = tolerance / scale.x();
  if (uv.x() < s.a.x() - slack || uv.x() > s.b.x() + slack) return false;
  const bool isBetween = isBetweenEnds(s, at);
  switch (s.kind) {
    case TrimSegment::Kind::arc:
      if (std::abs((uv - s.center).norm() - s.radius) <= tolerance && (uv.y() >= s.center.y()) == s.isUpper)
        return true;
      break;
    case TrimSegment::Kind::straight:
      if (distanceToSegment(uv.cwiseProduct(scale), s.a.cwiseProduct(scale), s.b.cwiseProduct(scale)) <=
          tolerance)
        return true;
      break;
    case TrimSegment::Kind::cubic: {
      const auto [low, high] = std::minmax({s.a.y(), s.b.y(), s.c.y(), s.d.y()});
      const double near = tolerance / scale.y();
      if (uv.y() < low - near) {
        if (isBetween) ++above;
        return false;
      }
      if (uv.y() > high + near) return false;
      if (distanceToCubic(s, uv, scale) <= tolerance) return true;
      break;
    }
  }
  if (isBetween && s.at(uv.x()) > uv.y()) ++above;
  return false;
}

bool Trim::countAbove(const Place& place, const Vector2d& scale, const Tolerances& tolerances,
                      int& above) const {
  const double slack = std::max(tolerances.sharp, tolerances.smooth) / scale.x();
  if (place.uv.x() < low_ - slack || place.uv.x() > high_ + slack) return false;
  // A segment counts in the neighbors of its slots, for tolerances up to their width.
  if (first_.empty() || std::max(tolerances.sharp, tolerances.smooth) > slotWidth_ * scale.x())
    return std::any_of(segments_.begin(), segments_.end(),
                       [&](const TrimSegment& s) { return testSegment(s, place, scale, tolerances, above); });
  const int slots = static_cast<int>(first_.size()) - 1;
  const double at = (place.uv.x() - low_) / slotWidth_;
  if (!(at >= -1 && at <= slots + 1)) return false;
  const auto slot = static_cast<std::size_t>(std::clamp(static_cast<int>(at), 0, slots - 1));
  for (int n = first_[slot]; n < first_[slot + 1]; ++n)
    if (testSegment(segments_[static_cast<std::size_t>(bySlot_[static_cast<std::size_t>(n)])], place, scale,
                    tolerances, above))
      return true;
  return false;
}

bool Trim::contains(const Vector2d& uv, const Vector2d& scale, double tolerance, double beyondSmooth) const {
  if (segments_.empty()) return true;
  const bool countsAtBorder = tolerance >= 0;
  const double sharp = std::abs(tolerance);
  const Tolerances tolerances{sharp, std::max(sharp, beyondSmooth)};
  int above = 0;
  if (!isPeriodic_) return countAbove({uv, 0, 0}, scale, tolerances, above) ? countsAtBorder : above % 2 == 1;
  const double rest = uv.x() - kTurn * std::floor(uv.x() / kTurn), u = rest < kTurn ? rest : 0;
  for (const int turn : {-1, 0, 1})
    if (countAbove({{u + turn * kTurn, uv.y()}, u, turn}, scale, tolerances, above)) return countsAtBorder;
  return above % 2 == 1;
}

}  // namespace tenon::physics::brep
