// See credentials.h.
#include "runtime/service/server/credentials.h"

#include <fmt/format.h>
#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <sys/stat.h>

#include <fstream>
#include <iterator>
#include <string>

#include "content/input/input_error.h"

namespace tenon::service {

namespace {

using content::InputError;

std::string readFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file || text.empty()) throw InputError(path, "", "cannot be read", "name a PEM file");
  return text;
}

std::unique_ptr<BIO, decltype(&BIO_free)> memoryOf(const std::string& text) {
  return {BIO_new_mem_buf(text.data(), static_cast<int>(text.size())), &BIO_free};
}

/// Groups may read keys: Debian has one for servers, ssl-cert.
void requireHidden(const std::string& key) {
  struct stat status {};
  if (stat(key.c_str(), &status) == 0 && (status.st_mode & S_IRWXO) != 0)
    throw InputError(key, "", "is a private key that every user can read",
                     fmt::format("run chmod o= {}", key));
}

/// The first of `pem`, read from the file `path`.
std::unique_ptr<X509, decltype(&X509_free)> certificateIn(const std::string& pem, const std::string& path) {
  std::unique_ptr<X509, decltype(&X509_free)> certificate(
      PEM_read_bio_X509(memoryOf(pem).get(), nullptr, nullptr, nullptr), &X509_free);
  if (!certificate) throw InputError(path, "", "is not a certificate", "name a PEM file");
  return certificate;
}

void requireValidNow(const std::string& path, X509* certificate) {
  if (X509_cmp_current_time(X509_get0_notAfter(certificate)) <= 0)
    throw InputError(path, "", "is a certificate that has expired", "renew it");
  if (X509_cmp_current_time(X509_get0_notBefore(certificate)) >= 0)
    throw InputError(path, "", "is a certificate that is not valid yet",
                     "correct this machine's clock, or renew it");
}

}  // namespace

std::optional<TlsFiles> tlsFiles(const ServeOptions& options) {
  if (options.certificate.empty() != options.key.empty())
    throw InputError(options.certificate.empty() ? "--certificate" : "--key", "", "is missing",
                     "give --certificate and --key together");
  if (options.certificate.empty() && !options.clientCa.empty())
    throw InputError("--certificate", "", "is missing", "give it and --key with --client-ca");
  if (options.certificate.empty()) return std::nullopt;
  const std::string chain = readFile(options.certificate), key = readFile(options.key);
  const auto certificate = certificateIn(chain, options.certificate);
  requireValidNow(options.certificate, certificate.get());
  std::string noPassword;  // else OpenSSL reads one from the terminal
  const std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> privateKey(
      PEM_read_bio_PrivateKey(memoryOf(key).get(), nullptr, nullptr, noPassword.data()), &EVP_PKEY_free);
  if (!privateKey)
    throw InputError(options.key, "", "is not a private key", "name a PEM file without a password");
  if (X509_check_private_key(certificate.get(), privateKey.get()) != 1)
    throw InputError(options.key, "", "is not the key of the certificate", "name the key it was made with");
  requireHidden(options.key);
  TlsFiles files{chain, key, ""};
  if (!options.clientCa.empty()) {
    files.clientCa = readFile(options.clientCa);
    requireValidNow(options.clientCa, certificateIn(files.clientCa, options.clientCa).get());
  }
  return files;
}

std::shared_ptr<grpc::ServerCredentials> serverCredentials(const ServeOptions& options) {
  const std::optional<TlsFiles> files = tlsFiles(options);
  if (!files) return grpc::InsecureServerCredentials();
  grpc::SslServerCredentialsOptions tls(files->clientCa.empty()
                                            ? GRPC_SSL_DONT_REQUEST_CLIENT_CERTIFICATE
                                            : GRPC_SSL_REQUEST_AND_REQUIRE_CLIENT_CERTIFICATE_AND_VERIFY);
  tls.pem_key_cert_pairs.push_back({files->key, files->chain});
  tls.pem_root_certs = files->clientCa;
  return grpc::SslServerCredentials(tls);
}

}  // namespace tenon::service
