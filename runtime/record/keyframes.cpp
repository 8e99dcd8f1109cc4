// See keyframes.h.
#include "runtime/record/keyframes.h"

#include <SQLiteCpp/Exception.h>

namespace tenon::runtime {

Keyframes::Keyframes(SessionReader& session)
    : session_(session),
      converged_(session.database(), "SELECT converged FROM tick WHERE tick = ?"),
      rows_(session) {}

bool Keyframes::next(Keyframe& frame) {
  do {
    if (!session_.next(tick_)) return false;
  } while (!tick_.keyframe);
  frame.tick = tick_.tick;
  frame.time = tick_.time;
  frame.bodies = tick_.states;
  try {
    converged_.reset();
    converged_.bind(1, frame.tick);
    frame.converged = converged_.executeStep() && converged_.getColumn(0).getInt() != 0;
  } catch (const SQLite::Exception& error) {
    session_.failReading(error);
  }
  rows_.readHands(frame.tick, frame.hands);
  frame.head = rows_.readHead(frame.tick);
  rows_.readGoals(frame.tick, frame.goals);
  return true;
}

}  // namespace tenon::runtime
