// How much a result depends on each variable: Spearman's rank correlation and Sobol' indices, from the cases
// that a study has.
#pragma once

#include <optional>
#include <vector>

#include "runtime/study/plan.h"

namespace tenon::runtime {

/// Ranks of `values` from 0, equal values sharing their mean rank.
std::vector<double> ranksOf(const std::vector<double>& values);

/// Pearson's correlation of two series of ranks: Spearman's ρ of their values. 0 where one is constant.
double correlationOfRanks(const std::vector<double>& x, const std::vector<double>& y);

/// Sobol's first-order index Var(E[Y|X]) / Var(Y): the share of the variance of `y` that would vanish if X
/// were known, whatever the shape of its effect. Estimated from any sample by the correlation ratio over
/// classes of equal frequency of X (E. Plischke, E. Borgonovo, C. L. Smith, "Global sensitivity measures from
/// given data", European Journal of Operational Research 226, 2013, section 2), less its bias: Kelley's ε²
/// (T. L. Kelley, PNAS 21, 1935). 2 N^(1/3) classes, 50 at most. In [0, 1]; 0 where one is constant. `ranks`:
/// of X.
double firstOrderIndex(const std::vector<double>& ranks, const std::vector<double>& y);

/// Sobol's total index E[Var(Y|all but X)] / Var(Y) of each variable: what remains unknown of `y` if all
/// others are known, interactions included (T. Homma, A. Saltelli, Reliability Engineering & System Safety
/// 52, 1996). Exact for the values of a grid. Empty unless `plan` is a grid and `y`, in the order of its
/// cases, has all of them.
std::vector<double> totalIndices(const StudyPlan& plan, const std::vector<double>& y);

/// The effect of one variable on one result.
struct VariableEffect {
  double correlation = 0;       ///< Spearman's ρ, −1 to 1
  double firstOrder = 0;        ///< 0 to 1
  std::optional<double> total;  ///< 0 to 1; only of a complete grid
};

}  // namespace tenon::runtime
