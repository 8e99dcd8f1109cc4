// Parts of the extension module tenon._tenon, one function per file.
#pragma once

#include <pybind11/pybind11.h>

namespace tenon::python {

/// Exceptions: InputError, MissingComponent, SimulationError.
void bindErrors(pybind11::module_& module);
/// Scene: a checked scene, with the texts and files that it was read from.
void bindScene(pybind11::module_& module);
/// run() and StopFlag.
void bindRun(pybind11::module_& module);
/// State: the result of a step as arrays.
void bindState(pybind11::module_& module);
/// Simulation and Snapshot.
void bindSimulation(pybind11::module_& module);
/// connect(), RemoteServer and RemoteSimulation: sessions of `tenon serve`.
void bindRemote(pybind11::module_& module);
/// Session: a recorded session.
void bindSession(pybind11::module_& module);
/// Study and StudyResults: the cases of a plan, and their results file.
void bindStudy(pybind11::module_& module);

}  // namespace tenon::python
