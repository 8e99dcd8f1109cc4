// The rows of contacts: to first order a contact's distance changes with the poses of both bodies as its row
// says, by n · (velocity of j − velocity of i) at its point. Checked by central differences of the distance.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <vector>

#include "physics/collision/bullet/bullet_collider.h"
#include "physics/collision/geometry/tolerances.h"
#include "physics/collision/manifold/feature_id.h"

namespace tenon {
namespace {

using namespace physics;

constexpr double kPartSize = 0.01;    // [m]: a rotation by h / kPartSize moves surfaces by some h
constexpr double kQueryRange = 1e-3;  // [m]
constexpr double kDifference = 1e-8;  // h of the differences [m]
constexpr double kLeastAngle = 0.2;   // between edges of two parts [rad]
constexpr int kGradientPoses = 300;

class TwoParts {
 public:
  TwoParts(const Shape& i, const Shape& j) : collider_(makeBulletCollider()) {
    collider_->addBody(i, Vector3d::Zero(), true);
    collider_->addBody(j, Vector3d::Zero(), true);
  }
  ContactSet contacts(const Pose& X_WI, const Pose& X_WJ) const {
    ContactSet found;
    collider_->findContacts({BodyId{0}, BodyId{1}}, X_WI, X_WJ, kQueryRange, found);
    return found;
  }
  double separation(const Pose& X_WI, const Pose& X_WJ) const {
    double least = kQueryRange;
    for (const Contact& contact : contacts(X_WI, X_WJ)) least = std::min(least, contact.separation);
    return least;
  }
  /// Distance of the contact with this feature; NaN where it is not found.
  double distanceOf(std::uint64_t feature, const Pose& X_WI, const Pose& X_WJ) const {
    for (const Contact& contact : contacts(X_WI, X_WJ))
      if (contact.feature == feature) return contact.separation;
    return std::nan("");
  }

 private:
  std::unique_ptr<Collider> collider_;
};

Pose displaced(const Pose& X, const Vector6d& twist) {
  return {(exponential(twist.tail<3>()) * X.q).normalized(), X.p + twist.head<3>()};
}

/// Largest error of a row over unit motions of both bodies along and about all axes; NaN where a motion ends
/// the contact.
double rowError(const TwoParts& parts, const Contact& contact, const Pose& X_WI, const Pose& X_WJ) {
  double largest = 0;
  for (int d = 0; d < 12; ++d) {
    const bool movesJ = d >= 6;
    Vector6d twist = Vector6d::Zero();
    twist[d % 6] = d % 6 < 3 ? kDifference : kDifference / kPartSize;
    const Vector3d arm = contact.p - (movesJ ? X_WJ : X_WI).p;
    const Vector3d v = twist.head<3>() + twist.tail<3>().cross(arm);
    const double byRow = (movesJ ? 1 : -1) * contact.n.dot(v);
    const auto at = [&](const Vector6d& t) {
      return movesJ ? parts.distanceOf(contact.feature, X_WI, displaced(X_WJ, t))
                    : parts.distanceOf(contact.feature, displaced(X_WI, t), X_WJ);
    };
    const double difference = 0.5 * (at(twist) - at(-twist));
    if (!std::isfinite(difference)) return std::nan("");
    largest = std::max(largest, std::abs(difference - byRow) / kDifference);
  }
  return largest;
}

struct GradientCase {
  const char* name;
  Shape i, j;
};

struct RowError {
  std::uint64_t kind = 0;  // FeatureKind, without the side
  double separation = 0;   // [m]
  double error = 0;        // [-]
};

/// Of all contacts over parts whose upper one is tilted by up to 0.05 rad and rotated about the vertical,
/// brought to a distance between −100 nm and 100 µm.
std::vector<RowError> rowErrors(const GradientCase& tried) {
  const TwoParts parts(tried.i, tried.j);
  std::mt19937 random(5);
  const auto uniform = [&random](double low, double high) {
    return low + (high - low) * (static_cast<double>(random()) / 4294967296.0);
  };
  std::vector<RowError> errors;
  for (int k = 0; k < kGradientPoses; ++k) {
    const Pose X_WI{exponential(Vector3d(uniform(-1, 1), uniform(-1, 1), uniform(-1, 1))), Vector3d::Zero()};
    const double azimuth = uniform(0, 2 * std::numbers::pi), tilt = std::pow(10, uniform(-5, -1.3));
    // Edges of both are inclined to each other by at least kLeastAngle.
    const double yaw = uniform(kLeastAngle, 0.5 * std::numbers::pi - kLeastAngle);
    const Vector3d axis(std::cos(azimuth), std::sin(azimuth), 0);
    Pose X_IJ{(exponential(tilt * axis) * exponential(Vector3d(0, 0, yaw))).normalized(),
              {uniform(-0.02, 0.02), uniform(-0.02, 0.02), 0}};
    const double gap = k % 5 == 0 ? -1e-7 : std::pow(10, uniform(-9, -4));
    double low = 0, high = 0.05;
    for (int halving = 0; halving < 60; ++halving) {
      X_IJ.p.z() = 0.5 * (low + high);
      (parts.separation(X_WI, X_WI * X_IJ) > gap ? high : low) = X_IJ.p.z();
    }
    for (const Contact& contact : parts.contacts(X_WI, X_WI * X_IJ)) {
      const double error = rowError(parts, contact, X_WI, X_WI * X_IJ);
      const std::uint64_t kind = contact.feature >> 32 & 15;
      const bool hasSide = kind < kCrossingAxes || kind >= kVertexOnSide;
      if (std::isfinite(error)) errors.push_back({hasSide ? kind & ~1ull : kind, contact.separation, error});
    }
  }
  return errors;
}

const GradientCase kGradientCases[] = {{"boxes", Box{{0.012, 0.010, 0.008}}, Box{{0.009, 0.010, 0.008}}},
                                       {"capsule on box", Box{{0.012, 0.010, 0.008}}, Capsule{0.004, 0.01}},
                                       {"box on capsule", Capsule{0.004, 0.01}, Box{{0.012, 0.010, 0.008}}},
                                       {"cylinder on box", Box{{0.012, 0.010, 0.008}}, Cylinder{0.006, 0.01}},
                                       {"box on cylinder", Cylinder{0.006, 0.01}, Box{{0.012, 0.010, 0.008}}},
                                       {"cylinders", Cylinder{0.006, 0.01}, Cylinder{0.006, 0.01}}};

// Edges that cross a face's border high above it too: their rows decide where parts that slide come to rest.
// Flush edges (kFlushTilt) have the face's normal.
TEST(ContactGradient, RowsOfBoxesAreTheGradientsOfTheirDistances) {
  int crossings = 0;
  for (const RowError& row : rowErrors(kGradientCases[0])) {
    if (row.separation > 1e-4) continue;
    const bool isCrossing = row.kind == kEdgeOnFace;
    crossings += isCrossing ? 1 : 0;
    EXPECT_LE(row.error, isCrossing ? 1 - kFacingCosine : 1e-8)
        << "kind " << row.kind << ", " << row.separation << " m";
  }
  EXPECT_GT(crossings, 300);
}

// About to touch: where borders are round their curvature counts, times the height above the face. Rims have
// points at fixed phases, and the search is accurate to some 10⁻⁶.
TEST(ContactGradient, RowsOfPartsAboutToTouchAreTheGradientsOfTheirDistances) {
  for (const GradientCase& tried : kGradientCases) {
    int rows = 0;
    for (const RowError& row : rowErrors(tried)) {
      if (std::abs(row.separation) > 2e-6) continue;
      ++rows;
      const double largest = row.kind == kEdgeOnFace || row.kind == kEdgeOnSide ? 1 - kFacingCosine
                             : row.kind == kVertexOnFace                        ? 1e-3
                                                                                : 1e-5;
      EXPECT_LE(row.error, largest) << tried.name << ", kind " << row.kind << ", " << row.separation << " m";
    }
    EXPECT_GT(rows, 50) << tried.name;
  }
}

}  // namespace
}  // namespace tenon
