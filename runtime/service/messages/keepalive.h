// How client and server notice that the other one is gone.
#pragma once

namespace tenon::service {

/// Who does not answer within these times is gone: a client's hands are free then, and the calls of a server
/// end with an error [ms].
inline constexpr int kKeepalive_ms = 10'000, kKeepaliveTimeout_ms = 5'000;

}  // namespace tenon::service
