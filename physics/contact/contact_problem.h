// The operation that linearizes an island's contacts at a trial state. What only reads or solves a linearized
// problem takes its LinearizedContacts; only iterations on distances take a ContactProblem.
#pragma once

#include <vector>

#include "physics/contact/linearized_contacts.h"

namespace tenon::physics {

class ContactProblem : public LinearizedContacts {
 public:
  virtual ~ContactProblem() = default;

  /// Moves the island to the trial state σ = s + Δt S u, computes the distances there and replaces `rows` and
  /// the joints' b0 and φ, in a fixed order. `u` has 6 entries for each body.
  virtual void linearize(const std::vector<double>& u) = 0;

  /// If > 0, a pair may reuse the contacts of its last collision query, with their distances by the linear
  /// model, while a separating plane proves an overlap of at most this [m]. If 0, every pair is queried.
  double reuseBelowOverlap = 0;

  /// Forces act along the directions of the start of the step where the contact exists there; false: along
  /// those of the trial state.
  bool usesStartDirections = true;

  /// Shorter steps follow if no solution is found in this one: a solver gives up early.
  bool isDivisible = false;
};

}  // namespace tenon::physics
