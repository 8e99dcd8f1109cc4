// The other holes of a scene, in which a goal's part may be by mistake.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "runtime/assess/entry_region.h"

namespace tenon::runtime {

/// All holes of all parts except those of the goal's part and the goal's hole. For a round hole without the
/// openings that are not round and only found in a file: a pin beside a bore in the floor of a pocket is in
/// the pocket, too. Copies share their data.
class OtherHoles {
 public:
  OtherHoles(const content::Scene& scene, const content::Goal& goal);

  /// The hole that contains the part's axis, searching the goal's `into` first: "plate/left"; empty if none
  /// exists.
  std::string holding(const physics::StepResult& tick) const;

 private:
  struct Mouth {
    InsertionView view;
    EntryRegion mouth;
    std::string name;
  };
  std::shared_ptr<const std::vector<Mouth>> mouths_;
};

}  // namespace tenon::runtime
