// See command_row.h.
#include "runtime/record/command_row.h"

#include "content/input/limits.h"

namespace tenon::runtime {

namespace {

using physics::BodyId;
using physics::HandId;

struct ToRow {
  CommandRow operator()(const physics::Grab& c) const {
    return {.kind = "grab", .hand = c.hand.value, .body = c.body.value, .X = c.X_WH};
  }
  CommandRow operator()(const physics::MoveHand& c) const {
    return {.kind = "move", .hand = c.hand.value, .X = c.X_WH};
  }
  CommandRow operator()(const physics::Release& c) const { return {.kind = "release", .hand = c.hand.value}; }
  CommandRow operator()(const physics::SetPose& c) const {
    return {.kind = "place", .body = c.body.value, .X = c.X_WP};
  }
  CommandRow operator()(const physics::Reset&) const { return {.kind = "reset"}; }
  CommandRow operator()(const physics::SetDynamics& c) const {
    return {.kind = "dynamics", .dynamics = c.dynamics};
  }
  CommandRow operator()(const physics::SetThruster& c) const {
    return {.kind = "thruster", .thruster = c.thruster.value, .level = c.level};
  }
  CommandRow operator()(const ReturnTo& c) const { return {.kind = "return", .toTick = c.tick}; }
  CommandRow operator()(const SetSolver& c) const {
    return {.kind = "solver", .solver = physics::toText(c.solver)};
  }
  CommandRow operator()(const SetRate& c) const { return {.kind = "rate", .rate = c.rate}; }
};

}  // namespace

CommandRow rowOf(const physics::Command& command) {
  return std::visit(ToRow(), command);
}

CommandRow rowOf(const WorldChange& change) {
  return std::visit(ToRow(), change);
}

std::optional<WorldChange> changeOf(const CommandRow& row) {
  if (row.kind == "return" && row.toTick) return ReturnTo{*row.toTick};
  // From 1 Hz: earlier versions recorded rates below content::kMinRate.
  if (row.kind == "rate" && row.rate >= 1 && row.rate <= content::kMaxRate) return SetRate{row.rate};
  if (row.kind != "solver") return std::nullopt;
  const auto solver = physics::solverFromText(row.solver);
  if (!solver) return std::nullopt;
  return SetSolver{*solver};
}

std::optional<physics::Command> commandOf(const CommandRow& row) {
  const bool hand = row.hand >= 0, body = row.body >= 0, pose = row.X.has_value();
  if (row.kind == "grab" && hand && body && pose)
    return physics::Grab{HandId{row.hand}, BodyId{row.body}, *row.X};
  if (row.kind == "move" && hand && pose) return physics::MoveHand{HandId{row.hand}, *row.X};
  if (row.kind == "release" && hand) return physics::Release{HandId{row.hand}};
  if (row.kind == "place" && body && pose) return physics::SetPose{BodyId{row.body}, *row.X};
  if (row.kind == "reset") return physics::Reset{};
  if (row.kind == "dynamics" && row.dynamics) return physics::SetDynamics{*row.dynamics};
  if (row.kind == "thruster" && row.thruster >= 0)
    return physics::SetThruster{physics::ThrusterId{row.thruster}, row.level};
  return std::nullopt;
}

}  // namespace tenon::runtime
