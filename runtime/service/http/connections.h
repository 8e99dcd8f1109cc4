// What the connections of the page's port share.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/thread_pool.hpp>
#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <optional>

#include "runtime/service/http/routes.h"

namespace tenon::service {

/// Open connections; each has a function that closes it.
class Connections {
 public:
  /// In total, and of one address: others get the page, too.
  static constexpr std::size_t kMax = 256, kMaxOfAddress = 192;

  /// Beyond these, so many get a reply that says so, in total and of one address; still more are closed at
  /// once.
  static constexpr std::size_t kMaxRefused = 16, kMaxRefusedOfAddress = 4;

  struct Added {
    int number = 0;        ///< 0: it is to be closed
    bool refused = false;  ///< it gets one reply, 503
  };
  /// Adds a connection from this address.
  Added add(const boost::asio::ip::address& from);
  void setClose(int number, std::function<void()> close);
  void remove(int number);
  /// Calls the functions, and waits until no connection with one is left, at most until `limit`.
  void closeAll(std::chrono::steady_clock::time_point limit);

 private:
  std::mutex mutex_;
  std::condition_variable removed_;
  struct Open {
    boost::asio::ip::address from;
    bool refused = false;
    std::function<void()> close;
  };
  std::map<int, Open> open_;
  int number_ = 0;
};

struct WebPorts {
  Routes& routes;
  Connections& connections;
  boost::asio::thread_pool& work;  ///< for what takes long
  boost::asio::ssl::context* tls;  ///< null: without encryption
};

/// Serves a connection until it ends; it keeps itself alive.
void serveConnection(boost::asio::ip::tcp::socket socket, const WebPorts& ports);

}  // namespace tenon::service
