// Errors of the service: exceptions here, gRPC statuses on the wire.
#pragma once

#include <grpcpp/support/status.h>

#include <functional>
#include <stdexcept>
#include <string>

namespace tenon::service {

/// An error with a status code of its own. All other exceptions have the codes of guarded().
class StatusError : public std::runtime_error {
 public:
  StatusError(grpc::StatusCode code, const std::string& text) : std::runtime_error(text), code_(code) {}
  grpc::StatusCode code() const { return code_; }

 private:
  grpc::StatusCode code_;
};

/// Calls `body` and returns its outcome: content::InputError and std::invalid_argument are INVALID_ARGUMENT,
/// a missing component is FAILED_PRECONDITION, missing memory RESOURCE_EXHAUSTED, anything else INTERNAL;
/// each with the exception's text.
grpc::Status guarded(const std::function<void()>& body);

/// Throws StatusError unless `status` is OK.
void requireOk(const grpc::Status& status);

/// gRPC and protobuf write no log of their own on stderr, unless the environment sets GRPC_VERBOSITY.
void silenceGrpc();

}  // namespace tenon::service
