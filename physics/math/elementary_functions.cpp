// sin(), exp() … of <cmath>, computed by SLEEF's portable sequences of operations: the C library's differ
// between processors (with and without fused multiply-add) and between versions, these give the same bits on
// all.
//
// A program that links this library calls these. The shared libraries that it loads keep the C library's, so
// that what a Python process computes does not depend on what was loaded first: see --exclude-libs in
// physics/CMakeLists.txt.
//
// Errors are below 1 unit in the last place (SLEEF's "u10"). Square root, rounding and remainders are exact
// in every C library.
#include "physics/math/elementary_functions.h"

#include <sleef.h>

#include <cmath>

void tenon::physics::linkElementaryFunctions() noexcept {}

// Compilers join sin(x) and cos(x) to sincos(x), some of them and at some levels: all three are one sequence.
extern "C" {

double sin(double x) noexcept {
  return Sleef_cinz_sincosd1_u10purec(x).x;
}
double cos(double x) noexcept {
  return Sleef_cinz_sincosd1_u10purec(x).y;
}
void sincos(double x, double* sine, double* cosine) noexcept {
  const Sleef_double_2 both = Sleef_cinz_sincosd1_u10purec(x);
  *sine = both.x;
  *cosine = both.y;
}
float sinf(float x) noexcept {
  return Sleef_cinz_sincosf1_u10purec(x).x;
}
float cosf(float x) noexcept {
  return Sleef_cinz_sincosf1_u10purec(x).y;
}
void sincosf(float x, float* sine, float* cosine) noexcept {
  const Sleef_float_2 both = Sleef_cinz_sincosf1_u10purec(x);
  *sine = both.x;
  *cosine = both.y;
}

#define TENON_OF_ONE(name)                    \
  double name(double x) noexcept {            \
    return Sleef_cinz_##name##d1_u10purec(x); \
  }                                           \
  float name##f(float x) noexcept {           \
    return Sleef_cinz_##name##f1_u10purec(x); \
  }
#define TENON_OF_TWO(name, accuracy)                      \
  double name(double x, double y) noexcept {              \
    return Sleef_cinz_##name##d1_##accuracy##purec(x, y); \
  }                                                       \
  float name##f(float x, float y) noexcept {              \
    return Sleef_cinz_##name##f1_##accuracy##purec(x, y); \
  }

TENON_OF_ONE(tan)
TENON_OF_ONE(asin)
TENON_OF_ONE(acos)
TENON_OF_ONE(atan)
TENON_OF_ONE(sinh)
TENON_OF_ONE(cosh)
TENON_OF_ONE(tanh)
TENON_OF_ONE(asinh)
TENON_OF_ONE(acosh)
TENON_OF_ONE(atanh)
TENON_OF_ONE(exp)
TENON_OF_ONE(exp2)
TENON_OF_ONE(expm1)
TENON_OF_ONE(log)
TENON_OF_ONE(log2)
TENON_OF_ONE(log10)
TENON_OF_ONE(log1p)
TENON_OF_ONE(cbrt)
TENON_OF_TWO(atan2, u10)
TENON_OF_TWO(pow, u10)
TENON_OF_TWO(hypot, u05)

#undef TENON_OF_ONE
#undef TENON_OF_TWO

}  // extern "C"
