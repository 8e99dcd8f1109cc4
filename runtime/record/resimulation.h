// A session's world, stepped again by what the record says entered it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>

#include "content/model/scene.h"
#include "physics/world.h"
#include "runtime/record/session_reader.h"

namespace tenon::runtime {

class Resimulation {
 public:
  /// `session` and `scene` must outlive it; `options`: those that the session began with. Throws what
  /// content::buildWorld() throws, and content::InputError where the session has other bodies than the scene.
  Resimulation(const SessionReader& session, const content::Scene& scene,
               const physics::WorldOptions& options);

  /// Brings the world to tick number `recorded.tick`, which is the one after the last, from 0, the start, on.
  /// Throws content::InputError for what this world cannot take.
  void step(const RecordedStep& recorded);

  const physics::World& world() const { return world_; }

 private:
  void change(const WorldChange& change, std::int64_t tick);

  const SessionReader& session_;
  const content::Scene& scene_;
  physics::WorldOptions options_;
  physics::World world_;
  /// Of those ticks that the session comes back to; empty until they have been reached.
  std::map<std::int64_t, std::shared_ptr<const physics::WorldState>> snapshots_;
};

}  // namespace tenon::runtime
