// tenon._tenon.RemoteWatch and RemoteHands: the streams of a session of a server.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runtime/python/remote_state.h"
#include "runtime/service/client/hand_stream.h"
#include "runtime/service/client/state_stream_reader.h"

namespace tenon::python::remote {

/// States of a session, one after another.
class RemoteWatch {
 public:
  /// `rate` [1/s].
  RemoteWatch(std::shared_ptr<const SceneHandle> scene, std::shared_ptr<service::RemoteServer> server,
              const std::string& session, double rate);
  /// Waits for the next state; null: the session has ended.
  std::shared_ptr<State> next();
  void close() { stream_->close(); }

 private:
  std::shared_ptr<const SceneHandle> scene_;
  std::unique_ptr<service::StateStreamReader> stream_;
};

/// Hands that this client has leased.
class RemoteHands {
 public:
  /// Returns once the hands are leased.
  RemoteHands(std::shared_ptr<service::RemoteServer> server, const std::string& session,
              const std::vector<int>& hands);
  void move(int hand, const PoseNumbers& X_WH, bool closed, const std::optional<int>& part, double grabRadius,
            double duration);
  void untrack(int hand, bool closed);
  void close();

 private:
  std::unique_ptr<service::HandStream> stream_;
};

void bindRemoteStreams(pybind11::module_& module);

}  // namespace tenon::python::remote
