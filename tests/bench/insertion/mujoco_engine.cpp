// MuJoCo in the insertion benchmark.
#include <fmt/format.h>

#include <iterator>
#include <string>

#include "tests/bench/insertion/facets.h"
#include "tests/bench/insertion/insertion_trial.h"
#include "tests/bench/mujoco_model.h"

namespace tenon::bench {
namespace {

// Settings, the best found for penetration, then push, among those that reach the depth:
// - those of mujoco_model.h; stiffer contacts overlap as much and push harder;
// - one point a pair: multiccd doubles the time and jams below 50 µm;
// - MPR at its own tolerance, which finer ones do not better; in millimetres the results are the same;
// - the scene's hand as added mass: no setting of joints or of a weld is as near to it (insertion_trial.h).
//   The added inertia also enters the gyroscopic torque: 10⁻⁸ N m here.

std::string modelOf(const InsertionTrial& trial, const ImplicitHand& hand) {
  std::string xml;
  auto out = std::back_inserter(xml);
  fmt::format_to(out, R"(<mujoco><size nconmax="2000" njmax="8000"/>
<option timestep="{:.17g}" gravity="0 0 0" {}>{}</option>
<default><geom condim="{}" friction="{:.17g} 0 0" {}/></default>
<worldbody>
)",
                 trial.dt, kFullConvergence, kNoSafeReference, trial.friction > 0 ? 3 : 1, trial.friction,
                 stiffContacts(trial.dt));
  std::string meshes;
  int count = 0;
  for (const Sector& sector : facets(trial.fit)) {
    fmt::format_to(std::back_inserter(meshes), "<mesh name=\"sector {}\" vertex=\"", count);
    for (const Vector3d& corner : sector) meshes += numbers(corner) + " ";
    meshes += "\"/>\n";
    fmt::format_to(out, "<geom type=\"mesh\" mesh=\"sector {}\"/>\n", count++);
  }
  const Pose& start = trial.targets.front();
  fmt::format_to(out, R"(<body {}><freejoint/>
<inertial pos="0 0 0" mass="{:.17g}" diaginertia="{}"/>
<geom type="cylinder" size="{:.17g} {:.17g}" pos="0 0 {:.17g}"/></body></worldbody><asset>{}</asset></mujoco>
)",
                 placed(start), hand.mass(), numbers(hand.inertia()), trial.fit.pegRadius,
                 trial.fit.pegLength / 2, trial.fit.pegLength / 2 - trial.centerHeight, meshes);
  return xml;
}

class MujocoEngine final : public InsertionEngine {
 public:
  explicit MujocoEngine(const InsertionTrial& trial) : hand_(trial), mujoco_(modelOf(trial, hand_)) {}

  void prepare(int k) override {
    const Vector6d wrench = hand_.wrench(k, peg());
    for (int i = 0; i < 6; ++i) mujoco_.data().xfrc_applied[6 + i] = wrench[i];
  }
  void step() override { mujoco_.step(); }
  PegState peg() const override {
    const mjtNum* v = mujoco_.data().qvel;
    PegState state;
    state.X_WC = mujoco_.pose(0);
    state.v = Vector3d(v[0], v[1], v[2]);
    state.omega = state.X_WC.q * Vector3d(v[3], v[4], v[5]);  // MuJoCo: in the body's frame
    return state;
  }

 private:
  ImplicitHand hand_;
  MujocoModel mujoco_;
};

}  // namespace

std::unique_ptr<InsertionEngine> makeMujoco(const InsertionTrial& trial) {
  return std::make_unique<MujocoEngine>(trial);
}

}  // namespace tenon::bench
