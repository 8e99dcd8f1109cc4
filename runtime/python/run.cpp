// tenon._tenon.run(): the same function as the command's.
#include <pybind11/stl.h>

#include <memory>
#include <mutex>
#include <optional>

#include "runtime/python/bindings.h"
#include "runtime/python/interrupt_check.h"
#include "runtime/python/scene_handle.h"
#include "runtime/python/solver_arguments.h"
#include "runtime/session/run_scene.h"

namespace tenon::python {

namespace py = pybind11;

namespace {

py::dict run(const std::shared_ptr<SceneHandle>& scene, const SolverArguments& solver,
             const std::optional<double>& rate, const std::optional<double>& duration,
             const std::optional<std::string>& record, const std::optional<std::string>& report, bool force,
             std::uint64_t seed, int threads, const std::shared_ptr<StopFlag>& stop) {
  runtime::RunSettings settings;
  settings.solver = settingsOf(solver);
  settings.rate = givenOr(rate, "--rate");
  settings.duration = givenOr(duration, "--duration");
  settings.record = record;
  settings.report = report;
  settings.force = force;
  settings.seed = seed;
  settings.threads = threads;
  InterruptCheck interrupt(stop);
  std::mutex mutex;
  std::vector<std::string> messages;  // the recorder reports from its own thread
  runtime::RunObserver observer;
  observer.message = [&](const std::string& text) {
    const std::lock_guard lock(mutex);
    messages.push_back(text);
  };
  observer.stopRequested = [&] { return interrupt.requested(); };
  runtime::RunOutcome outcome;
  std::string json;
  {
    const py::gil_scoped_release unlocked;
    outcome = runtime::runScene(scene->loaded(), settings, observer);
    json = runtime::toJson(outcome.result);
  }
  interrupt.rethrow();
  py::dict result;
  result["json"] = json;
  result["exit_code"] = outcome.exitCode();
  result["problem"] = outcome.problem;
  result["record_complete"] = outcome.recordComplete;
  result["messages"] = messages;
  return result;
}

}  // namespace

void bindRun(py::module_& module) {
  py::class_<StopFlag, std::shared_ptr<StopFlag>>(module, "StopFlag")
      .def(py::init<>())
      .def("set", [](StopFlag& flag) { flag.set = true; });
  module.def("run", &run, py::arg("scene"), py::arg("solver"), py::arg("rate"), py::arg("duration"),
             py::arg("record"), py::arg("report"), py::arg("force"), py::arg("seed"), py::arg("threads"),
             py::arg("stop"));
}

}  // namespace tenon::python
