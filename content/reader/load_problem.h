// Reads a problem file into a checked complementarity problem.
#pragma once

#include <string>

#include "content/input/input_error.h"
#include "physics/solver/lcp/dense_problem.h"

namespace tenon::content {

inline constexpr std::size_t kMaxProblemRows = 1000;

/// Reads and checks a problem file, one JSON object:
///     {"A": [[…]…], "b": […], "joint": [true or false…], "mu": […], "tolerance": x}
/// A: K rows of K numbers, 1 ≤ K ≤ kMaxProblemRows; b: K numbers; joint (optional): K; mu (optional): K/3
/// numbers ≥ 0, with three rows per contact (normal, tangent, tangent), none of them a joint; tolerance
/// (optional): above 0, at most 1, relative to max|b|. No other fields. Throws InputError.
physics::DenseProblem loadProblem(const std::string& file);

/// The same for text in memory; `file` is its name in messages.
physics::DenseProblem parseProblem(const std::string& text, const std::string& file);

}  // namespace tenon::content
