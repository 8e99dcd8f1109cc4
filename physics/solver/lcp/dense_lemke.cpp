// See dense_lemke.h.
#include "physics/solver/lcp/dense_lemke.h"

#include "physics/contact/pyramid_edges.h"

namespace tenon::physics {
namespace {

constexpr int kProximalPaths = 10;
constexpr int kLemkeFirstPivots = 100, kLemkePivotsPerRow = 10;
/// About half a minute: for cores so ill-conditioned that each pivot inverts them again. Irrelevant up to K =
/// 400 or so.
constexpr double kRenewals = 2e10;
/// With friction, some seconds: its Newton steps and the other methods follow.
constexpr double kFrictionRenewals = 2e9;

constexpr std::string_view kInfeasibleRay =
    "infeasible: ended in a ray, so no force satisfies all rows, or only one beyond rounding";
constexpr std::string_view kRay =
    "ended in a ray, which proves nothing for an A that is not positive semidefinite";
constexpr std::string_view kPyramidOnly =
    "found the pyramid's solution, from which Newton's method did not reach the cone's";
constexpr std::string_view kPyramidRay = "ended in a ray on the friction pyramid, which proves nothing";
constexpr std::string_view kTooManyTriples =
    "solves at most 100 contacts with friction: its pyramid has ten rows each";

}  // namespace

std::string_view DenseLemke::unsupported(const DenseProblem& problem) const {
  return problem.mu.size() > kMaxTriples ? kTooManyTriples : std::string_view();
}

void DenseLemke::reserveOwn(int size) {
  joints_.reserve(size);
  lemke_.reserve(size);
  cholesky_.reserve(size);
  pyramid_.resize(size, size);
  rhs_.resize(size);
  x_.resize(2 * size);
}

bool DenseLemke::semidefinite(const DenseProblem& scaled) {
  pyramid_.resize(scaled.size(), scaled.size());
  pyramid_ = 0.5 * scaled.A;
  pyramid_ += 0.5 * scaled.A.transpose();
  return cholesky_.factorize(pyramid_);
}

ScaledSolver::Attempt DenseLemke::attempt(const DenseProblem& scaled, double absoluteTolerance,
                                          Eigen::VectorXd& f) {
  if (scaled.frictional()) return attemptFriction(scaled, absoluteTolerance, f);
  joints_.reduce(scaled);
  const int n = joints_.size();
  const double largest = n > 0 ? joints_.b().cwiseAbs().maxCoeff() : 0;
  LemkeOptions options;
  options.tolerance = largest > 0 ? std::max(absoluteTolerance / largest, 1e-14) : 1;
  options.proximalPaths = kProximalPaths;
  options.maxPivots = kLemkeFirstPivots + kLemkePivotsPerRow * n;
  options.maxRenewals = kRenewals;
  const LemkeResult result = lemke_.solve(joints_.A(), joints_.b(), x_.head(n), options);
  joints_.expand(scaled, x_.head(n), f);
  Attempt attempted{result.pivots, {}};
  if (result.outcome == LemkeOutcome::rayTermination)
    attempted.reason = semidefinite(scaled) ? kInfeasibleRay : kRay;
  if (result.outcome == LemkeOutcome::pivotLimit) attempted.reason = dense_reason::kLimit;
  return attempted;
}

// See friction_pyramid.h.
void DenseLemke::buildPyramid(const DenseProblem& scaled) {
  const int count = static_cast<int>(scaled.mu.size()), size = kRowsEach * count;
  const auto e = pyramidEdges();
  pyramid_.setZero(size, size);
  rhs_.setZero(size);
  for (int k = 0; k < count; ++k) {
    const int r = kRowsEach * k, slip = r + 1 + kEdges;
    for (int l = 0; l < count; ++l) {
      const int s = kRowsEach * l;
      pyramid_(r, s) = scaled.A(3 * k, 3 * l);
      pyramid_.block<1, kEdges>(r, s + 1) = scaled.A.block<1, 2>(3 * k, 3 * l + 1) * e;
      pyramid_.block<kEdges, 1>(r + 1, s) = e.transpose() * scaled.A.block<2, 1>(3 * k + 1, 3 * l);
      pyramid_.block<kEdges, kEdges>(r + 1, s + 1) =
          e.transpose() * scaled.A.block<2, 2>(3 * k + 1, 3 * l + 1) * e;
    }
    pyramid_.block<kEdges, 1>(r + 1, slip).setOnes();
    pyramid_(slip, r) = scaled.mu[k];
    pyramid_.block<1, kEdges>(slip, r + 1).setConstant(-1);
    rhs_[r] = scaled.b[3 * k];
    rhs_.segment<kEdges>(r + 1) = e.transpose() * scaled.b.segment<2>(3 * k + 1);
  }
}

ScaledSolver::Attempt DenseLemke::attemptFriction(const DenseProblem& scaled, double absoluteTolerance,
                                                  Eigen::VectorXd& f) {
  const int count = static_cast<int>(scaled.mu.size()), size = kRowsEach * count;
  const auto edges = pyramidEdges();
  buildPyramid(scaled);
  if (x_.size() < size) x_.resize(size);
  LemkeOptions options;
  options.proximalPaths = 2;
  options.maxPivots = kLemkeFirstPivots + kLemkePivotsPerRow * size;
  options.maxRenewals = kFrictionRenewals;
  const LemkeResult result = lemke_.solve(pyramid_, rhs_, x_.head(size), options);
  for (int k = 0; k < count; ++k) {
    const int r = kRowsEach * k;
    f[3 * k] = x_[r];
    f.segment<2>(3 * k + 1) = edges * x_.segment<kEdges>(r + 1);
  }
  Attempt attempted{result.pivots, {}};
  if (coulomb_.redistribute(scaled, absoluteTolerance, f, attempted.iterations)) return attempted;
  switch (result.outcome) {
    case LemkeOutcome::solved:
      attempted.reason = kPyramidOnly;
      break;
    case LemkeOutcome::rayTermination:
      attempted.reason = kPyramidRay;
      break;
    case LemkeOutcome::pivotLimit:
      attempted.reason = dense_reason::kLimit;
      break;
    case LemkeOutcome::numerical:
      attempted.reason = dense_reason::kRounding;
      break;
  }
  return attempted;
}

}  // namespace tenon::physics
