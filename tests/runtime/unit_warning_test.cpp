// Scenes whose numbers are of another unit, or whose pin and hole are of two sizes: what is said of them.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/support/program_run.h"

namespace tenon::tests::unit_warning_test {
namespace {

using Json = nlohmann::json;

Json bolt() {
  return Json::parse(std::ifstream(scenePath("bolt-in-plate")));
}

Outcome said(const char* command, const Json& scene) {
  const TemporaryFolder folder;
  std::ofstream(folder / "s.json") << scene;
  std::vector<std::string> words{command, folder / "s.json"};
  if (words[0] == "run") words.insert(words.end(), {"--duration", "0.01"});
  return runTenon(words);
}

void expectHas(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text;
}

TEST(UnitWarning, MillimetresThatAreCalledMetresAreNoticed) {
  Json scene = bolt();
  scene["unit"] = "m";
  const std::string warning =
      "/unit: \"m\" makes \"plate\" 80 m long; if its numbers are millimetres, write \"unit\": \"mm\"";
  expectHas(said("check", scene).out, "warning: " + warning);
  expectHas(said("run", scene).err, "warning: " + warning);
}

TEST(UnitWarning, ShippedScenesRaiseNone) {
  for (const char* name : {"bolt-in-plate", "pile", "arch", "free-fall", "screwdriving", "bearing"})
    EXPECT_EQ(runTenon({"check", scenePath(name)}).out.find("/unit"), std::string::npos) << name;
}

TEST(FitWarning, APinWiderThanItsHoleNamesTheRemedy) {
  Json scene = bolt();
  scene["parts"][0]["shape"]["holes"][0]["diameter"] = 5;
  expectHas(
      said("check", scene).out,
      "interference of 3 mm and rigid materials; make the pin narrower than Ø 5 or the bore wider than Ø 8");
}

}  // namespace
}  // namespace tenon::tests::unit_warning_test
