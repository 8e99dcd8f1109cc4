// tenon._tenon.Scene.
#include <fmt/format.h>
#include <pybind11/stl.h>

#include <memory>
#include <utility>

#include "content/input/input_error.h"
#include "content/input/wording.h"
#include "runtime/python/bindings.h"
#include "runtime/python/scene_handle.h"
#include "runtime/report/event_text.h"
#include "runtime/report/scene_survey.h"
#include "runtime/simulation/simulation.h"
#include "xr/hands/scripted_hands.h"

namespace tenon::python {

namespace py = pybind11;

namespace {

using content::InputError;

py::list parametersOf(const content::Scene& scene) {
  py::list all;
  for (const content::Parameter& parameter : scene.parameters) {
    py::dict entry;
    entry["name"] = parameter.name;
    entry["unit"] = parameter.unit;
    entry["description"] = parameter.description;
    entry["default"] = parameter.defaultValue;
    entry["minimum"] = parameter.minimum;
    entry["maximum"] = parameter.maximum;
    entry["value"] = parameter.value;
    all.append(entry);
  }
  return all;
}

py::tuple tupleOf(const physics::Vector3d& v) {
  return py::make_tuple(v.x(), v.y(), v.z());
}

py::tuple tupleOf(const physics::Quaterniond& q) {
  return py::make_tuple(q.w(), q.x(), q.y(), q.z());
}

/// A goal's geometry at the start.
py::dict goalGeometry(const SceneHandle& handle, const py::object& key) {
  const content::Scene& scene = handle.scene();
  const int index = handle.indexOf("goal", handle.goals(), key);
  const content::Goal& goal = scene.goals[static_cast<std::size_t>(index)];
  const content::Part& part = scene.part(goal.part);
  const physics::Pose X_WH = scene.part(goal.into).X_WP * goal.X_IH;
  py::dict geometry;
  geometry["part"] = part.name;
  geometry["into"] = scene.part(goal.into).name;
  geometry["depth"] = goal.depth;
  geometry["time_limit"] = goal.timeLimit;
  geometry["mouth_position"] = tupleOf(X_WH.p);
  geometry["mouth_quaternion"] = tupleOf(X_WH.q);
  physics::Vector3d origin = physics::Vector3d::Zero(), direction = -physics::Vector3d::UnitZ();
  if (goal.feature >= 0) {
    const content::AxisFeature& feature = part.features[static_cast<std::size_t>(goal.feature)];
    origin = feature.origin;
    direction = feature.direction;
  }
  geometry["tip_origin"] = tupleOf(origin);
  geometry["tip_direction"] = tupleOf(direction);
  return geometry;
}

/// A picture of the start as PNG.
py::bytes picture(const SceneHandle& handle, const std::pair<int, int>& size, const std::string& view) {
  std::string png;
  {
    const py::gil_scoped_release unlocked;
    const runtime::ImageSize pixels = imageSizeOf(size);
    runtime::PictureOptions options;
    options.view = view;
    const runtime::ScenePicture shown(handle.loaded().scene, options);
    xr::Offscreen display(pixels.width, pixels.height);
    physics::WorldOptions world;
    world.dt = 1 / handle.scene().rate;
    const runtime::Simulation simulation(handle.scene(), world,
                                         std::make_unique<xr::ScriptedHands>(handle.scene().hands));
    png = xr::toPng(shown.draw(display, pixels, simulation.world()));
  }
  return py::bytes(png);
}

std::shared_ptr<SceneHandle> load(const std::string& file, const content::ParameterValues& values) {
  const py::gil_scoped_release unlocked;
  return std::make_shared<SceneHandle>(runtime::loadScene(file, values));
}

std::string survey(const SceneHandle& handle) {
  const py::gil_scoped_release unlocked;
  return runtime::toJson(runtime::surveyOf(handle.scene()));
}

}  // namespace

SceneHandle::SceneHandle(runtime::LoadedScene loaded) : loaded_(std::move(loaded)) {
  for (const content::Part& part : scene().parts) parts_.push_back(part.name);
  for (const content::Hand& hand : scene().hands) hands_.push_back(hand.name);
  for (const content::Joint& joint : scene().joints) joints_.push_back(joint.name);
  for (int g = 0; g < static_cast<int>(scene().goals.size()); ++g)
    goals_.push_back(runtime::goalName(scene(), g));
  for (const content::Thruster* thruster : content::thrustersOf(scene()))
    thrusters_.push_back(thruster->name);
}

int SceneHandle::indexOf(const char* what, const std::vector<std::string>& names,
                         const py::object& key) const {
  const std::string count = fmt::format("{}", names.size());
  if (py::isinstance<py::str>(key)) {
    const auto name = key.cast<std::string>();
    for (std::size_t k = 0; k < names.size(); ++k)
      if (names[k] == name) return static_cast<int>(k);
    throw InputError(
        scene().file, what, content::inQuotes(name) + " is not in the scene",
        names.empty() ? fmt::format("the scene has no {}", what) : content::suggestion(name, names));
  }
  if (!PyIndex_Check(key.ptr()))
    throw py::type_error(fmt::format("a {} is named by its name or index", what));
  const Py_ssize_t index = PyNumber_AsSsize_t(key.ptr(), nullptr);
  if (index >= 0 && static_cast<std::size_t>(index) < names.size()) return static_cast<int>(index);
  throw InputError(scene().file, what, fmt::format("{} is not an index", index),
                   names.empty() ? fmt::format("the scene has no {}", what)
                                 : fmt::format("give a name, or an index from 0 to {}", names.size() - 1));
}

runtime::ImageSize imageSizeOf(const std::pair<int, int>& size) {
  return runtime::parseImageSize(fmt::format("{}x{}", size.first, size.second));
}

void bindScene(py::module_& module) {
  py::class_<SceneHandle, std::shared_ptr<SceneHandle>>(module, "Scene")
      .def_static("load", &load, py::arg("file"), py::arg("parameters"))
      .def_property_readonly("file", [](const SceneHandle& s) { return s.scene().file; })
      .def_property_readonly("name", [](const SceneHandle& s) { return s.scene().name; })
      .def_property_readonly("title", [](const SceneHandle& s) { return s.scene().title; })
      .def_property_readonly("duration", [](const SceneHandle& s) { return s.scene().duration; })
      .def_property_readonly("rate", [](const SceneHandle& s) { return s.scene().rate; })
      .def_property_readonly("parts", &SceneHandle::parts)
      .def_property_readonly("hands", &SceneHandle::hands)
      .def_property_readonly("joints", &SceneHandle::joints)
      .def_property_readonly("goals", &SceneHandle::goals)
      .def_property_readonly("thrusters", &SceneHandle::thrusters)
      .def_property_readonly("parameters", [](const SceneHandle& s) { return parametersOf(s.scene()); })
      .def("part_index",
           [](const SceneHandle& s, const py::object& key) { return s.indexOf("part", s.parts(), key); })
      .def("hand_index",
           [](const SceneHandle& s, const py::object& key) { return s.indexOf("hand", s.hands(), key); })
      .def("goal_index",
           [](const SceneHandle& s, const py::object& key) { return s.indexOf("goal", s.goals(), key); })
      .def("thruster_index", [](const SceneHandle& s,
                                const py::object& key) { return s.indexOf("thruster", s.thrusters(), key); })
      .def("goal_geometry", &goalGeometry, py::arg("goal"))
      .def("survey", &survey)
      .def("picture", &picture, py::arg("size"), py::arg("view"));
}

}  // namespace tenon::python
