// See request_check.h.
#include "runtime/service/http/request_check.h"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace tenon::service {

namespace {

std::string lowered(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

bool isLoopbackName(const std::string& name) {
  in_addr v4{};
  if (inet_pton(AF_INET, name.c_str(), &v4) == 1) return (ntohl(v4.s_addr) >> 24) == 127;
  return name == "localhost" || name == "[::1]";
}

}  // namespace

bool isOwnHost(const WebAddress& address, std::string_view host) {
  if (host.empty()) return false;
  if (!address.isLoopback) return true;
  std::string name = lowered(host);
  const std::string port = fmt::format(":{}", address.port);
  if (name.ends_with(port)) name.resize(name.size() - port.size());
  return isLoopbackName(name);
}

bool isOwnOrigin(const WebAddress& address, std::string_view origin, std::string_view host) {
  return lowered(origin) == fmt::format("{}://{}", address.isSecure ? "https" : "http", lowered(host));
}

}  // namespace tenon::service
