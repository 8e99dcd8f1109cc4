// Who may call what: tokens with a name and a role each.
#pragma once

#include <grpcpp/server_context.h>

#include <string>
#include <string_view>
#include <vector>

namespace tenon::service {

/// Each includes those before it.
enum class Role { observe, work, administer };

const char* toText(Role role);

struct Caller {
  std::string name;  ///< empty: the server has no tokens
  Role role = Role::administer;
};

/// Throws StatusError with PERMISSION_DENIED unless the caller owns the `what` ("record") or is an
/// administrator; `action`: what is to be done with it.
void requireOwner(const Caller& caller, const std::string& owner, const char* what, const char* action);

class Access {
 public:
  /// Without tokens: every caller may administer.
  Access() = default;
  /// Reads lines "ROLE NAME TOKEN"; "#" begins a comment. Throws content::InputError for a file that others
  /// than its owner may read or that belongs to another user, and for a line of another form, a short token,
  /// or one given twice.
  explicit Access(const std::string& file);

  /// The caller, by the token in the metadata "authorization: Bearer TOKEN". Throws StatusError with
  /// UNAUTHENTICATED without a valid token, and with PERMISSION_DENIED if its role is lower than `required`.
  Caller require(const grpc::ServerContextBase& context, Role required) const;
  /// The same by the value of a header "authorization"; empty: there is none.
  Caller require(std::string_view authorization, Role required) const;
  bool hasTokens() const { return !clients_.empty(); }

 private:
  struct Client {
    std::string token;
    Caller caller;
  };
  std::vector<Client> clients_;
};

}  // namespace tenon::service
