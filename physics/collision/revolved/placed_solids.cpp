// Distances to solids placed in the frame of a contact query.
#include "physics/collision/revolved/placed_solids.h"

namespace tenon::physics {

Circle PlacedMeridian::circle(std::size_t i) const {
  const Vector2d& at = meridian->vertices[i].at;
  return {p_CM + at.y() * R_CM.col(2), R_CM.col(0), R_CM.col(1), R_CM.col(2), at.x()};
}

EdgeForm PlacedMeridian::formOf(int feature) const {
  const auto vertex = static_cast<std::size_t>(feature - vertexFeature(0));
  return meridian->vertices[vertex].at.x() > 0 ? EdgeForm::kRim : EdgeForm::kPoint;
}

PlacedRevolved::PlacedRevolved(const RevolvedGeometry& solid, const Pose& X_CT) : solid_(solid) {
  surface.meridian = &solid.meridian;
  surface.R_CM = X_CT.q.toRotationMatrix();
  surface.p_CM = X_CT.p;
  surface.center_C = X_CT.p + solid.center * surface.R_CM.col(2);
  surface.boundingRadius = solid.boundingRadius;
}

SurfaceHit PlacedRevolved::nearest(const Vector3d& p_C) const {
  SurfaceHit hit = nearestOn(solid_, surface.R_CM.transpose() * (p_C - surface.p_CM));
  hit.normal = surface.R_CM * hit.normal;
  return hit;
}

PlacedBlock::PlacedBlock(const BlockGeometry& block, const Vector3d& center, double radius)
    : block_(block), center_(center), radius_(radius) {
  for (std::size_t i = 0; i < block.cavities.size() && count_ <= kNear; ++i) {
    if (!isNear(block.cavities[i])) continue;
    if (count_ < kNear) near_[static_cast<std::size_t>(count_)] = static_cast<int>(i);
    ++count_;
  }
}

bool PlacedBlock::isNear(const CavityGeometry& cavity) const {
  const double maxDistance = cavity.boundingRadius + radius_;
  return (cavity.p_BH + cavity.R_BH * cavity.center_H - center_).squaredNorm() <= maxDistance * maxDistance;
}

SurfaceHit PlacedBlock::nearest(const Vector3d& p_C) const {
  if (count_ > kNear) return nearestOn(block_, p_C);
  return nearestOn(block_, std::span<const int>(near_.data(), static_cast<std::size_t>(count_)), p_C);
}

PlacedMeridian PlacedBlock::place(const CavityGeometry& cavity) {
  PlacedMeridian part;
  part.meridian = &cavity.meridian;
  part.R_CM = cavity.R_BH;
  part.p_CM = cavity.p_BH;
  part.center_C = cavity.p_BH + cavity.R_BH * cavity.center_H;
  part.boundingRadius = cavity.boundingRadius;
  part.firstFeature = cavity.firstFeature;
  return part;
}

EdgeForm PlacedBlock::formOf(int feature) const {
  if (feature < kBoxFeatures) {
    const int betweenCount =
        (feature / 9 == 1 ? 1 : 0) + (feature / 3 % 3 == 1 ? 1 : 0) + (feature % 3 == 1 ? 1 : 0);
    return betweenCount == 0 ? EdgeForm::kPoint : EdgeForm::kStraight;
  }
  for (const CavityGeometry& cavity : block_.cavities) {
    const PlacedMeridian part = place(cavity);
    if (part.hasFeature(feature)) return part.formOf(feature);
  }
  return EdgeForm::kRim;
}

TransformedBlock::TransformedBlock(const BlockGeometry& block, const Pose& X_CB, const Vector3d& center_C,
                                   double radius)
    : block_(block, X_CB.inverse() * center_C, radius), R_CB_(X_CB.q.toRotationMatrix()), p_CB_(X_CB.p) {
  const auto point = [&](const Vector3d& p) -> Vector3d { return R_CB_ * p + p_CB_; };
  for (std::size_t i = 0; i < faces_.size(); ++i) {
    const FlatFeatures::Face& face = block.box.faces[i];
    const Vector3d normal = R_CB_ * face.normal;
    faces_[i] = {normal, face.offset + normal.dot(p_CB_), face.feature};
  }
  for (std::size_t i = 0; i < edges_.size(); ++i) {
    const FlatFeatures::Edge& edge = block.box.edges[i];
    edges_[i] = {point(edge.a), point(edge.b), R_CB_ * edge.before, R_CB_ * edge.after, edge.feature};
  }
  for (std::size_t i = 0; i < corners_.size(); ++i)
    corners_[i] = {point(block.box.corners[i].p), block.box.corners[i].feature};
}

SurfaceHit TransformedBlock::nearest(const Vector3d& p_C) const {
  SurfaceHit hit = block_.nearest(R_CB_.transpose() * (p_C - p_CB_));
  hit.normal = R_CB_ * hit.normal;
  return hit;
}

PlacedMeridian TransformedBlock::moved(const PlacedMeridian& cavity) const {
  PlacedMeridian part = cavity;
  part.R_CM = R_CB_ * cavity.R_CM;
  part.p_CM = R_CB_ * cavity.p_CM + p_CB_;
  part.center_C = R_CB_ * cavity.center_C + p_CB_;
  return part;
}

EdgeForm PlacedPolytope::formOf(int feature) const {
  const std::size_t straight = polytope_.flat.faces.size() + polytope_.flat.edges.size();
  return static_cast<std::size_t>(feature) < straight ? EdgeForm::kStraight : EdgeForm::kPoint;
}

}  // namespace tenon::physics
