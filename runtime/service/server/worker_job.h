// Calls of a worker that serves one job for a client, with a limit of its time.
#pragma once

#include <fmt/format.h>
#include <grpcpp/client_context.h>

#include <algorithm>
#include <chrono>
#include <string>

#include "runtime/service/messages/status.h"
#include "worker/worker.grpc.pb.h"

namespace tenon::service {

inline constexpr std::chrono::seconds kJobLimit{120};

/// The outcome of a job's call for its client. `name`: of the job, in messages.
inline grpc::Status jobOutcome(const grpc::Status& status, const std::string& name,
                               std::chrono::seconds limit = kJobLimit) {
  if (status.error_code() == grpc::StatusCode::UNAVAILABLE)
    return {grpc::StatusCode::INTERNAL, fmt::format("{}: its process has crashed or does not answer", name)};
  if (status.error_code() == grpc::StatusCode::DEADLINE_EXCEEDED)
    return {grpc::StatusCode::RESOURCE_EXHAUSTED,
            fmt::format("{}: takes longer than {} s", name, limit.count())};
  return status;
}

/// Calls `call` in `process`, which ends with it: what crashes or stalls harms only that process. The
/// client's cancellation and deadline end it too. `name`: of the job, in messages. Throws StatusError.
template <class Process, class Request, class Response>
void runJob(Process& process, const grpc::ServerContext& client, const std::string& name,
            const Request& request, Response& response,
            grpc::Status (worker::Worker::StubInterface::*call)(grpc::ClientContext*, const Request&,
                                                                Response*),
            std::chrono::seconds limit = kJobLimit) {
  const auto onward = grpc::ClientContext::FromServerContext(client);
  onward->set_deadline(std::min(std::chrono::system_clock::now() + limit, client.deadline()));
  const grpc::Status status = (process.stub().*call)(onward.get(), request, &response);
  if (status.error_code() == grpc::StatusCode::DEADLINE_EXCEEDED ||
      status.error_code() == grpc::StatusCode::CANCELLED)
    process.kill();
  requireOk(jobOutcome(status, name, limit));
}

}  // namespace tenon::service
