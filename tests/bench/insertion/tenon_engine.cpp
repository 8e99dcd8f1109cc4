// Tenon in the insertion benchmark: the same path as `tenon run`, its own hand included.
#include "runtime/simulation/simulation.h"
#include "tests/bench/insertion/insertion_trial.h"
#include "xr/hands/scripted_hands.h"

namespace tenon::bench {
namespace {

class TenonEngine final : public InsertionEngine {
 public:
  explicit TenonEngine(const InsertionTrial& trial)
      : simulation_(trial.scene, {.dt = trial.dt}, std::make_unique<xr::ScriptedHands>(trial.scene.hands)),
        peg_(static_cast<std::size_t>(trial.scene.goals.front().part)) {}

  void prepare(int) override {}
  void step() override { simulation_.step(); }
  PegState peg() const override {
    const physics::BodyState& state = simulation_.world().stepResult().bodies[peg_];
    return {state.X_WC, state.v, state.omega};
  }

 private:
  runtime::Simulation simulation_;
  std::size_t peg_;
};

}  // namespace

std::unique_ptr<InsertionEngine> makeTenon(const InsertionTrial& trial) {
  return std::make_unique<TenonEngine>(trial);
}

}  // namespace tenon::bench
