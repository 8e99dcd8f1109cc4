// The assemblies: every part goes in, in its order, nothing overlaps on the way and no step fails.
#include <gtest/gtest.h>

#include "runtime/assess/precedence.h"
#include "tests/scenario/scene_run.h"

namespace tenon::tests {
namespace {

// A sanitizer makes steps some 20 times slower; the smaller assemblies go all the same ways.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr std::size_t kMostGoals = 3;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr std::size_t kMostGoals = 3;
#else
constexpr std::size_t kMostGoals = 100;
#endif
#else
constexpr std::size_t kMostGoals = 100;
#endif

struct Assembly {
  const char* scene;
  std::size_t goals;
};

class Assemblies : public testing::TestWithParam<Assembly> {};
INSTANTIATE_TEST_SUITE_P(Each, Assemblies,
                         testing::Values(Assembly{"flange", 12}, Assembly{"bearing", 2},
                                         Assembly{"gearbox-cover", 8}, Assembly{"hinge", 3},
                                         Assembly{"peg-board", 16}),
                         [](const auto& test) {
                           std::string name = test.param.scene;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST_P(Assemblies, ArePutTogetherByTheirScripts) {
  if (GetParam().goals > kMostGoals) GTEST_SKIP() << "takes minutes under a sanitizer; run in Release";
  const content::Scene scene = shippedScene(GetParam().scene);
  ASSERT_EQ(scene.goals.size(), GetParam().goals);
  SceneRun run(scene, {});
  run.run(scene.duration, false);
  const auto& goals = run.assessment.goals();
  for (const runtime::GoalResult& goal : goals) {
    const content::Goal& asked = scene.goals[static_cast<std::size_t>(goal.goal)];
    EXPECT_EQ(goal.verdict, runtime::Verdict::inserted)
        << scene.parts[static_cast<std::size_t>(asked.part)].name << ", " << goal.depth << " m deep";
    EXPECT_LT(goal.maxPush, 60) << asked.hole;
  }
  for (const runtime::OutOfOrder& wrong : runtime::outOfOrder(scene, goals))
    ADD_FAILURE() << toText(wrong, scene);
  const auto summary = run.assessment.summary();
  EXPECT_EQ(summary.notConvergedSteps, 0);
  EXPECT_LE(summary.maxPenetration, 3e-9);
}

}  // namespace
}  // namespace tenon::tests
