// Feature pairs to search between a solid of revolution and each kind of solid.
#include "physics/collision/revolved/revolved_contacts.h"

#include <algorithm>

#include "physics/collision/revolved/contact_search.h"

namespace tenon::physics {
namespace {

class PlacedHalfSpace final : public PlacedSolid {
 public:
  SurfaceHit nearest(const Vector3d& p_C) const override { return {p_C.z(), Vector3d::UnitZ(), 0, false}; }
  EdgeForm formOf(int) const override { return EdgeForm::kRim; }  // no edges, never called
};

}  // namespace

void revolvedBlockContacts(const RevolvedGeometry& a, const BlockGeometry& b, const Pose& X_BA, double range,
                           std::vector<SurfaceContact>& contacts) {
  const std::size_t first = contacts.size();
  const PlacedRevolved solid(a, X_BA);
  const PlacedMeridian& surface = solid.surface;
  const PlacedBlock block(b, surface.center_C, surface.boundingRadius + range);
  const PairSearch pair{solid, block, range, contacts};
  forEachEdge(pair, Owner::kA, surface, [&](EdgeSearch& edge) {
    block.forEachNear([&](const PlacedMeridian& cavity) {
      edge.againstSegments(cavity);
      edge.againstCircles(cavity);
    });
    edge.againstFaces(b.box);
    edge.againstEdges(b.box);
    edge.againstCorners(b.box);
  });
  block.forEachNear([&](const PlacedMeridian& cavity) {
    forEachEdge(pair, Owner::kB, cavity, [&](EdgeSearch& edge) { edge.againstSegments(surface); });
    flanksAgainstFlanks(pair, surface, cavity);
  });
  edgesAgainstSegments(pair, Owner::kB, b.box, surface);
  for (const FlatFeatures::Corner& corner : b.box.corners)
    pointAgainst(pair, Owner::kB, corner.p, corner.feature, false);
  axisAgainst(pair, Owner::kA, surface, first);
  finish(pair, first);
}

void revolvedRevolvedContacts(const RevolvedGeometry& a, const RevolvedGeometry& b, const Pose& X_BA,
                              double range, std::vector<SurfaceContact>& contacts) {
  const std::size_t first = contacts.size();
  const PlacedRevolved one(a, X_BA), two(b, Pose{});
  const PairSearch pair{one, two, range, contacts};
  forEachEdge(pair, Owner::kA, one.surface, [&](EdgeSearch& edge) {
    edge.againstSegments(two.surface);
    edge.againstCircles(two.surface);
  });
  forEachEdge(pair, Owner::kB, two.surface, [&](EdgeSearch& edge) { edge.againstSegments(one.surface); });
  flanksAgainstFlanks(pair, one.surface, two.surface);
  axisAgainst(pair, Owner::kA, one.surface, first);
  axisAgainst(pair, Owner::kB, two.surface, first);
  finish(pair, first);
}

void revolvedHalfSpaceContacts(const RevolvedGeometry& a, const Pose& X_BA, double range,
                               std::vector<SurfaceContact>& contacts) {
  static const FlatFeatures plane = [] {
    FlatFeatures flat;
    flat.faces.push_back({Vector3d::UnitZ(), 0, 0});
    return flat;
  }();
  const std::size_t first = contacts.size();
  const PlacedRevolved solid(a, X_BA);
  const PlacedHalfSpace halfSpace;
  const PairSearch pair{solid, halfSpace, range, contacts};
  forEachEdge(pair, Owner::kA, solid.surface, [&](EdgeSearch& edge) { edge.againstFaces(plane); });
  finish(pair, first);
}

}  // namespace tenon::physics
