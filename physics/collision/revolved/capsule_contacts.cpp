// A capsule is the side of a cylinder without rims, closed by two spheres.
#include "physics/collision/revolved/capsule_contacts.h"

#include <algorithm>
#include <cmath>

#include "physics/collision/revolved/contact_search.h"
#include "physics/collision/revolved/sphere_contacts.h"

namespace tenon::physics {
namespace {

constexpr int kSide = 0, kBottomEnd = 1, kTopEnd = 2;

// A capsule in its own frame C. Its ends count as edges; sphere contacts handle them.
class PlacedCapsule final : public PlacedSolid {
 public:
  explicit PlacedCapsule(const CapsuleGeometry& capsule) : capsule_(capsule) {
    side.meridian = &capsule.side;
    side.boundingRadius = std::hypot(capsule.radius, capsule.halfLength);
  }
  SurfaceHit nearest(const Vector3d& p_C) const override {
    const double h = capsule_.halfLength, z = std::clamp(p_C.z(), -h, h);
    const Vector3d w = p_C - z * Vector3d::UnitZ();
    const double d = w.norm();
    const bool atEnd = std::abs(p_C.z()) > h;
    const int feature = !atEnd ? kSide : p_C.z() < 0 ? kBottomEnd : kTopEnd;
    return {d - capsule_.radius, d > 0 ? Vector3d(w / d) : Vector3d::UnitX(), feature, atEnd};
  }
  EdgeForm formOf(int) const override { return EdgeForm::kPoint; }

  PlacedMeridian side;

 private:
  const CapsuleGeometry& capsule_;
};

// Converts the contacts from `first` on, of a sphere with A in A's frame, to contacts of an end of the
// capsule. If the direction to A points into the capsule by more than 15°, its side is closer and the contact
// is dropped.
void convertEndContacts(const PairSearch& pair, const Pose& X_CA, int end, std::size_t first) {
  const Vector3d outward = (end == kTopEnd ? 1 : -1) * Vector3d::UnitZ();
  auto accepted = pair.contacts.begin() + static_cast<std::ptrdiff_t>(first);
  for (auto c = accepted; c != pair.contacts.end(); ++c) {
    const Vector3d direction = X_CA.q * c->n;
    const SurfaceContact contact{X_CA * c->p, -direction, c->separation,
                                 c->feature | featureCode(Owner::kB, end, 0, Kind::kFixed, 0)};
    if (direction.dot(outward) >= -kFacingSine)
      *accepted++ = contact;
    else
      recordNotFacing(pair, contact);
  }
  pair.contacts.erase(accepted, pair.contacts.end());
}

// Ends of the capsule: `sphereContacts(sphere)` appends the contacts of a sphere with A, in A's frame.
template <class BallContacts>
void addEnds(const PairSearch& pair, const CapsuleGeometry& capsule, const Pose& X_CA,
             BallContacts sphereContacts) {
  const Pose X_AC = X_CA.inverse();
  for (const int end : {kBottomEnd, kTopEnd}) {
    const std::size_t first = pair.contacts.size();
    const double z = end == kTopEnd ? capsule.halfLength : -capsule.halfLength;
    sphereContacts(PlacedSphere{X_AC * Vector3d(0, 0, z), capsule.radius});
    convertEndContacts(pair, X_CA, end, first);
  }
}

}  // namespace

CapsuleGeometry prepareCapsule(double radius, double halfLength) {
  CapsuleGeometry g{radius, halfLength, {}};
  const Vector2d bottom(radius, -halfLength), top(radius, halfLength), out(1, 0);
  g.side.segments.push_back({bottom, {0, 1}, out, 2 * halfLength});
  g.side.vertices = {{bottom, out, out, false}, {top, out, out, false}};
  g.side.radius = radius;
  g.side.bottom = -halfLength;
  g.side.top = halfLength;
  return g;
}

void revolvedCapsuleContacts(const RevolvedGeometry& a, const CapsuleGeometry& b, const Pose& X_BA,
                             double range, std::vector<SurfaceContact>& contacts) {
  const std::size_t first = contacts.size();
  const PlacedRevolved solid(a, X_BA);
  const PlacedCapsule capsule(b);
  const PairSearch pair{solid, capsule, range, contacts};
  forEachEdge(pair, Owner::kA, solid.surface, [&](EdgeSearch& edge) { edge.againstSegments(capsule.side); });
  flanksAgainstFlanks(pair, solid.surface, capsule.side);
  addEnds(pair, b, X_BA,
          [&](const PlacedSphere& sphere) { sphereRevolvedContacts(sphere, a, range, contacts); });
  axisAgainst(pair, Owner::kA, solid.surface, first);
  axisAgainst(pair, Owner::kB, capsule.side, first);
  finish(pair, first);
}

void blockCapsuleContacts(const BlockGeometry& a, const CapsuleGeometry& b, const Pose& X_BA, double range,
                          std::vector<SurfaceContact>& contacts) {
  const std::size_t first = contacts.size();
  const PlacedCapsule capsule(b);
  const TransformedBlock block(a, X_BA, Vector3d::Zero(), b.halfLength + b.radius + range);
  const PairSearch pair{block, capsule, range, contacts};
  block.forEachNear([&](const PlacedMeridian& cavity) {
    forEachEdge(pair, Owner::kA, cavity, [&](EdgeSearch& rim) { rim.againstSegments(capsule.side); });
    flanksAgainstFlanks(pair, cavity, capsule.side);
  });
  cornersAgainst(pair, Owner::kA, block.flat().corners, {});  // a capsule has no flat face
  edgesAgainstSegments(pair, Owner::kA, block.flat(), capsule.side);
  addEnds(pair, b, X_BA,
          [&](const PlacedSphere& sphere) { sphereBlockContacts(sphere, a, range, contacts); });
  axisAgainst(pair, Owner::kB, capsule.side, first);
  finish(pair, first);
}

}  // namespace tenon::physics
