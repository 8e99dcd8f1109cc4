// HTTP on one connection, with TLS or without; a request for frames makes it an Observer.
#include <boost/asio/post.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/ssl.hpp>
#include <memory>
#include <utility>

#include "runtime/service/http/connections.h"
#include "runtime/service/http/observer.h"

namespace tenon::service {

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using Error = beast::error_code;

constexpr std::uint32_t kMaxHeaderBytes = 8192;
constexpr std::uint64_t kMaxBodyBytes = 1024;
constexpr std::chrono::seconds kRequestLimit{15}, kReplyLimit{60};
/// Of frames on their way to a slow browser: small, so that it gets new ones.
constexpr int kSendBufferBytes = 64 * 1024;

/// The page loads scripts and styles of this server alone, and no other page may show it in a frame.
constexpr const char* kContentPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src "
    "'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

std::string stringOf(beast::string_view view) {
  return {view.data(), view.size()};
}

template <class Stream>
class HttpConnection : public std::enable_shared_from_this<HttpConnection<Stream>> {
 public:
  HttpConnection(Stream stream, const WebPorts& ports, Connections::Added added)
      : stream_(std::move(stream)), ports_(ports), number_(added.number), refused_(added.refused) {}
  ~HttpConnection() {
    if (number_ != 0) ports_.connections.remove(number_);
  }
  HttpConnection(const HttpConnection&) = delete;
  HttpConnection& operator=(const HttpConnection&) = delete;

  void start() {
    beast::get_lowest_layer(stream_).expires_after(kRequestLimit);
    if constexpr (std::is_same_v<Stream, beast::tcp_stream>) {
      read();
    } else {
      stream_.async_handshake(asio::ssl::stream_base::server, [self = this->shared_from_this()](Error error) {
        if (!error) self->read();
      });
    }
  }

 private:
  void read() {
    request_ = {};  // what is logged of one that is not read to its end
    parser_.emplace();
    parser_->header_limit(kMaxHeaderBytes);
    parser_->body_limit(kMaxBodyBytes);
    beast::get_lowest_layer(stream_).expires_after(kRequestLimit);
    http::async_read(stream_, buffer_, *parser_,
                     [self = this->shared_from_this()](Error error, std::size_t) { self->received(error); });
  }

  void received(Error error) {
    if (error == http::error::header_limit || error == http::error::body_limit) {
      const bool isHeader = error == http::error::header_limit;
      send(textReply(isHeader ? 431 : 413, isHeader ? "the header is too large" : "the body is too large"),
           false);
      return;
    }
    if (error.category() == http::make_error_code(http::error::bad_method).category() &&
        error != http::error::end_of_stream && error != http::error::partial_message) {
      send(textReply(400, "this is not an HTTP request"), false);
      return;
    }
    if (error) return;  // closed, or too slow
    handle();
  }

  void handle() {
    const auto& message = parser_->get();
    request_ = {stringOf(message.method_string()), stringOf(message.target()),
                stringOf(message[http::field::host]), stringOf(message[http::field::origin]),
                stringOf(message[http::field::authorization])};
    if (refused_) {
      send(textReply(503,
                     "too many connections are open from your address, or in all; close some and try again"),
           false);
      return;
    }
    if (beast::websocket::is_upgrade(message)) {
      std::string session;
      if (const auto refused = ports_.routes.refusal(request_, session))
        send(*refused, false);
      else
        std::make_shared<Observer<Stream>>(std::move(stream_), ports_, std::exchange(number_, 0), session)
            ->start(message);
      return;
    }
    const bool keeps = message.keep_alive();
    WebAnswer answer = ports_.routes.answer(request_);
    if (!answer.work) {
      send(answer.reply, keeps);
      return;
    }
    beast::get_lowest_layer(stream_).expires_never();  // until the reply is made
    asio::post(ports_.work, [self = this->shared_from_this(), work = std::move(answer.work), keeps] {
      WebReply reply = work();
      asio::post(self->stream_.get_executor(),
                 [self, reply = std::move(reply), keeps] { self->send(reply, keeps); });
    });
  }

  void send(const WebReply& reply, bool keeps) {
    if (reply.status >= 400)
      ports_.routes.log().write("http-refused",
                                {{"status", std::to_string(reply.status)}, {"path", loggedPath()}});
    reply_ = {};
    reply_.result(reply.status);
    reply_.set(http::field::content_type, reply.type);
    reply_.set(http::field::cache_control, reply.isData ? "no-store" : "no-cache");
    reply_.set("X-Content-Type-Options", "nosniff");
    reply_.set("Content-Security-Policy", kContentPolicy);
    reply_.set("Referrer-Policy", "no-referrer");
    reply_.set("Cross-Origin-Resource-Policy", "same-origin");
    reply_.set("Cross-Origin-Opener-Policy", "same-origin");
    if (reply.isDeflated) reply_.set(http::field::content_encoding, "deflate");
    if (reply.status == 401) reply_.set(http::field::www_authenticate, "Bearer");
    if (reply.status == 405) reply_.set(http::field::allow, "GET, HEAD");
    reply_.keep_alive(keeps);
    reply_.content_length(reply.body.size());
    if (request_.method != "HEAD") reply_.body() = reply.body;
    beast::get_lowest_layer(stream_).expires_after(kReplyLimit);
    http::async_write(stream_, reply_, [self = this->shared_from_this(), keeps](Error error, std::size_t) {
      if (error) return;
      if (keeps)
        self->read();
      else
        self->shutdown();
    });
  }

  /// Without what follows "?", which a person may have typed a token into.
  std::string loggedPath() const {
    constexpr std::size_t kMaxLogged = 80;
    return request_.target.substr(0, std::min(request_.target.find_first_of("?#"), kMaxLogged));
  }

  void shutdown() {
    Error ignored;
    beast::get_lowest_layer(stream_).socket().shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
  }

  Stream stream_;
  WebPorts ports_;
  int number_;
  bool refused_;
  beast::flat_buffer buffer_{kMaxHeaderBytes + kMaxBodyBytes};
  std::optional<http::request_parser<http::string_body>> parser_;
  WebRequest request_;
  http::response<http::string_body> reply_;
};

}  // namespace

void serveConnection(asio::ip::tcp::socket socket, const WebPorts& ports) {
  Error ignored;
  const Connections::Added added = ports.connections.add(socket.remote_endpoint(ignored).address());
  if (added.number == 0) return;  // closes it
  socket.set_option(asio::ip::tcp::no_delay(true), ignored);
  socket.set_option(asio::socket_base::send_buffer_size(kSendBufferBytes), ignored);
  beast::tcp_stream stream(std::move(socket));
  if (ports.tls != nullptr)
    std::make_shared<HttpConnection<beast::ssl_stream<beast::tcp_stream>>>(
        beast::ssl_stream<beast::tcp_stream>(std::move(stream), *ports.tls), ports, added)
        ->start();
  else
    std::make_shared<HttpConnection<beast::tcp_stream>>(std::move(stream), ports, added)->start();
}

}  // namespace tenon::service
