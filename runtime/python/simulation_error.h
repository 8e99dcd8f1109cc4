// The C++ side of tenon.SimulationError.
#pragma once

#include <stdexcept>

namespace tenon::python {

/// A simulation that cannot go on, is closed, or is being stepped by another thread.
class SimulationError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace tenon::python
