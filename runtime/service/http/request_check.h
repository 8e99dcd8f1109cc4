// Which requests of browsers are answered: those that a page of this server makes.
//
// On loopback without tokens every page that a person opens could send requests here. It can read no answer
// without a header that allows it, but it could open a WebSocket, whose Origin is therefore compared; and a
// name that its owner resolves to 127.0.0.1 (DNS rebinding) would make its page one of this server's, so that
// Host must be a name of this machine.
#pragma once

#include <string>
#include <string_view>

namespace tenon::service {

struct WebAddress {
  bool isSecure = false;    ///< TLS
  bool isLoopback = false;  ///< reached from this machine alone
  unsigned short port = 0;
};

/// True if `host`, of a request's header, may be this server. On loopback: localhost, 127.0.0.0/8, [::1],
/// with the server's port or none. Elsewhere TLS proves the name.
bool isOwnHost(const WebAddress& address, std::string_view host);

/// True if `origin`, of a request's header, is this server as the browser names it in `host`.
bool isOwnOrigin(const WebAddress& address, std::string_view origin, std::string_view host);

}  // namespace tenon::service
