// A browser that watches a session: a WebSocket.
//
// Messages of the browser are JSON texts: first {"token": TEXT}, then {"point": {"part": INDEX, "at": [x, y,
// z]}}. Messages of the server are those of LiveFeed::Update, and {"error": TEXT} before it closes the
// connection.
#pragma once

#include <boost/asio/bind_executor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <deque>
#include <memory>
#include <string>
#include <utility>

#include "runtime/service/http/connections.h"
#include "runtime/service/messages/status.h"

namespace tenon::service {

/// Parts of an observer that do not depend on its kind of stream.
class ObserverState {
 public:
  ObserverState(const WebPorts& ports, std::string session) : ports_(ports), session_(std::move(session)) {}
  /// Ends its reading; the feed is released by a thread that may wait.
  ~ObserverState();
  ObserverState(const ObserverState&) = delete;
  ObserverState& operator=(const ObserverState&) = delete;

  /// A message of the browser. Throws StatusError and content::InputError for what is not allowed or not
  /// valid.
  void receive(const std::string& text, const std::function<void()>& onNews);
  bool isSignedIn() const { return feed_ != nullptr; }
  bool take(LiveFeed::Update& update);
  const std::string& session() const { return session_; }

 private:
  void signIn(const std::string& token, const std::function<void()>& onNews);

  WebPorts ports_;
  std::string session_, name_;
  std::shared_ptr<LiveFeed> feed_;
  LiveFeed::Cursor cursor_;
  int reader_ = 0;
  std::chrono::steady_clock::time_point nextPoint_{};
};

/// {"error": `text`}
std::string errorMessage(const std::string& text);

/// All members run on the stream's executor.
template <class Stream>
class Observer : public std::enable_shared_from_this<Observer<Stream>> {
 public:
  using Socket = boost::beast::websocket::stream<Stream>;

  Observer(Stream stream, const WebPorts& ports, int number, std::string session)
      : socket_(std::move(stream)),
        timer_(socket_.get_executor()),
        state_(ports, std::move(session)),
        connections_(ports.connections),
        number_(number) {}
  ~Observer() { connections_.remove(number_); }
  Observer(const Observer&) = delete;
  Observer& operator=(const Observer&) = delete;

  template <class Request>
  void start(const Request& request);

 private:
  using Error = boost::beast::error_code;
  struct Message {
    bool isText = true;
    std::string bytes;
  };

  void read();
  void received();
  void pump();
  void write();
  void refuse(const std::string& text);
  void close(boost::beast::websocket::close_code code);

  Socket socket_;
  boost::asio::steady_timer timer_;
  ObserverState state_;
  Connections& connections_;
  int number_;
  boost::beast::flat_buffer buffer_;
  std::deque<Message> out_;
  std::optional<boost::beast::websocket::close_code> closing_;  ///< after what is in out_
  bool closed_ = false;
};

inline constexpr std::chrono::seconds kSignInLimit{10};
inline constexpr std::size_t kMaxObserverMessage = 4096;

template <class Stream>
template <class Request>
void Observer<Stream>::start(const Request& request) {
  namespace websocket = boost::beast::websocket;
  boost::beast::get_lowest_layer(socket_).expires_never();  // the WebSocket has timeouts of its own
  socket_.set_option(websocket::stream_base::timeout::suggested(boost::beast::role_type::server));
  socket_.read_message_max(kMaxObserverMessage);
  connections_.setClose(number_, [weak = this->weak_from_this(), executor = socket_.get_executor()] {
    boost::asio::post(executor, [weak] {
      const auto self = weak.lock();
      // The session has ended: who watches it is closed behind that message, which may be on its way.
      if (self && self->state_.isSignedIn()) self->pump();
      if (self && !self->state_.isSignedIn()) self->close(boost::beast::websocket::close_code::going_away);
    });
  });
  socket_.async_accept(request, [self = this->shared_from_this()](Error error) {
    if (error) return;
    self->timer_.expires_after(kSignInLimit);
    self->timer_.async_wait([weak = self->weak_from_this()](Error canceled) {
      const auto waiting = weak.lock();
      if (!canceled && waiting && !waiting->state_.isSignedIn())
        waiting->refuse("a token did not come in time");
    });
    self->read();
  });
}

template <class Stream>
void Observer<Stream>::read() {
  socket_.async_read(buffer_, [self = this->shared_from_this()](Error error, std::size_t) {
    if (error) {
      self->closed_ = true;
      self->timer_.cancel();
      return;
    }
    self->received();
  });
}

template <class Stream>
void Observer<Stream>::received() {
  const std::string text = boost::beast::buffers_to_string(buffer_.data());
  buffer_.consume(buffer_.size());
  if (closing_) return read();  // only for the end of the connection
  const auto onNews = [weak = this->weak_from_this(), executor = socket_.get_executor()] {
    boost::asio::post(executor, [weak] {
      if (const auto self = weak.lock()) self->pump();
    });
  };
  const grpc::Status status = guarded([&] { state_.receive(text, onNews); });
  if (!status.ok())
    refuse(status.error_message());
  else
    pump();
  read();
}

/// Takes what is new, unless something is being sent: a slow browser gets the newest when it has got the
/// last.
template <class Stream>
void Observer<Stream>::pump() {
  if (!out_.empty() || closing_ || closed_ || !state_.isSignedIn()) return;
  LiveFeed::Update update;
  if (!state_.take(update)) return;
  for (std::string& text : update.texts) out_.push_back({true, std::move(text)});
  if (!update.frame.empty()) out_.push_back({false, std::move(update.frame)});
  if (update.ended) closing_ = boost::beast::websocket::close_code::normal;
  write();
}

template <class Stream>
void Observer<Stream>::write() {
  socket_.text(out_.front().isText);
  socket_.async_write(boost::asio::buffer(out_.front().bytes),
                      [self = this->shared_from_this()](Error error, std::size_t) {
                        if (error) return;
                        self->out_.pop_front();
                        if (!self->out_.empty())
                          self->write();
                        else if (self->closing_)
                          self->close(*self->closing_);
                        else
                          self->pump();
                      });
}

template <class Stream>
void Observer<Stream>::refuse(const std::string& text) {
  if (closing_) return;
  closing_ = boost::beast::websocket::close_code::policy_error;
  out_.push_back({true, errorMessage(text)});
  if (out_.size() == 1) write();
}

template <class Stream>
void Observer<Stream>::close(boost::beast::websocket::close_code code) {
  closing_ = code;
  if (closed_ || !out_.empty()) return;
  closed_ = true;
  socket_.async_close(code, [self = this->shared_from_this()](Error) {});
}

}  // namespace tenon::service
