// See scene_store.h.
#include "runtime/service/server/scene_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <utility>

#include "content/input/input_error.h"
#include "runtime/service/messages/scene_id.h"
#include "runtime/service/messages/status.h"
#include "runtime/service/server/worker_job.h"
#include "runtime/session/atomic_file.h"

namespace tenon::service {

namespace fs = std::filesystem;

namespace {

using grpc::StatusCode;

constexpr std::size_t kIdDigits = 64;
constexpr const char* kEnding = ".scene";

}  // namespace

SceneStore::SceneStore(std::string folder, const ServeOptions& options, Accounts& accounts, Jobs& jobs)
    : folder_(std::move(folder)), options_(options), accounts_(accounts), jobs_(jobs) {}

/// An id consists of hexadecimal digits, so that the file is in the folder.
std::string SceneStore::fileOf(const std::string& id) const {
  if (!isId(id, kIdDigits))
    throw StatusError(StatusCode::INVALID_ARGUMENT,
                      "scene: is not an id of 64 hexadecimal digits; give the id that Upload returned");
  return fmt::format("{}/{}{}", folder_, id, kEnding);
}

std::vector<std::string> SceneStore::ids() const {
  std::vector<std::string> all;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_))
    if (entry.path().extension() == kEnding && isId(entry.path().stem().string(), kIdDigits))
      all.push_back(entry.path().stem().string());
  std::sort(all.begin(), all.end());
  return all;
}

v1::Scene SceneStore::add(worker::StoredScene scene, const std::string& client,
                          const grpc::ServerContext& context) {
  std::map<std::string, std::string> files(scene.files().begin(), scene.files().end());
  const std::string id = sceneId(scene.name(), scene.text(), files);
  worker::SceneJob job;
  *job.mutable_scene() = scene;
  v1::Scene& description = *scene.mutable_description();
  Job process(jobs_, client);
  runJob(process, context, scene.name(), job, description, &worker::Worker::StubInterface::Describe);
  description.set_id(id);
  description.set_name(scene.name());
  std::size_t bytes = scene.text().size();
  for (const auto& [path, data] : files) bytes += data.size();
  description.set_bytes(static_cast<std::int64_t>(bytes));
  const std::lock_guard lock(mutex_);
  if (!fs::exists(fileOf(id)) && ids().size() >= static_cast<std::size_t>(options_.maxScenes))
    throw StatusError(
        StatusCode::RESOURCE_EXHAUSTED,
        fmt::format("the server has {} scenes, as many as it stores; delete one", options_.maxScenes));
  try {
    runtime::AtomicFile(fileOf(id)).commit(scene.SerializeAsString());
  } catch (const content::InputError&) {
    throw StatusError(StatusCode::RESOURCE_EXHAUSTED, "the data folder cannot be written");
  }
  accounts_.own(fileOf(id), client);
  return description;
}

worker::StoredScene SceneStore::load(const std::string& id) const {
  std::ifstream file(fileOf(id), std::ios::binary);
  worker::StoredScene scene;
  if (!file)
    throw StatusError(StatusCode::NOT_FOUND,
                      fmt::format("the scene {} is not on this server; upload it", id));
  if (!scene.ParseFromIstream(&file))
    throw StatusError(StatusCode::DATA_LOSS,
                      fmt::format("the stored scene {} is damaged; upload it again", id));
  return scene;
}

v1::Scene SceneStore::description(const std::string& id) const {
  return load(id).description();
}

std::vector<v1::Scene> SceneStore::list() const {
  std::vector<v1::Scene> all;
  for (const std::string& id : ids()) {
    try {
      all.push_back(description(id));
    } catch (const StatusError&) {
      // Just deleted, or damaged: the others are listed.
    }
  }
  return all;
}

std::string SceneStore::check(const std::string& id,
                              const google::protobuf::Map<std::string, double>& parameters,
                              const std::string& client, const grpc::ServerContext& context) const {
  worker::SceneJob job;
  *job.mutable_scene() = load(id);
  *job.mutable_parameters() = parameters;
  Job process(jobs_, client);
  v1::CheckSceneResponse response;
  runJob(process, context, job.scene().name(), job, response, &worker::Worker::StubInterface::Check);
  return response.json();
}

std::string SceneStore::owner(const std::string& id) const {
  if (!fs::exists(fileOf(id)))
    throw StatusError(StatusCode::NOT_FOUND, fmt::format("the scene {} is not on this server", id));
  return Accounts::ownerOf(fileOf(id));
}

void SceneStore::remove(const std::string& id) {
  Accounts::remove(fileOf(id));
}

}  // namespace tenon::service
