// A shipped scene run as a user runs it, and measured by geometry that does not call the engine.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "content/scene/load_scene.h"
#include "runtime/assess/assessment.h"
#include "runtime/simulation/simulation.h"
#include "tests/support/faceted_hole.h"
#include "xr/hands/scripted_hands.h"

namespace tenon::tests {

inline content::Scene shippedScene(const std::string& name, const content::ParameterValues& values = {}) {
  return content::loadScene(TENON_SOURCE_DIR "/content/scenes/" + name + ".json", values);
}

/// Profile of a part made of cylinders and frustums along z, from the lower end to the upper.
inline std::vector<ProfilePoint> profileOf(const physics::Shape& shape) {
  std::vector<physics::PlacedShape> children = std::get<physics::Compound>(shape).children;
  std::sort(children.begin(), children.end(),
            [](const auto& a, const auto& b) { return a.X_PS.p.z() < b.X_PS.p.z(); });
  std::vector<ProfilePoint> profile;
  for (const physics::PlacedShape& child : children) {
    const double z = child.X_PS.p.z();
    if (const auto* cylinder = std::get_if<physics::Cylinder>(&child.shape)) {
      profile.push_back({z - cylinder->halfLength, cylinder->radius});
      profile.push_back({z + cylinder->halfLength, cylinder->radius});
    } else {
      const auto& frustum = std::get<physics::Frustum>(child.shape);
      profile.push_back({z - frustum.halfLength, frustum.bottomRadius});
      profile.push_back({z + frustum.halfLength, frustum.topRadius});
    }
  }
  return profile;
}

/// Measures how deep turned parts are in blocks and boxes.
class Probe {
 public:
  explicit Probe(const content::Scene& scene) {
    for (std::size_t i = 0; i < scene.parts.size(); ++i) {
      const content::Part& part = scene.parts[i];
      if (const auto* block = std::get_if<physics::HoledBlock>(&part.shape))
        blocks_.push_back({*block, part.X_WP});
      else if (const auto* box = std::get_if<physics::Box>(&part.shape);
               box && part.motion == physics::Motion::fixed)
        blocks_.push_back({physics::HoledBlock{box->halfExtents, {}}, part.X_WP});
      else if (std::holds_alternative<physics::Compound>(part.shape))
        turned_.push_back(turned(static_cast<int>(i), part.shape));
    }
  }

  /// Deepest overlap in the present state [m].
  double worst(const physics::World& world) {
    double deepest = 0;
    for (Turned& part : turned_) {
      const physics::BodyId id{part.body};
      const physics::Pose X_WP = world.partPose(id, world.tick().bodies[id.value]);
      // What has moved by less than 0.1 nm is as deep as it was, to 0.1 nm.
      const double turn = (X_WP.q.coeffs() - part.last.q.coeffs()).norm();
      if (!((X_WP.p - part.last.p).norm() + 2 * turn * part.radius < 1e-10)) {
        part.last = X_WP;
        part.depth = 0;
        for (const Block& block : blocks_)
          if (isNear(block, part, X_WP))
            part.depth = std::max(part.depth, penetration(block.shape, block.X_WB, part.profile, X_WP));
      }
      deepest = std::max(deepest, part.depth);
    }
    return deepest;
  }

 private:
  struct Block {
    physics::HoledBlock shape;
    physics::Pose X_WB;
  };
  struct Turned {
    int body = 0;
    std::vector<ProfilePoint> profile;
    double radius = 0;  ///< about the part's origin [m]
    physics::Pose last = physics::Pose::at(physics::Vector3d::Constant(HUGE_VAL));
    double depth = 0;
  };

  static Turned turned(int body, const physics::Shape& shape) {
    Turned part;
    part.body = body;
    part.profile = profileOf(shape);
    for (const ProfilePoint& point : part.profile)
      part.radius = std::max(part.radius, std::hypot(point.z, point.r));
    return part;
  }
  static bool isNear(const Block& block, const Turned& part, const physics::Pose& X_WP) {
    const physics::Vector3d p = block.X_WB.inverse() * X_WP.p;
    return ((p.cwiseAbs() - block.shape.halfExtents).array() < part.radius).all();
  }

  std::vector<Block> blocks_;
  std::vector<Turned> turned_;
};

struct SceneRun {
  content::Scene scene;
  runtime::Simulation simulation;
  runtime::Assessment assessment;
  double worstPenetration = 0;  ///< at the end of any step, by Probe [m]

  SceneRun(const content::Scene& what, const physics::WorldOptions& options)
      : scene(what),
        simulation(scene, options, std::make_unique<xr::ScriptedHands>(scene.hands)),
        assessment(scene) {}

  const physics::World& world() const { return simulation.world(); }

  /// Runs for `duration` [s], looking at the penetration after every step if `probed`.
  void run(double duration, bool probed) {
    Probe probe(scene);
    const auto steps = std::llround(duration / world().options().dt);
    for (long long k = 0; k < steps; ++k) {
      assessment.add(simulation.step());
      if (probed) worstPenetration = std::max(worstPenetration, probe.worst(world()));
    }
  }
};

}  // namespace tenon::tests
