// Grabs of scripted hands from beyond the hand's reach: found in the script, and during a run.
#pragma once

#include <optional>
#include <vector>

#include "content/model/scene.h"
#include "physics/world.h"

namespace tenon::runtime {

/// An entry of a hand's script that grabs a part from beyond Hand::reach.
struct FarGrab {
  std::size_t hand = 0, entry = 0;  ///< indices into Scene::hands and Hand::script
  double distance = 0;              ///< from the hand's origin to the part's bounds [m]
};

/// The far grabs that follow from the scene alone: of parts that no script has grabbed before, and that do
/// not move from their start. In the order of hands and entries.
std::vector<FarGrab> farGrabs(const content::Scene& scene);

/// Finds far grabs during a run, from the current poses of hand and part.
class GrabWatch {
 public:
  /// Grabs that farGrabs() finds are not reported again. `scene` is borrowed.
  explicit GrabWatch(const content::Scene& scene);

  /// The far grabs among the commands of the next step of `world`.
  std::vector<FarGrab> farGrabs(const physics::World& world, const std::vector<physics::Command>& commands);

 private:
  std::optional<FarGrab> farGrab(const physics::World& world, const physics::Grab& grab) const;
  bool isReported(const FarGrab& grab) const;

  const content::Scene& scene_;
  std::vector<FarGrab> reported_;
};

}  // namespace tenon::runtime
