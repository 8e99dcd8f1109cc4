// Numbers that a scene computes from its parameters: "=10 + clearance_um / 1000".
#pragma once

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

namespace tenon::content {

/// An expression that has no finite value. The message holds the cause but not the JSON pointer.
class ExpressionError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Pseudorandom number in [0, 1) that depends on every bit of `x` and on nothing else: equal on every
/// machine, uncorrelated for neighboring `x`. Not cryptographic. −0 counts as 0; NaN if `x` is not finite.
/// Computed by the 64-bit mixing function of SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom
/// number generators", OOPSLA 2014), whose upper 53 bits become the fraction.
double randomOf(double x);

/// Evaluates muParser expressions (+ − * / ^, comparisons, ?:, sqrt, sin … in radians, _pi, and random(x),
/// which calls randomOf) over named constants.
class Expressions {
 public:
  Expressions();
  ~Expressions();

  /// Defines a named constant. Throws ExpressionError if `name` is not a valid or free name.
  void define(const std::string& name, double value);

  /// Sets the value of `index` in expressions: the number of the part that is read among those of one
  /// "count". Without a value, evaluate() rejects expressions that contain `index`.
  void setIndex(std::optional<int> index);
  std::optional<int> index() const;

  /// Throws ExpressionError unless `expression` has exactly one finite value.
  double evaluate(const std::string& expression) const;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace tenon::content
