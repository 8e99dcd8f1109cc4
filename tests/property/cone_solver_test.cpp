// The share of seeded problems that the cone solver solves without any compliance, judged from bodies, masses
// and contact points by code without the scaled form.
#include "physics/solver/cone_solver.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>

#include "tests/support/linear_contacts.h"

namespace tenon::physics {
namespace {

using tests::ContactFamily;
using tests::LinearContacts;
using tests::makeLinearContacts;

constexpr unsigned kShareSeed = 20261124;
/// Required accuracy [m].
constexpr double kRequired = 1e-11;

/// Largest error of Signorini's and Coulomb's law [m]: |f − P(f − δ/w)| w, w = Δt² A_kk.
double lawError(const LinearContacts& problem, const ScaledProblem& form, const std::vector<double>& y) {
  std::vector<Vector6d> u;
  std::vector<Matrix6d> inverse;
  for (int i = 0; i < problem.bodies(); ++i) {
    const Matrix6d M = problem.massFactor[i] * problem.massFactor[i].transpose();
    inverse.push_back(M.inverse());
    u.emplace_back(Eigen::Map<const Vector6d>(problem.freeVelocity.data() + 6 * i));
  }
  const auto forceOf = [&](int k) { return form.forceOf(k, y); };
  for (int k = 0; k < problem.contacts(); ++k) {
    const ContactRow& row = problem.rows[k];
    const Vector3d f = forceOf(k);
    if (row.a >= 0) u[row.a] += problem.dt * inverse[row.a] * (row.Ga * f[0] + row.Ta() * f.tail<2>());
    if (row.b >= 0) u[row.b] += problem.dt * inverse[row.b] * (row.Gb * f[0] + row.Tb() * f.tail<2>());
  }
  double largest = 0;
  for (int k = 0; k < problem.contacts(); ++k) {
    const ContactRow& row = problem.rows[k];
    double gap = problem.gaps[k], w = 0;
    Eigen::Vector2d slip = row.tangentialBias;
    if (row.a >= 0) {
      gap += problem.dt * (row.isTilted ? row.Ja : row.Ga).dot(u[row.a]);
      slip += row.Ta().transpose() * u[row.a];
      w += row.Ga.dot(inverse[row.a] * row.Ga);
    }
    if (row.b >= 0) {
      gap += problem.dt * (row.isTilted ? row.Jb : row.Gb).dot(u[row.b]);
      slip += row.Tb().transpose() * u[row.b];
      w += row.Gb.dot(inverse[row.b] * row.Gb);
    }
    w *= problem.dt * problem.dt;
    const Vector3d f = forceOf(k);
    const double n = std::max(0.0, f[0] - gap / w);
    Eigen::Vector2d t = f.tail<2>() - problem.dt * slip / w;
    if (t.norm() > row.mu * n) t *= row.mu * n / t.norm();
    const double error = std::max(std::abs(f[0] - n), (f.tail<2>() - t).norm()) * w;
    if (!(error <= largest)) largest = error;  // keeps NaN
  }
  return largest;
}

struct Share {
  int problems = 0, solved = 0, falselyReported = 0;
};

void solveOne(ConeSolver& solver, LinearContacts& problem, double mu, std::mt19937& random, Share& share) {
  for (ContactRow& row : problem.rows) {
    row.mu = mu < 0 ? std::max(0.0, std::uniform_real_distribution<double>(-0.8, 0.8)(random)) : mu;
  }
  ScaledProblem form;
  form.build(problem, 0);
  std::vector<double> y(form.size(), 0.0);
  const bool solved = solver.solve(form, y, kRequired / form.largestD()).solved;
  // A scaled residual ≤ the tolerance is that of the contact with the largest D.
  const bool holds = lawError(problem, form, y) <= 10 * kRequired;
  ++share.problems;
  share.solved += solved && holds;
  share.falselyReported += solved && !holds;
}

TEST(ConeSolverShare, solvesAllButOneInTwoHundredSeededProblemsWithoutCompliance) {
  std::mt19937 random(kShareSeed);
  ConeSolver solver;
  Share share;
  for (const ContactFamily family :
       {ContactFamily::bolt, ContactFamily::zeroClearance, ContactFamily::random, ContactFamily::stack})
    for (const int contacts : {8, 16, 32, 64})
      for (const double mu : {0.0, 0.1, 0.3, 0.8, -1.0})
        for (int repeat = 0; repeat < 8; ++repeat) {
          LinearContacts problem = makeLinearContacts(family, contacts, random);
          solveOne(solver, problem, mu, random, share);
        }
  EXPECT_EQ(share.falselyReported, 0) << "seed " << kShareSeed;
  EXPECT_GE(share.solved, 0.995 * share.problems) << "of " << share.problems << ", seed " << kShareSeed;
  RecordProperty("solved", share.solved);
}

/// Forces that act 5 % beside the gradients of their distances.
TEST(ConeSolverShare, solvesTiltedProblems) {
  std::mt19937 random(kShareSeed + 2);
  std::normal_distribution<double> aside(0, 0.05);
  ConeSolver solver;
  Share share;
  for (const ContactFamily family : {ContactFamily::bolt, ContactFamily::random, ContactFamily::stack})
    for (const int contacts : {8, 16, 32, 64})
      for (const double mu : {0.1, 0.3, 0.8})
        for (int repeat = 0; repeat < 8; ++repeat) {
          LinearContacts problem = makeLinearContacts(family, contacts, random);
          for (ContactRow& row : problem.rows) {
            const auto tilt = [&](const Vector6d& G) {
              Vector6d J = G;
              for (int i = 0; i < 6; ++i) J[i] += aside(random) * G.segment<3>(3 * (i / 3)).norm();
              return J;
            };
            row.isTilted = true;
            row.Ja = tilt(row.Ga);
            row.Jb = tilt(row.Gb);
          }
          solveOne(solver, problem, mu, random, share);
        }
  EXPECT_EQ(share.falselyReported, 0) << "seed " << kShareSeed;
  EXPECT_GE(share.solved, 0.97 * share.problems) << "of " << share.problems << ", seed " << kShareSeed;
}

TEST(ConeSolverShare, solvesStacksOfUpToAHundredAndTwentyBodies) {
  std::mt19937 random(kShareSeed + 1);
  ConeSolver solver;
  Share share;
  for (const int bodies : {30, 60, 120})
    for (const double mu : {0.0, 0.2, 0.5})
      for (int repeat = 0; repeat < 4; ++repeat) {
        LinearContacts problem = makeLinearContacts(ContactFamily::stack, 4 * bodies, random);
        solveOne(solver, problem, mu, random, share);
      }
  EXPECT_EQ(share.falselyReported, 0) << "seed " << kShareSeed;
  EXPECT_EQ(share.solved, share.problems) << "seed " << kShareSeed;
}

}  // namespace
}  // namespace tenon::physics
