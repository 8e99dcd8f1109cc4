// Stage 1 of a step, after the commands: drivers at the hexagons of screws, as joints. See joint/driver.h.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "physics/joint/joint_equations.h"
#include "physics/step/stages.h"

namespace tenon::physics {

namespace {

constexpr double kSixth = std::numbers::pi / 3;  ///< symmetry of a hexagon [rad]
/// A torque above the limit by less is rounding [-].
constexpr double kLimitRounding = 1e-9;

Pose aboutZ(double angle) {
  return {Quaterniond(Eigen::AngleAxisd(angle, Vector3d::UnitZ())), Vector3d::Zero()};
}

Pose poseOfHexagon(const WorldModel& model, const WorldState& state, HexagonId id) {
  const PlacedHexagon& hexagon = model.hexagons[id.value];
  return state.bodies[hexagon.description.body.value].X_WC * hexagon.X_CH;
}

Pose poseOfTip(const WorldModel& model, const WorldState& state, std::size_t driver) {
  const PlacedDriver& tip = model.drivers[driver];
  return state.bodies[tip.description.body.value].X_WC * tip.X_CT;
}

/// Where a driver stands over a hexagon.
struct Stand {
  Vector3d offset = Vector3d::Zero();  ///< of the tip [m]
  double tilt = 0;                     ///< between the axes [rad]
  double angle = 0;                    ///< about the axis, within ±π [rad]
};

Stand standOf(const Pose& X_WH, const Pose& X_WT) {
  const Pose X_HT = X_WH.inverse() * X_WT;
  const Vector3d z = X_HT.q * Vector3d::UnitZ();
  return {X_HT.p, std::atan2(z.head<2>().norm(), z.z()), 2 * std::atan2(X_HT.q.z(), X_HT.q.w())};
}

bool isAt(const Stand& stand, double width) {
  return stand.offset.head<2>().norm() <= kDriverOffset * width && stand.tilt <= kDriverTilt &&
         std::abs(stand.offset.z()) <= kDriverOn;
}

/// Frame A of the joint in the frame of the hexagon: it approaches the hexagon's while the driver closes.
Pose frameOfJoint(const DriverSlot& slot) {
  const Pose remaining{exponential(slot.closing * slot.misaligned), slot.closing * slot.offset};
  return aboutZ(slot.turn) * remaining;
}

/// Angle between the z axes of the frames of a joint [rad].
double tiltOf(const Vector3d& rotation) {
  const Vector3d z = exponential(rotation) * Vector3d::UnitZ();
  return std::atan2(z.head<2>().norm(), z.z());
}

/// Lowest place of the tip along z of frame A [m]: above the mouth while the driver closes, by as much as the
/// edge of the tilted tip is below its center, r sin(tilt).
double lowestTravel(const DriverSlot& slot, double depth) {
  if (slot.closing <= 0) return slot.isEngaged ? -depth : 0;
  const double first = tiltOf(slot.misaligned), tilt = tiltOf(slot.closing * slot.misaligned);
  const double share = first > 0 ? std::sin(tilt) / std::sin(first) : slot.closing;
  return share * slot.height / std::cos(tilt);
}

JointRange angleRange(const DriverSlot& slot, const DriverDescription& driver) {
  if (!slot.isEngaged || slot.slips != 0) return {};
  JointRange range{-kHexagonPlay, kHexagonPlay};
  if (driver.ratchet) range.high = std::numeric_limits<double>::infinity();
  return range;
}

void wake(WorldState& state, BodyId a, BodyId b) {
  state.stillSteps[a.value] = state.stillSteps[b.value] = 0;
}

void uncouple(DriverSlot& slot) {
  slot.hexagon = HexagonId{};
  slot.isEngaged = false;
  slot.state.screw = slot.state.misfit = BodyId{};
  slot.state.torque = 0;
  slot.slips = 0;
}

bool isAligned(const Stand& stand) {
  return std::abs(std::remainder(stand.angle, kSixth)) <= kDriverAngle;
}

bool isFitting(const WorldModel& model, std::size_t driver, HexagonId hexagon) {
  return fits(model.drivers[driver].description.size, model.hexagons[hexagon.value].description.size);
}

/// Guides a driver to the axis of a hexagon. It is engaged if it fits, at one angle in six; else it stands on
/// the mouth.
void couple(const WorldModel& model, WorldState& state, std::size_t d, HexagonId id, const Stand& stand) {
  DriverSlot& slot = state.drivers[d];
  const BodyId body = model.drivers[d].description.body, screw = model.hexagons[id.value].description.body;
  const bool fitting = isFitting(model, d, id);
  slot.hexagon = id;
  slot.isEngaged = fitting && isAligned(stand);
  slot.state.head = model.hexagons[id.value].description.size;
  slot.state.screw = slot.isEngaged ? screw : BodyId{};
  slot.state.misfit = fitting ? BodyId{} : screw;
  slot.turn = slot.isEngaged ? kSixth * std::round(stand.angle / kSixth) : stand.angle;
  const Pose X_HT =
      (poseOfHexagon(model, state, id) * aboutZ(slot.turn)).inverse() * poseOfTip(model, state, d);
  const Vector3d z = X_HT.q * Vector3d::UnitZ();
  slot.height = X_HT.p.z();
  slot.offset = X_HT.p - slot.height / z.z() * z;
  slot.misaligned = logarithm(X_HT.q);
  slot.closing = 1;
  slot.slips = 0;
  wake(state, body, screw);
  std::erase_if(state.contacts, [&](const Contact& contact) {
    return std::minmax(contact.i, contact.j) == std::minmax(body, screw);
  });
}

/// Moves the part that meets the hexagon against the handle, and uncouples a driver that is drawn off.
void follow(const WorldModel& model, WorldState& state, std::size_t d, double dt) {
  DriverSlot& slot = state.drivers[d];
  const DriverDescription& driver = model.drivers[d].description;
  const PlacedHexagon& hexagon = model.hexagons[slot.hexagon.value];
  const Pose X_WH = poseOfHexagon(model, state, slot.hexagon), X_WT = poseOfTip(model, state, d);
  const Stand stand = standOf(X_WH, X_WT);
  if (stand.offset.z() > kDriverOff || stand.offset.head<2>().norm() > hexagon.description.size.width) {
    wake(state, driver.body, hexagon.description.body);
    uncouple(slot);
    return;
  }
  if (slot.closing > 0 || slot.slips != 0) wake(state, driver.body, hexagon.description.body);
  slot.closing = std::max(0.0, slot.closing - dt / kDriverClosing);
  if (!slot.isEngaged) {
    if (slot.closing <= 0 && isAligned(stand) && isFitting(model, d, slot.hexagon))
      couple(model, state, d, slot.hexagon, stand);
    return;
  }
  const double angle = jointAngle({X_WH * frameOfJoint(slot), X_WT});
  if (slot.slips != 0) {
    const double passed = slot.slips * angle;
    if (std::abs(passed) < kHexagonPlay || (passed > 0 && passed < kHexagonPlay + kClickAngle)) return;
    slot.turn += angle - std::copysign(kHexagonPlay, angle);
    slot.slips = 0;
  } else if (driver.ratchet && angle > kHexagonPlay) {
    slot.turn += angle - kHexagonPlay;
  }
  slot.turn = std::remainder(slot.turn, 2 * std::numbers::pi);
}

bool isTaken(const WorldState& state, HexagonId hexagon) {
  return std::any_of(state.drivers.begin(), state.drivers.end(),
                     [hexagon](const DriverSlot& slot) { return slot.hexagon == hexagon; });
}

/// Guides a free driver to the first hexagon at which it stands.
void seek(const WorldModel& model, WorldState& state, std::size_t d) {
  const Pose X_WT = poseOfTip(model, state, d);
  for (int h = 0; h < static_cast<int>(model.hexagons.size()); ++h) {
    const HexagonDescription& hexagon = model.hexagons[h].description;
    if (hexagon.body == model.drivers[d].description.body || isTaken(state, {h})) continue;
    const Stand stand = standOf(poseOfHexagon(model, state, {h}), X_WT);
    if (isAt(stand, hexagon.size.width)) return couple(model, state, d, {h}, stand);
  }
}

/// The joints of coupled drivers, after those of the model.
void makeJoints(const WorldModel& model, WorldState& state, DriverWork& work) {
  const std::size_t own = model.joints.size();
  if (work.joints.size() < own) work.joints = model.joints;
  std::size_t count = own;
  work.pairs.clear();
  work.joint.assign(model.drivers.size(), -1);
  for (std::size_t d = 0; d < model.drivers.size(); ++d) {
    DriverSlot& slot = state.drivers[d];
    if (!slot.hexagon.valid()) continue;
    const PlacedHexagon& hexagon = model.hexagons[slot.hexagon.value];
    const PlacedDriver& driver = model.drivers[d];
    if (work.joints.size() == count) work.joints.emplace_back();
    work.joint[d] = static_cast<int>(count);
    PlacedJoint& joint = work.joints[count++];
    joint.description.kind = JointKind::cylindrical;
    joint.description.i = hexagon.description.body;
    joint.description.j = driver.description.body;
    joint.description.angle = angleRange(slot, driver.description);
    joint.description.travel.low = lowestTravel(slot, hexagon.description.depth);
    joint.X_CA = hexagon.X_CH * frameOfJoint(slot);
    joint.X_CB = driver.X_CT;
    slot.state.axis = poseOfHexagon(model, state, slot.hexagon).q * Vector3d::UnitZ();
    work.pairs.push_back({std::min(joint.description.i, joint.description.j),
                          std::max(joint.description.i, joint.description.j)});
  }
  work.joints.resize(count);
}

/// Torque of a coupled driver on its screw in the solution of its island [N m], positive clockwise seen from
/// outside.
double solvedTorque(const WorldModel& model, const WorldState& state, const StepWorkspace& work,
                    std::size_t d) {
  const BodyId body = model.drivers[d].description.body;
  const IslandSlot& slot = *work.islands.slots[work.islands.partition.islandOf(body)];
  if (slot.isSleeping) return state.drivers[d].state.torque;
  double torque = 0;
  for (std::size_t k = 0; k < slot.solution.f.size(); ++k) {
    const ContactRow& row = slot.solution.solved[k];
    if (row.key.isLimit() && row.key.joint() == work.drivers.joint[d])
      torque += slot.solution.f[k] * row.Gb.tail<3>().dot(state.drivers[d].state.axis);
  }
  return torque;
}

}  // namespace

void uncoupleDrivers(const WorldModel& model, WorldState& state, BodyId body) {
  for (DriverSlot& slot : state.drivers)
    if (slot.hexagon.valid() &&
        (slot.state.body == body || model.hexagons[slot.hexagon.value].description.body == body))
      uncouple(slot);
}

std::span<const PlacedJoint> jointsOf(const WorldModel& model, const StepWorkspace& work) {
  return model.drivers.empty() ? std::span(model.joints) : std::span<const PlacedJoint>(work.drivers.joints);
}

void coupleDrivers(const WorldModel& model, WorldState& state, StepWorkspace& work) {
  if (model.drivers.empty()) return;
  for (std::size_t d = 0; d < model.drivers.size(); ++d) {
    if (state.drivers[d].hexagon.valid()) follow(model, state, d, work.substep.dt);
    if (!state.drivers[d].hexagon.valid()) seek(model, state, d);
  }
  work.drivers.givenTorque.assign(model.drivers.size(), 0.0);
  makeJoints(model, state, work.drivers);
}

bool clickDrivers(const WorldModel& model, WorldState& state, StepWorkspace& work) {
  bool clicks = false;
  for (std::size_t d = 0; d < model.drivers.size(); ++d) {
    DriverSlot& slot = state.drivers[d];
    const double limit = model.drivers[d].description.torqueLimit;
    if (!slot.isEngaged || slot.slips != 0 || !std::isfinite(limit)) continue;
    const double torque = solvedTorque(model, state, work, d);
    if (!(std::abs(torque) > limit * (1 + kLimitRounding))) continue;
    slot.slips = torque > 0 ? -1 : 1;
    ++slot.state.clicks;
    work.drivers.givenTorque[d] = std::copysign(limit, torque);
    clicks = true;
  }
  if (clicks) makeJoints(model, state, work.drivers);
  return clicks;
}

Vector3d clickTorque(const WorldModel& model, const WorldState& state, const StepWorkspace& work,
                     BodyId body) {
  Vector3d sum = Vector3d::Zero();
  for (std::size_t d = 0; d < model.drivers.size(); ++d) {
    const DriverState& driver = state.drivers[d].state;
    if (work.drivers.givenTorque[d] == 0) continue;
    const Vector3d onDriver = work.drivers.givenTorque[d] * driver.axis;
    if (driver.body == body) sum += onDriver;
    if (driver.screw == body) sum -= onDriver;
  }
  return sum;
}

void reportDrivers(const WorldModel& model, WorldState& state, const StepWorkspace& work) {
  state.result.drivers.resize(model.drivers.size());
  for (std::size_t d = 0; d < model.drivers.size(); ++d) {
    DriverSlot& slot = state.drivers[d];
    if (slot.hexagon.valid())
      slot.state.torque = work.drivers.givenTorque[d] != 0 ? work.drivers.givenTorque[d]
                                                           : solvedTorque(model, state, work, d);
    state.result.drivers[d] = slot.state;
  }
}

}  // namespace tenon::physics
