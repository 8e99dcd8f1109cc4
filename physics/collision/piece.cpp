// Shapes to convex pieces; extents of pieces.
#include "physics/collision/piece.h"

#include <cmath>
#include <stdexcept>

#include "physics/collision/holed_block.h"
#include "physics/collision/tolerances.h"
#include "physics/collision/turned/conversions.h"

namespace tenon::physics {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Collects the pieces of a shape, walking through compounds.
class PieceMaker {
 public:
  PieceMaker(bool outlineOnly, std::vector<Piece>& pieces) : outlineOnly_(outlineOnly), pieces_(pieces) {}

  void add(const Shape& shape, const Pose& X_CS) {
    std::visit([&](const auto& s) { make(s, X_CS); }, shape);
  }

 private:
  void make(const Box& box, const Pose& X_CS) {
    addPolytope(boxPolytope(box.halfExtents), X_CS);
    pieces_.back().thickness = 2 * box.halfExtents.minCoeff();
  }
  void make(const Hull& hull, const Pose& X_CS) { addPolytope(hullPolytope(hull), X_CS); }
  void make(const Sphere& s, const Pose& X_CS) { addAxial(PieceKind::swept, {s.radius, s.radius}, 0, X_CS); }
  void make(const Capsule& c, const Pose& X_CS) {
    addAxial(PieceKind::swept, {c.radius, c.radius}, c.halfLength, X_CS);
  }
  void make(const Cylinder& c, const Pose& X_CS) {
    addAxial(PieceKind::round, {c.radius, c.radius}, c.halfLength, X_CS);
  }
  void make(const Frustum& f, const Pose& X_CS) {
    addAxial(PieceKind::round, {f.bottomRadius, f.topRadius}, f.halfLength, X_CS);
  }
  void make(const HalfSpace&, const Pose& X_CS) {
    Piece piece;
    piece.kind = PieceKind::halfSpace;
    piece.centre = X_CS.p;
    piece.axis = X_CS.q * Vector3d::UnitZ();
    piece.thickness = kInfinity;
    pieces_.push_back(piece);
  }
  void make(const HoledBlock& block, const Pose& X_CS) {
    if (outlineOnly_) return make(Box{block.halfExtents}, X_CS);
    const std::size_t first = pieces_.size();
    for (const Polytope& polytope : convexPieces(block)) addPolytope(polytope, X_CS);
    for (std::size_t a = first; a < pieces_.size(); ++a) {
      for (std::size_t b = first; b < pieces_.size(); ++b) {
        if (a != b && touch(pieces_[a].bounds, pieces_[b].bounds)) {
          pieces_[a].neighbours.push_back(static_cast<int>(b));
        }
      }
    }
  }
  void make(const Turned& turned, const Pose& X_CS) {
    for (const PlacedShape& slab : frustumsOf(turned)) add(slab.shape, X_CS * slab.X_PS);
  }
  void make(const BoredBlock& block, const Pose& X_CS) {
    if (outlineOnly_) return make(Box{block.halfExtents}, X_CS);
    const PlacedShape faceted = facetedOf(block);
    add(faceted.shape, X_CS * faceted.X_PS);
  }
  void make(const Compound& compound, const Pose& X_CS) {
    for (const PlacedShape& child : compound.children) add(child.shape, X_CS * child.X_PS);
  }

  static bool touch(const Bounds& a, const Bounds& b) {
    return ((a.low - b.high).array() <= kSeamTolerance).all() &&
           ((b.low - a.high).array() <= kSeamTolerance).all();
  }

  void addPolytope(const Polytope& polytope, const Pose& X_CS) {
    Piece piece;
    piece.polytope = transformed(polytope, X_CS);
    Bounds own;
    for (const Vector3d& p : polytope.vertices) {
      own.low = own.low.cwiseMin(p);
      own.high = own.high.cwiseMax(p);
      piece.centre += X_CS * p / static_cast<double>(polytope.vertices.size());
    }
    piece.thickness = (own.high - own.low).minCoeff();
    push(piece);
  }

  void addAxial(PieceKind kind, std::array<double, 2> radius, double halfLength, const Pose& X_CS) {
    Piece piece;
    piece.kind = kind;
    piece.centre = X_CS.p;
    piece.axis = X_CS.q * Vector3d::UnitZ();
    piece.across = X_CS.q * Vector3d::UnitX();
    piece.halfLength = halfLength;
    piece.radius = radius;
    const double grown = kind == PieceKind::swept ? radius[0] : 0;
    piece.thickness = 2 * std::min(std::max(radius[0], radius[1]), halfLength + grown);
    push(piece);
  }

  void push(Piece& piece) {
    piece.bounds = boundsOf(piece, Motion3{});
    pieces_.push_back(std::move(piece));
  }

  bool outlineOnly_;
  std::vector<Piece>& pieces_;
};

// The rim of a round piece that is farthest along d, whose part across the axis has length `lateral`.
int farRim(const Piece& piece, double along, double lateral) {
  const double top = along * piece.halfLength + lateral * piece.radius[1];
  const double bottom = -along * piece.halfLength + lateral * piece.radius[0];
  return top >= bottom ? 1 : 0;
}

}  // namespace

Motion3 relative(const Pose& X_WA, const Pose& X_WB) {
  return {(X_WA.q.conjugate() * X_WB.q).normalized().toRotationMatrix(),
          X_WA.q.conjugate() * (X_WB.p - X_WA.p)};
}

std::vector<Piece> piecesOf(const Shape& shape, const Pose& X_CP) {
  std::vector<Piece> pieces;
  PieceMaker(false, pieces).add(shape, X_CP);
  return pieces;
}

std::vector<Piece> outlineOf(const Shape& shape, const Pose& X_CP) {
  std::vector<Piece> pieces;
  PieceMaker(true, pieces).add(shape, X_CP);
  return pieces;
}

double reachAlong(const Piece& piece, const Vector3d& d) {
  switch (piece.kind) {
    case PieceKind::polytope: {
      if (piece.polytope.isBox) {
        double reach = d.dot(piece.polytope.middle);
        for (const Vector3d& half : piece.polytope.halfEdges) reach += std::abs(d.dot(half));
        return reach;
      }
      double best = -kInfinity;
      for (const Vector3d& p : piece.polytope.vertices) best = std::max(best, d.dot(p));
      return best;
    }
    case PieceKind::round: {
      const double along = d.dot(piece.axis);
      const double lateral = (d - along * piece.axis).norm();
      const double top = along * piece.halfLength + lateral * piece.radius[1];
      const double bottom = -along * piece.halfLength + lateral * piece.radius[0];
      return d.dot(piece.centre) + std::max(top, bottom);
    }
    case PieceKind::swept:
      return d.dot(piece.centre) + std::abs(d.dot(piece.axis)) * piece.halfLength +
             d.norm() * piece.radius[0];
    case PieceKind::halfSpace:
      return (d - piece.axis).norm() < 1e-9 ? piece.axis.dot(piece.centre) : kInfinity;
  }
  return kInfinity;
}

Vector3d coreSupport(const Piece& piece, const Vector3d& d) {
  if (piece.kind == PieceKind::polytope) {
    const Vector3d* best = &piece.polytope.vertices.front();
    double reached = d.dot(*best);
    for (const Vector3d& p : piece.polytope.vertices) {
      const double reach = d.dot(p);
      if (reach > reached) {
        reached = reach;
        best = &p;
      }
    }
    return *best;
  }
  const double along = d.dot(piece.axis);
  if (piece.kind == PieceKind::swept) {
    return piece.centre + (along >= 0 ? piece.halfLength : -piece.halfLength) * piece.axis;
  }
  const Vector3d lateral = d - along * piece.axis;
  const double length = lateral.norm();
  const int rim = farRim(piece, along, length);
  const Vector3d end = piece.centre + (rim ? piece.halfLength : -piece.halfLength) * piece.axis;
  return length > 0 ? Vector3d(end + piece.radius[rim] / length * lateral) : end;
}

Bounds boundsOf(const Piece& piece, const Motion3& X_AC) {
  Bounds bounds;
  for (int k = 0; k < 3; ++k) {
    const Vector3d d = X_AC.R.row(k).transpose();
    bounds.high[k] = X_AC.p[k] + reachAlong(piece, d);
    bounds.low[k] = X_AC.p[k] - reachAlong(piece, -d);
  }
  return bounds;
}

double radiusOf(const Piece& piece) {
  if (piece.kind == PieceKind::halfSpace) return kInfinity;
  double largest = 0;
  for (const Vector3d& p : piece.polytope.vertices) largest = std::max(largest, p.norm());
  if (piece.kind == PieceKind::polytope) return largest;
  for (int end : {0, 1}) {
    const Vector3d q = piece.centre + (end ? piece.halfLength : -piece.halfLength) * piece.axis;
    if (piece.kind == PieceKind::swept) {
      largest = std::max(largest, q.norm() + piece.radius[0]);
      continue;
    }
    const double along = q.dot(piece.axis);
    const double lateral = (q - along * piece.axis).norm();
    largest = std::max(largest, std::hypot(along, lateral + piece.radius[end]));
  }
  return largest;
}

bool isSurfaceNormal(const std::vector<Piece>& pieces, int index, const Vector3d& p, const Vector3d& n) {
  const auto inCone = [&](const Piece& piece) {
    for (const Vector3d& v : piece.polytope.vertices) {
      const Vector3d d = v - p;
      if (d.dot(n) > kSeamTolerance + kConeSlack * d.norm()) return false;
    }
    return true;
  };
  const auto has = [&](const Piece& piece) {
    for (const Polytope::Face& face : piece.polytope.faces) {
      if (face.normal.dot(p) - face.offset > kSeamTolerance) return false;
    }
    return true;
  };
  if (!inCone(pieces[index])) return false;
  for (int k : pieces[index].neighbours) {
    if (has(pieces[k]) && !inCone(pieces[k])) return false;
  }
  return true;
}

}  // namespace tenon::physics
