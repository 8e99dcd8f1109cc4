// The time since the start of the process.
#pragma once

namespace tenon::runtime {

/// Since the start of this process, with the loading of its libraries [s]; to the system's clock tick, mostly
/// 10 ms. 0 where the system does not say when it started.
double processAge();

}  // namespace tenon::runtime
