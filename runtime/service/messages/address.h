// Addresses of servers.
#pragma once

#include <string>

namespace tenon::service {

struct Address {
  std::string text;      ///< as gRPC takes it: "unix:/run/tenon.sock", "127.0.0.1:7171"
  std::string unixPath;  ///< of a Unix socket; else empty
  bool isLocal = false;  ///< a Unix socket, or the loopback interface
};

/// `option`: the option's or argument's name in messages. Throws content::InputError for an address that is
/// neither unix:PATH nor HOST:PORT, and for a path that is too long for a socket. A host name is local only
/// if it is "localhost".
Address parseAddress(const std::string& text, const char* option);

/// For --listen. Throws content::InputError if another program listens there, or a file that is no socket has
/// the path. gRPC itself would replace the socket of a running server.
void requireFree(const Address& address);

}  // namespace tenon::service
