// See baraff.h.
#include "physics/solver/lcp/baraff.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace tenon::physics {
namespace {

/// Smallest Schur complement of a row that does not depend on C, relative to 1.
constexpr double kMinSchurComplement = 1e-13;
/// If a contact's own force lowers its acceleration by this much, relative to 1, A is indefinite.
constexpr double kIndefinite = 1e-6;
/// Changes below this are zero, relative to the largest.
constexpr double kNoChange = 1e-12;
/// Steps this close to the shortest are ties, relative to the motion so far.
constexpr double kStepTie = 1e-13;
constexpr int kBaraffFirstSteps = 100, kBaraffStepsPerRow = 20;
constexpr int kBaraffRefinements = 2;
/// Negative acceleration left at contacts that are deferred or were treated before, relative to that left at
/// others [-].
constexpr double kDeferredLimit = 100;
/// Share of the tolerance that may be left at these [-]; the rest is a margin for rounding.
constexpr double kDeferredShare = 0.3;
/// Of the random numbers.
constexpr std::uint64_t kMultiplier = 6364136223846793005u;

constexpr std::string_view kCyclesAtEveryContact =
    "cycled in steps of zero length at every remaining contact";

}  // namespace

std::string_view Baraff::unsupported(const DenseProblem& problem) const {
  if (problem.frictional()) return dense_reason::kFriction;
  return problem.symmetric() ? std::string_view() : dense_reason::kNotSymmetric;
}

void Baraff::reserveOwn(int size) {
  for (auto* v : {&state_, &savedState_}) v->resize(size);
  for (auto* v : {&deferred_, &moved_}) v->resize(size);
  rank_.resize(size);
  clamped_.reserve(size);
  factor_.reserve(size);
  for (Eigen::VectorXd* v : {&f_, &a_, &df_, &da_, &x_}) v->resize(size);
}

// Numbers that differ from step to step, and equal ones for equal problems: the generator starts from the
// seed and from b.
void Baraff::orderRows(const DenseProblem& problem) {
  random_ = options_.seed;
  for (const double b : problem.b) random_ = random_ * kMultiplier + std::bit_cast<std::uint64_t>(b);
  const int n = problem.size();
  int placed = 0;
  std::fill(rank_.begin(), rank_.end(), -1);
  for (const int k : options_.order)
    if (k >= 0 && k < n && rank_[k] < 0) rank_[k] = placed++;
  for (int k = 0; k < n; ++k)
    if (rank_[k] < 0) rank_[k] = placed++;
}

// D. E. Knuth, The Art of Computer Programming 2, 3.3.4: the upper bits of a linear congruential generator.
std::uint64_t Baraff::draw() {
  random_ = random_ * kMultiplier + 1442695040888963407u;
  return random_ >> 33;
}

bool Baraff::precedes(int k, int chosen, bool isJoint, std::uint64_t count) {
  const NextContact policy = options_.policy;
  if (policy == NextContact::random || (isJoint && policy == NextContact::hybrid)) return draw() % count == 0;
  if (chosen < 0) return true;
  if (policy == NextContact::preOrdered) return rank_[k] < rank_[chosen];
  return isJoint ? std::abs(a_[k]) > std::abs(a_[chosen]) : a_[k] < a_[chosen];
}

// The contact with the most negative acceleration below −allowed of those deferred or treated before.
int Baraff::nextDeferred(const DenseProblem& problem, double allowed) const {
  int chosen = -1;
  for (int k = 0; k < problem.size(); ++k) {
    const bool isOpen = !problem.isJoint(k) && state_[k] != State::clamped && deferred_[k] <= 1;
    if (isOpen && a_[k] < (chosen < 0 ? -allowed : a_[chosen])) chosen = k;
  }
  return chosen;
}

// Joints first; then contacts by the policy; then deferred ones. −1: all rows are treated.
int Baraff::next(const DenseProblem& problem, double allowed) {
  for (const bool joints : {true, false}) {
    int chosen = -1;
    std::uint64_t count = 0;
    for (int k = 0; k < problem.size(); ++k) {
      const bool isOpen = state_[k] == State::untreated && deferred_[k] == 0;
      if (problem.isJoint(k) != joints || !isOpen || !(joints || a_[k] < -allowed / kDeferredLimit)) continue;
      ++count;
      if (precedes(k, chosen, joints, count)) chosen = k;
    }
    if (chosen >= 0) return chosen;
  }
  return nextDeferred(problem, allowed);
}

// True if clamping d would make A_CC singular.
bool Baraff::dependsOnClamped(const DenseProblem& problem, int d) {
  const int m = factor_.order();
  auto x = x_.head(m);
  for (int k = 0; k < m; ++k) x[k] = problem.A(clamped_[k], d);
  factor_.solve(x);
  double complement = problem.A(d, d);
  for (int k = 0; k < m; ++k) complement -= x[k] * problem.A(clamped_[k], d);
  return !(complement > kMinSchurComplement);
}

// Δf: `sense` at d, and in C such that Δa_C = 0.
void Baraff::direction(const DenseProblem& problem, int d, double sense) {
  const int m = factor_.order();
  auto x = x_.head(m);
  for (int k = 0; k < m; ++k) x[k] = -sense * problem.A(clamped_[k], d);
  factor_.solve(x);
  df_.setZero();
  df_[d] = sense;
  da_ = sense * problem.A.col(d);
  for (int k = 0; k < m; ++k) {
    df_[clamped_[k]] = x[k];
    da_ += x[k] * problem.A.col(clamped_[k]);
  }
}

void Baraff::consider(Block& block, double step, int row, double speed, bool leastIndex) const {
  const bool shorter = step < block.step * (1 - kStepTie);
  const bool ties = !shorter && step <= block.step * (1 + kStepTie);
  const bool preferred = leastIndex ? row < block.row : speed > block.speed;
  if (!shorter && !(ties && preferred)) return;
  block.step = std::min(step, block.step);
  block.row = row;
  block.speed = speed;
}

Baraff::Block Baraff::firstToBlock(const DenseProblem& problem, int d, bool leastIndex) const {
  Block block{std::numeric_limits<double>::infinity(), -1, 0};
  // For a row that depends on C, Δa_d is only rounding.
  if (std::abs(da_[d]) > kMinSchurComplement) block = {std::abs(a_[d] / da_[d]), d, std::abs(da_[d])};
  const double stillForce = kNoChange * df_.cwiseAbs().maxCoeff(),
               stillAccel = kNoChange * da_.cwiseAbs().maxCoeff();
  for (int k = 0; k < problem.size(); ++k) {
    if (k == d || problem.isJoint(k)) continue;
    if (state_[k] == State::clamped && df_[k] < -stillForce)
      consider(block, std::max(f_[k], 0.0) / -df_[k], k, -df_[k], leastIndex);
    if (state_[k] == State::free && da_[k] < -std::max(stillAccel, kMinSchurComplement))
      consider(block, std::max(a_[k], 0.0) / -da_[k], k, -da_[k], leastIndex);
  }
  return block;
}

bool Baraff::clamp(const DenseProblem& problem, int k) {
  const int m = factor_.order();
  for (int l = 0; l < m; ++l) x_[l] = problem.A(clamped_[l], k);
  if (!factor_.append(x_.head(m), problem.A(k, k), kMinSchurComplement)) {
    state_[k] = State::redundant;
    ++statistics_.redundant;
    return false;
  }
  clamped_.push_back(k);
  state_[k] = State::clamped;
  return true;
}

// Redundant rows may no longer depend on a smaller C.
void Baraff::release(int k) {
  const auto at = std::find(clamped_.begin(), clamped_.end(), k);
  factor_.remove(static_cast<int>(at - clamped_.begin()));
  clamped_.erase(at);
  for (State& state : state_)
    if (state == State::redundant) state = State::free;
  state_[k] = State::free;
  f_[k] = 0;
}

Baraff::Drive Baraff::drive(const DenseProblem& problem, int d) {
  std::fill(moved_.begin(), moved_.end(), 0);
  std::copy(state_.begin(), state_.end(), savedState_.begin());
  int flips = 0;
  const double sense = a_[d] > 0 ? -1 : 1;
  for (; steps_ < limit_; ++steps_) {
    direction(problem, d, sense);
    const Block block = firstToBlock(problem, d, flips > 0);
    if (block.row < 0) return Drive::impossible;
    if (block.step > 0) {
      f_ += block.step * df_;
      a_ += block.step * da_;
      std::fill(moved_.begin(), moved_.end(), 0);
    } else if (block.row != d && moved_[block.row]++ > 0) {
      ++statistics_.flipFlops;
      if (++flips > options_.flipFlops) return Drive::cycles;
    }
    if (block.row == d) {
      clamp(problem, d);
      ++steps_;
      return Drive::reached;
    }
    if (state_[block.row] == State::clamped) {
      release(block.row);
    } else {
      clamp(problem, block.row);
    }
  }
  return Drive::limit;
}

// Restores C and NC to those before the last drive, whose conditions held.
void Baraff::restore(const DenseProblem& problem) {
  std::copy(savedState_.begin(), savedState_.end(), state_.begin());
  clamped_.clear();
  factor_.clear();
  for (int k = 0; k < problem.size(); ++k)
    if (state_[k] == State::clamped) clamp(problem, k);
  refresh(problem);
}

// Recomputes the forces from A_CC f_C = −b_C, and the accelerations from them.
void Baraff::refresh(const DenseProblem& problem) {
  const int m = factor_.order();
  for (int k = 0; k < problem.size(); ++k)
    if (state_[k] != State::clamped) f_[k] = 0;
  for (int round = 0; round <= kBaraffRefinements; ++round) {
    a_ = problem.b;
    for (int k = 0; k < m; ++k) a_ += f_[clamped_[k]] * problem.A.col(clamped_[k]);
    if (round == kBaraffRefinements) return;
    for (int k = 0; k < m; ++k) x_[k] = -a_[clamped_[k]];
    factor_.solve(x_.head(m));
    for (int k = 0; k < m; ++k) f_[clamped_[k]] += x_[k];
  }
}

// From the forces alone: the accelerations of the steps accumulate rounding.
void Baraff::check(const DenseProblem& problem) {
  a_ = problem.b;
  a_.noalias() += problem.A * f_;
  statistics_.unwantedAccel = unwantedResponse(problem, f_, a_);
  statistics_.unwantedForce = 0;
  for (int k = 0; k < problem.size(); ++k)
    if (!problem.isJoint(k)) statistics_.unwantedForce = std::max(statistics_.unwantedForce, -f_[k]);
}

DenseMethod::Attempt Baraff::attempt(const DenseProblem& scaled, double absoluteTolerance,
                                     Eigen::VectorXd& f) {
  const int n = scaled.size();
  statistics_ = {};
  orderRows(scaled);
  std::fill(state_.begin(), state_.end(), State::untreated);
  std::fill(deferred_.begin(), deferred_.end(), 0);
  clamped_.clear();
  factor_.clear();
  f_.setZero();
  a_ = scaled.b;
  steps_ = 0;
  limit_ = kBaraffFirstSteps + kBaraffStepsPerRow * n;
  Attempt result;
  const double allowed = kDeferredShare * absoluteTolerance;
  int d = next(scaled, allowed);
  for (; d >= 0 && result.reason.empty(); d = next(scaled, allowed)) {
    if (scaled.A(d, d) < 0) {
      result.reason = dense_reason::kIndefinite;
      break;
    }
    const bool isJoint = scaled.isJoint(d);
    if (!isJoint && deferred_[d] == 0 && state_[d] == State::untreated && dependsOnClamped(scaled, d)) {
      deferred_[d] = 1;
      ++statistics_.redundant;
      continue;
    }
    switch (drive(scaled, d)) {
      case Drive::reached:
        for (char& put : deferred_) put = put == 2 ? 1 : put;
        refresh(scaled);
        break;
      case Drive::impossible:
        if (isJoint && std::abs(a_[d]) <= absoluteTolerance) {  // the joints before it imply it
          state_[d] = State::redundant;
          ++statistics_.redundant;
          break;
        }
        result.reason = provesInfeasible(scaled, df_)    ? dense_reason::kInfeasible
                        : std::abs(da_[d]) > kIndefinite ? dense_reason::kIndefinite
                        : isJoint                        ? dense_reason::kRounding
                                                         : std::string_view();
        if (result.reason.empty()) {  // rounding decides: again after others
          restore(scaled);
          deferred_[d] = 2;
        }
        break;
      case Drive::cycles:
        restore(scaled);
        deferred_[d] = 2;
        ++statistics_.deferred;
        break;
      case Drive::limit:
        result.reason = dense_reason::kLimit;
        break;
    }
  }
  if (result.reason.empty() && statistics_.deferred > 0 &&
      std::any_of(deferred_.begin(), deferred_.end(), [](char put) { return put == 2; }))
    result.reason = kCyclesAtEveryContact;
  check(scaled);
  f = f_;
  result.iterations = steps_;
  return result;
}

}  // namespace tenon::physics
