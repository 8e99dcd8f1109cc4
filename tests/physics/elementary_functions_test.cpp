// The elementary functions of <cmath> as this program computes them, against those of extended precision.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <string>

namespace tenon::physics::elementary_functions_test {
namespace {

using Function = double (*)(double);
using Wide = long double (*)(long double);

struct Case {
  const char* name;
  Function function;
  Wide reference;
  double low, high;
};

const Case kCases[] = {
    {"sin", [](double x) { return std::sin(x); }, [](long double x) { return std::sin(x); }, -1e4, 1e4},
    {"cos", [](double x) { return std::cos(x); }, [](long double x) { return std::cos(x); }, -1e4, 1e4},
    {"tan", [](double x) { return std::tan(x); }, [](long double x) { return std::tan(x); }, -1e4, 1e4},
    {"asin", [](double x) { return std::asin(x); }, [](long double x) { return std::asin(x); }, -1, 1},
    {"acos", [](double x) { return std::acos(x); }, [](long double x) { return std::acos(x); }, -1, 1},
    {"atan", [](double x) { return std::atan(x); }, [](long double x) { return std::atan(x); }, -9, 9},
    {"sinh", [](double x) { return std::sinh(x); }, [](long double x) { return std::sinh(x); }, -9, 9},
    {"cosh", [](double x) { return std::cosh(x); }, [](long double x) { return std::cosh(x); }, -9, 9},
    {"tanh", [](double x) { return std::tanh(x); }, [](long double x) { return std::tanh(x); }, -9, 9},
    {"asinh", [](double x) { return std::asinh(x); }, [](long double x) { return std::asinh(x); }, -9, 9},
    {"acosh", [](double x) { return std::acosh(x); }, [](long double x) { return std::acosh(x); }, 1, 99},
    {"atanh", [](double x) { return std::atanh(x); }, [](long double x) { return std::atanh(x); }, -1, 1},
    {"exp", [](double x) { return std::exp(x); }, [](long double x) { return std::exp(x); }, -700, 700},
    {"exp2", [](double x) { return std::exp2(x); }, [](long double x) { return std::exp2(x); }, -99, 99},
    {"expm1", [](double x) { return std::expm1(x); }, [](long double x) { return std::expm1(x); }, -1, 1},
    {"log", [](double x) { return std::log(x); }, [](long double x) { return std::log(x); }, 0, 99},
    {"log2", [](double x) { return std::log2(x); }, [](long double x) { return std::log2(x); }, 0, 99},
    {"log10", [](double x) { return std::log10(x); }, [](long double x) { return std::log10(x); }, 0, 99},
    {"log1p", [](double x) { return std::log1p(x); }, [](long double x) { return std::log1p(x); }, -1, 1},
    {"cbrt", [](double x) { return std::cbrt(x); }, [](long double x) { return std::cbrt(x); }, -99, 99},
};

/// In units in the last place of the reference.
double errorOf(double value, long double reference) {
  const double rounded = std::abs(static_cast<double>(reference));
  const double unit = std::nextafter(rounded, std::numeric_limits<double>::infinity()) - rounded;
  return static_cast<double>(std::abs(value - reference)) / unit;
}

constexpr int kSamples = 20000;

TEST(ElementaryFunctions, AreExactToOneUnitInTheLastPlace) {
  std::mt19937_64 random(1);
  for (const Case& c : kCases) {
    std::uniform_real_distribution<double> argument(c.low, c.high);
    for (int k = 0; k < kSamples; ++k) {
      const double x = argument(random);
      ASSERT_LT(errorOf(c.function(x), c.reference(x)), 1) << c.name << " of " << x;
    }
  }
  std::uniform_real_distribution<double> argument(-9, 9);
  for (int k = 0; k < kSamples; ++k) {
    const double x = argument(random), y = argument(random);
    const long double wideX = x, wideY = y;
    ASSERT_LT(errorOf(std::atan2(x, y), std::atan2(wideX, wideY)), 1) << x << ' ' << y;
    ASSERT_LT(errorOf(std::pow(std::abs(x), y), std::pow(std::abs(wideX), wideY)), 1) << x << ' ' << y;
    ASSERT_LE(errorOf(std::hypot(x, y), std::hypot(wideX, wideY)), 0.51) << x << ' ' << y;
  }
}

TEST(ElementaryFunctions, OfSpecialValuesAreThoseOfTheStandard) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  volatile double zero = 0, infinity = kInfinity, one = 1;
  EXPECT_TRUE(std::signbit(std::sin(-zero)));
  EXPECT_EQ(std::cos(zero), 1);
  EXPECT_TRUE(std::isnan(std::sin(infinity)));
  EXPECT_TRUE(std::isnan(std::cos(std::nan(""))));
  EXPECT_TRUE(std::isnan(std::acos(2 * one)));
  EXPECT_EQ(std::acos(one), 0);
  EXPECT_EQ(std::acos(-one), M_PI);
  EXPECT_EQ(std::atan2(zero, -one), M_PI);
  EXPECT_EQ(std::atan2(-zero, -one), -M_PI);
  EXPECT_EQ(std::atan2(one, zero), M_PI_2);
  EXPECT_TRUE(std::signbit(std::atan2(-zero, one)));
  EXPECT_EQ(std::exp(zero), 1);
  EXPECT_EQ(std::exp(-infinity), 0);
  EXPECT_EQ(std::exp(infinity), kInfinity);
  EXPECT_EQ(std::log(zero), -kInfinity);
  EXPECT_TRUE(std::isnan(std::log(-one)));
  EXPECT_EQ(std::log(one), 0);
  EXPECT_EQ(std::log10(1000 * one), 3);
  EXPECT_EQ(std::pow(zero, zero), 1);
  EXPECT_EQ(std::pow(-2 * one, 3 * one), -8);
  EXPECT_TRUE(std::isnan(std::pow(-one, 0.5 * one)));
  EXPECT_EQ(std::pow(zero, -one), kInfinity);
  EXPECT_EQ(std::hypot(3 * one, 4 * one), 5);
  EXPECT_EQ(std::hypot(infinity, std::nan("")), kInfinity);
  EXPECT_EQ(std::hypot(1e300 * one, 1e300 * one), 1e300 * M_SQRT2);
}

/// A compiler may join sine and cosine of one angle to one call.
TEST(ElementaryFunctions, SineAndCosineAreTheSameApartAndTogether) {
  for (int k = 0; k < kSamples; ++k) {
    const double x = 1e-3 * k - 7;
    double sine = 0, cosine = 0;
    sincos(x, &sine, &cosine);
    const Function apart[] = {[](double t) { return std::sin(t); }, [](double t) { return std::cos(t); }};
    ASSERT_EQ(sine, apart[0](x));
    ASSERT_EQ(cosine, apart[1](x));
  }
}

/// Those of the C library differ between processors.
TEST(ElementaryFunctions, AreNotThoseOfTheCLibrary) {
  const auto fileOf = [](auto function) {
    Dl_info info{};
    return dladdr(reinterpret_cast<void*>(function), &info) != 0 ? std::string(info.dli_fname) : "unknown";
  };
  using OfTwo = double (*)(double, double);
  for (const std::string& file :
       {fileOf(static_cast<Function>(&std::sin)), fileOf(static_cast<Function>(&std::exp)),
        fileOf(static_cast<OfTwo>(&std::atan2)), fileOf(static_cast<OfTwo>(&std::pow))})
    EXPECT_EQ(file.find("libm."), std::string::npos) << file;
}

}  // namespace
}  // namespace tenon::physics::elementary_functions_test
