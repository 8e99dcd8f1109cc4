// Lemke's complementary pivoting for the dense linear complementarity problem.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "physics/math/lemke_basis.h"
#include "physics/math/tolerances.h"

namespace tenon::physics {

enum class LemkeOutcome {
  solved,          ///< natural residual within tolerance, checked on the matrix given
  rayTermination,  ///< no solution on the path; none at all where A is copositive-plus
  pivotLimit,      ///< stopped at the limit of pivots or of work
  numerical,       ///< a path was followed to its end, but rounding left a residual above the tolerance
};

struct LemkeOptions {
  double tolerance = kLinearTolerance;       ///< on the natural residual, relative to max|b| [-]
  int firstPivots = 100, pivotsPerRow = 20;  ///< limit of the pivots of a path: their sum for K rows
  double maxWork = 0;      ///< limit of Σ m³ over the pivots, else pivotLimit; 0: unlimited
  int proximalPaths = 40;  ///< at most; fewer bound the time where another solver is the fallback
};

struct LemkeResult {
  LemkeOutcome outcome = LemkeOutcome::numerical;
  int pivots = 0;       ///< over all paths
  int paths = 0;        ///< 1, or more where the plain path failed by rounding and proximal ones followed
  double residual = 0;  ///< ‖min(f, A f + b)‖∞ of the f returned, whatever the outcome [unit of b]
};

/// Finds f with  w = A f + b ≥ 0,  f ≥ 0,  fᵀ w = 0  for a square A that need not be symmetric.
///
/// Method: the covering variable z (a vector of ones: scale A to a unit diagonal) makes w + z ≥ 0, and
/// pivots along the almost complementary path drive z to 0 (C. E. Lemke, Bimatrix equilibrium points and
/// mathematical programming, Management Science 11, 1965; R. W. Cottle, J.-S. Pang, R. E. Stone, The
/// Linear Complementarity Problem, 1992, algorithm 4.4.5). Ties of the ratio test are broken
/// lexicographically (ibid. 4.9), as if b were b + (ε, ε², …), so that it cannot cycle.
///
/// Processes every copositive-plus A: positive semidefinite ones of any rank - the contacts of rigid
/// bodies - are solved whenever A f + b ≥ 0 has a solution at all, and end in a ray where it has none.
/// P-matrices are always solved. For other A a ray proves nothing.
///
/// The result does not depend on the pivots' arithmetic: f is recomputed from the final basis and verified by
/// its residual on A and b. Where that is too large (rows dependent to 1e-7 or so, where a pivot cannot be
/// distinguished from rounding) proximal paths follow: f⁺ solves the problem of A + σ1 and
/// b − σf, whose pivots are all ≥ σ, and its residual on A is at most σ|f⁺ − f| (R. T. Rockafellar,
/// Monotone operators and the proximal point algorithm, SIAM J. Control Optim. 14, 1976).
///
/// Cost: O(m³ + K m) a pivot, m ≤ rank(A) + 1 (lemke_basis.h); usually some K pivots, exponentially many at
/// worst, so they are bounded. A compliance on the diagonal lets m grow to K.
/// Fails, with the outcome `numerical`, where the problem is solvable only by forces of some 1e6 max|b|, that
/// is within rounding.
class Lemke {
 public:
  /// Makes room for K = `size`. A solve of at most that size then allocates nothing.
  void reserve(int size);

  /// `f` (K entries) becomes the solution; where none was found, the best point visited, finite and ≥ 0.
  /// A: K × K, b: K entries, neither of which may overlap f.
  LemkeResult solve(const Eigen::Ref<const Eigen::MatrixXd>& A, const Eigen::Ref<const Eigen::VectorXd>& b,
                    Eigen::Ref<Eigen::VectorXd> f, const LemkeOptions& options = {});

 private:
  // A basic variable: of the core's column `column`, or w_row.
  struct Candidate {
    int column = -1, row = -1;
    double speed = 0;  // rate of its decrease as the entering variable rises, > 0
    double key = 0;    // value or lexicographic coefficient, divided by the speed
    double tie = 0;    // value that counts as 0
  };
  struct Scale {
    double force = 0, gap = 0;
  };
  enum class Walk { complementary, ray, limit, broken };

  Walk walk(const LemkeBasis::Matrix& A, const Eigen::VectorXd& b, int maxPivots);
  void respondAll(const LemkeBasis::Matrix& A, const Eigen::VectorXd& b, int s, bool forceEnters);
  void collectTies(int n);
  void breakTies(const LemkeBasis::Matrix& A);
  Scale scaleOf(const Eigen::VectorXd& x, const Eigen::VectorXd& y, int n) const;
  void keepSmallestKeys();
  void readForces(int n);
  double naturalResidual(const Eigen::Ref<const Eigen::MatrixXd>& A,
                         const Eigen::Ref<const Eigen::VectorXd>& b);

  LemkeBasis basis_;
  Eigen::MatrixXd shifted_;  // A + σ1 of the proximal paths
  Eigen::VectorXd b_;        // right side of the current path
  Eigen::VectorXd f_;        // forces of the path's last basis
  Eigen::VectorXd x_, y_;    // values of the core's variables and of the basic w
  Eigen::VectorXd dx_, dy_;  // their change by one unit of the entering variable
  Eigen::VectorXd unit_;     // the column that enters
  std::vector<Candidate> candidates_;
  int pivots_ = 0;
  double work_ = 0;     // Σ m³ so far
  double maxWork_ = 0;  // 0: unlimited
  int size_ = 0;
};

}  // namespace tenon::physics
