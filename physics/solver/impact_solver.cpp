// See impact_solver.h.
#include "physics/solver/impact_solver.h"

#include <algorithm>
#include <cmath>

#include "physics/math/tolerances.h"

namespace tenon::physics {
namespace {

/// Slower approaches do not bounce [m/s]; nor do those up to twice what the step's own acceleration gives, as
/// every step pushes a resting part into its support.
constexpr double kSlowestBounce = 1e-3;
constexpr double kOwnAcceleration = 2;
/// Slower approaches are rounding of velocities [m/s].
constexpr double kMinApproach = 1e-9;
/// Contacts of one round approach at least this fast, relative to the fastest [-]: symmetric impacts are
/// simultaneous, and a ball that drifts against its neighbor at 1 mm/s does not become one body with it when
/// another one hits it.
constexpr double kSimultaneous = 0.5;
/// An impact has at most this many rounds plus one for each contact.
constexpr int kMinRounds = 20;
/// Contacts up to which Lemke's method is the fallback for Newton's: more would take seconds.
constexpr int kMaxLemkeContacts = 200;
/// Bisections for the fraction of the restitution that gains no energy.
constexpr int kRestitutionBisections = 8;
/// Energy that a round may gain by rounding, relative to the work of its impulses [-].
constexpr double kEnergyRounding = 1e-9;

bool touches(const ContactRow& row) {
  return row.contact.separation <= kMaxPenetration;
}

/// Thread flanks replace an equation of the screw joint, so they are part of every round.
bool isFlank(const ContactRow& row) {
  return row.key.isLimit() && row.mu > 0;
}

/// Bounces at an approach of w [m/s] < 0, of which `own` comes from the step's own acceleration.
bool bounces(const ContactRow& row, double w, double own) {
  return row.restitution > 0 && -w > std::max(kSlowestBounce, kOwnAcceleration * std::abs(own));
}

}  // namespace

// Contacts that touch now and approached each other at the start of the step.
bool ImpactSolver::findClosingContacts(const LinearizedContacts& problem) {
  closed_.assign(problem.rows.size(), 0);
  bool any = false;
  for (std::size_t k = 0; k < problem.rows.size(); ++k) {
    const ContactRow& row = problem.rows[k];
    if (!touches(row)) continue;
    const double before = LinearizedContacts::separationSpeed(row, problem.startVelocity);
    if (!bounces(row, before, LinearizedContacts::separationSpeed(row, problem.freeVelocity) - before))
      continue;
    closed_[k] = 1;
    any = true;
  }
  return any;
}

// Solves the problem in work_, to next_ and y_.
bool ImpactSolver::solveRows(double tolerance) {
  scaled_.build(work_, kRelativeCompliance);
  y_.assign(scaled_.size(), 0.0);
  v_.resize(scaled_.dimension());
  const double absoluteTolerance = std::max(tolerance * scaled_.scale(), 1e-18);
  bool solved = scaled_.isFreeMotionFeasible() || newton_.solve(scaled_, y_, absoluteTolerance).solved;
  if (!solved && scaled_.contacts() <= kMaxLemkeContacts) {
    std::fill(y_.begin(), y_.end(), 0.0);
    solved = lemke_.solve(scaled_, y_, absoluteTolerance).solved;
  }
  scaled_.velocity(y_, v_);
  scaled_.toVelocity(work_, v_, next_);
  return solved;
}

// Velocity at the end of the step without the closing contacts: weight, hands, joints, and other contacts.
bool ImpactSolver::solveNonImpactVelocity(const LinearizedContacts& problem) {
  work_.dt = problem.dt;
  work_.massFactor.assign(problem.massFactor.begin(), problem.massFactor.end());
  work_.freeVelocity.assign(problem.freeVelocity.begin(), problem.freeVelocity.end());
  work_.joints.assign(problem.joints.begin(), problem.joints.end());
  work_.rows.clear();
  for (std::size_t k = 0; k < problem.rows.size(); ++k)
    if (!closed_[k]) work_.rows.push_back(problem.rows[k]);
  if (!work_.joints.empty()) {
    work_.space.build(work_.massFactor, work_.joints);
    work_.space.computeClosingVelocity(work_.joints, work_.freeVelocity, work_.dt);
  }
  const bool solved = solveRows(kLinearTolerance);
  nonImpact_.assign(next_.begin(), next_.end());
  return solved;
}

// Fraction of the step's velocity change until the first contact closed: with the acceleration a over the
// distance δ₀ the approach w₀ grows to −√(w₀² − 2 a δ₀).
double ImpactSolver::fractionUntilContact(const LinearizedContacts& problem) const {
  double smallest = 1;
  for (std::size_t k = 0; k < problem.rows.size(); ++k) {
    if (!closed_[k]) continue;
    const ContactRow& row = problem.rows[k];
    const double before = LinearizedContacts::separationSpeed(row, problem.startVelocity),
                 own = LinearizedContacts::separationSpeed(row, nonImpact_) - before;
    if (own == 0) continue;
    const double distance = std::max(0.0, row.b0 - problem.dt * row.normalBias);
    const double squared = before * before - 2 * own / problem.dt * distance;
    const double share = (-std::sqrt(std::max(0.0, squared)) - before) / own;
    smallest = std::min(smallest, std::clamp(share, 0.0, 1.0));
  }
  return smallest;
}

void ImpactSolver::selectApproaching(const LinearizedContacts& problem, bool all) {
  work_.rows.clear();
  selected_.clear();
  double fastest = 0;
  for (const ContactRow& row : problem.rows)
    if (touches(row)) fastest = std::max(fastest, -LinearizedContacts::separationSpeed(row, u_));
  const double threshold = std::max(kMinApproach, kSimultaneous * fastest);
  for (std::size_t k = 0; k < problem.rows.size(); ++k) {
    const ContactRow& row = problem.rows[k];
    const bool approaches =
        touches(row) && (all || -LinearizedContacts::separationSpeed(row, u_) >= threshold);
    if (!approaches && !isFlank(row)) continue;
    selected_.push_back(static_cast<int>(k));
    work_.rows.push_back(row);
  }
}

// Work of the impulses on the mean of the velocities before and after.
double ImpactSolver::energyGained(const LinearizedContacts& problem) const {
  double gained = 0, moved = 0;
  const std::size_t stride = scaled_.frictional() ? 3 : 1;
  for (std::size_t n = 0; n < selected_.size(); ++n) {
    const ContactRow& row = problem.rows[selected_[n]];
    const auto force = [&](std::size_t i) {
      return scaled_.toForce(static_cast<int>(n), y_[stride * n + i]);
    };
    const double normal = force(0) * (LinearizedContacts::separationSpeed(row, u_) +
                                      LinearizedContacts::separationSpeed(row, next_));
    gained += normal;
    moved += std::abs(normal);
    if (stride == 1) continue;
    gained += Eigen::Vector2d(force(1), force(2))
                  .dot(LinearizedContacts::slidingVelocity(row, u_) +
                       LinearizedContacts::slidingVelocity(row, next_));
  }
  return gained - kEnergyRounding * moved;
}

void ImpactSolver::addImpulses(const LinearizedContacts& problem) {
  const std::size_t stride = scaled_.frictional() ? 3 : 1;
  for (std::size_t n = 0; n < selected_.size(); ++n) {
    if (y_[stride * n] == 0) continue;
    const ContactRow& row = problem.rows[selected_[n]];
    const auto impulse = [&](std::size_t i) {
      return problem.dt * scaled_.toForce(static_cast<int>(n), y_[stride * n + i]);
    };
    impulse_[selected_[n]] += impulse(0);
    if (stride == 3)
      frictionImpulse_[selected_[n]] += row.directions() * Eigen::Vector2d(impulse(1), impulse(2));
  }
  // Bodies that an impulse reached, and those that joints connect with them. The others keep their velocity:
  // closing their joints is not part of the impact.
  const std::span<const double> v(v_);
  for (int body = 0; body < problem.bodies(); ++body) {
    const bool jointed = !work_.joints.empty();
    const int first = jointed ? work_.space.firstBlock(body) : body;
    const int count = jointed ? work_.space.blockCount(body) : 1;
    for (int n = first; n < first + count; ++n)
      if (!block(v, n).isZero(0)) changed_[body] = 1;
    if (!changed_[body]) block(std::span(next_), body) = block(std::span<const double>(u_), body);
  }
  u_.swap(next_);
}

// Solves the rows in work_ with this fraction of the restitution; to next_ and y_.
bool ImpactSolver::solveRestitution(const LinearizedContacts& problem, double share) {
  for (std::size_t n = 0; n < selected_.size(); ++n) {
    ContactRow& row = work_.rows[n];
    const double w = LinearizedContacts::separationSpeed(row, u_);
    const double e = bounces(row, w, 0) ? share * row.restitution : 0;
    row.b0 = problem.dt * (row.normalBias + e * std::min(w, 0.0));
    row.compliance = 0;
  }
  return solveRows(kLinearTolerance);
}

// One round from the velocities in u_. With `all`, for all contacts that touch and without restitution, else
// for those that approach.
bool ImpactSolver::round(const LinearizedContacts& problem, bool all) {
  selectApproaching(problem, all);
  if (work_.rows.empty()) return true;
  work_.freeVelocity.assign(u_.begin(), u_.end());
  for (JointRows& joint : work_.joints) joint.b0 = problem.dt * joint.rateBias;
  if (!work_.joints.empty()) work_.space.computeClosingVelocity(work_.joints, work_.freeVelocity, work_.dt);
  if (!solveRestitution(problem, all ? 0 : 1)) return false;
  if (!all && energyGained(problem) > 0) {
    double low = 0, high = 1;
    for (int n = 0; n < kRestitutionBisections; ++n) {
      const double share = 0.5 * (low + high);
      if (!solveRestitution(problem, share)) return false;
      (energyGained(problem) > 0 ? high : low) = share;
    }
    if (!solveRestitution(problem, low)) return false;
  }
  addImpulses(problem);
  return true;
}

ImpactReport ImpactSolver::solve(const LinearizedContacts& problem) {
  ImpactReport report;
  if (!findClosingContacts(problem)) return report;
  report.happened = true;
  changed_.assign(problem.bodies(), 0);
  impulse_.assign(problem.rows.size(), 0.0);
  frictionImpulse_.assign(problem.rows.size(), Vector3d(0, 0, 0));
  report.solved = solveNonImpactVelocity(problem);
  if (!report.solved) return report;
  const double share = report.share = fractionUntilContact(problem);
  u_.resize(nonImpact_.size());
  for (std::size_t i = 0; i < u_.size(); ++i)
    u_[i] = problem.startVelocity[i] + share * (nonImpact_[i] - problem.startVelocity[i]);

  const int maxRounds = kMinRounds + problem.contacts();
  for (report.rounds = 0; report.rounds < maxRounds; ++report.rounds) {
    bool fast = false, any = false;
    for (const ContactRow& row : problem.rows) {
      const double w = touches(row) ? LinearizedContacts::separationSpeed(row, u_) : 0;
      any = any || w < -kMinApproach;
      fast = fast || (w < -kMinApproach && bounces(row, w, 0));
    }
    if (!any) return report;
    if (!fast) break;
    report.solved = round(problem, false);
    if (!report.solved) return report;
  }
  report.solved = round(problem, true);
  return report;
}

}  // namespace tenon::physics
