// Extremes of functions of one number, by golden sections.
#pragma once

namespace tenon::test {

/// A value of a function, and where it takes it.
struct Least {
  double value, at;
};

/// Least value and where, in an interval in which the function falls and then rises; ends included. To
/// `width` of where.
template <class F>
Least leastBetween(double low, double high, double width, const F& f) {
  constexpr double kRatio = 0.6180339887498949;
  Least best{f(low), low};
  const auto look = [&](double x) {
    const double value = f(x);
    if (value < best.value) best = {value, x};
    return value;
  };
  look(high);
  double a = high - kRatio * (high - low), b = low + kRatio * (high - low), fa = look(a), fb = look(b);
  while (high - low > width) {
    if (fa < fb) {
      high = b, b = a, fb = fa, a = high - kRatio * (high - low), fa = look(a);
    } else {
      low = a, a = b, fa = fb, b = low + kRatio * (high - low), fb = look(b);
    }
  }
  return best;
}

/// Greatest value in an interval in which the function rises and then falls.
template <class F>
double greatestBetween(double low, double high, double width, const F& f) {
  return -leastBetween(low, high, width, [&](double x) { return -f(x); }).value;
}

}  // namespace tenon::test
