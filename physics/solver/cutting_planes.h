// Contact rows of earlier trials of a step that remain in its linearized problem, as cutting planes.
//
// On a curved edge the nearest point is ill-conditioned: a peg larger than its bore rests on two nearly
// parallel edges, and a rotation by 10⁻⁹ rad moves the point along them by a tenth of a millimeter. A problem
// with only the newest point lets the part overlap at the previous one, and the trials alternate. Distances
// are minima over all points of the edge, and the row of any of them is a bound on them: so the rows that
// carried force are kept, and bound the solution from all sides (J. E. Kelley, The cutting-plane method for
// solving convex programs, J. SIAM 8, 1960; here each plane is in error by the square of the displacement
// since, and is dropped where that error shows).
#pragma once

#include "physics/solver/contact_solver.h"

namespace tenon::physics {

/// Which rows are kept, and when they are dropped.
enum class RetentionPolicy {
  moved,  ///< contacts that are no longer found or have moved; dropped where they push and do not touch
  lost,   ///< contacts that are no longer found; never dropped
};

class CuttingPlanes {
 public:
  void clear();

  /// Adds to `problem`, after its linearization, the rows of `solution` that carry force and whose contact is
  /// no longer in it or has moved, and the rows kept from earlier trials. Kept rows that carry force and have
  /// no touching contact in `problem` are dropped: in `problem`, not in the state that `solution` leads to,
  /// which may be further on; measured, this converges better. Compliances are stored without scaling: those
  /// with which the rows of `solution` were posed, divided by `complianceScale`. True where any row was added
  /// or dropped.
  ///
  /// Only for rigid pairs: the stiffness of a pair is shared by the points that touch, and each kept row
  /// would add a spring.
  bool addTo(LinearizedContacts& problem, const ContactSolution& solution, double complianceScale,
             RetentionPolicy retention);

 private:
  void mergeInto(std::vector<ContactRow>& rows);

  std::vector<ContactRow> rows_;  ///< the kept rows, by key
  std::uint32_t nextIndex_ = 0;
};

}  // namespace tenon::physics
