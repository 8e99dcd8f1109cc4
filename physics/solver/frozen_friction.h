// The problem of a step with given friction forces: where Coulomb's law could not be solved, normal forces
// still are, exactly.
#pragma once

#include "physics/solver/contact_solver.h"

namespace tenon::physics {

/// A view of a ContactProblem in which the friction forces of a solution act as external forces, each on both
/// bodies of its contact, and all contacts are smooth. So momentum is kept and no part overlaps, while
/// friction is only as good as that solution. For problems without joints, whose closing velocity belongs to
/// other free velocities.
class FrozenFriction final : public ContactProblem {
 public:
  /// `problem` must outlive the use. Linearizes it at its predicted velocity.
  void begin(ContactProblem& problem, const ContactSolution& solution);
  /// Adds the friction forces of begin() to `solution`, a solution of this problem: to the row of the same
  /// feature at the same point, or as a row of its own without normal force, in the order of
  /// keys. So its forces are all that act.
  void writeFriction(ContactSolution& solution) const;

  void linearize(const std::vector<double>& u) override;

 private:
  struct Force {
    ContactRow row;
    Vector3d friction = Vector3d::Zero();  ///< on body j [N]
  };
  ContactProblem* problem_ = nullptr;
  std::vector<Force> forces_;  ///< in the order of the rows of begin()
};

}  // namespace tenon::physics
