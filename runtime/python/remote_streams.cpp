// See remote_streams.h.
#include "runtime/python/remote_streams.h"

#include <pybind11/stl.h>

#include <utility>

#include "runtime/python/interrupt_check.h"

namespace tenon::python::remote {

namespace py = pybind11;

RemoteWatch::RemoteWatch(std::shared_ptr<const SceneHandle> scene,
                         std::shared_ptr<service::RemoteServer> server, const std::string& session,
                         double rate)
    : scene_(std::move(scene)) {
  v1::WatchRequest request;
  request.set_session(session);
  request.set_rate(rate);
  stream_ =
      remotely([&] { return std::make_unique<service::StateStreamReader>(std::move(server), request); });
}

std::shared_ptr<State> RemoteWatch::next() {
  InterruptCheck interrupt;
  v1::State message;
  const bool found = remotely([&] { return stream_->next(message, [&] { return interrupt.requested(); }); });
  interrupt.rethrow();
  return found ? stateOf(scene_, message) : nullptr;
}

RemoteHands::RemoteHands(std::shared_ptr<service::RemoteServer> server, const std::string& session,
                         const std::vector<int>& hands)
    : stream_(std::make_unique<service::HandStream>(std::move(server), session, hands, nullptr)) {
  stream_->waitUntilLeased();
}

void RemoteHands::move(int hand, const PoseNumbers& X_WH, bool closed, const std::optional<int>& part,
                       double grabRadius, double duration) {
  v1::HandSample sample;
  sample.set_hand(hand);
  sample.set_tracked(true);
  sample.set_closed(closed);
  store(X_WH, sample.mutable_pose());
  if (part) sample.set_part(*part);
  sample.set_grab_radius(grabRadius);
  sample.set_move_duration(duration);
  remotely([&] { stream_->write(sample); });
}

void RemoteHands::untrack(int hand, bool closed) {
  v1::HandSample sample;
  sample.set_hand(hand);
  sample.set_closed(closed);
  remotely([&] { stream_->write(sample); });
}

void RemoteHands::close() {
  remotely([&] { stream_->close(); });
}

void bindRemoteStreams(py::module_& module) {
  py::class_<RemoteWatch>(module, "RemoteWatch")
      .def("next", &RemoteWatch::next)
      .def("close", &RemoteWatch::close);
  py::class_<RemoteHands>(module, "RemoteHands")
      .def("move", &RemoteHands::move)
      .def("untrack", &RemoteHands::untrack)
      .def("close", &RemoteHands::close);
}

}  // namespace tenon::python::remote
