// See screw_stop.h.
#include "runtime/plan/screw_stop.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <string>

#include "content/input/input_error.h"
#include "content/input/limits.h"
#include "content/input/wording.h"
#include "content/parts/thread_pair.h"

namespace tenon::runtime {

namespace {

using content::Goal;
using content::Scene;
using content::ThreadPair;
using physics::Pose;
using physics::Vector3d;

/// Precision of the place where a screw stops [m].
constexpr double kStopPrecision = 1e-6;

/// A screw in the hole of its goal, and its motion out of it.
class ScrewInHole {
 public:
  ScrewInHole(const Scene& scene, const Goal& goal, const ThreadPair& threads, const std::vector<Pose>& X_WP,
              PartDistance& distance)
      : scene_(scene),
        goal_(goal),
        threads_(threads),
        distance_(distance),
        X_WP_(X_WP[static_cast<std::size_t>(goal.part)]),
        X_WI_(X_WP[static_cast<std::size_t>(goal.into)]),
        X_WH_(X_WI_ * goal.X_IH),
        external_(heightsOf(threads.external, X_WH_.inverse() * X_WP_ * threads.X_PE)),
        internal_(heightsOf(threads.internal, threads.X_HI)),
        engaged_(internal_[1] - external_[0]) {}

  /// Travel out of the hole to where the screw is stopped on its way in [m]; empty: it is not stopped.
  std::optional<double> stop() {
    if (engaged_ <= 0 || !overlapsAt(0) || overlapsAt(engaged_)) return std::nullopt;
    double in = 0, out = engaged_;
    while (out - in > kStopPrecision) {
      const double middle = 0.5 * (in + out);
      (overlapsAt(middle) ? in : out) = middle;
    }
    // Teeth that overlap from the first turn on stand in each other: that is no question of length.
    if (engaged_ - out < std::abs(threads_.internal.lead())) return std::nullopt;
    return out;
  }

  [[noreturn]] void fail(double travel) {
    const content::Part &screw = scene_.part(goal_.part), &other = scene_.part(goal_.into);
    const std::string length = content::smallLengthText(travel), name = content::inQuotes(screw.name),
                      reached = content::smallLengthText(depth() - travel),
                      hole = fmt::format("hole {} of {}", content::inQuotes(goal_.hole),
                                         content::inQuotes(other.name));
    const bool isShort = isStoppedAtMouth(travel);
    std::string problem =
        isShort ? fmt::format("the thread of screw {} is {} too short for {}", name, length, hole)
                : fmt::format("screw {} is {} too long for {}, whose thread ends {} below the mouth", name,
                              length, hole, content::smallLengthText(-internal_[0]));
    std::string remedy = isShort ? "use a screw with a longer thread"
                                 : "use a shorter screw, or make the hole and its thread deeper";
    // The assembled state is at the depth of the goal, or beyond it where a face stops the screw.
    if (depth() > goal_.depth + kStopPrecision) {
      problem += fmt::format(": it stops {} deep, {} before it is seated", reached, length);
    } else {
      problem += fmt::format(": it stops {} deep, and its goal is {} deep", reached,
                             content::smallLengthText(goal_.depth));
      remedy += fmt::format(", or ask for a depth of at most {}", reached);
    }
    throw content::InputError(scene_.file, fmt::format("/parts/{}", screw.fileEntry), problem, remedy);
  }

 private:
  /// Range of a thread along the axis of the hole, above its mouth [m].
  static std::array<double, 2> heightsOf(const physics::Thread& thread, const Pose& X_HT) {
    const double a = (X_HT * Vector3d(0, 0, thread.low)).z(), b = (X_HT * Vector3d(0, 0, thread.high)).z();
    return {std::min(a, b), std::max(a, b)};
  }

  Vector3d out() const { return X_WH_.q * Vector3d::UnitZ(); }

  /// The screw, turned out by this travel [m].
  Pose poseAt(double travel) const {
    const double angle = 2 * std::numbers::pi * travel / threads_.internal.lead();
    const physics::Quaterniond q = physics::exponential(angle * out());
    return Pose{q, X_WH_.p - q * X_WH_.p + travel * out()} * X_WP_;
  }

  /// Overlap that rounding in CAD and teeth wider than their grooves have anywhere [m].
  double allowed() const {
    const physics::Thread &own = threads_.external, &other = threads_.internal;
    return content::kSettledOverlap +
           std::max({0.0, -threads_.axialPlay(), 0.5 * (own.majorDiameter - other.majorDiameter),
                     0.5 * (own.minorDiameter - other.minorDiameter)});
  }

  bool overlapsAt(double travel) {
    return distance_.separation(goal_.part, poseAt(travel), goal_.into, X_WI_, 0) < -allowed();
  }

  /// Depth of the feature below the mouth in the assembled state [m].
  double depth() const {
    const content::AxisFeature& tip =
        scene_.part(goal_.part).features[static_cast<std::size_t>(goal_.feature)];
    return -(X_WH_.inverse() * (X_WP_ * tip.origin)).z();
  }

  /// True if the deepest overlap is nearer to where the screw's thread ends than to the end of the hole's.
  bool isStoppedAtMouth(double travel) {
    const Pose X_WP = poseAt(0.5 * travel);
    double deepest = 0, height = internal_[0];
    for (const physics::Contact& contact : distance_.contacts(goal_.part, X_WP, goal_.into, X_WI_, 0))
      if (contact.separation < deepest) {
        deepest = contact.separation;
        height = (X_WH_.inverse() * contact.p).z();
      }
    return std::abs(height - (external_[1] + 0.5 * travel)) < std::abs(height - internal_[0]);
  }

  const Scene& scene_;
  const Goal& goal_;
  const ThreadPair& threads_;
  PartDistance& distance_;
  Pose X_WP_, X_WI_, X_WH_;                    ///< of the screw, of the other part, of the mouth of the hole
  std::array<double, 2> external_, internal_;  ///< threads along the axis of the hole, above its mouth [m]
  double engaged_;                             ///< travel after which the threads are apart [m]
};

}  // namespace

void checkScrewStops(const Scene& scene, const std::vector<Pose>& X_WP, PartDistance& distance) {
  for (const Goal& goal : scene.goals) {
    const auto threads = content::threadPairOf(scene, goal);
    if (!threads || !threads->isMatching()) continue;
    ScrewInHole screw(scene, goal, *threads, X_WP, distance);
    if (const auto travel = screw.stop()) screw.fail(*travel);
  }
}

}  // namespace tenon::runtime
