// See expression.h.
#include "content/input/expression.h"

#include <fmt/format.h>
#include <muParser.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace tenon::content {
namespace {

/// Name of the constant that Expressions::setIndex() sets.
constexpr const char* kIndex = "index";

/// The parser's message, or a clearer one for an unknown "index".
ExpressionError expressionError(const mu::Parser::exception_type& error) {
  if (error.GetCode() == mu::ecUNASSIGNABLE_TOKEN && error.GetToken() == kIndex)
    return ExpressionError(R"("index" is defined only inside parts with "count")");
  return ExpressionError(error.GetMsg());
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
  try {
    parser.SetExpr(expression);
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
