// A shipped scene run as a user runs it, and measured by geometry that does not call the engine.
#pragma once

#include <algorithm>
#include <cmath>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <variant>
#include <vector>

#include "content/reader/load_scene.h"
#include "runtime/assess/assessment.h"
#include "runtime/simulation/simulation.h"
#include "tests/support/box_probe.h"
#include "tests/support/faceted_hole.h"
#include "tests/support/revolved_reference.h"
#include "xr/hands/scripted_hands.h"

namespace tenon::tests {

/// The same scene with faceted holes: an independent way to compute its contacts.
inline content::Scene facetedScene(const std::string& name, int sectors,
                                   const content::ParameterValues& values = {}) {
  std::ifstream file(TENON_SOURCE_DIR "/content/scenes/" + name + ".json");
  nlohmann::json document = nlohmann::json::parse(file);
  for (nlohmann::json& part : document["parts"])
    if (part["shape"]["kind"] == "block") part["shape"]["sectors"] = sectors;
  return content::parseScene(document.dump(), name + ".json", values);
}

inline content::Scene shippedScene(const std::string& name, const content::ParameterValues& values = {}) {
  return content::loadScene(TENON_SOURCE_DIR "/content/scenes/" + name + ".json", values);
}

/// Profile of a turned part without its ends on the axis, as faceted_hole.h needs it.
inline std::vector<ProfilePoint> profileOf(const physics::SolidOfRevolution& turned) {
  std::vector<ProfilePoint> profile;
  for (const Eigen::Vector2d& zr : turned.profile)
    if (zr.y() > 0) profile.push_back({zr.x(), zr.y()});
  return profile;
}

/// Measures how deep turned parts are in blocks, exact or faceted, and boxes.
class Probe {
 public:
  explicit Probe(const content::Scene& scene) {
    for (std::size_t i = 0; i < scene.parts.size(); ++i) {
      const content::Part& part = scene.parts[i];
      if (const auto* block = std::get_if<physics::FacetedBlock>(&part.shape))
        blocks_.push_back({*block, block->halfExtents, part.X_WP});
      else if (const auto* bored = std::get_if<physics::BlockWithHoles>(&part.shape))
        blocks_.push_back({*bored, bored->halfExtents, part.X_WP});
      else if (const auto* box = std::get_if<physics::Box>(&part.shape);
               box && part.motion == physics::MotionType::fixed)
        blocks_.push_back({physics::BlockWithHoles{box->halfExtents, {}}, box->halfExtents, part.X_WP});
      else if (const auto* shape = std::get_if<physics::SolidOfRevolution>(&part.shape))
        turned_.push_back(turned(static_cast<int>(i), *shape));
    }
  }

  /// Deepest overlap in the present state [m].
  double worst(const physics::World& world) {
    double deepest = 0;
    for (SolidOfRevolution& part : turned_) {
      const physics::BodyId id{part.body};
      const physics::Pose X_WP = world.partPose(id, world.stepResult().bodies[id.value]);
      // What has moved by less than 0.1 nm is as deep as it was, to 0.1 nm.
      const double turn = (X_WP.q.coeffs() - part.last.q.coeffs()).norm();
      if (!((X_WP.p - part.last.p).norm() + 2 * turn * part.radius < 1e-10)) {
        part.last = X_WP;
        part.depth = 0;
        for (const Block& block : blocks_)
          if (isNear(block, part, X_WP)) part.depth = std::max(part.depth, depthIn(block, part, X_WP));
      }
      deepest = std::max(deepest, part.depth);
    }
    return deepest;
  }

 private:
  struct Block {
    std::variant<physics::BlockWithHoles, physics::FacetedBlock> shape;
    physics::Vector3d halfExtents;
    physics::Pose X_WB;
  };
  struct SolidOfRevolution {
    int body = 0;
    physics::SolidOfRevolution shape;
    double radius = 0;  ///< about the part's origin [m]
    physics::Pose last = physics::Pose::at(physics::Vector3d::Constant(HUGE_VAL));
    double depth = 0;
  };

  static SolidOfRevolution turned(int body, const physics::SolidOfRevolution& shape) {
    SolidOfRevolution part;
    part.body = body;
    part.shape = shape;
    for (const Eigen::Vector2d& zr : shape.profile) part.radius = std::max(part.radius, zr.norm());
    return part;
  }
  static double depthIn(const Block& block, const SolidOfRevolution& part, const physics::Pose& X_WP) {
    if (const auto* holed = std::get_if<physics::FacetedBlock>(&block.shape))
      return penetration(*holed, block.X_WB, profileOf(part.shape), X_WP);
    return test::referencePenetration(part.shape, std::get<physics::BlockWithHoles>(block.shape),
                                      block.X_WB.inverse() * X_WP);
  }
  static bool isNear(const Block& block, const SolidOfRevolution& part, const physics::Pose& X_WP) {
    const physics::Vector3d p = block.X_WB.inverse() * X_WP.p;
    return ((p.cwiseAbs() - block.halfExtents).array() < part.radius).all();
  }

  std::vector<Block> blocks_;
  std::vector<SolidOfRevolution> turned_;
};

struct SceneRun {
  content::Scene scene;
  runtime::Simulation simulation;
  runtime::Assessment assessment;
  double worstPenetration = 0;  ///< at the end of any measured step, by Probe and BoxProbe [m]

  SceneRun(const content::Scene& what, const physics::WorldOptions& options)
      : scene(what),
        simulation(scene, options, std::make_unique<xr::ScriptedHands>(scene.hands)),
        assessment(scene) {}

  const physics::World& world() const { return simulation.world(); }

  /// Runs for `duration` [s] and measures the penetration after every `probeEvery` steps; 0: never.
  void run(double duration, int probeEvery) {
    Probe probe(scene);
    const BoxProbe boxes(scene);
    const auto steps = std::llround(duration / world().options().dt);
    for (long long k = 0; k < steps; ++k) {
      assessment.add(simulation.step());
      if (probeEvery == 0 || k % probeEvery != 0) continue;
      worstPenetration = std::max({worstPenetration, probe.worst(world()), boxes.worst(world())});
    }
  }
};

}  // namespace tenon::tests
