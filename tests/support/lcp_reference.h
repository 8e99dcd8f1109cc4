// Every solution of a small complementarity problem, by trying all complementary bases.
#pragma once

#include <Eigen/Core>
#include <vector>

namespace tenon::tests {

/// The basic solutions of w = A f + b ≥ 0, f ≥ 0, fᵀw = 0, each to within `tolerance` in every
/// component: for each of the 2^K choices of which f may be positive, the linear system of those. Any
/// solvable problem with a positive semidefinite A, or any solvable problem at all, has one (an extreme
/// point of the solutions with that choice) unless all bases that hold it are singular.
std::vector<Eigen::VectorXd> allSolutions(const Eigen::MatrixXd& A, const Eigen::VectorXd& b,
                                          double tolerance);

/// ‖min(f, A f + b)‖∞, from its definition.
double naturalResidual(const Eigen::MatrixXd& A, const Eigen::VectorXd& b, const Eigen::VectorXd& f);

}  // namespace tenon::tests
