// Feature pairs to search between a block with holes and a polytope or another block.
#include "physics/collision/revolved/block_contacts.h"

#include "physics/collision/revolved/contact_search.h"

namespace tenon::physics {
namespace {

// Flat features of the other solid against `block` and its cavities.
template <class Block>
void flatAgainstBlock(const PairSearch& pair, Owner ofFlat, const FlatView& flat, const Block& block) {
  cornersAgainst(pair, ofFlat, flat.corners, block.flat().faces);
  block.forEachNear([&](const PlacedMeridian& cavity) {
    cornersAgainstCavity(pair, ofFlat, flat.corners, cavity);
    edgesAgainstSegments(pair, ofFlat, flat, cavity);
  });
}

// Overlap without a corner or rim of either solid inside the other.
template <class Block>
void flatThroughBlock(const PairSearch& pair, Owner ofFlat, const FlatView& flat, const Block& block,
                      std::size_t first) {
  edgesThrough(pair, ofFlat, flat, block.flat().faces, first);
  const Owner ofBlock = ofFlat == Owner::kA ? Owner::kB : Owner::kA;
  block.forEachNear([&](const PlacedMeridian& cavity) { axisAgainst(pair, ofBlock, cavity, first); });
}

}  // namespace

void blockPolytopeContacts(const BlockGeometry& a, const PolytopeGeometry& b, const Pose& X_BA, double range,
                           std::vector<SurfaceContact>& contacts) {
  const std::size_t first = contacts.size();
  const TransformedBlock block(a, X_BA, b.center, b.boundingRadius + range);
  const PlacedPolytope polytope(b);
  const PairSearch pair{block, polytope, range, contacts};
  block.forEachNear([&](const PlacedMeridian& cavity) {
    forEachEdge(pair, Owner::kA, cavity, [&](EdgeSearch& rim) {
      rim.againstFaces(b.flat);
      rim.againstEdges(b.flat);
      rim.againstCorners(b.flat);
    });
  });
  flatAgainstBlock(pair, Owner::kB, b.flat, block);
  cornersAgainst(pair, Owner::kA, block.flat().corners, b.flat.faces);
  edgesAgainstEdges(pair, block.flat(), b.flat);
  flatThroughBlock(pair, Owner::kB, b.flat, block, first);
  edgesThrough(pair, Owner::kA, block.flat(), b.flat.faces, first);
  finish(pair, first);
}

void blockBlockContacts(const BlockGeometry& a, const BlockGeometry& b, const Pose& X_BA, double range,
                        std::vector<SurfaceContact>& contacts) {
  const std::size_t first = contacts.size();
  const TransformedBlock one(a, X_BA, Vector3d::Zero(), b.halfExtents.norm() + range);
  const PlacedBlock two(b, X_BA.p, a.halfExtents.norm() + range);
  const PairSearch pair{one, two, range, contacts};
  const FlatView flatA = one.flat(), flatB = two.flat();
  one.forEachNear([&](const PlacedMeridian& cavity) {
    forEachEdge(pair, Owner::kA, cavity, [&](EdgeSearch& rim) {
      two.forEachNear([&](const PlacedMeridian& other) {
        rim.againstSegments(other);
        rim.againstCircles(other);
      });
      rim.againstFaces(flatB);
      rim.againstEdges(flatB);
      rim.againstCorners(flatB);
    });
  });
  two.forEachNear([&](const PlacedMeridian& cavity) {
    forEachEdge(pair, Owner::kB, cavity, [&](EdgeSearch& rim) {
      one.forEachNear([&](const PlacedMeridian& other) { rim.againstSegments(other); });
      rim.againstFaces(flatA);
      rim.againstEdges(flatA);
      rim.againstCorners(flatA);
    });
    one.forEachNear([&](const PlacedMeridian& other) { flanksAgainstFlanks(pair, other, cavity); });
  });
  flatAgainstBlock(pair, Owner::kA, flatA, two);
  flatAgainstBlock(pair, Owner::kB, flatB, one);
  edgesAgainstEdges(pair, flatA, flatB);
  flatThroughBlock(pair, Owner::kA, flatA, two, first);
  flatThroughBlock(pair, Owner::kB, flatB, one, first);
  finish(pair, first);
}

}  // namespace tenon::physics
