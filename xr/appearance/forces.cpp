// Force arrows; see compose.h.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "xr/appearance/compose.h"
#include "xr/appearance/palette.h"
#include "xr/render/scene_bounds.h"

namespace tenon::xr {

namespace {

using physics::Vector3d;

const Eigen::Vector3d kContactColor = linearOf(palette::kContact), kHandColor = linearOf(palette::kHand);

constexpr double kMinFraction = 0.01;    ///< of the scale's force; smaller forces are not drawn
constexpr double kMinScale = 0.01;       ///< the scale's force is at least that of this force [N]
constexpr std::size_t kMaxLabels = 4;    ///< number of the largest forces that are labeled
constexpr double kSameDirection = 0.85;  ///< cosine of the angle within which contacts share an arrow

void addContact(std::vector<DrawnForce>& forces, const physics::ContactForce& c, const Vector3d& newtons) {
  const int i = c.contact.i.value, j = c.contact.j.value;
  const double magnitude = newtons.norm();
  if (!(magnitude > 0)) return;
  const auto similar = std::find_if(forces.begin(), forces.end(), [&](const DrawnForce& f) {
    return f.i == i && f.j == j && f.newtons.dot(newtons) > kSameDirection * f.newtons.norm() * magnitude;
  });
  if (similar == forces.end()) {
    forces.push_back({c.contact.p, newtons, magnitude, i, j});
  } else {
    similar->at = (similar->weight * similar->at + magnitude * c.contact.p) / (similar->weight + magnitude);
    similar->weight += magnitude;
    similar->newtons += newtons;
  }
}

void addContacts(std::vector<DrawnForce>& forces, const content::Scene& scene,
                 const physics::StepResult& tick) {
  for (const physics::ContactForce& c : tick.contacts) {
    const Vector3d onJ = c.force * c.contact.n + c.friction;
    const bool jMoves = scene.part(c.contact.j.value).motion == physics::MotionType::dynamic;
    addContact(forces, c, jMoves ? onJ : Vector3d(-onJ));
  }
}

void addHands(std::vector<DrawnForce>& forces, const physics::StepResult& tick) {
  for (const physics::HandState& hand : tick.hands) {
    if (!hand.body.valid()) continue;
    const auto body = static_cast<std::size_t>(hand.body.value);
    forces.push_back({tick.bodies[body].X_WC * hand.X_CH.p, hand.force, 0, -1, -1});
  }
}

std::vector<DrawnForce> forcesOf(const content::Scene& scene, const physics::StepResult& tick) {
  std::vector<DrawnForce> forces;
  addContacts(forces, scene, tick);
  addHands(forces, tick);
  return forces;
}

double powerOfTen(double x) {
  return std::pow(10.0, std::floor(std::log10(x) + 1e-9));
}

/// The smallest of 1, 2 or 5 times a power of ten that is at least x.
double roundAbove(double x) {
  const double power = powerOfTen(x);
  for (const double step : {1.0, 2.0, 5.0})
    if (step * power >= x * (1 - 1e-9)) return step * power;
  return 10 * power;
}

/// The largest round number that is at most x.
double roundBelow(double x) {
  const double power = powerOfTen(x);
  double round = power;
  for (const double step : {1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0})
    if (step * power <= x * (1 + 1e-9)) round = step * power;
  return round;
}

std::string forceText(double newtons) {
  return newtons < 999.5 ? fmt::format("{:.3g} N", newtons) : fmt::format("{:.3g} kN", 1e-3 * newtons);
}

}  // namespace

std::vector<DrawnForce> drawnForces(const content::Scene& scene, const physics::StepResult& tick) {
  std::vector<DrawnForce> forces = forcesOf(scene, tick);
  std::erase_if(forces, [](const DrawnForce& force) { return !(force.newtons.norm() >= kMinDrawnForce); });
  std::stable_sort(forces.begin(), forces.end(), [](const DrawnForce& a, const DrawnForce& b) {
    return a.newtons.squaredNorm() > b.newtons.squaredNorm();
  });
  return forces;
}

ForceScale forceScaleFor(double maximum, double radius) {
  return {roundAbove(std::max(maximum, kMinScale)), 1e-3 * roundBelow(1e3 * 0.33 * radius)};
}

double maxDrawnForce(const content::Scene& scene, const physics::StepResult& tick) {
  double maximum = 0;
  for (const DrawnForce& force : forcesOf(scene, tick)) maximum = std::max(maximum, force.newtons.norm());
  return maximum;
}

void addForces(RenderScene& out, const content::Scene& scene, const physics::StepResult& tick,
               const std::optional<ForceScale>& given) {
  const std::vector<DrawnForce> forces = drawnForces(scene, tick);
  if (forces.empty()) {
    out.captions.push_back({fmt::format("No forces above {:g} N", kMinDrawnForce), std::nullopt});
    return;
  }
  const double radius = boundsOf(out).radius;
  const ForceScale scale = given ? *given : forceScaleFor(forces.front().newtons.norm(), radius);
  bool contacts = false, hands = false;
  for (std::size_t k = 0; k < forces.size(); ++k) {
    const DrawnForce& force = forces[k];
    if (force.newtons.norm() < kMinFraction * scale.newtons) break;
    (force.hand() ? hands : contacts) = true;
    const Vector3d vector = force.newtons * (scale.length / scale.newtons);
    out.arrows.push_back({force.at, vector, 0.009 * radius, force.hand() ? kHandColor : kContactColor});
    if (k < kMaxLabels) out.labels.push_back({force.at + vector, force.at, forceText(force.newtons.norm())});
  }
  if (contacts) out.captions.push_back({"contact force", kContactColor});
  if (hands) out.captions.push_back({"hand force", kHandColor});
  out.captions.push_back(
      {fmt::format("Scale: {:g} N = {:g} mm", scale.newtons, 1e3 * scale.length), std::nullopt});
}

}  // namespace tenon::xr
