// tenon._tenon.State: structured arrays that view the rows of a state, and keep it alive.
#include <fmt/format.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cstddef>

#include "runtime/python/bindings.h"
#include "runtime/python/state_rows.h"

namespace tenon::python {

namespace py = pybind11;

namespace {

template <std::size_t size>
void store(const physics::Vector3d& v, double (&out)[size]) {
  static_assert(size == 3);
  for (std::size_t k = 0; k < size; ++k) out[k] = v[static_cast<Eigen::Index>(k)];
}

void store(const physics::Quaterniond& q, double (&out)[4]) {
  out[0] = q.w();
  out[1] = q.x();
  out[2] = q.y();
  out[3] = q.z();
}

ContactRow rowOf(const physics::ContactForce& contact) {
  ContactRow row{};
  row.partA = contact.contact.i.value;
  row.partB = contact.contact.j.value;
  store(contact.contact.p, row.position);
  store(contact.contact.n, row.normal);
  row.separation = contact.contact.separation;
  row.force = contact.force;
  store(contact.friction, row.friction);
  store(contact.impulse, row.impulse);
  row.mu = contact.mu;
  return row;
}

HandRow rowOf(const physics::HandState& hand) {
  HandRow row{};
  store(hand.X_WH.p, row.position);
  store(hand.X_WH.q, row.quaternion);
  row.part = hand.body.value;
  row.lost = hand.lost;
  store(hand.force, row.force);
  store(hand.torque, row.torque);
  return row;
}

JointRow rowOf(const physics::JointState& joint) {
  JointRow row{};
  row.angle = joint.angle;
  row.travel = joint.travel;
  store(joint.force, row.force);
  store(joint.torque, row.torque);
  return row;
}

GoalRow rowOf(const runtime::GoalResult& goal) {
  GoalRow row{};
  storeText(runtime::toText(goal.verdict), row.verdict);
  row.depth = goal.depth;
  row.tilt = goal.tilt;
  row.time = goal.time;
  row.push = goal.push;
  row.maxPush = goal.maxPush;
  return row;
}

/// Fields of a row, for numpy's dtype.
struct Field {
  const char* name;
  const char* format;
  std::size_t offset;
};

py::dtype dtypeOf(std::initializer_list<Field> fields, std::size_t size) {
  py::list names, formats, offsets;
  for (const Field& field : fields) {
    names.append(field.name);
    formats.append(field.format);
    offsets.append(field.offset);
  }
  py::dict description;
  description["names"] = names;
  description["formats"] = formats;
  description["offsets"] = offsets;
  description["itemsize"] = size;
  return py::dtype::from_args(description);
}

py::dtype dtypeOf(const PartRow* /*row*/) {
  return dtypeOf({{"position", "3f8", offsetof(PartRow, position)},
                  {"quaternion", "4f8", offsetof(PartRow, quaternion)},
                  {"velocity", "3f8", offsetof(PartRow, velocity)},
                  {"angular_velocity", "3f8", offsetof(PartRow, angularVelocity)}},
                 sizeof(PartRow));
}

py::dtype dtypeOf(const ContactRow* /*row*/) {
  return dtypeOf({{"part_a", "i4", offsetof(ContactRow, partA)},
                  {"part_b", "i4", offsetof(ContactRow, partB)},
                  {"position", "3f8", offsetof(ContactRow, position)},
                  {"normal", "3f8", offsetof(ContactRow, normal)},
                  {"separation", "f8", offsetof(ContactRow, separation)},
                  {"force", "f8", offsetof(ContactRow, force)},
                  {"friction", "3f8", offsetof(ContactRow, friction)},
                  {"impulse", "3f8", offsetof(ContactRow, impulse)},
                  {"mu", "f8", offsetof(ContactRow, mu)}},
                 sizeof(ContactRow));
}

py::dtype dtypeOf(const HandRow* /*row*/) {
  return dtypeOf({{"position", "3f8", offsetof(HandRow, position)},
                  {"quaternion", "4f8", offsetof(HandRow, quaternion)},
                  {"part", "i4", offsetof(HandRow, part)},
                  {"lost", "?", offsetof(HandRow, lost)},
                  {"force", "3f8", offsetof(HandRow, force)},
                  {"torque", "3f8", offsetof(HandRow, torque)}},
                 sizeof(HandRow));
}

py::dtype dtypeOf(const JointRow* /*row*/) {
  return dtypeOf({{"angle", "f8", offsetof(JointRow, angle)},
                  {"travel", "f8", offsetof(JointRow, travel)},
                  {"force", "3f8", offsetof(JointRow, force)},
                  {"torque", "3f8", offsetof(JointRow, torque)}},
                 sizeof(JointRow));
}

py::dtype dtypeOf(const GoalRow* /*row*/) {
  return dtypeOf({{"verdict", "U12", offsetof(GoalRow, verdict)},
                  {"depth", "f8", offsetof(GoalRow, depth)},
                  {"tilt", "f8", offsetof(GoalRow, tilt)},
                  {"time", "f8", offsetof(GoalRow, time)},
                  {"push", "f8", offsetof(GoalRow, push)},
                  {"max_push", "f8", offsetof(GoalRow, maxPush)}},
                 sizeof(GoalRow));
}

/// A read-only array of the rows, without a copy; it keeps `owner`, whose rows they are, alive. The dtype is
/// made once and never destroyed: it may outlive the interpreter's own objects.
template <class Row>
py::array viewOf(const std::vector<Row>& rows, const py::object& owner) {
  static const auto* const dtype = new py::dtype(dtypeOf(static_cast<const Row*>(nullptr)));
  const auto count = static_cast<py::ssize_t>(rows.size());
  py::array array(*dtype, {count}, {static_cast<py::ssize_t>(sizeof(Row))}, rows.data(), owner);
  array.attr("flags").attr("writeable") = false;
  return array;
}

template <class Row>
void addView(py::class_<State, std::shared_ptr<State>>& type, const char* name,
             std::vector<Row> State::*rows) {
  type.def_property_readonly(
      name, [rows](const py::object& self) { return viewOf(self.cast<const State&>().*rows, self); });
}

}  // namespace

std::shared_ptr<State> stateOf(const std::shared_ptr<const SceneHandle>& scene,
                               const runtime::LockstepSimulation& simulation) {
  auto state = std::make_shared<State>();
  const physics::World& world = simulation.world();
  const physics::StepResult& tick = world.stepResult();
  state->scene = scene;
  state->step = tick.step;
  state->time = tick.time;
  state->stateHash = simulation.stateHash();
  state->parts.resize(tick.bodies.size());
  for (std::size_t k = 0; k < tick.bodies.size(); ++k) {
    const physics::Pose X_WP = world.partPose({static_cast<int>(k)}, tick.bodies[k]);
    PartRow& row = state->parts[k];
    store(X_WP.p, row.position);
    store(X_WP.q, row.quaternion);
    store(tick.bodies[k].v, row.velocity);
    store(tick.bodies[k].omega, row.angularVelocity);
  }
  const auto convert = [](const auto& from, auto& to) {
    to.reserve(from.size());
    for (const auto& entry : from) to.push_back(rowOf(entry));
  };
  convert(tick.contacts, state->contacts);
  convert(tick.hands, state->hands);
  convert(tick.joints, state->joints);
  convert(simulation.goals(), state->goals);
  state->converged = tick.report.converged;
  state->penetration = tick.report.penetration;
  state->residual = tick.report.residual;
  return state;
}

void bindState(py::module_& module) {
  py::class_<State, std::shared_ptr<State>> type(module, "State");
  type.def_readonly("step", &State::step)
      .def_readonly("time", &State::time)
      .def_property_readonly("state_hash", [](const State& s) { return fmt::format("{:016x}", s.stateHash); })
      .def_readonly("converged", &State::converged)
      .def_readonly("penetration", &State::penetration)
      .def_readonly("residual", &State::residual)
      .def("part",
           [](const py::object& self, const py::object& key) -> py::object {
             const auto& state = self.cast<const State&>();
             const int index = state.scene->indexOf("part", state.scene->parts(), key);
             const py::array parts = viewOf(state.parts, self);
             return parts[py::int_(index)];
           })
      .def("__repr__", [](const State& s) {
        return fmt::format("<tenon.State: step {}, {:.6g} s, {} parts, {} contacts>", s.step, s.time,
                           s.parts.size(), s.contacts.size());
      });
  addView(type, "parts", &State::parts);
  addView(type, "contacts", &State::contacts);
  addView(type, "hands", &State::hands);
  addView(type, "joints", &State::joints);
  addView(type, "goals", &State::goals);
}

}  // namespace tenon::python
