// tenon._tenon, the extension module below the Python package tenon.
#include "runtime/python/bindings.h"
#include "runtime/record/environment.h"

PYBIND11_MODULE(_tenon, module) {
  module.doc() = "Extension module of the package tenon; import tenon instead.";
  module.attr("__version__") = tenon::runtime::thisEnvironment().version;
  tenon::python::bindErrors(module);
  tenon::python::bindScene(module);
  tenon::python::bindRun(module);
  tenon::python::bindState(module);
  tenon::python::bindSimulation(module);
  tenon::python::bindRemote(module);
  tenon::python::bindSession(module);
  tenon::python::bindStudy(module);
  // Without a constructor, these are made by functions alone: __new__ would leave them uninitialized.
  for (const char* name : {"Scene", "State", "Snapshot", "Study"})
    reinterpret_cast<PyTypeObject*>(pybind11::object(module.attr(name)).ptr())->tp_new = nullptr;
}
