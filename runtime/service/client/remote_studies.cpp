// See remote_studies.h.
#include "runtime/service/client/remote_studies.h"

#include <utility>

namespace tenon::service {

RemoteStudies::RemoteStudies(std::shared_ptr<RemoteServer> server)
    : server_(std::move(server)), stub_(v1::Studies::NewStub(server_->channel())) {}

v1::Study RemoteStudies::start(const v1::StartStudyRequest& request) {
  grpc::ClientContext context;
  server_->prepare(context);
  v1::Study study;
  server_->require(stub_->Start(&context, request, &study));
  return study;
}

v1::Study RemoteStudies::resume(const std::string& id) {
  grpc::ClientContext context;
  server_->prepare(context);
  v1::ResumeStudyRequest request;
  request.set_id(id);
  v1::Study study;
  server_->require(stub_->Resume(&context, request, &study));
  return study;
}

v1::Study RemoteStudies::stop(const std::string& id) {
  grpc::ClientContext context;
  server_->prepare(context);
  v1::StopStudyRequest request;
  request.set_id(id);
  v1::Study study;
  server_->require(stub_->Stop(&context, request, &study));
  return study;
}

std::vector<v1::Study> RemoteStudies::list() {
  grpc::ClientContext context;
  server_->prepare(context);
  v1::ListStudiesResponse response;
  server_->require(stub_->List(&context, {}, &response));
  return {response.studies().begin(), response.studies().end()};
}

void RemoteStudies::remove(const std::string& id) {
  grpc::ClientContext context;
  server_->prepare(context);
  v1::DeleteStudyRequest request;
  request.set_id(id);
  v1::DeleteStudyResponse response;
  server_->require(stub_->Delete(&context, request, &response));
}

void RemoteStudies::results(const std::string& id, const std::string& format,
                            const std::function<void(const std::string&)>& sink) {
  grpc::ClientContext context;
  server_->prepare(context);
  v1::StudyResultsRequest request;
  request.set_id(id);
  request.set_format(format);
  const auto reader = stub_->Results(&context, request);
  for (v1::StudyResultsChunk chunk; reader->Read(&chunk);) sink(chunk.data());
  server_->require(reader->Finish());
}

RemoteStudies::Watch::Watch(RemoteStudies& studies, const std::string& id) : server_(studies.server_) {
  server_->prepare(context_);
  v1::WatchStudyRequest request;
  request.set_id(id);
  reader_ = studies.stub_->Watch(&context_, request);
}

RemoteStudies::Watch::~Watch() {
  if (isOver_) return;
  context_.TryCancel();
  reader_->Finish();
}

bool RemoteStudies::Watch::next(v1::Study& study) {
  if (isOver_) return false;
  if (reader_->Read(&study)) return true;
  isOver_ = true;
  server_->require(reader_->Finish());
  return false;
}

}  // namespace tenon::service
