// Studies of a server: the C++ side of Server.study() in Python.
#pragma once

#include <grpcpp/client_context.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "runtime/service/client/remote_server.h"
#include "tenon/v1/studies.grpc.pb.h"

namespace tenon::service {

/// All members throw StatusError with the server's text.
class RemoteStudies {
 public:
  explicit RemoteStudies(std::shared_ptr<RemoteServer> server);

  v1::Study start(const v1::StartStudyRequest& request);
  v1::Study resume(const std::string& id);
  v1::Study stop(const std::string& id);
  std::vector<v1::Study> list();
  void remove(const std::string& id);
  /// Gives `sink` the bytes of a report, or of the results file: `format` "study".
  void results(const std::string& id, const std::string& format,
               const std::function<void(const std::string&)>& sink);

  /// The study, whenever it has gone on.
  class Watch {
   public:
    Watch(RemoteStudies& studies, const std::string& id);
    /// Ends the stream.
    ~Watch();
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;
    /// Waits for the next one; false: the one before was the last.
    bool next(v1::Study& study);

   private:
    std::shared_ptr<RemoteServer> server_;
    grpc::ClientContext context_;
    std::unique_ptr<grpc::ClientReaderInterface<v1::Study>> reader_;
    bool isOver_ = false;
  };

 private:
  std::shared_ptr<RemoteServer> server_;
  std::unique_ptr<v1::Studies::StubInterface> stub_;
};

}  // namespace tenon::service
