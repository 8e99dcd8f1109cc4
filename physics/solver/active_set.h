// Finishes a complementarity problem from a good guess of which contacts touch.
//
// The primal-dual active set method (Hintermüller, Ito, Kunisch 2002): a semismooth Newton method on
// min(y, z) = 0. Solve z_S = 0 on the guessed set S, set S to {y > z}, repeat until S stays. Near a
// solution it ends after one or two factorisations, exact to rounding; far from it, it may cycle, and
// then says so. The smoothed Newton method uses it to finish, and every step to start: the contacts
// that carried load in the last step mostly do in this one.
#pragma once

#include <vector>

#include "physics/solver/shifted_system.h"

namespace tenon::physics {

class ActiveSet {
 public:
  /// From the guess S = {k : y_k > z_k(y)} to the solution y (K entries, in and out). True where the
  /// natural residual is at most `tolerance` [√J]; else `y` is left as it was. `iterations` grows by
  /// the factorisations done, of which there are at most `limit`.
  bool settle(const NormalForm& form, std::vector<double>& y, double tolerance, int limit, int& iterations);

 private:
  ShiftedSystem system_;
  std::vector<int> subset_, last_;
  std::vector<double> shift_, x_, y_, v_, z_;
};

}  // namespace tenon::physics
