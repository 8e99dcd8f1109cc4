// See load_problem.h.
#include "content/reader/load_problem.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "content/input/json_cursor.h"
#include "content/input/parse_json.h"
#include "content/input/text_file.h"

namespace tenon::content {
namespace {

/// Twice the size of kMaxProblemRows² numbers of 25 characters.
constexpr std::size_t kMaxProblemBytes = 64u << 20;

const char* const kFormat = R"(write {"A": [[...]], "b": [...]} with a square A and a b of as many numbers)";

/// An array of exactly `count` elements; `what` describes them in the error.
std::vector<JsonCursor> elementsOf(const JsonCursor& at, std::size_t count, const std::string& what) {
  if (!at.isArray()) at.fail("is not an array", fmt::format("give an array of {} {}", count, what));
  const auto all = at.elements(0, 100 * kMaxProblemRows);
  if (all.size() != count)
    at.fail(fmt::format("is an array of {}", all.size()), fmt::format("give an array of {} {}", count, what));
  return all;
}

double finite(const JsonCursor& at) {
  return at.literalNumber({});
}

void readMatrix(const JsonCursor& at, physics::DenseProblem& problem) {
  if (!at.isArray()) at.fail("is not an array", "give an array of rows, each an array of numbers");
  const auto rows = at.elements(0, 100 * kMaxProblemRows);
  if (rows.empty()) at.fail("has no rows", "give a problem of at least one row");
  if (rows.size() > kMaxProblemRows)
    at.fail(fmt::format("has {} rows", rows.size()),
            fmt::format("give at most {}: the methods are dense", kMaxProblemRows));
  const auto n = static_cast<Eigen::Index>(rows.size());
  problem.A.resize(n, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const auto row = elementsOf(rows[static_cast<std::size_t>(i)], rows.size(), "entries, as A is square");
    for (Eigen::Index j = 0; j < n; ++j) problem.A(i, j) = finite(row[static_cast<std::size_t>(j)]);
  }
}

void readProblemJoints(const JsonCursor& at, physics::DenseProblem& problem) {
  const auto count = static_cast<std::size_t>(problem.size());
  for (const JsonCursor& joint : elementsOf(at, count, "values true or false, one for each row of A"))
    problem.joint.push_back(joint.boolean());
}

void readFriction(const JsonCursor& root, const JsonCursor& at, physics::DenseProblem& problem) {
  const auto count = static_cast<std::size_t>(problem.size());
  if (count % 3 != 0)
    at.fail(fmt::format("is given for {} rows", count),
            "with friction, each contact has three rows (normal, tangent, tangent): give 3, 6, 9 … rows");
  for (std::size_t k = 0; k < problem.joint.size(); ++k)
    if (problem.joint[k] != 0)
      root.member("joint").elements(0, kMaxProblemRows)[k].fail(
          fmt::format("is a joint and belongs to contact {}, which has friction", k / 3),
          "remove \"mu\", or set all of \"joint\" to false");
  for (const JsonCursor& mu : elementsOf(at, count / 3, "coefficients, one for three rows of A"))
    problem.mu.push_back(mu.literalNumber({0}));
}

}  // namespace

physics::DenseProblem parseProblem(const std::string& text, const std::string& file) {
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) throw InputError(file, "", "is empty", kFormat);
  const nlohmann::json document = parseJson(text, file);
  ReadContext context;
  context.file = file;
  const JsonCursor root(document, "", context);
  root.allowOnly({"A", "b", "joint", "mu", "tolerance"});
  physics::DenseProblem problem;
  readMatrix(root.member("A", kFormat), problem);
  const auto b = elementsOf(root.member("b", kFormat), static_cast<std::size_t>(problem.A.rows()),
                            "numbers, one for each row of A");
  problem.b.resize(problem.A.rows());
  for (Eigen::Index k = 0; k < problem.b.size(); ++k) problem.b[k] = finite(b[static_cast<std::size_t>(k)]);
  if (const auto joint = root.find("joint")) readProblemJoints(*joint, problem);
  if (const auto mu = root.find("mu")) readFriction(root, *mu, problem);
  if (const auto tolerance = root.find("tolerance"))
    problem.tolerance = tolerance->literalNumber({0, 1, false});
  return problem;
}

physics::DenseProblem loadProblem(const std::string& file) {
  if (file.empty()) throw InputError("PROBLEM", "", "is empty", "name a problem file");
  const std::string tooLarge = fmt::format("give at most {} rows", kMaxProblemRows);
  return parseProblem(readTextFile(file, {"problem", kMaxProblemBytes, tooLarge}), file);
}

}  // namespace tenon::content
