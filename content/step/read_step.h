// STEP files, read by a program of their own that is there where OpenCASCADE is (content/step/reader/).
#pragma once

#include <functional>
#include <stdexcept>
#include <string>

#include "content/step/step_model.h"

namespace tenon::content {

/// Something this build or machine lacks; the message is one line and says how to get it.
class MissingComponent : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// By the file's ending, .step or .stp, capitals or not.
bool isStepFile(const std::string& file);

struct StepReader {
  std::string program;  ///< its path; "" where it is not there
  std::string version;  ///< of OpenCASCADE, as built; "" where it was built without
  std::string remedy;   ///< what to do where it is not there
};

/// The reader beside this program, or where it was built.
StepReader findStepReader();

/// What a file may cost.
struct StepLimits {
  int seconds = 600;  ///< of one processor
  int mebibytes = 8192;
};

/// The model in `bytes` of a file that is called `file`. Throws InputError where the bytes are no sound STEP,
/// or the reader breaks down or gives up over them; MissingComponent where there is no reader.
StepModel parseStep(const std::string& bytes, const std::string& file,
                    const std::function<void(const std::string&)>& progress, const StepLimits& limits = {});

}  // namespace tenon::content
