// The region of a surface that a face covers: closed loops of segments in the surface's parameters.
#pragma once

#include <Eigen/Core>
#include <vector>

namespace tenon::physics::brep {

using Eigen::Vector2d;

/// A piece of a border: a straight segment in (u, v), or an arc of a circle there (planes only).
struct TrimSegment {
  Vector2d a = Vector2d::Zero(), b = Vector2d::Zero();  ///< ends, a.u ≤ b.u
  Vector2d center = Vector2d::Zero();                   ///< of an arc
  double radius = 0;                                    ///< of an arc [m]; 0: straight
  bool isUpper = false;                                 ///< the arc lies above its center

  /// v at `u`, which lies between the ends.
  double at(double u) const;
};

/// A point is inside if an odd number of segments lies above it (in v). Periodic in u where u is an angle.
class Trim {
 public:
  /// A straight segment of a border, in either direction.
  void addLine(const Vector2d& a, const Vector2d& b);
  /// An arc about `center` from angle `from` to `to` > from [rad], at most a whole turn.
  void addArc(const Vector2d& center, double radius, double from, double to);
  /// After the last segment. `isPeriodic`: u is an angle.
  void finish(bool isPeriodic);

  /// True if the point is inside, or within `tolerance` [m] of the border; with a negative one, if it is
  /// inside by more than that. `scale`: length of a unit of u and of v [m]. Without segments every point is
  /// inside.
  bool contains(const Vector2d& uv, const Vector2d& scale, double tolerance) const;

  const std::vector<TrimSegment>& segments() const { return segments_; }

 private:
  void add(TrimSegment segment);
  void joinEnds();
  /// Counts the segments above the point; true where one is within the tolerance.
  bool countAbove(const Vector2d& uv, const Vector2d& scale, double tolerance, int& above) const;
  bool testSegment(const TrimSegment& segment, const Vector2d& uv, const Vector2d& scale, double tolerance,
                   int& above) const;

  std::vector<TrimSegment> segments_;
  // Segments by intervals of u, so that a test reads few of them; empty for few segments.
  std::vector<int> first_, bySlot_;
  double low_ = 0, slotWidth_ = 0;
  bool isPeriodic_ = false;
};

}  // namespace tenon::physics::brep
