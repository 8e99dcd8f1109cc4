// Expressions of scene files.
#include "content/input/expression.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>

namespace tenon::content::expression_test {
namespace {

std::string problemOf(const std::string& expression) {
  try {
    Expressions().evaluate(expression);
  } catch (const ExpressionError& error) {
    return error.what();
  }
  return "none";
}

TEST(Expression, PowersBindFromTheRightAndBeforeSigns) {
  const Expressions expressions;
  EXPECT_EQ(expressions.evaluate("2^3^2"), 512);
  EXPECT_EQ(expressions.evaluate("-2^2"), -4);
  EXPECT_EQ(expressions.evaluate("2^-1"), 0.5);
  EXPECT_EQ(expressions.evaluate("3*10^3+1"), 3001);
  EXPECT_EQ(expressions.evaluate("1e3^2"), 1e6);
}

TEST(Expression, MistakesWithPowersAreReportedAsWritten) {
  EXPECT_NE(problemOf("2^^3").find('^'), std::string::npos) << problemOf("2^^3");
  EXPECT_EQ(problemOf("2^^3").find('#'), std::string::npos) << problemOf("2^^3");
  EXPECT_EQ(problemOf("2#3"), "\"#\" is neither an operator nor part of a name");
}

/// muParser is a shared library of its own, whose functions would be those of the C library.
TEST(Expression, FunctionsAreThoseOfThisProgram) {
  using Function = double (*)(double);
  const std::pair<const char*, Function> functions[] = {
      {"sin", [](double x) { return std::sin(x); }},     {"cos", [](double x) { return std::cos(x); }},
      {"tan", [](double x) { return std::tan(x); }},     {"asin", [](double x) { return std::asin(x); }},
      {"acos", [](double x) { return std::acos(x); }},   {"atan", [](double x) { return std::atan(x); }},
      {"sinh", [](double x) { return std::sinh(x); }},   {"cosh", [](double x) { return std::cosh(x); }},
      {"tanh", [](double x) { return std::tanh(x); }},   {"asinh", [](double x) { return std::asinh(x); }},
      {"atanh", [](double x) { return std::atanh(x); }}, {"exp", [](double x) { return std::exp(x); }},
      {"log2", [](double x) { return std::log2(x); }},   {"log10", [](double x) { return std::log10(x); }},
      {"ln", [](double x) { return std::log(x); }},      {"log", [](double x) { return std::log(x); }},
  };
  Expressions expressions;
  expressions.define("y", 0.3);
  for (int k = 1; k < 200; ++k) {
    const double x = k / 201.0;
    const std::string argument = std::to_string(k) + "/201";
    for (const auto& [name, function] : functions)
      EXPECT_EQ(expressions.evaluate(std::string(name) + "(" + argument + ")"), function(x))
          << name << argument;
    EXPECT_EQ(expressions.evaluate("acosh(1+" + argument + ")"), std::acosh(1 + x));
    EXPECT_EQ(expressions.evaluate("atan2(" + argument + ", y)"), std::atan2(x, 0.3));
    EXPECT_EQ(expressions.evaluate("(" + argument + ")^y"), std::pow(x, 0.3));
  }
}

}  // namespace
}  // namespace tenon::content::expression_test
