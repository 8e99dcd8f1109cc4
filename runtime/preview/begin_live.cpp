// See begin_live.h.
#include "runtime/preview/begin_live.h"

#include <utility>

#include "runtime/commands/record_session.h"
#include "runtime/commands/terminal.h"

namespace tenon::runtime {

std::unique_ptr<LiveSimulation> beginLive(OpenedScene opened, const LiveStart& start) {
  const double rate = start.rate > 0 ? start.rate : opened.scene->rate;
  LiveOptions live;
  live.world.dt = 1 / rate;
  live.world.solver = start.solver.solver();
  live.world.solverOptions = solverOptions(start.solver, 0);
  live.paused = start.paused;
  live.scripted = start.scripted;
  live.guidance = start.guidance;
  live.handsWait = start.handsWait;
  live.attention_ns = start.attention_ns;
  const auto scene = opened.scene;
  if (start.record)
    live.record = [&, rate](const physics::World& world) {
      return std::make_unique<Recorder>(
          *start.record, start.force,
          headerOf(*scene, std::move(opened.text), std::move(opened.meshFiles), start.solver, rate, 0, 1),
          *scene, world, WhenFull::stop, say);
    };
  return std::make_unique<LiveSimulation>(scene, std::move(live));
}

}  // namespace tenon::runtime
