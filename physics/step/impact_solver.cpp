// See impact_solver.h.
#include "physics/step/impact_solver.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "physics/math/tolerances.h"
#include "physics/solver/residuals.h"

namespace tenon::physics {
namespace {

/// Slower approaches do not bounce [m/s]; nor do those up to twice what the step's own acceleration gives, as
/// every step pushes a resting part into its support.
constexpr double kSlowestBounce = 1e-3;
constexpr double kOwnAcceleration = 2;
/// Slower approaches are rounding of velocities [m/s]; and smaller changes, relative to the velocity [-].
constexpr double kMinApproach = 1e-9, kVelocityRounding = 1e-9;
/// Contacts of one round approach at least this fast, relative to the fastest [-]: symmetric impacts are
/// simultaneous, and a ball that drifts against its neighbor at 1 mm/s does not become one body with it when
/// another one hits it.
constexpr double kSimultaneous = 0.5;
/// An impact has at most this many rounds plus one for each contact.
constexpr int kMinRounds = 20;
/// Compliance of the only contact of a round, relative to its A_kk [-]. It replaces kRelativeCompliance,
/// which redundant contacts need, and of which each of the 200 rounds in a chain of 200 balls would lose a
/// part.
constexpr double kSingleCompliance = 1e-14;
/// Least cosine between normals of one contact [-].
constexpr double kSameNormal = 1 - 1e-12;
/// Bisections for the fraction of the restitution that gains no energy.
constexpr int kRestitutionBisections = 8;
/// Energy that a round may gain by rounding, relative to the work of its impulses [-].
constexpr double kEnergyRounding = 1e-9;

/// Thread flanks replace an equation of the helical joint, so they are part of every round.
bool isFlank(const ContactRow& row) {
  return row.key.isLimit() && row.mu > 0;
}

/// True where an impact changes velocities: with restitution, and where a swept contact stopped a body on its
/// way, which is the whole approach even if the step ends elsewhere.
bool isImpact(const ContactRow& row) {
  return row.restitution > 0 || row.key.isSwept();
}

/// A body of the island on which the row acts.
int bodyOf(const ContactRow& row) {
  return row.a >= 0 ? row.a : row.b;
}

}  // namespace

// Separation speed at the start of the step that a track between the surfaces explains: the rotation of its
// normal in this step, and the chord of the last step, along which bodies move at its start.
double ImpactSolver::curvatureSpeed(const LinearizedContacts& problem, const ContactRow& row) {
  if (row.normalRotationSpeed == 0) return 0;
  const double atStart =
      LinearizedContacts::separationSpeed(row, problem.startVelocity) - row.normalRotationSpeed;
  const double chord = problem.lastStep * row.normalRotationSpeed;
  return row.normalRotationSpeed + std::clamp(atStart, std::min(0.0, chord), std::max(0.0, chord));
}

// True where the surfaces neither approached nor separated at the start of the step, and do not separate at
// its end, up to the tolerance of positions and the curvature of their track. Between free bodies they do not
// approach there either: the force, along the normal of the start, would have added energy.
bool ImpactSolver::isResting(const LinearizedContacts& problem, const ContactRow& row,
                             std::span<const double> end) {
  const double before = LinearizedContacts::separationSpeed(row, problem.startVelocity) -
                        curvatureSpeed(problem, row),
               after = LinearizedContacts::separationSpeed(row, end) - std::max(0.0, row.normalRotationSpeed);
  const bool isFree = row.a >= 0 && row.b >= 0;
  return std::max(std::abs(before), isFree ? std::abs(after) : after) <= kPenetrationTolerance / problem.dt;
}

// Contacts that touch now, and those that carried force in the step: a step that did not converge, or one of
// Accuracy::fast, leaves gaps at these. Where the bodies stopped, those that would close. A body takes part
// where a contact with restitution that carried force moves: the step may have added energy there.
void ImpactSolver::findContacts(const LinearizedContacts& problem, const ContactSolution& solution,
                                bool stopped) {
  acts_.resize(problem.rows.size());
  takesPart_.assign(problem.bodies(), 0);
  for (std::size_t k = 0; k < problem.rows.size(); ++k) {
    const ContactRow& row = problem.rows[k];
    acts_[k] = row.contact.separation <= kMaxPenetration ||
               (stopped && problem.distance(row, problem.freeVelocity) <= 0);
    if (stopped && acts_[k] && row.key.isSwept()) takesPart_[bodyOf(row)] = 1;
  }
  double largest = 0;
  for (const double f : solution.f) largest = std::max(largest, f);
  ContactMatcher matcher(problem);
  for (std::size_t k = 0; k < solution.f.size(); ++k) {
    if (solution.f[k] <= kNegligibleForce * largest || solution.solved[k].key.isLimit()) continue;
    const ContactRow* row = matcher.match(solution.solved[k]);
    if (row) acts_[row - problem.rows.data()] = 1;
    if (isImpact(solution.solved[k]) && !(row && isResting(problem, *row, solution.u)))
      takesPart_[bodyOf(solution.solved[k])] = 1;
  }
  // A swept contact that touches at the end too is one contact, not two that share the impulse.
  for (std::size_t k = 1; k < problem.rows.size(); ++k) {
    const ContactRow &row = problem.rows[k], &last = problem.rows[k - 1];
    if (row.key.isSwept() && acts_[k] && !last.key.isSwept() && last.key == row.key.withoutCut() &&
        last.contact.n.dot(row.contact.n) > kSameNormal)
      acts_[k - 1] = 0;
  }
}

bool ImpactSolver::bounces(const LinearizedContacts& problem, const ContactRow& row, double w) {
  const double own = LinearizedContacts::separationSpeed(row, problem.freeVelocity) -
                     LinearizedContacts::separationSpeed(row, problem.startVelocity);
  return row.restitution > 0 && std::min(0.0, curvatureSpeed(problem, row)) - w >
                                    std::max(kSlowestBounce, kOwnAcceleration * std::abs(own));
}

// Contacts of the impact that approached each other at the start of the step.
void ImpactSolver::findClosing(const LinearizedContacts& problem) {
  closed_.resize(problem.rows.size());
  for (std::size_t k = 0; k < problem.rows.size(); ++k) {
    const ContactRow& row = problem.rows[k];
    closed_[k] =
        acts_[k] && bounces(problem, row, LinearizedContacts::separationSpeed(row, problem.startVelocity));
  }
}

// Groups of bodies that contacts of the impact, forces of the step or joints connect. The velocity of a body
// outside the groups with an impact does not depend on bodies in them.
bool ImpactSolver::findGroups(const LinearizedContacts& problem, const ContactSolution& solution,
                              bool stopped) {
  groups_.reset(problem.bodies());
  const auto join = [this](int a, int b) {
    if (a >= 0 && b >= 0) groups_.join(a, b);
  };
  for (std::size_t k = 0; k < problem.rows.size(); ++k)
    if (acts_[k]) join(problem.rows[k].a, problem.rows[k].b);
  for (std::size_t k = 0; k < solution.f.size(); ++k)
    if (solution.f[k] > 0) join(solution.solved[k].a, solution.solved[k].b);
  for (const JointRows& joint : problem.joints) join(joint.a, joint.b);
  for (std::size_t k = 0; k < problem.rows.size(); ++k)
    if (closed_[k]) takesPart_[bodyOf(problem.rows[k])] = 1;
  if (std::find(takesPart_.begin(), takesPart_.end(), 1) == takesPart_.end()) return false;
  if (stopped) takesPart_.assign(problem.bodies(), 1);
  for (int i = 0; i < problem.bodies(); ++i)
    if (takesPart_[i]) takesPart_[groups_.root(i)] = 1;
  for (int i = 0; i < problem.bodies(); ++i) takesPart_[i] = takesPart_[groups_.root(i)];
  for (std::size_t k = 0; k < problem.rows.size(); ++k)
    acts_[k] = acts_[k] && takesPart_[bodyOf(problem.rows[k])];
  return true;
}

// The impacts in work_ with the restitutions in restitution_, all at the same time; to y_.
bool ImpactSolver::solveByBaraff() {
  if (!baraff_ || scaled_.frictional()) return false;
  all_.resize(work_.rows.size());
  std::iota(all_.begin(), all_.end(), 0);
  next_.assign(work_.freeVelocity.begin(), work_.freeVelocity.end());
  if (!baraff_->solveImpacts(work_, work_.rows, all_, restitution_, next_, roundImpulse_).solved)
    return false;
  for (std::size_t k = 0; k < all_.size(); ++k)
    y_[3 * k] = scaled_.toScaled(static_cast<int>(k), roundImpulse_[k] / work_.dt);
  return true;
}

// Solves the problem in work_, an impact or a part of the step, to next_ and y_. Unsolved, without forces.
bool ImpactSolver::solveRows(bool isImpact) {
  scaled_.build(work_, work_.rows.size() == 1 ? kSingleCompliance : kRelativeCompliance);
  y_.assign(scaled_.size(), 0.0);
  v_.resize(scaled_.dimension());
  const double tolerance = std::max(kLinearTolerance * scaled_.scale(), kLinearFloor);
  bool solved = scaled_.isFreeMotionFeasible() || (isImpact && solveByBaraff()) ||
                newton_.solve(scaled_, y_, tolerance).solved;
  if (!solved && scaled_.contacts() <= LemkeFixpoint::kMaxContacts) {
    std::fill(y_.begin(), y_.end(), 0.0);
    solved = lemke_.solve(scaled_, y_, tolerance).solved;
  }
  if (!solved) std::fill(y_.begin(), y_.end(), 0.0);
  scaled_.velocity(y_, v_);
  scaled_.toVelocity(work_, v_, next_);
  return solved;
}

// Velocity at the end of the step without the closing contacts: weight, hands, joints, and `withSupport` the
// other contacts, which must not approach.
void ImpactSolver::solveWithoutImpact(const LinearizedContacts& problem, bool withSupport) {
  work_.dt = problem.dt;
  work_.massFactor.assign(problem.massFactor.begin(), problem.massFactor.end());
  work_.freeVelocity.assign(problem.freeVelocity.begin(), problem.freeVelocity.end());
  work_.joints.assign(problem.joints.begin(), problem.joints.end());
  work_.rows.clear();
  for (std::size_t k = 0; k < problem.rows.size(); ++k) {
    const ContactRow& row = problem.rows[k];
    const bool isLimit = row.key.isLimit();
    if (!takesPart_[bodyOf(row)] || !(isLimit || (withSupport && acts_[k] && !closed_[k]))) continue;
    work_.rows.push_back(row);
    if (!isLimit) work_.rows.back().b0 = problem.dt * row.normalBias;
  }
  if (!work_.joints.empty()) {
    work_.space.build(work_.massFactor, work_.joints);
    work_.space.computeClosingVelocity(work_.joints, work_.freeVelocity, work_.dt);
  }
  solveRows(false);
  withoutImpact_.assign(next_.begin(), next_.end());
}

// Fraction of the step's velocity change until the first contact closed: with the acceleration a over the
// distance δ₀ the approach w₀ grows to −√(w₀² − 2 a δ₀). Bodies in free fall do not accelerate against each
// other.
double ImpactSolver::fractionUntilContact(const LinearizedContacts& problem) {
  if (std::find(closed_.begin(), closed_.end(), 1) == closed_.end()) return 1;
  solveWithoutImpact(problem, true);
  double smallest = 1;
  for (std::size_t k = 0; k < problem.rows.size(); ++k) {
    if (!closed_[k]) continue;
    const ContactRow& row = problem.rows[k];
    const double before = LinearizedContacts::separationSpeed(row, problem.startVelocity),
                 own = LinearizedContacts::separationSpeed(row, withoutImpact_) - before;
    if (std::abs(own) <= kVelocityRounding * std::abs(before)) continue;
    const double distance = std::max(0.0, row.b0 - problem.dt * row.normalBias);
    const double squared = before * before - 2 * own / problem.dt * distance;
    const double share = (-std::sqrt(std::max(0.0, squared)) - before) / own;
    smallest = std::min(smallest, std::clamp(share, 0.0, 1.0));
  }
  return smallest;
}

bool ImpactSolver::begin(const LinearizedContacts& problem, const ContactSolution& solution, bool stopped,
                         bool all) {
  findContacts(problem, solution, stopped);
  if (all) takesPart_.assign(problem.bodies(), 1);
  findClosing(problem);
  if (!findGroups(problem, solution, stopped)) return false;
  share_ = stopped ? 0 : fractionUntilContact(problem);
  solveWithoutImpact(problem, false);
  u_.assign(problem.startVelocity.begin(), problem.startVelocity.end());
  return true;
}

void ImpactSolver::setBody(int body, const Vector6d& velocity, const Matrix6d& massFactor) {
  block(std::span(u_), body) = velocity;
  work_.massFactor[body] = massFactor;
}

ImpactSolver::Approach ImpactSolver::approach(const LinearizedContacts& problem) const {
  Approach found = Approach::none;
  for (std::size_t k = 0; k < problem.rows.size(); ++k) {
    if (!acts_[k]) continue;
    const double w = LinearizedContacts::separationSpeed(problem.rows[k], u_);
    if (!(w < -kMinApproach)) continue;
    if (bounces(problem, problem.rows[k], w)) return Approach::fast;
    found = Approach::slow;
  }
  return found;
}

// The contacts of the next round.
void ImpactSolver::select(const LinearizedContacts& problem, Selection selection) {
  work_.rows.clear();
  selected_.clear();
  double fastest = 0;
  std::size_t first = problem.rows.size();
  for (std::size_t k = 0; k < problem.rows.size(); ++k) {
    if (!acts_[k]) continue;
    const double w = LinearizedContacts::separationSpeed(problem.rows[k], u_);
    if (-w > fastest) {
      fastest = -w;
      first = k;
    }
  }
  const double threshold = std::max(kMinApproach, kSimultaneous * fastest);
  for (std::size_t k = 0; k < problem.rows.size(); ++k) {
    const ContactRow& row = problem.rows[k];
    const auto isSelected = [&] {
      switch (selection) {
        case Selection::support:
          return !closed_[k];
        case Selection::fast:
          return -LinearizedContacts::separationSpeed(row, u_) >= threshold;
        case Selection::fastest:
          return k == first;
        case Selection::all:
          break;
      }
      return true;
    };
    if (!(acts_[k] && isSelected()) && !(isFlank(row) && takesPart_[bodyOf(row)])) continue;
    selected_.push_back(static_cast<int>(k));
    work_.rows.push_back(row);
  }
}

// Work of the impulses on the mean of the velocities before and after.
double ImpactSolver::energyGained(const LinearizedContacts& problem) const {
  double gained = 0, moved = 0;
  for (std::size_t n = 0; n < selected_.size(); ++n) {
    const ContactRow& row = problem.rows[selected_[n]];
    const Vector3d force = scaled_.forceOf(static_cast<int>(n), y_);
    const double before = LinearizedContacts::separationSpeed(row, u_),
                 after = LinearizedContacts::separationSpeed(row, next_);
    gained += force[0] * (before + after);
    moved += force[0] * (std::abs(before) + std::abs(after));
    if (row.mu > 0)
      gained += force.tail<2>().dot(LinearizedContacts::slidingVelocity(row, u_) +
                                    LinearizedContacts::slidingVelocity(row, next_));
  }
  return gained - kEnergyRounding * moved;
}

void ImpactSolver::addImpulses(const LinearizedContacts& problem) {
  for (std::size_t n = 0; n < selected_.size(); ++n) {
    const Vector3d impulse = problem.dt * scaled_.forceOf(static_cast<int>(n), y_);
    if (impulse[0] == 0) continue;
    impulse_[selected_[n]] += impulse[0];
    if (problem.rows[selected_[n]].mu > 0)
      frictionImpulse_[selected_[n]] += problem.rows[selected_[n]].directions() * impulse.tail<2>();
  }
  // Bodies that an impulse reached, and those that joints connect with them. The others keep their velocity:
  // closing their joints is not part of the impact.
  const std::span<const double> v(v_);
  for (int body = 0; body < problem.bodies(); ++body) {
    const bool jointed = !work_.joints.empty();
    const int first = jointed ? work_.space.firstBlock(body) : body;
    const int count = jointed ? work_.space.blockCount(body) : 1;
    for (int n = first; n < first + count; ++n)
      if (!block(v, n).isZero(0)) reached_[body] = 1;
    if (!reached_[body]) block(std::span(next_), body) = block(std::span<const double>(u_), body);
  }
  u_.swap(next_);
}

// Solves the rows in work_ with this fraction of the restitution; to next_ and y_.
bool ImpactSolver::solveRestitution(const LinearizedContacts& problem, double share) {
  restitution_.clear();
  for (std::size_t n = 0; n < selected_.size(); ++n) {
    ContactRow& row = work_.rows[n];
    const double w = LinearizedContacts::separationSpeed(row, u_);
    const double e = bounces(problem, row, w) ? share * row.restitution : 0;
    row.b0 =
        problem.dt * (row.normalBias + e * std::min(w - std::min(0.0, curvatureSpeed(problem, row)), 0.0));
    row.compliance = 0;
    restitution_.push_back(e);
  }
  return solveRows(true);
}

// One round from the velocities in u_, with restitution (1) or without (0). False where it is unsolved; then
// u_ keeps its values.
bool ImpactSolver::round(const LinearizedContacts& problem, Selection selection, double restitution) {
  select(problem, selection);
  work_.freeVelocity.assign(u_.begin(), u_.end());
  for (JointRows& joint : work_.joints) joint.b0 = problem.dt * joint.rateBias;
  if (!work_.joints.empty()) work_.space.computeClosingVelocity(work_.joints, work_.freeVelocity, work_.dt);
  if (!solveRestitution(problem, restitution)) return false;
  if (restitution > 0 && energyGained(problem) > 0) {
    double low = 0, high = restitution;
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

ImpactReport ImpactSolver::resolve(const LinearizedContacts& problem) {
  ImpactReport report;
  reached_.assign(problem.bodies(), 0);
  impulse_.assign(problem.rows.size(), 0.0);
  frictionImpulse_.assign(problem.rows.size(), Vector3d(0, 0, 0));
  if (!work_.joints.empty()) work_.space.build(work_.massFactor, work_.joints);

  const int maxRounds = kMinRounds + problem.contacts();
  round(problem, Selection::support, 0);
  Approach approaching = approach(problem);
  for (; approaching == Approach::fast && report.rounds < maxRounds; ++report.rounds) {
    if (!round(problem, Selection::fast, 1) && !round(problem, Selection::fastest, 1)) break;
    approaching = approach(problem);
  }
  if (approaching == Approach::none || round(problem, Selection::all, 0)) return report;
  for (int n = 0; n < maxRounds && approaching != Approach::none; ++n) {
    if (!round(problem, Selection::fastest, 0)) break;
    approaching = approach(problem);
  }
  report.solved = approaching == Approach::none;
  return report;
}

}  // namespace tenon::physics
