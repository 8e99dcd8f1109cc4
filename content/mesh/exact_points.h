// Points of a grid, planes through them and points where three such planes meet, in exact arithmetic.
#pragma once

#include <Eigen/Core>
#include <array>
#include <boost/multiprecision/cpp_int.hpp>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace tenon::content {

/// Coordinates in units of the grid, each below 2²⁸ in magnitude.
using GridPoint = Eigen::Matrix<std::int64_t, 3, 1>;
inline constexpr double kMaxGridCoordinate = 1 << 28;

/// Integers of up to `bits` bits; none here becomes longer, so none is allocated.
template <unsigned bits>
using WideInteger = boost::multiprecision::number<
    boost::multiprecision::cpp_int_backend<bits, bits, boost::multiprecision::signed_magnitude,
                                           boost::multiprecision::unchecked, void>,
    boost::multiprecision::et_off>;
using Integer = WideInteger<512>;

__extension__ typedef __int128 Int128;

/// n · p = d: points with n · p > d lie above it.
struct GridPlane {
  GridPoint n = GridPoint::Zero();
  Int128 d = 0;

  bool isZero() const { return n[0] == 0 && n[1] == 0 && n[2] == 0; }
};

/// Seen from above, a → b → c turns left. Zero where the points lie on a line.
GridPlane planeThrough(const GridPoint& a, const GridPoint& b, const GridPoint& c);

/// The plane through a → b along an axis; what lies left of a → b seen against `axis` lies below it if
/// `isUp`, else above.
GridPlane planeAlong(int axis, bool isUp, const GridPoint& a, const GridPoint& b);

/// The axis along which a plane's normal is longest.
int steepestAxis(const GridPlane& plane);

/// x / d, d > 0.
struct ExactPoint {
  std::array<Integer, 3> x;
  Integer d = 1;
};

ExactPoint exactPoint(const GridPoint& p);

/// Where three planes meet; their normals must not lie in one plane.
ExactPoint meetingPoint(const GridPlane& a, const GridPlane& b, const GridPlane& c);

/// −1, 0 or 1: p lies below, in or above the plane.
int sideOf(const GridPlane& plane, const ExactPoint& p);

/// −1, 0 or 1: a lies before, at or behind b along an axis.
int compareAlong(int axis, const ExactPoint& a, const ExactPoint& b);

/// Rounded, in units of the grid.
Eigen::Vector3d roundedPoint(const ExactPoint& p);

/// A point between others, x / d, with more digits; also rounded, in units of the grid.
struct InnerPoint {
  std::array<WideInteger<1024>, 3> x;
  WideInteger<1024> d;
  Eigen::Vector3d rounded = Eigen::Vector3d::Zero();
};

int sideOf(const GridPlane& plane, const InnerPoint& p);

/// Points, each once.
class ExactPoints {
 public:
  /// The index of `p`, which is added if it is new.
  int indexOf(const ExactPoint& p);

  /// sideOf() of a point; of rounded coordinates where these decide.
  int side(const GridPlane& plane, int index) const;

  const ExactPoint& operator[](int index) const { return points_[static_cast<std::size_t>(index)]; }
  const Eigen::Vector3d& rounded(int index) const { return rounded_[static_cast<std::size_t>(index)]; }
  int count() const { return static_cast<int>(points_.size()); }

 private:
  std::vector<ExactPoint> points_;
  std::vector<Eigen::Vector3d> rounded_;
  std::unordered_multimap<std::uint64_t, int> indices_;  ///< by a hash of the cell
};

/// The mean of three points with these weights, each above 0 and below 100.
InnerPoint innerPoint(const ExactPoints& points, const std::array<int, 3>& indices,
                      const std::array<int, 3>& weights);

}  // namespace tenon::content
