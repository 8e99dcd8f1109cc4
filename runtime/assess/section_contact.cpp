// Groups contact points by their normals, and finds opposed walls.
#include "runtime/assess/section_contact.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tenon::runtime {

namespace {

constexpr double kRightAngle = std::numbers::pi / 2;
/// Normals of one face differ by less [rad].
constexpr double kSameNormal = 10 * kRightAngle / 90;
/// Points of one face are at most this far off its plane, relative to the extent of all contacts [-].
constexpr double kSamePlane = 0.02;
/// The draft of walls [rad].
constexpr double kDraft = 5 * kRightAngle / 90;
/// Forces of two walls oppose each other if the cosine between them is below this [-].
constexpr double kOpposedWalls = -0.5;
/// Centers of pressure further apart than this, relative to the distance across, are at different places [-].
constexpr double kOtherPlace = 0.01;
/// A contact along a wall is longer than this, relative to the extent of all contacts [-].
constexpr double kAlongWall = 0.1;
/// Walls act from all sides if no gap between the directions of their forces is larger [rad].
constexpr double kOpenAngle = 200 * kRightAngle / 90;

HoleSurface surfaceOf(const Vector3d& n_H, double tilt) {
  const double allowed = std::min(tilt + kDraft, 0.5 * kRightAngle);
  if (std::abs(n_H.z()) < std::sin(allowed)) return HoleSurface::wall;
  if (n_H.z() < 0) return HoleSurface::unnamed;  // behind an edge: it pulls the part in
  return n_H.z() > std::cos(allowed) ? HoleSurface::acrossFace : HoleSurface::inclinedFace;
}

/// The points of one face of the hole's part.
struct Face {
  const InsertionContactPoint* strongest = nullptr;
  ContactCluster cluster;
  double top = 0, low = 0;     ///< z of its points [m]
  std::vector<double> phases;  ///< of its points about the axis [rad]

  bool holds(const InsertionContactPoint& point, double extent) const {
    return point.n_H.dot(strongest->n_H) > std::cos(kSameNormal) &&
           std::abs(strongest->n_H.dot(point.p_H - strongest->p_H)) <= kSamePlane * extent;
  }
};

/// Largest distance of a point from the first one [m].
double extentOf(const std::vector<const InsertionContactPoint*>& points) {
  double extent = 0;
  for (const InsertionContactPoint* point : points)
    extent = std::max(extent, (point->p_H - points.front()->p_H).norm());
  return extent;
}

/// Faces, largest force first. `points` begin with the largest force.
std::vector<ContactCluster> facesOf(const std::vector<const InsertionContactPoint*>& points, double extent,
                                    double tilt) {
  std::vector<Face> faces;
  for (const InsertionContactPoint* point : points) {
    const ContactCluster own = clusterOf(*point, PartFeature::unnamed, surfaceOf(point->n_H, tilt));
    const double z = point->p_H.z();
    const auto same = std::find_if(faces.begin(), faces.end(),
                                   [&](const Face& face) { return face.holds(*point, extent); });
    if (same == faces.end()) {
      faces.push_back({point, own, z, z, {own.phase()}});
      continue;
    }
    addTo(same->cluster, own);
    same->top = std::max(same->top, z);
    same->low = std::min(same->low, z);
    same->phases.push_back(own.phase());
  }
  std::vector<ContactCluster> clusters;
  for (Face& face : faces) {
    face.cluster.depthSpan = face.top - face.low;
    face.cluster.arc = coveredArc(face.phases);
    clusters.push_back(face.cluster);
  }
  std::stable_sort(clusters.begin(), clusters.end(),
                   [](const ContactCluster& a, const ContactCluster& b) { return a.force > b.force; });
  return clusters;
}

bool isWall(const ContactCluster& c) {
  return c.surface == HoleSurface::wall;
}

bool isLeadIn(const ContactCluster& c) {
  return c.surface == HoleSurface::acrossFace || c.surface == HoleSurface::inclinedFace;
}

/// Two walls as a pair; `a` at the greater depth.
TwoPoint pairOf(const ContactCluster& a, const ContactCluster& b) {
  const Eigen::Vector2d fa = a.normal_H.head<2>().normalized(), fb = b.normal_H.head<2>().normalized();
  const Eigen::Vector2d side = (fb - fa).normalized();
  TwoPoint pair{a, b, Vector3d(side.x(), side.y(), 0), a.depth() - b.depth(), std::min(a.mu, b.mu)};
  pair.width = pair.side_H.dot(a.p_H - b.p_H);
  pair.aside = std::abs(pair.side_H.cross(Vector3d::UnitZ()).dot(a.p_H - b.p_H));
  return pair;
}

/// The strongest pair of walls that press against each other at different places.
std::optional<TwoPoint> opposedWalls(const std::vector<ContactCluster>& clusters) {
  std::optional<TwoPoint> best;
  double strongest = 0;
  for (std::size_t i = 0; i < clusters.size(); ++i)
    for (std::size_t j = i + 1; j < clusters.size(); ++j) {
      if (!isWall(clusters[i]) || !isWall(clusters[j])) continue;
      const bool isFirstLower = clusters[i].depth() >= clusters[j].depth();
      const ContactCluster& a = isFirstLower ? clusters[i] : clusters[j];
      const ContactCluster& b = isFirstLower ? clusters[j] : clusters[i];
      const Eigen::Vector2d fa = a.normal_H.head<2>(), fb = b.normal_H.head<2>();
      const double strength = std::min(fa.norm(), fb.norm());
      if (strength <= strongest || fa.dot(fb) > kOpposedWalls * fa.norm() * fb.norm()) continue;
      const TwoPoint pair = pairOf(a, b);
      if (pair.width == 0 || std::hypot(pair.length, pair.aside) <= kOtherPlace * std::abs(pair.width))
        continue;
      strongest = strength;
      best = pair;
    }
  return best;
}

/// True if the walls press from so many directions that the part cannot move aside.
bool pressAllRound(const std::vector<ContactCluster>& clusters) {
  std::vector<double> phases;
  for (const ContactCluster& c : clusters)
    if (isWall(c)) phases.push_back(std::atan2(c.normal_H.y(), c.normal_H.x()));
  // Two that oppose each other exactly, or nearly so.
  return coveredArc(phases) >= 4 * kRightAngle - kOpenAngle;
}

}  // namespace

InsertionContact classifySectionContact(const std::vector<InsertionContactPoint>& points, double tilt) {
  InsertionContact contact;
  std::vector<const InsertionContactPoint*> carrying = carryingPoints(points);
  if (carrying.empty()) return contact;
  std::stable_sort(carrying.begin(), carrying.end(),
                   [](const auto* a, const auto* b) { return a->force > b->force; });
  const double extent = extentOf(carrying);
  contact.clusters = facesOf(carrying, extent, tilt);
  contact.allRound = pressAllRound(contact.clusters);
  double wall = 0, leadIn = 0;  // resistance to the insertion [N]
  for (const ContactCluster& c : contact.clusters) {
    const double axial = c.normal_H.z() + c.friction_H.z();
    if (isWall(c)) wall += axial;
    if (isLeadIn(c)) leadIn += axial;
  }
  const auto& clusters = contact.clusters;
  const auto lead = std::find_if(clusters.begin(), clusters.end(), isLeadIn);
  const auto first = std::find_if(clusters.begin(), clusters.end(), isWall);
  if (lead != clusters.end() && (first == clusters.end() || leadIn > wall)) {
    contact.state = lead->surface == HoleSurface::acrossFace ? ContactState::onFace : ContactState::onChamfer;
    return contact;
  }
  contact.state = ContactState::elsewhere;
  if (first == clusters.end()) return contact;
  contact.twoPoint = opposedWalls(clusters);
  if (contact.twoPoint)
    contact.state =
        contact.twoPoint->length >= contact.twoPoint->aside ? ContactState::twoPoint : ContactState::turned;
  else if (contact.allRound || first->depthSpan > kAlongWall * extent)
    contact.state = ContactState::line;
  else
    contact.state = ContactState::onePoint;
  return contact;
}

}  // namespace tenon::runtime
