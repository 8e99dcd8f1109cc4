// See command_row.h.
#include "runtime/record/command_row.h"

#include "content/input/limits.h"

namespace tenon::runtime {

namespace {

using physics::BodyId;
using physics::HandId;

struct ToRow {
  CommandRow operator()(const physics::Grab& c) const {
    return {"grab", c.hand.value, c.body.value, c.X_WH, {}, {}, 0};
  }
  CommandRow operator()(const physics::MoveHand& c) const {
    return {"move", c.hand.value, -1, c.X_WH, {}, {}, 0};
  }
  CommandRow operator()(const physics::Release& c) const {
    return {"release", c.hand.value, -1, {}, {}, {}, 0};
  }
  CommandRow operator()(const physics::SetPose& c) const {
    return {"place", -1, c.body.value, c.X_WP, {}, {}, 0};
  }
  CommandRow operator()(const physics::Reset&) const { return {"reset", -1, -1, {}, {}, {}, 0}; }
  CommandRow operator()(const ReturnTo& c) const { return {"return", -1, -1, {}, c.tick, {}, 0}; }
  CommandRow operator()(const SetSolver& c) const {
    return {"solver", -1, -1, {}, {}, physics::toText(c.solver), 0};
  }
  CommandRow operator()(const SetRate& c) const { return {"rate", -1, -1, {}, {}, {}, c.rate}; }
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
  return std::nullopt;
}

}  // namespace tenon::runtime
