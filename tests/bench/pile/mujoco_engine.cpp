// MuJoCo in the benchmark of piles.
#include <fmt/format.h>

#include <iterator>

#include "tests/bench/mujoco_model.h"
#include "tests/bench/pile/pile_trial.h"

namespace tenon::bench {
namespace {

// Settings:
// - usual: as delivered, which is Newton's solver, pyramidal cones and a time constant of 20 ms;
// - tight: those of mujoco_model.h.

// Room for contacts and their rows, of each block: more than a resting pile of boxes has.
constexpr int kContactsABlock = 24, kRowsAContact = 4;

std::string settings(const PileTrial& trial, Effort effort) {
  const bool tight = effort == Effort::tight;
  return fmt::format(
      R"(<option timestep="{:.17g}" gravity="{}" {}>{}</option>
<default><geom condim="{}" friction="{:.17g} 0 0" {}/></default>
)",
      trial.dt, numbers(trial.scene.gravity), tight ? kFullConvergence : "", tight ? kNoSafeReference : "",
      trial.friction > 0 ? 3 : 1, trial.friction, tight ? stiffContacts(trial.dt) : "");
}

std::string modelOf(const PileTrial& trial, Effort effort) {
  const int contacts = kContactsABlock * trial.blocks;
  const int rows = contacts * (trial.friction > 0 ? kRowsAContact : 1);
  std::string xml;
  auto out = std::back_inserter(xml);
  fmt::format_to(out, "<mujoco><size nconmax=\"{}\" njmax=\"{}\"/>\n{}<worldbody>\n", contacts, rows,
                 settings(trial, effort));
  for (const std::size_t k : trial.walls)
    fmt::format_to(out, "<geom type=\"plane\" size=\"0 0 1\" {}/>\n", placed(trial.part(k).X_WP));
  for (const std::size_t k : trial.boxes)
    fmt::format_to(out, "<body {}><freejoint/><geom type=\"box\" size=\"{}\" mass=\"{:.17g}\"/></body>\n",
                   placed(trial.part(k).X_WP), numbers(trial.halfExtents(k)), trial.part(k).mass.mass);
  return xml + "</worldbody></mujoco>\n";
}

class MujocoEngine final : public PileEngine {
 public:
  MujocoEngine(const PileTrial& trial, Effort effort) : mujoco_(modelOf(trial, effort)) {}

  void step() override { mujoco_.step(); }
  void poses(std::span<Pose> X_WB) const override {
    for (std::size_t k = 0; k < X_WB.size(); ++k) X_WB[k] = mujoco_.pose(k);
  }
  std::string remark() const override { return mujoco_.remark(); }

 private:
  MujocoModel mujoco_;
};

}  // namespace

std::unique_ptr<PileEngine> makeMujoco(const PileTrial& trial, Effort effort) {
  return std::make_unique<MujocoEngine>(trial, effort);
}

}  // namespace tenon::bench
