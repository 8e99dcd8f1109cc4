// Queries arithmetic, compiler, processor and C library: see program_identity.h.
#include "runtime/record/program_identity.h"

#include <fmt/format.h>
#include <gnu/libc-version.h>
#include <tenon_sources.h>

#include <array>
#include <cmath>
#include <cstring>
#include <span>

#include "runtime/record/environment.h"
#include "runtime/record/hash_chain.h"

namespace tenon::runtime {

namespace {

std::string featuresOfThisProcessor() {
  std::string all;
#if defined(__x86_64__) || defined(__i386__)
  const auto add = [&all](const char* name, bool there) {
    if (there) all += all.empty() ? name : std::string(" ") + name;
  };
  __builtin_cpu_init();
  add("sse4.2", __builtin_cpu_supports("sse4.2") != 0);
  add("avx", __builtin_cpu_supports("avx") != 0);
  add("fma", __builtin_cpu_supports("fma") != 0);
  add("fma4", __builtin_cpu_supports("fma4") != 0);
  add("avx2", __builtin_cpu_supports("avx2") != 0);
  add("avx512f", __builtin_cpu_supports("avx512f") != 0);
#endif
  return all;
}

/// Hash of the elementary functions' results for some hundred arguments each.
std::string arithmeticOfThisProgram() {
  using Function = double (*)(double);
  constexpr std::array<Function, 14> kOfOne{
      [](double x) { return std::sin(8 * x); },  [](double x) { return std::cos(8 * x); },
      [](double x) { return std::tan(8 * x); },  [](double x) { return std::asin(x); },
      [](double x) { return std::acos(x); },     [](double x) { return std::atan(8 * x); },
      [](double x) { return std::exp(8 * x); },  [](double x) { return std::log(x); },
      [](double x) { return std::log10(x); },    [](double x) { return std::cbrt(x); },
      [](double x) { return std::sinh(8 * x); }, [](double x) { return std::cosh(8 * x); },
      [](double x) { return std::tanh(2 * x); }, [](double x) { return std::sqrt(x); },
  };
  using FunctionOfTwo = double (*)(double, double);
  constexpr std::array<FunctionOfTwo, 3> kOfTwo{
      [](double x, double y) { return std::atan2(x, y); },
      [](double x, double y) { return std::pow(8 * x, 8 * y); },
      [](double x, double y) { return std::hypot(x, y); },
  };
  constexpr int kArguments = 256;
  std::string results;
  const auto add = [&](double value) {
    std::array<char, sizeof value> bytes;
    std::memcpy(bytes.data(), &value, bytes.size());
    results.append(bytes.data(), bytes.size());
  };
  for (int k = 0; k < kArguments; ++k) {
    const double x = (k + 0.5) / kArguments, y = (97 * k % kArguments + 0.25) / kArguments - 0.5;
    for (const Function function : kOfOne) add(function(x));
    for (const FunctionOfTwo function : kOfTwo) add(function(x, y));
  }
  return fmt::format("{:016x}", bytesHash(results));
}

struct NamedField {
  const char* name;
  std::string ProgramIdentity::*value;
};

std::string differences(std::span<const NamedField> fields, const ProgramIdentity& recorded,
                        const ProgramIdentity& here) {
  std::string all;
  for (const auto& [name, value] : fields) {
    if (recorded.*value == here.*value || (recorded.*value).empty()) continue;
    all += fmt::format("{}{} {}, here {}", all.empty() ? "" : "; ", name, recorded.*value, here.*value);
  }
  return all;
}

}  // namespace

ProgramIdentity thisProgram() {
  const Environment environment = thisEnvironment();
  ProgramIdentity program;
  program.version = environment.version;
  program.sources = TENON_SOURCES;
  static const std::string arithmetic = arithmeticOfThisProgram();
  program.arithmetic = arithmetic;
  program.compiler = environment.compiler;
  program.processor = environment.processor;
  program.cpuFeatures = featuresOfThisProcessor();
  program.cLibrary = std::string("glibc ") + gnu_get_libc_version();
  program.build = environment.build;
  program.system = environment.system;
  return program;
}

std::string differenceOf(const ProgramIdentity& recorded, const ProgramIdentity& here) {
  constexpr std::array kNecessary{NamedField{"version", &ProgramIdentity::version},
                                  NamedField{"sources", &ProgramIdentity::sources},
                                  NamedField{"arithmetic", &ProgramIdentity::arithmetic}};
  return differences(kNecessary, recorded, here);
}

std::string circumstancesOf(const ProgramIdentity& recorded, const ProgramIdentity& here) {
  constexpr std::array kCircumstances{NamedField{"compiler", &ProgramIdentity::compiler},
                                      NamedField{"processor", &ProgramIdentity::processor},
                                      NamedField{"CPU features", &ProgramIdentity::cpuFeatures},
                                      NamedField{"C library", &ProgramIdentity::cLibrary}};
  return differences(kCircumstances, recorded, here);
}

}  // namespace tenon::runtime
