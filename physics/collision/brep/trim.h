// The region of a surface that a face covers: closed loops of segments in the surface's parameters.
#pragma once

#include <Eigen/Core>
#include <vector>

namespace tenon::physics::brep {

using Eigen::Vector2d;

/// A piece of a border as a function v(u): a straight segment in (u, v), an arc of a circle (planes only), or
/// a cubic by its Bézier points.
struct TrimSegment {
  enum class Kind : char { straight, arc, cubic };
  Kind kind = Kind::straight;
  bool isUpper = false;                                 ///< the arc lies above its center
  bool isSmooth = false;                                ///< see Trim::contains()
  bool isPastTurn = false;                              ///< of a periodic trim: b.u is a turn or more
  double lastAngle = 0;                                 ///< of a periodic trim: b.u, less that turn
  Vector2d a = Vector2d::Zero(), b = Vector2d::Zero();  ///< ends, a.u ≤ b.u
  Vector2d c = Vector2d::Zero(), d = Vector2d::Zero();  ///< between a and b, of a cubic
  Vector2d center = Vector2d::Zero();                   ///< of an arc
  double radius = 0;                                    ///< of an arc [m]

  /// v at `u`, which lies between the ends.
  double at(double u) const;
  /// Point t = 0 … 1 of a cubic.
  Vector2d cubicAt(double t) const;
};

/// A point is inside if an odd number of segments lies above it (in v). Periodic in u where u is an angle.
class Trim {
 public:
  /// A straight segment of a border, in either direction.
  void addLine(const Vector2d& a, const Vector2d& b);
  /// An arc about `center` from angle `from` to `to` > from [rad], at most a whole turn.
  void addArc(const Vector2d& center, double radius, double from, double to);
  /// The cubic with these Bézier points.
  void addCubic(const Vector2d& a, const Vector2d& c, const Vector2d& d, const Vector2d& b);
  /// Room for that many more segments.
  void reserve(std::size_t more) { segments_.reserve(segments_.size() + more); }
  /// Of the segments from the first one on: beyond them the ball that bulges into the face still lies inside
  /// the solid.
  void setSmoothFrom(std::size_t first);
  /// After the last segment. `isPeriodic`: u is an angle. Ends that are this close in u [m or rad] are one.
  void finish(bool isPeriodic, double joint = 1e-13);

  /// True if the point is inside, or within `tolerance` [m] of the border; with a negative one, if it is
  /// inside by more than that. Of smooth segments it must be within `beyondSmooth` [m], if that is larger.
  /// `scale`: length of a unit of u and of v [m]. Without segments every point is inside.
  bool contains(const Vector2d& uv, const Vector2d& scale, double tolerance, double beyondSmooth = 0) const;

  /// Of a finished trim: that of the points between `low` and `high` in u and above `low` in v, without the
  /// segments that do not matter to them. `isNear`: a segment may pass between `low` and `high`.
  Trim clipped(const Vector2d& low, const Vector2d& high, double joint, bool& isNear) const;

  const std::vector<TrimSegment>& segments() const { return segments_; }

 private:
  struct Tolerances {
    double sharp = 0, smooth = 0;
  };
  /// A point of a periodic trim, in one of three places a turn apart.
  struct Place {
    Vector2d uv = Vector2d::Zero();
    double angle = 0;  ///< u in the first turn
    int turn = 0;      ///< −1, 0 or 1: turns of u from there
  };
  void add(TrimSegment segment);
  void joinEnds(double joint);
  void joinAngles(double joint);
  bool isBetweenEnds(const TrimSegment& segment, const Place& at) const;
  /// Counts the segments above the point; true where one is within the tolerance.
  bool countAbove(const Place& at, const Vector2d& scale, const Tolerances& tolerances, int& above) const;
  bool testSegment(const TrimSegment& segment, const Place& at, const Vector2d& scale,
                   const Tolerances& tolerances, int& above) const;

  std::vector<TrimSegment> segments_;
  // Segments by intervals of u, so that a test reads few of them; empty for few segments.
  std::vector<int> first_, bySlot_;
  double low_ = 0, high_ = 0, slotWidth_ = 0;  // of u
  bool isPeriodic_ = false;
};

}  // namespace tenon::physics::brep
