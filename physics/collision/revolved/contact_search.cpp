// Contact search for edge circles, axes and flanks.
#include "physics/collision/revolved/contact_search.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "physics/collision/revolved/circle_bound.h"

namespace tenon::physics {
namespace {

/// A minimum deeper than the adjacent fixed phase by less is a duplicate [m]: where a circle lies flat, the
/// place of its deepest point is rounding, and it must not carry force from one side to the other.
constexpr double kSameDepth = 1e-11;
/// Slopes below this are rounding: the distance is constant along the circle [m/rad].
constexpr double kSlopeTolerance = 1e-15;
/// Minimum step along an axis, as a fraction of the part's radius [-].
constexpr double kAxisStep = 0.1;
/// Slope along its edge up to which a fixed phase counts as closest point to another edge [-].
constexpr double kStationary = 1e-9;

/// The owner's surface point of a contact from contactOf().
Vector3d pointOfOwner(const SurfaceContact& c, Owner owner) {
  return c.p + (owner == Owner::kA ? -0.5 : 0.5) * c.separation * c.n;
}

int sectorOf(double phase) {
  constexpr double kSector = 2 * std::numbers::pi / kPhases;
  return static_cast<int>(std::lround(phase / kSector) & (kPhases - 1));
}

Vector3d inSpace(const Vector2d& n, const Vector3d& outward, const Vector3d& axis) {
  return n.x() * outward + n.y() * axis;
}

// Phases at which the circle is inside the bounding sphere of `part`, grown by range: none, an arc, or all.
struct NearPhases {
  bool none = false, all = false;
  double from = 0, to = 0;
};

NearPhases phasesNear(const Circle& circle, const PlacedMeridian& part, double range) {
  const Vector3d w = part.center_C - circle.center;
  const double maxDistance = part.boundingRadius + range, u = w.dot(circle.x), v = w.dot(circle.y);
  const double amplitude = 2 * circle.radius * std::sqrt(u * u + v * v);
  const double needed = w.squaredNorm() + circle.radius * circle.radius - maxDistance * maxDistance;
  // Near where amplitude · cos(phase − middle) ≥ needed. An arc of less than a quarter turn (a large circle,
  // a small part) gets a grid of its own.
  if (needed > amplitude) return {true, false, 0, 0};
  if (needed < 0.7 * amplitude || amplitude <= 0) return {false, true, 0, 0};
  const double middle = std::atan2(v, u), half = std::acos(needed / amplitude) + 1e-6;
  return {false, false, middle - half, middle + half};
}

}  // namespace

EdgeCircle edgeCircle(const PlacedMeridian& part, std::size_t vertex) {
  const Meridian::Vertex& v = part.meridian->vertices[vertex];
  return {part.circle(vertex), v.before, v.after, part.vertexFeature(vertex)};
}

EdgePoint pointOf(const EdgeCircle& edge, double phase) {
  const double c = std::cos(phase), s = std::sin(phase);
  const Vector3d outward = edge.circle.outward(c, s), arm = edge.circle.radius * outward;
  return {edge.circle.center + arm,
          edge.circle.tangent(c, s),
          inSpace(edge.before, outward, edge.circle.axis),
          inSpace(edge.after, outward, edge.circle.axis),
          arm,
          0,
          0};
}

// --- edge circles ----------------------------------------------------------------------------------------

/// Minima of the distance to one feature, stored by sector; a second one in the same sector (rims that cross
/// twice) goes to the nearest free slot. There are never more than a few.
struct EdgeSearch::Minima {
  std::array<SurfaceContact, kPhases> best;
  std::array<bool, kPhases> used{};
  void add(int sector, const SurfaceContact& contact) {
    for (int k = 0; k < kPhases; ++k) {
      const int step = (k + 1) / 2 * (k % 2 == 1 ? 1 : -1);  // 0, 1, −1, 2, −2, …
      const auto slot = static_cast<std::size_t>((sector + step + kPhases) % kPhases);
      const bool same = used[slot] && (best[slot].p - contact.p).norm() < kSamePoint;
      if (used[slot] && !same) continue;
      if (!same || contact.separation < best[slot].separation) best[slot] = contact;
      used[slot] = true;
      return;
    }
  }
};

EdgeSearch::EdgeSearch(const PairSearch& pair, Owner owner, const EdgeCircle& edge)
    : pair_(pair), owner_(owner), edge_(edge) {
  // A distance changes by at most the arc length.
  lowest_ = other().nearest(edge.circle.center).distance;
  betweenPhasesMargin_ = edge.circle.radius;
  if (inRange()) addFixedPhases();
}

// If the direction from an edge point to the other surface crosses a face of its own edge, another point of
// the part is closer. The distance is exact, but its linear model is wrong once the point passes a border:
// the foot of a lead-in would stop the end of a sharp peg before its rim has passed.
bool EdgeSearch::isFacing(double c, double s, const Vector3d& otherNormal) const {
  const Vector2d direction(-otherNormal.dot(edge_.circle.outward(c, s)), -otherNormal.dot(edge_.circle.axis));
  return isNearCone(direction, edge_.before, edge_.after);
}

void EdgeSearch::addFixedPhases() {
  lowest_ = std::numeric_limits<double>::infinity();
  betweenPhasesMargin_ = edge_.circle.radius * std::numbers::pi / kPhases;
  const Grid& grid = fullCircleGrid();
  for (int k = 0; k < kPhases; ++k) {
    const auto cell = static_cast<std::size_t>(k * Grid::kCells / kPhases), i = static_cast<std::size_t>(k);
    const double c = grid.cosine[cell], s = grid.sine[cell];
    const Vector3d p = edge_.circle.at(c, s);
    const SurfaceHit& hit = fixed_[i] = other().nearest(p);
    lowest_ = std::min(lowest_, hit.distance);
    if (hit.distance > pair_.range) continue;
    // Next to another edge only the closest point has a normal perpendicular to both edges.
    if (hit.edge &&
        (owner_ == Owner::kB || std::abs(hit.normal.dot(edge_.circle.tangent(c, s))) > kStationary))
      continue;
    const std::uint32_t code = featureCode(owner_, edge_.feature, 0, Kind::kFixed, k);
    const SurfaceContact contact = contactOf(owner_, p, hit.normal, hit.distance, code);
    listed_[i] = hit.edgeDistance > kNearEdgeDistance && isFacing(c, s, hit.normal);
    if (listed_[i])
      pair_.contacts.push_back(contact);
    else
      recordNotFacing(pair_, contact);
  }
}

bool EdgeSearch::atFixedPhase(int sector, int feature, double separation) const {
  const auto k = static_cast<std::size_t>(sector);
  return listed_[k] && fixed_[k].feature == feature && fixed_[k].distance - separation < kSameDepth;
}

void EdgeSearch::flush(const Minima& minima, int feature, bool edges) {
  for (int k = 0; k < kPhases; ++k) {
    if (!minima.used[static_cast<std::size_t>(k)]) continue;
    SurfaceContact contact = minima.best[static_cast<std::size_t>(k)];
    contact.feature = featureCode(owner_, edge_.feature, feature, edges ? Kind::kEdges : Kind::kMinimum, k);
    const int sector = sectorOf(edge_.circle.phase(pointOfOwner(contact, owner_)));
    if (!atFixedPhase(sector, feature, contact.separation)) pair_.contacts.push_back(contact);
  }
}

void EdgeSearch::addFaceMinimum(double phase, const Vector3d& normal, double distance, int feature,
                                Minima& minima) const {
  if (distance > pair_.range) return;
  const double c = std::cos(phase), s = std::sin(phase);
  const Vector3d p = edge_.circle.at(c, s);
  const SurfaceHit hit = other().nearest(p);
  if (hit.edge || std::abs(hit.distance - distance) > kSameDistance) return;
  const SurfaceContact contact =
      contactOf(owner_, p, normal, distance, featureCode(owner_, edge_.feature, feature, Kind::kMinimum, 0));
  if (isFacing(c, s, normal))
    minima.add(sectorOf(phase), contact);
  else
    recordNotFacing(pair_, contact);
}

void EdgeSearch::segment(const PlacedMeridian& part, std::size_t index, const CirclePoints& points) {
  const Meridian::Segment& s = part.meridian->segments[index];
  const Circle& circle = points.circle;
  const auto slope = [&](const MeridianPoint& m) {
    const double x = m.rho - s.start.x(), y = m.z - s.start.y();
    const double offset = x * s.normal.x() + y * s.normal.y();
    const double along = x * s.direction.x() + y * s.direction.y();
    // Beyond its ends the segment is at least as far as the end.
    return Slope{std::max({offset, -along, along - s.length}), m.dRho * s.normal.x() + m.dZ * s.normal.y(),
                 m.ddRho * s.normal.x() + m.ddZ * s.normal.y()};
  };
  const auto slopeOf = [&](std::size_t i) { return slope(points.points[i]); };
  const auto slopeAt = [&](double phase) { return slope(points.at(phase)); };
  Minima minima;
  const auto functionOf = [&] { return CircleFunction::toFlank(circle, s.normal.y(), s.normal.x()); };
  forEachMinimum(
      points.grid, circle.radius, pair_.range, kSlopeTolerance, slopeOf, slopeAt, functionOf,
      [&](double phase) {
        const Vector3d p_M = circle.at(std::cos(phase), std::sin(phase));
        const double rho = std::sqrt(p_M.x() * p_M.x() + p_M.y() * p_M.y());
        const Vector2d w = Vector2d(rho, p_M.z()) - s.start;
        const double t = w.dot(s.direction);
        if (t < 0 || t > s.length || rho <= 0) return;
        const Vector3d normal_M(s.normal.x() * p_M.x() / rho, s.normal.x() * p_M.y() / rho, s.normal.y());
        addFaceMinimum(phase, part.R_CM * normal_M, w.dot(s.normal), part.segmentFeature(index), minima);
      });
  flush(minima, part.segmentFeature(index), false);
}

void EdgeSearch::againstSegments(const PlacedMeridian& other) {
  const NearPhases near = phasesNear(edge_.circle, other, pair_.range);
  if (near.none) return;
  Grid part;
  if (!near.all) part = arcGrid(near.from, near.to);
  const Circle circle_M = expressedIn(other.R_CM, other.p_CM, edge_.circle);
  const CirclePoints points(circle_M, near.all ? fullCircleGrid() : part);
  for (std::size_t i = 0; i < other.meridian->segments.size(); ++i) segment(other, i, points);
}

void EdgeSearch::againstFaces(const FlatView& other) {
  const Circle& circle = edge_.circle;
  for (const FlatFeatures::Face& face : other.faces) {
    const double u = face.normal.dot(circle.x), v = face.normal.dot(circle.y);
    const double swing = circle.radius * std::sqrt(u * u + v * v);
    const double distance = face.normal.dot(circle.center) - face.offset - swing;
    if (swing <= kSlopeTolerance || distance > pair_.range || distance < lowest_ - betweenPhasesMargin_)
      continue;
    Minima minima;
    addFaceMinimum(std::atan2(-v, -u), face.normal, distance, face.feature, minima);
    flush(minima, face.feature, false);
  }
}

// --- edges against edges -----------------------------------------------------------------------------------

void EdgeSearch::addEdgeMinimum(const Vector3d& p, const EdgePoint& theirs, Minima& minima) const {
  const double phase = edge_.circle.phase(p);
  const EdgePoint own = pointOf(edge_, phase);
  const bool ofA = owner_ == Owner::kA;
  SurfaceContact contact;
  if (edgeContact(pair_, ofA ? own : theirs, ofA ? theirs : own, contact))
    minima.add(sectorOf(phase), contact);
}

void EdgeSearch::circlePair(const PlacedMeridian& part, std::size_t vertex) {
  const EdgeCircle edge = edgeCircle(part, vertex);
  const Circle& theirs = edge.circle;
  // Search along the smaller circle, with closest points on the larger: its minima are far enough apart to
  // resolve.
  const bool isOwnMoving = edge_.circle.radius <= theirs.radius;
  const Circle& moving = isOwnMoving ? edge_.circle : theirs;
  const Circle& stationary = isOwnMoving ? theirs : edge_.circle;
  Matrix3d R;
  R << stationary.x, stationary.y, stationary.axis;
  const Circle moving_S = expressedIn(R, stationary.center, moving);
  const double gap = std::abs(moving_S.center.norm() - stationary.radius) - moving.radius;
  if (gap > pair_.range) return;
  const Grid& grid = fullCircleGrid();
  const CirclePoints points(moving_S, grid);
  const double r = stationary.radius;
  // Half the squared distance: smooth where the circles meet.
  const auto slope = [&](const MeridianPoint& m) {
    const double x = m.rho - r;
    return Slope{std::sqrt(x * x + m.z * m.z), x * m.dRho + m.z * m.dZ,
                 m.dRho * m.dRho + x * m.ddRho + m.dZ * m.dZ + m.z * m.ddZ};
  };
  const auto slopeOf = [&](std::size_t i) { return slope(points.points[i]); };
  const auto slopeAt = [&](double phase) { return slope(points.at(phase)); };
  Minima minima;
  const auto functionOf = [&] { return CircleFunction::toCircle(moving_S, r); };
  forEachMinimum(grid, moving.radius, pair_.range, kSlopeTolerance * r, slopeOf, slopeAt, functionOf,
                 [&](double phase) {
                   const Vector3d p = moving.at(std::cos(phase), std::sin(phase));
                   const double other = stationary.phase(p);
                   const Vector3d q = stationary.at(std::cos(other), std::sin(other));
                   addEdgeMinimum(isOwnMoving ? p : q, pointOf(edge, isOwnMoving ? other : phase), minima);
                 });
  flush(minima, part.vertexFeature(vertex), true);
}

void EdgeSearch::againstCircles(const PlacedMeridian& other) {
  if (phasesNear(edge_.circle, other, pair_.range).none) return;
  const auto& vertices = other.meridian->vertices;
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    if (!vertices[i].convex) continue;
    if (vertices[i].at.x() > 0)
      circlePair(other, i);
    else
      addPointContact(other.circle(i).center, other.vertexFeature(i));
  }
}

void EdgeSearch::edgeLine(const FlatFeatures::Edge& line) {
  const Circle& circle = edge_.circle;
  const double length = (line.b - line.a).norm();
  const Vector3d d = (line.b - line.a) / length;
  const Vector3d toCenter = circle.center - line.a;
  const double foot = std::clamp(toCenter.dot(d), 0.0, length), maxDistance = circle.radius + pair_.range;
  if ((toCenter - foot * d).squaredNorm() > maxDistance * maxDistance) return;
  const Grid& grid = fullCircleGrid();
  const auto slopeFrom = [&](double c, double s) {
    const Vector3d u = circle.radius * circle.outward(c, s), du = circle.radius * circle.tangent(c, s);
    const Vector3d w = toCenter + u, across = w - d * d.dot(w);
    return Slope{across.norm(), across.dot(du), du.squaredNorm() - std::pow(d.dot(du), 2) - across.dot(u)};
  };
  const auto slopeOf = [&](std::size_t i) { return slopeFrom(grid.cosine[i], grid.sine[i]); };
  const auto slopeAt = [&](double phase) { return slopeFrom(std::cos(phase), std::sin(phase)); };
  Minima minima;
  const double noSlope = kSlopeTolerance * circle.radius;
  const auto functionOf = [&] {
    return CircleFunction::toLine({toCenter, circle.x, circle.y, circle.axis, circle.radius}, d);
  };
  forEachMinimum(grid, circle.radius, pair_.range, noSlope, slopeOf, slopeAt, functionOf, [&](double phase) {
    const Vector3d p = circle.at(std::cos(phase), std::sin(phase));
    const double t = (p - line.a).dot(d);
    if (t < 0 || t > length) return;
    addEdgeMinimum(p, {line.a + t * d, d, line.before, line.after, Vector3d::Zero(), t, length - t}, minima);
  });
  flush(minima, line.feature, true);
}

void EdgeSearch::againstEdges(const FlatView& other) {
  for (const FlatFeatures::Edge& edge : other.edges) edgeLine(edge);
}

void EdgeSearch::addPointContact(const Vector3d& q, int feature) {
  const Vector3d w = q - edge_.circle.center;
  const double u = w.dot(edge_.circle.x), v = w.dot(edge_.circle.y);
  if (u * u + v * v <= 0) return;
  const double phase = std::atan2(v, u);
  const Vector3d p = edge_.circle.at(std::cos(phase), std::sin(phase));
  SurfaceHit hit = other().nearest(p);
  if (!hit.edge || hit.feature != feature || hit.distance > pair_.range) return;
  // Perpendicular to the circle, also where the point is too close to define a direction.
  const Vector3d tangent = edge_.circle.tangent(std::cos(phase), std::sin(phase));
  hit.normal = (hit.normal - tangent * tangent.dot(hit.normal)).normalized();
  const std::uint32_t code = featureCode(owner_, edge_.feature, feature, Kind::kEdges, 0);
  if (!atFixedPhase(sectorOf(phase), feature, hit.distance))
    pair_.contacts.push_back(contactOf(owner_, p, hit.normal, hit.distance, code));
}

void EdgeSearch::againstCorners(const FlatView& other) {
  const double maxDistance = edge_.circle.radius + pair_.range;
  for (const FlatFeatures::Corner& corner : other.corners)
    if ((corner.p - edge_.circle.center).squaredNorm() <= maxDistance * maxDistance)
      addPointContact(corner.p, corner.feature);
}

// --- axes and flanks ---------------------------------------------------------------------------------------

void axisAgainst(const PairSearch& pair, Owner owner, const PlacedMeridian& part, std::size_t first) {
  if (hasOverlapContact(pair, first)) return;
  const PlacedSolid &own = ownOf(pair, owner), &other = otherOf(pair, owner);
  if (other.nearest(part.center_C).distance > part.boundingRadius) return;
  // Sphere tracing: steps as long as the distance cross no surface. Walls thinner than the minimum step may
  // be missed.
  const double minStep = kAxisStep * part.meridian->radius;
  SurfaceContact deepest;
  for (double z = part.meridian->bottom; z < part.meridian->top;) {
    const Vector3d p = part.p_CM + z * part.R_CM.col(2);
    const SurfaceHit hit = other.nearest(p);
    if (hit.distance < -kSameDistance) {
      // Inside both solids: the depth is limited by the distance to either surface.
      const double depth = std::max(hit.distance, own.nearest(p).distance);
      if (depth < deepest.separation)
        deepest = contactOf(owner, p, hit.normal, depth,
                            featureCode(owner, part.vertexFeature(0), 0, Kind::kCrossing, 0));
    }
    z += std::max(hit.distance, minStep);
  }
  if (deepest.separation < 0) pair.contacts.push_back(deepest);
}

namespace {

struct Generatrix {
  Vector3d start, direction;
};

// The generatrix of the flank with unit normal `m`.
Generatrix generatrix(const PlacedMeridian& part, const Meridian::Segment& s, const Vector3d& m) {
  const Vector3d axis = part.R_CM.col(2), e = (m - axis * axis.dot(m)).normalized();
  return {part.p_CM + s.start.y() * axis + s.start.x() * e, s.direction.y() * axis + s.direction.x() * e};
}

// Normals m and −m select one generatrix on each flank. The two lie in parallel planes and are closest where
// they cross in the projection along m.
void crossing(const PairSearch& pair, const PlacedMeridian& a, std::size_t i, const PlacedMeridian& b,
              std::size_t j, const Vector3d& m, int which) {
  const Meridian::Segment &sa = a.meridian->segments[i], &sb = b.meridian->segments[j];
  const Generatrix ga = generatrix(a, sa, m), gb = generatrix(b, sb, -m);
  const double k = ga.direction.cross(gb.direction).dot(m);
  if (std::abs(k) < kParallel) return;
  const Vector3d w = gb.start - ga.start;
  const double t = w.cross(gb.direction).dot(m) / k, u = w.cross(ga.direction).dot(m) / k;
  if (t < 0 || t > sa.length || u < 0 || u > sb.length) return;
  const Vector3d p = ga.start + t * ga.direction;
  const SurfaceHit hit = pair.b.nearest(p);
  if (hit.edge || hit.feature != b.segmentFeature(j) || hit.distance > pair.range) return;
  if (m.dot(hit.normal) > 0) return;
  const std::uint32_t code = featureCode(Owner::kA, a.segmentFeature(i), hit.feature, Kind::kCrossing, which);
  pair.contacts.push_back(contactOf(Owner::kA, p, hit.normal, hit.distance, code));
}

void flankPair(const PairSearch& pair, const PlacedMeridian& a, std::size_t i, const PlacedMeridian& b,
               std::size_t j) {
  const Vector3d axisA = a.R_CM.col(2), axisB = b.R_CM.col(2), across = axisA.cross(axisB);
  const double c = axisA.dot(axisB), s2 = across.squaredNorm();
  if (s2 < kParallel * kParallel) return;
  // m · axisA = sin α, m · axisB = −sin β, |m| = 1.
  const double sa = a.meridian->segments[i].normal.y(), sb = b.meridian->segments[j].normal.y();
  const double x = (sa + c * sb) / s2, y = (-sb - c * sa) / s2;
  const double remainder = (1 - (x * x + y * y + 2 * x * y * c)) / s2;
  if (remainder < 0) return;
  const Vector3d base = x * axisA + y * axisB, side = std::sqrt(remainder) * across;
  crossing(pair, a, i, b, j, (base + side).normalized(), 0);
  crossing(pair, a, i, b, j, (base - side).normalized(), 1);
}

}  // namespace

void flanksAgainstFlanks(const PairSearch& pair, const PlacedMeridian& a, const PlacedMeridian& b) {
  if ((a.center_C - b.center_C).norm() > a.boundingRadius + b.boundingRadius + pair.range) return;
  const auto &flanksA = a.meridian->segments, &flanksB = b.meridian->segments;
  for (std::size_t i = 0; i < flanksA.size(); ++i) {
    if (flanksA[i].normal.x() <= kParallel) continue;
    for (std::size_t j = 0; j < flanksB.size(); ++j)
      if (flanksB[j].normal.x() > kParallel) flankPair(pair, a, i, b, j);
  }
}

}  // namespace tenon::physics
