// What the page for browsers shows, made in the worker: it reads scenes and records, the server does not.
#pragma once

#include <grpcpp/support/sync_stream.h>

#include <functional>
#include <string>
#include <vector>

#include "runtime/service/worker/served_session.h"
#include "runtime/web/live_session.h"
#include "worker/worker.pb.h"

namespace tenon::service {

/// The document of a record, compressed. Throws content::InputError, and StatusError when `isCanceled`
/// returns true.
std::string recordDocument(const std::string& file, const std::function<bool()>& isCanceled);

/// The document of a running session, compressed. `info`: what it says of the session.
std::string liveDocumentOf(const ServedSession& session, const v1::Session& info);

void writeChunks(const std::string& bytes, grpc::ServerWriter<worker::DocumentChunk>& writer);

/// Converts what a session publishes for one stream.
class LiveFrameMaker {
 public:
  explicit LiveFrameMaker(const ServedSession& session) : session_(session), frames_(session.scene()) {}

  worker::LiveFrame frame(const ServedSession::Observation& newest, const std::vector<v1::Event>& events);

 private:
  const ServedSession& session_;
  runtime::LiveFrames frames_;
};

}  // namespace tenon::service
