// See impact_solver.h.
#include "physics/solver/impact_solver.h"

#include <algorithm>
#include <cmath>

#include "physics/math/tolerances.h"

namespace tenon::physics {
namespace {

/// Slower approaches do not bounce [m/s]; nor do those that the step's own acceleration gives twice over: a
/// part that lies still is pushed into its support by every step.
constexpr double kSlowestBounce = 1e-3;
constexpr double kOwnAcceleration = 2;
/// Slower ones are none [m/s]: rounding of velocities.
constexpr double kStill = 1e-9;
/// Contacts of one round approach at least this fast, by the fastest of all [-]: what is symmetric happens
/// together, and a ball that drifts against its neighbour at 1 mm/s does not become one body with it when
/// another one hits it.
constexpr double kTogether = 0.5;
/// Rounds of which the impact may take this many, and as many more as there are contacts.
constexpr int kRounds = 20;
/// Contacts up to which Lemke's method is called where Newton's has failed: more would take it seconds.
constexpr int kMaxLemkeContacts = 200;
/// Of the restitution's share that a round can have without a gain of energy.
constexpr int kHalvings = 8;
/// Energy that a round may gain by rounding, of what its impulses move [-].
constexpr double kGain = 1e-9;

bool touches(const ContactRow& row) {
  return row.contact.separation <= kMaxPenetration;
}

/// A thread's flanks stand for an equation of the screw's joint, and so are part of every round.
bool isFlank(const ContactRow& row) {
  return row.key.isLimit() && row.mu > 0;
}

/// Bounces at an approach of w [m/s] < 0, of which `own` comes from the step's own acceleration.
bool bounces(const ContactRow& row, double w, double own) {
  return row.restitution > 0 && -w > std::max(kSlowestBounce, kOwnAcceleration * std::abs(own));
}

}  // namespace

// Those that touch now and approached each other when the step began.
bool ImpactSolver::findMeeting(const LinearizedContacts& problem) {
  meets_.assign(problem.rows.size(), 0);
  bool any = false;
  for (std::size_t k = 0; k < problem.rows.size(); ++k) {
    const ContactRow& row = problem.rows[k];
    if (!touches(row)) continue;
    const double before = LinearizedContacts::separationSpeed(row, problem.startVelocity);
    if (!bounces(row, before, LinearizedContacts::separationSpeed(row, problem.freeVelocity) - before))
      continue;
    meets_[k] = 1;
    any = true;
  }
  return any;
}

// Solves what is in work_, to next_ and y_.
bool ImpactSolver::solveRows(double tolerance) {
  form_.build(work_, kRelativeCompliance);
  y_.assign(form_.size(), 0.0);
  v_.resize(form_.dimension());
  const double wanted = std::max(tolerance * form_.scale(), 1e-18);
  bool solved = form_.isFreeMotionFeasible() || newton_.solve(form_, y_, wanted).solved;
  if (!solved && form_.contacts() <= kMaxLemkeContacts) {
    std::fill(y_.begin(), y_.end(), 0.0);
    solved = lemke_.solve(form_, y_, wanted).solved;
  }
  form_.velocity(y_, v_);
  form_.toVelocity(work_, v_, next_);
  return solved;
}

// What the step would do without the contacts that meet: weight, hands, joints, and other contacts.
bool ImpactSolver::smoothVelocity(const LinearizedContacts& problem) {
  work_.dt = problem.dt;
  work_.massFactor.assign(problem.massFactor.begin(), problem.massFactor.end());
  work_.freeVelocity.assign(problem.freeVelocity.begin(), problem.freeVelocity.end());
  work_.joints.assign(problem.joints.begin(), problem.joints.end());
  work_.rows.clear();
  for (std::size_t k = 0; k < problem.rows.size(); ++k)
    if (!meets_[k]) work_.rows.push_back(problem.rows[k]);
  if (!work_.joints.empty()) {
    work_.space.build(work_.massFactor, work_.joints);
    work_.space.close(work_.joints, work_.freeVelocity, work_.dt);
  }
  const bool solved = solveRows(kLinearTolerance);
  smooth_.assign(next_.begin(), next_.end());
  return solved;
}

// Of the step, in velocity, until the first contact met: with the acceleration a over the way δ₀ the approach
// w₀ grows to −√(w₀² − 2 a δ₀).
double ImpactSolver::shareUntilMeeting(const LinearizedContacts& problem) const {
  double least = 1;
  for (std::size_t k = 0; k < problem.rows.size(); ++k) {
    if (!meets_[k]) continue;
    const ContactRow& row = problem.rows[k];
    const double before = LinearizedContacts::separationSpeed(row, problem.startVelocity),
                 own = LinearizedContacts::separationSpeed(row, smooth_) - before;
    if (own == 0) continue;
    const double way = std::max(0.0, row.b0 - problem.dt * row.normalBias);
    const double squared = before * before - 2 * own / problem.dt * way;
    const double share = (-std::sqrt(std::max(0.0, squared)) - before) / own;
    least = std::min(least, std::clamp(share, 0.0, 1.0));
  }
  return least;
}

void ImpactSolver::takeApproaching(const LinearizedContacts& problem, bool all) {
  work_.rows.clear();
  taken_.clear();
  double fastest = 0;
  for (const ContactRow& row : problem.rows)
    if (touches(row)) fastest = std::max(fastest, -LinearizedContacts::separationSpeed(row, u_));
  const double least = std::max(kStill, kTogether * fastest);
  for (std::size_t k = 0; k < problem.rows.size(); ++k) {
    const ContactRow& row = problem.rows[k];
    const bool approaches = touches(row) && (all || -LinearizedContacts::separationSpeed(row, u_) >= least);
    if (!approaches && !isFlank(row)) continue;
    taken_.push_back(static_cast<int>(k));
    work_.rows.push_back(row);
  }
}

// Work of the impulses on the mean of the velocities before and after.
double ImpactSolver::energyGained(const LinearizedContacts& problem) const {
  double gained = 0, moved = 0;
  const std::size_t stride = form_.frictional() ? 3 : 1;
  for (std::size_t n = 0; n < taken_.size(); ++n) {
    const ContactRow& row = problem.rows[taken_[n]];
    const auto force = [&](std::size_t i) { return form_.toForce(static_cast<int>(n), y_[stride * n + i]); };
    const double normal = force(0) * (LinearizedContacts::separationSpeed(row, u_) +
                                      LinearizedContacts::separationSpeed(row, next_));
    gained += normal;
    moved += std::abs(normal);
    if (stride == 1) continue;
    gained += Eigen::Vector2d(force(1), force(2))
                  .dot(LinearizedContacts::slidingVelocity(row, u_) +
                       LinearizedContacts::slidingVelocity(row, next_));
  }
  return gained - kGain * moved;
}

void ImpactSolver::keep(const LinearizedContacts& problem) {
  const std::size_t stride = form_.frictional() ? 3 : 1;
  for (std::size_t n = 0; n < taken_.size(); ++n) {
    if (y_[stride * n] == 0) continue;
    const ContactRow& row = problem.rows[taken_[n]];
    const auto impulse = [&](std::size_t i) {
      return problem.dt * form_.toForce(static_cast<int>(n), y_[stride * n + i]);
    };
    impulse_[taken_[n]] += impulse(0);
    if (stride == 3)
      frictionImpulse_[taken_[n]] += row.directions() * Eigen::Vector2d(impulse(1), impulse(2));
  }
  // Those that an impulse reached, and what joints connect with them. Others keep what they had: closing
  // their joints is not the impact's business.
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

// What is in work_ and taken_, with this share of the restitution; to next_ and y_.
bool ImpactSolver::bounceBack(const LinearizedContacts& problem, double share) {
  for (std::size_t n = 0; n < taken_.size(); ++n) {
    ContactRow& row = work_.rows[n];
    const double w = LinearizedContacts::separationSpeed(row, u_);
    const double e = bounces(row, w, 0) ? share * row.restitution : 0;
    row.b0 = problem.dt * (row.normalBias + e * std::min(w, 0.0));
    row.compliance = 0;
  }
  return solveRows(kLinearTolerance);
}

// One round from the velocities in u_. With `all`, of all contacts that touch and without restitution, else
// of those that approach.
bool ImpactSolver::round(const LinearizedContacts& problem, bool all) {
  takeApproaching(problem, all);
  if (work_.rows.empty()) return true;
  work_.freeVelocity.assign(u_.begin(), u_.end());
  for (JointRows& joint : work_.joints) joint.b0 = problem.dt * joint.normalBias;
  if (!work_.joints.empty()) work_.space.close(work_.joints, work_.freeVelocity, work_.dt);
  if (!bounceBack(problem, all ? 0 : 1)) return false;
  if (!all && energyGained(problem) > 0) {
    double low = 0, high = 1;
    for (int n = 0; n < kHalvings; ++n) {
      const double share = 0.5 * (low + high);
      if (!bounceBack(problem, share)) return false;
      (energyGained(problem) > 0 ? high : low) = share;
    }
    if (!bounceBack(problem, low)) return false;
  }
  keep(problem);
  return true;
}

ImpactReport ImpactSolver::solve(const LinearizedContacts& problem) {
  ImpactReport report;
  if (!findMeeting(problem)) return report;
  report.happened = true;
  changed_.assign(problem.bodies(), 0);
  impulse_.assign(problem.rows.size(), 0.0);
  frictionImpulse_.assign(problem.rows.size(), Vector3d(0, 0, 0));
  report.solved = smoothVelocity(problem);
  if (!report.solved) return report;
  const double share = report.share = shareUntilMeeting(problem);
  u_.resize(smooth_.size());
  for (std::size_t i = 0; i < u_.size(); ++i)
    u_[i] = problem.startVelocity[i] + share * (smooth_[i] - problem.startVelocity[i]);

  const int most = kRounds + problem.contacts();
  for (report.rounds = 0; report.rounds < most; ++report.rounds) {
    bool fast = false, any = false;
    for (const ContactRow& row : problem.rows) {
      const double w = touches(row) ? LinearizedContacts::separationSpeed(row, u_) : 0;
      any = any || w < -kStill;
      fast = fast || (w < -kStill && bounces(row, w, 0));
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
