// tenon._tenon.RemoteStudies: studies of a server.
#pragma once

#include <pybind11/pybind11.h>

namespace tenon::python::remote {

void bindRemoteStudies(pybind11::module_& module);

}  // namespace tenon::python::remote
