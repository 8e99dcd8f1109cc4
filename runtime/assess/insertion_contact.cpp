// Joins neighboring points to clusters, and classifies the clusters.
#include "runtime/assess/insertion_contact.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "runtime/assess/section_contact.h"

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

bool isOneContact(const NamedPoint& a, const NamedPoint& b, const InsertionFit& fit) {
  if (a.feature != b.feature || a.surface != b.surface) return false;
  if (isFlat(a.surface)) return true;
  // A rim has one depth, up to its tilt; a shank may touch a wall at several.
  return std::abs(a.point->p_H.z() - b.point->p_H.z()) <= 0.5 * fit.radius() &&
         apart(a.phase, b.phase) <= kNeighbours;
}

std::vector<NamedPoint> namedPoints(const std::vector<InsertionContactPoint>& points,
                                    const InsertionFit& fit) {
  std::vector<NamedPoint> named;
  for (const InsertionContactPoint* point : carryingPoints(points))
    named.push_back(
        {point, std::atan2(point->p_H.y(), point->p_H.x()), featureAt(*point, fit), surfaceAt(*point, fit)});
  return named;
}

/// The points of one group as a cluster; empty if there are none.
ContactCluster clusterOfGroup(const std::vector<NamedPoint>& points, const std::vector<std::size_t>& group,
                              std::size_t g) {
  ContactCluster cluster;
  std::vector<double> phases;
  double top = 0, low = 0;
  for (std::size_t k = 0; k < points.size(); ++k) {
    if (group[k] != g) continue;
    const ContactCluster own = clusterOf(*points[k].point, points[k].feature, points[k].surface);
    top = phases.empty() ? own.p_H.z() : std::max(top, own.p_H.z());
    low = phases.empty() ? own.p_H.z() : std::min(low, own.p_H.z());
    phases.push_back(points[k].phase);
    if (cluster.points == 0)
      cluster = own;
    else
      addTo(cluster, own);
  }
  cluster.depthSpan = top - low;
  cluster.arc = coveredArc(phases);
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
    const ContactCluster cluster = clusterOfGroup(points, group, g);
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
    case HoleSurface::wall:
    case HoleSurface::inclinedFace:
    case HoleSurface::acrossFace:
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
  return coveredArc(phases) >= 2 * kPi - kOpenSide;
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
    case ContactState::turned:
      return "turned";
    case ContactState::seated:
      return "seated";
    case ContactState::elsewhere:
      return "elsewhere";
  }
  return "";
}

InsertionContact classifyContact(const std::vector<InsertionContactPoint>& points, const InsertionFit& fit,
                                 double tilt) {
  if (!fit.hasHole()) return classifySectionContact(points, tilt);
  InsertionContact contact;
  contact.clusters = clustersOf(namedPoints(points, fit), fit);
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
