// A small scene for live sessions: quick to step, with immediate effects of the hands.
#pragma once

#include <memory>

#include "content/reader/load_scene.h"
#include "physics/world.h"
#include "xr/hands/hand_source.h"

namespace tenon::tests {

/// Two blocks without weight, which stay where they are left, and two hands.
inline std::shared_ptr<const content::Scene> liveScene() {
  auto scene = std::make_shared<content::Scene>();
  scene->name = "live";
  scene->file = "live.json";
  scene->gravity.setZero();
  scene->materials = {{"steel", 7850}};
  for (int k = 0; k < 2; ++k) {
    content::Part part;
    part.name = k == 0 ? "red" : "blue";
    part.material = 0;
    part.shape = physics::Box{physics::Vector3d::Constant(0.01)};
    part.mass = physics::massProperties(part.shape, 7850);
    part.X_WP = physics::Pose::at({0.1 * k, 0, 0});
    scene->parts.push_back(part);
  }
  scene->hands.resize(2);
  scene->hands[0].name = "right";
  scene->hands[1].name = "left";
  return scene;
}

inline physics::WorldOptions liveOptions(double rate = 1000) {
  physics::WorldOptions options;
  options.dt = 1 / rate;
  return options;
}

inline xr::HandSample handAt(const physics::Vector3d& p, bool closed = false, int part = -1) {
  xr::HandSample sample;
  sample.tracked = true;
  sample.X_WH = physics::Pose::at(p);
  sample.closed = closed;
  sample.wantedPart = part;
  return sample;
}

}  // namespace tenon::tests
