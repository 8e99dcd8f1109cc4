// See resimulation.h.
#include "runtime/record/resimulation.h"

#include <fmt/format.h>

#include <stdexcept>
#include <string>

#include "content/model/build_world.h"
#include "content/model/solver_support.h"

namespace tenon::runtime {

Resimulation::Resimulation(const SessionReader& session, const content::Scene& scene,
                           const physics::WorldOptions& options)
    : session_(session), scene_(scene), options_(options), world_(content::buildWorld(scene, options)) {
  if (world_.bodyCount() != session.bodies().size())
    session.fail("body", fmt::format("has {} rows, and the scene {} parts", session.bodies().size(),
                                     world_.bodyCount()));
  for (const std::int64_t tick : session.returnTargets()) snapshots_[tick] = nullptr;
}

void Resimulation::step(const RecordedStep& recorded) {
  if (recorded.tick > 0) {
    try {
      for (const WorldChange& one : recorded.changes) change(one, recorded.tick);
      for (const physics::Command& command : recorded.commands) world_.apply(command);
    } catch (const std::invalid_argument& error) {
      session_.fail(fmt::format("tick {}", recorded.tick),
                    fmt::format("has a command that cannot be: {}", error.what()));
    }
    world_.step();
  }
  if (const auto at = snapshots_.find(recorded.tick); at != snapshots_.end()) at->second = world_.snapshot();
}

void Resimulation::change(const WorldChange& change, std::int64_t tick) {
  if (const auto* back = std::get_if<ReturnTo>(&change)) {
    const auto at = snapshots_.find(back->tick);
    if (at == snapshots_.end() || !at->second)
      session_.fail(fmt::format("tick {}", tick),
                    fmt::format("returns to tick {}, which is not before it", back->tick));
    world_.restore(*at->second);
    return;
  }
  if (const auto* solver = std::get_if<SetSolver>(&change)) {
    content::requireSolverSupports(solver->solver, scene_);
    options_.solver = solver->solver;
  }
  if (const auto* rate = std::get_if<SetRate>(&change)) options_.dt = 1 / rate->rate;
  world_ = content::rebuildWorld(scene_, options_, world_);
}

}  // namespace tenon::runtime
