// Parts with "count": results, errors, and pseudorandom numbers that are the same on every machine.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "content/input/expression.h"
#include "content/input/limits.h"
#include "small_scene.h"
#include "tests/support/scene_mistakes.h"

namespace tenon::content::test {
namespace {

using nlohmann::json;

/// The entry of the small scene that is repeated.
const json::json_pointer kBall("/parts/5");

json with(const std::string& at, const json& value) {
  json document = smallScene();
  document[json::json_pointer(at)] = value;
  return document;
}

std::vector<std::string> namesFrom(const Scene& scene, std::size_t first) {
  std::vector<std::string> names;
  for (std::size_t k = first; k < scene.parts.size(); ++k) names.push_back(scene.parts[k].name);
  return names;
}

TEST(RepeatedParts, eachHasItsNumberInNamePositionAndSize) {
  const Scene scene = parsed(smallScene());
  EXPECT_EQ(namesFrom(scene, 5), (std::vector<std::string>{"ball 1", "ball 2", "ball 3"}));
  for (std::size_t k = 0; k < 3; ++k) {
    const Part& ball = scene.parts[5 + k];
    EXPECT_DOUBLE_EQ(ball.X_WP.p.x(), 0.02 * static_cast<double>(k));
    EXPECT_DOUBLE_EQ(std::get<physics::Sphere>(ball.shape).radius, 0.5e-3 * (5 + static_cast<double>(k)));
    EXPECT_EQ(ball.fileEntry, 5);
  }
  EXPECT_GT(scene.parts[7].mass.mass, scene.parts[5].mass.mass);
  EXPECT_EQ(scene.parts[4].fileEntry, 4);
}

TEST(RepeatedParts, numberOfPartsIsAParameter) {
  json document = with("/parts/5/count", "=balls");
  document["parameters"].push_back(
      {{"name", "balls"}, {"unit", "1"}, {"default", 2}, {"minimum", 0}, {"maximum", 10}});
  EXPECT_EQ(parsed(document).parts.size(), 7u);
  EXPECT_EQ(parsed(document, {{"balls", 10}}).parts.size(), 15u);
  EXPECT_EQ(parsed(document, {{"balls", 0}}).parts.size(), 5u);
  const std::string errorText = errorFor(document.dump(), {{"balls", 2.5}});
  EXPECT_EQ(errorText, "small.json: /parts/5/count: is 2.5; give a whole number");
}

TEST(RepeatedParts, oneOfSeveralIsNumberedToo) {
  EXPECT_EQ(namesFrom(parsed(with("/parts/5/count", 1)), 5), std::vector<std::string>{"ball 1"});
}

TEST(RepeatedParts, laterPartsKeepTheirPointerInErrors) {
  json document = smallScene();
  document["parts"].push_back({{"name", "cube"},
                               {"material", "oak"},
                               {"position", {40, 200, 0}},
                               {"shape", {{"kind", "box"}, {"size", {1, 1, 1}}}}});
  EXPECT_NE(errorFor(document.dump()).find("small.json: /parts/6: parts \"ball 3\" and \"cube\" overlap"),
            std::string::npos)
      << errorFor(document.dump());
}

TEST(RepeatedParts, handsAndGoalsReferToThemByNumber) {
  json document = smallScene();
  json pin = document["parts"][1];
  pin["count"] = 3;
  pin["position"] = {"=-15 - 40 * index", 0, 15};
  document["parts"][1] = pin;
  document["joints"][1]["part"] = "pin 2";
  document["goals"][0]["part"] = "pin 3";
  document["hands"][0]["script"][0]["grab"] = "pin 1";
  const Scene scene = parsed(document);
  EXPECT_EQ(scene.goals[0].part, 3);
  EXPECT_EQ(scene.hands[0].script[0].grab, 1);
  document["goals"][0]["part"] = "pin 4";
  EXPECT_NE(errorFor(document.dump()).find("/goals/0/part: names no part: \"pin 4\"; did you mean"),
            std::string::npos)
      << errorFor(document.dump());
}

TEST(RepeatedParts, errorsContainTheIndexOfThePart) {
  tests::expectErrors(
      smallScene(), "small.json",
      {
          {"negative", "/parts/5/count", "-1", "/parts/5/count", {"is -1", "at least 0 and at most 1000"}},
          {"too many", "/parts/5/count", "1001", "/parts/5/count", {"is 1001", "at most 1000"}},
          {"too many with the rest",
           "/parts/5/count",
           "996",
           "/parts/5/count",
           {"1001 parts", "at most 1000"}},
          {"not whole", "/parts/5/count", "\"=10 / 4\"", "/parts/5/count", {"is 2.5", "whole number"}},
          {"not quite whole",
           "/parts/5/count",
           "\"=3 * 1.1 - 0.3\"",
           "/parts/5/count",
           {"is 3.0000000000000004", "whole number"}},
          {"text", "/parts/5/count", "\"three\"", "/parts/5/count", {"expression that begins with ="}},
          {"by its own index", "/parts/5/count", "\"=index\"", "/parts/5/count", {"only inside parts"}},
          {"index of one part",
           "/parts/1/position/0",
           "\"=index\"",
           "/parts/1/position/0",
           {"\"index\" is defined only inside parts with \"count\""}},
          {"index after a repeated part",
           "/hands/0/position/0",
           "\"=index + 1\"",
           "/hands/0/position/0",
           {"defined only inside parts"}},
          {"third alone is wrong",
           "/parts/5/shape/diameter",
           "\"=2 - index\"",
           "/parts/5/shape/diameter",
           {"is 0 where index is 2", "at least 0.001"}},
          {"assignment", "/parts/5/position/0", "\"=index=3\"", "/parts/5/position/0", {"cannot compute"}},
          {"name twice", "/parts/1/name", "\"ball 2\"", "/parts/5/name", {"becomes \"ball 2\"", "twice"}},
          {"name too long",
           "/parts/5/name",
           "\"0123456789012345678901234567890123456789012345678901234567890123\"",
           "/parts/5/name",
           {"becomes", "64 bytes", "shorten"}},
          {"parameter of that name",
           "/parameters/0/name",
           "\"index\"",
           "/parameters/0/name",
           {"repeated part"}},
          {"parameter of the function's name",
           "/parameters/0/name",
           "\"random\"",
           "/parameters/0/name",
           {"name of a function"}},
          {"unknown field beside 0", "/parts/5/cuont", "0", "/parts/5/cuont", {"did you mean \"count\"?"}},
      },
      [](const std::string& text) { return errorFor(text); });
}

TEST(RepeatedParts, laterPartOfThatNameIsReportedAtItsPointer) {
  json document = smallScene();
  document["parts"].push_back({{"name", "ball 1"},
                               {"material", "oak"},
                               {"position", {40, 300, 0}},
                               {"shape", {{"kind", "box"}, {"size", {1, 1, 1}}}}});
  EXPECT_EQ(errorFor(document.dump()).find("small.json: /parts/6/name: is a name given twice"), 0u);
}

TEST(RepeatedParts, sceneWithoutAnyPartIsRejected) {
  json document = smallScene();
  document["parts"] = json::array({document[kBall]});
  document["parts"][0]["count"] = 0;
  document["hands"] = document["goals"] = json::array();
  EXPECT_EQ(errorFor(document.dump()).find("small.json: /parts: contain no part"), 0u);
}

/// Features are the only list of a part without another limit.
TEST(RepeatedParts, repeatedTextIsLimitedLikeTheFile) {
  json document = smallScene();
  json& ball = document[kBall];
  ball["shape"]["diameter"] = 5;
  for (int k = 0; k < 1000; ++k)
    ball["features"].push_back(
        {{"name", std::to_string(k)}, {"origin", {0, 0, "=sqrt(1)"}}, {"direction", {0, 0, 1}}});
  const std::size_t bytes = ball.dump().size();
  ball["count"] = kMaxFileBytes / bytes;
  EXPECT_EQ(errorFor(document.dump()), "");
  ball["count"] = kMaxFileBytes / bytes + 1;
  EXPECT_EQ(errorFor(document.dump()).find("small.json: /parts/5/count: repeats more than 4 MiB"), 0u)
      << errorFor(document.dump());
}

TEST(RepeatedParts, convexPartsOfAllPartsAreCounted) {
  json document = smallScene();
  json& ball = document[kBall];
  ball["shape"] = {{"kind", "compound"}, {"children", json::array()}};
  for (int k = 0; k < 100; ++k)
    ball["shape"]["children"].push_back(
        {{"shape", {{"kind", "sphere"}, {"diameter", 1}}}, {"position", {0, 0, 2 * k}}});
  ball["count"] = 200;
  EXPECT_NE(errorFor(document.dump()).find("20000 convex parts"), std::string::npos)
      << errorFor(document.dump());
}

// --- random(x) -----------------------------------------------------------------------------------

/// Computed independently from the published constants in exact integer arithmetic.
TEST(RandomOf, valuesAreTheSameEverywhere) {
  EXPECT_EQ(randomOf(0), 0.8833108082136426);
  EXPECT_EQ(randomOf(-0.0), 0.8833108082136426);
  EXPECT_EQ(randomOf(1), 0.5345422839126993);
  EXPECT_EQ(randomOf(-1), 0.6634604186012825);
  EXPECT_EQ(randomOf(100003), 0.8250035401324729);
}

TEST(RandomOf, consecutiveIntegersGiveIndependentNumbers) {
  constexpr int kCount = 100000;
  double sum = 0, squares = 0, products = 0;
  std::vector<int> tenths(10, 0);
  double last = randomOf(-1);
  for (int k = 0; k < kCount; ++k) {
    const double value = randomOf(k);
    ASSERT_GE(value, 0);
    ASSERT_LT(value, 1);
    sum += value;
    squares += value * value;
    products += (value - 0.5) * (last - 0.5);
    ++tenths[static_cast<std::size_t>(10 * value)];
    last = value;
  }
  // Five standard deviations each: of the mean √(1/12 n), of the mean square √(4/45 n), of the product
  // 1/(12 √n), of a tenth √(0.09 n).
  const double root = std::sqrt(static_cast<double>(kCount));
  EXPECT_NEAR(sum / kCount, 0.5, 5 * std::sqrt(1.0 / 12) / root);
  EXPECT_NEAR(squares / kCount, 1.0 / 3, 5 * std::sqrt(4.0 / 45) / root);
  EXPECT_NEAR(products / kCount, 0, 5.0 / 12 / root);
  for (const int count : tenths) EXPECT_NEAR(count, kCount / 10.0, 5 * 0.3 * root);
}

TEST(RandomOf, isNanForArgumentsThatAreNotFinite) {
  EXPECT_TRUE(std::isnan(randomOf(std::nan(""))));
  EXPECT_TRUE(std::isnan(randomOf(std::numeric_limits<double>::infinity())));
  const std::string errorText = errorFor(with("/parts/1/position/0", "=random(1/0)").dump());
  EXPECT_NE(errorText.find("not a finite number"), std::string::npos) << errorText;
}

TEST(RandomOf, expressionsUseIt) {
  const Scene scene = parsed(with("/parts/5/position/1", "=200 + 10 * random(10 * index + 3)"));
  for (int k = 0; k < 3; ++k)
    EXPECT_DOUBLE_EQ(scene.parts[5 + static_cast<std::size_t>(k)].X_WP.p.y(),
                     (200 + 10 * randomOf(10 * k + 3)) / 1000);
}

}  // namespace
}  // namespace tenon::content::test
