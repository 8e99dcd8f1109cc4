// Names points by the fit's dimensions, joins neighbors to clusters, and classifies the clusters.
#include "runtime/assess/insertion_contact.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

namespace tenon::runtime {

namespace {

constexpr double kPi = std::numbers::pi;

/// Points of one contact are at most this far apart about the axis [rad]: a rim touches at fixed phases up
/// to 45° apart.
constexpr double kNeighbours = kPi / 3;
/// Contacts act from all sides if no gap between their phases is larger [rad]. Two exactly opposite contacts
/// (180°), as of a tilted rim in a cone, qualify.
constexpr double kOpenSide = 200 * kPi / 180;
/// Forces oppose each other across the bore if the cosine between them is below this [-].
constexpr double kOpposite = -0.5;
/// Contacts further apart along the bore than this many diameters are at different depths [-].
constexpr double kOtherDepth = 0.01;
/// A contact longer than this many diameters is a line along the bore [-].
constexpr double kLine = 0.1;

PartFeature featureAt(const InsertionContactPoint& point, const InsertionFit& fit) {
  if (!(fit.pegRadius > 0)) return PartFeature::unnamed;
  const double near = fit.edgeTolerance();
  if (point.behind >= fit.head - near && point.radius > fit.pegRadius + near) return PartFeature::head;
  if (point.behind <= near && fit.tipRadius > near)
    return point.radius >= fit.tipRadius - near ? PartFeature::tipEdge : PartFeature::tipFace;
  if (fit.tipLength > near) {
    if (point.behind < fit.tipLength - near)
      return fit.roundTip ? PartFeature::roundTip : PartFeature::tipChamfer;
    if (point.behind <= fit.tipLength + near) return PartFeature::tipShoulder;
  }
  return PartFeature::shank;
}

/// Kind of the hole's profile between its points `k` and `k + 1`.
HoleSurface surfaceBelow(std::size_t k, const InsertionFit& fit) {
  constexpr double kSame = 1e-9;  // below any chamfer [m]
  const Eigen::Vector2d &from = fit.hole[k], &to = fit.hole[k + 1];
  const bool flat = std::abs(to.x() - from.x()) <= kSame, straight = std::abs(to.y() - from.y()) <= kSame;
  const bool narrows = to.y() < from.y();
  const bool aboveBore = from.x() < fit.leadInDepth - kSame || (flat && to.x() <= fit.leadInDepth + kSame);
  if (aboveBore && fit.leadInDepth > 0) {
    if (straight || !narrows) return HoleSurface::counterboreWall;
    return flat ? HoleSurface::counterboreFloor : HoleSurface::chamfer;
  }
  if (!straight && narrows) {
    if (to.y() > 0) return HoleSurface::step;
    return flat ? HoleSurface::bottom : HoleSurface::drillPoint;
  }
  return from.y() > fit.boreRadius + kSame || !straight ? HoleSurface::undercut : HoleSurface::boreWall;
}

/// True if the profile is convex at its point `k`; else it is an inner corner.
bool isEdge(std::size_t k, const InsertionFit& fit) {
  if (k == 0) return true;
  if (k + 1 == fit.hole.size()) return fit.through;
  const Eigen::Vector2d in = fit.hole[k] - fit.hole[k - 1], out = fit.hole[k + 1] - fit.hole[k];
  return in.x() * out.y() - in.y() * out.x() > 0;
}

HoleSurface edgeAt(std::size_t k, const InsertionFit& fit) {
  if (k == 0) return HoleSurface::mouthEdge;
  if (k + 1 == fit.hole.size()) return HoleSurface::farEdge;
  const double below = fit.hole[k].x() - fit.leadInDepth;
  if (std::abs(below) <= fit.edgeTolerance() && fit.hole[k].y() <= fit.boreRadius + fit.edgeTolerance())
    return HoleSurface::boreEdge;
  return below < 0 || fit.hole[k].y() > fit.boreRadius ? HoleSurface::counterboreEdge
                                                       : HoleSurface::innerEdge;
}

/// True if `x` is between `a` and `b`, or within `near` of them.
bool isBetween(double x, double a, double b, double near) {
  return x >= std::min(a, b) - near && x <= std::max(a, b) + near;
}

HoleSurface surfaceAt(const InsertionContactPoint& point, const InsertionFit& fit) {
  if (!(fit.boreRadius > 0)) return HoleSurface::unnamed;
  const double near = fit.edgeTolerance();
  const double depth = -point.p_H.z(), radius = point.p_H.head<2>().norm();
  const bool outside = radius > fit.mouthRadius() + near;
  double widest = 0;
  for (const Eigen::Vector2d& at : fit.hole) widest = std::max(widest, at.y());
  if (depth < -near || (depth > near && radius > widest + near)) return HoleSurface::unnamed;
  if (depth <= near && outside) return HoleSurface::mouthFace;
  // An edge, if one is at this depth and no flat surface.
  HoleSurface surface = HoleSurface::unnamed;
  double nearest = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < fit.hole.size(); ++k) {
    const double off = std::abs(radius - fit.hole[k].y());
    if (!isEdge(k, fit) || std::abs(depth - fit.hole[k].x()) > near || off >= nearest) continue;
    nearest = off;
    surface = edgeAt(k, fit);
  }
  // Normal forces of a flat surface are along the axis, those of a wall need not be; of two walls, the
  // nearer.
  const bool upwards = point.n_H.z() > 0.5;
  for (std::size_t k = 0; k + 1 < fit.hole.size(); ++k) {
    const Eigen::Vector2d &from = fit.hole[k], &to = fit.hole[k + 1];
    if (!isBetween(depth, from.x(), to.x(), near)) continue;
    const bool flat = std::abs(to.x() - from.x()) <= near;
    if (flat && (!upwards || !isBetween(radius, from.y(), to.y(), 0))) continue;
    const double t = flat ? 0 : std::clamp((depth - from.x()) / (to.x() - from.x()), 0.0, 1.0);
    const double off = flat ? 0 : std::abs(radius - from.y() - t * (to.y() - from.y()));
    if (off >= nearest - near) continue;
    nearest = off;
    surface = surfaceBelow(k, fit);
  }
  return surface;
}

bool isFlat(HoleSurface surface) {
  return surface == HoleSurface::mouthFace || surface == HoleSurface::counterboreFloor ||
         surface == HoleSurface::step || surface == HoleSurface::bottom;
}

/// A contact point with feature and surface.
struct NamedPoint {
  const InsertionContactPoint* point = nullptr;
  double phase = 0;  ///< about the hole's axis [rad]
  PartFeature feature = PartFeature::unnamed;
  HoleSurface surface = HoleSurface::unnamed;
};

/// The difference of two angles, 0…π [rad].
double apart(double a, double b) {
  return std::abs(std::remainder(a - b, 2 * kPi));
}

double phaseOf(const Vector3d& p) {
  return std::atan2(p.y(), p.x());
}

bool isOneContact(const NamedPoint& a, const NamedPoint& b, const InsertionFit& fit) {
  if (a.feature != b.feature || a.surface != b.surface) return false;
  if (isFlat(a.surface)) return true;
  // A rim has one depth, up to its tilt; a shank may touch a wall at several.
  return std::abs(a.point->p_H.z() - b.point->p_H.z()) <= 0.5 * fit.radius() &&
         apart(a.phase, b.phase) <= kNeighbours;
}

/// The full circle minus the largest gap between `phases` [rad]; sorts them.
double arcOf(std::vector<double>& phases) {
  if (phases.size() < 2) return 0;
  std::sort(phases.begin(), phases.end());
  double gap = phases.front() + 2 * kPi - phases.back();
  for (std::size_t k = 1; k < phases.size(); ++k) gap = std::max(gap, phases[k] - phases[k - 1]);
  return 2 * kPi - gap;
}

/// Adds forces and points; spans are unchanged.
void addTo(ContactCluster& cluster, const ContactCluster& more) {
  const double sum = cluster.force + more.force;
  const double share = sum > 0 ? more.force / sum : 0;
  cluster.p_H += share * (more.p_H - cluster.p_H);
  cluster.mu += share * (more.mu - cluster.mu);
  cluster.radius += share * (more.radius - cluster.radius);
  cluster.normal_H += more.normal_H;
  cluster.friction_H += more.friction_H;
  cluster.force = sum;
  cluster.points += more.points;
}

ContactCluster clusterOf(const NamedPoint& named) {
  const InsertionContactPoint& p = *named.point;
  ContactCluster cluster{named.feature, named.surface};
  cluster.points = 1;
  cluster.p_H = p.p_H;
  cluster.normal_H = p.force * p.n_H;
  cluster.friction_H = p.friction_H;
  cluster.force = p.force;
  cluster.mu = p.mu;
  cluster.radius = p.p_H.head<2>().norm();
  return cluster;
}

std::vector<NamedPoint> carryingPoints(const std::vector<InsertionContactPoint>& points,
                                       const InsertionFit& fit) {
  double largest = 0;
  for (const InsertionContactPoint& point : points) largest = std::max(largest, point.force);
  std::vector<NamedPoint> carrying;
  for (const InsertionContactPoint& point : points)
    if (point.force >= std::max(kMinForceFraction * largest, kMinForce))
      carrying.push_back({&point, phaseOf(point.p_H), featureAt(point, fit), surfaceAt(point, fit)});
  return carrying;
}

/// The points of one group as a cluster; empty if there are none.
ContactCluster clusterOf(const std::vector<NamedPoint>& points, const std::vector<std::size_t>& group,
                         std::size_t g) {
  ContactCluster cluster;
  std::vector<double> phases;
  double top = 0, low = 0;
  for (std::size_t k = 0; k < points.size(); ++k) {
    if (group[k] != g) continue;
    const ContactCluster own = clusterOf(points[k]);
    top = phases.empty() ? own.p_H.z() : std::max(top, own.p_H.z());
    low = phases.empty() ? own.p_H.z() : std::min(low, own.p_H.z());
    phases.push_back(points[k].phase);
    if (cluster.points == 0)
      cluster = own;
    else
      addTo(cluster, own);
  }
  cluster.depthSpan = top - low;
  cluster.arc = arcOf(phases);
  return cluster;
}

/// Joins neighbors transitively.
std::vector<ContactCluster> clustersOf(const std::vector<NamedPoint>& points, const InsertionFit& fit) {
  std::vector<std::size_t> group(points.size());
  std::iota(group.begin(), group.end(), std::size_t{0});
  for (std::size_t a = 0; a < points.size(); ++a)
    for (std::size_t b = a + 1; b < points.size(); ++b) {
      if (group[a] == group[b] || !isOneContact(points[a], points[b], fit)) continue;
      const std::size_t from = group[b], to = group[a];
      std::replace(group.begin(), group.end(), from, to);
    }
  std::vector<ContactCluster> clusters;
  for (std::size_t g = 0; g < points.size(); ++g) {
    const ContactCluster cluster = clusterOf(points, group, g);
    if (cluster.points > 0) clusters.push_back(cluster);
  }
  std::stable_sort(clusters.begin(), clusters.end(),
                   [](const ContactCluster& a, const ContactCluster& b) { return a.force > b.force; });
  return clusters;
}

/// The motion of the part that a cluster blocks.
enum class Role { wall, leadIn, seat, none };

Role roleOf(const ContactCluster& c) {
  // A shank touches an edge from the side; a tip rests on it.
  const bool sideways = std::abs(c.normal_H.z()) < 0.5 * c.force;
  if (c.feature == PartFeature::head) return sideways ? Role::wall : Role::seat;
  switch (c.surface) {
    case HoleSurface::step:
    case HoleSurface::drillPoint:
    case HoleSurface::bottom:
      return Role::seat;
    case HoleSurface::boreWall:
    case HoleSurface::undercut:
    case HoleSurface::innerEdge:
    case HoleSurface::farEdge:
      return Role::wall;
    case HoleSurface::mouthFace:
    case HoleSurface::chamfer:
    case HoleSurface::counterboreWall:
    case HoleSurface::counterboreFloor:
      return Role::leadIn;
    case HoleSurface::mouthEdge:
    case HoleSurface::counterboreEdge:
    case HoleSurface::boreEdge:
      if (c.feature == PartFeature::shank || c.feature == PartFeature::tipShoulder) return Role::wall;
      return c.feature == PartFeature::unnamed && sideways ? Role::wall : Role::leadIn;
    case HoleSurface::unnamed:
      break;
  }
  return Role::none;
}

/// Clusters of one role; pointers into the contact's clusters.
using Chosen = std::vector<const ContactCluster*>;

Chosen withRole(const std::vector<ContactCluster>& clusters, Role role) {
  Chosen chosen;
  for (const ContactCluster& c : clusters)
    if (roleOf(c) == role) chosen.push_back(&c);
  return chosen;
}

/// Resistance to the insertion, friction included [N].
double axialForce(const Chosen& clusters) {
  double sum = 0;
  for (const ContactCluster* c : clusters) sum += c->normal_H.z() + c->friction_H.z();
  return std::max(sum, 0.0);
}

/// True if clusters act from so many directions that the part cannot move sideways.
bool holdsAllRound(const Chosen& clusters) {
  std::vector<double> phases;
  for (const ContactCluster* c : clusters)
    for (const double end : {-0.5, 0.5}) {
      if (c->arc >= 2 * kPi - kOpenSide) return true;
      phases.push_back(std::remainder(c->phase() + end * c->arc, 2 * kPi));
    }
  return arcOf(phases) >= 2 * kPi - kOpenSide;
}

/// Joins clusters of the same feature and surface at nearly one depth: each end of a two-point contact is
/// such a level, even if a tilted rim touches on both sides of its center.
std::vector<ContactCluster> levelsOf(const Chosen& clusters, const InsertionFit& fit) {
  std::vector<ContactCluster> levels;
  for (const ContactCluster* c : clusters) {
    const auto same = std::find_if(levels.begin(), levels.end(), [&](const ContactCluster& level) {
      return level.feature == c->feature && level.surface == c->surface &&
             std::abs(level.depth() - c->depth()) <= 0.5 * fit.radius();
    });
    if (same == levels.end())
      levels.push_back(*c);
    else
      addTo(*same, *c);
  }
  return levels;
}

std::optional<TwoPoint> twoPointOf(const std::vector<ContactCluster>& levels, const InsertionFit& fit) {
  std::optional<TwoPoint> best;
  double strongest = 0;
  for (const ContactCluster& a : levels)
    for (const ContactCluster& b : levels) {
      if (!(a.depth() > b.depth() + kOtherDepth * 2 * fit.radius())) continue;
      const Eigen::Vector2d fa = a.normal_H.head<2>(), fb = b.normal_H.head<2>();
      const double strength = std::min(fa.norm(), fb.norm());
      if (strength <= strongest || fa.dot(fb) > kOpposite * fa.norm() * fb.norm()) continue;
      strongest = strength;
      const Eigen::Vector2d side = (fb / fb.norm() - fa / fa.norm()).normalized();
      best = TwoPoint{a, b, Vector3d(side.x(), side.y(), 0), a.depth() - b.depth(), std::min(a.mu, b.mu)};
    }
  return best;
}

void judgeWalls(const Chosen& walls, const InsertionFit& fit, InsertionContact& contact) {
  const std::vector<ContactCluster> levels = levelsOf(walls, fit);
  contact.allRound = holdsAllRound(walls);
  contact.twoPoint = twoPointOf(levels, fit);
  if (contact.twoPoint) {
    contact.state = ContactState::twoPoint;
    return;
  }
  double top = walls.front()->p_H.z(), low = top;
  for (const ContactCluster* c : walls) {
    top = std::max(top, c->p_H.z() + 0.5 * c->depthSpan);
    low = std::min(low, c->p_H.z() - 0.5 * c->depthSpan);
  }
  const bool alongBore = top - low > kLine * 2 * fit.radius();
  contact.state = alongBore || contact.allRound ? ContactState::line : ContactState::onePoint;
}

void judgeLeadIn(const Chosen& leadIn, const Chosen& walls, InsertionContact& contact) {
  // A shank on the bore's edge also supports a tip on the opposite side.
  Chosen both = leadIn;
  both.insert(both.end(), walls.begin(), walls.end());
  contact.allRound = holdsAllRound(both);
  const ContactCluster& first = *leadIn.front();
  if (first.surface == HoleSurface::mouthFace || first.surface == HoleSurface::counterboreFloor)
    contact.state = ContactState::onFace;
  else if (first.surface == HoleSurface::chamfer || first.surface == HoleSurface::counterboreWall ||
           first.feature == PartFeature::tipChamfer || first.feature == PartFeature::roundTip)
    contact.state = ContactState::onChamfer;
  else
    contact.state = ContactState::onRim;
}

}  // namespace

std::string_view toText(ContactState state) {
  switch (state) {
    case ContactState::none:
      return "none";
    case ContactState::onFace:
      return "on-face";
    case ContactState::onRim:
      return "on-rim";
    case ContactState::onChamfer:
      return "on-chamfer";
    case ContactState::onePoint:
      return "one-point";
    case ContactState::twoPoint:
      return "two-point";
    case ContactState::line:
      return "line";
    case ContactState::seated:
      return "seated";
    case ContactState::elsewhere:
      return "elsewhere";
  }
  return "";
}

std::string_view toText(PartFeature feature) {
  switch (feature) {
    case PartFeature::tipFace:
      return "tip face";
    case PartFeature::tipEdge:
      return "tip edge";
    case PartFeature::tipChamfer:
      return "tip chamfer";
    case PartFeature::roundTip:
      return "round tip";
    case PartFeature::tipShoulder:
      return "edge behind the tip chamfer";
    case PartFeature::shank:
      return "shank";
    case PartFeature::head:
      return "head";
    case PartFeature::unnamed:
      return "part";
  }
  return "";
}

std::string_view toText(HoleSurface surface) {
  switch (surface) {
    case HoleSurface::mouthFace:
      return "mouth face";
    case HoleSurface::mouthEdge:
      return "mouth edge";
    case HoleSurface::chamfer:
      return "chamfer";
    case HoleSurface::counterboreWall:
      return "counterbore wall";
    case HoleSurface::counterboreFloor:
      return "counterbore floor";
    case HoleSurface::counterboreEdge:
      return "counterbore edge";
    case HoleSurface::boreEdge:
      return "bore edge";
    case HoleSurface::boreWall:
      return "bore wall";
    case HoleSurface::undercut:
      return "undercut";
    case HoleSurface::innerEdge:
      return "edge inside the bore";
    case HoleSurface::step:
      return "step in the bore";
    case HoleSurface::drillPoint:
      return "drill point";
    case HoleSurface::bottom:
      return "bottom";
    case HoleSurface::farEdge:
      return "far edge of the bore";
    case HoleSurface::unnamed:
      return "hole's part";
  }
  return "";
}

double ContactCluster::phase() const {
  return phaseOf(p_H);
}

InsertionContact classifyContact(const std::vector<InsertionContactPoint>& points, const InsertionFit& fit) {
  InsertionContact contact;
  contact.clusters = clustersOf(carryingPoints(points, fit), fit);
  if (contact.clusters.empty()) return contact;
  const Chosen walls = withRole(contact.clusters, Role::wall);
  const Chosen leadIn = withRole(contact.clusters, Role::leadIn);
  const Chosen seats = withRole(contact.clusters, Role::seat);
  const double wall = axialForce(walls), lead = axialForce(leadIn), seat = axialForce(seats);
  if (!seats.empty() && seat >= wall + lead)
    contact.state = ContactState::seated;
  else if (!leadIn.empty() && (walls.empty() || lead > wall))
    judgeLeadIn(leadIn, walls, contact);
  else if (!walls.empty())
    judgeWalls(walls, fit, contact);
  else
    contact.state = seats.empty() ? ContactState::elsewhere : ContactState::seated;
  return contact;
}

}  // namespace tenon::runtime
