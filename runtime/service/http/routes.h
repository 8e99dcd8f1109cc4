// Answers to requests of browsers.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "runtime/service/http/live_feed.h"
#include "runtime/service/http/request_check.h"
#include "runtime/service/server/services.h"

namespace tenon::service {

struct WebRequest {
  std::string method, target;
  std::string host, origin, authorization;  ///< headers; "": missing
};

struct WebReply {
  unsigned status = 200;
  std::string type = "text/plain; charset=utf-8";
  std::string body;
  bool isDeflated = false;
  bool isData = true;  ///< must not be stored by the browser
};

/// An answer that is there, or is made by `work`, which takes long.
struct WebAnswer {
  WebReply reply;
  std::function<WebReply()> work;
};

/// All members may be called from any thread.
class Routes {
 public:
  /// Borrows all; the address is complete before the first request.
  Routes(const ServiceParts& parts, const WebAddress& address);

  /// Pages and files of the page: to everyone. Data: to callers with the role observe.
  WebAnswer answer(const WebRequest& request) const;
  /// The session whose frames `request` opens a WebSocket for; a reply: it is refused.
  std::optional<WebReply> refusal(const WebRequest& request, std::string& session) const;
  /// The caller with a token, as in Access::require(); throws StatusError.
  Caller observer(const std::string& token) const;
  std::shared_ptr<LiveFeed> feed(const std::string& session) { return feeds_.open(session); }
  ServiceLog& log() const { return parts_.log; }
  /// Ends work in progress, whose replies are errors; there is no more.
  void cancel();

 private:
  WebAnswer data(const WebRequest& request) const;
  WebReply list(const Caller& caller) const;
  /// All chunks of the stream that `call` begins, until cancel(). `outcome`: of its end, for the client.
  /// Throws StatusError.
  std::string documentBytes(
      const std::function<
          std::unique_ptr<grpc::ClientReaderInterface<worker::DocumentChunk>>(grpc::ClientContext&)>& call,
      const std::function<grpc::Status(const grpc::Status&)>& outcome) const;
  WebReply sessionDocument(const std::string& id) const;
  /// A study now, with the title of its scene.
  WebReply study(const std::string& id) const;
  /// A report of a study, of runtime::kStudyFormats.
  WebReply studyReport(const std::string& id, const std::string& format, const std::string& client) const;
  WebReply recordDocument(const std::string& id, const std::string& client) const;

  ServiceParts parts_;
  const WebAddress& address_;
  LiveFeeds feeds_;
  mutable std::mutex mutex_;
  mutable std::set<grpc::ClientContext*> calls_;  ///< in progress
  bool canceled_ = false;
};

/// A reply with one line of text.
WebReply textReply(unsigned status, const std::string& text);

}  // namespace tenon::service
