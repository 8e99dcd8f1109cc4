// See hand_stream.h.
#include "runtime/service/client/hand_stream.h"

#include <utility>

#include "runtime/service/messages/status.h"

namespace tenon::service {

namespace {

constexpr double kLeaseStateRate =
    0.1;  ///< of this stream, which is for the hands: states come by Watch [1/s]

}  // namespace

HandStream::HandStream(std::shared_ptr<RemoteServer> server, const std::string& session,
                       const std::vector<int>& hands, std::function<void()> onEnd)
    : server_(std::move(server)) {
  server_->prepare(context_);
  stream_ = server_->sessionsStub().Hands(&context_);
  v1::HandsRequest request;
  v1::BeginHands& begin = *request.mutable_begin();
  begin.set_session(session);
  for (const int hand : hands) begin.add_hands(hand);
  begin.set_rate(kLeaseStateRate);
  stream_->Write(request);
  reader_ = std::thread([this, onEnd = std::move(onEnd)] { read(onEnd); });
}

HandStream::~HandStream() {
  guarded([&] { close(); });
}

void HandStream::read(const std::function<void()>& onEnd) {
  bool first = true;
  for (v1::State state; stream_->Read(&state);)
    if (std::exchange(first, false)) leased_.set_value(true);
  ended_ = true;
  if (first) leased_.set_value(false);
  if (onEnd) onEnd();
}

void HandStream::fail() {
  close();
  throw StatusError(grpc::StatusCode::ABORTED, "the server has ended the stream of hands; lease them again");
}

void HandStream::waitUntilLeased() {
  if (isLeased_.valid() && !isLeased_.get()) fail();
}

void HandStream::write(const v1::HandsRequest& request) {
  if (closed_)
    throw StatusError(grpc::StatusCode::FAILED_PRECONDITION, "the hands are free again; lease them again");
  if (ended_ || !stream_->Write(request)) fail();
}

void HandStream::write(const v1::HandSample& sample) {
  v1::HandsRequest request;
  *request.mutable_sample() = sample;
  write(request);
}

void HandStream::write(const v1::Command& command) {
  v1::HandsRequest request;
  *request.mutable_command() = command;
  write(request);
}

void HandStream::close() {
  if (std::exchange(closed_, true)) return;
  stream_->WritesDone();
  reader_.join();
  requireOk(stream_->Finish());
}

}  // namespace tenon::service
