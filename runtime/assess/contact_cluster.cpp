// Sums of contact points, weighted by force.
#include "runtime/assess/contact_cluster.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tenon::runtime {

double ContactCluster::phase() const {
  return std::atan2(p_H.y(), p_H.x());
}

ContactCluster clusterOf(const InsertionContactPoint& point, PartFeature feature, HoleSurface surface) {
  ContactCluster cluster{feature, surface};
  cluster.points = 1;
  cluster.p_H = point.p_H;
  cluster.normal_H = point.force * point.n_H;
  cluster.friction_H = point.friction_H;
  cluster.force = point.force;
  cluster.mu = point.mu;
  cluster.radius = point.p_H.head<2>().norm();
  return cluster;
}

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

std::vector<const InsertionContactPoint*> carryingPoints(const std::vector<InsertionContactPoint>& points) {
  double largest = 0;
  for (const InsertionContactPoint& point : points) largest = std::max(largest, point.force);
  std::vector<const InsertionContactPoint*> carrying;
  for (const InsertionContactPoint& point : points)
    if (point.force >= std::max(kMinForceFraction * largest, kMinForce)) carrying.push_back(&point);
  return carrying;
}

double coveredArc(std::vector<double>& phases) {
  constexpr double kCircle = 2 * std::numbers::pi;
  if (phases.size() < 2) return 0;
  std::sort(phases.begin(), phases.end());
  double gap = phases.front() + kCircle - phases.back();
  for (std::size_t k = 1; k < phases.size(); ++k) gap = std::max(gap, phases[k] - phases[k - 1]);
  return kCircle - gap;
}

}  // namespace tenon::runtime
