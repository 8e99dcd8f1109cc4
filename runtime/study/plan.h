// A study's plan: the scene, what varies, how cases are chosen, what is stored of each, and when it is
// enough.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tenon::runtime {

enum class Distribution {
  uniform,     ///< numbers: low, high
  normal,      ///< numbers: mean, standard deviation; truncated at kTruncation deviations
  triangular,  ///< numbers: low, mode, high
  list,        ///< the numbers themselves, each equally often
};

/// Where normal distributions end, in standard deviations: every value can be checked before the first case.
inline constexpr double kTruncation = 4;

struct Variable {
  std::string name;        ///< the parameter's, or the JSON pointer
  bool isPointer = false;  ///< a number in the scene file, not a parameter
  Distribution distribution = Distribution::uniform;
  std::vector<double> numbers;

  double low() const;   ///< smallest value
  double high() const;  ///< largest value
};

enum class Design { grid, random, latinHypercube, sobol };

/// A field of `tenon run --json` that is stored for each case besides the columns that every case has.
struct OutputField {
  std::string name, pointer;
};

struct StudyPlan {
  std::string file;   ///< of the plan, for messages
  std::string text;   ///< the plan in canonical form: equal texts are equal plans
  std::string scene;  ///< path of the scene file
  std::vector<Variable> variables;
  Design design = Design::random;
  std::int64_t count = 0;
  std::uint64_t seed = 0;
  double rate = 0;  ///< [Hz], 0: the scene's
  std::vector<OutputField> outputs;
  std::optional<double> yieldWidth;  ///< enough once the 95 % interval of the yield is narrower
};

inline constexpr std::int64_t kMaxCases = 100'000'000;
inline constexpr std::size_t kMaxVariables = 64;

/// `file`: the plan's name in messages; a relative scene is relative to its folder. Throws
/// content::InputError.
StudyPlan parsePlan(const std::string& text, const std::string& file);
/// parsePlan() of a file.
StudyPlan loadPlan(const std::string& file);

}  // namespace tenon::runtime
