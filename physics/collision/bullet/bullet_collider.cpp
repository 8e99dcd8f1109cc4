// Bodies as convex pieces; pairs by Broadphase, contacts by PieceContacts, which search from searchNormal().
#include "physics/collision/bullet/bullet_collider.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <optional>
#include <stdexcept>

#include "physics/collision/bullet/broadphase.h"
#include "physics/collision/bullet/closest_search.h"
#include "physics/collision/piece.h"
#include "physics/collision/piece_contacts.h"

namespace tenon::physics {
namespace {

// Fields of the feature key, see PieceContacts::offer().
constexpr std::size_t kMaxPieces = 1 << 14;
constexpr std::size_t kMaxFeatures = 1 << 15;

struct Body {
  std::vector<Piece> pieces;   // what contacts are computed from
  std::vector<Piece> outline;  // the same extent in fewer pieces
  std::vector<int> planes;     // half-spaces among the pieces
  Bounds bounds;               // of the bounded pieces, body frame [m]
  bool canMove = false;
  double radius = 0;
};

Motion3 motionOf(const Pose& X) {
  return {X.q.toRotationMatrix(), X.p};
}

void include(Bounds& bounds, const Bounds& more) {
  bounds.low = bounds.low.cwiseMin(more.low);
  bounds.high = bounds.high.cwiseMax(more.high);
}

Bounds grown(const Bounds& bounds, double by) {
  return {bounds.low - Vector3d::Constant(by), bounds.high + Vector3d::Constant(by)};
}

bool overlap(const Bounds& a, const Bounds& b) {
  return a.low.x() <= b.high.x() && b.low.x() <= a.high.x() && a.low.y() <= b.high.y() &&
         b.low.y() <= a.high.y() && a.low.z() <= b.high.z() && b.low.z() <= a.high.z();
}

// Bounds in frame A of a box given in frame C; not the smallest ones of what is in it.
Bounds turned(const Bounds& bounds, const Motion3& X_AC) {
  const Vector3d centre = X_AC.point(0.5 * (bounds.low + bounds.high));
  const Vector3d half = X_AC.R.cwiseAbs() * (0.5 * (bounds.high - bounds.low));
  return {centre - half, centre + half};
}

class BulletCollider final : public Collider {
 public:
  BodyId addBody(const Shape& shape, const Vector3d& p_CP, bool canMove) override;
  void findPairs(std::span<const Pose> X_WC, std::span<const double> reach,
                 std::vector<BodyPair>& pairs) override;
  void findContacts(BodyPair pair, const Pose& X_WI, const Pose& X_WJ, double range,
                    ContactSet& contacts) const override;
  double radius(BodyId body) const override { return at(body).radius; }

 private:
  const Body& at(BodyId id) const { return bodies_[static_cast<std::size_t>(id.value)]; }
  void addPlanePairs(std::span<const Pose> X_WC, std::span<const double> reach,
                     std::vector<BodyPair>& pairs) const;
  bool reachesPlane(const Body& body, const Pose& X_WC, const Bounds& other, double reach) const;

  std::vector<Body> bodies_;
  std::vector<Bounds> bounds_;  // of each body in the world, grown by its reach
  bullet::Broadphase broadphase_;
};

// Contacts of one pair of bodies, piece by piece.
class PairQuery {
 public:
  PairQuery(const Body& i, const Body& j, BodyPair pair, const Pose& X_WI, const Pose& X_WJ, double range,
            ContactSet& contacts)
      : i_(i),
        j_(j),
        pair_(pair),
        range_(range),
        contacts_(contacts),
        X_WI_(motionOf(X_WI)),
        X_WJ_(motionOf(X_WJ)),
        X_IJ_(relative(X_WI, X_WJ)),
        X_JI_(X_IJ_.inverse()) {}

  // Pieces of j outermost: their bounds are turned once and met with those of i as they are.
  void run() {
    const std::size_t first = contacts_.size();
    meetAll();
    const auto overlaps = [](const Contact& c) { return c.delta < 0; };
    const auto begin = contacts_.begin() + static_cast<std::ptrdiff_t>(first);
    if (wayOut_ && std::none_of(begin, contacts_.end(), overlaps)) contacts_.push_back(*wayOut_);
  }

 private:
  void meetAll() {
    const Bounds whole = grown(i_.bounds, range_);
    for (std::size_t b = 0; b < j_.pieces.size(); ++b) {
      const Piece& piece = j_.pieces[b];
      if (piece.kind == PieceKind::halfSpace) {
        for (std::size_t a = 0; a < i_.pieces.size(); ++a) meet(a, b);
        continue;
      }
      for (int plane : i_.planes) meet(static_cast<std::size_t>(plane), b);
      const Bounds bounds = turned(piece.bounds, X_IJ_);
      if (!overlap(bounds, whole)) continue;
      const Bounds near = grown(bounds, range_);
      for (std::size_t a = 0; a < i_.pieces.size(); ++a) {
        if (overlap(i_.pieces[a].bounds, near)) meet(a, b);
      }
    }
  }

  void meet(std::size_t a, std::size_t b) {
    const PieceSide sideI{&i_.pieces, static_cast<int>(a), X_WI_, X_IJ_};
    const PieceSide sideJ{&j_.pieces, static_cast<int>(b), X_WJ_, X_JI_};
    PieceContacts query(sideI, sideJ, pair_.i, pair_.j, range_, contacts_);
    if (!query.addFeatures() || !query.needsSearch()) return;
    const std::optional<Vector3d> plane = query.separatingNormal();
    query.addSearched(plane ? *plane : bullet::searchNormal(i_.pieces[a], j_.pieces[b], X_IJ_));
    const std::optional<Contact>& wayOut = query.wayOut();
    if (wayOut && !(wayOut_ && wayOut_->delta >= wayOut->delta)) wayOut_ = wayOut;
  }

  const Body &i_, &j_;
  BodyPair pair_;
  double range_;
  ContactSet& contacts_;
  Motion3 X_WI_, X_WJ_, X_IJ_, X_JI_;
  std::optional<Contact> wayOut_;  // the least deep of the pieces'
};

BodyId BulletCollider::addBody(const Shape& shape, const Vector3d& p_CP, bool canMove) {
  Body body;
  const Pose X_CP{Quaterniond::Identity(), p_CP};
  body.pieces = piecesOf(shape, X_CP);
  body.outline = outlineOf(shape, X_CP);
  body.canMove = canMove;
  if (body.pieces.size() >= kMaxPieces)
    throw std::invalid_argument("a body of more than 16383 convex pieces");
  for (std::size_t k = 0; k < body.pieces.size(); ++k) {
    const Piece& piece = body.pieces[k];
    if (piece.polytope.edges.size() >= kMaxFeatures)
      throw std::invalid_argument("a hull of more than 32767 edges");
    if (piece.kind == PieceKind::halfSpace) {
      body.planes.push_back(static_cast<int>(k));
    } else {
      include(body.bounds, piece.bounds);
    }
    body.radius = std::max(body.radius, radiusOf(piece));
  }
  assert((body.planes.empty() || !canMove) && "a half-space cannot move");
  std::erase_if(body.outline, [](const Piece& piece) { return piece.kind == PieceKind::halfSpace; });
  broadphase_.add(canMove, !body.outline.empty());
  bodies_.push_back(std::move(body));
  bounds_.emplace_back();
  return BodyId{static_cast<std::int32_t>(bodies_.size()) - 1};
}

void BulletCollider::findPairs(std::span<const Pose> X_WC, std::span<const double> reach,
                               std::vector<BodyPair>& pairs) {
  assert(X_WC.size() == bodies_.size() && reach.size() == bodies_.size());
  for (std::size_t k = 0; k < bodies_.size(); ++k) {
    Bounds bounds;
    for (const Piece& piece : bodies_[k].outline) include(bounds, boundsOf(piece, motionOf(X_WC[k])));
    bounds_[k] = grown(bounds, reach[k]);
  }
  broadphase_.findPairs(bounds_, pairs);
  addPlanePairs(X_WC, reach, pairs);
}

// Half-spaces have no bounds: each is met with everything that can move.
void BulletCollider::addPlanePairs(std::span<const Pose> X_WC, std::span<const double> reach,
                                   std::vector<BodyPair>& pairs) const {
  const std::size_t before = pairs.size();
  for (std::size_t a = 0; a < bodies_.size(); ++a) {
    if (bodies_[a].planes.empty()) continue;
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
      if (a == b || !bodies_[b].canMove) continue;
      if (!reachesPlane(bodies_[a], X_WC[a], bounds_[b], reach[a])) continue;
      const auto low = static_cast<std::int32_t>(std::min(a, b)),
                 high = static_cast<std::int32_t>(std::max(a, b));
      pairs.push_back({BodyId{low}, BodyId{high}});
    }
  }
  if (pairs.size() == before) return;
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
}

bool BulletCollider::reachesPlane(const Body& body, const Pose& X_WC, const Bounds& other,
                                  double reach) const {
  for (int plane : body.planes) {
    const Piece& piece = body.pieces[static_cast<std::size_t>(plane)];
    const Vector3d n = X_WC.q * piece.axis;
    const Vector3d lowest = (n.array() > 0).select(other.low, other.high);
    if (n.dot(lowest - X_WC * piece.centre) <= reach) return true;
  }
  return false;
}

void BulletCollider::findContacts(BodyPair pair, const Pose& X_WI, const Pose& X_WJ, double range,
                                  ContactSet& contacts) const {
  assert(pair.i < pair.j);
  const std::size_t first = contacts.size();
  PairQuery(at(pair.i), at(pair.j), pair, X_WI, X_WJ, range, contacts).run();
  sortAndMerge(contacts, first);
}

}  // namespace

std::unique_ptr<Collider> makeBulletCollider() {
  return std::make_unique<BulletCollider>();
}

}  // namespace tenon::physics
