// Steps a session's world again from the recorded inputs.
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
  /// `session` and `scene` must outlive it; `options`: those that the session began with. Throws as
  /// content::buildWorld() does, and content::InputError if the bodies of session and scene differ.
  Resimulation(const SessionReader& session, const content::Scene& scene,
               const physics::WorldOptions& options);

  /// Steps the world to tick `recorded.tick`. Call it with consecutive ticks from 0, the start. Throws
  /// content::InputError for inputs that are invalid for this world.
  void step(const RecordedStep& recorded);

  const physics::World& world() const { return world_; }

 private:
  void change(const WorldChange& change, std::int64_t tick);

  const SessionReader& session_;
  const content::Scene& scene_;
  physics::WorldOptions options_;
  physics::World world_;
  /// World at the ticks to which the session returns; null until reached.
  std::map<std::int64_t, std::shared_ptr<const physics::WorldState>> snapshots_;
};

}  // namespace tenon::runtime
