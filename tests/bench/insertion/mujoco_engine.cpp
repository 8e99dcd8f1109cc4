// MuJoCo in the insertion benchmark.
#include <fmt/format.h>
#include <mujoco/mujoco.h>

#include <cstring>
#include <iterator>
#include <stdexcept>
#include <string>

#include "tests/bench/insertion/facets.h"
#include "tests/bench/insertion/insertion_trial.h"

namespace tenon::bench {
namespace {

// Settings, the best found for penetration, then push, among those that reach the depth:
// - contacts as stiff as the time step allows (time constant of 2 Δt, critical; half of it explodes), nearly
//   rigid impedance within 10 µm; stiffer ones overlap as much and push harder;
// - Newton's solver to full convergence, elliptic cones (friction's impedance as the normal one's);
// - one point a pair: multiccd doubles the time and jams below 50 µm;
// - MPR at its own tolerance, which finer ones do not better; in millimetres the results are the same;
// - the scene's hand as added mass: no setting of joints or of a weld is as near to it (insertion_trial.h).
//   The added inertia also enters the gyroscopic torque: 10⁻⁸ N m here.
constexpr double kTimeConstantInSteps = 2;
constexpr double kImpedance[2] = {0.99, 0.9999};
constexpr double kImpedanceWidth = 1e-5;  // m

std::string numbers(const Vector3d& v) {
  return fmt::format("{:.17g} {:.17g} {:.17g}", v.x(), v.y(), v.z());
}

std::string numbers(const physics::Quaterniond& q) {
  return fmt::format("{:.17g} {:.17g} {:.17g} {:.17g}", q.w(), q.x(), q.y(), q.z());
}

std::string modelOf(const InsertionTrial& trial, const ImplicitHand& hand) {
  std::string xml;
  auto out = std::back_inserter(xml);
  fmt::format_to(out, R"(<mujoco><size nconmax="2000" njmax="8000"/>
<option timestep="{:.17g}" gravity="0 0 0" cone="elliptic" solver="Newton" iterations="200" tolerance="1e-14">
<flag refsafe="disable"/></option>
<default><geom condim="{}" friction="{:.17g} 0 0" solref="{:.17g} 1" solimp="{:.17g} {:.17g} {:.17g}"/></default>
<worldbody>
)",
                 trial.dt, trial.friction > 0 ? 3 : 1, trial.friction, kTimeConstantInSteps * trial.dt,
                 kImpedance[0], kImpedance[1], kImpedanceWidth);
  std::string meshes;
  int count = 0;
  for (const Sector& sector : facets(trial.fit)) {
    fmt::format_to(std::back_inserter(meshes), "<mesh name=\"sector {}\" vertex=\"", count);
    for (const Vector3d& corner : sector) meshes += numbers(corner) + " ";
    meshes += "\"/>\n";
    fmt::format_to(out, "<geom type=\"mesh\" mesh=\"sector {}\"/>\n", count++);
  }
  const Pose& start = trial.targets.front();
  fmt::format_to(out, R"(<body pos="{}" quat="{}"><freejoint/>
<inertial pos="0 0 0" mass="{:.17g}" diaginertia="{}"/>
<geom type="cylinder" size="{:.17g} {:.17g}" pos="0 0 {:.17g}"/></body></worldbody><asset>{}</asset></mujoco>
)",
                 numbers(start.p), numbers(start.q), hand.mass(), numbers(hand.inertia()),
                 trial.fit.pegRadius, trial.fit.pegLength / 2, trial.fit.pegLength / 2 - trial.centerHeight,
                 meshes);
  return xml;
}

class MujocoEngine final : public InsertionEngine {
 public:
  explicit MujocoEngine(const InsertionTrial& trial) : hand_(trial) {
    const std::string xml = modelOf(trial, hand_);
    const auto files = std::make_unique<mjVFS>();
    mj_defaultVFS(files.get());
    const int size = static_cast<int>(xml.size());
    mj_makeEmptyFileVFS(files.get(), "insertion.xml", size);
    std::memcpy(files->filedata[mj_findFileVFS(files.get(), "insertion.xml")], xml.data(), xml.size());
    char error[1000] = "";
    model_.reset(mj_loadXML("insertion.xml", files.get(), error, sizeof error));
    mj_deleteVFS(files.get());
    if (!model_) throw std::runtime_error(std::string("MuJoCo: ") + error);
    data_.reset(mj_makeData(model_.get()));
    mj_forward(model_.get(), data_.get());
  }

  void prepare(int k) override {
    const Vector6d wrench = hand_.wrench(k, peg());
    for (int i = 0; i < 6; ++i) data_->xfrc_applied[6 + i] = wrench[i];
  }
  void step() override { mj_step(model_.get(), data_.get()); }
  PegState peg() const override {
    const mjtNum *q = data_->qpos, *v = data_->qvel;
    PegState state;
    state.X_WC.p = Vector3d(q[0], q[1], q[2]);
    state.X_WC.q = physics::Quaterniond(q[3], q[4], q[5], q[6]).normalized();
    state.v = Vector3d(v[0], v[1], v[2]);
    state.omega = state.X_WC.q * Vector3d(v[3], v[4], v[5]);  // MuJoCo: in the body's frame
    return state;
  }

 private:
  struct Free {
    void operator()(mjModel* model) const { mj_deleteModel(model); }
    void operator()(mjData* data) const { mj_deleteData(data); }
  };
  ImplicitHand hand_;
  std::unique_ptr<mjModel, Free> model_;
  std::unique_ptr<mjData, Free> data_;
};

}  // namespace

std::string mujocoName() {
  return std::string("MuJoCo ") + mj_versionString();
}

std::unique_ptr<InsertionEngine> makeMujoco(const InsertionTrial& trial) {
  return std::make_unique<MujocoEngine>(trial);
}

}  // namespace tenon::bench
