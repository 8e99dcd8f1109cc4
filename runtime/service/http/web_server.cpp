// See web_server.h.
#include "runtime/service/http/web_server.h"

#include <fmt/format.h>

#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/thread_pool.hpp>
#include <optional>
#include <string>
#include <thread>

#include "content/input/input_error.h"
#include "runtime/service/http/connections.h"
#include "runtime/service/messages/address.h"
#include "runtime/service/server/credentials.h"

namespace tenon::service {

namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using content::InputError;

constexpr std::size_t kWebThreads = 2, kWorkThreads = 2;
constexpr std::chrono::seconds kCloseLimit{2};  ///< for the last messages to browsers

std::optional<asio::ssl::context> tlsContext(const ServeOptions& options) {
  const std::optional<TlsFiles> files = tlsFiles(options);
  if (!files) return std::nullopt;
  asio::ssl::context context(asio::ssl::context::tls_server);
  context.set_options(asio::ssl::context::default_workarounds | asio::ssl::context::no_sslv2 |
                      asio::ssl::context::no_sslv3 | asio::ssl::context::no_tlsv1 |
                      asio::ssl::context::no_tlsv1_1);
  context.use_certificate_chain(asio::buffer(files->chain));
  context.use_private_key(asio::buffer(files->key), asio::ssl::context::pem);
  if (!files->clientCa.empty()) {
    context.add_certificate_authority(asio::buffer(files->clientCa));
    context.set_verify_mode(asio::ssl::verify_peer | asio::ssl::verify_fail_if_no_peer_cert);
    // Without a name OpenSSL refuses browsers that resume a session with a certificate.
    constexpr std::array<unsigned char, 5> kName{'t', 'e', 'n', 'o', 'n'};
    SSL_CTX_set_session_id_context(context.native_handle(), kName.data(), kName.size());
  }
  return context;
}

class WebServer final : public WebPort {
 public:
  explicit WebServer(const ServiceParts& parts)
      : log_(parts.log),
        tls_(tlsContext(parts.options)),
        routes_(parts, address_),
        acceptor_(asio::make_strand(io_)) {
    listen(parts.options);
    accept();
    for (std::thread& thread : threads_) thread = std::thread([this] { run(); });
  }
  ~WebServer() override {
    asio::post(acceptor_.get_executor(), [this] { acceptor_.close(); });
    connections_.closeAll(std::chrono::steady_clock::now() + kCloseLimit);
    routes_.cancel();
    io_.stop();
    for (std::thread& thread : threads_) thread.join();
    work_.join();
  }
  WebServer(const WebServer&) = delete;
  WebServer& operator=(const WebServer&) = delete;

  std::string address() const override { return shown_; }

 private:
  void listen(const ServeOptions& options) {
    const Address address = parseAddress(options.http, "--http");
    const auto colon = address.text.rfind(':');
    std::string host = address.text.substr(0, colon);
    const std::string port = address.text.substr(colon + 1);
    if (host.front() == '[') host = host.substr(1, host.size() - 2);
    try {
      const tcp::endpoint endpoint =
          *tcp::resolver(io_).resolve(host, port, tcp::resolver::numeric_service).begin();
      acceptor_.open(endpoint.protocol());
      acceptor_.set_option(tcp::acceptor::reuse_address(true));
      acceptor_.bind(endpoint);
      acceptor_.listen();
    } catch (const boost::system::system_error& error) {
      throw InputError("--http", options.http,
                       fmt::format("cannot be listened on ({})", error.code().message()),
                       "name another address");
    }
    address_ = {tls_.has_value(), address.isLocal, acceptor_.local_endpoint().port()};
    shown_ = fmt::format("{}://{}:{}", tls_ ? "https" : "http", address.text.substr(0, colon), address_.port);
  }

  void accept() {
    acceptor_.async_accept(
        asio::make_strand(io_), [this](boost::system::error_code error, tcp::socket socket) {
          if (!acceptor_.is_open()) return;
          if (!error)
            serveConnection(std::move(socket), {routes_, connections_, work_, tls_ ? &*tls_ : nullptr});
          if (!error) {
            accept();
            return;
          }
          // Without descriptors, for example: not again at once.
          retry_.expires_after(std::chrono::milliseconds(100));
          retry_.async_wait([this](boost::system::error_code canceled) {
            if (!canceled) accept();
          });
        });
  }

  void run() {
    while (!io_.stopped()) try {
        io_.run();
      } catch (const std::exception& error) {
        log_.write("http-failed", {{"reason", error.what()}});
      }
  }

  ServiceLog& log_;
  std::optional<asio::ssl::context> tls_;
  WebAddress address_;
  std::string shown_;
  // What the connections use lives longer than io_, which has them.
  Routes routes_;
  Connections connections_;
  asio::thread_pool work_{kWorkThreads};
  asio::io_context io_;
  tcp::acceptor acceptor_;  ///< used on a strand of its own
  asio::steady_timer retry_{acceptor_.get_executor()};
  std::array<std::thread, kWebThreads> threads_;
};

}  // namespace

std::unique_ptr<WebPort> startWebPort(const ServiceParts& parts) {
  return std::make_unique<WebServer>(parts);
}

}  // namespace tenon::service
