// Scenes with single values replaced by extreme ones, from a fixed seed: each is either rejected in one line
// or gives a world with finite numbers.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "content/model/build_world.h"
#include "small_scene.h"

namespace tenon::content::test {
namespace {

using nlohmann::json;

std::vector<json::json_pointer> placesIn(const json& value, const json::json_pointer& at) {
  std::vector<json::json_pointer> places;
  if (!value.is_structured()) return std::vector{at};
  for (const auto& [key, child] : value.items()) {
    const auto below = value.is_array() ? at / static_cast<std::size_t>(std::stoul(key)) : at / key;
    places.push_back(below);
    for (const auto& place : placesIn(child, below)) places.push_back(place);
  }
  return places;
}

/// A replacement for one value of a document; numbers mostly stay numbers.
json mutated(const json& document, std::mt19937& random) {
  static const std::vector<json> kExtremes{
      0,      1e-6,          1e-3,          0.5,  1,   -1,     1000,    1e6,     1e7,     -1e7,
      1e15,   1e300,         1e-300,        -0.0, 360, "=1/3", "=-1/0", "=1e-3", nullptr, true,
      "left", json::array(), json::object()};
  const auto pick = [&random](const auto& list) { return list[random() % list.size()]; };
  json copy = document;
  const auto places = placesIn(document, json::json_pointer());
  const auto at = pick(places);
  if (random() % 4 == 0) {
    copy[at] = document[pick(places)];
  } else {
    copy[at] = pick(kExtremes);
  }
  return copy;
}

bool isFinite(const Scene& scene) {
  const physics::World world = buildWorld(scene, {});
  for (const physics::BodyState& body : world.stepResult().bodies) {
    if (!body.X_WC.p.allFinite() || !body.X_WC.q.coeffs().allFinite()) return false;
  }
  for (const Part& part : scene.parts) {
    if (!part.mass.inertia.allFinite() || !std::isfinite(part.mass.mass)) return false;
    if (part.motion == physics::MotionType::dynamic && !(part.mass.mass > 0)) return false;
  }
  return true;
}

void mutateOften(const json& document, unsigned seed, int rounds) {
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  int accepted = 0, refused = 0;
  for (int k = 0; k < rounds; ++k) {
    json next = mutated(document, random);
    if (random() % 2 == 0) next = mutated(next, random);
    try {
      const Scene scene = parsed(next);
      EXPECT_TRUE(isFinite(scene)) << next;
      ++accepted;
    } catch (const InputError& error) {
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
      ++refused;
    }
  }
  // Both outcomes must occur, otherwise the mutations test nothing.
  EXPECT_GT(accepted, rounds / 20);
  EXPECT_GT(refused, rounds / 20);
}

TEST(MutatedScene, smallSceneIsRejectedOrBuilt) {
  mutateOften(smallScene(), 11, 3000);
}

TEST(MutatedScene, shippedScenesAreRejectedOrBuilt) {
  unsigned seed = 100;
  for (const char* name :
       {"bolt-in-plate", "free-fall", "insertion-benchmark", "stack", "pile", "newtons-cradle", "trammel"}) {
    SCOPED_TRACE(name);
    std::ifstream file(std::string(TENON_SOURCE_DIR) + "/content/scenes/" + name + ".json");
    mutateOften(json::parse(file), ++seed, 300);
  }
}

}  // namespace
}  // namespace tenon::content::test
