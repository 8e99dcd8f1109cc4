// See face_motions.h. The motion of a surface displaces it along its outward normal n by
// n·shift + side·radius + (n·ρ̂)·ring; tangent faces stay tangent where these displacements are equal along
// their border. That is exact for translations and radii, because the normals there stay the same.
#include "content/reader/face_motions.h"

#include <fmt/format.h>

#include <Eigen/QR>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace tenon::content {

namespace {

using physics::SurfaceKind;

/// Faces that continue each other after the motion are this close to each other [m]: a fifth of
/// physics::brep::kCoplanar.
constexpr double kStaysTangent = 1e-10;
/// More faces that follow are refused: the cost grows with the cube of their number.
constexpr std::size_t kMaxFollowers = 100;

/// Unknown numbers of a motion, each with its displacement along the normal.
enum class Unknown { shiftX, shiftY, shiftZ, radius, ring, plane };

double displacement(const MeshFace& face, const Vector3d& p, Unknown unknown) {
  const physics::Surface& s = face.surface;
  const Vector3d n = face.normalAt(p);
  switch (unknown) {
    case Unknown::shiftX:
      return n.x();
    case Unknown::shiftY:
      return n.y();
    case Unknown::shiftZ:
      return n.z();
    case Unknown::plane:
      return 1;
    case Unknown::radius:
      return s.kind == SurfaceKind::cone ? s.side / std::sqrt(1 + s.slope * s.slope) : s.side;
    case Unknown::ring: {
      Vector3d out = s.X_BS.R.transpose() * (p - s.X_BS.p);
      out.z() = 0;
      return n.dot(s.X_BS.R * out.normalized());
    }
  }
  return 0;
}

double displacement(const MeshFace& face, const Vector3d& p, const FaceMotion& motion) {
  double along = face.normalAt(p).dot(motion.shift);
  if (motion.radius != 0) along += motion.radius * displacement(face, p, Unknown::radius);
  if (motion.ring != 0) along += motion.ring * displacement(face, p, Unknown::ring);
  return along;
}

void add(Unknown unknown, double value, const Vector3d& n, FaceMotion& motion) {
  switch (unknown) {
    case Unknown::shiftX:
      motion.shift.x() += value;
      break;
    case Unknown::shiftY:
      motion.shift.y() += value;
      break;
    case Unknown::shiftZ:
      motion.shift.z() += value;
      break;
    case Unknown::plane:
      motion.shift += value * n;
      break;
    case Unknown::radius:
      motion.radius += value;
      break;
    case Unknown::ring:
      motion.ring += value;
      break;
  }
}

class MotionSearch {
 public:
  MotionSearch(const physics::BoundarySolid& solid, const FaceTopology& faces)
      : solid_(solid),
        faces_(faces),
        motions_(faces.faces.size()),
        role_(faces.faces.size(), Role::fixed),
        by_(faces.faces.size(), 0.0) {
    for (const FaceBorder& border : faces.borders)
      if (faces.isSmooth(border, solid)) smooth_.push_back(&border);
  }

  std::vector<FaceMotion> find(std::span<const FaceOffset> offsets) {
    for (const FaceOffset& offset : offsets)
      for (const int t : offset.triangles) setOffset(faces_.faceOf[asIndex(t)], offset.by);
    setRoundings();
    for (const bool turnsRadii : {false, true}) {
      follow(false);
      if (solve(turnsRadii)) return motions_;
    }
    follow(true);
    if (solve(true)) return motions_;
    throw OffsetProblem{"faces that continue each other smoothly would have to move by different lengths",
                        worst_};
  }

 private:
  enum class Role { fixed, offset, rounding, follower };

  const MeshFace& face(int f) const { return faces_.faces[asIndex(f)]; }
  Vector3d placeOf(int f) const { return middleOf(solid_, face(f).triangles.front()); }

  void setOffset(int f, double by) {
    const MeshFace& own = face(f);
    if (own.surface.kind == SurfaceKind::freeform) throw OffsetProblem{"it is a free-form face", placeOf(f)};
    role_[asIndex(f)] = Role::offset;
    FaceMotion motion;
    const Vector3d p = placeOf(f);
    if (own.isPlane())
      motion.shift = by * own.normalAt(p);
    else
      motion.radius = by / displacement(own, p, Unknown::radius);
    motions_[asIndex(f)] = motion;
    by_[asIndex(f)] = by;
  }

  /// Curved faces that continue offset planes: their offset is the mean of those of all planes there.
  void setRoundings() {
    struct Planes {
      double sum = 0, length = 0, low = HUGE_VAL, high = -HUGE_VAL;
      bool isAnyOffset = false;
    };
    std::vector<Planes> planes(role_.size());
    for (const FaceBorder* border : smooth_)
      for (const auto& [f, g] :
           {std::pair(border->left, border->right), std::pair(border->right, border->left)}) {
        if (role_[asIndex(f)] != Role::offset || face(f).isPlane() || !face(g).isPlane()) continue;
        const double length =
            (solid_.vertices[asIndex(border->to)] - solid_.vertices[asIndex(border->from)]).norm();
        Planes& own = planes[asIndex(f)];
        own.sum += by_[asIndex(g)] * length;
        own.length += length;
        own.low = std::min(own.low, by_[asIndex(g)]);
        own.high = std::max(own.high, by_[asIndex(g)]);
        own.isAnyOffset = own.isAnyOffset || role_[asIndex(g)] == Role::offset;
      }
    for (std::size_t f = 0; f < role_.size(); ++f) {
      const Planes& own = planes[f];
      if (!own.isAnyOffset) continue;
      const bool areEqual = own.low == own.high;
      setOffset(static_cast<int>(f), areEqual ? own.low : own.sum / own.length);
      if (!areEqual) role_[f] = Role::rounding;
    }
  }

  /// Marks the faces that continue moved ones; planes only with `planesToo`.
  void follow(bool planesToo) {
    for (std::size_t f = 0; f < role_.size(); ++f)
      if (role_[f] == Role::follower) role_[f] = Role::fixed;
    followers_.clear();
    for (std::size_t f = 0; f < role_.size(); ++f)
      if (role_[f] == Role::rounding) followers_.push_back(static_cast<int>(f));
    for (bool isChanged = true; isChanged;) {
      isChanged = false;
      for (const FaceBorder* border : smooth_)
        for (const auto& [f, g] :
             {std::pair(border->left, border->right), std::pair(border->right, border->left)}) {
          if (role_[asIndex(f)] == Role::fixed || role_[asIndex(g)] != Role::fixed) continue;
          if (face(g).isPlane() && !planesToo) continue;
          role_[asIndex(g)] = Role::follower;
          followers_.push_back(g);
          isChanged = true;
          if (followers_.size() > kMaxFollowers)
            throw OffsetProblem{
                fmt::format("it continues smoothly into more than {} other faces", kMaxFollowers),
                placeOf(f)};
        }
    }
  }

  std::vector<Unknown> unknownsOf(int f, bool turnsRadii) const {
    if (face(f).isPlane()) return {Unknown::plane};
    std::vector<Unknown> unknowns{Unknown::shiftX, Unknown::shiftY, Unknown::shiftZ};
    const SurfaceKind kind = face(f).surface.kind;
    if (kind == SurfaceKind::torus) unknowns.push_back(Unknown::ring);
    if (turnsRadii && role_[asIndex(f)] == Role::follower && kind != SurfaceKind::freeform &&
        kind != SurfaceKind::cone)
      unknowns.push_back(Unknown::radius);
    return unknowns;
  }

  /// Sets the least motions with which the faces stay tangent; false if there are none.
  bool solve(bool turnsRadii) {
    for (const int f : followers_) {
      motions_[asIndex(f)].shift.setZero();
      if (role_[asIndex(f)] == Role::follower) motions_[asIndex(f)] = {};
    }
    std::vector<int> first(role_.size(), -1);
    int columns = 0;
    for (const int f : followers_) {
      first[asIndex(f)] = columns;
      columns += static_cast<int>(unknownsOf(f, turnsRadii).size());
    }
    struct Row {
      const FaceBorder* border;
      Vector3d p;
    };
    std::vector<Row> rows;
    for (const FaceBorder* border : smooth_) {
      if (role_[asIndex(border->left)] == Role::fixed && role_[asIndex(border->right)] == Role::fixed)
        continue;
      for (const Vector3d& p : faces_.pointsOf(*border, solid_)) rows.push_back({border, p});
    }
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(rows.size()), columns);
    Eigen::VectorXd b = Eigen::VectorXd::Zero(A.rows());
    for (Eigen::Index r = 0; r < A.rows(); ++r) {
      const Row& row = rows[static_cast<std::size_t>(r)];
      for (const auto& [f, sign] : {std::pair(row.border->left, 1.0), std::pair(row.border->right, -1.0)}) {
        b[r] -= sign * displacement(face(f), row.p, motions_[asIndex(f)]);
        if (first[asIndex(f)] < 0) continue;
        const std::vector<Unknown> unknowns = unknownsOf(f, turnsRadii);
        for (std::size_t k = 0; k < unknowns.size(); ++k)
          A(r, first[asIndex(f)] + static_cast<Eigen::Index>(k)) =
              sign * displacement(face(f), row.p, unknowns[k]);
      }
    }
    Eigen::VectorXd x = Eigen::VectorXd::Zero(columns);
    if (A.rows() > 0 && columns > 0) {
      constexpr double kSameEquation = 1e-6;  // relative: normals of a border differ by rounding
      Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> decomposition;
      decomposition.setThreshold(kSameEquation);
      decomposition.compute(A);
      x = decomposition.solve(b);
    }
    const Eigen::VectorXd rest = A * x - b;
    Eigen::Index largest = 0;
    if (rest.size() > 0 && !(rest.cwiseAbs().maxCoeff(&largest) < kStaysTangent)) {
      worst_ = rows[static_cast<std::size_t>(largest)].p;
      return false;
    }
    for (const int f : followers_) {
      const std::vector<Unknown> unknowns = unknownsOf(f, turnsRadii);
      for (std::size_t k = 0; k < unknowns.size(); ++k)
        add(unknowns[k], x[first[asIndex(f)] + static_cast<Eigen::Index>(k)], face(f).normalAt(placeOf(f)),
            motions_[asIndex(f)]);
    }
    return true;
  }

  const physics::BoundarySolid& solid_;
  const FaceTopology& faces_;
  std::vector<FaceMotion> motions_;
  std::vector<Role> role_;
  std::vector<double> by_;  ///< offset of each face [m]
  std::vector<const FaceBorder*> smooth_;
  std::vector<int> followers_;
  Vector3d worst_ = Vector3d::Zero();
};

}  // namespace

physics::Surface moved(const physics::Surface& surface, const FaceMotion& motion) {
  physics::Surface result = surface;
  result.X_BS.p += motion.shift;
  (surface.kind == SurfaceKind::torus ? result.minor : result.radius) += motion.radius;
  if (surface.kind == SurfaceKind::torus) result.radius += motion.ring;
  return result;
}

std::vector<FaceMotion> faceMotions(const physics::BoundarySolid& solid, const FaceTopology& faces,
                                    std::span<const FaceOffset> offsets) {
  return MotionSearch(solid, faces).find(offsets);
}

bool isRounding(const physics::BoundarySolid& solid, const FaceTopology& faces, int face,
                const std::vector<char>& marked) {
  if (faces.faces[asIndex(face)].isPlane()) return false;
  return std::any_of(faces.borders.begin(), faces.borders.end(), [&](const FaceBorder& border) {
    if (border.left != face && border.right != face) return false;
    const int other = border.left == face ? border.right : border.left;
    return marked[asIndex(other)] != 0 && faces.faces[asIndex(other)].isPlane() &&
           faces.isSmooth(border, solid);
  });
}

}  // namespace tenon::content
