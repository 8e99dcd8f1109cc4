// Pairs by Broadphase, contacts by Narrowphase.
#include "physics/collision/bullet/bullet_collider.h"

#include <algorithm>
#include <bitset>
#include <cassert>
#include <cmath>
#include <span>
#include <stdexcept>

#include "physics/collision/brep/sampled_overlap.h"
#include "physics/collision/bullet/body.h"
#include "physics/collision/bullet/broadphase.h"
#include "physics/collision/bullet/narrowphase.h"
#include "physics/collision/convex_part.h"
#include "physics/collision/geometry/bounds.h"
#include "physics/collision/manifold/convex_manifold.h"

namespace tenon::physics {
namespace {

using bullet::Body;
using bullet::Element;

RigidTransform motionOf(const Pose& X) {
  return {X.q.toRotationMatrix(), X.p};
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
  double sampledOverlap(BodyPair pair, const Pose& X_WI, const Pose& X_WJ) const override;
  bool isSeparated(BodyPair pair, const Pose& X_WI, const Pose& X_WJ, double distance) const override;
  bool isSatExact(BodyPair pair) const override;
  double radius(BodyId body) const override { return at(body).radius; }
  double thickness(BodyId body) const override { return at(body).thickness; }
  bool isConvex(BodyId body) const override {
    return at(body).convexParts.size() == 1 && !at(body).isNonConvex;
  }

 private:
  const Body& at(BodyId id) const { return bodies_[static_cast<std::size_t>(id.value)]; }
  bool areSingleConvexParts(const Body& a, const Body& b) const;
  void addPlanePairs(std::span<const Pose> X_WC, std::span<const double> searchMargin,
                     std::vector<BodyPair>& pairs) const;
  bool reachesHalfSpace(const Body& body, const Pose& X_WC, const Bounds& other, double searchMargin) const;

  std::vector<Body> bodies_;
  // Types of all elements. Where some have contacts on their own faces, all elements have solids.
  std::bitset<bullet::kBoundarySolid + 1> types_;
  bullet::SharedSolids solids_;
  std::vector<Bounds> bounds_;  // of each body in the world, grown by its search margin
  bullet::Broadphase broadphase_;
  bullet::Narrowphase narrowphase_;
};

BodyId BulletCollider::addBody(const Shape& shape, const Vector3d& p_CP, bool canMove) {
  bodies_.push_back(bullet::makeBody(shape, {Quaterniond::Identity(), p_CP}, canMove));
  for (const Element& element : bodies_.back().elements)
    types_.set(static_cast<std::size_t>(element.getShapeType()));
  const bool needsSolids =
      types_[bullet::kBoundarySolid] || (types_[bullet::kBlock] && types_[bullet::kConvexParts]);
  try {
    for (Body& body : needsSolids ? std::span(bodies_) : std::span<Body>())
      for (Element& element : body.elements) element.makeSolid(solids_);
  } catch (const std::invalid_argument&) {
    bodies_.pop_back();
    throw;
  }
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
      include(bounds, boundsOf(convexPart, motionOf(X_WC[k])));
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
    if (!element.isHalfSpace()) continue;
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
  bullet::PairQuery query(at(pair.i), at(pair.j), pair, X_WI, X_WJ, range, contacts);
  narrowphase_.findContacts(query);
}

double BulletCollider::sampledOverlap(BodyPair pair, const Pose& X_WI, const Pose& X_WJ) const {
  const RigidTransform X_JI = relative(X_WI, X_WJ).inverse();
  double deepest = 0;
  for (const Element& a : at(pair.i).elements)
    for (const Element& b : at(pair.j).elements) {
      if (!narrowphase_.hasContactsOfSolids(a, b)) continue;
      const RigidTransform X_JA{X_JI.R * a.X_CE.R, X_JI.point(a.X_CE.p)}, X_BJ = b.X_CE.inverse();
      deepest =
          std::max(deepest, brep::sampledOverlap(*a.solid, *b.solid, {X_BJ.R * X_JA.R, X_BJ.point(X_JA.p)}));
    }
  return deepest;
}

bool BulletCollider::areSingleConvexParts(const Body& a, const Body& b) const {
  return a.convexParts.size() == 1 && b.convexParts.size() == 1 &&
         !narrowphase_.isExact(a.elements.front(), b.elements.front());
}

bool BulletCollider::isSeparated(BodyPair pair, const Pose& X_WI, const Pose& X_WJ, double distance) const {
  const Body &i = at(pair.i), &j = at(pair.j);
  if (!areSingleConvexParts(i, j)) return false;
  const RigidTransform X_IJ = relative(X_WI, X_WJ);
  return isSeparatedBeyondRange(
      {{&i.convexParts, 0, {}, X_IJ}, {&j.convexParts, 0, {}, X_IJ.inverse()}, distance});
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
