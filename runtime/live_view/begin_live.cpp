// Fills LiveOptions and the session header.
#include "runtime/live_view/begin_live.h"

#include <utility>

#include "runtime/session/record_session.h"
#include "runtime/session/terminal.h"
#include "runtime/simulation/live_simulation.h"

namespace tenon::runtime {

namespace {

std::unique_ptr<LiveSession> beginLocal(OpenedScene opened, const LiveStart& start) {
  const double rate = start.rate > 0 ? start.rate : opened.scene->rate;
  LiveOptions live;
  live.world.dt = 1 / rate;
  live.world.solver = start.solver.solver();
  live.world.solverOptions = solverOptions(start.solver, 0);
  live.paused = start.paused;
  live.scripted = start.scripted;
  live.guidance = start.guidance;
  live.handsAwaitOpening = start.handsAwaitOpening;
  live.returnsStrayParts = start.returnsStrayParts;
  live.inactivityTimeout_ns = start.inactivityTimeout_ns;
  const auto scene = opened.scene;
  if (start.record)
    live.record = [&, rate](const physics::World& world) {
      return std::make_unique<Recorder>(
          *start.record, start.force,
          makeSessionHeader(*scene, std::move(opened.text), std::move(opened.meshFiles), start.solver, rate,
                            0, 1),
          *scene, world, OverflowPolicy::stop, printMessage);
    };
  return std::make_unique<LiveSimulation>(scene, std::move(live));
}

class LocalSource final : public LiveSource {
 public:
  std::unique_ptr<LiveSession> begin(OpenedScene opened, const LiveStart& start) override {
    return beginLocal(std::move(opened), start);
  }
};

}  // namespace

std::shared_ptr<LiveSource> localSessions() {
  return std::make_shared<LocalSource>();
}

}  // namespace tenon::runtime
