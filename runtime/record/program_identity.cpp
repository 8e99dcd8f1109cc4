// Queries compiler, processor and C library: see program_identity.h.
#include "runtime/record/program_identity.h"

#include <fmt/format.h>
#include <gnu/libc-version.h>
#include <tenon_sources.h>

#include <array>

#include "runtime/record/environment.h"

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

}  // namespace

ProgramIdentity thisProgram() {
  const Environment environment = thisEnvironment();
  ProgramIdentity program;
  program.version = environment.version;
  program.sources = TENON_SOURCES;
  program.compiler = environment.compiler;
  program.processor = environment.processor;
  program.cpuFeatures = featuresOfThisProcessor();
  program.cLibrary = std::string("glibc ") + gnu_get_libc_version();
  program.build = environment.build;
  program.system = environment.system;
  return program;
}

std::string differenceOf(const ProgramIdentity& recorded, const ProgramIdentity& here) {
  struct Field {
    const char* name;
    std::string ProgramIdentity::*value;
  };
  constexpr std::array kFields{
      Field{"version", &ProgramIdentity::version},          Field{"sources", &ProgramIdentity::sources},
      Field{"compiler", &ProgramIdentity::compiler},        Field{"processor", &ProgramIdentity::processor},
      Field{"CPU features", &ProgramIdentity::cpuFeatures}, Field{"C library", &ProgramIdentity::cLibrary},
  };
  std::string all;
  for (const Field& field : kFields) {
    if (recorded.*field.value == here.*field.value) continue;
    all += fmt::format("{}{} {}, here {}", all.empty() ? "" : "; ", field.name, recorded.*field.value,
                       here.*field.value);
  }
  return all;
}

}  // namespace tenon::runtime
