// Distances from the volume that a part sweeps on its path.
//
// Seen from the part, a point p of the world moves on a curve, and its distance from the swept volume is that
// of the curve from the part at rest. Where the part only translates, the curve is a straight segment and one
// exact distance query of a segment is exact. Where it rotates, the path is divided until the curve deviates
// from its chord by a bound: for a curve x(s), 0 ≤ s ≤ 1, by at most max |x''| / 8, and
// |x''| ≤ θ² |x| + 2 θ |v| for a rotation by θ and a translation by v.
#pragma once

#include <Eigen/Geometry>

#include <map>
#include <memory>
#include <vector>

#include "content/mesh/triangle_bvh.h"
#include "physics/collision/brep/solid_contacts.h"
#include "physics/collision/geometry/shape.h"
#include "runtime/sweep/part_path.h"

namespace tenon::runtime {

/// Not thread-safe: use one for each thread.
class SweptDistance {
 public:
  /// Copies `shape`, which is bounded. `tolerance` [m]: see toleranceAt().
  SweptDistance(const physics::Shape& shape, const PartPath& path, double tolerance);

  struct Nearest {
    double distance = 0;  ///< [m]; 0 inside
    /// Unit, from the volume to the point; 0 beyond the range.
    physics::Vector3d away = physics::Vector3d::Zero();
    int section = -1;  ///< of the path, in which the part is nearest; −1: beyond the range
    double share = 0;  ///< of the section, before that
  };
  /// The distance of a point from the swept volume, or `range` if it is larger [m].
  Nearest nearest(const physics::Vector3d& p_W, double range);

  /// Radius of a ball about a point that is inside the volume, at least [m]; 0 if the point is not known to
  /// be inside. Considers the times of `near`, the nearest one of a point close by. `guess` > 0:
  /// about the radius that is expected, for speed [m].
  double depth(const physics::Vector3d& p_W, const Nearest& near, double guess);

  /// Largest distance of a point of the part from its origin [m].
  double reach() const { return reach_; }
  /// Points this near to the part, and nearer, have the distance 0 [m]: exact contacts do not show where a
  /// segment crosses faces, so it is tested against triangles that deviate by less than this.
  double gap() const { return gap_; }
  /// Largest deviation of a distance, other than 0, of about `distance` [m].
  double toleranceAt(double distance) const { return tolerance_ * (1 + distance / reach_); }
  /// Contain the swept volume, world [m].
  const Eigen::AlignedBox3d& bounds() const { return nodes_.front().box; }
  int sectionCount() const { return static_cast<int>(sections_.size()); }

 private:
  /// A part of the path on which curves of points are chords.
  struct Section {
    physics::Pose X_PW0, X_PW1;  ///< at its start and end
    physics::Quaterniond q_WP;   ///< in its middle
    double travel = 0;           ///< of the origin [m]
    bool rotates = false;
  };
  struct Node {
    Eigen::AlignedBox3d box;  ///< of all its sections
    int left = -1, right = -1;
    int section = -1;  ///< of a leaf
  };

  void addSections(const physics::Pose& X_WP0, const physics::Pose& X_WP1);
  int addNodes(int first, int last);
  void search(int node, const physics::Vector3d& p_W, Nearest& best);
  void querySection(int index, const physics::Vector3d& p_W, Nearest& best);
  /// A shape of the part with its faces, and triangles of it that deviate by up to the gap.
  struct Piece {
    physics::brep::Solid solid;
    physics::Pose X_PS;
    std::unique_ptr<content::TriangleBvh> triangles;  ///< part's frame
  };
  void addPieces(const physics::Shape& shape, const physics::Pose& X_PS);
  /// True if the segment crosses a piece, lies in it, or is within the gap of its triangles.
  bool touches(const Piece& piece, const physics::Vector3d& from, const physics::Vector3d& to) const;
  const physics::brep::Solid& segmentOf(double length);

  std::vector<Piece> pieces_;
  double gap_ = 0;
  Eigen::AlignedBox3d partBounds_;  ///< part's frame
  double tolerance_, lengthStep_, reach_;
  std::vector<Section> sections_;
  std::vector<Node> nodes_;  ///< the first is the root
  physics::brep::Solid point_;
  std::map<long, physics::brep::Solid> segments_;  ///< by their length in steps
  std::map<double, physics::brep::Solid> exactSegments_;
  std::vector<physics::brep::SolidContact> contacts_;
};

/// The same volume swept without needless rotation: a solid of revolution about its z axis does not rotate
/// about it.
PartPath withoutSpin(const physics::Shape& shape, const PartPath& path);

}  // namespace tenon::runtime
