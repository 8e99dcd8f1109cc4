// TLS of a server.
#pragma once

#include <grpcpp/security/server_credentials.h>

#include <memory>

#include "runtime/service/server/serve_options.h"

namespace tenon::service {

/// Of TLS where a certificate is given; otherwise without encryption. Throws content::InputError for a file
/// that cannot be read, is not PEM, or a certificate that is not valid now, and for a key without a
/// certificate.
std::shared_ptr<grpc::ServerCredentials> serverCredentials(const ServeOptions& options);

}  // namespace tenon::service
