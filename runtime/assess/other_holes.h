// The holes of a scene that a goal's part can be in by mistake.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "runtime/assess/entry_region.h"

namespace tenon::runtime {

/// All mouths of all parts but the goal's own part and its own mouth. Copies share their data.
class OtherHoles {
 public:
  OtherHoles(const content::Scene& scene, const content::Goal& goal);

  /// The mouth through which the part's axis runs, those of the goal's `into` first: "plate/left"; empty
  /// where there is none.
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
