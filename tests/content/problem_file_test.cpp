// Problem files: content, and errors with pointer and remedy.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "content/reader/load_problem.h"
#include "tests/support/program_run.h"

namespace tenon::content::problem_file_test {
namespace {

void expectContains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "\"" << part << "\" is missing in: " << text;
}

/// `text` is rejected with "p.json: place: …problem…; …remedy…" in one line.
void expectRefused(const std::string& text, const std::string& place, const std::string& problem,
                   const std::string& remedy) {
  SCOPED_TRACE(text.substr(0, 200));
  try {
    parseProblem(text, "p.json");
    ADD_FAILURE() << "was read";
  } catch (const InputError& error) {
    const std::string message = error.what();
    EXPECT_EQ(message.rfind("p.json: " + place, 0), 0u) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos);
    expectContains(message, problem);
    expectContains(message.substr(message.rfind("; ")), remedy);
  }
}

std::string squareOf(int rows) {
  std::string text = "[";
  for (int i = 0; i < rows; ++i) {
    text += i == 0 ? "[" : ",[";
    for (int j = 0; j < rows; ++j) text += j == 0 ? "0" : ",0";
    text += "]";
  }
  return text + "]";
}

TEST(ProblemFile, isReadAsWritten) {
  const auto problem = parseProblem(
      R"({"A": [[2, 1, 0], [-1, 2.5, 1], [0, 0, 3]], "b": [-1, 0, 1e-3], "joint": [false, true, false],
          "tolerance": 1e-6})",
      "p.json");
  ASSERT_EQ(problem.size(), 3);
  EXPECT_EQ(problem.A(0, 1), 1);
  EXPECT_EQ(problem.A(1, 0), -1);
  EXPECT_EQ(problem.A(1, 1), 2.5);
  EXPECT_EQ(problem.b[2], 1e-3);
  EXPECT_FALSE(problem.isJoint(0));
  EXPECT_TRUE(problem.isJoint(1));
  EXPECT_EQ(problem.tolerance, 1e-6);
  EXPECT_FALSE(problem.frictional());
}

TEST(ProblemFile, hasFrictionPerThreeRowsAndDefaults) {
  const auto problem = parseProblem(
      R"({"A": [[1,0,0],[0,1,0],[0,0,1]], "b": [-1, 0, 0], "mu": [0.3], "joint": [false, false, false]})",
      "p.json");
  EXPECT_TRUE(problem.frictional());
  EXPECT_EQ(problem.mu.at(0), 0.3);
  for (int k = 0; k < 3; ++k) EXPECT_FALSE(problem.isJoint(k));
  EXPECT_EQ(problem.tolerance, physics::kDenseTolerance);
}

TEST(ProblemFile, errorsOfAAndBAreReported) {
  expectRefused("", "", "is empty", "\"A\"");
  expectRefused("no json", "line 1", "not valid JSON", "correct");
  expectRefused("[1]", "", "array", "object");
  expectRefused(R"({"b": [1]})", "/A", "is missing", "\"A\"");
  expectRefused(R"({"A": [[1]]})", "/b", "is missing", "\"b\"");
  expectRefused(R"({"A": 1, "b": [1]})", "/A", "is not an array", "rows");
  expectRefused(R"({"A": [], "b": []})", "/A", "no rows", "at least one");
  expectRefused(R"({"A": [1, 2], "b": [1, 2]})", "/A/0", "is not an array", "array of 2");
  expectRefused(R"({"A": [[1, 2, 3], [4, 5, 6]], "b": [1, 2]})", "/A/0", "array of 3", "array of 2");
  expectRefused(R"({"A": [[1, 2], [3]], "b": [1, 2]})", "/A/1", "array of 1", "array of 2");
  expectRefused(R"({"A": [[1, 2], [3, 4]], "b": [1]})", "/b", "array of 1", "array of 2");
  expectRefused(R"({"A": [[1, "x"], [3, 4]], "b": [1, 2]})", "/A/0/1", "text", "number");
  expectRefused(R"({"A": [[1, null], [3, 4]], "b": [1, 2]})", "/A/0/1", "null", "number");
  expectRefused(R"({"A": [[1]], "b": ["=1"]})", "/b/0", "text", "number");
  expectRefused(R"({"A": [[NaN]], "b": [1]})", "line 1", "not valid JSON", "correct");
  expectRefused(R"({"A": [[1e999]], "b": [1]})", "line 1", "too large", "finite");
  expectRefused(R"({"A": [[1]], "b": [1], "B": [1]})", "/B", "not a field", "");
  expectRefused(R"({"A": [[1]], "b": [1], "b": [1]})", "/b", "twice", "");
}

TEST(ProblemFile, errorsOfJointsFrictionAndToleranceAreReported) {
  const std::string three = R"({"A": [[1,0,0],[0,1,0],[0,0,1]], "b": [1,1,1], )";
  expectRefused(three + R"("joint": [true]})", "/joint", "array of 1", "array of 3");
  expectRefused(three + R"("joint": [true, 1, false]})", "/joint/1", "number", "true or false");
  expectRefused(three + R"("joint": true})", "/joint", "is not an array", "array of 3");
  expectRefused(three + R"("mu": [0.1, 0.2]})", "/mu", "array of 2", "array of 1");
  expectRefused(three + R"("mu": [-0.1]})", "/mu/0", "-0.1", "at least 0");
  expectRefused(three + R"("mu": ["steel"]})", "/mu/0", "text", "number");
  expectRefused(three + R"("mu": [0.1], "joint": [false, true, false]})", "/joint/1", "friction", "mu");
  expectRefused(R"({"A": [[1]], "b": [1], "mu": [0.1]})", "/mu", "1 rows", "three rows");
  expectRefused(R"({"A": [[1]], "b": [1], "tolerance": 0})", "/tolerance", "is 0", "above 0");
  expectRefused(R"({"A": [[1]], "b": [1], "tolerance": -1})", "/tolerance", "is -1", "above 0");
  expectRefused(R"({"A": [[1]], "b": [1], "tolerance": 2})", "/tolerance", "is 2", "at most 1");
}

TEST(ProblemFile, hasAtMostAThousandRows) {
  std::string b = "0";
  for (int k = 1; k < 1000; ++k) b += ",0";
  EXPECT_EQ(parseProblem(R"({"A": )" + squareOf(1000) + R"(, "b": [)" + b + "]}", "p.json").size(), 1000);
  expectRefused(R"({"A": )" + squareOf(1001) + R"(, "b": []})", "/A", "1001 rows", "at most 1000");
  std::string many = "[0";
  for (int k = 1; k < 10000; ++k) many += ",0";
  expectRefused(R"({"A": )" + many + R"(], "b": []})", "/A", "10000 rows", "at most 1000");
}

TEST(ProblemFile, unreadableFilesAreReported) {
  const tests::TemporaryFolder folder;
  EXPECT_THROW(loadProblem(folder / "missing.json"), InputError);
  EXPECT_THROW(loadProblem(folder.path()), InputError);
  EXPECT_THROW(loadProblem("/dev/zero"), InputError);
  EXPECT_THROW(loadProblem(""), InputError);
  std::ofstream(folder / "sparse.json").close();
  std::filesystem::resize_file(folder / "sparse.json", 1u << 30);
  EXPECT_THROW(loadProblem(folder / "sparse.json"), InputError);
}

}  // namespace
}  // namespace tenon::content::problem_file_test
