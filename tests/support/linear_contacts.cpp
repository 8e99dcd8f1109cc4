// See linear_contacts.h.
#include "tests/support/linear_contacts.h"

#include <Eigen/Cholesky>
#include <cmath>
#include <numbers>

namespace tenon::tests {

using namespace physics;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

double uniformIn(std::mt19937& random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random);
}

Vector3d randomVector(std::mt19937& random, double size) {
  return Vector3d::NullaryExpr([&] { return uniformIn(random, -size, size); });
}

/// Adds a body of `mass` [kg] and principal moments `inertia`, turned by R, with a hand's stiffness on it
/// if `held`.
void addBody(LinearContacts& problem, double mass, const Vector3d& inertia, const Matrix3d& R, bool held,
             std::mt19937& random) {
  Matrix6d M = Matrix6d::Zero();
  M.topLeftCorner<3, 3>() = mass * Matrix3d::Identity();
  M.bottomRightCorner<3, 3>() = R * inertia.asDiagonal() * R.transpose();
  if (held) {
    Matrix6d J = Matrix6d::Identity();
    J.topRightCorner<3, 3>() = -skew(randomVector(random, 0.03));
    Vector6d k;
    k << Vector3d::Constant(2000), Vector3d(2, 2, 0.1);
    M += problem.dt * problem.dt * J.transpose() * k.asDiagonal() * J;
  }
  problem.massFactor.push_back(Eigen::LLT<Matrix6d>(M).matrixL());
}

/// Adds a contact at `r_a`, `r_b` from the centres of the bodies a and b (−1: fixed), n from a into b.
void addRandomContact(LinearContacts& problem, int a, const Vector3d& r_a, int b, const Vector3d& r_b,
                      const Vector3d& n, double gap) {
  ContactRow row;
  row.a = a;
  row.b = b;
  row.Ga << -n, -r_a.cross(n);
  row.Gb << n, r_b.cross(n);
  row.ra = r_a;
  row.rb = r_b;
  row.contact.n = n;
  row.key = {0, problem.gaps.size()};
  row.contact.feature = row.key.feature;
  problem.rows.push_back(row);
  problem.gaps.push_back(gap);
}

/// A tilted peg of 10 × 60 mm in a bore: its rim at the tip and its flank at the mouth, phase by phase.
void addBolt(LinearContacts& problem, int contacts, bool opposed, const Matrix3d& R, std::mt19937& random) {
  addBody(problem, 0.1, {5e-5, 5e-5, 2e-6}, R, true, random);
  const double depth = uniformIn(random, 0.001, 0.03), tilt = uniformIn(random, 0, 0.035), radius = 0.005;
  const int phases = opposed ? contacts / 2 : contacts;
  for (int phase = 0; phase < phases; ++phase) {
    const bool atTip = phase % 2 == 0;
    const double angle = 4 * std::numbers::pi * phase / phases + (atTip ? 0.0 : 0.1);
    const Vector3d out(std::cos(angle), std::sin(angle), 0);
    const Vector3d r = R * (radius * out + Vector3d(0, 0, atTip ? -0.03 : depth - 0.03));
    const double lean = atTip ? 0.0 : std::sin(tilt) * std::cos(angle);
    const Vector3d n = R * -(out + Vector3d(0, 0, lean)).normalized();
    const double gap = opposed || phase % 3 == 0 ? 0 : uniformIn(random, 0, 2e-5);
    addRandomContact(problem, -1, Vector3d::Zero(), 0, r, n, gap);
    if (opposed) addRandomContact(problem, -1, Vector3d::Zero(), 0, r, -n, gap);
  }
}

/// Boxes of 40 × 40 × 20 mm on each other and on a floor.
void addStack(LinearContacts& problem, int contacts, const Matrix3d& R, std::mt19937& random) {
  for (int box = 0; box < std::max(1, contacts / 4); ++box) {
    const double mass = uniformIn(random, 0.05, 1);
    addBody(problem, mass, mass / 12 * Vector3d(0.002, 0.002, 0.0032), R, false, random);
    for (int corner = 0; corner < 4; ++corner) {
      const Vector3d r(corner & 1 ? 0.02 : -0.02, corner & 2 ? 0.02 : -0.02, -0.01);
      addRandomContact(problem, box - 1, R * (r + Vector3d(0, 0, 0.02)), box, R * r, R * Vector3d::UnitZ(),
                       uniformIn(random, 0, 1e-6));
    }
  }
}

void addUnrelated(LinearContacts& problem, int contacts, const Matrix3d& R, std::mt19937& random) {
  addBody(problem, 0.1, {5e-5, 5e-5, 2e-6}, R, false, random);
  for (int k = 0; k < contacts; ++k) {
    const Vector3d r = randomVector(random, 0.02), n = randomVector(random, 1).normalized();
    addRandomContact(problem, -1, Vector3d::Zero(), 0, r, n, k % 3 == 0 ? 0 : uniformIn(random, 0, 2e-5));
  }
}

void addFreeVelocity(LinearContacts& problem, bool falling, const Matrix3d& R, std::mt19937& random) {
  for (int body = 0; body < problem.bodies(); ++body) {
    Vector6d u;
    u << randomVector(random, 0.05), randomVector(random, 2);
    if (falling) u << R * Vector3d(0, 0, -9.81 * problem.dt), Vector3d::Zero();
    problem.freeVelocity.insert(problem.freeVelocity.end(), u.data(), u.data() + 6);
  }
}

}  // namespace

void LinearContacts::linearize(const std::vector<double>& u) {
  for (std::size_t k = 0; k < rows.size(); ++k) {
    ContactRow& row = rows[k];
    row.b0 = gaps[k];
    row.contact.separation = gaps[k];
    if (row.a >= 0) row.contact.separation += dt * row.Ga.dot(block(std::span(u), row.a));
    if (row.b >= 0) row.contact.separation += dt * row.Gb.dot(block(std::span(u), row.b));
  }
}

LinearContacts makeLinearContacts(ContactFamily family, int contacts, std::mt19937& random) {
  LinearContacts problem;
  problem.dt = 1e-3;
  const Matrix3d R = exponential(randomVector(random, 2)).toRotationMatrix();
  if (family == ContactFamily::bolt) addBolt(problem, contacts, false, R, random);
  if (family == ContactFamily::zeroClearance) addBolt(problem, contacts, true, R, random);
  if (family == ContactFamily::stack) addStack(problem, contacts, R, random);
  if (family == ContactFamily::random) addUnrelated(problem, contacts, R, random);
  addFreeVelocity(problem, family == ContactFamily::stack, R, random);
  problem.linearize(std::vector<double>(problem.freeVelocity.size(), 0.0));
  return problem;
}

LinearContacts makePressedContacts(int contacts, std::mt19937& random) {
  LinearContacts problem = makeLinearContacts(ContactFamily::random, contacts, random);
  // One more contact faces the first, and both overlap: what opens one closes the other.
  const ContactRow first = problem.rows.front();
  problem.gaps.front() = -uniformIn(random, 1e-6, 1e-4);
  addRandomContact(problem, -1, Vector3d::Zero(), 0, Vector3d::Zero(), -first.contact.n,
                   -uniformIn(random, 1e-6, 1e-4));
  problem.rows.back().Gb = -first.Gb;
  problem.linearize(std::vector<double>(problem.freeVelocity.size(), 0.0));
  return problem;
}

DenseOutcome denseOutcome(const LinearContacts& problem, const std::vector<double>& f, double epsilon) {
  const int size = 6 * problem.bodies(), count = problem.contacts();
  MatrixXd M = MatrixXd::Zero(size, size), G = MatrixXd::Zero(size, count);
  for (int body = 0; body < problem.bodies(); ++body)
    M.block<6, 6>(6 * body, 6 * body) = problem.massFactor[body] * problem.massFactor[body].transpose();
  for (int k = 0; k < count; ++k) {
    const ContactRow& row = problem.rows[k];
    if (row.a >= 0) G.col(k).segment<6>(6 * row.a) += row.Ga;
    if (row.b >= 0) G.col(k).segment<6>(6 * row.b) += row.Gb;
  }
  const Eigen::Map<const VectorXd> force(f.data(), count), gap(problem.gaps.data(), count);
  const Eigen::Map<const VectorXd> uFree(problem.freeVelocity.data(), size);
  const Eigen::LDLT<MatrixXd> factor(M);
  DenseOutcome outcome;
  outcome.wrench = G * force;
  outcome.u = uFree + problem.dt * factor.solve(outcome.wrench);
  outcome.separation = gap + problem.dt * (G.transpose() * outcome.u);
  for (int k = 0; k < count; ++k) {
    const double D = problem.dt * std::sqrt(G.col(k).dot(factor.solve(G.col(k))));
    const double y = D * force[k], z = outcome.separation[k] / D + epsilon * y;
    // Not std::max: a NaN shall show.
    if (!(std::abs(std::min(y, z)) <= outcome.residual)) outcome.residual = std::abs(std::min(y, z));
  }
  return outcome;
}

}  // namespace tenon::tests
