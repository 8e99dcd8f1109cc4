// Contacts of earlier trials of a step that go on being part of its linearised problem.
//
// On a curved edge the point that is nearest wanders: a peg larger than its bore rests on two edges that are
// all but parallel, and a turn by 10⁻⁹ rad moves the point along them by a tenth of a millimetre. A problem
// that knows only the newest point lets the part sink in where the last one held it, and the trials go to
// and fro. Distances are minima over all points of the edge, and a row of any of them is a bound on them: so
// the rows that carried force are kept, and the problem's solution is hemmed in between them (the cutting
// planes of J. E. Kelley, The cutting-plane method for solving convex programs, J. SIAM 8, 1960; here each
// off by the square of the way since, and dropped where that is seen).
#pragma once

#include "physics/solver/contact_solver.h"

namespace tenon::physics {

/// Of hundreds of contacts some one always comes and goes.
enum class RetentionPolicy {
  few,          ///< what was kept is dropped where it is seen to push at a distance
  many,         ///< nothing is dropped
  largeIsland,  ///< likewise, and only what is not found any more is kept, not what has moved
};

class CuttingPlanes {
 public:
  void clear();

  /// Makes `problem`, linearised anew, know what the last one did: adds the rows that carry force in
  /// `solution` and whose points have gone from it or moved, and those of earlier trials; all these are kept.
  /// Rows kept that carry force and have no touching contact in `problem` are dropped. Asked of the problem
  /// and not of the state that `solution` leads to, which may be further on: measured, that hems in better.
  /// Compliances are kept as found: those of `solution` divided by `softness`. True where any came or went.
  ///
  /// Only of rigid pairs: the stiffness of a pair is shared by the points that touch, and each row kept would
  /// be one more spring.
  bool addTo(LinearizedContacts& problem, const ContactSolution& solution, double complianceScale,
             RetentionPolicy retention);

 private:
  void mergeInto(std::vector<ContactRow>& rows);

  std::vector<ContactRow> rows_;
  std::uint32_t nextIndex_ = 0;
};

}  // namespace tenon::physics
