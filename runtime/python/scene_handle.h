// The C++ side of tenon.Scene.
#pragma once

#include <pybind11/pybind11.h>

#include <string>
#include <vector>

#include "runtime/session/run_scene.h"
#include "runtime/session/scene_picture.h"

namespace tenon::python {

/// A scene that Python objects share; constant.
class SceneHandle {
 public:
  explicit SceneHandle(runtime::LoadedScene loaded);

  const runtime::LoadedScene& loaded() const { return loaded_; }
  const content::Scene& scene() const { return *loaded_.scene; }
  const std::vector<std::string>& parts() const { return parts_; }
  const std::vector<std::string>& hands() const { return hands_; }
  const std::vector<std::string>& joints() const { return joints_; }
  const std::vector<std::string>& goals() const { return goals_; }
  const std::vector<std::string>& thrusters() const { return thrusters_; }

  /// Index of the entry that `key` names: a name or an index. `what`: "part", "hand". Throws
  /// content::InputError for none, and pybind11::type_error for other types.
  int indexOf(const char* what, const std::vector<std::string>& names, const pybind11::object& key) const;

 private:
  runtime::LoadedScene loaded_;
  std::vector<std::string> parts_, hands_, joints_, goals_, thrusters_;
};

/// "WIDTHxHEIGHT" of a pair (width, height). Throws content::InputError as runtime::parseImageSize().
runtime::ImageSize imageSizeOf(const std::pair<int, int>& size);

}  // namespace tenon::python
