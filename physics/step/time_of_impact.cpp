// See time_of_impact.h.
#include "physics/step/time_of_impact.h"

#include <algorithm>
#include <cmath>

namespace tenon::physics {

namespace {

/// Distance at which bodies touch [m].
constexpr double kTouching = 1e-9;
/// Queries after which steps are at least minStep.
constexpr int kFreeQueries = 100;
/// Queries of one search at most: only a motion of many meters in a step needs as many.
constexpr int kMaxQueries = 10000;
/// A nearest contact is sought within the shortest step first, at least this fraction of the whole range, and
/// then within kFurther times as much each [-].
constexpr double kLeastFraction = 1.0 / 4096, kFurther = 4;
/// Displacement to which the time of an overlap is bisected [m].
constexpr double kBisected = 1e-9;
/// Contacts further apart than the nearest one by up to this act together [m].
constexpr double kSimultaneousContacts = 1e-6;

/// One search. Displacements are those of the whole step.
class Advancement {
 public:
  Advancement(const Collider& collider, const PairMotion& motion, ContactSet& contacts)
      : collider_(collider),
        motion_(motion),
        contacts_(contacts),
        translation_(motion.dt * (motion.uj.head<3>() - motion.ui.head<3>())),
        turning_(motion.dt *
                 (turningOf(motion.ui, motion.radiusOfI) + turningOf(motion.uj, motion.radiusOfJ))),
        displacement_(translation_.norm() + turning_) {}

  std::optional<double> run() {
    double t = 0, clear = 0;
    for (int queries = 0; queries < kMaxQueries; ++queries) {
      const Contact* nearest = nearestWithin(t, (1 - t) * displacement_ + kSweptOverlap);
      if (!nearest) return std::nullopt;
      const double separation = nearest->separation;
      if (t == 0) allowed_ = std::min(0.0, separation) - kSweptOverlap;
      const double allowedAtEnd = motion_.solved ? allowed_ : -kTouching;
      if (t == 1 && separation < allowedAtEnd) allowed_ = allowedAtEnd;
      if (separation < allowed_) return bisect(clear, t);
      clear = t;
      const double rest = separation - allowedAtEnd;
      if (separation <= kTouching && (1 - t) * approach(*nearest, t) > rest) return hitAt(t);
      const double rate = (motion_.convex ? -nearest->n.dot(translation_) : translation_.norm()) + turning_;
      if ((1 - t) * rate <= rest) return std::nullopt;
      const bool free = motion_.convex && separation > kTouching && queries < kFreeQueries;
      const double step = std::max(separation / rate, free ? 0.0 : motion_.minStep / displacement_);
      t = std::min(1.0, t + step);
    }
    return std::nullopt;
  }

 private:
  static double turningOf(const Vector6d& u, double radius) {
    const double omega = u.tail<3>().norm();
    return omega > 0 ? omega * radius : 0.0;
  }

  /// The contact with the smallest distance at time t; null beyond `range`.
  const Contact* query(double t, double range) {
    contacts_.clear();
    collider_.findContacts(motion_.pair, motion_.poseOfI(t), motion_.poseOfJ(t), range, contacts_);
    const auto nearest =
        std::min_element(contacts_.begin(), contacts_.end(),
                         [](const Contact& a, const Contact& b) { return a.separation < b.separation; });
    return nearest == contacts_.end() ? nullptr : &*nearest;
  }

  /// The same: within fractions of the range first, where solids that are not convex have fewer contacts.
  /// Between queries an overlap grows by at most minStep, so that it lies within the first one; a deeper one
  /// of the step's start, which failed steps leave, may be found shallower.
  const Contact* nearestWithin(double t, double range) {
    if (motion_.convex) return query(t, range);
    for (double near = std::max(motion_.minStep + 2 * kSweptOverlap, kLeastFraction * range); near < range;
         near *= kFurther)
      if (const Contact* nearest = query(t, near)) return nearest;
    return query(t, range);
  }

  /// Approach of the surfaces at a contact, per step [m].
  double approach(const Contact& contact, double t) const {
    const Vector3d armOfI = contact.p - motion_.poseOfI(t).p, armOfJ = contact.p - motion_.poseOfJ(t).p;
    const Vector3d turning =
        Vector3d(motion_.uj.tail<3>()).cross(armOfJ) - Vector3d(motion_.ui.tail<3>()).cross(armOfI);
    return -contact.n.dot(translation_ + motion_.dt * turning);
  }

  /// They do not overlap at `clear`, and do at `overlapping`.
  std::optional<double> bisect(double clear, double overlapping) {
    while ((overlapping - clear) * displacement_ > kBisected) {
      const double middle = 0.5 * (clear + overlapping);
      if (!(middle > clear && middle < overlapping)) break;
      const Contact* nearest = query(middle, kSweptOverlap);
      (nearest && nearest->separation < 0.5 * allowed_ ? overlapping : clear) = middle;
    }
    return hitAt(clear);
  }

  double hitAt(double t) {
    const Contact* nearest = query(t, 2 * kSimultaneousContacts);
    if (!nearest) nearest = query(t, displacement_ + kSweptOverlap);
    const double largest = (nearest ? nearest->separation : 0.0) + kSimultaneousContacts;
    std::erase_if(contacts_, [largest](const Contact& contact) { return contact.separation > largest; });
    return t;
  }

  const Collider& collider_;
  const PairMotion& motion_;
  ContactSet& contacts_;
  Vector3d translation_;  // of j relative to i [m]
  double turning_;        // bound on the displacement by rotation [m]
  double displacement_;   // bound on the relative displacement [m]
  double allowed_ = 0;    // smallest separation that is not an impact [m]
};

}  // namespace

bool boundsMeet(const PairMotion& motion) {
  const Vector3d from = motion.startOfJ.p - motion.startOfI.p;
  const Vector3d path = motion.dt * (motion.uj.head<3>() - motion.ui.head<3>());
  const double squared = path.squaredNorm();
  const double nearest = squared > 0 ? std::clamp(-from.dot(path) / squared, 0.0, 1.0) : 0.0;
  return !((from + nearest * path).norm() > motion.radiusOfI + motion.radiusOfJ);
}

std::optional<double> timeOfImpact(const Collider& collider, const PairMotion& motion, ContactSet& contacts) {
  return Advancement(collider, motion, contacts).run();
}

}  // namespace tenon::physics
