// Reads a scene that was sent with all its files. Nothing is read from the disk.
#pragma once

#include <google/protobuf/map.h>

#include <string>

#include "content/reader/load_scene.h"
#include "runtime/session/run_scene.h"
#include "worker/worker.pb.h"

namespace tenon::service {

/// Throws content::InputError for parameters that are not finite, and as content::parseScene().
runtime::LoadedScene loadStored(const worker::StoredScene& stored,
                                const google::protobuf::Map<std::string, double>& parameters);

}  // namespace tenon::service
