// tenon._tenon.RemoteServer and RemoteSimulation: sessions of `tenon serve`. Without gRPC, connecting reports
// it.
#include <fmt/format.h>
#include <pybind11/stl.h>

#include <array>
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
#include "runtime/python/state_rows.h"
#ifdef TENON_GRPC
#include "runtime/service/client/remote_server.h"
#include "runtime/service/messages/status.h"
#endif

namespace tenon::python {

namespace py = pybind11;

#ifndef TENON_GRPC

void bindRemote(py::module_& module) {
  module.def("connect", [](const std::string&, const std::string&, const std::string&, const std::string&,
                           const std::string&) {
    throw content::MissingComponent(
        "connect: this module was built without gRPC; install libgrpc++-dev libprotobuf-dev "
        "protobuf-compiler-grpc libssl-dev libboost-dev, then configure and build again");
  });
}

#else

namespace remote {
namespace {

using content::InputError;
using service::RemoteServer;
using service::RemoteSession;
using PoseNumbers = std::array<double, 7>;  ///< position [m] and quaternion w x y z

/// Calls `body` without the interpreter lock. Statuses become the exceptions of the module.
template <class Body>
auto remotely(Body body) {
  const py::gil_scoped_release unlocked;
  try {
    return body();
  } catch (const service::StatusError& error) {
    switch (error.code()) {
      case grpc::StatusCode::INVALID_ARGUMENT:
      case grpc::StatusCode::NOT_FOUND:
      case grpc::StatusCode::OUT_OF_RANGE:
        throw std::invalid_argument(error.what());
      default:
        throw SimulationError(error.what());
    }
  }
}

void store(const v1::Vector3& v, double (&out)[3]) {
  out[0] = v.x();
  out[1] = v.y();
  out[2] = v.z();
}

void store(const v1::Quaternion& q, double (&out)[4]) {
  out[0] = q.w();
  out[1] = q.x();
  out[2] = q.y();
  out[3] = q.z();
}

PartRow rowOf(const v1::PartState& part) {
  PartRow row{};
  store(part.pose().position(), row.position);
  store(part.pose().orientation(), row.quaternion);
  store(part.velocity(), row.velocity);
  store(part.angular_velocity(), row.angularVelocity);
  return row;
}

ContactRow rowOf(const v1::ContactState& contact) {
  ContactRow row{};
  row.partA = contact.part_a();
  row.partB = contact.part_b();
  store(contact.position(), row.position);
  store(contact.normal(), row.normal);
  row.separation = contact.separation();
  row.force = contact.force();
  store(contact.friction(), row.friction);
  store(contact.impulse(), row.impulse);
  row.mu = contact.mu();
  return row;
}

HandRow rowOf(const v1::HandState& hand) {
  HandRow row{};
  store(hand.target().position(), row.position);
  store(hand.target().orientation(), row.quaternion);
  row.part = hand.part();
  row.lost = hand.lost();
  store(hand.force(), row.force);
  store(hand.torque(), row.torque);
  return row;
}

JointRow rowOf(const v1::JointState& joint) {
  JointRow row{};
  storeText(joint.phase(), row.phase);
  row.angle = joint.angle();
  row.travel = joint.travel();
  store(joint.force(), row.force);
  store(joint.torque(), row.torque);
  return row;
}

GoalRow rowOf(const v1::GoalState& goal) {
  GoalRow row{};
  storeText(goal.verdict(), row.verdict);
  row.depth = goal.depth();
  row.tilt = goal.tilt();
  row.time = goal.time();
  row.push = goal.push();
  row.maxPush = goal.max_push();
  return row;
}

std::shared_ptr<State> stateOf(const std::shared_ptr<const SceneHandle>& scene, const v1::State& message) {
  auto state = std::make_shared<State>();
  state->scene = scene;
  state->step = message.step();
  state->time = message.time();
  state->stateHash = message.state_hash();
  for (const auto& part : message.parts()) state->parts.push_back(rowOf(part));
  for (const auto& contact : message.contacts()) state->contacts.push_back(rowOf(contact));
  for (const auto& hand : message.hands()) state->hands.push_back(rowOf(hand));
  for (const auto& joint : message.joints()) state->joints.push_back(rowOf(joint));
  for (const auto& goal : message.goals()) state->goals.push_back(rowOf(goal));
  state->converged = message.converged();
  state->penetration = message.penetration();
  state->residual = message.residual();
  return state;
}

void store(const PoseNumbers& x, v1::Pose* pose) {
  pose->mutable_position()->set_x(x[0]);
  pose->mutable_position()->set_y(x[1]);
  pose->mutable_position()->set_z(x[2]);
  pose->mutable_orientation()->set_w(x[3]);
  pose->mutable_orientation()->set_x(x[4]);
  pose->mutable_orientation()->set_y(x[5]);
  pose->mutable_orientation()->set_z(x[6]);
}

/// A session of a server, with the interface of Simulation.
class RemoteSimulationHandle {
 public:
  RemoteSimulationHandle(std::shared_ptr<SceneHandle> scene, std::shared_ptr<RemoteSession> session)
      : scene_(std::move(scene)), session_(std::move(session)) {}

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
  double dt() { return 1 / use()->info().rate(); }
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
    remotely([&] { session_->close(); });
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
        scene, std::make_shared<RemoteSession>(server, server->create(request)));
  });
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
      .def("download", [](RemoteServer& server, const std::string& record, const std::string& file,
                          bool force) { remotely([&] { server.download(record, file, force); }); })
      .def("verify",
           [](RemoteServer& server, const std::string& record) {
             const auto answer = remotely([&] { return server.verify(record); });
             return std::make_pair(answer.verified(), answer.text());
           })
      .def("simulate", &simulate, py::arg("scene").none(false), py::arg("solver"), py::arg("rate"),
           py::arg("seed"), py::arg("threads"), py::arg("scripted"), py::arg("record"));
  py::class_<RemoteSimulationHandle>(module, "RemoteSimulation")
      .def("step", &RemoteSimulationHandle::step, py::arg("steps"))
      .def("move_hand", &RemoteSimulationHandle::moveHand)
      .def("grasp", &RemoteSimulationHandle::grasp)
      .def("release", &RemoteSimulationHandle::release)
      .def("set_pose", &RemoteSimulationHandle::setPose)
      .def("reset", &RemoteSimulationHandle::reset)
      .def("set_dynamics", &RemoteSimulationHandle::setDynamics)
      .def("set_thruster", &RemoteSimulationHandle::setThruster)
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
