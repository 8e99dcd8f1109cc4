// States and errors of a server in Python.
#pragma once

#include <pybind11/pybind11.h>

#include <array>
#include <memory>
#include <stdexcept>

#include "runtime/python/scene_handle.h"
#include "runtime/python/simulation_error.h"
#include "runtime/python/state_rows.h"
#include "runtime/service/messages/status.h"
#include "tenon/v1/state.pb.h"

namespace tenon::python::remote {

using PoseNumbers = std::array<double, 7>;  ///< position [m] and quaternion w x y z

/// Calls `body` without the interpreter lock. Statuses become the exceptions of the module.
template <class Body>
auto remotely(Body body) {
  const pybind11::gil_scoped_release unlocked;
  try {
    return body();
  } catch (const service::StatusError& error) {
    switch (error.code()) {
      case grpc::StatusCode::INVALID_ARGUMENT:
      case grpc::StatusCode::NOT_FOUND:
      case grpc::StatusCode::OUT_OF_RANGE:
        throw std::invalid_argument(error.what());
      default:
        throw SimulationError(error.what());
    }
  }
}

std::shared_ptr<State> stateOf(const std::shared_ptr<const SceneHandle>& scene, const v1::State& message);

void store(const PoseNumbers& x, v1::Pose* pose);

}  // namespace tenon::python::remote
