// See command_row.h.
#include "runtime/record/command_row.h"

namespace tenon::runtime {

namespace {

using physics::BodyId;
using physics::HandId;

struct ToRow {
  CommandRow operator()(const physics::Grab& c) const { return {"grab", c.hand.value, c.body.value, c.X_WH}; }
  CommandRow operator()(const physics::MoveHand& c) const { return {"move", c.hand.value, -1, c.X_WH}; }
  CommandRow operator()(const physics::Release& c) const { return {"release", c.hand.value, -1, {}}; }
  CommandRow operator()(const physics::Place& c) const { return {"place", -1, c.body.value, c.X_WP}; }
  CommandRow operator()(const physics::Reset&) const { return {"reset", -1, -1, {}}; }
};

}  // namespace

CommandRow rowOf(const physics::Command& command) {
  return std::visit(ToRow(), command);
}

std::optional<physics::Command> commandOf(const CommandRow& row) {
  const bool hand = row.hand >= 0, body = row.body >= 0, pose = row.X.has_value();
  if (row.kind == "grab" && hand && body && pose)
    return physics::Grab{HandId{row.hand}, BodyId{row.body}, *row.X};
  if (row.kind == "move" && hand && pose) return physics::MoveHand{HandId{row.hand}, *row.X};
  if (row.kind == "release" && hand) return physics::Release{HandId{row.hand}};
  if (row.kind == "place" && body && pose) return physics::Place{BodyId{row.body}, *row.X};
  if (row.kind == "reset") return physics::Reset{};
  return std::nullopt;
}

}  // namespace tenon::runtime
