// See address.h.
#include "runtime/service/messages/address.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstring>

#include "content/input/input_error.h"

namespace tenon::service {

namespace {

using content::InputError;

constexpr const char* kForms = "give unix:PATH or HOST:PORT, such as 127.0.0.1:7171";

bool isLoopback(const std::string& host) {
  in_addr v4{};
  if (inet_pton(AF_INET, host.c_str(), &v4) == 1) return (ntohl(v4.s_addr) >> 24) == 127;
  in6_addr v6{};
  if (inet_pton(AF_INET6, host.c_str(), &v6) == 1) return IN6_IS_ADDR_LOOPBACK(&v6) != 0;
  return host == "localhost";
}

/// "[::1]" without its brackets.
std::string withoutBrackets(const std::string& host) {
  const bool bracketed = host.size() > 2 && host.front() == '[' && host.back() == ']';
  return bracketed ? host.substr(1, host.size() - 2) : host;
}

sockaddr_un socketAddress(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::copy(path.begin(), path.end(), address.sun_path);
  return address;
}

}  // namespace

Address parseAddress(const std::string& text, const char* option) {
  Address address;
  address.text = text;
  if (text.starts_with("unix:")) {
    address.unixPath = text.substr(5);
    address.isLocal = true;
    if (address.unixPath.empty()) throw InputError(option, text, "has no path", kForms);
    if (address.unixPath.size() >= sizeof(sockaddr_un::sun_path))
      throw InputError(
          option, text,
          fmt::format("is longer than the {} bytes of a socket's path", sizeof(sockaddr_un::sun_path) - 1),
          "give a shorter path");
    return address;
  }
  const auto colon = text.rfind(':');
  int port = -1;
  if (colon != std::string::npos && colon > 0)
    std::from_chars(text.data() + colon + 1, text.data() + text.size(), port);
  const bool digits = colon != std::string::npos && colon + 1 < text.size() &&
                      std::all_of(text.begin() + static_cast<std::ptrdiff_t>(colon) + 1, text.end(),
                                  [](unsigned char c) { return std::isdigit(c) != 0; });
  if (!digits || port < 0 || port > 65535) throw InputError(option, text, "is not an address", kForms);
  const std::string host = text.substr(0, colon);
  if (host.find(':') != std::string::npos && host.front() != '[')
    throw InputError(option, text, "is not an address",
                     "put an IPv6 address in brackets, such as [::1]:7171");
  address.isLocal = isLoopback(withoutBrackets(host));
  return address;
}

void requireFree(const Address& address) {
  if (address.unixPath.empty()) return;
  struct stat status {};
  if (lstat(address.unixPath.c_str(), &status) != 0) return;
  if (!S_ISSOCK(status.st_mode))
    throw InputError("--listen", address.unixPath, "is a file and not a socket", "name another path");
  const int probe = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const sockaddr_un target = socketAddress(address.unixPath);
  const bool answered =
      probe >= 0 && connect(probe, reinterpret_cast<const sockaddr*>(&target), sizeof target) == 0;
  if (probe >= 0) close(probe);
  if (answered)
    throw InputError("--listen", address.unixPath, "is in use by another program",
                     "stop it, or name another path");
}

}  // namespace tenon::service
