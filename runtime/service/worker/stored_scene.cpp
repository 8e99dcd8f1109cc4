// See stored_scene.h.
#include "runtime/service/worker/stored_scene.h"

#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "content/input/file_source.h"
#include "content/input/input_error.h"

namespace tenon::service {

runtime::LoadedScene loadStored(const worker::StoredScene& stored,
                                const google::protobuf::Map<std::string, double>& parameters) {
  content::ParameterValues values;
  for (const auto& [name, value] : parameters) {
    if (!std::isfinite(value))
      throw content::InputError("--set", fmt::format("{}={}", name, value),
                                "is not a name and a finite number",
                                "write it as NAME=VALUE, such as clearance_um=20");
    values[name] = value;
  }
  runtime::LoadedScene loaded;
  loaded.text = stored.text();
  for (const auto& [path, bytes] : stored.files()) loaded.meshFiles[path] = bytes;
  content::StoredFileSource files(stored.name(), loaded.meshFiles);
  content::MeshReadOptions options;
  options.files = &files;
  loaded.scene = std::make_shared<const content::Scene>(
      content::parseScene(loaded.text, stored.name(), values, options));
  return loaded;
}

}  // namespace tenon::service
