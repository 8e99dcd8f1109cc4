// Bodies as elements; pairs by Broadphase, contacts by ExactPairs, or by ConvexManifold, which search from
// searchNormal().
#include "physics/collision/bullet/bullet_collider.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <optional>
#include <stdexcept>

#include "physics/collision/bullet/body.h"
#include "physics/collision/bullet/broadphase.h"
#include "physics/collision/bullet/closest_search.h"
#include "physics/collision/convex_manifold.h"
#include "physics/collision/convex_part.h"

namespace tenon::physics {
namespace {

using bullet::Body;
using bullet::Element;
using bullet::ExactPairs;
using bullet::ExactSolid;
using bullet::overlap;

RigidTransform motionOf(const Pose& X) {
  return {X.q.toRotationMatrix(), X.p};
}

Bounds grown(const Bounds& bounds, double by) {
  return {bounds.low - Vector3d::Constant(by), bounds.high + Vector3d::Constant(by)};
}

// Bounds in frame A of a box given in frame C; not tight for the content of the box.
Bounds rotatedBounds(const Bounds& bounds, const RigidTransform& X_AC) {
  const Vector3d center = X_AC.point(0.5 * (bounds.low + bounds.high));
  const Vector3d half = X_AC.R.cwiseAbs() * (0.5 * (bounds.high - bounds.low));
  return {center - half, center + half};
}

bool areExact(const Element& a, const Element& b) {
  return a.exact && b.exact && ExactSolid::hasExactContacts(*a.exact, *b.exact);
}

bool areSingleConvexParts(const Body& a, const Body& b) {
  return a.convexParts.size() == 1 && b.convexParts.size() == 1 &&
         !areExact(a.elements.front(), b.elements.front());
}

// One with planes along all faces and all pairs of edges that are measured.
bool hasFewPlanes(const ConvexPart& convexPart) {
  return convexPart.kind == ConvexPartKind::halfSpace || !convexPart.polytope.edgeDirections.empty();
}

class BulletCollider final : public Collider {
 public:
  BodyId addBody(const Shape& shape, const Vector3d& p_CP, bool canMove) override;
  void findPairs(std::span<const Pose> X_WC, std::span<const double> searchMargin,
                 std::vector<BodyPair>& pairs) override;
  void findContacts(BodyPair pair, const Pose& X_WI, const Pose& X_WJ, double range,
                    ContactSet& contacts) const override;
  bool isSeparated(BodyPair pair, const Pose& X_WI, const Pose& X_WJ, double distance) const override;
  bool isSatExact(BodyPair pair) const override;
  double radius(BodyId body) const override { return at(body).radius; }
  double thickness(BodyId body) const override { return at(body).thickness; }

 private:
  const Body& at(BodyId id) const { return bodies_[static_cast<std::size_t>(id.value)]; }
  void addPlanePairs(std::span<const Pose> X_WC, std::span<const double> searchMargin,
                     std::vector<BodyPair>& pairs) const;
  bool reachesHalfSpace(const Body& body, const Pose& X_WC, const Bounds& other, double searchMargin) const;

  std::vector<Body> bodies_;
  std::vector<Bounds> bounds_;  // of each body in the world, grown by its search margin
  bullet::Broadphase broadphase_;
  ExactPairs exactPairs_;
};

// Contacts of one pair of bodies, element by element.
class PairQuery {
 public:
  PairQuery(const ExactPairs& exactPairs, const Body& i, const Body& j, BodyPair pair, const Pose& X_WI,
            const Pose& X_WJ, double range, ContactSet& contacts)
      : exactPairs_(exactPairs),
        i_(i),
        j_(j),
        pair_(pair),
        range_(range),
        contacts_(contacts),
        X_WI_(motionOf(X_WI)),
        X_WJ_(motionOf(X_WJ)),
        X_IJ_(relative(X_WI, X_WJ)),
        X_JI_(X_IJ_.inverse()) {}

  void run() {
    const std::size_t first = contacts_.size();
    const Bounds whole = grown(i_.bounds, range_);
    for (const Element& b : j_.elements) {
      const Bounds bounds = b.isHalfSpace ? Bounds{} : rotatedBounds(b.bounds, X_IJ_);
      const bool isNear = b.isHalfSpace || overlap(bounds, whole);
      for (const Element& a : i_.elements)
        if (a.isHalfSpace || (isNear && (b.isHalfSpace || overlap(a.bounds, grown(bounds, range_)))))
          addElementPair(a, b);
    }
    const auto overlaps = [](const Contact& c) { return c.separation < 0; };
    const auto begin = contacts_.begin() + static_cast<std::ptrdiff_t>(first);
    if (exitContact_ && std::none_of(begin, contacts_.end(), overlaps)) contacts_.push_back(*exitContact_);
    if (!isOneExactPair()) sortAndMerge(contacts_, first);
  }

 private:
  // The contacts of a single exact pair are already sorted and unique.
  bool isOneExactPair() const {
    return i_.elements.size() == 1 && j_.elements.size() == 1 &&
           areExact(i_.elements.front(), j_.elements.front());
  }

  void addElementPair(const Element& a, const Element& b) {
    if (!areExact(a, b)) return addPartPairs(a, b);
    const RigidTransform X_IB{X_IJ_.R * b.X_CE.R, X_IJ_.point(b.X_CE.p)};
    const std::uint64_t key = static_cast<std::uint64_t>(a.first) << 50 | static_cast<std::uint64_t>(b.first)
                                                                              << 36;
    exactPairs_.findContacts(*a.exact, a.X_CE, *b.exact, X_IB, range_,
                             {pair_.i, pair_.j, X_WI_, key, contacts_});
  }

  // Convex parts of b in the outer loop: their bounds are rotated once and compared with those of a.
  void addPartPairs(const Element& a, const Element& b) {
    const Bounds whole = grown(a.bounds, range_);
    for (std::size_t q = b.first; q < b.last; ++q) {
      const bool hasBounds = !a.isHalfSpace && !b.isHalfSpace;
      const Bounds bounds = hasBounds ? rotatedBounds(j_.convexParts[q].bounds, X_IJ_) : Bounds{};
      if (hasBounds && !overlap(bounds, whole)) continue;
      const Bounds near = grown(bounds, range_);
      for (std::size_t p = a.first; p < a.last; ++p)
        if (!hasBounds || overlap(i_.convexParts[p].bounds, near)) addPartPair(p, q);
    }
  }

  void addPartPair(std::size_t a, std::size_t b) {
    const QuerySide sideI{&i_.convexParts, static_cast<int>(a), X_WI_, X_IJ_};
    const QuerySide sideJ{&j_.convexParts, static_cast<int>(b), X_WJ_, X_JI_};
    ConvexManifold query(sideI, sideJ, pair_.i, pair_.j, range_, contacts_);
    if (!query.addFeatures() || !query.needsSearch() || !query.measureCrossings()) return;
    const std::optional<Vector3d> plane = query.separatingNormal();
    query.addSearched(plane ? *plane : bullet::searchNormal(i_.convexParts[a], j_.convexParts[b], X_IJ_));
    const std::optional<Contact>& exitContact = query.exitContact();
    if (exitContact && !(exitContact_ && exitContact_->separation >= exitContact->separation))
      exitContact_ = exitContact;
  }

  const ExactPairs& exactPairs_;
  const Body &i_, &j_;
  BodyPair pair_;
  double range_;
  ContactSet& contacts_;
  RigidTransform X_WI_, X_WJ_, X_IJ_, X_JI_;
  std::optional<Contact> exitContact_;  // the shallowest one of all part pairs
};

BodyId BulletCollider::addBody(const Shape& shape, const Vector3d& p_CP, bool canMove) {
  bodies_.push_back(bullet::makeBody(shape, {Quaterniond::Identity(), p_CP}, canMove));
  broadphase_.add(canMove, !bodies_.back().boundingParts.empty());
  bounds_.emplace_back();
  return BodyId{static_cast<std::int32_t>(bodies_.size()) - 1};
}

void BulletCollider::findPairs(std::span<const Pose> X_WC, std::span<const double> searchMargin,
                               std::vector<BodyPair>& pairs) {
  assert(X_WC.size() == bodies_.size() && searchMargin.size() == bodies_.size());
  for (std::size_t k = 0; k < bodies_.size(); ++k) {
    Bounds bounds;
    for (const ConvexPart& convexPart : bodies_[k].boundingParts)
      bullet::include(bounds, boundsOf(convexPart, motionOf(X_WC[k])));
    bounds_[k] = grown(bounds, searchMargin[k]);
  }
  broadphase_.findPairs(bounds_, pairs);
  addPlanePairs(X_WC, searchMargin, pairs);
}

// Half-spaces have no bounds: each is tested against all movable bodies.
void BulletCollider::addPlanePairs(std::span<const Pose> X_WC, std::span<const double> searchMargin,
                                   std::vector<BodyPair>& pairs) const {
  const std::size_t before = pairs.size();
  for (std::size_t a = 0; a < bodies_.size(); ++a) {
    if (!bodies_[a].hasHalfSpace) continue;
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
      if (a == b || !bodies_[b].canMove) continue;
      if (!reachesHalfSpace(bodies_[a], X_WC[a], bounds_[b], searchMargin[a])) continue;
      const auto low = static_cast<std::int32_t>(std::min(a, b)),
                 high = static_cast<std::int32_t>(std::max(a, b));
      pairs.push_back({BodyId{low}, BodyId{high}});
    }
  }
  if (pairs.size() == before) return;
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
}

bool BulletCollider::reachesHalfSpace(const Body& body, const Pose& X_WC, const Bounds& other,
                                      double searchMargin) const {
  for (const Element& element : body.elements) {
    if (!element.isHalfSpace) continue;
    const ConvexPart& convexPart = body.convexParts[element.first];
    const Vector3d n = X_WC.q * convexPart.axis;
    const Vector3d lowest = (n.array() > 0).select(other.low, other.high);
    if (n.dot(lowest - X_WC * convexPart.center) <= searchMargin) return true;
  }
  return false;
}

void BulletCollider::findContacts(BodyPair pair, const Pose& X_WI, const Pose& X_WJ, double range,
                                  ContactSet& contacts) const {
  assert(pair.i < pair.j);
  PairQuery(exactPairs_, at(pair.i), at(pair.j), pair, X_WI, X_WJ, range, contacts).run();
}

bool BulletCollider::isSeparated(BodyPair pair, const Pose& X_WI, const Pose& X_WJ, double distance) const {
  const Body &i = at(pair.i), &j = at(pair.j);
  if (!areSingleConvexParts(i, j)) return false;
  const RigidTransform X_IJ = relative(X_WI, X_WJ);
  ContactSet unused;
  return ConvexManifold({&i.convexParts, 0, {}, X_IJ}, {&j.convexParts, 0, {}, X_IJ.inverse()}, pair.i,
                        pair.j, distance, unused)
      .isSeparatedBeyondRange();
}

bool BulletCollider::isSatExact(BodyPair pair) const {
  const Body &i = at(pair.i), &j = at(pair.j);
  return areSingleConvexParts(i, j) && hasFewPlanes(i.convexParts.front()) &&
         hasFewPlanes(j.convexParts.front());
}

}  // namespace

std::unique_ptr<Collider> makeBulletCollider() {
  return std::make_unique<BulletCollider>();
}

}  // namespace tenon::physics
