// Fixtures of a plan: hands that hold what would fall in its place.
#pragma once

#include <cstddef>
#include <map>
#include <utility>

#include "runtime/plan/hand_scripts.h"
#include "runtime/plan/plan.h"

namespace tenon::runtime {

/// True if this hand is no person's: "fixture 1".
bool isFixture(const content::Hand& hand);

/// One fixture for each unit that needs one after some step, where its group is built or in its place.
class PlanFixtures {
 public:
  PlanFixtures() = default;
  /// Adds hands to the plan, as far as a scene can have them; each is in the place of its part from the
  /// start.
  explicit PlanFixtures(AssemblyPlan& plan);

  /// After a step of an assembly or a group, those of it grasp what would fall, and release what stands.
  void update(const PlanStep& step, HandScripts& scripts);
  /// Grasps a unit where its group is built; or releases all of the group.
  void close(int group, int unit, HandScripts& scripts);
  void open(int group, HandScripts& scripts);

 private:
  struct Fixture {
    std::size_t hand = 0;
    int part = -1;
    bool isClosed = false;
  };
  void set(Fixture& fixture, bool isClosed, HandScripts& scripts);

  std::map<std::pair<int, int>, Fixture> fixtures_;  ///< by group and unit
};

}  // namespace tenon::runtime
