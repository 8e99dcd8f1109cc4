// The exceptions of the module, with the texts of the command line.
#include <fmt/format.h>

#include <exception>
#include <stdexcept>

#include "content/input/input_error.h"
#include "content/step/read_step.h"
#include "runtime/python/bindings.h"
#include "runtime/python/simulation_error.h"
#include "xr/vulkan/graphics_unavailable.h"

namespace tenon::python {

namespace py = pybind11;

namespace {

/// A new exception class, which lives as long as the interpreter.
PyObject* addException(py::module_& module, const char* name, PyObject* base, const char* doc) {
  const std::string fullName = fmt::format("tenon.{}", name);
  PyObject* const type = PyErr_NewExceptionWithDoc(fullName.c_str(), doc, base, nullptr);
  if (type == nullptr) throw py::error_already_set();
  module.add_object(name, type);
  return type;
}

PyObject* inputError = nullptr;
PyObject* missingComponent = nullptr;
PyObject* simulationError = nullptr;

// NOLINTNEXTLINE(performance-unnecessary-value-param): the signature is pybind11's
void translate(std::exception_ptr thrown) {
  try {
    if (thrown) std::rethrow_exception(thrown);
  } catch (const content::InputError& error) {
    PyErr_SetString(inputError, error.what());
  } catch (const std::invalid_argument& error) {  // of the world: a command that it refuses
    PyErr_SetString(inputError, error.what());
  } catch (const content::MissingComponent& error) {
    PyErr_SetString(missingComponent, error.what());
  } catch (const xr::GraphicsUnavailable& error) {
    PyErr_SetString(missingComponent, error.what());
  } catch (const SimulationError& error) {
    PyErr_SetString(simulationError, error.what());
  }
}

}  // namespace

void bindErrors(py::module_& module) {
  inputError =
      addException(module, "InputError", PyExc_ValueError,
                   "Bad data from outside: a file, a parameter, an argument.\n\n"
                   "The text is one line, as that of the command line: \"file: place: problem; remedy\".");
  missingComponent =
      addException(module, "MissingComponent", PyExc_RuntimeError,
                   "The machine or the build lacks a component; the text contains the remedy.");
  simulationError = addException(module, "SimulationError", PyExc_RuntimeError,
                                 "A simulation cannot go on; the text says why and what to change.");
  py::register_exception_translator(translate);
}

}  // namespace tenon::python
