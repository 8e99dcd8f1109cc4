// TLS of a server.
#pragma once

#include <grpcpp/security/server_credentials.h>

#include <memory>
#include <optional>
#include <string>

#include "runtime/service/server/serve_options.h"

namespace tenon::service {

/// Checked texts of the files of TLS (PEM).
struct TlsFiles {
  std::string chain, key;
  std::string clientCa;  ///< empty: certificates of clients are not required
};

/// Empty without a certificate. Throws content::InputError for a file that cannot be read, is not PEM, or a
/// certificate that is not valid now, and for a key without a certificate.
std::optional<TlsFiles> tlsFiles(const ServeOptions& options);

/// Of TLS where a certificate is given; otherwise without encryption. Throws as tlsFiles().
std::shared_ptr<grpc::ServerCredentials> serverCredentials(const ServeOptions& options);

}  // namespace tenon::service
