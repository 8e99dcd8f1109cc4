// See residuals.h.
#include "physics/solver/residuals.h"

#include <algorithm>
#include <cmath>

#include "physics/contact/coulomb_law.h"
#include "physics/math/tolerances.h"

namespace tenon::physics {

namespace {

/// Gap of a contact that carries force and is no longer found: larger than any part [m].
constexpr double kLostContact = 1e3;

/// Displacement of a compliant contact by its solved force [m]. One between compliant materials that the
/// solution lacks, such as the deepest point of nearly parallel faces, yields as the nearest one does.
double yieldOf(const ContactRow& row, const ContactSolution& solution) {
  if (row.compliance == 0) return 0;
  const ContactRow* solved = findRow(solution.solved, row.key);
  if (!solved && !row.rigid)
    solved = nearestRow(solution.solved, row.key.pair, row.contact.p, &row.contact.n);
  return solved ? solved->compliance * solution.f[solved - solution.solved.data()] : 0;
}

}  // namespace

Residuals evaluate(const LinearizedContacts& problem, const ContactSolution& solution) {
  Residuals reached;
  reached.penetration = reached.gap = reached.significantGap = reached.rigidError = reached.jointError = 0;
  for (const JointRows& joint : problem.joints)
    for (int e = 0; e < joint.count; ++e)
      reached.jointError = nanMax(reached.jointError, std::abs(joint.phi[e]));
  for (const ContactRow& row : problem.rows) {
    const double overlap = -row.contact.separation - yieldOf(row, solution);
    reached.penetration = nanMax(reached.penetration, overlap);
    if (row.rigid) reached.rigidError = nanMax(reached.rigidError, overlap);
    // The compliance of frictional contacts does not excuse more than kMaxPenetration; a material pair's own
    // does.
    if (row.rigid && -row.contact.separation > kMaxPenetration)
      reached.penetration = nanMax(reached.penetration, -row.contact.separation);
  }
  ContactMatcher matcher(problem);
  double largest = 0;
  for (double f : solution.f) largest = std::max(largest, f);
  for (std::size_t k = 0; k < solution.f.size(); ++k) {
    if (solution.f[k] <= kNegligibleForce * largest) continue;
    const ContactRow* row = matcher.match(solution.solved[k]);
    const double yield = solution.solved[k].compliance * solution.f[k];
    const double gap = row ? std::abs(row->contact.separation + yield) : kLostContact;
    reached.gap = nanMax(reached.gap, gap);
    if (solution.solved[k].rigid) reached.rigidError = nanMax(reached.rigidError, gap);
    if (solution.f[k] <= kSignificantForce * largest) continue;
    const ContactKey& key = solution.solved[k].key;
    if (row ? row->key == key : !nearestRow(problem.rows, key.pair, solution.solved[k].contact.p, nullptr))
      reached.significantGap = nanMax(reached.significantGap, gap);
  }
  return reached;
}

double residualInNewtons(const LinearizedContacts& problem, const ContactSolution& solution) {
  double residual = 0;
  ContactMatcher matcher(problem);
  for (const ContactRow& row : problem.rows)
    if (const double gap = row.contact.separation + yieldOf(row, solution); !(gap >= 0))
      residual = nanMax(residual, complementarityError(0, gap / problem.effectiveCompliance(row)));
  for (std::size_t k = 0; k < solution.f.size(); ++k) {
    const double f = solution.f[k];
    if (!(f > 0)) continue;
    const ContactRow* row = matcher.match(solution.solved[k]);
    if (!row) {
      residual = nanMax(residual, std::max(f, solution.friction[k].norm()));
      continue;
    }
    const double share = problem.effectiveCompliance(*row), mu = row->mu;
    const double gap = (row->contact.separation + solution.solved[k].compliance * f) / share;
    if (!(mu > 0)) {
      residual = nanMax(residual, complementarityError(f, gap));
      continue;
    }
    Vector3d y, z;
    y << f, row->directions().transpose() * solution.friction[k];
    z << gap, problem.dt * LinearizedContacts::slidingVelocity(*row, solution.u) / share;
    residual = nanMax(residual, coulombErrorSize(y, z, mu, 1));
  }
  return residual;
}

}  // namespace tenon::physics
