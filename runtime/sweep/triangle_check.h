// Proof that triangles lie at a distance from a swept volume that is within bounds.
#pragma once

#include <array>
#include <functional>
#include <set>
#include <vector>

#include "content/mesh/triangle_mesh.h"
#include "runtime/sweep/swept_distance.h"

namespace tenon::runtime {

class TriangleCheck {
 public:
  using Distances = std::vector<SweptDistance*>;

  /// Borrows `distances`, one for each thread. Bounds of the true distance [m].
  TriangleCheck(Distances distances, double low, double high)
      : distances_(std::move(distances)), low_(low), high_(high) {}

  /// The triangles of which some point may be out of bounds, ascending. What was proven before is not
  /// searched again. Returns early once `stop` returns true.
  std::vector<int> failures(const content::TriangleMesh& mesh, const std::function<bool()>& stop);

 private:
  using Corners = std::array<physics::Vector3d, 3>;
  using Key = std::array<double, 9>;

  struct Part;

  static Key keyOf(const Corners& corners);
  bool isBelowHigh(SweptDistance& distance, const Part& part, const SweptDistance::Nearest& near,
                   double radius) const;
  bool isAboveLow(SweptDistance& distance, const Part& part, const SweptDistance::Nearest& near,
                  double radius) const;
  bool isProven(SweptDistance& distance, const Corners& corners) const;

  Distances distances_;
  double low_, high_;
  std::set<Key> proven_;
};

}  // namespace tenon::runtime
