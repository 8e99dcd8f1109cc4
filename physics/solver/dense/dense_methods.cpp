// See dense_methods.h.
#include "physics/solver/dense/dense_methods.h"

#include <algorithm>

namespace tenon::physics {
namespace {

/// Residual of a result that End::refinedNear refines, relative to max|b| of the scaled problem [-].
constexpr double kNearResidual = 1e-6;
constexpr int kProximalPaths = 10;
/// Smallest tolerance of Lemke's method, relative to max|b|: rounding [-].
constexpr double kLemkeFloor = 1e-14;
constexpr int kLemkePivotsPerRow = 10;
/// About half a minute. Irrelevant up to K = 400 or so.
constexpr double kLemkeWork = 2e10;

constexpr std::string_view kInfeasibleRay =
    "infeasible: ended in a ray, so no force satisfies all rows, or only one beyond rounding";
constexpr std::string_view kRay =
    "ended in a ray, which proves nothing for an A that is not positive semidefinite";
constexpr std::string_view kNotConverged = "did not converge";

/// True if Baraff's method proves on its way that no force satisfies all rows. Symmetric A without friction.
bool baraffProvesInfeasible(const DenseProblem& problem) {
  Baraff baraff;
  if (!baraff.unsupported(problem).empty()) return false;
  Eigen::VectorXd f = Eigen::VectorXd::Zero(problem.size());
  return baraff.solve(problem, f).reason == dense_reason::kInfeasible;
}

}  // namespace

std::string_view FactorizedMethod::unsupported(const DenseProblem& problem) const {
  return problem.symmetric() ? std::string_view() : dense_reason::kNotSymmetric;
}

DenseMethod::Attempt FactorizedMethod::attempt(const DenseProblem& scaled, double absoluteTolerance,
                                               Eigen::VectorXd& f) {
  if (!factorized_.build(scaled)) return {0, dense_reason::kIndefinite};
  const ScaledProblem& problem = factorized_.scaled();
  factorized_.toScaled(f, y_);
  LinearReport report{.solved = true};
  if (problem.isFreeMotionFeasible()) {
    std::fill(y_.begin(), y_.end(), 0.0);
  } else {
    report = method_->solve(problem, y_, factorized_.scaledTolerance(absoluteTolerance));
  }
  factorized_.toForces(scaled, y_, f);
  const auto isNear = [&] {
    return naturalResidual(scaled, f, scaled.A * f + scaled.b) <=
           kNearResidual * scaled.b.cwiseAbs().maxCoeff();
  };
  if (!report.solved && !scaled.frictional() &&
      (end_ == End::refined || (end_ == End::refinedNear && isNear())))
    report.solved = factorized_.refine(scaled, absoluteTolerance, f, report.iterations);
  if (report.solved) return {report.iterations, {}};
  return {report.iterations, provesInfeasible(scaled, f) ? dense_reason::kInfeasible : kNotConverged};
}

std::string_view MatrixLemke::unsupported(const DenseProblem& problem) const {
  return problem.frictional() ? dense_reason::kSymmetricFriction : std::string_view();
}

DenseMethod::Attempt MatrixLemke::attempt(const DenseProblem& scaled, double absoluteTolerance,
                                          Eigen::VectorXd& f) {
  std::vector<int> joints;
  for (int k = 0; k < scaled.size(); ++k)
    if (scaled.isJoint(k)) joints.push_back(k);
  const int n = scaled.size(), j = static_cast<int>(joints.size());
  A_.resize(n + j, n + j);
  b_.resize(n + j);
  x_.resize(n + j);
  A_.topLeftCorner(n, n) = scaled.A;
  b_.head(n) = scaled.b;
  for (int l = 0; l < j; ++l) {
    A_.row(n + l).head(n) = -scaled.A.row(joints[l]);
    b_[n + l] = -scaled.b[joints[l]];
  }
  for (int l = 0; l < j; ++l) A_.col(n + l) = -A_.col(joints[l]);
  const double largest = b_.cwiseAbs().maxCoeff();
  LemkeOptions options;
  options.tolerance = largest > 0 ? std::max(absoluteTolerance / largest, kLemkeFloor) : 1;
  options.proximalPaths = kProximalPaths;
  options.pivotsPerRow = kLemkePivotsPerRow;
  options.maxWork = kLemkeWork;
  LemkeResult result = lemke_.solve(A_, b_, x_, options);
  if (result.outcome == LemkeOutcome::pivotLimit) {
    A_ = A_.reverse().eval();
    b_ = b_.reverse().eval();
    const int pivots = result.pivots;
    result = lemke_.solve(A_, b_, x_, options);
    result.pivots += pivots;
    x_ = x_.reverse().eval();
  }
  f = x_.head(n);
  for (int l = 0; l < j; ++l) f[joints[l]] -= x_[n + l];
  Attempt attempted{result.pivots, {}};
  if (result.outcome == LemkeOutcome::rayTermination)
    attempted.reason = cholesky_.factorize(0.5 * (scaled.A + scaled.A.transpose())) ? kInfeasibleRay : kRay;
  if (result.outcome == LemkeOutcome::pivotLimit) attempted.reason = dense_reason::kLimit;
  return attempted;
}

std::string_view DenseSolver::unsupported(const DenseProblem& problem) const {
  for (const auto& method : methods_)
    if (method->unsupported(problem).empty()) return {};
  return methods_.front()->unsupported(problem);
}

DenseReport DenseSolver::solve(const DenseProblem& problem, Eigen::Ref<Eigen::VectorXd> f) {
  DenseReport best;
  guess_ = f;
  int iterations = 0;
  bool isFirst = true, endedInRay = false;
  for (const auto& method : methods_) {
    if (!method->unsupported(problem).empty()) continue;
    trial_ = guess_;
    const DenseReport report = method->solve(problem, trial_);
    iterations += report.iterations;
    const bool isIndefinite = report.reason == dense_reason::kIndefinite;
    if (isFirst || best.reason == dense_reason::kIndefinite ||
        (!isIndefinite && !(report.residual >= best.residual))) {
      best = report;
      f = trial_;
    }
    best.iterations = iterations;
    if (report.solved) return best;
    bool ends = report.reason == dense_reason::kInfeasible || report.reason == dense_reason::kNotFinite;
    if (ends) best.reason = report.reason;
    if (!ends && isFirst && baraffProvesInfeasible(problem)) {
      best.reason = dense_reason::kInfeasible;
      ends = true;
    }
    if (ends) return best;
    isFirst = false;
    endedInRay = endedInRay || report.reason == kInfeasibleRay;
  }
  // Not a proof: other methods do solve some of these problems.
  if (endedInRay) best.reason = kInfeasibleRay;
  // A reason found in the problem itself is more useful than those of several methods.
  if (methods_.size() > 1)
    if (const std::string_view diagnosis = diagnoseSingleRow(problem); !diagnosis.empty())
      best.reason = diagnosis;
  return best;
}

namespace {

/// Adds what stands for a name of the running simulation; nothing for unknown names.
void addMethods(std::string_view name, const BaraffOptions& options,
                std::vector<std::unique_ptr<DenseMethod>>& methods) {
  using enum FactorizedMethod::End;
  const std::optional<SolverName> solver = solverFromText(name);
  if (!solver || solver == SolverName::automatic) return;
  if (solver == SolverName::baraff) {
    methods.push_back(std::make_unique<Baraff>(options));
    return;
  }
  const auto end = solver == SolverName::proximalNewton ? refined
                   : solver == SolverName::gaussSeidel  ? plain
                                                        : refinedNear;
  methods.push_back(std::make_unique<FactorizedMethod>(toText(*solver), makeLinearSolver(*solver), end));
  if (solver == SolverName::lemkeFixpoint) methods.push_back(std::make_unique<MatrixLemke>());
}

}  // namespace

std::unique_ptr<DenseSolver> makeDenseSolver(std::string_view name, const BaraffOptions& options) {
  std::vector<std::unique_ptr<DenseMethod>> methods;
  addMethods(name, options, methods);
  if (!methods.empty()) {
    const std::string_view literal = methods.front()->name();
    return std::make_unique<DenseSolver>(literal, std::move(methods));
  }
  if (name != "auto") return nullptr;
  for (const std::string_view each :
       {"proximal-newton", "baraff", "bilateral-newton", "fischer-newton", "lemke-fixpoint"})
    addMethods(each, {}, methods);
  for (const NextContact policy : {NextContact::preOrdered, NextContact::random})
    methods.push_back(std::make_unique<Baraff>(BaraffOptions{.policy = policy}));
  return std::make_unique<DenseSolver>("auto", std::move(methods));
}

}  // namespace tenon::physics
