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

/// With rows (normal, tangent, tangent) and Coulomb friction: ‖f − P(f − w)‖∞ for w = A f + b, P(x) = (max(0,
/// x_n), the point of the disc of radius μ max(0, x_n) nearest to x_t).
double coulombResidual(const Eigen::MatrixXd& A, const Eigen::VectorXd& b, const std::vector<double>& mu,
                       const Eigen::VectorXd& f);

}  // namespace tenon::tests
