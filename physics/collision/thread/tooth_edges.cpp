// Edges of teeth against edges.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "physics/collision/thread/tooth_search.h"

namespace tenon::physics {
namespace {

/// Where edges cross at a small angle, one may reach into the other tooth beside their common normal: at most
/// this far from it, and at least so deep, in depths of the crossing.
constexpr double kFarthestDepths = 100, kLeastShare = 0.25;

constexpr int kEdgeIterations = 16;
/// Newton's method on the closest points of two edges ends with steps this short [m].
constexpr double kEdgeStepTolerance = 1e-12;
/// Difference of closest points that is long enough to be their normal [m].
constexpr double kLongDifference = 1e-7;
/// Tolerance of a common normal outside the cone of the face normals [rad].
constexpr double kConeTolerance = 1e-6;

// Whether unit n lies between the unit normals a and b.
bool isBetween(const Vector3d& n, const Vector3d& a, const Vector3d& b) {
  const double c = a.dot(b), x = n.dot(a), y = n.dot(b);
  const double slack = -kConeTolerance * std::sqrt(std::max(0.0, 1 - c * c));
  return x - c * y >= slack && y - c * x >= slack;
}

// True if p, whose angle is near `theta`, is on or in the tooth.
bool isInside(const Tooth& tooth, const Vector3d& p, double theta) {
  const double angle = theta + std::remainder(std::atan2(p.y(), p.x()) - theta, 2 * std::numbers::pi);
  const double rho = std::sqrt(p.x() * p.x() + p.y() * p.y());
  return std::all_of(tooth.faces.begin(), tooth.faces.end(),
                     [&](const HelicoidFace& f) { return f.at(rho, angle, p.z()) <= kSamePoint; });
}

// True if the edge, near its parameter tau, has a point about as deep in the tooth as `depth`: where it is as
// far from both faces of the tooth's edge `sharp`. X_TE: of the edge in the tooth's frame; theta: of the
// place, near enough.
bool reachesInto(const Tooth& tooth, const SpiralEdge& sharp, const SpiralEdge& edge,
                 const RigidTransform& X_TE, double tau, double theta, double depth) {
  const auto valueAt = [&](const HelicoidFace& f, const Vector3d& p) {
    const double angle = theta + std::remainder(std::atan2(p.y(), p.x()) - theta, 2 * std::numbers::pi);
    return f.at(std::sqrt(p.x() * p.x() + p.y() * p.y()), angle, p.z());
  };
  const Vector3d p0 = X_TE.point(edge.at(tau).p), p1 = X_TE.point(edge.at(tau + depth).p);
  const HelicoidFace &f = tooth.faces[sharp.f], &g = tooth.faces[sharp.g];
  const double f0 = valueAt(f, p0), g0 = valueAt(g, p0), apart = g0 - f0,
               closing = (valueAt(f, p1) - f0 - valueAt(g, p1) + g0) / depth;
  if (!(std::abs(closing) * kFarthestDepths * depth > std::abs(apart))) return false;
  const double deepest = std::clamp(tau + apart / closing, 0.0, edge.length);
  const Vector3d p = X_TE.point(edge.at(deepest).p);
  return std::all_of(tooth.faces.begin(), tooth.faces.end(),
                     [&](const HelicoidFace& face) { return valueAt(face, p) <= -kLeastShare * depth; });
}

// The whole turns in a parameter of an edge: those of the core are closed, all others end on their turn [m].
double wholeTurns(const Tooth& tooth, const SpiralEdge& edge, double sigma) {
  return tooth.isCore ? edge.length * std::floor(sigma / edge.length) : 0;
}

// The least distance of 0 to the segment from (x0, y0) to (x1, y1).
double distanceToSegment(double x0, double y0, double x1, double y1) {
  const double dx = x1 - x0, dy = y1 - y0, length2 = dx * dx + dy * dy;
  const double t = length2 > 0 ? std::clamp(-(x0 * dx + y0 * dy) / length2, 0.0, 1.0) : 0;
  return std::hypot(x0 + t * dx, y0 + t * dy);
}

std::uint32_t edgePairCode(Owner owner, const SpiralEdge& own, const SpiralEdge& other, int turn,
                           std::size_t sector) {
  return static_cast<std::uint32_t>(owner) << 31 | 2U << 29 |
         static_cast<std::uint32_t>(own.feature & 127) << 22 |
         static_cast<std::uint32_t>(other.feature & 127) << 15 | static_cast<std::uint32_t>(turn & 7) << 12 |
         static_cast<std::uint32_t>(sector & 4095);
}

}  // namespace

// An edge is where F of both its faces is 0: only cells whose bounds come near both are tried.
void ToothSearch::againstEdges(const Target& target, const ToothBounds& bounds) {
  const double margin = reach_;
  for (const SpiralEdge& theirs : target.tooth.edges) {
    const FaceBounds &f = bounds.faces[theirs.f], &g = bounds.faces[theirs.g];
    if (f.low > margin || g.low > margin || f.high < -margin - depth_ || g.high < -margin - depth_) continue;
    edgePair(target, theirs, bounds.turn);
  }
}

void ToothSearch::edgePair(const Target& target, const SpiralEdge& theirs, int turn) {
  const EdgeCell& cell = target.cell;
  const CylindricalPoint p0 = onTurn(cell.begin->at, turn), p1 = onTurn(cell.end->at, turn);
  const auto parameterOf = [&](const CylindricalPoint& at) {
    const double r = target.tooth.radius;
    return (at.rho - theirs.start.rho) * theirs.dRho +
           r * r * (at.theta - theirs.start.theta) * theirs.dTheta + (at.z - theirs.start.z) * theirs.dZ;
  };
  const double around = wholeTurns(target.tooth, theirs, parameterOf(p0));
  const double sigma0 = parameterOf(p0) - around, sigma1 = parameterOf(p1) - around;
  if (std::max(sigma0, sigma1) < -range_ - cell.length() ||
      std::min(sigma0, sigma1) > theirs.length + range_ + cell.length())
    return;
  const auto &f = target.tooth.faces[theirs.f], &g = target.tooth.faces[theirs.g];
  const double apart = distanceToSegment(f.at(p0.rho, p0.theta, p0.z), g.at(p0.rho, p0.theta, p0.z),
                                         f.at(p1.rho, p1.theta, p1.z), g.at(p1.rho, p1.theta, p1.z));
  if (apart > 1.5 * reach_ + depth_ + 0.1 * cell.length()) return;
  // The crossing is where the coordinates of both are equal, in the middle of the cell to begin with.
  for (const double part : {0.5, 0.0, 1.0})
    if (addEdgePair(target, theirs, turn, cell.begin->tau + part * cell.length(),
                    sigma0 + part * (sigma1 - sigma0)))
      return;
}

bool ToothSearch::addEdgePair(const Target& target, const SpiralEdge& theirs, int turn, double tau,
                              double sigma) {
  const EdgeCell& cell = target.cell;
  SpiralPoint a, b;
  bool hasConverged = false;
  for (int iteration = 0; iteration < kEdgeIterations && !hasConverged; ++iteration) {
    const SpiralPoint own = target.edge.at(tau);
    a = {X_OE_.point(own.p), X_OE_.vector(own.dp), X_OE_.vector(own.ddp)};
    b = theirs.at(sigma);
    const Vector3d w = b.p - a.p;
    const double e1 = w.dot(a.dp), e2 = w.dot(b.dp), cross = a.dp.dot(b.dp);
    const double j11 = -a.dp.squaredNorm() + w.dot(a.ddp), j22 = b.dp.squaredNorm() + w.dot(b.ddp);
    const double determinant = j11 * j22 + cross * cross;  // of [[j11, cross], [−cross, j22]]
    if (std::abs(determinant) < kParallel * kParallel) return false;
    const double dTau = -(e1 * j22 - cross * e2) / determinant,
                 dSigma = -(j11 * e2 + cross * e1) / determinant;
    hasConverged = std::max(std::abs(dTau), std::abs(dSigma)) <= kEdgeStepTolerance;
    tau += dTau;
    sigma += dSigma;
    if (tau < cell.begin->tau - 2 * cell.length() || tau > cell.end->tau + 2 * cell.length()) return false;
  }
  const bool isLast = target.index + 2 == target.edge.samples.size();
  if (!hasConverged || tau < cell.begin->tau || tau > cell.end->tau || (tau == cell.end->tau && !isLast))
    return false;
  sigma -= wholeTurns(target.tooth, theirs, sigma);
  if (sigma < -kSamePoint || sigma > theirs.length + kSamePoint) return false;
  const double rho = target.edge.coordinates(tau).rho;
  const EdgeNormals own = normalsOf(target.own, target.edge, rho, target.edge.at(tau).p.head<2>() / rho);
  const CylindricalPoint at = theirs.coordinates(sigma);
  const Vector3d before = faceNormal(target.tooth.faces[theirs.f], at),
                 after = faceNormal(target.tooth.faces[theirs.g], at);
  const Vector3d w = b.p - a.p, across = a.dp.cross(b.dp);
  const Vector3d sides = (own.before + own.after).normalized() - (before + after).normalized();
  Vector3d n = w.norm() > kLongDifference ? w.normalized() : across.normalized();
  if (n.dot(sides) < 0) n = -n;
  const double separation = n.dot(w);
  if (separation > range_ || separation < -depth_) return false;
  if (!isBetween(n, own.before, own.after) || !isBetween(-n, before, after)) return false;
  if (separation < 0) {
    // Halfway into a sharp edge may be beyond one of its faces: then one edge passes through the other tooth
    // nearby.
    const Vector3d middle = 0.5 * (a.p + b.p);
    const RigidTransform X_EO = X_OE_.inverse();
    const double theta = target.edge.coordinates(tau).theta;
    const bool overlaps =
        (isInside(target.tooth, middle, at.theta) && isInside(target.own, X_EO.point(middle), theta)) ||
        reachesInto(target.tooth, theirs, target.edge, X_OE_, tau, at.theta, -separation) ||
        reachesInto(target.own, target.edge, theirs, X_EO, sigma, theta, -separation);
    if (!overlaps) return false;
  }
  const auto &f = target.tooth.faces[theirs.f], &g = target.tooth.faces[theirs.g];
  const int number = turnNumber(f.kappa != 0 ? f : g, onTurn(cell.begin->at, turn));
  add(a.p, -n, separation, edgePairCode(owner_, target.edge, theirs, number, target.index));
  return true;
}

}  // namespace tenon::physics
