// See helix_search.h.
#include "content/recognize/helix_search.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <complex>
#include <iterator>
#include <numbers>
#include <optional>
#include <unsupported/Eigen/FFT>
#include <utility>

#include "content/mesh/mesh_mass.h"
#include "physics/math/parallel_for.h"

namespace tenon::content {
namespace {

using Complex = std::complex<double>;
using Eigen::Matrix3d;

/// Fewest triangles of a region or a range of radii: two turns of the coarsest facets.
constexpr std::size_t kMinTriangles = 48;
/// Axes closer than this are tried once [-], relative to the extent.
constexpr double kSameThreadAxis = 3e-3;
/// Faces across or along the axis have no part in the spectrum: |n_z| of the others [-].
constexpr double kMinSlope = 0.1, kMaxSlope = 0.985;
/// Ratios of the outer to the inner radius of a range [-]: a wide one has the whole of a coarse thread, a
/// narrow one leaves out what is left of larger threads. And of the inner radii of successive ranges [-].
constexpr double kWideRange = 1.7, kNarrowRange = 1.3, kRangeStep = 1.3;
/// Smallest inner radius of a range: threads are larger than S 0.3 [m].
constexpr double kSmallestRange = 0.1e-3;
/// Pitches over the inner radius of a range [-].
constexpr double kMinPitch = 0.06, kMaxPitch = 0.9;
constexpr int kMaxHelixStarts = physics::kMaxStarts;
/// Smallest coherence of a helix [-].
constexpr double kMinCoherence = 0.3;
/// Smallest share of flanks in the area of a range [-].
constexpr double kMinFlankShare = 0.05;
constexpr std::size_t kMaxBins = 6000;
/// Least spread of the normals of a threaded region [-]: those of a plane or a cylinder of any section have
/// less.
constexpr double kLeastSpread = 1e-3;

// --- axes ------------------------------------------------------------------------------------------------

class ThreadAxisList {
 public:
  explicit ThreadAxisList(const Facets& facets) : f_(facets) {}
  void add(Axis axis) {
    const Vector3d middle = 0.5 * (f_.low + f_.high);
    axis.origin += (middle - axis.origin).dot(axis.z) * axis.z;
    if ((axis.origin - middle).norm() > f_.extent) return;
    for (const Axis& other : axes)
      if (other.z.cross(axis.z).norm() < kSameThreadAxis &&
          (other.origin - axis.origin).norm() < kSameThreadAxis * f_.extent)
        return;
    // One direction of each line: the larger component is positive.
    int main = 0;
    axis.z.cwiseAbs().maxCoeff(&main);
    if (axis.z[main] < 0) axis.setDirection(-axis.z);
    axes.push_back(axis);
  }
  std::vector<Axis> axes;

 private:
  const Facets& f_;
};

void addAxesOfRegions(const Facets& f, const std::vector<Region>& regions, ThreadAxisList& list) {
  std::vector<const Region*> order;
  for (const Region& region : regions)
    if (!region.planar && region.triangles.size() >= kMinTriangles && region.area > 0)
      order.push_back(&region);
  std::stable_sort(order.begin(), order.end(),
                   [](const Region* a, const Region* b) { return a->area > b->area; });
  for (const Region* region : order)
    if (const auto axis = axisOfNormals(f, *region, kLeastSpread)) list.add(*axis);
}

void addAxesOfInertia(const Facets& f, ThreadAxisList& list) {
  if (!f.mesh->report.isClosed()) return;
  const physics::MassProperties mass = massOf(f.mesh->mesh, 1);
  const Eigen::SelfAdjointEigenSolver<Matrix3d> axes(mass.inertia);
  for (int k = 0; k < 3; ++k) {
    Axis axis;
    axis.setDirection(axes.eigenvectors().col(k));
    axis.origin = mass.center;
    if (axis.origin.allFinite() && axis.z.allFinite()) list.add(axis);
  }
}

// --- spectrum --------------------------------------------------------------------------------------------

/// The center of a triangle about an axis.
struct HelixSample {
  double r = 0, z = 0;    ///< [m]
  double projected = 0;   ///< n_z dA [m²]
  double area = 0;        ///< [m²]
  Complex direction = 1;  ///< exp(−i θ) of the angle θ about the axis [-]
};

/// exp(−i m θ).
Complex multiple(const HelixSample& s, int m) {
  Complex power = 1;
  for (int k = 0; k < std::abs(m); ++k) power *= s.direction;
  return m < 0 ? std::conj(power) : power;
}

using Radii = std::array<double, 2>;  ///< inner and outer one of a range [m]

/// The samples between two radii.
struct SamplesOfRange {
  double area = 0;                        ///< of all [m²]
  std::vector<const HelixSample*> slope;  ///< those that count, in the order of the triangles
};

bool isSlope(const HelixSample& s) {
  return std::abs(s.projected) > kMinSlope * s.area && std::abs(s.projected) < kMaxSlope * s.area;
}

std::vector<HelixSample> samplesAbout(const Facets& f, const Axis& axis, const std::vector<char>& isLeftOut) {
  std::vector<HelixSample> samples;
  samples.reserve(static_cast<std::size_t>(f.count()));
  for (int t = 0; t < f.count(); ++t) {
    const auto i = static_cast<std::size_t>(t);
    if (isLeftOut[i] != 0) continue;
    const Vector3d p = (f.point(t, 0) + f.point(t, 1) + f.point(t, 2)) / 3 - axis.origin;
    const double x = p.dot(axis.x), y = p.dot(axis.y), r = std::sqrt(x * x + y * y);
    samples.push_back({r, p.dot(axis.z), f.areas[i] * f.normals[i].dot(axis.z), f.areas[i],
                       r > 0 ? Complex(x / r, -y / r) : Complex(1)});
  }
  return samples;
}

/// The samples of each range, whose inner radii increase.
std::vector<SamplesOfRange> samplesOfRanges(const std::vector<HelixSample>& samples,
                                            const std::vector<Radii>& ranges) {
  std::vector<SamplesOfRange> found(ranges.size());
  for (const HelixSample& s : samples) {
    const auto end = std::upper_bound(ranges.begin(), ranges.end(), s.r,
                                      [](double r, const Radii& range) { return r < range[0]; });
    for (auto k = static_cast<std::size_t>(end - ranges.begin()); k-- > 0 && !(s.r > ranges[k][1]);) {
      found[k].area += s.area;
      if (isSlope(s)) found[k].slope.push_back(&s);
    }
  }
  return found;
}

/// The samples between two radii, summed in bins along the axis by their multiples of the angle.
class HelixSpectrum {
 public:
  HelixSpectrum(SamplesOfRange samples, double inner, double outer)
      : inner_(inner), used_(std::move(samples.slope)) {
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (const HelixSample* s : used_) {
      low = std::min(low, s->z);
      high = std::max(high, s->z);
      total_ += std::abs(s->projected);
    }
    if (used_.size() < kMinTriangles || total_ < kMinFlankShare * samples.area) return;
    helix_.low = low;
    helix_.high = high;
    helix_.innerRadius = inner;
    helix_.outerRadius = outer;
    width_ = 0.2 * kMinPitch * inner;
    const auto bins = static_cast<std::size_t>((high - low) / width_) + 1;
    if (bins > kMaxBins || high - low < kMinPitch * inner) return;
    std::array<std::vector<Complex>, kMaxHelixStarts> sums;  // by starts
    for (std::vector<Complex>& ofStarts : sums) ofStarts.resize(std::bit_ceil(4 * bins));
    for (const HelixSample* s : used_) {
      const auto bin = static_cast<std::size_t>((s->z - helix_.low) / width_);
      Complex power = 1;
      for (std::vector<Complex>& ofStarts : sums) ofStarts[bin] += s->projected * (power *= s->direction);
    }
    for (int m = 1; m <= kMaxHelixStarts; ++m) search(m, bins, sums[static_cast<std::size_t>(m - 1)]);
  }
  const Helix& helix() const { return helix_; }
  /// Of the strongest helix, if it is coherent enough for a thread [m²].
  double amplitude() const { return helix_.coherence < kMinCoherence ? 0 : helix_.coherence * total_; }

 private:
  /// Both hands of m starts, by the Fourier transform of the sums of exp(−i m θ) along z: of its positive
  /// frequencies for exp(i (−k z − m θ)), left-handed, of its negative ones for right-handed helices. The
  /// transform is nowhere larger than the sum of all magnitudes: where that is too small, there is no helix.
  void search(int m, std::size_t bins, const std::vector<Complex>& sums) {
    constexpr double kRounding = 1e-9;  // of the transform [-]
    const std::size_t size = sums.size();
    double most = 0;
    for (std::size_t i = 0; i < bins; ++i) most += std::abs(sums[i]);
    if (most < (1 - kRounding) * std::max(helix_.coherence, kMinCoherence) * total_) return;
    std::vector<Complex> transform;
    fft_.fwd(transform, sums);
    const double length = helix_.high - helix_.low;
    const double first = kFullTurn / std::min(kMaxPitch * inner_, 0.8 * length);
    const double last = kFullTurn / (kMinPitch * inner_),
                 step = kFullTurn / (static_cast<double>(size) * width_);
    for (auto i = static_cast<std::size_t>(first / step) + 1; static_cast<double>(i) * step < last; ++i) {
      const double k = static_cast<double>(i) * step;
      consider(std::abs(transform[size - i]), k, m);
      consider(std::abs(transform[i]), k, -m);
    }
  }

  void consider(double amplitude, double k, int m) {
    if (!(amplitude > helix_.coherence * total_)) return;
    helix_.coherence = amplitude / total_;
    helix_.pitch = kFullTurn / k;
    helix_.starts = std::abs(m);
    helix_.isLeftHanded = m < 0;
  }

 public:
  /// Improves pitch and phase with the samples themselves.
  void refine() {
    if (helix_.coherence == 0) return;
    const int m = helix_.isLeftHanded ? -helix_.starts : helix_.starts;
    double k = kFullTurn / helix_.pitch, step = 0.5 / (helix_.high - helix_.low);
    std::vector<Complex> terms;  // of the sum at k
    Complex best;
    for (const HelixSample* s : used_) {
      terms.push_back(s->projected * std::polar(1.0, k * s->z) * multiple(*s, m));
      best += terms.back();
    }
    std::vector<Complex> turns(terms.size());  // from k to k + step
    for (int pass = 0; pass < 12; ++pass, step *= 0.5) {
      Complex lower, upper;
      for (std::size_t i = 0; i < terms.size(); ++i) {
        turns[i] = std::polar(1.0, step * used_[i]->z);
        lower += terms[i] * std::conj(turns[i]);
        upper += terms[i] * turns[i];
      }
      const bool isUpper = std::abs(upper) > std::abs(lower);
      const Complex sum = isUpper ? upper : lower;
      if (!(std::abs(sum) > std::abs(best))) continue;
      best = sum;
      k += isUpper ? step : -step;
      for (std::size_t i = 0; i < terms.size(); ++i) terms[i] *= isUpper ? turns[i] : std::conj(turns[i]);
    }
    helix_.pitch = kFullTurn / k;
    helix_.coherence = std::abs(best) / total_;
    // Σ = i k ∫ exp(i (k z − m θ)) dV: the teeth are where k z − m θ has the argument of the integral.
    helix_.phase = -(std::arg(best) - std::numbers::pi / 2) / m;
  }

 private:
  double inner_ = 0, width_ = 0, total_ = 0;
  std::vector<const HelixSample*> used_;
  Eigen::FFT<double> fft_;
  Helix helix_;
};

}  // namespace

double Helix::rise() const {
  return (isLeftHanded ? -1 : 1) * starts * pitch / kFullTurn;
}

ThreadAxes threadAxes(const Facets& facets, const std::vector<Region>& regions,
                      const std::vector<RevolvedGroup>& groups) {
  ThreadAxisList list(facets);
  addAxesOfRegions(facets, regions, list);
  for (const RevolvedGroup& group : groups) list.add(group.axis);
  const std::size_t others = list.axes.size();
  addAxesOfInertia(facets, list);
  ThreadAxes result{std::move(list.axes), 0};
  if (result.axes.size() <= kMaxThreadAxes) return result;
  // Those of inertia are not left out: they find what no region shows.
  const std::size_t left = result.axes.size() - kMaxThreadAxes;
  const auto end = result.axes.begin() + static_cast<std::ptrdiff_t>(others);
  result.axes.erase(end - static_cast<std::ptrdiff_t>(left), end);
  result.unsearched = static_cast<int>(left);
  return result;
}

std::vector<Helix> helicesAbout(const Facets& facets, const Axis& axis, const std::vector<char>& isLeftOut,
                                bool besideOthers) {
  const std::vector<HelixSample> samples = samplesAbout(facets, axis, isLeftOut);
  double largest = 0, smallest = HUGE_VAL;
  for (const HelixSample& s : samples)
    if (isSlope(s)) {
      largest = std::max(largest, s.r);
      smallest = std::min(smallest, s.r);
    }
  // By amplitude, not by coherence: at the crests alone, half of the pitch is more coherent.
  std::vector<Radii> ranges;
  std::vector<SamplesOfRange> inRanges;
  const auto addRanges = [&](double ratio) {
    std::vector<Radii> added;
    for (double inner = std::max(smallest, kSmallestRange); inner < largest; inner *= kRangeStep)
      added.push_back({inner, ratio * inner});
    std::vector<SamplesOfRange> inAdded = samplesOfRanges(samples, added);
    std::move(inAdded.begin(), inAdded.end(), std::back_inserter(inRanges));
    ranges.insert(ranges.end(), added.begin(), added.end());
  };
  addRanges(kWideRange);
  if (besideOthers) addRanges(kNarrowRange);
  std::vector<std::optional<std::pair<double, Helix>>> found(ranges.size());
  physics::parallelFor(ranges.size(), 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t k = first; k < last; ++k) {
      HelixSpectrum spectrum(std::move(inRanges[k]), ranges[k][0], ranges[k][1]);
      if (spectrum.amplitude() == 0) continue;
      spectrum.refine();
      found[k].emplace(spectrum.amplitude(), spectrum.helix());
      found[k]->second.axis = axis;
    }
  });
  std::erase_if(found, [](const auto& one) { return !one; });
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a->first > b->first; });
  std::vector<Helix> helices;
  for (const auto& one : found) helices.push_back(one->second);
  return helices;
}

}  // namespace tenon::content
