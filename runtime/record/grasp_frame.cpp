// See grasp_frame.h.
#include "runtime/record/grasp_frame.h"

#include <SQLiteCpp/Exception.h>
#include <SQLiteCpp/Statement.h>

namespace tenon::runtime {

std::optional<physics::Pose> graspFrame(const SessionReader& session, SessionFrames& frames,
                                        const SessionEvent& grab) {
  if (grab.body < 0 || static_cast<std::size_t>(grab.body) >= session.bodies().size()) return std::nullopt;
  try {
    SQLite::Statement command(session.database(),
                              "SELECT px_m, py_m, pz_m, qw, qx, qy, qz FROM command WHERE tick = ? AND "
                              "kind = 'grab' AND hand = ?");
    command.bind(1, grab.tick);
    command.bind(2, grab.hand);
    if (!command.executeStep()) return std::nullopt;
    const auto at = [&](int k) { return session.finiteNumber(command.getColumn(k), grab.tick); };
    RecordedFrame before;
    frames.read(frames.keyframeUpTo(grab.tick - 1), before);
    return before.world.bodies[static_cast<std::size_t>(grab.body)].X_WC.inverse() *
           physics::Pose{physics::Quaterniond(at(3), at(4), at(5), at(6)), {at(0), at(1), at(2)}};
  } catch (const SQLite::Exception& error) {
    session.failReading(error);
  }
}

}  // namespace tenon::runtime
