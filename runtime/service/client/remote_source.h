// Interactive sessions on a server, for `tenon preview --connect` and `tenon vr --connect`.
#pragma once

#include <memory>
#include <string>

#include "runtime/live_view/begin_live.h"
#include "runtime/service/client/remote_server.h"

namespace tenon::service {

/// Connects. `session`: id of a running session to join first, whose hands stay with their scripts or other
/// clients until the person takes over; empty: sessions are started. Throws
/// content::InputError as RemoteServer(), and content::MissingComponent if the server refuses.
std::shared_ptr<runtime::LiveSource> remoteSessions(const ConnectOptions& options,
                                                    const std::string& session);

}  // namespace tenon::service
