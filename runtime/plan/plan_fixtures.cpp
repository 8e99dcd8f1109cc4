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
      if (fixtures_.contains(unit) || plan.hands.size() + scene.hands.size() >= content::kMaxHands) continue;
      content::Hand hand;
      do hand.name = fmt::format("{} {}", kFixture, ++number);
      while (isTaken(hand.name));
      const int lead = assembly.units[static_cast<std::size_t>(unit)].lead;
      hand.X_WH =
          physics::Pose::at(assembly.X_WP[static_cast<std::size_t>(lead)] * scene.part(lead).mass.center);
      fixtures_[unit] = {plan.hands.size(), lead, false};
      plan.hands.push_back(std::move(hand));
    }
}

void PlanFixtures::update(const PlanStep& step, HandScripts& scripts) {
  for (auto& [unit, fixture] : fixtures_) {
    const bool isNeeded =
        std::find(step.unsupported.begin(), step.unsupported.end(), unit) != step.unsupported.end();
    if (isNeeded == fixture.isClosed) continue;
    if (isNeeded)
      scripts.close(fixture.hand, fixture.part);
    else
      scripts.open(fixture.hand);
    fixture.isClosed = isNeeded;
  }
}

}  // namespace tenon::runtime
