// The stream of hands between a client and its session's worker.
#pragma once

#include <grpcpp/support/server_callback.h>

#include "runtime/service/server/services.h"
#include "tenon/v1/sessions.pb.h"

namespace tenon::service {

/// The reactor of one call, which destroys itself.
grpc::ServerBidiReactor<v1::HandsRequest, v1::State>* relayHands(grpc::CallbackServerContext& context,
                                                                 const ServiceParts& parts);

}  // namespace tenon::service
