// Complementarity problems as contacts make them: rank-deficient, redundant, degenerate - and solvable.
#pragma once

#include <Eigen/Core>
#include <random>
#include <string>
#include <vector>

namespace tenon::tests {

/// Where the contacts of a problem sit.
enum class ContactFamily {
  bolt,           ///< a tilted peg in a bore, contacts at two rims: one body, rank ≤ 6
  zeroClearance,  ///< the same with every contact faced by an opposite one
  stack,          ///< boxes on each other, four contacts between two of them
  random,         ///< unrelated contacts on one body
};

/// How b was chosen.
enum class ContactLoad {
  constructed,  ///< from a known solution f, w with half of each zero
  degenerate,   ///< from a known solution in which many pairs have f_k = w_k = 0
  physical,     ///< gaps ≥ 0 and the closing speeds of a pushed body; solvable, as it could stay put
};

/// w = A f + b with A = D GᵀM⁻¹G D, D such that A has a unit diagonal.
struct ContactLcp {
  Eigen::MatrixXd A;       ///< K × K, positive semidefinite
  Eigen::VectorXd b;       ///< K
  std::vector<double> mu;  ///< with friction K/3 coefficients of rows (normal, tangent, tangent), else empty
};

/// A problem of about `contacts` contacts (whole boxes, opposite pairs): always solvable.
ContactLcp makeContactLcp(ContactFamily family, ContactLoad load, int contacts, std::mt19937& random);

/// The same with friction, w the relative velocity; solvable too.
ContactLcp makeFrictionalContacts(ContactFamily family, ContactLoad load, int contacts, std::mt19937& random);

/// A body between two walls that would have to overlap: no solution at all.
ContactLcp makeInfeasibleLcp(int contacts, std::mt19937& random);

std::string toText(ContactFamily family);
std::string toText(ContactLoad load);
/// The two as the name of a test.
std::string testNameOf(ContactFamily family, ContactLoad load);

}  // namespace tenon::tests
