// Jacobians of a few typical scenes and right sides that they can be solved for.
#include "tests/support/contact_problems.h"

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>
#include <stdexcept>

namespace tenon::tests {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using std::numbers::pi;

/// G scaled by the bodies' masses: M^(−1/2) G, 6n × K; with friction three columns a contact.
struct Rows {
  MatrixXd g;
  int stride = 1;
  Rows(int bodies, int contacts, bool frictional)
      : g(MatrixXd::Zero(6 * bodies, (frictional ? 3 : 1) * contacts)), stride(frictional ? 3 : 1) {}
};

double uniform(std::mt19937& random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random);
}

Vector3d direction(std::mt19937& random) {
  std::normal_distribution<double> normal;
  return Vector3d{normal(random), normal(random), normal(random)}.normalized();
}

// Adds sign · (d, r × d), weighted by the square roots of 1/m and 1/I, to the columns of contact k at body
// `body`, d the normal and with friction two tangents.
void addContact(Rows& rows, int k, int body, const Vector3d& r, const Vector3d& n, double mass,
                const Vector3d& inertia, double sign = 1) {
  Eigen::Matrix3d directions;
  directions << n, n.unitOrthogonal(), n.cross(n.unitOrthogonal());
  for (int i = 0; i < rows.stride; ++i) {
    const Vector3d d = sign * directions.col(i);
    rows.g.col(rows.stride * k + i).segment<3>(6 * body) += d / std::sqrt(mass);
    rows.g.col(rows.stride * k + i).segment<3>(6 * body + 3) += r.cross(d).cwiseQuotient(inertia.cwiseSqrt());
  }
}

// A peg of 10 mm × 60 mm, 0.1 kg; its rim at the tip meets the bore's wall, its flank the mouth.
Rows bolt(int contacts, bool opposed, bool frictional, std::mt19937& random) {
  const Vector3d inertia(5e-5, 5e-5, 2e-6);
  const double depth = uniform(random, 0.001, 0.03), tilt = uniform(random, 0.001, 0.035), radius = 0.005;
  Rows g(1, contacts, frictional);
  for (int k = 0; k < contacts; ++k) {
    const bool opposite = opposed && k % 2 == 1;
    const int phase = opposed ? k / 2 : k;
    const bool atTip = phase % 2 == 0;
    const double angle = 2 * pi * phase / contacts * (opposed ? 1.0 : 2.0) + (atTip ? 0.0 : 0.1);
    const Vector3d outward(std::cos(angle), std::sin(angle), 0);
    const Vector3d r = radius * outward + Vector3d(0, 0, atTip ? -0.03 : -0.03 + depth);
    // The mouth's normals lean with the peg's flank, the tip's with the bore.
    const Vector3d lean = atTip ? Vector3d::Zero() : Vector3d(0, 0, std::sin(tilt) * std::cos(angle));
    const Vector3d n = -(outward + lean).normalized();
    addContact(g, k, 0, r, opposite ? Vector3d(-n) : n, 0.1, inertia);
  }
  return g;
}

// ⌊contacts/4⌋ boxes of 40 × 40 × 20 mm on a floor.
Rows stack(int contacts, bool frictional, std::mt19937& random) {
  const int boxes = std::max(1, contacts / 4);
  Rows g(boxes, 4 * boxes, frictional);
  double below = 0;
  for (int box = 0; box < boxes; ++box) {
    const double mass = uniform(random, 0.05, 1);
    const Vector3d inertia = mass / 12 * Vector3d(0.002, 0.002, 0.0032);
    for (int corner = 0; corner < 4; ++corner) {
      const int k = 4 * box + corner;
      const Vector3d r(corner & 1 ? 0.02 : -0.02, corner & 2 ? 0.02 : -0.02, -0.01);
      addContact(g, k, box, r, Vector3d::UnitZ(), mass, inertia);
      if (box == 0) continue;
      const Vector3d inertiaBelow = below / 12 * Vector3d(0.002, 0.002, 0.0032);
      addContact(g, k, box - 1, r + Vector3d(0, 0, 0.02), Vector3d::UnitZ(), below, inertiaBelow, -1);
    }
    below = mass;
  }
  return g;
}

Rows unrelated(int contacts, bool frictional, std::mt19937& random) {
  Rows g(1, contacts, frictional);
  for (int k = 0; k < contacts; ++k) {
    const Vector3d r = 0.02 * direction(random), n = direction(random);
    addContact(g, k, 0, r, n, 0.1, {5e-5, 5e-5, 2e-6});
  }
  return g;
}

// With rows of length 1; those of a contact share the scale of the normal, so that its cone keeps its shape.
Rows makeRows(ContactFamily family, int contacts, bool frictional, std::mt19937& random) {
  const bool opposed = family == ContactFamily::zeroClearance;
  Rows rows = family == ContactFamily::stack ? stack(contacts, frictional, random)
              : family == ContactFamily::random
                  ? unrelated(contacts, frictional, random)
                  : bolt(contacts + (opposed ? contacts % 2 : 0), opposed, frictional, random);
  for (Eigen::Index k = 0; k < rows.g.cols(); k += rows.stride)
    rows.g.middleCols(k, rows.stride) /= rows.g.col(k).norm();
  return rows;
}

// b = w − A f of a complementary pair f, w ≥ 0. `idle`: share of pairs with both zero.
VectorXd fromSolution(const MatrixXd& A, double idle, std::mt19937& random) {
  VectorXd f = VectorXd::Zero(A.rows()), w = f;
  for (Eigen::Index k = 0; k < f.size(); ++k) {
    if (uniform(random, 0, 1) < idle) continue;
    (uniform(random, 0, 1) < 0.5 ? f : w)[k] = uniform(random, 0.1, 10);
  }
  return w - A * f;
}

// Gaps, many of them closed, plus what an accelerating body would close: b = δ + gᵀu. A solution exists, as
// the body could stay put (with friction: F. Cadoux, An optimization-based algorithm for Coulomb's frictional
// contact, ESAIM: Proceedings 27, 2009).
VectorXd fromPush(const Rows& rows, ContactFamily family, std::mt19937& random) {
  VectorXd u(rows.g.rows());
  for (Eigen::Index k = 0; k < u.size(); ++k) {
    // Boxes fall on each other, with friction also to the side.
    const bool falls = family == ContactFamily::stack && (k % 6 == 2 || rows.stride == 1);
    u[k] = falls ? (k % 6 == 2 ? -1 : 0) : uniform(random, -1, 1);
  }
  VectorXd b = rows.g.transpose() * u;
  const double clearance = family == ContactFamily::zeroClearance ? 0 : 0.3;
  for (Eigen::Index k = 0; rows.stride * k < b.size(); ++k) {
    if (family != ContactFamily::stack && k % 3 != 0) b[rows.stride * k] += uniform(random, 0, clearance);
  }
  return b;
}

}  // namespace

ContactLcp makeContactLcp(ContactFamily family, ContactLoad load, int contacts, std::mt19937& random) {
  const Rows rows = makeRows(family, contacts, false, random);
  ContactLcp problem;
  problem.A = rows.g.transpose() * rows.g;
  if (load == ContactLoad::physical) {
    problem.b = fromPush(rows, family, random);
  } else {
    problem.b = fromSolution(problem.A, load == ContactLoad::degenerate ? 0.7 : 0.0, random);
  }
  return problem;
}

ContactLcp makeFrictionalContacts(ContactFamily family, ContactLoad load, int contacts,
                                  std::mt19937& random) {
  const Rows rows = makeRows(family, contacts, true, random);
  const MatrixXd& g = rows.g;
  ContactLcp problem;
  problem.A = g.transpose() * g;
  for (Eigen::Index k = 0; k < g.cols(); k += 3) problem.mu.push_back(uniform(random, 0.05, 0.9));
  if (load == ContactLoad::physical) {
    problem.b = fromPush(rows, family, random);
    return problem;
  }
  // A third of the contacts separates, a third sticks, a third slides.
  VectorXd f = VectorXd::Zero(g.cols()), w = f;
  for (Eigen::Index k = 0; k < g.cols(); k += 3) {
    if (load == ContactLoad::degenerate && uniform(random, 0, 1) < 0.5) continue;
    const double state = uniform(random, 0, 3), angle = uniform(random, 0, 2 * pi);
    const Eigen::Vector2d along(std::cos(angle), std::sin(angle));
    const double share = state < 2 ? uniform(random, 0, 1) : 1;
    if (state < 1) w[k] = uniform(random, 0.1, 10);
    if (state >= 1) f[k] = uniform(random, 0.1, 10);
    f.segment<2>(k + 1) = -share * problem.mu[k / 3] * f[k] * along;
    if (state < 1 || state >= 2) w.segment<2>(k + 1) = uniform(random, 0.1, 10) * along;
  }
  problem.b = w - problem.A * f;
  return problem;
}

ContactLcp makeInfeasibleLcp(int contacts, std::mt19937& random) {
  MatrixXd g = makeRows(ContactFamily::random, contacts + 1, false, random).g;
  // The last contact faces the first; both are violated, and what opens one closes the other.
  g.col(contacts) = -g.col(0);
  ContactLcp problem;
  problem.A = g.transpose() * g;
  problem.b = VectorXd::NullaryExpr(contacts + 1, [&] { return uniform(random, -1, 1); });
  const VectorXd motion = g.transpose() * VectorXd::NullaryExpr(6, [&] { return uniform(random, -1, 1); });
  const double gap = uniform(random, 0.01, 1);
  problem.b[0] = motion[0] - gap;
  problem.b[contacts] = -motion[0] - gap;
  return problem;
}

std::string toText(ContactFamily family) {
  switch (family) {
    case ContactFamily::bolt:
      return "bolt";
    case ContactFamily::zeroClearance:
      return "zero clearance";
    case ContactFamily::stack:
      return "stack";
    case ContactFamily::random:
      return "random";
  }
  throw std::logic_error("no such family");
}

std::string toText(ContactLoad load) {
  switch (load) {
    case ContactLoad::constructed:
      return "constructed";
    case ContactLoad::degenerate:
      return "degenerate";
    case ContactLoad::physical:
      return "physical";
  }
  throw std::logic_error("no such load");
}

std::string testNameOf(ContactFamily family, ContactLoad load) {
  std::string name = toText(family) + "_" + toText(load);
  std::erase(name, ' ');
  return name;
}

}  // namespace tenon::tests
