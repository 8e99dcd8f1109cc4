// See access.h.
#include "runtime/service/server/access.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <openssl/crypto.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <sstream>

#include "content/input/input_error.h"
#include "runtime/service/messages/status.h"

namespace tenon::service {

namespace {

using content::InputError;
using grpc::StatusCode;

constexpr std::size_t kMinTokenBytes = 16;
constexpr std::size_t kMaxTokenFileBytes = 1 << 20;
constexpr std::array kRoles{Role::observe, Role::work, Role::administer};

struct TokenFile {
  std::string text;
  bool isPrivate = false;  ///< its owner alone can read it
};

/// Checks and reads the same open file.
TokenFile readTokenFile(const std::string& file) {
  const int descriptor = open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (descriptor < 0)
    throw InputError(file, "", fmt::format("cannot be read ({})", std::strerror(errno)),
                     "name the file of the tokens, and no link");
  struct stat status {};
  std::string text(kMaxTokenFileBytes + 1, '\0');
  const bool known = fstat(descriptor, &status) == 0;
  const ssize_t count = read(descriptor, text.data(), text.size());
  close(descriptor);
  if (!known || !S_ISREG(status.st_mode) || count < 0 || static_cast<std::size_t>(count) > kMaxTokenFileBytes)
    throw InputError(file, "", "is not a file of tokens", "name a text file of at most 1 MiB");
  if (status.st_uid != geteuid())
    throw InputError(file, "", "belongs to another user", "make it a file of the user that runs the server");
  text.resize(static_cast<std::size_t>(count));
  return {text, (status.st_mode & (S_IRWXG | S_IRWXO)) == 0};
}

bool equalInConstantTime(const std::string& a, const std::string& b) {
  return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

}  // namespace

const char* toText(Role role) {
  constexpr std::array kTexts{"observe", "work", "administer"};
  return kTexts[static_cast<std::size_t>(role)];
}

void requireOwner(const Caller& caller, const std::string& owner, const char* what, const char* action) {
  if (caller.role == Role::administer || caller.name == owner) return;
  throw StatusError(grpc::StatusCode::PERMISSION_DENIED,
                    owner.empty() ? fmt::format("only an administrator may {} this {}", action, what)
                                  : fmt::format("the {} belongs to {}; only {} or an administrator may {} it",
                                                what, owner, owner, action));
}

Access::Access(const std::string& file) {
  const TokenFile tokens = readTokenFile(file);
  std::istringstream lines(tokens.text);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    std::istringstream words(line.substr(0, line.find('#')));
    std::string role, extra;
    Client client;
    if (!(words >> role)) continue;
    const std::string place =
        fmt::format("line {}", number);  // the message does not quote the line: it is secret
    const auto found =
        std::find_if(kRoles.begin(), kRoles.end(), [&](Role known) { return role == toText(known); });
    if (!(words >> client.caller.name >> client.token) || words >> extra || found == kRoles.end())
      throw InputError(file, place, "is not a client",
                       "write ROLE NAME TOKEN; roles are observe, work, administer");
    client.caller.role = *found;
    if (client.token.size() < kMinTokenBytes)
      throw InputError(file, place, fmt::format("has a token of {} characters", client.token.size()),
                       "make it with: openssl rand -hex 32");
    for (const Client& other : clients_)
      if (other.token == client.token || other.caller.name == client.caller.name)
        throw InputError(file, place, "has a name or a token of another line", "give each client its own");
    clients_.push_back(std::move(client));
  }
  if (clients_.empty())
    throw InputError(file, "", "has no client",
                     "write a line ROLE NAME TOKEN for each; roles are observe, work, "
                     "administer");
  // Last: a file of another kind should keep its mode.
  if (!tokens.isPrivate)
    throw InputError(file, "", "can be read by others than its owner", fmt::format("run chmod 600 {}", file));
}

Caller Access::require(const grpc::ServerContextBase& context, Role required) const {
  const auto given = context.client_metadata().find("authorization");
  if (given == context.client_metadata().end()) return require(std::string_view(), required);
  return require(std::string_view(given->second.data(), given->second.size()), required);
}

Caller Access::require(std::string_view authorization, Role required) const {
  Caller caller;
  if (!clients_.empty()) {
    if (authorization.empty())
      throw StatusError(StatusCode::UNAUTHENTICATED,
                        "a token is missing: this server needs one; give it to connect()");
    constexpr std::string_view kScheme = "Bearer ";
    if (authorization.starts_with(kScheme)) authorization.remove_prefix(kScheme.size());
    const std::string token(authorization);
    const Client* found = nullptr;
    for (const Client& client : clients_)
      if (equalInConstantTime(client.token, token)) found = &client;
    if (found == nullptr)
      throw StatusError(StatusCode::UNAUTHENTICATED, "the token is not one of this server's; check it");
    caller = found->caller;
  }
  if (caller.role < required)
    throw StatusError(StatusCode::PERMISSION_DENIED,
                      fmt::format("the role of {} is {}, and this call needs {}; use another token",
                                  caller.name, toText(caller.role), toText(required)));
  return caller;
}

}  // namespace tenon::service
