// See plan_fixtures.h.
#include "runtime/plan/plan_fixtures.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "content/input/limits.h"

namespace tenon::runtime {

namespace {

constexpr const char* kFixture = "fixture";

}  // namespace

bool isFixture(const content::Hand& hand) {
  return hand.name.starts_with(kFixture);
}

PlanFixtures::PlanFixtures(AssemblyPlan& plan) {
  const Assembly& assembly = plan.assembly;
  const content::Scene& scene = *assembly.scene;
  const auto isTaken = [&](const std::string& name) {
    return std::any_of(scene.hands.begin(), scene.hands.end(),
                       [&](const content::Hand& other) { return other.name == name; });
  };
  int number = 0;
  for (const PlanStep& step : plan.steps)
    for (const int unit : step.unsupported) {
      if (fixtures_.contains({step.group, unit}) ||
          plan.hands.size() + scene.hands.size() >= content::kMaxHands)
        continue;
      content::Hand hand;
      do hand.name = fmt::format("{} {}", kFixture, ++number);
      while (isTaken(hand.name));
      const int lead = assembly.units[static_cast<std::size_t>(unit)].lead;
      hand.X_WH =
          physics::Pose::at(assembly.X_WP[static_cast<std::size_t>(lead)] * scene.part(lead).mass.center +
                            plan.buildPlaces[static_cast<std::size_t>(step.group)]);
      fixtures_[{step.group, unit}] = {plan.hands.size(), lead, false};
      plan.hands.push_back(std::move(hand));
    }
}

void PlanFixtures::set(Fixture& fixture, bool isClosed, HandScripts& scripts) {
  if (fixture.isClosed == isClosed) return;
  if (isClosed)
    scripts.close(fixture.hand, fixture.part);
  else
    scripts.open(fixture.hand);
  fixture.isClosed = isClosed;
}

void PlanFixtures::update(const PlanStep& step, HandScripts& scripts) {
  for (auto& [of, fixture] : fixtures_)
    if (of.first == step.group)
      set(fixture,
          std::find(step.unsupported.begin(), step.unsupported.end(), of.second) != step.unsupported.end(),
          scripts);
}

void PlanFixtures::close(int group, int unit, HandScripts& scripts) {
  if (const auto found = fixtures_.find({group, unit}); found != fixtures_.end())
    set(found->second, true, scripts);
}

void PlanFixtures::open(int group, HandScripts& scripts) {
  for (auto& [of, fixture] : fixtures_)
    if (of.first == group) set(fixture, false, scripts);
}

}  // namespace tenon::runtime
