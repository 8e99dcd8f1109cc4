// Tenon in the benchmark of piles.
#include "content/model/build_world.h"
#include "tests/bench/pile/pile_trial.h"

namespace tenon::bench {
namespace {

class TenonEngine final : public PileEngine {
 public:
  explicit TenonEngine(const PileTrial& trial)
      : boxes_(trial.boxes),
        world_(content::buildWorld(trial.scene, {.dt = trial.dt, .allowSleep = false})) {}

  void step() override { notConverged_ += world_.step().report.converged ? 0 : 1; }
  void poses(std::span<Pose> X_WB) const override {
    for (std::size_t k = 0; k < boxes_.size(); ++k) {
      const physics::BodyId id{static_cast<std::int32_t>(boxes_[k])};
      X_WB[k] = world_.partPose(id, world_.stepResult().bodies[boxes_[k]]);
    }
  }
  std::string remark() const override {
    return notConverged_ == 0 ? "" : std::to_string(notConverged_) + " steps not converged";
  }

 private:
  std::vector<std::size_t> boxes_;
  physics::World world_;
  int notConverged_ = 0;
};

}  // namespace

std::unique_ptr<PileEngine> makeTenon(const PileTrial& trial) {
  return std::make_unique<TenonEngine>(trial);
}

}  // namespace tenon::bench
