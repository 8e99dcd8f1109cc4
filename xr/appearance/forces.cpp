// Arrows in newtons.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "xr/appearance/compose.h"
#include "xr/render/scene_bounds.h"

namespace tenon::xr {

namespace {

using physics::Vector3d;

const Eigen::Vector3d kContact(0.80, 0.06, 0.02), kHand(0.02, 0.22, 0.75);

/// One arrow: a hand's, or contacts of two parts that press in much the same direction.
struct Force {
  Vector3d at, newtons;
  double weight = 0;   ///< sum of the magnitudes that `at` is the mean of [N]
  int i = -1, j = -1;  ///< parts of contacts; −1: a hand

  bool hand() const { return i < 0; }
};

constexpr double kLeast = 0.01;         ///< share of the scale's force below which none is drawn
constexpr double kLeastScale = 0.01;    ///< forces below are drawn short [N]
constexpr std::size_t kMostLabels = 4;  ///< values written, of the greatest forces

constexpr double kSameWay = 0.85;  ///< cosine of the angle within which contacts become one arrow

void addContact(std::vector<Force>& forces, const physics::ContactForce& c, const Vector3d& newtons) {
  const int i = c.contact.i.value, j = c.contact.j.value;
  const double size = newtons.norm();
  if (!(size > 0)) return;
  const auto like = std::find_if(forces.begin(), forces.end(), [&](const Force& f) {
    return f.i == i && f.j == j && f.newtons.dot(newtons) > kSameWay * f.newtons.norm() * size;
  });
  if (like == forces.end()) {
    forces.push_back({c.contact.p, newtons, size, i, j});
  } else {
    like->at = (like->weight * like->at + size * c.contact.p) / (like->weight + size);
    like->weight += size;
    like->newtons += newtons;
  }
}

void addContacts(std::vector<Force>& forces, const content::Scene& scene, const physics::StepResult& tick) {
  for (const physics::ContactForce& c : tick.contacts) {
    const Vector3d onJ = c.force * c.contact.n + c.friction;
    const bool jMoves =
        scene.parts[static_cast<std::size_t>(c.contact.j.value)].motion == physics::MotionType::dynamic;
    addContact(forces, c, jMoves ? onJ : Vector3d(-onJ));
  }
}

void addHands(std::vector<Force>& forces, const physics::StepResult& tick) {
  for (const physics::HandState& hand : tick.hands) {
    if (!hand.body.valid()) continue;
    const auto body = static_cast<std::size_t>(hand.body.value);
    forces.push_back({tick.bodies[body].X_WC * hand.X_CH.p, hand.force, 0, -1, -1});
  }
}

std::vector<Force> forcesOf(const content::Scene& scene, const physics::StepResult& tick) {
  std::vector<Force> forces;
  addContacts(forces, scene, tick);
  addHands(forces, tick);
  return forces;
}

double powerOfTen(double x) {
  return std::pow(10.0, std::floor(std::log10(x) + 1e-9));
}

/// The least of 1, 2 or 5 times a power of ten that is not below x.
double roundAbove(double x) {
  const double power = powerOfTen(x);
  for (const double step : {1.0, 2.0, 5.0})
    if (step * power >= x * (1 - 1e-9)) return step * power;
  return 10 * power;
}

/// The greatest round number that is not above x.
double roundBelow(double x) {
  const double power = powerOfTen(x);
  double round = power;
  for (const double step : {1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0})
    if (step * power <= x * (1 + 1e-9)) round = step * power;
  return round;
}

}  // namespace

ForceScale forceScaleFor(double greatest, double radius) {
  return {roundAbove(std::max(greatest, kLeastScale)), 1e-3 * roundBelow(1e3 * 0.33 * radius)};
}

double maxDrawnForce(const content::Scene& scene, const physics::StepResult& tick) {
  double greatest = 0;
  for (const Force& force : forcesOf(scene, tick)) greatest = std::max(greatest, force.newtons.norm());
  return greatest;
}

void addForces(RenderScene& out, const content::Scene& scene, const physics::StepResult& tick,
               const std::optional<ForceScale>& given) {
  std::vector<Force> forces = forcesOf(scene, tick);
  std::erase_if(forces, [](const Force& force) { return !(force.newtons.norm() >= kMinDrawnForce); });
  if (forces.empty()) {
    out.captions.push_back({fmt::format("No forces above {:g} N", kMinDrawnForce), std::nullopt});
    return;
  }
  std::stable_sort(forces.begin(), forces.end(), [](const Force& a, const Force& b) {
    return a.newtons.squaredNorm() > b.newtons.squaredNorm();
  });
  const double radius = boundsOf(out).radius;
  const ForceScale scale = given ? *given : forceScaleFor(forces.front().newtons.norm(), radius);
  bool contacts = false, hands = false;
  for (std::size_t k = 0; k < forces.size(); ++k) {
    const Force& force = forces[k];
    if (force.newtons.norm() < kLeast * scale.newtons) break;
    (force.hand() ? hands : contacts) = true;
    const Vector3d vector = force.newtons * (scale.length / scale.newtons);
    out.arrows.push_back({force.at, vector, 0.009 * radius, force.hand() ? kHand : kContact});
    if (k < kMostLabels)
      out.labels.push_back({force.at + vector, force.at, fmt::format("{:.3g} N", force.newtons.norm())});
  }
  if (contacts) out.captions.push_back({"force of contacts", kContact});
  if (hands) out.captions.push_back({"force of a hand", kHand});
  out.captions.push_back(
      {fmt::format("Scale: {:g} N = {:g} mm", scale.newtons, 1e3 * scale.length), std::nullopt});
}

}  // namespace tenon::xr
