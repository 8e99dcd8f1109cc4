// See remote_studies.h.
#include "runtime/python/remote_studies.h"

#include <pybind11/stl.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "content/input/input_error.h"
#include "runtime/python/remote_state.h"
#include "runtime/service/client/remote_studies.h"
#include "runtime/session/atomic_file.h"

namespace tenon::python::remote {

namespace py = pybind11;
using service::RemoteServer;
using service::RemoteStudies;

namespace {

py::dict dictOf(const v1::Study& study) {
  py::dict all;
  all["id"] = study.id();
  all["scene"] = study.scene();
  all["owner"] = study.owner();
  all["running"] = study.running();
  all["ended"] = study.ended();
  all["cases"] = study.cases();
  all["done"] = study.done();
  all["successes"] = study.successes();
  all["yield"] = study.yield();
  all["yield_interval"] = py::make_tuple(study.yield_low(), study.yield_high());
  all["rate"] = study.rate();
  all["time_left"] = study.time_left();
  return all;
}

std::string start(RemoteStudies& studies, const std::string& scene, const std::string& plan, int threads) {
  v1::StartStudyRequest request;
  request.set_scene(scene);
  request.set_plan(plan);
  request.set_threads(threads);
  return remotely([&] { return studies.start(request); }).id();
}

py::list listed(RemoteStudies& studies) {
  py::list all;
  for (const v1::Study& study : remotely([&] { return studies.list(); })) all.append(dictOf(study));
  return all;
}

py::bytes results(RemoteStudies& studies, const std::string& id, const std::string& format) {
  std::string bytes;
  remotely([&] { studies.results(id, format, [&](const std::string& part) { bytes += part; }); });
  return bytes;
}

std::optional<py::dict> next(RemoteStudies::Watch& watch) {
  v1::Study study;
  if (!remotely([&] { return watch.next(study); })) return std::nullopt;
  return dictOf(study);
}

}  // namespace

void bindRemoteStudies(py::module_& module) {
  py::class_<RemoteStudies> studies(module, "RemoteStudies");
  py::class_<RemoteStudies::Watch>(module, "RemoteStudyWatch").def("next", &next);
  studies.def(py::init<std::shared_ptr<RemoteServer>>())
      .def("start", &start)
      .def("resume", [](RemoteStudies& self, const std::string& id) { remotely([&] { self.resume(id); }); })
      .def("stop", [](RemoteStudies& self, const std::string& id) { remotely([&] { self.stop(id); }); })
      .def("delete", [](RemoteStudies& self, const std::string& id) { remotely([&] { self.remove(id); }); })
      .def("list", &listed)
      .def("results", &results)
      .def("watch", [](RemoteStudies& self, const std::string& id) {
        return std::make_unique<RemoteStudies::Watch>(self, id);
      });
}

}  // namespace tenon::python::remote
