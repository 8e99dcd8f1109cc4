// tenon._tenon.RemoteServer and RemoteSimulation: sessions of `tenon serve`. Without gRPC, connecting reports
// it.
#include <fmt/format.h>
#include <pybind11/stl.h>

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "content/input/input_error.h"
#include "content/step/read_step.h"
#include "runtime/python/bindings.h"
#include "runtime/python/interrupt_check.h"
#include "runtime/python/scene_handle.h"
#include "runtime/python/simulation_error.h"
#include "runtime/python/snapshot.h"
#include "runtime/python/solver_arguments.h"
#ifdef TENON_GRPC
#include "runtime/python/remote_state.h"
#include "runtime/python/remote_streams.h"
#include "runtime/python/remote_studies.h"
#include "runtime/service/client/remote_server.h"
#endif

namespace tenon::python {

namespace py = pybind11;

#ifndef TENON_GRPC

void bindRemote(py::module_& module) {
  module.def("connect", [](const std::string&, const std::string&, const std::string&, const std::string&,
                           const std::string&) {
    throw content::MissingComponent(
        "connect: this module was built without gRPC; install libgrpc++-dev libprotobuf-dev "
        "protobuf-compiler-grpc libssl-dev libboost-dev prometheus-cpp-dev, then configure and build again");
  });
}

#else

namespace remote {
namespace {

using content::InputError;
using service::RemoteServer;
using service::RemoteSession;
/// A session of a server, with the interface of Simulation.
class RemoteSimulationHandle {
 public:
  /// `joined`: the session goes on when this one is closed.
  RemoteSimulationHandle(std::shared_ptr<SceneHandle> scene, std::shared_ptr<RemoteSession> session,
                         bool joined)
      : scene_(std::move(scene)), session_(std::move(session)), joined_(joined) {}

  void step(std::int64_t steps) {
    const auto session = use();
    InterruptCheck interrupt;
    remotely([&] { session->step(steps, [&] { return interrupt.requested(); }); });
    interrupt.rethrow();
  }
  void moveHand(int hand, const PoseNumbers& X_WH) {
    v1::Command command;
    command.mutable_move_hand()->set_hand(hand);
    store(X_WH, command.mutable_move_hand()->mutable_target());
    apply(command);
  }
  void grasp(int hand, int part, const std::optional<PoseNumbers>& X_WH) {
    v1::Command command;
    command.mutable_grasp()->set_hand(hand);
    command.mutable_grasp()->set_part(part);
    if (X_WH) store(*X_WH, command.mutable_grasp()->mutable_pose());
    apply(command);
  }
  void release(int hand) {
    v1::Command command;
    command.mutable_release()->set_hand(hand);
    apply(command);
  }
  void setPose(int part, const PoseNumbers& X_WP) {
    v1::Command command;
    command.mutable_set_pose()->set_part(part);
    store(X_WP, command.mutable_set_pose()->mutable_pose());
    apply(command);
  }
  void setDynamics(const std::optional<std::array<double, 3> >& gravity, std::optional<double> linearDamping,
                   std::optional<double> angularDamping, std::optional<double> restitution) {
    v1::Command command;
    v1::SetDynamics* const set = command.mutable_set_dynamics();
    if (gravity) {
      set->mutable_gravity()->set_x((*gravity)[0]);
      set->mutable_gravity()->set_y((*gravity)[1]);
      set->mutable_gravity()->set_z((*gravity)[2]);
    }
    if (linearDamping) set->set_linear_damping(*linearDamping);
    if (angularDamping) set->set_angular_damping(*angularDamping);
    if (restitution) set->set_restitution(*restitution);
    apply(command);
  }
  void setThruster(int thruster, double level) {
    v1::Command command;
    command.mutable_set_thruster()->set_thruster(thruster);
    command.mutable_set_thruster()->set_level(level);
    apply(command);
  }
  void reset() {
    v1::ControlRequest request;
    request.set_reset(true);
    control(request);
  }
  void undo() {
    v1::ControlRequest request;
    request.set_undo(true);
    control(request);
  }
  void redo() {
    v1::ControlRequest request;
    request.set_redo(true);
    control(request);
  }
  void setSolver(const std::string& name) {
    v1::ControlRequest request;
    request.set_solver(name);
    control(request);
  }
  void setRate(double rate) {
    v1::ControlRequest request;
    request.set_rate(rate);
    control(request);
  }
  std::unique_ptr<RemoteWatch> watch(double rate) {
    const auto session = use();
    return std::make_unique<RemoteWatch>(scene_, session->server().shared(), session->info().id(), rate);
  }
  std::unique_ptr<RemoteHands> hands(const std::vector<int>& hands) {
    const auto session = use();
    return remotely([&] {
      return std::make_unique<RemoteHands>(session->server().shared(), session->info().id(), hands);
    });
  }
  void play(bool on) {
    v1::ControlRequest request;
    request.set_play(on);
    control(request);
  }
  void setSpeed(double speed) {
    v1::ControlRequest request;
    request.set_speed(speed);
    control(request);
  }
  v1::State current() {
    const auto session = use();
    return remotely([&] { return session->state(); });
  }
  std::shared_ptr<State> state() { return stateOf(scene_, current()); }
  std::string stateHash() { return fmt::format("{:016x}", current().state_hash()); }
  double time() { return current().time(); }
  std::int64_t steps() { return current().step(); }
  bool isPlaying() { return current().pace().playing(); }
  double dt() { return 1 / current().settings().rate(); }
  PoseNumbers handTarget(int hand) {
    const v1::State state = current();
    const v1::Pose& target = state.hands(hand).target();
    const v1::Quaternion& q = target.orientation();
    return {target.position().x(), target.position().y(), target.position().z(), q.w(), q.x(), q.y(), q.z()};
  }
  Snapshot snapshot() {
    const auto session = use();
    Snapshot snapshot;
    snapshot.scene = scene_->loaded().scene;
    snapshot.session = session->info().id();
    snapshot.number = remotely([&] { return session->snapshot(); });
    return snapshot;
  }
  void restore(const Snapshot& snapshot) {
    const auto session = use();
    if (snapshot.session != session->info().id())
      throw InputError("restore", "snapshot", "is of another simulation",
                       "restore snapshots that this one has made");
    remotely([&] { session->restore(snapshot.number); });
  }
  std::string id() { return session_->info().id(); }
  std::string record() { return session_->info().record(); }
  bool isClosed() const { return closed_; }
  void close() {
    if (closed_) return;
    if (!joined_) remotely([&] { session_->close(); });
    closed_ = true;
  }

 private:
  std::shared_ptr<RemoteSession> use() const {
    if (closed_) throw SimulationError("the simulation is closed; create another one");
    return session_;
  }
  void apply(const v1::Command& command) {
    const auto session = use();
    remotely([&] { session->apply(command); });
  }
  void control(const v1::ControlRequest& request) {
    const auto session = use();
    remotely([&] { session->control(request); });
  }

  std::shared_ptr<SceneHandle> scene_;
  std::shared_ptr<RemoteSession> session_;
  bool joined_;
  bool closed_ = false;
};

std::shared_ptr<RemoteServer> connect(const std::string& address, const std::string& token,
                                      const std::string& authority, const std::string& certificate,
                                      const std::string& key) {
  return remotely([&] {
    return std::make_shared<RemoteServer>(
        service::ConnectOptions{address, token, authority, certificate, key});
  });
}

std::unique_ptr<RemoteSimulationHandle> simulate(const std::shared_ptr<RemoteServer>& server,
                                                 const std::shared_ptr<SceneHandle>& scene,
                                                 const SolverArguments& solver,
                                                 const std::optional<double>& rate, std::uint64_t seed,
                                                 int threads, bool scripted, bool record) {
  v1::CreateSessionRequest request;
  request.set_solver(std::get<0>(solver));
  request.set_accuracy(std::get<1>(solver));
  for (const auto& [name, value] : std::get<2>(solver)) (*request.mutable_solver_options())[name] = value;
  request.set_rate(givenOr(rate, "--rate"));
  request.set_seed(seed);
  request.set_threads(threads);
  request.set_free_hands(!scripted);
  request.set_record(record);
  for (const content::Parameter& parameter : scene->scene().parameters)
    (*request.mutable_parameters())[parameter.name] = parameter.value;
  return remotely([&] {
    request.set_scene(server->upload(scene->loaded()));
    return std::make_unique<RemoteSimulationHandle>(
        scene, std::make_shared<RemoteSession>(server, server->create(request)), false);
  });
}

std::pair<std::shared_ptr<SceneHandle>, std::unique_ptr<RemoteSimulationHandle> > join(
    const std::shared_ptr<RemoteServer>& server, const std::string& id) {
  return remotely([&] {
    const v1::Session session = server->runningSession("session", id);
    auto scene = std::make_shared<SceneHandle>(server->sceneOf(session));
    return std::make_pair(scene, std::make_unique<RemoteSimulationHandle>(
                                     scene, std::make_shared<RemoteSession>(server, session), true));
  });
}

bool closeSession(const std::shared_ptr<RemoteServer>& server, const std::string& id) {
  v1::Session session;
  session.set_id(id);
  return remotely([&] { return RemoteSession(server, session).close(); });
}

py::dict identityOf(const RemoteServer& server) {
  const v1::Identity& identity = server.identity();
  py::dict all;
  all["version"] = identity.version();
  all["api"] = identity.api();
  all["sources"] = identity.sources();
  all["compiler"] = identity.compiler();
  all["processor"] = identity.processor();
  all["system"] = identity.system();
  all["solvers"] = std::vector<std::string>(identity.solvers().begin(), identity.solvers().end());
  all["role"] = identity.role();
  all["max_sessions"] = identity.max_sessions();
  all["max_upload_bytes"] = identity.max_upload_bytes();
  all["idle_timeout"] = identity.idle_timeout();
  return all;
}

py::list sessionsOf(RemoteServer& server) {
  py::list all;
  for (const v1::Session& session : remotely([&] { return server.sessions(); })) {
    py::dict entry;
    entry["id"] = session.id();
    entry["scene"] = session.scene().name();
    entry["rate"] = session.rate();
    entry["solver"] = session.solver();
    entry["owner"] = session.owner();
    entry["record"] = session.record();
    entry["running"] = session.running();
    entry["ended"] = session.ended();
    all.append(entry);
  }
  return all;
}

py::list scenesOf(RemoteServer& server) {
  py::list all;
  for (const v1::Scene& scene : remotely([&] { return server.scenes(); })) {
    py::dict entry;
    entry["id"] = scene.id();
    entry["name"] = scene.name();
    entry["title"] = scene.title();
    entry["bytes"] = scene.bytes();
    all.append(entry);
  }
  return all;
}

std::string checkText(RemoteServer& server, const std::string& scene,
                      const std::map<std::string, double>& parameters) {
  v1::CheckSceneRequest request;
  request.set_id(scene);
  for (const auto& [name, value] : parameters) (*request.mutable_parameters())[name] = value;
  return remotely([&] { return server.check(request); });
}

py::bytes thumbnailOf(RemoteServer& server, const std::string& scene,
                      const std::map<std::string, double>& parameters, const std::pair<int, int>& size,
                      const std::string& view) {
  v1::ThumbnailRequest request;
  request.set_id(scene);
  for (const auto& [name, value] : parameters) (*request.mutable_parameters())[name] = value;
  request.set_width(size.first);
  request.set_height(size.second);
  request.set_view(view);
  return remotely([&] { return server.thumbnail(request); });
}

std::string solutionText(RemoteServer& server, const std::string& problem, const std::string& solver,
                         const std::map<std::string, std::string>& options, std::uint64_t seed) {
  v1::SolveRequest request;
  request.set_problem(problem);
  request.set_solver(solver);
  for (const auto& [name, value] : options) (*request.mutable_solver_options())[name] = value;
  request.set_seed(seed);
  return remotely([&] { return server.solve(request).json(); });
}

py::list recordsOf(RemoteServer& server) {
  py::list all;
  for (const v1::Record& record : remotely([&] { return server.records(); })) {
    py::dict entry;
    entry["id"] = record.id();
    entry["bytes"] = record.bytes();
    entry["growing"] = record.growing();
    all.append(entry);
  }
  return all;
}

}  // namespace
}  // namespace remote

void bindRemote(py::module_& module) {
  using namespace remote;
  module.def("connect", &connect, py::arg("address"), py::arg("token"), py::arg("authority"),
             py::arg("certificate"), py::arg("key"));
  py::class_<RemoteServer, std::shared_ptr<RemoteServer> >(module, "RemoteServer")
      .def_property_readonly("address", &RemoteServer::address)
      .def("identity", &identityOf)
      .def("sessions", &sessionsOf)
      .def("records", &recordsOf)
      .def("scenes", &scenesOf)
      .def("check", &checkText)
      .def("thumbnail", &thumbnailOf)
      .def("solve", &solutionText)
      .def("upload",
           [](RemoteServer& server, const SceneHandle& scene) {
             return remotely([&] { return server.upload(scene.loaded()); });
           })
      .def("report",
           [](RemoteServer& server, const std::string& record) -> py::bytes {
             return remotely([&] { return server.report(record); });
           })
      .def("download", [](RemoteServer& server, const std::string& record, const std::string& file,
                          bool force) { remotely([&] { server.download(record, file, force); }); })
      .def("delete_scene",
           [](RemoteServer& server, const std::string& id) { remotely([&] { server.deleteScene(id); }); })
      .def("delete_record", [](RemoteServer& server,
                               const std::string& record) { remotely([&] { server.deleteRecord(record); }); })
      .def("verify",
           [](RemoteServer& server, const std::string& record) {
             const auto answer = remotely([&] { return server.verify(record); });
             return std::make_pair(answer.verified(), answer.text());
           })
      .def("join", &join)
      .def("close_session", &closeSession)
      .def("simulate", &simulate, py::arg("scene").none(false), py::arg("solver"), py::arg("rate"),
           py::arg("seed"), py::arg("threads"), py::arg("scripted"), py::arg("record"));
  bindRemoteStreams(module);
  bindRemoteStudies(module);
  py::class_<RemoteSimulationHandle>(module, "RemoteSimulation")
      .def("step", &RemoteSimulationHandle::step, py::arg("steps"))
      .def("move_hand", &RemoteSimulationHandle::moveHand)
      .def("grasp", &RemoteSimulationHandle::grasp)
      .def("release", &RemoteSimulationHandle::release)
      .def("set_pose", &RemoteSimulationHandle::setPose)
      .def("reset", &RemoteSimulationHandle::reset)
      .def("set_dynamics", &RemoteSimulationHandle::setDynamics)
      .def("set_thruster", &RemoteSimulationHandle::setThruster)
      .def("undo", &RemoteSimulationHandle::undo)
      .def("redo", &RemoteSimulationHandle::redo)
      .def("set_solver", &RemoteSimulationHandle::setSolver)
      .def("set_rate", &RemoteSimulationHandle::setRate)
      .def("watch", &RemoteSimulationHandle::watch)
      .def("hands", &RemoteSimulationHandle::hands)
      .def("play", &RemoteSimulationHandle::play)
      .def("set_speed", &RemoteSimulationHandle::setSpeed)
      .def("is_playing", &RemoteSimulationHandle::isPlaying)
      .def("state", &RemoteSimulationHandle::state)
      .def("state_hash", &RemoteSimulationHandle::stateHash)
      .def("time", &RemoteSimulationHandle::time)
      .def("steps", &RemoteSimulationHandle::steps)
      .def("dt", &RemoteSimulationHandle::dt)
      .def("hand_target", &RemoteSimulationHandle::handTarget)
      .def("snapshot", &RemoteSimulationHandle::snapshot)
      .def("restore", &RemoteSimulationHandle::restore)
      .def("id", &RemoteSimulationHandle::id)
      .def("record", &RemoteSimulationHandle::record)
      .def("is_closed", &RemoteSimulationHandle::isClosed)
      .def("close", &RemoteSimulationHandle::close);
}

#endif

}  // namespace tenon::python
