// See thread_fit.h.
#include "content/recognize/thread_fit.h"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "content/fits/iso965.h"
#include "physics/math/parallel_for.h"

namespace tenon::content {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kHalfAngle = std::numbers::pi / 6;

/// Limits of what is a thread: scatter of its flanks over the pitch, length over the
/// pitch, facets per turn (narrower than 23°), flank angle [rad], taper of the radius [-].
constexpr double kMaxScatter = 0.06, kMinPitches = 1.5, kMinFacets = 15.5;
constexpr double kMaxAngleError = 0.035, kMaxTaper = 0.008;
/// What is only said of a helix that is no thread needs more: coherence, and scatter over the pitch.
constexpr double kMinClearCoherence = 0.5, kMaxClearScatter = 0.03;
/// At a run-out, threads end where vertices are this much farther off than in the other turns [-], [m].
constexpr double kFadingRatio = 1.5, kFadingLength = 1e-6;
/// A value of the standard replaces a fitted one if the scatter grows by less than this share or length [m].
constexpr double kScatterShare = 0.05, kScatterLength = 5e-8;
constexpr std::size_t kMaxPoints = 5000;

/// Median; changes the order of the values.
double medianIn(std::vector<double>& values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

double medianOf(std::vector<double> values) {
  return medianIn(values);
}

/// Tukey's weight of a residual at this scale [-].
double tukeyWeight(double residual, double scale) {
  const double u = residual / (4.685 * scale);
  return std::abs(u) < 1 ? (1 - u * u) * (1 - u * u) : 0;
}

// --- start -----------------------------------------------------------------------------------------------

/// A triangle on a flank: its center, the area, and that projected outwards.
struct FlankSample {
  ThreadModel::Point at;
  double area = 0, outwards = 0;
};

/// What find(t, list) appends for triangles 0 … count − 1, which are read on all processors, in their order.
template <class Item, class Find>
std::vector<Item> listOfTriangles(int count, const Find& find) {
  constexpr std::size_t kGrain = 1 << 14;
  const auto all = static_cast<std::size_t>(count);
  std::vector<std::vector<Item>> parts((all + kGrain - 1) / kGrain);
  physics::parallelFor(all, kGrain, [&](std::size_t first, std::size_t last) {
    for (std::size_t t = first; t < last; ++t) find(static_cast<int>(t), parts[first / kGrain]);
  });
  std::vector<Item> list;
  for (const std::vector<Item>& part : parts) list.insert(list.end(), part.begin(), part.end());
  return list;
}

/// Robust line y = a + b x through flank samples.
struct FlankLine {
  double a = 0, b = 0, scatter = 0;
};

template <class X, class Y>
FlankLine flankLineThrough(const std::vector<FlankSample>& samples, X x, Y y) {
  struct Row {
    double x, y, area;
  };
  std::vector<Row> rows;
  rows.reserve(samples.size());
  for (const FlankSample& s : samples) rows.push_back({x(s), y(s), s.area});
  std::vector<double> sizes(rows.size());  // of the errors
  FlankLine line;
  double scale = HUGE_VAL;
  for (int pass = 0; pass < 12; ++pass) {
    double w0 = 0, wx = 0, wy = 0, wxx = 0, wxy = 0;
    for (const Row& r : rows) {
      const double e = r.y - line.a - line.b * r.x;
      const double w = r.area * (std::isinf(scale) ? 1.0 : tukeyWeight(e, scale));
      w0 += w, wx += w * r.x, wy += w * r.y, wxx += w * r.x * r.x, wxy += w * r.x * r.y;
    }
    const double spread = w0 * wxx - wx * wx;
    if (!(spread > 0)) break;
    line.b = (w0 * wxy - wx * wy) / spread;
    line.a = (wy - line.b * wx) / w0;
    for (std::size_t i = 0; i < rows.size(); ++i)
      sizes[i] = std::abs(rows[i].y - line.a - line.b * rows[i].x);
    line.scatter = 1.4826 * medianIn(sizes);
    scale = std::max(line.scatter, 1e-9);
  }
  return line;
}

class FlankStart {
 public:
  FlankStart(const Facets& facets, const Helix& helix)
      : f_(facets), helix_(helix), low_(helix.low), high_(helix.high) {
    ThreadModel& m = fit_.model;
    m.axis = helix.axis;
    m.pitch = helix.pitch;
    m.starts = helix.starts;
    m.isLeftHanded = helix.isLeftHanded;
    m.phase = helix.phase;
    m.halfAngle = kHalfAngle;
  }

  /// False if there is no thread.
  bool find() {
    const bool isNear = fitLines();
    if (isNear && fit_.problem.empty()) return true;
    if (!offset_) return false;
    // Another thread on this axis may be among the samples.
    takeLongestRange();
    return fitLines() && (fit_.problem.empty() || (isNear && isClear_));
  }
  ThreadFit& fit() { return fit_; }

 private:
  /// Flanks, taper and radii from the samples between low_ and high_.
  bool fitLines() {
    collect();
    if (samples_.size() < 24) return false;
    ThreadModel& m = fit_.model;
    m.isInternal = outwards_ < 0;
    // |z − z_middle| = a + b (r − taper z), alternately for b and the taper.
    double taper = 0;
    const auto away = [](const FlankSample& s) { return std::abs(s.at.away); };
    const auto radius = [&](const FlankSample& s) { return s.at.r - taper * s.at.z; };
    FlankLine flank = flankLineThrough(samples_, radius, away);
    for (int pass = 0; pass < 6; ++pass) {
      const auto rest = [&](const FlankSample& s) {
        return s.at.r - (std::abs(s.at.away) - m.pitch / 4) / flank.b;
      };
      taper = flankLineThrough(
                  samples_, [](const FlankSample& s) { return s.at.z; }, rest)
                  .b;
      flank = flankLineThrough(samples_, radius, away);
    }
    offset_ = [=](const FlankSample& s) {
      return std::abs(away(s) - flank.a - flank.b * (s.at.r - taper * s.at.z));
    };
    if (!(flank.scatter < kMaxScatter * m.pitch) || (flank.b > 0) != m.isInternal) return false;
    fit_.halfAngle = std::atan(std::abs(flank.b));
    m.pitchRadius = (m.pitch / 4 - flank.a) / flank.b;
    if (!(m.pitchRadius > helix_.innerRadius * 0.8 && m.pitchRadius < helix_.outerRadius * 1.2)) return false;
    isClear_ = helix_.coherence > kMinClearCoherence && flank.scatter < kMaxClearScatter * m.pitch &&
               high_ - low_ > 2 * kMinPitches * m.pitch;
    fit_.problem.clear();
    if (std::abs(taper) > kMaxTaper)
      fit_.problem =
          fmt::format("it is tapered, by {:.3g}° a side", std::atan(std::abs(taper)) * 360 / kFullTurn);
    else if (std::abs(fit_.halfAngle - kHalfAngle) > 2 * kMaxAngleError)
      fit_.problem = fmt::format("its flank angle is {:.1f}°, not 60°", fit_.halfAngle * 720 / kFullTurn);
    setRadii();
    fit_.low = low_;
    fit_.high = high_;
    return true;
  }

  /// Sets low_ and high_ to the longest range in which most of the samples lie on the lines.
  void takeLongestRange() {
    constexpr double kMinShare = 0.6;
    const double width = fit_.model.pitch;
    struct Slice {
      double all = 0, near = 0;  // [m²]
    };
    std::vector<Slice> slices(static_cast<std::size_t>((high_ - low_) / width) + 1);
    for (const FlankSample& s : samples_) {
      const double at = std::clamp((s.at.z - low_) / width, 0.0, static_cast<double>(slices.size() - 1));
      Slice& slice = slices[static_cast<std::size_t>(at)];
      slice.all += s.area;
      if (offset_(s) < kMaxScatter * width) slice.near += s.area;
    }
    std::size_t first = 0, longest = 0;
    for (std::size_t k = 0, count = 0; k < slices.size(); ++k) {
      count = slices[k].near > kMinShare * slices[k].all ? count + 1 : 0;
      if (count <= longest) continue;
      longest = count;
      first = k + 1 - count;
    }
    high_ = std::min(high_, low_ + static_cast<double>(first + longest) * width);
    low_ += static_cast<double>(first) * width;
  }

  /// Triangles that face up above the middle of a tooth, and down below it.
  void collect() {
    samples_ = listOfTriangles<FlankSample>(f_.count(), [&](int t, std::vector<FlankSample>& list) {
      const auto i = static_cast<std::size_t>(t);
      const Vector3d& n = f_.normals[i];
      const double nz = n.dot(helix_.axis.z);
      if (std::abs(nz) < 0.3 || std::abs(nz) > 0.985) return;
      const Vector3d p = (f_.point(t, 0) + f_.point(t, 1) + f_.point(t, 2)) / 3;
      const Eigen::Vector2d rz = fit_.model.radiusAndHeightOf(p);
      if (rz.y() < low_ || rz.y() > high_ || rz.x() < helix_.innerRadius || rz.x() > helix_.outerRadius)
        return;
      const ThreadModel::Point at = fit_.model.at(p);
      const double share = std::abs(at.away) / helix_.pitch;
      if (share < 0.05 || share > 0.45 || (nz > 0) != (at.away > 0)) return;
      const Vector3d w = p - helix_.axis.origin;
      const Vector3d out = (w - w.dot(helix_.axis.z) * helix_.axis.z).normalized();
      list.push_back({at, f_.areas[i], f_.areas[i] * out.dot(n)});
    });
    outwards_ = 0;
    for (const FlankSample& s : samples_) outwards_ += s.outwards;
  }

  /// Radii of crests and roots: those of ISO 68-1, then the medians of what is in the middle of them.
  void setRadii() {
    ThreadModel& m = fit_.model;
    const double H = physics::threadTriangleHeight(m.pitch), out = m.isInternal ? -1 : 1;
    m.crestRadius = m.pitchRadius + out * 0.34 * H * (m.isInternal ? 0.75 : 1);
    m.rootRadius = m.pitchRadius - out * 0.33 * H;
    std::vector<double> crests, roots;
    const auto points =
        listOfTriangles<ThreadModel::Point>(f_.count(), [&](int t, std::vector<ThreadModel::Point>& list) {
          const Vector3d p = (f_.point(t, 0) + f_.point(t, 1) + f_.point(t, 2)) / 3;
          const Eigen::Vector2d rz = m.radiusAndHeightOf(p);
          if (rz.y() < low_ || rz.y() > high_ || std::abs(rz.x() - m.pitchRadius) > 0.6 * H) return;
          list.push_back(m.at(p));
        });
    for (const ThreadModel::Point& at : points) {
      if (std::abs(at.away) < m.pitch / 20) crests.push_back(at.r);
      if (std::abs(at.away) > 0.46 * m.pitch) roots.push_back(at.r);
    }
    const double crest = medianOf(crests), root = medianOf(roots);
    if (crests.size() > 12 && out * (crest - m.pitchRadius) > 0.1 * H) m.crestRadius = crest;
    if (roots.size() > 12 && out * (m.pitchRadius - root) > 0.1 * H) m.rootRadius = root;
  }

  const Facets& f_;
  const Helix& helix_;
  std::vector<FlankSample> samples_;
  double outwards_ = 0;                               ///< area of the flanks, projected outwards [m²]
  double low_, high_;                                 ///< of the samples, along the axis [m]
  bool isClear_ = false;                              ///< enough to be reported with a problem
  std::function<double(const FlankSample&)> offset_;  ///< of a sample from the lines, once fitted [m]
  ThreadFit fit_;
};

// --- least squares ---------------------------------------------------------------------------------------

/// Unknowns of the fit, in the order of kUnknownSteps.
enum Unknown : int {
  kTiltX,
  kTiltY,
  kShiftX,
  kShiftY,
  kPitch,
  kPhase,
  kPitchRadius,
  kCrest,
  kRoot,
  kAngle,
  kUnknowns
};
/// Steps of the numeric derivatives [rad], [m].
constexpr std::array<double, kUnknowns> kUnknownSteps{1e-7, 1e-7, 1e-9, 1e-9, 1e-10,
                                                      1e-7, 1e-9, 1e-9, 1e-9, 1e-7};

ThreadModel movedThread(ThreadModel m, const VectorXd& d) {
  const physics::Quaterniond q = physics::exponential(d[kTiltX] * m.axis.y - d[kTiltY] * m.axis.x);
  m.axis.origin += d[kShiftX] * m.axis.x + d[kShiftY] * m.axis.y;
  m.axis.z = (q * m.axis.z).normalized();
  m.axis.x = (q * m.axis.x - (q * m.axis.x).dot(m.axis.z) * m.axis.z).normalized();
  m.axis.y = m.axis.z.cross(m.axis.x);
  m.pitch += d[kPitch];
  m.phase += d[kPhase];
  m.pitchRadius += d[kPitchRadius];
  m.crestRadius += d[kCrest];
  m.rootRadius += d[kRoot];
  m.halfAngle += d[kAngle];
  return m;
}

/// A vertex as a point of a face.
struct FaceCorner {
  int vertex = 0;
  ThreadFace face = ThreadFace::flank;
};

class ThreadLeastSquares {
 public:
  ThreadLeastSquares(const Facets& facets, const std::vector<char>& isFlat, ThreadModel& model)
      : f_(facets), isFlat_(isFlat), model_(model) {
    isFree_.fill(true);
  }

  void fix(Unknown unknown) { isFree_[static_cast<std::size_t>(unknown)] = false; }

  /// Vertices between two heights; the origin of the axis is moved to their middle.
  void setRange(double low, double high) {
    const double middle = 0.5 * (low + high);
    model_.axis.origin += middle * model_.axis.z;
    model_.phase += middle / model_.rise();
    low_ = low - middle;
    high_ = high - middle;
  }
  double low() const { return low_; }
  double high() const { return high_; }

  bool solve(int passes) {
    for (int pass = 0; pass < passes; ++pass)
      if (!iterate()) return false;
    return true;
  }

  double scale() const { return scale_; }
  /// Median angle of a facet of the flanks [rad].
  double facetAngle() const { return facetAngle_; }
  std::size_t flanks() const { return flanks_; }

 private:
  /// Corners of the triangles whose centers are near a face, and face as it does.
  void collect() {
    const double gate = std::clamp(8 * scale_, 0.02 * model_.pitch, gate_ * model_.pitch);
    corners_.clear();
    std::vector<double> angles;
    flanks_ = 0;
    for (int t = 0; t < f_.count(); ++t) {
      const ThreadModel::Point at = model_.at((f_.point(t, 0) + f_.point(t, 1) + f_.point(t, 2)) / 3);
      if (at.z < low_ || at.z > high_) continue;
      double distance = 0;
      const ThreadFace face = model_.closestFace(at, distance);
      if (distance > gate + sagitta() || !facesAs(t, at, face)) continue;
      if (face == ThreadFace::flank) {
        ++flanks_;
        angles.push_back(angleOf(t));
      }
      for (int k = 0; k < 3; ++k)
        if (const int v = f_.vertex(t, k); isFlat_[static_cast<std::size_t>(v)] == 0)
          corners_.push_back({v, face});
    }
    facetAngle_ = medianOf(std::move(angles));
    std::sort(corners_.begin(), corners_.end(), [](const FaceCorner& a, const FaceCorner& b) {
      return a.vertex != b.vertex ? a.vertex < b.vertex : a.face < b.face;
    });
    const auto end = std::unique(
        corners_.begin(), corners_.end(),
        [](const FaceCorner& a, const FaceCorner& b) { return a.vertex == b.vertex && a.face == b.face; });
    corners_.erase(end, corners_.end());
  }

  double sagitta() const { return model_.pitchRadius * (1 - std::cos(facetAngle_ / 2)); }

  bool facesAs(int t, const ThreadModel::Point& at, ThreadFace face) const {
    const Vector3d& n = f_.normals[static_cast<std::size_t>(t)];
    if (face == ThreadFace::flank) return n.dot(model_.axis.z) * (at.away > 0 ? 1 : -1) > 0.2;
    const Vector3d w = f_.point(t, 0) - model_.axis.origin;
    const Vector3d out = (w - w.dot(model_.axis.z) * model_.axis.z).normalized();
    return n.dot(out) * (model_.isInternal ? -1 : 1) > 0.3;
  }

  double angleOf(int t) const {
    std::array<double, 3> a{};
    for (int k = 0; k < 3; ++k)
      a[static_cast<std::size_t>(k)] = std::remainder(
          model_.axis.azimuth(f_.point(t, k)) - model_.axis.azimuth(f_.point(t, 0)), kFullTurn);
    return *std::max_element(a.begin(), a.end()) - *std::min_element(a.begin(), a.end());
  }

  double residual(const ThreadModel& model, const FaceCorner& corner) const {
    return model.distance(model.at(f_.mesh->mesh.vertices[static_cast<std::size_t>(corner.vertex)]),
                          corner.face);
  }

  std::array<bool, kUnknowns> unknowns() {
    std::array<bool, kUnknowns> free = isFree_;
    const auto count = [&](ThreadFace face) {
      return std::count_if(corners_.begin(), corners_.end(),
                           [&](const FaceCorner& c) { return c.face == face; });
    };
    if (count(ThreadFace::crest) < 12) free[kCrest] = false;
    if (count(ThreadFace::root) < 12) free[kRoot] = false;
    return free;
  }

  bool iterate() {
    collect();
    if (flanks_ < 24 || corners_.size() < 24) return false;
    const std::array<bool, kUnknowns> free = unknowns();
    std::array<ThreadModel, kUnknowns> models;
    for (std::size_t k = 0; k < kUnknowns; ++k) {
      VectorXd step = VectorXd::Zero(kUnknowns);
      step[static_cast<int>(k)] = kUnknownSteps[k];
      models[k] = movedThread(model_, step);
    }
    std::vector<double> sizes;
    std::vector<std::pair<std::size_t, double>> rows;
    const std::size_t stride = 1 + corners_.size() / kMaxPoints;
    for (std::size_t i = 0; i < corners_.size(); i += stride) {
      rows.emplace_back(i, residual(model_, corners_[i]));
      sizes.push_back(std::abs(rows.back().second));
    }
    scale_ = std::max(1.4826 * medianOf(std::move(sizes)), 1e-9);
    MatrixXd A = MatrixXd::Zero(kUnknowns, kUnknowns);
    VectorXd b = VectorXd::Zero(kUnknowns);
    for (const auto& [i, e] : rows) {
      const double w = tukeyWeight(e, std::max(scale_, 2e-8));
      if (w == 0) continue;
      VectorXd J = VectorXd::Zero(kUnknowns);
      for (std::size_t k = 0; k < kUnknowns; ++k)
        if (free[k]) J[static_cast<int>(k)] = (residual(models[k], corners_[i]) - e) / kUnknownSteps[k];
      A += w * J * J.transpose();
      b -= w * e * J;
    }
    return advance(A, b);
  }

  /// Solves A d = b with each unknown scaled to a unit diagonal, and applies the step.
  bool advance(MatrixXd& A, VectorXd& b) {
    VectorXd size = A.diagonal().cwiseSqrt();
    for (double& s : size) s = s > 0 ? s : 1;
    A = size.cwiseInverse().asDiagonal() * A * size.cwiseInverse().asDiagonal();
    A.diagonal().array() += 1e-10;
    VectorXd d = size.cwiseInverse().asDiagonal() * A.ldlt().solve(size.cwiseInverse().asDiagonal() * b);
    if (!d.allFinite()) return false;
    // A step of more than a twentieth of the pitch leaves the range in which the faces are the right ones.
    const double length = std::max({std::abs(d[kShiftX]), std::abs(d[kShiftY]), std::abs(d[kPitchRadius]),
                                    std::abs(d[kPhase] * model_.rise()),
                                    std::hypot(d[kTiltX], d[kTiltY]) * std::max(high_, model_.pitchRadius),
                                    std::abs(d[kPitch]) * high_ / model_.pitch});
    if (length > 0.05 * model_.pitch) d *= 0.05 * model_.pitch / length;
    model_ = movedThread(model_, d);
    gate_ = std::max(0.06, 0.8 * gate_);
    return model_.pitch > 0 && model_.pitchRadius > 0 && model_.depth() > 0.1 * model_.pitch &&
           model_.halfAngle > 0.1 && model_.halfAngle < 1;
  }

  const Facets& f_;
  const std::vector<char>& isFlat_;
  ThreadModel& model_;
  std::array<bool, kUnknowns> isFree_{};
  double low_ = 0, high_ = 0, scale_ = HUGE_VAL, facetAngle_ = 0, gate_ = 0.16;
  std::size_t flanks_ = 0;
  std::vector<FaceCorner> corners_;
};

// --- range -----------------------------------------------------------------------------------------------

/// Heights between which the surface is that of complete threads.
struct HeightRange {
  double low = 0, high = 0;
};

/// Leaves out bins at the ends in which the grooves begin to fade.
void trimFading(const std::vector<double>& worst, std::size_t& first, std::size_t& end) {
  const double usual = medianOf(
      {worst.begin() + static_cast<std::ptrdiff_t>(first), worst.begin() + static_cast<std::ptrdiff_t>(end)});
  const double limit = kFadingRatio * usual + kFadingLength;
  while (end > first + 1 && worst[end - 1] > limit) --end;
  while (end > first + 1 && worst[first] > limit) ++first;
}

HeightRange completeRange(const Facets& f, const std::vector<char>& isFlat, const ThreadModel& m,
                          double tolerance, double sagitta, const HeightRange& within) {
  const double width = m.pitch / 4;
  const auto bins = static_cast<std::size_t>((within.high - within.low) / width) + 1;
  std::vector<double> good(bins), all(bins);
  std::vector<HeightRange> range(bins, {HUGE_VAL, -HUGE_VAL});
  std::vector<double> worst(bins);  // of the vertices of good triangles
  const auto distanceOf = [&](const Vector3d& p) {
    double distance = 0;
    m.closestFace(m.at(p), distance);
    return distance;
  };
  for (int t = 0; t < f.count(); ++t) {
    const Vector3d middle = (f.point(t, 0) + f.point(t, 1) + f.point(t, 2)) / 3;
    const ThreadModel::Point at = m.at(middle);
    const double height = m.height(at.r) / m.depth();
    if (at.z < within.low || at.z > within.high || height < -0.3 || height > 1.3) continue;
    const auto bin = std::min(bins - 1, static_cast<std::size_t>((at.z - within.low) / width));
    all[bin] += f.areas[static_cast<std::size_t>(t)];
    bool isGood = distanceOf(middle) <= tolerance + sagitta;
    double farthest = 0;
    for (int k = 0; k < 3; ++k)
      if (isFlat[static_cast<std::size_t>(f.vertex(t, k))] == 0)
        farthest = std::max(farthest, distanceOf(f.point(t, k)));
    isGood = isGood && farthest <= tolerance;
    if (!isGood) continue;
    worst[bin] = std::max(worst[bin], farthest);
    good[bin] += f.areas[static_cast<std::size_t>(t)];
    for (int k = 0; k < 3; ++k) {
      range[bin].low = std::min(range[bin].low, m.at(f.point(t, k)).z);
      range[bin].high = std::max(range[bin].high, m.at(f.point(t, k)).z);
    }
  }
  const double full = *std::max_element(good.begin(), good.end());
  HeightRange best;
  for (std::size_t first = 0; first < bins; ++first) {
    std::size_t end = first;
    while (end < bins && good[end] > 0.9 * all[end] && good[end] > 0.3 * full) ++end;
    if (end == first) continue;
    const std::size_t next = end;
    trimFading(worst, first, end);
    const HeightRange found{std::max(within.low + static_cast<double>(first) * width, range[first].low),
                            std::min(within.low + static_cast<double>(end) * width, range[end - 1].high)};
    if (found.high - found.low > best.high - best.low) best = found;
    first = next;
  }
  return best;
}

/// Pitches of standards [m]: ISO 261, and threads per inch.
std::vector<double> standardPitches() {
  std::vector<double> pitches;
  for (const ThreadSeries& series : threadSeries())
    for (const double pitch : series.pitches) pitches.push_back(pitch / 1e3);
  for (const double pitch : {0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 3.5, 4.0, 4.5, 5.0, 5.5, 6.0})
    pitches.push_back(pitch / 1e3);
  for (const double perInch :
       {4.0,  4.5,  5.0,  6.0,  7.0,  8.0,  9.0,  10.0, 11.0, 12.0, 13.0, 14.0, 16.0, 18.0,
        19.0, 20.0, 24.0, 28.0, 32.0, 36.0, 40.0, 44.0, 48.0, 56.0, 64.0, 72.0, 80.0})
    pitches.push_back(0.0254 / perInch);
  return pitches;
}

class ThreadFitter {
 public:
  ThreadFitter(const Facets& facets, const std::vector<char>& isFlat, ThreadFit& fit)
      : f_(facets), isFlat_(isFlat), fit_(fit) {}

  /// False if there is no thread.
  bool run(double low, double high) {
    ThreadLeastSquares squares(f_, isFlat_, fit_.model);
    squares.setRange(low, high);
    if (!squares.solve(14)) return false;
    for (int pass = 0; pass < 2; ++pass) {
      const double margin = 2 * fit_.model.pitch;
      if (!findRange(squares, {squares.low() - margin, squares.high() + margin})) return false;
      squares.setRange(fit_.low, fit_.high);
      if (!squares.solve(8)) return false;
    }
    measure(squares);
    if (!fit_.problem.empty()) return true;
    squares.fix(kAngle);
    replace(
        squares, [](ThreadModel& m) { m.halfAngle = kHalfAngle; }, true);
    squares.fix(kPitch);
    usePitchOfStandard(squares);
    if (!findRange(squares,
                   {squares.low() - 0.5 * fit_.model.pitch, squares.high() + 0.5 * fit_.model.pitch}))
      return false;
    measure(squares);
    fit_.model.phase = std::remainder(fit_.model.phase, kFullTurn);
    return true;
  }

 private:
  bool findRange(const ThreadLeastSquares& squares, const HeightRange& within) {
    const ThreadModel& m = fit_.model;
    const double sagitta = m.pitchRadius * (1 - std::cos(squares.facetAngle() / 2));
    const double tolerance = std::max(6 * squares.scale(), 0.03 * m.pitch);
    const HeightRange range = completeRange(f_, isFlat_, m, tolerance, sagitta, within);
    fit_.low = range.low;
    fit_.high = range.high;
    return range.high - range.low >= kMinPitches * m.pitch;
  }

  void measure(const ThreadLeastSquares& squares) {
    if (isAngleFree_) fit_.halfAngle = fit_.model.halfAngle;
    fit_.rms = squares.scale();
    fit_.facets = squares.facetAngle() > 0 ? kFullTurn / squares.facetAngle() : 0;
    if (std::abs(fit_.halfAngle - kHalfAngle) > kMaxAngleError)
      fit_.problem = fmt::format("its flank angle is {:.1f}°, not 60°", fit_.halfAngle * 720 / kFullTurn);
    else if (fit_.facets < kMinFacets)
      fit_.problem = fmt::format("it has {:.0f} facets a turn, fewer than 16", fit_.facets);
  }

  /// Changes the model and fits the rest of it; back to what it was if the scatter grows too much, unless
  /// the change is `final`.
  template <class Change>
  bool replace(ThreadLeastSquares& squares, Change change, bool isFinal) {
    isAngleFree_ = false;
    const ThreadModel before = fit_.model;
    const double scatter = squares.scale();
    change(fit_.model);
    if (squares.solve(6) && (isFinal || squares.scale() < (1 + kScatterShare) * scatter + kScatterLength))
      return true;
    fit_.model = before;
    squares.solve(1);
    return false;
  }

  void usePitchOfStandard(ThreadLeastSquares& squares) {
    std::vector<double> pitches = standardPitches();
    const double given = fit_.model.pitch;
    const auto nearest = std::min_element(pitches.begin(), pitches.end(), [&](double a, double b) {
      return std::abs(a - given) < std::abs(b - given);
    });
    if (std::abs(*nearest - given) > 2e-3 * given) return;
    replace(
        squares, [&](ThreadModel& m) { m.pitch = *nearest; }, false);
  }

  const Facets& f_;
  const std::vector<char>& isFlat_;
  ThreadFit& fit_;
  bool isAngleFree_ = true;
};

}  // namespace

std::vector<char> flatVertices(const Facets& f) {
  constexpr double kSame = 1e-4;  // angle between normals [rad]
  const std::size_t count = f.mesh->mesh.vertices.size();
  // Up to two normals of the triangles about a vertex, and ends of edges between these.
  struct Fan {
    std::array<Vector3d, 2> normals;
    std::array<int, 2> creaseEnds{};
    int normalCount = 0, creaseCount = 0;
  };
  std::vector<Fan> fans(count);
  for (int t = 0; t < f.count(); ++t)
    for (int k = 0; k < 3; ++k) {
      Fan& fan = fans[static_cast<std::size_t>(f.vertex(t, k))];
      const Vector3d& n = f.normals[static_cast<std::size_t>(t)];
      int same = 0;
      while (same < std::min(fan.normalCount, 2) &&
             (fan.normals[static_cast<std::size_t>(same)] - n).norm() > kSame)
        ++same;
      if (same < fan.normalCount) continue;
      if (fan.normalCount < 2) fan.normals[static_cast<std::size_t>(fan.normalCount)] = n;
      ++fan.normalCount;
    }
  for (int t = 0; t < f.count(); ++t)
    for (int k = 0; k < 3; ++k) {
      const int other = f.neighbor(t, k);
      const bool isCrease =
          other < 0 ||
          (f.normals[static_cast<std::size_t>(t)] - f.normals[static_cast<std::size_t>(other)]).norm() >
              kSame;
      if (!isCrease) continue;
      const int a = f.vertex(t, k), b = f.vertex(t, (k + 1) % 3);
      Fan& fan = fans[static_cast<std::size_t>(a)];
      if (fan.creaseCount < 2) fan.creaseEnds[static_cast<std::size_t>(fan.creaseCount)] = b;
      ++fan.creaseCount;
    }
  std::vector<char> isFlat(count, 0);
  for (std::size_t v = 0; v < count; ++v) {
    const Fan& fan = fans[v];
    if (fan.normalCount == 1) isFlat[v] = 1;
    if (fan.normalCount != 2 || fan.creaseCount != 2) continue;
    const Vector3d& p = f.mesh->mesh.vertices[v];
    const Vector3d a = f.mesh->mesh.vertices[static_cast<std::size_t>(fan.creaseEnds[0])] - p;
    const Vector3d b = f.mesh->mesh.vertices[static_cast<std::size_t>(fan.creaseEnds[1])] - p;
    isFlat[v] = a.normalized().dot(b.normalized()) < -1 + 1e-7 ? 1 : 0;
  }
  return isFlat;
}

std::optional<ThreadFit> fitThread(const Facets& facets, const std::vector<char>& isFlat,
                                   const Helix& helix) {
  if (helix.coherence == 0) return std::nullopt;
  FlankStart start(facets, helix);
  if (!start.find()) return std::nullopt;
  ThreadFit fit = start.fit();
  if (!fit.problem.empty()) return fit;
  if (!ThreadFitter(facets, isFlat, fit).run(fit.low, fit.high)) return std::nullopt;
  return fit;
}

}  // namespace tenon::content
