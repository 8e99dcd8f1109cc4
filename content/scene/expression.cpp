// Numbers computed from parameters: see expression.h.
#include "content/scene/expression.h"

#include <fmt/format.h>
#include <muParser.h>

#include <cmath>

namespace tenon::content {

struct Expressions::Implementation {
  mu::Parser parser;
};

Expressions::Expressions() : implementation_(std::make_unique<Implementation>()) {}

Expressions::~Expressions() = default;

void Expressions::define(const std::string& name, double value) {
  // The parser would take it, and read every use of it as a call of the function.
  if (implementation_->parser.GetFunDef().count(name) > 0)
    throw ExpressionError("it is the name of a function in expressions");
  try {
    // A constant, not a variable: "a = 5" inside an expression must not change it.
    implementation_->parser.DefineConst(name, value);
  } catch (const mu::Parser::exception_type& error) {
    throw ExpressionError(error.GetMsg());
  }
}

double Expressions::evaluate(const std::string& expression) const {
  mu::Parser& parser = implementation_->parser;
  double value = 0;
  try {
    parser.SetExpr(expression);
    int count = 0;
    const double* values = parser.Eval(count);
    if (count != 1) throw ExpressionError("it gives more than one number");
    value = values[0];
  } catch (const mu::Parser::exception_type& error) {
    throw ExpressionError(error.GetMsg());
  }
  if (!std::isfinite(value)) throw ExpressionError(fmt::format("it gives {}, not a finite number", value));
  return value;
}

}  // namespace tenon::content
