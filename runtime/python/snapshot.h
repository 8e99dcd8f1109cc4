// The C++ side of tenon.Snapshot.
#pragma once

#include <cstdint>
#include <string>

#include "runtime/simulation/lockstep_simulation.h"

namespace tenon::python {

/// A state to return to, of a simulation here or of one on a server, which keeps it.
struct Snapshot {
  runtime::LockstepSimulation::Snapshot value;  ///< on a server: the scene alone
  std::string session;                          ///< of the server; empty: here
  std::int64_t number = 0;                      ///< of the session
};

}  // namespace tenon::python
