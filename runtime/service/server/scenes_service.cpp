// tenon.v1.Scenes.
#include <fmt/format.h>

#include <utility>

#include "content/input/input_error.h"
#include "content/input/limits.h"
#include "content/input/wording.h"
#include "runtime/service/messages/status.h"
#include "runtime/service/server/services.h"
#include "runtime/service/server/worker_job.h"
#include "runtime/service/server/worker_process.h"
#include "tenon/v1/scenes.grpc.pb.h"

namespace tenon::service {

namespace {

using content::InputError;
using grpc::StatusCode;

constexpr std::size_t kMaxFiles = 1000;
constexpr std::size_t kSceneChunkBytes = 256 * 1024;
constexpr std::size_t kMaxPathBytes = 1000;

/// A name that messages and records show; no path.
void requireFileName(const std::string& name) {
  const bool plain = !name.empty() && name.size() <= 200 && name != "." && name != ".." &&
                     name.find_first_of("/\\") == std::string::npos && content::oneLine(name, 1000) == name;
  if (!plain)
    throw InputError("SceneFile", "name", content::inQuotes(name) + " is not a file name",
                     "give it without folders");
}

/// The part of an upload that has arrived.
class Upload {
 public:
  explicit Upload(std::int64_t maxBytes) : maxBytes_(maxBytes) {}

  void add(v1::UploadRequest& request) {
    if (request.has_scene() == hasScene_)
      throw InputError("UploadRequest", "scene", hasScene_ ? "is given twice" : "is missing",
                       "give it first, and once");
    if (request.has_scene())
      addScene(*request.mutable_scene());
    else if (request.has_file())
      addFile(*request.mutable_file());
    else
      throw InputError("UploadRequest", "part", "is missing", "give scene or file");
  }
  worker::StoredScene take() {
    if (!hasScene_) throw InputError("UploadRequest", "scene", "is missing", "give it first, and once");
    return std::move(scene_);
  }

 private:
  void addScene(v1::SceneFile& file) {
    requireFileName(file.name());
    count(file.text().size());
    if (file.text().size() > content::kMaxFileBytes)
      throw InputError(file.name(), "", fmt::format("is larger than {} bytes", content::kMaxFileBytes),
                       "simplify the scene");
    scene_.set_name(file.name());
    scene_.mutable_text()->swap(*file.mutable_text());
    hasScene_ = true;
  }
  void addFile(v1::FileChunk& chunk) {
    if (chunk.path().empty() || chunk.path().size() > kMaxPathBytes)
      throw InputError("FileChunk", "path", fmt::format("has {} bytes", chunk.path().size()),
                       "give the path as the scene names it");
    count(chunk.data().size());
    auto& files = *scene_.mutable_files();
    if (files.size() >= kMaxFiles && files.count(chunk.path()) == 0)
      throw InputError("UploadRequest", "file", fmt::format("has more than {} files", kMaxFiles),
                       "join meshes");
    files[chunk.path()] += chunk.data();
  }
  void count(std::size_t bytes) {
    bytes_ += static_cast<std::int64_t>(bytes);
    if (bytes_ > maxBytes_)
      throw StatusError(
          StatusCode::RESOURCE_EXHAUSTED,
          fmt::format("the scene and its files are larger than the {} MB that this server accepts; "
                      "simplify the meshes",
                      maxBytes_ / 1'000'000));
  }

  std::int64_t maxBytes_, bytes_ = 0;
  worker::StoredScene scene_;
  bool hasScene_ = false;
};

class ScenesService final : public v1::Scenes::Service {
 public:
  explicit ScenesService(const ServiceParts& parts) : parts_(parts) {}

 private:
  using Context = grpc::ServerContext;
  using Status = grpc::Status;

  Status Upload(Context* context, grpc::ServerReader<v1::UploadRequest>* reader, v1::Scene* scene) override {
    return guarded([&] {
      const Caller caller = parts_.access.require(*context, Role::work);
      service::Upload upload(parts_.options.maxUploadBytes());
      for (v1::UploadRequest request; reader->Read(&request);) upload.add(request);
      if (context->IsCancelled()) throw StatusError(StatusCode::CANCELLED, "the upload was canceled");
      *scene = parts_.scenes.add(upload.take(), caller.name, *context);
      parts_.log.write("scene-stored", {{"scene", scene->id()}, {"client", caller.name}});
    });
  }
  Status Get(Context* context, const v1::GetSceneRequest* request, v1::Scene* scene) override {
    return guarded([&] {
      parts_.access.require(*context, Role::observe);
      *scene = parts_.scenes.description(request->id());
    });
  }
  Status Download(Context* context, const v1::DownloadSceneRequest* request,
                  grpc::ServerWriter<v1::DownloadSceneResponse>* writer) override {
    return guarded([&] {
      parts_.access.require(*context, Role::observe);
      worker::StoredScene stored = parts_.scenes.load(request->id());
      v1::DownloadSceneResponse response;
      response.mutable_scene()->set_name(stored.name());
      response.mutable_scene()->mutable_text()->swap(*stored.mutable_text());
      bool isOpen = writer->Write(response);
      for (const auto& [path, bytes] : stored.files())
        for (std::size_t begin = 0; isOpen && (begin == 0 || begin < bytes.size());
             begin += kSceneChunkBytes) {
          response.mutable_file()->set_path(path);
          response.mutable_file()->set_data(bytes.substr(begin, kSceneChunkBytes));
          isOpen = writer->Write(response);
        }
    });
  }
  Status List(Context* context, const v1::ListScenesRequest* /*request*/,
              v1::ListScenesResponse* response) override {
    return guarded([&] {
      parts_.access.require(*context, Role::observe);
      for (v1::Scene& scene : parts_.scenes.list()) *response->add_scenes() = std::move(scene);
    });
  }
  Status Check(Context* context, const v1::CheckSceneRequest* request,
               v1::CheckSceneResponse* response) override {
    return guarded([&] {
      const Caller caller = parts_.access.require(*context, Role::observe);
      response->set_json(parts_.scenes.check(request->id(), request->parameters(), caller.name, *context));
    });
  }
  Status Thumbnail(Context* context, const v1::ThumbnailRequest* request,
                   v1::ThumbnailResponse* response) override {
    return guarded([&] {
      const Caller caller = parts_.access.require(*context, Role::observe);
      worker::ThumbnailJob job;
      *job.mutable_scene() = parts_.scenes.load(request->id());
      *job.mutable_request() = *request;
      Job process(parts_.jobs, caller.name);
      runJob(process, *context, "the image", job, *response, &worker::Worker::StubInterface::Thumbnail);
    });
  }
  Status Delete(Context* context, const v1::DeleteSceneRequest* request,
                v1::DeleteSceneResponse* /*response*/) override {
    return guarded([&] {
      const Caller caller = parts_.access.require(*context, Role::work);
      requireOwner(caller, parts_.scenes.owner(request->id()), "scene", "delete");
      parts_.scenes.remove(request->id());
      parts_.log.write("scene-deleted", {{"scene", request->id()}, {"client", caller.name}});
    });
  }

  ServiceParts parts_;
};

}  // namespace

std::unique_ptr<grpc::Service> makeScenesService(const ServiceParts& parts) {
  return std::make_unique<ScenesService>(parts);
}

}  // namespace tenon::service
