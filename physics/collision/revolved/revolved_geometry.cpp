// Signed distances of points to solids of revolution and blocks with holes.
#include "physics/collision/revolved/revolved_geometry.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace tenon::physics {
namespace {

// Unit direction away from the z axis; arbitrary on the axis.
Vector2d radial(const Vector3d& p, double rho) {
  return rho > 0 ? Vector2d(p.x() / rho, p.y() / rho) : Vector2d(1, 0);
}

Vector3d pointInSpace(const Vector2d& n, const Vector3d& p, double rho) {
  const Vector2d e = radial(p, rho);
  return {n.x() * e.x(), n.x() * e.y(), n.y()};
}

int featureOf(const MeridianHit& hit, const Meridian& meridian) {
  return hit.index + (hit.edge ? static_cast<int>(meridian.segments.size()) : 0);
}

// --- box ---------------------------------------------------------------------------------------------

SurfaceHit outsideBox(const Vector3d& h, const Vector3d& p) {
  SurfaceHit hit;
  Vector3d w = Vector3d::Zero(), sides = Vector3d::Zero();
  int beyond = 0;
  for (int k = 0; k < 3; ++k) {
    const double excess = std::abs(p[k]) - h[k], side = p[k] < 0 ? -1 : 1;
    int place = 1;
    if (excess >= 0) {
      w[k] = side * excess;
      sides[k] = side;
      place = side < 0 ? 0 : 2;
      ++beyond;
    }
    hit.feature = 3 * hit.feature + place;
  }
  hit.distance = w.norm();
  hit.edge = beyond > 1;
  const bool direct = hit.edge && hit.distance > kMinDirectionLength;
  hit.normal = direct ? Vector3d(w / hit.distance) : sides.normalized();
  return hit;
}

int faceFeature(int axis, bool positive) {
  constexpr int kPlace[3] = {9, 3, 1};
  return 13 + (positive ? kPlace[axis] : -kPlace[axis]);
}

// Faces of the box on which the point closest to `p` lies in a mouth, where there is no surface.
struct OpenFaces {
  unsigned bits = 0;
  void open(int face) { bits |= 1U << face; }
  bool isOpen(int face) const { return (bits >> face & 1U) != 0; }
};

void updateWithBoxFaces(const Vector3d& h, const Vector3d& p, OpenFaces openings, SurfaceHit& best) {
  const bool outside = (p.cwiseAbs() - h).maxCoeff() >= 0;
  if (outside) {
    const SurfaceHit hit = outsideBox(h, p);
    for (int k = 0; k < 3; ++k)
      for (int s = 0; s < 2; ++s)
        if (hit.feature == faceFeature(k, s == 1) && openings.isOpen(2 * k + s)) return;
    if (hit.distance < std::abs(best.distance)) best = hit;
    return;
  }
  for (int k = 0; k < 3; ++k) {
    for (int s = 0; s < 2; ++s) {
      const double side = s == 0 ? -1 : 1, depth = h[k] - side * p[k];
      if (openings.isOpen(2 * k + s) || depth >= std::abs(best.distance)) continue;
      best.distance = -depth;
      best.normal = side * Vector3d::Unit(k);
      best.feature = faceFeature(k, s == 1);
      best.edge = false;
      best.edgeDistance = std::numeric_limits<double>::infinity();
    }
  }
}

// --- cavities ------------------------------------------------------------------------------------------

void updateWithCavity(const CavityGeometry& c, const Vector3d& p, OpenFaces& openings, SurfaceHit& best) {
  const Vector3d p_H = c.R_BH.transpose() * (p - c.p_BH);
  const double rho = std::sqrt(p_H.x() * p_H.x() + p_H.y() * p_H.y());
  // The same comparison as in nearestOn(Meridian), so that face and end vertex never both apply.
  if (rho < c.meridian.vertices.front().at.x()) openings.open(c.mouthFace);
  if (c.meridian.endsOnFace && rho < c.meridian.vertices.back().at.x()) openings.open(c.mouthFace ^ 1);
  const double boundsDistance =
      std::max({rho - c.meridian.radius, p_H.z() - c.meridian.top, c.meridian.bottom - p_H.z()});
  if (boundsDistance >= std::abs(best.distance)) return;
  const MeridianHit hit = nearestOn(c.meridian, rho, p_H.z());
  if (!hit.valid || std::abs(hit.distance) >= std::abs(best.distance)) return;
  best.distance = hit.distance;
  best.normal = c.R_BH * pointInSpace(hit.normal, p_H, rho);
  best.feature = c.firstFeature + featureOf(hit, c.meridian);
  best.edge = hit.edge;
  best.edgeDistance = hit.edgeDistance;
}

// --- preparing -----------------------------------------------------------------------------------------

int faceOf(const Vector3d& normal) {
  int axis = 0;
  normal.cwiseAbs().maxCoeff(&axis);
  return 2 * axis + (normal[axis] > 0 ? 1 : 0);
}

// The cavity with its axis exactly along the face's normal and its origin exactly on the face. problemWith()
// tolerates rounding there, which would leave a step at the rim.
CavityGeometry placed(const Cavity& cavity, const Vector3d& h, int firstFeature) {
  CavityGeometry g;
  g.meridian = cavityMeridian(cavity.profile, cavity.through);
  const Matrix3d R = cavity.X_BH.q.normalized().toRotationMatrix();
  g.mouthFace = faceOf(R.col(2));
  const int axis = g.mouthFace / 2;
  const double side = g.mouthFace % 2 == 1 ? 1 : -1;
  const Vector3d z = side * Vector3d::Unit(axis);
  const Vector3d x = (R.col(0) - z * z.dot(R.col(0))).normalized();
  g.R_BH << x, z.cross(x), z;
  g.p_BH = cavity.X_BH.p;
  g.p_BH[axis] = side * h[axis];
  g.firstFeature = firstFeature;
  const double middle = 0.5 * (g.meridian.bottom + g.meridian.top);
  g.center_H = {0, 0, middle};
  g.boundingRadius = std::hypot(g.meridian.top - middle, g.meridian.radius);
  return g;
}

FlatFeatures boxFeatures(const Vector3d& h) {
  FlatFeatures box;
  for (int feature = 0; feature < kBoxFeatures; ++feature) {
    const int x = feature / 9 - 1, y = feature / 3 % 3 - 1, z = feature % 3 - 1;
    const Vector3d side(x, y, z);
    const Vector3d middle = side.cwiseProduct(h);
    const int fixed = static_cast<int>(side.squaredNorm());
    if (fixed == 1) box.faces.push_back({side, side.dot(middle), feature});
    if (fixed == 3) box.corners.push_back({middle, feature});
    if (fixed != 2) continue;
    int along = 0;
    side.cwiseAbs().minCoeff(&along);
    const int i = (along + 1) % 3, j = (along + 2) % 3;
    const Vector3d half = h[along] * Vector3d::Unit(along);
    box.edges.push_back(
        {middle - half, middle + half, side[i] * Vector3d::Unit(i), side[j] * Vector3d::Unit(j), feature});
  }
  return box;
}

template <class Shape>
void requireValid(const Shape& shape) {
  if (const auto problem = problemWith(shape)) throw std::invalid_argument(*problem);
}

}  // namespace

RevolvedGeometry prepare(const SolidOfRevolution& solid) {
  requireValid(solid);
  RevolvedGeometry g;
  g.meridian = solidMeridian(solid.profile);
  g.center = 0.5 * (g.meridian.bottom + g.meridian.top);
  for (const Meridian::Vertex& v : g.meridian.vertices)
    g.boundingRadius = std::max(g.boundingRadius, std::hypot(v.at.x(), v.at.y() - g.center));
  return g;
}

BlockGeometry prepare(const BlockWithHoles& block) {
  requireValid(block);
  BlockGeometry g;
  g.halfExtents = block.halfExtents;
  g.box = boxFeatures(block.halfExtents);
  int feature = kBoxFeatures;
  for (const Cavity& cavity : block.cavities) {
    // A through hole ends exactly on the opposite face.
    g.cavities.push_back(placed(cavity, block.halfExtents, feature));
    CavityGeometry& c = g.cavities.back();
    if (cavity.through) {
      std::vector<Eigen::Vector2d> profile = cavity.profile;
      profile.back().x() = -2 * block.halfExtents[c.mouthFace / 2];
      c.meridian = cavityMeridian(profile, true);
    }
    feature += static_cast<int>(c.meridian.segments.size() + c.meridian.vertices.size());
  }
  return g;
}

SurfaceHit nearestOn(const RevolvedGeometry& solid, const Vector3d& p) {
  const double rho = std::sqrt(p.x() * p.x() + p.y() * p.y());
  const MeridianHit hit = nearestOn(solid.meridian, rho, p.z());
  return {hit.distance, pointInSpace(hit.normal, p, rho), featureOf(hit, solid.meridian), hit.edge,
          hit.edgeDistance};
}

SurfaceHit nearestOn(const BlockGeometry& block, const Vector3d& p) {
  SurfaceHit best;
  best.distance = std::numeric_limits<double>::infinity();
  OpenFaces openings;
  for (const CavityGeometry& c : block.cavities) updateWithCavity(c, p, openings, best);
  updateWithBoxFaces(block.halfExtents, p, openings, best);
  return best;
}

SurfaceHit nearestOn(const BlockGeometry& block, std::span<const int> cavities, const Vector3d& p) {
  SurfaceHit best;
  best.distance = std::numeric_limits<double>::infinity();
  OpenFaces openings;
  for (int i : cavities) updateWithCavity(block.cavities[static_cast<std::size_t>(i)], p, openings, best);
  updateWithBoxFaces(block.halfExtents, p, openings, best);
  return best;
}

}  // namespace tenon::physics
