// Controls of a running live session.
#pragma once

#include <memory>
#include <variant>

#include "content/model/scene.h"
#include "physics/math/ids.h"
#include "physics/solver/solver_name.h"
#include "physics/step/dynamics.h"
#include "runtime/record/world_change.h"

namespace tenon::runtime {

struct PlayControl {
  bool on = true;
};
struct StepControl {};
struct SpeedControl {
  double speed = 1;
};
/// Rejected with kNoScript if no hand of the scene has a script.
struct ScriptControl {
  bool on = true;
};
inline constexpr const char* kNoScript = "this scene has no script: none of its hands has way-points";
struct GuidanceControl {
  bool on = true;
};
struct ResetControl {};
struct UndoControl {};
struct RedoControl {};
struct SolverControl {
  physics::SolverName solver = physics::SolverName::automatic;
};
struct RateControl {
  double rate = 1000;  ///< [Hz]
};
/// Gravity, damping and restitution from the next step on.
struct DynamicsControl {
  physics::Dynamics dynamics;
  bool begins = true;  ///< the first of a series, such as the drag of a slider, which is undone as one
};
struct ThrusterControl {
  physics::ThrusterId thruster;
  bool on = true;
};
struct SceneControl {
  std::shared_ptr<const content::Scene> scene;
  double rate = 0;  ///< [Hz], 0: the scene's
};
/// A mark: "bookmark", or "note" with its text.
struct MarkControl {
  SessionMark mark;
};
/// Guidance is recorded: results with it do not prove manual feasibility.
inline SessionMark guidanceMark(bool on) {
  return {"guidance", on ? "on" : "off"};
}
/// Completes the record; the session continues without one.
struct EndRecordControl {};
using Control = std::variant<PlayControl, StepControl, SpeedControl, ScriptControl, GuidanceControl,
                             ResetControl, UndoControl, RedoControl, SolverControl, RateControl,
                             DynamicsControl, ThrusterControl, SceneControl, MarkControl, EndRecordControl>;

}  // namespace tenon::runtime
