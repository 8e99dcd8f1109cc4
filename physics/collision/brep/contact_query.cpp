// See contact_query.h, and the loop over pairs of features.
#include "physics/collision/brep/contact_query.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "physics/collision/geometry/tolerances.h"

namespace tenon::physics::brep {
namespace {

/// Factor on the depth limit of a query whose contacts show no overlap although there is one [-].
constexpr double kDeeper = 4;

/// Ordinal of the contact that only shows an overlap.
constexpr int kExitOrdinal = 0xff00;

enum class FeatureClass { face, edge, vertex };

FeatureClass classOf(const Solid& solid, int feature) {
  return feature < solid.firstEdge()     ? FeatureClass::face
         : feature < solid.firstVertex() ? FeatureClass::edge
                                         : FeatureClass::vertex;
}

void test(ContactQuery& query, int a, int b) {
  const FeatureClass one = classOf(query.solid(0), a), two = classOf(query.solid(1), b);
  using enum FeatureClass;
  if (one == face && two == face) return faceWithFace(query, a, b);
  if (one == edge && two == face) return edgeWithFace(query, 0, a, b);
  if (one == face && two == edge) return edgeWithFace(query, 1, b, a);
  if (one == vertex && two == face) return vertexWithFace(query, 0, a, b);
  if (one == face && two == vertex) return vertexWithFace(query, 1, b, a);
  if (one == edge && two == edge) return edgeWithEdge(query, a, b);
  if (one == vertex && two == edge) return vertexWithEdge(query, 0, a, b);
  if (one == edge && two == vertex) return vertexWithEdge(query, 1, b, a);
  vertexWithVertex(query, a, b);
}

/// Of edges with faces; where straight ones cross is noted in any case.
void testCrossing(ContactQuery& query, int a, int b) {
  const FeatureClass one = classOf(query.solid(0), a), two = classOf(query.solid(1), b);
  const auto isCurved = [&](int side, int edge) { return !query.edge(side, edge).curve.isLine(); };
  if (one == FeatureClass::edge && two == FeatureClass::face && isCurved(0, a))
    edgeAcrossFace(query, 0, a, b);
  if (one == FeatureClass::face && two == FeatureClass::edge && isCurved(1, b))
    edgeAcrossFace(query, 1, b, a);
}

/// Depth limit of a pair [m]: that of the thinner solid; infinite with a half-space, since every minimum of
/// the height above its plane is a contact.
double depthLimitOfPair(const Solid& a, const Solid& b) {
  const auto [least, most] = std::minmax({a.depthLimit(), b.depthLimit()});
  return std::isinf(most) ? most : least;
}

bool isSame(const SolidContact& x, const SolidContact& y) {
  return (x.p - y.p).squaredNorm() <= kSamePoint * kSamePoint &&
         (x.n - y.n).squaredNorm() <= kSameNormal * kSameNormal;
}

bool precedes(const SolidContact& x, const SolidContact& y) {
  return std::tuple(x.feature, x.separation, x.p.x(), x.p.y(), x.p.z()) <
         std::tuple(y.feature, y.separation, y.p.x(), y.p.y(), y.p.z());
}

}  // namespace

std::vector<ContactQuery::Below>& ContactQuery::bufferOfBelow() {
  thread_local std::vector<Below> buffer;
  return buffer;
}

ContactQuery::ContactQuery(const Solid& a, const Solid& b, const Pose& X_BA, double range,
                           std::vector<SolidContact>& contacts)
    : solids_{&a, &b},
      range_(range),
      depthLimit_(depthLimitOfPair(a, b)),
      contacts_(contacts),
      below_(bufferOfBelow()) {
  below_.clear();
  toOther_[0] = {X_BA.q.toRotationMatrix(), X_BA.p};
  toOther_[1] = toOther_[0].inverse();
}

RigidTransform ContactQuery::toSurface(int side, const Face& other) const {
  const RigidTransform &X = toOther(side), &S = other.surface.X_BS;
  return {S.R.transpose() * X.R, S.R.transpose() * (X.p - S.p)};
}

bool ContactQuery::isOverlapReal(int side, const Vector3d& p, double separation, const Edge* of) {
  if (separation >= -kProvenOverlap) return true;
  const Solid& other = solid(1 - side);
  if (!other.contains(p)) return false;
  if (!other.isFaceNearer(p, -kShareOfDepth * separation, of)) return true;
  if (of == nullptr) noteInside(side, p);  // that of two edges is moved off them
  return false;
}

void ContactQuery::noteInside(int side, const Vector3d& p) {
  if (solid(1 - side).isFaceNearer(p, kTrimTolerance)) return;  // by rounding
  const Inside noted{side, p, !solid(1 - side).isFaceNearer(p, kProvenOverlap)};
  const auto rank = [](const Inside& at) {
    return std::tuple(!at.isDeep, at.side, at.p.x(), at.p.y(), at.p.z());
  };
  if (inside_.side < 0 || rank(noted) < rank(inside_)) inside_ = noted;
}

bool ContactQuery::noteDeep(int side, int faceIndex, const Vector3d& p, const SurfaceDistance& distance) {
  if (distance.value >= -kProvenOverlap || distance.value < -deepest()) return false;
  const Face& other = face(1 - side, faceIndex);
  const Vector3d inSolid = other.surface.X_BS.point(p);
  if (!other.has(p) || !solid(1 - side).contains(inSolid)) return false;
  noteInside(side, inSolid);
  return true;
}

void ContactQuery::testBelow() {
  for (const Below& at : below_) edgeAcrossFace(*this, at.side, at.edge, at.face);
}

bool ContactQuery::isOnFace(int side, int faceIndex, const Vector3d& p, const SurfaceDistance& distance) {
  const Face& other = face(1 - side, faceIndex);
  const Vector3d inSolid = other.surface.X_BS.point(p);
  return other.has(p) ? isOverlapReal(side, inSolid, distance.value)
                      : solid(1 - side).isInConcaveCorner(faceIndex, inSolid, distance, depthLimit_);
}

ConePoint ContactQuery::conePoint(int side, const Edge& edge, const CurvePoint& at) const {
  return {at.p, at.first.normalized(), solid(side).normalOf(edge.before, at.p),
          solid(side).normalOf(edge.after, at.p)};
}

void ContactQuery::add(int side, int own, int other, int ordinal, const Vector3d& p, const Vector3d& n,
                       double separation) {
  if (separation >= -depthLimit_) return append(side, own, other, ordinal, p, n, separation);
  isDeeper_ = true;
  noteInside(side, p - 0.5 * separation * n);
}

void ContactQuery::append(int side, int own, int other, int ordinal, const Vector3d& p, const Vector3d& n,
                          double separation) {
  SolidContact contact;
  contact.p = side == 0 ? p : toOther(0).point(p);
  contact.n = side == 0 ? n : Vector3d(-toOther(0).vector(n));
  contact.separation = separation;
  const int a = side == 0 ? own : other, b = side == 0 ? other : own;
  contact.feature = static_cast<std::uint64_t>(a) << 40 | static_cast<std::uint64_t>(b) << 16 |
                    static_cast<std::uint64_t>(ordinal);
  contacts_.push_back(contact);
}

void ContactQuery::notePiercing(int side, int edge, int face, const Vector3d& p, const Vector3d& outward,
                                double depth) {
  if (depth <= kTrimTolerance) return;
  // Of equally deep ones the first by features, in whatever order they are found.
  const auto isBefore = [&] {
    return std::tuple(depth, side, edge, face) <
           std::tuple(piercing_.depth, piercing_.side, piercing_.edge, piercing_.face);
  };
  if (piercing_.edge >= 0 && !isBefore()) return;
  piercing_ = {side, edge, face, p, outward, depth};
}

// The boundary of `side` lies wholly inside the other solid if its anchor does.
bool ContactQuery::addContainment(int side) {
  const Solid& other = solid(1 - side);
  const Vector3d p = toOther(side).point(solid(side).anchor());
  const Bounds& box = other.bounds();
  return (p.array() >= box.low.array()).all() && (p.array() <= box.high.array()).all() && other.contains(p) &&
         addNearestFace(side, p);
}

bool ContactQuery::addNearestFace(int side, const Vector3d& p) {
  const Solid& other = solid(1 - side);
  int nearest = -1;
  SurfaceDistance least;
  for (std::size_t f = 0; f < other.faces.size(); ++f) {
    const RigidTransform& S = other.faces[f].surface.X_BS;
    const Vector3d inFace = S.R.transpose() * (p - S.p);
    const SurfaceDistance d = distanceTo(other.faces[f].surface, inFace);
    if (d.value > 0 || (nearest >= 0 && d.value <= least.value) || !other.faces[f].has(inFace)) continue;
    nearest = static_cast<int>(f);
    least = {d.value, S.vector(d.gradient)};
  }
  if (nearest < 0) return false;
  append(side, 0, nearest, kExitOrdinal, p - 0.5 * least.value * least.gradient, -least.gradient,
         least.value);
  return true;
}

bool ContactQuery::showsOverlap(std::size_t first, double least) const {
  return std::any_of(contacts_.begin() + static_cast<std::ptrdiff_t>(first), contacts_.end(),
                     [=](const SolidContact& c) { return c.separation < -least; });
}

// One that is proven is not shown by a contact elsewhere that touches, or that need not be real.
bool ContactQuery::lacksOverlap(std::size_t first) const {
  if (isDeeper_ || inside_.isDeep) return !showsOverlap(first, kProvenOverlap);
  return (piercing_.edge >= 0 || inside_.side >= 0) && !showsOverlap(first);
}

void ContactQuery::addExit() {
  append(piercing_.side, piercing_.edge, piercing_.face, kExitOrdinal,
         piercing_.p + 0.5 * piercing_.depth * piercing_.outward, -piercing_.outward, -piercing_.depth);
}

void ContactQuery::finish(std::size_t first) {
  if (piercing_.edge >= 0 && lacksOverlap(first) && !showsOverlap(first)) addExit();
  if (inside_.side >= 0 && lacksOverlap(first)) addNearestFace(inside_.side, inside_.p);
  if (contacts_.size() == first && !addContainment(0)) addContainment(1);
  merge(first);
  const auto begin = contacts_.begin() + static_cast<std::ptrdiff_t>(first);
  std::sort(begin, contacts_.end(), precedes);
  for (auto x = begin; x != contacts_.end() && x + 1 != contacts_.end(); ++x)
    if ((x + 1)->feature <= x->feature) (x + 1)->feature = x->feature + 1;
}

// Of two contacts of the same point the one with the lower feature remains. Sorted along the longest side of
// their bounds, equal points are near each other.
void ContactQuery::merge(std::size_t first) {
  const auto begin = contacts_.begin() + static_cast<std::ptrdiff_t>(first);
  Bounds box;
  for (auto x = begin; x != contacts_.end(); ++x) include(box, Bounds{x->p, x->p});
  Eigen::Index k = 0;
  if (begin != contacts_.end()) (box.high - box.low).maxCoeff(&k);
  std::sort(begin, contacts_.end(), [k](const SolidContact& x, const SolidContact& y) {
    return x.p[k] < y.p[k] || (x.p[k] == y.p[k] && precedes(x, y));
  });
  for (auto x = begin; x != contacts_.end(); ++x)
    for (auto y = x + 1; y != contacts_.end() && y->p[k] - x->p[k] <= kSamePoint; ++y) {
      if (std::isnan(x->separation) || std::isnan(y->separation) || !isSame(*x, *y)) continue;
      (precedes(*x, *y) ? *y : *x).separation = std::nan("");
    }
  contacts_.erase(
      std::remove_if(begin, contacts_.end(), [](const SolidContact& c) { return std::isnan(c.separation); }),
      contacts_.end());
}

bool isInCone(const ConePoint& at, const Vector3d& n, double sine) {
  const double c = at.before.dot(at.after), x = n.dot(at.before), y = n.dot(at.after);
  if (std::abs(n.dot(at.tangent)) > sine) return false;
  if ((x > 0 || y > 0) && x - c * y >= 0 && y - c * x >= 0) return true;
  return (x > 0 && n.cross(at.before).squaredNorm() <= sine * sine) ||
         (y > 0 && n.cross(at.after).squaredNorm() <= sine * sine);
}

bool isInCone(const Vertex& vertex, const Vector3d& n, double sine) {
  return std::all_of(vertex.outgoing.begin(), vertex.outgoing.end(),
                     [&](const Vector3d& t) { return n.dot(t) <= sine; });
}

void findSolidContacts(const Solid& a, const Solid& b, const Pose& X_BA, double range,
                       std::vector<SolidContact>& contacts, PairSearchMode mode, std::uint64_t pair) {
  const std::size_t first = contacts.size();
  ContactQuery query(a, b, X_BA, range, contacts);
  thread_local std::vector<std::pair<int, int>> pairs;  // buffer: only its capacity is reused
  const auto forEachPair = [&](auto testPair) {
    if (mode == PairSearchMode::brute) {
      for (int k = 0; k < a.featureCount(); ++k)
        for (int l = 0; l < b.featureCount(); ++l) testPair(query, k, l);
      return;
    }
    for (const auto& [k, l] : pairs) testPair(query, k, l);
  };
  const auto testWithin = [&](double distance) {
    contacts.resize(first);
    pairs.clear();
    if (mode != PairSearchMode::brute)
      FeatureTree::findPairs(a.tree(), b.tree(), query.toOther(0), distance, pair, pairs);
    forEachPair(test);
  };
  // Contacts of an overlap deeper than the range are sought only where there is one, and those beyond the
  // depth limit only where none within it shows the overlap.
  const double deepest = std::max(query.depthLimit(), std::min(a.deepestOverlap(), b.deepestOverlap()));
  testWithin(range);
  // Rims that cross may have no contact at all.
  if (contacts.size() == first && !query.lacksOverlap(first))
    forEachPair(testCrossing);
  else if (!query.showsOverlap(first, kProvenOverlap))
    query.testBelow();
  if (query.lacksOverlap(first) && range < query.depthLimit() && std::isfinite(query.depthLimit()))
    testWithin(query.depthLimit());
  while (query.lacksOverlap(first) && query.depthLimit() > 0 && query.depthLimit() < deepest) {
    query.setDepthLimit(std::min(kDeeper * query.depthLimit(), deepest));
    testWithin(std::max(range, query.depthLimit()));
  }
  query.finish(first);
}

}  // namespace tenon::physics::brep
