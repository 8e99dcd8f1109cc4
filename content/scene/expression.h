// Numbers that a scene computes from its parameters: "=10 + clearance_um / 1000".
#pragma once

#include <memory>
#include <stdexcept>
#include <string>

namespace tenon::content {

/// An expression that gives no number. The message says why, without saying where.
class ExpressionError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Evaluates muParser expressions (+ − * / ^, comparisons, ?:, sqrt, sin … in radians, _pi) over
/// named constants.
class Expressions {
 public:
  Expressions();
  ~Expressions();

  /// Names a value. Throws ExpressionError where `name` cannot be one.
  void define(const std::string& name, double value);

  /// Throws ExpressionError unless `expression` gives exactly one finite number.
  double evaluate(const std::string& expression) const;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace tenon::content
