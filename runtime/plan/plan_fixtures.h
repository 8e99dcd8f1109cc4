// Fixtures of a plan: hands that hold what would fall in its place.
#pragma once

#include <cstddef>
#include <map>

#include "runtime/plan/hand_scripts.h"
#include "runtime/plan/plan.h"

namespace tenon::runtime {

/// True if this hand is no person's: "fixture 1".
bool isFixture(const content::Hand& hand);

/// One fixture for each unit that needs one after some step.
class PlanFixtures {
 public:
  PlanFixtures() = default;
  /// Adds hands to the plan, as far as a scene can have them; each is in the place of its part from the
  /// start.
  explicit PlanFixtures(AssemblyPlan& plan);

  /// After a step they grasp what would fall, and release what stands.
  void update(const PlanStep& step, HandScripts& scripts);

 private:
  struct Fixture {
    std::size_t hand = 0;
    int part = -1;
    bool isClosed = false;
  };
  std::map<int, Fixture> fixtures_;  ///< by unit
};

}  // namespace tenon::runtime
