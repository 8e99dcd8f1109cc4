// Random assemblies with a known order: every one is planned, and no path of a plan collides by geometry that
// does not call the engine.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "runtime/plan/removal_order.h"
#include "tests/support/random_assembly.h"
#include "tests/support/share.h"

namespace tenon::tests {
namespace {

using physics::Quaterniond;
using physics::Vector3d;

/// Overlap that the engine accepts on a path [m]: 2 µm, and rounding.
constexpr double kAccepted = 2.1e-6;
/// Distance of samples of a path [m].
constexpr double kSample = 5e-5;

physics::Shape shapeOf(const AssemblyElement& element) {
  const Vector3d half = 0.5 * element.box.sizes();
  if (element.pegRadius > 0) return physics::Cylinder{element.pegRadius, half.z()};
  if (element.holeRadius == 0) return physics::Box{half};
  physics::Cavity hole;
  hole.name = "hole";
  hole.X_BH.p = Vector3d(0, 0, half.z());
  hole.profile = {{0, element.holeRadius}, {-2 * half.z(), element.holeRadius}};
  hole.through = true;
  return physics::BlockWithHoles{half, {hole}};
}

/// The assembly as the start of a scene, turned by `q`.
content::Scene sceneOf(const RandomAssembly& assembly, const Quaterniond& q) {
  content::Scene scene;
  scene.file = scene.name = "random";
  scene.unit = "m";
  scene.materials = {{"steel", 7850}};
  for (const AssemblyElement& element : assembly.parts) {
    content::Part part;
    part.name = "part " + std::to_string(scene.parts.size());
    part.material = 0;
    part.motion = scene.parts.empty() ? physics::MotionType::fixed : physics::MotionType::dynamic;
    part.shape = shapeOf(element);
    part.mass = physics::massProperties(part.shape, 7850);
    part.X_WP = {q, q * element.box.center()};
    scene.parts.push_back(std::move(part));
  }
  return scene;
}

/// Largest overlap on the path of `moving` with the parts that are still in place.
double worstOverlap(const RandomAssembly& assembly, int moving, const Vector3d& d, double travel,
                    const std::vector<char>& inPlace) {
  double worst = 0;
  const Eigen::AlignedBox3d& start = assembly.parts[static_cast<std::size_t>(moving)].box;
  const Eigen::AlignedBox3d swept = start.merged(start.translated(travel * d));
  const int samples = static_cast<int>(travel / kSample) + 1;
  for (std::size_t other = 0; other < inPlace.size(); ++other) {
    if (!inPlace[other] || static_cast<int>(other) == moving) continue;
    if (!swept.intersects(assembly.parts[other].box)) continue;
    for (int k = 0; k <= samples; ++k)
      worst = std::max(worst, overlapOf(assembly.parts[static_cast<std::size_t>(moving)],
                                        std::min(k * kSample, travel) * d, assembly.parts[other]));
  }
  return worst;
}

/// True if the part is outside the bounds of those in place at the end of its path.
bool isOutside(const RandomAssembly& assembly, int moving, const Vector3d& shift,
               const std::vector<char>& inPlace) {
  Eigen::AlignedBox3d box = assembly.parts[static_cast<std::size_t>(moving)].box;
  box.translate(shift);
  for (std::size_t other = 0; other < inPlace.size(); ++other)
    if (inPlace[other] && static_cast<int>(other) != moving && box.intersects(assembly.parts[other].box))
      return false;
  return true;
}

void checkPlan(std::uint32_t seed, int count) {
  SCOPED_TRACE("seed " + std::to_string(seed));
  const RandomAssembly random = randomAssembly(seed, count);
  std::mt19937 generator(seed);
  const auto number = [&] { return static_cast<double>(generator()) / 2147483648.0 - 1; };
  const Quaterniond q = Quaterniond(number(), number(), number(), number()).normalized();
  const content::Scene scene = sceneOf(random, q);
  const runtime::Assembly assembly = runtime::assembledState(scene);
  runtime::PartDistance distance(scene);
  const runtime::MotionSet motions = runtime::removalMotions(assembly, distance);
  runtime::PathCheck paths(assembly, motions, distance);
  const runtime::RemovalOrder order =
      runtime::findRemovalOrder(assembly, motions, paths, runtime::OrderPreference::fewestTurns, {});
  EXPECT_TRUE(order.isComplete());
  ASSERT_EQ(order.removals.size(), scene.parts.size() - 1);
  std::vector<char> inPlace(scene.parts.size(), 1);
  for (const runtime::Removal& removal : order.removals) {
    ASSERT_EQ(removal.units.size(), 1u);  // one at a time is possible: the known order reversed
    const int part = assembly.units[static_cast<std::size_t>(removal.units[0])].lead;
    const Vector3d d = q.conjugate() * motions.motions[static_cast<std::size_t>(removal.motion)].direction;
    EXPECT_LE(worstOverlap(random, part, d, removal.travel, inPlace), kAccepted) << "part " << part;
    EXPECT_TRUE(isOutside(random, part, removal.travel * d, inPlace)) << "part " << part;
    ASSERT_TRUE(inPlace[static_cast<std::size_t>(part)]);
    inPlace[static_cast<std::size_t>(part)] = 0;
  }
}

TEST(PlanRandom, isSolvedWithoutACollision) {
  for (std::uint32_t seed = 1; seed <= 50 / test::kShare; ++seed)
    checkPlan(seed, 10 + static_cast<int>(seed * 7 % 31));
}

TEST(PlanRandom, hasAKnownOrderByTheReferee) {
  for (std::uint32_t seed = 1; seed <= 50; ++seed) {
    const RandomAssembly random = randomAssembly(seed, 40);
    std::vector<char> inPlace(random.parts.size(), 1);
    for (std::size_t part = random.parts.size() - 1; part > 0; --part) {
      EXPECT_LE(worstOverlap(random, static_cast<int>(part), -random.insertions[part], 0.5, inPlace), 1e-12)
          << "seed " << seed << ", part " << part;
      inPlace[part] = 0;
    }
  }
}

}  // namespace
}  // namespace tenon::tests
