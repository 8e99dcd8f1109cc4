// How client, server and worker notice that another one is gone.
#pragma once

#include <grpcpp/server_builder.h>
#include <grpcpp/support/channel_arguments.h>

namespace tenon::service {

/// Who does not answer within these times is gone: a client's hands are free then, the calls of a server end
/// with an error, and a worker is ended [ms].
inline constexpr int kKeepalive_ms = 10'000, kKeepaliveTimeout_ms = 5'000;

/// For the caller's end of a connection. Also without data: a paused session sends nothing.
inline void keepAlive(grpc::ChannelArguments& arguments) {
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, kKeepalive_ms);
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, kKeepaliveTimeout_ms);
  arguments.SetInt(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);
}

/// For the end that is called: it answers these.
inline void permitKeepalive(grpc::ServerBuilder& builder) {
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS, kKeepalive_ms / 2);
}

/// The same, and it sends its own.
inline void keepAlive(grpc::ServerBuilder& builder) {
  permitKeepalive(builder);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS, kKeepalive_ms);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, kKeepaliveTimeout_ms);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);
}

}  // namespace tenon::service
