// tenon._tenon.Simulation: a LockstepSimulation that Python steps.
#include <fmt/format.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <array>
#include <memory>
#include <optional>
#include <utility>

#include "content/input/input_error.h"
#include "content/model/solver_support.h"
#include "runtime/python/bindings.h"
#include "runtime/python/interrupt_check.h"
#include "runtime/python/scene_handle.h"
#include "runtime/python/simulation_error.h"
#include "runtime/python/snapshot.h"
#include "runtime/python/solver_arguments.h"
#include "runtime/python/state_rows.h"
#include "runtime/report/units_text.h"
#include "runtime/session/scene_picture.h"
#include "runtime/simulation/command_checks.h"

namespace tenon::python {

namespace py = pybind11;

namespace {

using content::InputError;
using runtime::LockstepSimulation;

/// Position [m] and quaternion w x y z.
using PoseNumbers = std::array<double, 7>;

/// The caller has checked that the quaternion is not zero.
physics::Pose poseOf(const PoseNumbers& x) {
  return {physics::Quaterniond(x[3], x[4], x[5], x[6]).normalized(), {x[0], x[1], x[2]}};
}

PoseNumbers numbersOf(const physics::Pose& X) {
  return {X.p.x(), X.p.y(), X.p.z(), X.q.w(), X.q.x(), X.q.y(), X.q.z()};
}

/// Python calls it with the interpreter lock, except for step() and render(), which release it. A call from
/// another thread meanwhile is an error and no race: `busy_` changes under the lock only.
class SimulationHandle {
 public:
  SimulationHandle(std::shared_ptr<SceneHandle> scene, const SolverArguments& solver,
                   const std::optional<double>& rate, std::uint64_t seed, int threads, bool scripted);

  void step(std::int64_t steps);
  void moveHand(int hand, const PoseNumbers& X_WH) { use().apply(physics::MoveHand{{hand}, poseOf(X_WH)}); }
  void grasp(int hand, int part, const std::optional<PoseNumbers>& X_WH);
  void release(int hand) { use().apply(physics::Release{{hand}}); }
  void setPose(int part, const PoseNumbers& X_WP);
  void reset() {
    use().reset();
    isNotFinite_ = false;
  }
  void setDynamics(const std::optional<std::array<double, 3>>& gravity, std::optional<double> linearDamping,
                   std::optional<double> angularDamping, std::optional<double> restitution);
  void setThruster(int thruster, double level) { use().apply(physics::SetThruster{{thruster}, level}); }

  std::shared_ptr<State> state() { return stateOf(scene_, use()); }
  std::string stateHash() { return fmt::format("{:016x}", use().stateHash()); }
  double time() { return use().world().stepResult().time; }
  std::int64_t steps() { return use().world().stepResult().step; }
  double dt() { return use().world().options().dt; }
  PoseNumbers handTarget(int hand) { return numbersOf(use().handTarget({hand})); }
  Snapshot snapshot() { return {scene_->loaded().scene, use().snapshot(), {}, 0}; }
  void restore(const Snapshot& snapshot);
  py::array_t<std::uint8_t> render(const std::pair<int, int>& size, const runtime::PictureOptions& options);
  const std::shared_ptr<SceneHandle>& scene() const { return scene_; }
  bool isClosed() const { return simulation_ == nullptr; }
  void close();

 private:
  class Busy {
   public:
    explicit Busy(bool& busy) : busy_(busy) { busy_ = true; }
    ~Busy() { busy_ = false; }
    Busy(const Busy&) = delete;
    Busy& operator=(const Busy&) = delete;

   private:
    bool& busy_;
  };

  LockstepSimulation& use();

  std::shared_ptr<SceneHandle> scene_;
  std::unique_ptr<LockstepSimulation> simulation_;
  bool busy_ = false;
  bool isNotFinite_ = false;  ///< the last step's motion was not finite: further steps are invalid
  std::unique_ptr<xr::Offscreen> display_;
  runtime::ImageSize displaySize_;
};

SimulationHandle::SimulationHandle(std::shared_ptr<SceneHandle> scene, const SolverArguments& solver,
                                   const std::optional<double>& rate, std::uint64_t seed, int threads,
                                   bool scripted)
    : scene_(std::move(scene)) {
  runtime::RunSettings settings;
  settings.solver = settingsOf(solver);
  settings.rate = givenOr(rate, "--rate");
  settings.threads = threads;
  runtime::requireValid(settings);
  content::requireSolverSupports(settings.solver.solver(), scene_->scene());
  physics::WorldOptions options;
  options.dt = 1 / (settings.rate > 0 ? settings.rate : scene_->scene().rate);
  options.solver = settings.solver.solver();
  options.solverOptions = runtime::solverOptions(settings.solver, seed);
  options.threads = threads;
  const py::gil_scoped_release unlocked;
  simulation_ = std::make_unique<LockstepSimulation>(scene_->loaded().scene, options, scripted);
}

LockstepSimulation& SimulationHandle::use() {
  if (!simulation_) throw SimulationError("the simulation is closed; create another one");
  if (busy_)
    throw SimulationError("the simulation is in use by another thread; let one thread use it at a time");
  return *simulation_;
}

void SimulationHandle::close() {
  if (!simulation_) return;
  use();
  simulation_.reset();
  display_.reset();
}

void SimulationHandle::step(std::int64_t steps) {
  LockstepSimulation& simulation = use();
  if (isNotFinite_)
    throw SimulationError("the motion of a part is not finite; restore a snapshot or reset the simulation");
  std::optional<InterruptCheck> interrupt;  // it reads the clock, which a single step does without
  if (steps > 1) interrupt.emplace();
  {
    const Busy busy(busy_);
    const py::gil_scoped_release unlocked;
    for (std::int64_t k = 0; k < steps; ++k) {
      const physics::StepResult& tick = simulation.step();
      isNotFinite_ = tick.report.notFinite > 0;
      if (isNotFinite_ || (interrupt && interrupt->requested())) break;
    }
  }
  if (interrupt) interrupt->rethrow();
  if (!isNotFinite_) return;
  const physics::StepResult& tick = simulation.world().stepResult();
  throw SimulationError(
      fmt::format("at {:.6g} s the motion of {} is not finite; lower speeds or forces, or "
                  "raise the rate",
                  tick.time, runtime::countText(tick.report.notFinite, "part")));
}

void SimulationHandle::grasp(int hand, int part, const std::optional<PoseNumbers>& X_WH) {
  LockstepSimulation& simulation = use();
  runtime::requireMovable(scene_->scene(), "Grasp", part);
  simulation.apply(physics::Grab{{hand}, {part}, X_WH ? poseOf(*X_WH) : simulation.handTarget({hand})});
}

void SimulationHandle::setPose(int part, const PoseNumbers& X_WP) {
  LockstepSimulation& simulation = use();
  runtime::requirePlaceable(scene_->scene(), part);
  simulation.apply(physics::SetPose{{part}, poseOf(X_WP)});
}

void SimulationHandle::setDynamics(const std::optional<std::array<double, 3>>& gravity,
                                   std::optional<double> linearDamping, std::optional<double> angularDamping,
                                   std::optional<double> restitution) {
  LockstepSimulation& simulation = use();
  physics::Dynamics dynamics = simulation.dynamics();
  if (gravity) dynamics.gravity = {(*gravity)[0], (*gravity)[1], (*gravity)[2]};
  if (linearDamping) dynamics.linearDamping = *linearDamping;
  if (angularDamping) dynamics.angularDamping = *angularDamping;
  if (restitution) dynamics.restitution = *restitution;
  simulation.apply(physics::SetDynamics{dynamics});
}

void SimulationHandle::restore(const Snapshot& snapshot) {
  LockstepSimulation& simulation = use();
  if (snapshot.scene != scene_->loaded().scene || !snapshot.value)
    throw InputError("restore", "snapshot", "is of another scene",
                     "restore snapshots of simulations of the same Scene object");
  if (snapshot.value->simulation.world == nullptr) throw SimulationError("the snapshot is empty");
  simulation.restore(*snapshot.value);
  isNotFinite_ = false;
}

py::array_t<std::uint8_t> SimulationHandle::render(const std::pair<int, int>& size,
                                                   const runtime::PictureOptions& options) {
  const LockstepSimulation& simulation = use();
  xr::Image image;
  {
    const Busy busy(busy_);
    const py::gil_scoped_release unlocked;
    const runtime::ImageSize pixels = imageSizeOf(size);
    const runtime::ScenePicture picture(scene_->loaded().scene, options);
    if (!display_ || displaySize_.width != pixels.width || displaySize_.height != pixels.height) {
      display_.reset();
      display_ = std::make_unique<xr::Offscreen>(pixels.width, pixels.height);
      displaySize_ = pixels;
    }
    image = picture.draw(*display_, pixels, simulation.world());
  }
  py::array_t<std::uint8_t> rgb({image.height, image.width, 3});
  std::uint8_t* out = rgb.mutable_data();
  for (std::size_t k = 0; k + 3 < image.rgba.size(); k += 4)
    for (std::size_t channel = 0; channel < 3; ++channel) *out++ = image.rgba[k + channel];
  return rgb;
}

runtime::PictureOptions pictureOptions(const std::string& view, bool forces,
                                       const std::optional<std::string>& section,
                                       const std::vector<std::string>& xray) {
  runtime::PictureOptions options;
  options.view = view;
  options.forces = forces;
  options.section = section;
  options.xray = xray;
  return options;
}

}  // namespace

void bindSimulation(py::module_& module) {
  py::class_<Snapshot>(module, "Snapshot").def("__repr__", [](const Snapshot& s) {
    return fmt::format("<tenon.Snapshot of {}>", s.scene->name);
  });
  py::class_<SimulationHandle>(module, "Simulation")
      .def(py::init<std::shared_ptr<SceneHandle>, const SolverArguments&, const std::optional<double>&,
                    std::uint64_t, int, bool>(),
           py::arg("scene").none(false), py::arg("solver"), py::arg("rate"), py::arg("seed"),
           py::arg("threads"), py::arg("scripted"))
      .def("step", &SimulationHandle::step, py::arg("steps"))
      .def("move_hand", &SimulationHandle::moveHand)
      .def("grasp", &SimulationHandle::grasp)
      .def("release", &SimulationHandle::release)
      .def("set_pose", &SimulationHandle::setPose)
      .def("reset", &SimulationHandle::reset)
      .def("set_dynamics", &SimulationHandle::setDynamics)
      .def("set_thruster", &SimulationHandle::setThruster)
      .def("state", &SimulationHandle::state)
      .def("state_hash", &SimulationHandle::stateHash)
      .def("time", &SimulationHandle::time)
      .def("steps", &SimulationHandle::steps)
      .def("dt", &SimulationHandle::dt)
      .def("hand_target", &SimulationHandle::handTarget)
      .def("snapshot", &SimulationHandle::snapshot)
      .def("restore", &SimulationHandle::restore)
      .def("render",
           [](SimulationHandle& self, const std::pair<int, int>& size, const std::string& view, bool forces,
              const std::optional<std::string>& section, const std::vector<std::string>& xray) {
             return self.render(size, pictureOptions(view, forces, section, xray));
           })
      .def("is_closed", &SimulationHandle::isClosed)
      .def("close", &SimulationHandle::close);
}

}  // namespace tenon::python
