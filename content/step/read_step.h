// Reads STEP files with a separate program, which is built if OpenCASCADE is installed
// (content/step/reader/).
#pragma once

#include <functional>
#include <stdexcept>
#include <string>

#include "content/step/step_model.h"

namespace tenon::content {

/// Thrown if an optional component is missing; the message is one line and contains the remedy.
class MissingComponent : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// True for the extensions .step and .stp, case-insensitive.
bool isStepFile(const std::string& file);

struct StepReader {
  std::string program;  ///< path of the program; "" if it is missing
  std::string version;  ///< of OpenCASCADE at build time; "" if built without
  std::string remedy;   ///< remedy if it is missing
};

/// The reader that was built or installed with this program.
StepReader findStepReader();

/// Resource limits of the reader.
struct StepLimits {
  int seconds = 600;  ///< CPU time; a quarter of what is left of it for one of several products
  int mebibytes = 8192;
};

/// The model in `bytes`, the content of `file`. Throws InputError if the bytes are not valid STEP, or if the
/// reader crashes or exceeds its limits; MissingComponent if there is no reader. A product that cannot be
/// used has its problem, and the others are usable.
StepModel parseStep(const std::string& bytes, const std::string& file,
                    const std::function<void(const std::string&)>& progress, const StepLimits& limits = {});

/// Throws InputError if the product of `file` cannot be used.
void requireUsable(const StepProduct& product, const std::string& file);

}  // namespace tenon::content
