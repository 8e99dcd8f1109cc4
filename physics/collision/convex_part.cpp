// Decomposition of shapes into convex parts; support functions and bounds.
#include "physics/collision/convex_part.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "physics/collision/brep/surface.h"
#include "physics/collision/geometry/faceted_block.h"
#include "physics/collision/geometry/shape_conversions.h"
#include "physics/collision/geometry/tolerances.h"

namespace tenon::physics {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Collects the convex parts of a shape, recursively for compounds.
class ConvexPartBuilder {
 public:
  ConvexPartBuilder(bool boundingOnly, std::vector<ConvexPart>& convexParts)
      : boundingOnly_(boundingOnly), convexParts_(convexParts) {}

  void add(const Shape& shape, const Pose& X_CS) {
    std::visit([&](const auto& s) { make(s, X_CS); }, shape);
  }

 private:
  void make(const Box& box, const Pose& X_CS) {
    addPolytope(boxPolytope(box.halfExtents), X_CS);
    convexParts_.back().thickness = 2 * box.halfExtents.minCoeff();
  }
  void make(const Hull& hull, const Pose& X_CS) { addPolytope(hullPolytope(hull), X_CS); }
  void make(const Sphere& s, const Pose& X_CS) {
    addAxial(ConvexPartKind::sphereSwept, {s.radius, s.radius}, 0, X_CS);
  }
  void make(const Capsule& c, const Pose& X_CS) {
    addAxial(ConvexPartKind::sphereSwept, {c.radius, c.radius}, c.halfLength, X_CS);
  }
  void make(const Cylinder& c, const Pose& X_CS) {
    addAxial(ConvexPartKind::cylinderOrCone, {c.radius, c.radius}, c.halfLength, X_CS);
  }
  void make(const Frustum& f, const Pose& X_CS) {
    addAxial(ConvexPartKind::cylinderOrCone, {f.bottomRadius, f.topRadius}, f.halfLength, X_CS);
  }
  void make(const HalfSpace&, const Pose& X_CS) {
    ConvexPart convexPart;
    convexPart.kind = ConvexPartKind::halfSpace;
    convexPart.center = X_CS.p;
    convexPart.axis = X_CS.q * Vector3d::UnitZ();
    convexPart.thickness = kInfinity;
    convexParts_.push_back(convexPart);
  }
  void make(const FacetedBlock& block, const Pose& X_CS) {
    if (boundingOnly_) return make(Box{block.halfExtents}, X_CS);
    const std::size_t first = convexParts_.size();
    for (const Polytope& polytope : convexDecomposition(block)) addPolytope(polytope, X_CS);
    for (std::size_t a = first; a < convexParts_.size(); ++a) {
      for (std::size_t b = first; b < convexParts_.size(); ++b) {
        if (a != b && areWithin(convexParts_[a].bounds, convexParts_[b].bounds, kSeamTolerance)) {
          convexParts_[a].neighbors.push_back(static_cast<int>(b));
        }
      }
    }
  }
  void make(const SolidOfRevolution& solid, const Pose& X_CS) {
    for (const PlacedShape& slab : frustumsOf(solid)) add(slab.shape, X_CS * slab.X_PS);
  }
  // The box around it: its contacts are exact with all partners.
  void make(const BlockWithHoles& block, const Pose& X_CS) { make(Box{block.halfExtents}, X_CS); }
  // The box around it: its contacts are those of its own faces (collision/brep). Curved faces bulge beyond
  // their triangles by no more than twice the largest distance of a corner or the middle of a side from its
  // surface.
  void make(const BoundarySolid& solid, const Pose& X_CS) {
    Bounds own;
    for (const Vector3d& p : solid.vertices) include(own, Bounds{p, p});
    double bulge = 0;
    for (std::size_t t = 0; t < solid.surfaceOf.size(); ++t) {
      if (solid.surfaceOf[t] < 0) continue;
      const Surface& s = solid.surfaces[static_cast<std::size_t>(solid.surfaceOf[t])];
      const auto at = [&](std::size_t k) {
        return solid.vertices[static_cast<std::size_t>(solid.triangles[t][k % 3])];
      };
      for (std::size_t k = 0; k < 3; ++k)
        for (const Vector3d& p : {at(k), Vector3d(0.5 * (at(k) + at(k + 1)))})
          bulge = std::max(bulge, std::abs(brep::distanceValue(s, s.X_BS.inverse().point(p))));
    }
    own = grown(own, 2 * bulge);
    make(Box{0.5 * (own.high - own.low)}, X_CS * Pose::at(0.5 * (own.low + own.high)));
  }
  void make(const Compound& compound, const Pose& X_CS) {
    for (const PlacedShape& child : compound.children) add(child.shape, X_CS * child.X_PS);
  }

  void addPolytope(const Polytope& polytope, const Pose& X_CS) {
    ConvexPart convexPart;
    convexPart.polytope = transformed(polytope, X_CS);
    Bounds own;
    for (const Vector3d& p : polytope.vertices) {
      own.low = own.low.cwiseMin(p);
      own.high = own.high.cwiseMax(p);
      convexPart.center += X_CS * p / static_cast<double>(polytope.vertices.size());
    }
    convexPart.thickness = (own.high - own.low).minCoeff();
    push(convexPart);
  }

  void addAxial(ConvexPartKind kind, std::array<double, 2> radius, double halfLength, const Pose& X_CS) {
    ConvexPart convexPart;
    convexPart.kind = kind;
    convexPart.center = X_CS.p;
    convexPart.axis = X_CS.q * Vector3d::UnitZ();
    convexPart.radialDirection = X_CS.q * Vector3d::UnitX();
    convexPart.halfLength = halfLength;
    convexPart.radius = radius;
    const double swept = kind == ConvexPartKind::sphereSwept ? radius[0] : 0;
    convexPart.thickness = 2 * std::min(std::max(radius[0], radius[1]), halfLength + swept);
    push(convexPart);
  }

  void push(ConvexPart& convexPart) {
    convexPart.bounds = boundsOf(convexPart, RigidTransform{});
    convexParts_.push_back(std::move(convexPart));
  }

  bool boundingOnly_;
  std::vector<ConvexPart>& convexParts_;
};

// The rim (0 or 1) farthest along d; `along` and `lateral` are the components of d along and across the axis.
int farRim(const ConvexPart& convexPart, double along, double lateral) {
  const double top = along * convexPart.halfLength + lateral * convexPart.radius[1];
  const double bottom = -along * convexPart.halfLength + lateral * convexPart.radius[0];
  return top >= bottom ? 1 : 0;
}

}  // namespace

std::vector<ConvexPart> convexPartsOf(const Shape& shape, const Pose& X_CP) {
  std::vector<ConvexPart> convexParts;
  ConvexPartBuilder(false, convexParts).add(shape, X_CP);
  return convexParts;
}

std::vector<ConvexPart> boundingPartsOf(const Shape& shape, const Pose& X_CP) {
  std::vector<ConvexPart> convexParts;
  ConvexPartBuilder(true, convexParts).add(shape, X_CP);
  return convexParts;
}

double supportValue(const ConvexPart& convexPart, const Vector3d& d) {
  switch (convexPart.kind) {
    case ConvexPartKind::polytope: {
      if (convexPart.polytope.isBox) {
        double extent = d.dot(convexPart.polytope.boxCenter);
        for (const Vector3d& half : convexPart.polytope.halfEdges) extent += std::abs(d.dot(half));
        return extent;
      }
      double best = -kInfinity;
      for (const Vector3d& p : convexPart.polytope.vertices) best = std::max(best, d.dot(p));
      return best;
    }
    case ConvexPartKind::cylinderOrCone: {
      const double along = d.dot(convexPart.axis);
      const double lateral = (d - along * convexPart.axis).norm();
      const double top = along * convexPart.halfLength + lateral * convexPart.radius[1];
      const double bottom = -along * convexPart.halfLength + lateral * convexPart.radius[0];
      return d.dot(convexPart.center) + std::max(top, bottom);
    }
    case ConvexPartKind::sphereSwept:
      return d.dot(convexPart.center) + std::abs(d.dot(convexPart.axis)) * convexPart.halfLength +
             d.norm() * convexPart.radius[0];
    case ConvexPartKind::halfSpace:
      return (d - convexPart.axis).norm() < 1e-9 ? convexPart.axis.dot(convexPart.center) : kInfinity;
  }
  return kInfinity;
}

Vector3d coreSupport(const ConvexPart& convexPart, const Vector3d& d) {
  if (convexPart.kind == ConvexPartKind::polytope) {
    const Vector3d* best = &convexPart.polytope.vertices.front();
    double largest = d.dot(*best);
    for (const Vector3d& p : convexPart.polytope.vertices) {
      const double extent = d.dot(p);
      if (extent > largest) {
        largest = extent;
        best = &p;
      }
    }
    return *best;
  }
  const double along = d.dot(convexPart.axis);
  if (convexPart.kind == ConvexPartKind::sphereSwept) {
    return convexPart.center +
           (along >= 0 ? convexPart.halfLength : -convexPart.halfLength) * convexPart.axis;
  }
  const Vector3d lateral = d - along * convexPart.axis;
  const double length = lateral.norm();
  const int rim = farRim(convexPart, along, length);
  const Vector3d end =
      convexPart.center + (rim ? convexPart.halfLength : -convexPart.halfLength) * convexPart.axis;
  return length > 0 ? Vector3d(end + convexPart.radius[rim] / length * lateral) : end;
}

Bounds boundsOf(const ConvexPart& convexPart, const RigidTransform& X_AC) {
  Bounds bounds;
  for (int k = 0; k < 3; ++k) {
    const Vector3d d = X_AC.R.row(k).transpose();
    bounds.high[k] = X_AC.p[k] + supportValue(convexPart, d);
    bounds.low[k] = X_AC.p[k] - supportValue(convexPart, -d);
  }
  return bounds;
}

double radiusOf(const ConvexPart& convexPart) {
  if (convexPart.kind == ConvexPartKind::halfSpace) return kInfinity;
  double largest = 0;
  for (const Vector3d& p : convexPart.polytope.vertices) largest = std::max(largest, p.norm());
  if (convexPart.kind == ConvexPartKind::polytope) return largest;
  for (int end : {0, 1}) {
    const Vector3d q =
        convexPart.center + (end ? convexPart.halfLength : -convexPart.halfLength) * convexPart.axis;
    if (convexPart.kind == ConvexPartKind::sphereSwept) {
      largest = std::max(largest, q.norm() + convexPart.radius[0]);
      continue;
    }
    const double along = q.dot(convexPart.axis);
    const double lateral = (q - along * convexPart.axis).norm();
    largest = std::max(largest, std::hypot(along, lateral + convexPart.radius[end]));
  }
  return largest;
}

bool isSurfaceNormal(const std::vector<ConvexPart>& convexParts, int index, const Vector3d& p,
                     const Vector3d& n) {
  const auto inCone = [&](const ConvexPart& convexPart) {
    for (const Vector3d& v : convexPart.polytope.vertices) {
      const Vector3d d = v - p;
      if (d.dot(n) > kSeamTolerance + kNormalConeTolerance * d.norm()) return false;
    }
    return true;
  };
  const auto contains = [&](const ConvexPart& convexPart) {
    for (const Polytope::Face& face : convexPart.polytope.faces) {
      if (face.normal.dot(p) - face.offset > kSeamTolerance) return false;
    }
    return true;
  };
  if (!inCone(convexParts[index])) return false;
  for (int k : convexParts[index].neighbors) {
    if (contains(convexParts[k]) && !inCone(convexParts[k])) return false;
  }
  return true;
}

}  // namespace tenon::physics
