// See status.h.
#include "runtime/service/messages/status.h"

#include <google/protobuf/stubs/logging.h>
#include <grpc/support/log.h>

#include <cstdlib>
#include <new>

#include "content/input/input_error.h"
#include "content/step/read_step.h"

namespace tenon::service {

grpc::Status guarded(const std::function<void()>& body) {
  try {
    body();
    return grpc::Status::OK;
  } catch (const StatusError& error) {
    return {error.code(), error.what()};
  } catch (const content::InputError& error) {
    return {grpc::StatusCode::INVALID_ARGUMENT, error.what()};
  } catch (const std::invalid_argument& error) {
    return {grpc::StatusCode::INVALID_ARGUMENT, error.what()};
  } catch (const content::MissingComponent& error) {
    return {grpc::StatusCode::FAILED_PRECONDITION, error.what()};
  } catch (const std::bad_alloc&) {
    return {grpc::StatusCode::RESOURCE_EXHAUSTED, "out of memory; simulate fewer or simpler parts"};
  } catch (const std::exception& error) {
    return {grpc::StatusCode::INTERNAL, error.what()};
  }
}

void requireOk(const grpc::Status& status) {
  if (!status.ok()) throw StatusError(status.error_code(), status.error_message());
}

void silenceGrpc() {
  if (std::getenv("GRPC_VERBOSITY") != nullptr) return;
  gpr_set_log_function([](gpr_log_func_args*) {});
  google::protobuf::SetLogHandler(nullptr);
}

}  // namespace tenon::service
