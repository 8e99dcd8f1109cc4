// Where the points of a CAD file's surfaces lie on the mesh that stands for it.
#pragma once

#include <algorithm>
#include <vector>

#include "content/recognize/cad_surfaces.h"
#include "content/recognize/smooth_regions.h"

namespace tenon::content {

/// The triangles of a mesh on which the points of its CAD file lie.
class CadPointPlaces {
 public:
  CadPointPlaces(const Facets& facets, const CadFaces& cad)
      : f_(facets), isUnited_(facets.mesh->report.unitedBodies > 0), pieces_(cad.surfaceOf.size()) {
    for (int t = 0; t < f_.count(); ++t)
      pieces_[static_cast<std::size_t>(f_.mesh->sources[static_cast<std::size_t>(t)])].push_back(t);
  }

  /// −1: it is gone, or inside another one of the bodies that were united.
  int triangleAt(const SurfacePoint& point) const {
    const std::vector<int>& pieces = pieces_[static_cast<std::size_t>(point.triangle)];
    if (pieces.empty()) return -1;
    if (!isUnited_) return pieces.back();
    for (const int t : pieces)
      if (isAbove(t, point.p)) return t;
    return -1;
  }

 private:
  bool isAbove(int t, const Vector3d& p) const {
    constexpr double kBorder = 1e-3;  // points above edges are on them but for the curvature [-]
    const Vector3d &a = f_.point(t, 0), &b = f_.point(t, 1), &c = f_.point(t, 2);
    const Vector3d n = (b - a).cross(c - a);
    const double whole = n.squaredNorm();
    if (whole == 0) return false;
    const double u = (c - b).cross(p - b).dot(n) / whole, v = (a - c).cross(p - c).dot(n) / whole;
    return std::min({u, v, 1 - u - v}) > -kBorder;
  }

  const Facets& f_;
  bool isUnited_;
  std::vector<std::vector<int>> pieces_;
};

}  // namespace tenon::content
