// Numbers that a scene computes from its parameters: "=10 + clearance_um / 1000".
#pragma once

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

namespace tenon::content {

/// An expression that gives no number. The message says why, without saying where.
class ExpressionError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A number in [0, 1) that depends on `x` alone, and on every bit of it: the same on every machine, and for
/// neighbouring `x` as unlike as if drawn at random. No cryptography. −0 counts as 0; NaN where `x` is not
/// finite. The bits of `x` go through SplitMix64's mixing of 64 bits (Steele, Lea and Flood, "Fast splittable
/// pseudorandom number generators", OOPSLA 2014), of which the upper 53 become the fraction.
double randomOf(double x);

/// Evaluates muParser expressions (+ − * / ^, comparisons, ?:, sqrt, sin … in radians, _pi, and random(x),
/// which is randomOf) over named constants.
class Expressions {
 public:
  Expressions();
  ~Expressions();

  /// Names a value. Throws ExpressionError where `name` cannot be one.
  void define(const std::string& name, double value);

  /// Says which of several like parts is being read: `index` in expressions. Without one, none of them is,
  /// and expressions with `index` are refused.
  void setIndex(std::optional<int> index);
  std::optional<int> index() const;

  /// Throws ExpressionError unless `expression` gives exactly one finite number.
  double evaluate(const std::string& expression) const;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace tenon::content
