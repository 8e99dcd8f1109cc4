// The C++ side of tenon.Snapshot.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "runtime/simulation/lockstep_simulation.h"

namespace tenon::python {

/// A state to return to, of a simulation here or of one on a server, which keeps it.
struct Snapshot {
  std::shared_ptr<const content::Scene> scene;
  std::optional<runtime::LockstepSimulation::Snapshot> value;  ///< empty: on a server
  std::string session;                                         ///< of the server; empty: here
  std::int64_t number = 0;                                     ///< of the session
};

}  // namespace tenon::python
