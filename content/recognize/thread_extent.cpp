// See thread_extent.h.
#include "content/recognize/thread_extent.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tenon::content {
namespace {

/// Longest distance of a face from complete threads [pitches].
constexpr double kMaxCone = 3;
/// Smallest share of a face's area in that of the section it ends [-].
constexpr double kMinFaceShare = 0.3;

/// A value of a triangle, and its area.
struct WeightedValue {
  double value = 0, weight = 0;
};

double weightedMedian(std::vector<WeightedValue> list) {
  std::sort(list.begin(), list.end(),
            [](const WeightedValue& a, const WeightedValue& b) { return a.value < b.value; });
  double total = 0, sum = 0;
  for (const WeightedValue& w : list) total += w.weight;
  for (const WeightedValue& w : list)
    if ((sum += w.weight) >= total / 2) return w.value;
  return 0;
}

class ThreadEndSearch {
 public:
  ThreadEndSearch(const Facets& facets, const ThreadFit& fit, bool upper)
      : f_(facets), fit_(fit), m_(fit.model), s_(upper ? 1 : -1), complete_(upper ? fit.high : fit.low) {}

  ThreadLimit find() {
    ThreadLimit cut{false, complete_, {}};
    const auto face = faceHeight();
    if (!face) return cut;
    ThreadLimit limit{true, *face, coneTo(*face)};
    const bool isReached = s_ * (*face - complete_) < 0.5 * m_.pitch;
    return limit.cone.length > 0 || isReached ? limit : cut;
  }

 private:
  double tolerance() const { return std::max(6 * fit_.rms, 0.02 * m_.pitch); }
  ThreadModel::Point middleOf(int t) const {
    return m_.at((f_.point(t, 0) + f_.point(t, 1) + f_.point(t, 2)) / 3);
  }

  /// Height of the face across the axis that ends the core, or the material around the hole.
  std::optional<double> faceHeight() const {
    std::vector<WeightedValue> heights;
    const double inner = m_.isInternal ? m_.rootRadius : 0,
                 outer = m_.isInternal ? 1.6 * m_.rootRadius : m_.rootRadius;
    double area = 0;
    for (int t = 0; t < f_.count(); ++t) {
      const double a = f_.areas[static_cast<std::size_t>(t)];
      if (s_ * f_.normals[static_cast<std::size_t>(t)].dot(m_.axis.z) < 0.9) continue;
      double low = HUGE_VAL, high = -HUGE_VAL, nearest = HUGE_VAL;
      for (int k = 0; k < 3; ++k) {
        const ThreadModel::Point p = m_.at(f_.point(t, k));
        low = std::min(low, s_ * (p.z - complete_));
        high = std::max(high, s_ * (p.z - complete_));
        nearest = std::min(nearest, p.r);
      }
      const ThreadModel::Point at = middleOf(t);
      // The face around a hole may have few large triangles, which begin at its rim.
      if (low < -0.5 * m_.pitch || high > kMaxCone * m_.pitch) continue;
      if (m_.isInternal ? nearest > outer || at.r < inner : at.r > outer) continue;
      heights.push_back({at.z, a});
      area += a;
    }
    const double section = std::numbers::pi * m_.rootRadius * m_.rootRadius;
    if (heights.empty() || area < kMinFaceShare * (m_.isInternal ? 0.3 : 1) * section) return std::nullopt;
    return weightedMedian(std::move(heights));
  }

  /// The cone by which the teeth are cut towards the face; no length if there is none.
  physics::ThreadEnd coneTo(double face) const {
    struct Row {
      double x, r, weight;
    };
    std::vector<Row> rows;
    for (int t = 0; t < f_.count(); ++t) {
      const Vector3d& n = f_.normals[static_cast<std::size_t>(t)];
      const double slope = s_ * n.dot(m_.axis.z);
      const ThreadModel::Point at = middleOf(t);
      if (slope < 0.1 || slope > 0.97 || s_ * (at.z - face) > 0 || s_ * (at.z - complete_) < -m_.pitch)
        continue;
      if (at.r > 1.5 * std::max(m_.rootRadius, m_.crestRadius) || m_.signedDistance(at) > -0.5 * tolerance())
        continue;
      const Vector3d w = f_.point(t, 0) - m_.axis.origin;
      const Vector3d out = (w - w.dot(m_.axis.z) * m_.axis.z).normalized();
      if (n.dot(out) * (m_.isInternal ? -1 : 1) < 0.1) continue;
      for (int k = 0; k < 3; ++k) {
        const ThreadModel::Point p = m_.at(f_.point(t, k));
        // A vertex on a flank or root beside the cone says nothing about it.
        if (m_.signedDistance(p) > -0.3 * tolerance()) continue;
        rows.push_back({s_ * (face - p.z), p.r, f_.areas[static_cast<std::size_t>(t)]});
      }
    }
    if (rows.size() < 12) return {};
    double a = 0, b = 0, scale = HUGE_VAL;
    for (int pass = 0; pass < 15; ++pass) {
      double w0 = 0, wx = 0, wy = 0, wxx = 0, wxy = 0;
      for (const Row& row : rows) {
        const double u = std::isinf(scale) ? 0 : (row.r - a - b * row.x) / (4.685 * scale);
        if (std::abs(u) >= 1) continue;
        const double w = row.weight * (1 - u * u) * (1 - u * u);
        w0 += w, wx += w * row.x, wy += w * row.r, wxx += w * row.x * row.x, wxy += w * row.x * row.r;
      }
      const double spread = w0 * wxx - wx * wx;
      if (!(spread > 0)) return {};
      b = (w0 * wxy - wx * wy) / spread;
      a = (wy - b * wx) / w0;
      std::vector<double> errors;
      for (const Row& row : rows) errors.push_back(std::abs(row.r - a - b * row.x));
      std::nth_element(errors.begin(), errors.begin() + static_cast<std::ptrdiff_t>(errors.size() / 2),
                       errors.end());
      scale = std::max(1.4826 * errors[errors.size() / 2], 1e-8);
    }
    // From the face inwards an external cone becomes wider, an internal one narrower.
    const double widening = m_.isInternal ? -b : b;
    const physics::ThreadEnd cone{a, (m_.crestRadius - a) / b};
    if (!(widening > 0.2 && widening < 8) || !(a > 0) || scale > tolerance()) return {};
    if (!(cone.length > 1e-6 && cone.length < kMaxCone * m_.pitch)) return {};
    return cone;
  }

  const Facets& f_;
  const ThreadFit& fit_;
  const ThreadModel& m_;
  double s_, complete_;
};

}  // namespace

ThreadExtent threadExtent(const Facets& facets, const ThreadFit& fit) {
  return {{ThreadEndSearch(facets, fit, false).find(), ThreadEndSearch(facets, fit, true).find()}};
}

physics::Thread threadWithEnds(const ThreadModel& model, const ThreadExtent& extent) {
  physics::Thread thread = model.thread(extent.low(), extent.high());
  for (std::size_t k = 0; k < 2; ++k) thread.ends[k] = extent.limits[k].cone;
  return thread;
}

double distanceFrom(const ThreadModel& m, const ThreadExtent& extent, const Vector3d& p) {
  const ThreadModel::Point at = m.at(p);
  double distance = m.signedDistance(at);
  for (std::size_t k = 0; k < 2; ++k) {
    const ThreadLimit& limit = extent.limits[k];
    const double inwards = k == 0 ? at.z - limit.height : limit.height - at.z;
    distance = std::max(distance, -inwards);
    if (limit.cone.length == 0) continue;
    const double slope = (m.crestRadius - limit.cone.radius) / limit.cone.length;
    const double over = (at.r - limit.cone.radius - slope * inwards) / std::hypot(1, slope);
    distance = std::max(distance, m.isInternal ? -over : over);
  }
  return distance;
}

}  // namespace tenon::content
