// Contacts of solids against the local minima of the distance between their boundaries, which a walk on
// samples of one boundary finds by the closed-form distance to the other: none that is more prominent
// than 3 µm is missed, all contacts lie on both solids, and no distance is off by more than 1 nm. Random
// poses, nearly parallel, nearly coaxial and nearly tangent ones. Of overlaps only that those with contacts
// are real.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "physics/collision/brep/solid_contacts.h"
#include "physics/collision/brep/triangle_solid.h"
#include "physics/math/pose.h"
#include "tests/support/reference_solid.h"
#include "tests/support/share.h"

namespace tenon::contact_minima_test {
namespace {

using Eigen::Vector2d;
using physics::Pose;
using physics::Quaterniond;
using physics::Vector3d;
using physics::brep::SolidContact;
using tests::Prism;
using tests::ReferenceSolid;
using tests::Side;
using tests::TurnedSolid;

constexpr double kTurn = 2 * std::numbers::pi;
constexpr double kRange = 5e-4, kExact = 1e-9, kProminent = 3e-6;
/// Between samples; features of the solids are larger [m].
constexpr double kSpacing = 8e-4;

struct Solid {
  std::string name;
  std::shared_ptr<const ReferenceSolid> reference;
  physics::brep::Solid engine;
  std::vector<Vector3d> samples;
  std::vector<std::vector<int>> neighbors;
};

Solid make(const std::string& name, std::shared_ptr<const ReferenceSolid> reference,
           bool isFreeform = false) {
  Solid solid{name, std::move(reference), {}, {}, {}};
  std::vector<int> flat;
  solid.engine = physics::brep::solidOfTriangles(solid.reference->mesh(isFreeform), 2e-4, &flat);
  EXPECT_TRUE(flat.empty()) << name;
  solid.samples = solid.reference->samples(kSpacing);
  const std::size_t n = solid.samples.size();
  solid.neighbors.resize(n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < n; ++k)
      if (i != k && (solid.samples[i] - solid.samples[k]).norm() < 1.7 * kSpacing)
        solid.neighbors[i].push_back(static_cast<int>(k));
  return solid;
}

/// Points (z, ρ) [mm] that straight sides connect.
std::vector<Side> lines(const std::vector<Vector2d>& points_mm) {
  std::vector<Side> sides;
  for (std::size_t k = 0; k + 1 < points_mm.size(); ++k)
    sides.push_back(Side::line(1e-3 * points_mm[k], 1e-3 * points_mm[k + 1]));
  return sides;
}

Side arc(const Vector2d& a_mm, const Vector2d& b_mm, const Vector2d& center_mm) {
  return Side::arc(1e-3 * a_mm, 1e-3 * b_mm, 1e-3 * center_mm);
}

std::shared_ptr<const ReferenceSolid> turned(std::vector<Side> outline) {
  return std::make_shared<TurnedSolid>(std::move(outline));
}

std::vector<Side> joined(std::vector<std::vector<Side>> parts) {
  std::vector<Side> all;
  for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

std::vector<Side> polygon(int corners, double outer_mm, double inner_mm) {
  std::vector<Vector2d> points;
  for (int k = 0; k <= corners; ++k) {
    const double angle = kTurn * (k % corners + 0.5) / corners,
                 r = k % corners % 2 == 0 ? outer_mm : inner_mm;
    points.emplace_back(r * std::cos(angle), r * std::sin(angle));
  }
  return lines(points);
}

/// A circle of this radius with a flat at x = `flat_mm`.
std::vector<Side> dOutline(double radius_mm, double flat_mm) {
  const double half = std::acos(flat_mm / radius_mm);
  std::vector<Side> sides;
  constexpr int kArcs = 3;
  const auto at = [&](int k) {
    const double angle = half + (kTurn - 2 * half) * k / kArcs;
    return Vector2d(radius_mm * std::cos(angle), radius_mm * std::sin(angle));
  };
  for (int k = 0; k < kArcs; ++k) sides.push_back(arc(at(k), at(k + 1), {0, 0}));
  sides.push_back(Side::line(1e-3 * at(kArcs), 1e-3 * at(0)));
  return sides;
}

const double kRoot = std::sqrt(0.5);

/// A cylinder of radius 4 whose ends are rounded by 1 [mm].
std::vector<Side> rounded() {
  return joined({lines({{-6, 0}, {-6, 3}}),
                 {arc({-6, 3}, {-5, 4}, {-5, 3})},
                 lines({{-5, 4}, {5, 4}}),
                 {arc({5, 4}, {6, 3}, {5, 3})},
                 lines({{6, 3}, {6, 0}})});
}

/// A ring with a bore of this radius, chamfers of 0.5 at its mouths, and outer radius 7 [mm].
std::vector<Side> ring(double bore_mm) {
  return lines({{-4, bore_mm + 0.5},
                {-4, 7},
                {4, 7},
                {4, bore_mm + 0.5},
                {3.5, bore_mm},
                {-3.5, bore_mm},
                {-4, bore_mm + 0.5}});
}

/// A ring with rounded mouths.
std::vector<Side> roundedRing(double bore_mm) {
  const double outer = bore_mm + 3;
  return joined({lines({{-4, bore_mm + 1}, {-4, outer}, {4, outer}, {4, bore_mm + 1}}),
                 {arc({4, bore_mm + 1}, {3, bore_mm}, {3, bore_mm + 1})},
                 lines({{3, bore_mm}, {-3, bore_mm}}),
                 {arc({-3, bore_mm}, {-4, bore_mm + 1}, {-3, bore_mm + 1})}});
}

/// A pair of solids of which one goes into the other: coaxial at `height_mm`, with `play_mm` to all sides.
struct Fit {
  int a, b;
  double height_mm, play_mm;
};

struct Solids {
  std::vector<Solid> all;
  std::vector<Fit> fits;

  Solids() {
    const auto add = [&](const std::string& name, std::shared_ptr<const ReferenceSolid> reference,
                         bool isFreeform = false) {
      all.push_back(make(name, std::move(reference), isFreeform));
      return static_cast<int>(all.size()) - 1;
    };
    const int peg = add("peg", turned(lines({{-6, 0}, {-6, 4}, {6, 4}, {6, 0}})));
    const int chamfered = add("chamfered peg", turned(lines({{-6, 0}, {-6, 3.2}, {-5, 4}, {6, 4}, {6, 0}})));
    const int tip = add("pointed cone", turned(lines({{-5, 0}, {3, 4}, {3, 0}})));
    const int frustum = add("frustum", turned(lines({{-4, 0}, {-4, 2.5}, {4, 4.5}, {4, 0}})));
    const int ball = add("dome", turned(joined({{arc({-5, 0}, {-1 - 4 * kRoot, 4 * kRoot}, {-1, 0}),
                                                 arc({-1 - 4 * kRoot, 4 * kRoot}, {-1, 4}, {-1, 0})},
                                                lines({{-1, 4}, {4, 4}, {4, 0}})})));
    const int round = add("rounded peg", turned(rounded()));
    add("flange with a fillet", turned(joined({lines({{-3, 0}, {-3, 6}, {0, 6}, {0, 3.5}}),
                                               {arc({0, 3.5}, {1.5, 2}, {1.5, 3.5})},
                                               lines({{1.5, 2}, {7, 2}, {7, 0}})})));
    // A spindle torus: its tube is larger than its circle.
    const auto onSpindle = [](double angle) {
      return Vector2d(5 * std::sin(angle), 1 + 5 * std::cos(angle));
    };
    const int spindle = add("spindle", turned(joined({lines({{onSpindle(-1.3).x(), 0}, onSpindle(-1.3)}),
                                                      {arc(onSpindle(-1.3), onSpindle(0), {0, 1}),
                                                       arc(onSpindle(0), onSpindle(1.3), {0, 1})},
                                                      lines({onSpindle(1.3), {onSpindle(1.3).x(), 0}})})));
    add("spool", turned(lines({{-5, 0}, {-5, 5}, {-3, 5}, {-1, 3}, {2, 3}, {3, 5}, {5, 5}, {5, 0}})));
    add("cube", std::make_shared<Prism>(polygon(4, 5, 5), 4e-3));
    const int star = add("star", std::make_shared<Prism>(polygon(10, 5.5, 3), 3e-3));
    const int square = add("square peg", std::make_shared<Prism>(polygon(4, 4, 4), 6e-3));
    const int shaft = add("D shaft", std::make_shared<Prism>(dOutline(4, 2.5), 6e-3));
    const int freePeg = add("rounded peg of free forms", turned(rounded()), true);
    add("D shaft of free forms", std::make_shared<Prism>(dOutline(4, 2.5), 5e-3), true);
    for (const double play : {0.003, 0.02, 0.2}) {
      const int bore = add("ring", turned(ring(4 + play))),
                mouth = add("rounded ring", turned(roundedRing(4 + play)));
      for (const int other : {peg, chamfered, round, freePeg, ball})
        for (const int into : {bore, mouth})
          for (const double height : {0.0, 6.0, 9.0}) fits.push_back({other, into, height, play});
    }
    const int freeRing = add("ring of free forms", turned(roundedRing(4.02)), true);
    for (const int other : {peg, round, freePeg}) fits.push_back({other, freeRing, 1, 0.02});
    const int loose = add("wide ring", turned(roundedRing(6.02)));
    fits.push_back({spindle, loose, 0.5, 0.02});
    const int hole = add("ring with a D hole", std::make_shared<Prism>(dOutline(4.02, 2.52), 4e-3, 7e-3)),
              socket = add("square socket", std::make_shared<Prism>(polygon(4, 4.03, 4.03), 4e-3, 7e-3)),
              starHole =
                  add("ring with a star", std::make_shared<Prism>(polygon(10, 5.55, 3.03), 4e-3, 7.5e-3));
    fits.push_back({shaft, hole, 2, 0.02});
    fits.push_back({square, socket, 2, 0.02});
    fits.push_back({star, starHole, 1, 0.015});
    // Surfaces and a rim 20 µm above where they would meet all around.
    const int seat = add("conical seat", turned(lines({{-4, 2.5}, {-4, 7}, {4, 7}, {4, 4.5}, {-4, 2.5}})));
    fits.push_back({frustum, seat, 0.02, 0.004});
    fits.push_back({ball, seat, 3.51, 0.004});
    fits.push_back({tip, seat, -0.98, 0.004});
  }
};

class Draw {
 public:
  Draw(unsigned seed, int pose) : random_(100000007 * seed + static_cast<unsigned>(pose)) {}
  double between(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }
  double power(double low, double high) { return std::pow(10, between(low, high)); }
  int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(random_); }
  Vector3d direction() {
    std::normal_distribution<double> normal;
    return Vector3d{normal(random_), normal(random_), normal(random_)}.normalized();
  }
  Quaterniond rotation() {
    std::normal_distribution<double> normal;
    return Quaterniond{normal(random_), normal(random_), normal(random_), normal(random_)}.normalized();
  }

 private:
  std::mt19937 random_;
};

/// What a point of one boundary is to the other solid. Points in the frame of the one, walker, that is
/// sampled.
struct Landscape {
  /// Over 10 mm it makes 1 nm [-].
  static constexpr double kFlat = 1e-7;

  const Solid& walker;
  const Solid& other;
  Pose X;  // from the walker's frame to the other's

  double at(const Vector3d& p) const { return other.reference->distance(X * p); }
  Vector3d onto(const Vector3d& p) const { return walker.reference->closest(p); }

  /// Downhill from p by at most so many alternating projections onto both boundaries.
  Vector3d project(Vector3d p, int passes) const {
    const Pose back = X.inverse();
    double value = at(p);
    for (int pass = 0; pass < passes; ++pass) {
      const Vector3d next = onto(back * other.reference->closest(X * p));
      const double v = at(next);
      if (!(v < value - 1e-4 * (next - p).norm())) break;
      p = next;
      value = v;
    }
    return p;
  }

  /// Downhill from p by alternating projections onto both boundaries, then by steps in random directions that
  /// become shorter where none goes down, as far as the slope exceeds kFlat.
  Vector3d descend(Vector3d p, Draw& draw, int passes = 250) const {
    static const std::array<Vector3d, 6> axes = [] {
      const double g = 0.5 * (1 + std::sqrt(5.0));
      std::array<Vector3d, 6> a{Vector3d(0, 1, g),  Vector3d(0, 1, -g), Vector3d(1, g, 0),
                                Vector3d(1, -g, 0), Vector3d(g, 0, 1),  Vector3d(-g, 0, 1)};
      for (Vector3d& v : a) v.normalize();
      return a;
    }();
    p = project(p, 100);
    double value = at(p);
    double step = 1e-2 * kSpacing;
    for (int pass = 0; pass < passes && step > 5e-10; ++pass) {
      const Quaterniond q = draw.rotation();
      Vector3d best = p;
      double least = value - kFlat * step;
      for (const Vector3d& axis : axes)
        for (const double sign : {-1.0, 1.0}) {
          const Vector3d tried = onto(p + sign * step * (q * axis));
          if (const double v = at(tried); v < least) {
            least = v;
            best = tried;
          }
        }
      if (best != p) {
        p = best;
        value = least;
        step = std::min(0.5 * kSpacing, 1.5 * step);
      } else {
        step *= 0.5;
      }
    }
    return p;
  }

  /// The highest point on the path from p to q, along the straight line laid onto the boundary.
  double barrier(const Vector3d& p, const Vector3d& q) const {
    double highest = 0;
    const int n = 4 + static_cast<int>((q - p).norm() / (0.1 * kSpacing));
    for (int k = 0; k <= n; ++k) highest = std::max(highest, at(onto(p + (q - p) * k / n)));
    return highest;
  }

  /// True if a path from p to q stays below `limit`: the straight one, or paths to a point between them that
  /// lies further down.
  bool isConnected(const Vector3d& p, const Vector3d& q, double limit, Draw& draw, int depth = 5) const {
    if (barrier(p, q) <= limit) return true;
    if (depth == 0) return false;
    const Vector3d between = onto(0.5 * (p + q));
    // Along a rim, from which the straight path leads off; then past what lies between.
    for (const Vector3d& middle : {project(between, 100), descend(between, draw, 40)})
      if (at(middle) <= limit && isConnected(p, middle, limit, draw, depth - 1) &&
          isConnected(middle, q, limit, draw, depth - 1))
        return true;
    return false;
  }
};

struct Tally {
  long poses = 0, minima = 0, overlapping = 0, unseen = 0, contacts = 0;
  double worst = 0;  ///< deviation of a contact from a boundary, or of the least distance [m]
};

/// True if sample k is a minimum of the samples: of several of the same value, to 1 nm, that are connected
/// the first.
bool isLowest(const Solid& walker, const std::vector<double>& values, std::size_t k) {
  if (values[k] > kRange) return false;
  const auto lower = [&](std::size_t n) {
    return values[n] < values[k] - kExact || (n < k && values[n] <= values[k] + kExact);
  };
  const auto& neighbors = walker.neighbors[k];
  return std::none_of(neighbors.begin(), neighbors.end(),
                      [&](int n) { return lower(static_cast<std::size_t>(n)); });
}

class Poses : public testing::Test {
 protected:
  static const Solids& solids() {
    static const Solids all;
    return all;
  }

  /// True if a contact of at most the value at p is reached from there over a barrier of at most kProminent.
  template <class OnWalker>
  static bool isNear(const Landscape& land, const std::vector<SolidContact>& found, const Vector3d& p,
                     const OnWalker& onWalker, Draw& draw) {
    const double value = land.at(p);
    return std::any_of(found.begin(), found.end(), [&](const SolidContact& c) {
      if (c.separation > value + kExact) return false;
      const Vector3d q = onWalker(c);
      return (q - p).norm() < 1e-6 || land.isConnected(p, q, value + kProminent, draw);
    });
  }

  /// True if the walker has points in the other solid, or descends into it.
  static bool doCross(const Solid& walker, const Solid& other, const Pose& X, Draw& draw) {
    const Landscape land{walker, other, X};
    std::vector<double> values;
    for (const Vector3d& p : walker.samples) {
      if (other.reference->contains(X * p)) return true;
      values.push_back(land.at(p));
    }
    for (std::size_t k = 0; k < values.size(); ++k)
      if (isLowest(walker, values, k) && land.at(land.descend(walker.samples[k], draw)) < kExact) return true;
    return false;
  }

  /// Checks one pose. `label`: for messages.
  void check(const Solid& a, const Solid& b, const Pose& X_BA, Draw& draw, const std::string& label) {
    std::vector<SolidContact> found;
    findSolidContacts(a.engine, b.engine, X_BA, kRange, found);
    const Pose X_AB = X_BA.inverse();
    if (std::any_of(found.begin(), found.end(), [](const SolidContact& c) { return c.separation < 0; })) {
      ++tally.overlapping;
      EXPECT_TRUE(doCross(a, b, X_BA, draw) || doCross(b, a, X_AB, draw)) << label << ": no overlap";
      return;
    }
    for (const SolidContact& c : found) {
      ++tally.contacts;
      const Vector3d onA = X_AB * Vector3d(c.p - 0.5 * c.separation * c.n),
                     onB = c.p + 0.5 * c.separation * c.n;
      // Inside where balls stand for a torus.
      const double off = std::max(a.reference->contains(onA) ? 0 : a.reference->distance(onA),
                                  b.reference->contains(onB) ? 0 : b.reference->distance(onB));
      tally.worst = std::max(tally.worst, off);
      EXPECT_LE(off, kExact) << label << ": contact at " << c.separation << " feature " << std::hex
                             << c.feature;
    }
    const bool isAWalking = draw.below(2) == 0;
    const Landscape land{isAWalking ? a : b, isAWalking ? b : a, isAWalking ? X_BA : X_AB};
    const auto onWalker = [&](const SolidContact& c) -> Vector3d {
      return isAWalking ? X_AB * Vector3d(c.p - 0.5 * c.separation * c.n) : c.p + 0.5 * c.separation * c.n;
    };
    std::vector<double> values;
    for (const Vector3d& p : land.walker.samples) values.push_back(land.at(p));
    if (std::any_of(land.walker.samples.begin(), land.walker.samples.end(),
                    [&](const Vector3d& p) { return land.other.reference->contains(land.X * p); })) {
      ++tally.overlapping;
      ++tally.unseen;
      return;
    }
    ++tally.poses;
    double leastFound = HUGE_VAL, leastSeen = HUGE_VAL;
    for (const SolidContact& c : found) leastFound = std::min(leastFound, c.separation);
    for (std::size_t k = 0; k < values.size(); ++k) {
      if (!isLowest(land.walker, values, k)) continue;
      Vector3d p = land.descend(land.walker.samples[k], draw);
      const double value = land.at(p);
      if (value > 0.99 * kRange) continue;
      if (value < kExact) {  // they cross between the samples, which no contact shows
        --tally.poses;
        ++tally.overlapping;
        ++tally.unseen;
        return;
      }
      ++tally.minima;
      leastSeen = std::min(leastSeen, value);
      bool isMatched = isNear(land, found, p, onWalker, draw);
      // Slow descents, and paths that are not straight.
      if (!isMatched) {
        p = land.descend(p, draw, 20000);
        isMatched = isNear(land, found, p, onWalker, draw);
      }
      EXPECT_TRUE(isMatched) << label << ": minimum of " << value << " at " << p.transpose() * 1e3
                             << " mm of " << land.walker.name << ", " << found.size() << " contacts, least "
                             << leastFound;
    }
    if (leastSeen < HUGE_VAL) {
      EXPECT_LE(leastFound, leastSeen + kExact) << label;
    }
  }

  /// The pose at which a, displaced along `along` from far away, is about `gap` from b.
  static bool approach(const Solid& a, const Solid& b, Pose& X_BA, const Vector3d& along, double gap,
                       Draw& draw) {
    const Vector3d end = X_BA.p;
    double at = 0.03;
    std::size_t stride = 5;
    for (int pass = 0; pass < 40; ++pass) {
      X_BA.p = end + at * along;
      const Landscape land{a, b, X_BA};
      double least = HUGE_VAL;
      std::size_t nearest = 0;
      for (std::size_t k = 0; k < a.samples.size(); k += stride)
        if (const double v = land.at(a.samples[k]); v < least) {
          least = v;
          nearest = k;
        }
      if (least < 4e-3) stride = 1;
      if (least < 5e-4 + gap) least = land.at(land.descend(a.samples[nearest], draw));
      if (least < 1.5 * gap) return true;
      // Other points may be nearer than those that were tried.
      at -= stride > 1 ? std::max(0.5 * (least - 2e-3), least - 4e-3) : 0.95 * (least - gap);
      if (at < -0.01) return false;
    }
    return true;
  }

  static int count(int inSuite) {
    const char* text = std::getenv("TENON_MINIMA_POSES");
    return (text != nullptr ? std::atoi(text) : inSuite) / test::kShare;
  }

  void TearDown() override {
    EXPECT_EQ(tally.unseen, 0);
    std::printf(
        "%ld poses, %ld minima, %ld contacts, off by at most %.3g m; %ld overlaps, %ld of them not shown\n",
        tally.poses, tally.minima, tally.contacts, tally.worst, tally.overlapping, tally.unseen);
  }

  Tally tally;
};

TEST_F(Poses, AtRandomHaveAllTheirMinima) {
  const unsigned seed = 20261129;
  const int n = static_cast<int>(solids().all.size());
  // In some poses further on a tip is deep inside or near a patch (15070), or a rim crosses a face over a
  // short arc.
  std::vector<int> poses{4563, 8152, 14467, 15070, 17602, 18613, 20919, 27551, 31969};
  for (int k = 0; k < count(1500); ++k) poses.push_back(k);
  for (const int k : poses) {
    Draw draw(seed, k);
    const Solid &a = solids().all[static_cast<std::size_t>(draw.below(n))],
                &b = solids().all[static_cast<std::size_t>(draw.below(n))];
    Pose X{draw.rotation(), Vector3d::Zero()};
    const Vector3d along = draw.direction();
    const double gap = draw.power(-6, -3.5);
    if (!approach(a, b, X, along, gap, draw)) continue;
    check(a, b, X, draw,
          "seed " + std::to_string(seed) + ", pose " + std::to_string(k) + ", " + a.name + ", " + b.name);
  }
  EXPECT_GT(tally.poses, 2 * count(1500) / 3);
}

// Axes along or across each other but for a tilt of 1e-9 to 1e-2: faces on faces, sides on sides, rims on
// rims.
TEST_F(Poses, NearlyParallelHaveAllTheirMinima) {
  const unsigned seed = 2;
  const int n = static_cast<int>(solids().all.size());
  // In some poses further on a tip is deep inside, a corner lies past the mouth of a hole (4603), or an edge
  // along a free form (33120).
  std::vector<int> poses{4467, 4603, 5005, 6987, 33120};
  for (int k = 0; k < count(1500); ++k) poses.push_back(k);
  for (const int k : poses) {
    Draw draw(seed, k);
    const Solid &a = solids().all[static_cast<std::size_t>(draw.below(n))],
                &b = solids().all[static_cast<std::size_t>(draw.below(n))];
    const int quarters = draw.below(4);
    const double tilt = draw.power(-9, -2);
    const Vector3d axis = draw.direction();
    const double turn = draw.below(2) == 0 ? 0 : draw.between(0, kTurn);
    const Quaterniond q = physics::exponential(tilt * axis) *
                          physics::exponential(Vector3d(quarters * kTurn / 4, 0, 0)) *
                          physics::exponential(Vector3d(0, 0, turn));
    Pose X{q, Vector3d::Zero()};
    Vector3d along = Vector3d::UnitZ();
    switch (draw.below(3)) {
      case 0:
        X.p = Vector3d{draw.between(-5e-3, 5e-3), draw.between(-5e-3, 5e-3), 0};
        break;
      case 1:
        X.p = Vector3d{draw.power(-9, -4), draw.power(-9, -4), 0};
        break;
      default: {
        const double angle = draw.below(2) == 0 ? kTurn / 8 * draw.below(8) : draw.between(0, kTurn);
        along = Vector3d(std::cos(angle), std::sin(angle), 0);
        X.p = Vector3d(0, 0, draw.between(-5e-3, 5e-3));
      }
    }
    if (draw.below(2) == 0) along = -along;
    const double gap = draw.power(-6, -3.5);
    if (!approach(a, b, X, along, gap, draw)) continue;
    check(a, b, X, draw,
          "seed " + std::to_string(seed) + ", pose " + std::to_string(k) + ", " + a.name + ", " + b.name);
  }
  EXPECT_GT(tally.poses, 2 * count(1500) / 3);
}

TEST_F(Poses, NearlyCoaxialInFitsHaveAllTheirMinima) {
  const unsigned seed = 3;
  for (int k = 0; k < count(2500); ++k) {
    Draw draw(seed, k);
    const Fit& fit =
        solids().fits[static_cast<std::size_t>(draw.below(static_cast<int>(solids().fits.size())))];
    const Solid &a = solids().all[static_cast<std::size_t>(fit.a)],
                &b = solids().all[static_cast<std::size_t>(fit.b)];
    const double play = 1e-3 * fit.play_mm;
    // Offset and tilt that leave some of the play.
    const double tilt = std::min(draw.power(-9, -2), 0.07 * play / 1e-3 * draw.between(0, 1)),
                 offset = std::min(draw.power(-9, -3), 0.6 * play * draw.between(0, 1));
    const double direction = draw.between(0, kTurn), leaning = draw.between(0, kTurn);
    const Pose X{physics::exponential(tilt * Vector3d(std::cos(leaning), std::sin(leaning), 0)),
                 {offset * std::cos(direction), offset * std::sin(direction), 1e-3 * fit.height_mm}};
    check(a, b, X, draw,
          "seed " + std::to_string(seed) + ", pose " + std::to_string(k) + ", " + a.name + ", " + b.name);
  }
  EXPECT_GT(tally.poses, 2 * count(2500) / 3);
}

}  // namespace
}  // namespace tenon::contact_minima_test
