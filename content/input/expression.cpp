// See expression.h.
#include "content/input/expression.h"

#include <fmt/format.h>
#include <muParser.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

namespace tenon::content {
namespace {

/// Name of the constant that Expressions::setIndex() sets.
constexpr const char* kIndex = "index";

/// How muParser sees the operator ^, whose own one would call the C library's pow().
constexpr char kPower = '#';

/// The parser's message, or a clearer one for an unknown "index".
ExpressionError expressionError(const mu::Parser::exception_type& error) {
  if (error.GetCode() == mu::ecUNASSIGNABLE_TOKEN && error.GetToken() == kIndex)
    return ExpressionError(R"("index" is defined only inside parts with "count")");
  std::string text = error.GetMsg();
  std::replace(text.begin(), text.end(), kPower, '^');
  return ExpressionError(text);
}

/// muParser's elementary functions, computed by this program: muParser would call the C library's, whose last
/// bits depend on the processor.
void defineElementaryFunctions(mu::Parser& parser) {
  using Function = double (*)(double);
  constexpr std::pair<const char*, Function> kFunctions[] = {
      {"sin", [](double x) { return std::sin(x); }},     {"cos", [](double x) { return std::cos(x); }},
      {"tan", [](double x) { return std::tan(x); }},     {"asin", [](double x) { return std::asin(x); }},
      {"acos", [](double x) { return std::acos(x); }},   {"atan", [](double x) { return std::atan(x); }},
      {"sinh", [](double x) { return std::sinh(x); }},   {"cosh", [](double x) { return std::cosh(x); }},
      {"tanh", [](double x) { return std::tanh(x); }},   {"asinh", [](double x) { return std::asinh(x); }},
      {"acosh", [](double x) { return std::acosh(x); }}, {"atanh", [](double x) { return std::atanh(x); }},
      {"exp", [](double x) { return std::exp(x); }},     {"log2", [](double x) { return std::log2(x); }},
      {"log10", [](double x) { return std::log10(x); }}, {"log", [](double x) { return std::log(x); }},
      {"ln", [](double x) { return std::log(x); }},
  };
  for (const auto& [name, function] : kFunctions) parser.DefineFun(name, function);
  using FunctionOfTwo = double (*)(double, double);
  parser.DefineFun("atan2", FunctionOfTwo([](double y, double x) { return std::atan2(y, x); }));
  parser.DefineOprt(std::string(1, kPower), FunctionOfTwo([](double x, double y) { return std::pow(x, y); }),
                    mu::prPOW, mu::oaRIGHT);
}

}  // namespace

double randomOf(double x) {
  if (!std::isfinite(x)) return std::numeric_limits<double>::quiet_NaN();
  // The increment keeps 0 from being mapped to 0; the following lines are a bijection of the 64 bits.
  std::uint64_t bits = std::bit_cast<std::uint64_t>(x == 0 ? 0.0 : x) + 0x9E3779B97F4A7C15u;
  bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9u;
  bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBu;
  bits ^= bits >> 31;
  return static_cast<double>(bits >> 11) * 0x1p-53;
}

struct Expressions::Implementation {
  mu::Parser parser;
  /// Copy of `parser` with the index defined: muParser cannot remove a constant.
  std::optional<mu::Parser> repeated;
  std::optional<int> index;

  mu::Parser& current() { return index ? *repeated : parser; }
};

Expressions::Expressions() : implementation_(std::make_unique<Implementation>()) {
  implementation_->parser.DefineFun("random", &randomOf);
  defineElementaryFunctions(implementation_->parser);
}

Expressions::~Expressions() = default;

void Expressions::define(const std::string& name, double value) {
  // muParser accepts such a constant, but treats every use of it as a call of the function.
  if (implementation_->parser.GetFunDef().count(name) > 0)
    throw ExpressionError("it is the name of a function in expressions");
  if (name == kIndex) throw ExpressionError("it is the number of a repeated part in expressions");
  try {
    // A constant, not a variable: "a = 5" inside an expression must not change it.
    implementation_->parser.DefineConst(name, value);
  } catch (const mu::Parser::exception_type& error) {
    throw ExpressionError(error.GetMsg());
  }
}

void Expressions::setIndex(std::optional<int> index) {
  Implementation& all = *implementation_;
  if (index) {
    if (!all.index) all.repeated = all.parser;
    all.repeated->DefineConst(kIndex, *index);
  }
  all.index = index;
}

std::optional<int> Expressions::index() const {
  return implementation_->index;
}

double Expressions::evaluate(const std::string& expression) const {
  mu::Parser& parser = implementation_->current();
  double value = 0;
  if (expression.find(kPower) != std::string::npos)
    throw ExpressionError(fmt::format("\"{}\" is neither an operator nor part of a name", kPower));
  std::string text = expression;
  std::replace(text.begin(), text.end(), '^', kPower);
  try {
    parser.SetExpr(text);
    int count = 0;
    const double* values = parser.Eval(count);
    if (count != 1) throw ExpressionError("it gives more than one number");
    value = values[0];
  } catch (const mu::Parser::exception_type& error) {
    throw expressionError(error);
  }
  if (!std::isfinite(value)) throw ExpressionError(fmt::format("it gives {}, not a finite number", value));
  return value;
}

}  // namespace tenon::content
