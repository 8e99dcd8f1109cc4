// What a person arranges becomes text that the reader loads, with all that the person wrote around it.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "content/edit/goal_edits.h"
#include "content/edit/part_edits.h"
#include "content/edit/scene_document.h"
#include "content/reader/load_scene.h"

namespace tenon::content::test::scene_edits_test {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kScene = R"(// A pin and a plate
{
  "tenon": 1, "title": "t", "unit": "mm", "duration_s": 2, // two seconds
  "parameters": [{"name": "gap", "unit": "mm", "default": 5, "minimum": 1, "maximum": 9}],
  "materials": [{"name": "steel", "density_kg_per_m3": 7850}],
  "parts": [
    {"name": "plate", "material": "steel", "motion": "fixed",
     "shape": {"kind": "block", "size": [60, 60, 20], "holes": [{"name": "hole", "at": [0, 0], "diameter": 8.1, "through": true}]}},
    // the pin
    {"name": "pin", "standard": "ISO 2338 8x30", "material": "steel", "position": [0, 0, "=30 + gap"]}, // up there
    {"name": "ball", "count": 2, "material": "steel", "position": ["=100 + 20 * index", 0, 0], "shape": {"kind": "sphere", "diameter": 5}}
  ],
  "goals": [
    {"name": "g", "part": "pin", "feature": "tip", "into": "plate", "hole": "hole", "depth": 15, "depth_tolerance": 1, "tilt_tolerance_deg": 1}
  ],
  "hands": [{"name": "right", "position": [0, 0, 60],
    "script": [{"take": "pin"}, {"insert": "pin", "into": "plate/hole"}, {"release": true}]}]
}
)";

struct Edited {
  JsonText text{kScene, "scene.json"};
  Scene scene = parseScene(kScene, "scene.json");

  Scene read(SceneChecks checks = SceneChecks::all) const {
    return parseScene(text.text(), "scene.json", {}, {}, checks);
  }
  bool has(const std::string& part) const { return text.text().find(part) != std::string::npos; }
};

constexpr int kPlate = 0, kPin = 1, kBall2 = 3;

TEST(SceneEdits, APoseKeepsTheExpressionsItDoesNotChange) {
  Edited edited;
  Pose X = edited.scene.part(kPin).X_WP;
  X.p.x() = 0.0125;
  setPose(edited.text, edited.scene, kPin, X);
  EXPECT_TRUE(edited.has("\"position\": [12.5, 0, \"=30 + gap\"]}, // up there")) << edited.text.text();
  EXPECT_LT((edited.read().part(kPin).X_WP.p - X.p).norm(), 1e-12);
  EXPECT_FALSE(edited.has("rotation"));
}

TEST(SceneEdits, ARotationReadsBackAndItsIdentityIsRemoved) {
  Edited edited;
  Pose X = edited.scene.part(kPin).X_WP;
  for (const Eigen::Vector3d& axis :
       {Eigen::Vector3d(0, 1, 0), Eigen::Vector3d(-1, 2, 0.3), Eigen::Vector3d(0, 0, -1)}) {
    for (const double angle : {0.3, 1.5707963267948966, 3.141592653589793, -2.0}) {
      Edited one;
      X.q = Eigen::AngleAxisd(angle, axis.normalized());
      setPose(one.text, one.scene, kPin, X);
      EXPECT_LT(one.read(SceneChecks::entries).part(kPin).X_WP.q.angularDistance(X.q), 1e-8);
    }
  }
  setPose(edited.text, edited.scene, kPin,
          {Eigen::Quaterniond(Eigen::AngleAxisd(std::acos(-1.0) / 2, Eigen::Vector3d::UnitY())), X.p});
  EXPECT_TRUE(edited.has(R"("rotation": {"axis": [0, 1, 0], "angle_deg": 90})")) << edited.text.text();
  setPose(edited.text, edited.read(SceneChecks::entries), kPin, {Eigen::Quaterniond::Identity(), X.p});
  EXPECT_FALSE(edited.has("rotation"));
}

TEST(SceneEdits, APartIsAddedWithItsMaterial) {
  Edited edited;
  addPart(edited.text, {{"name", "box"},
                        {"material", "brass"},
                        {"shape", {{"kind", "box"}, {"size", {5, 5, 5}}}},
                        {"position", {200, 0, 0}}});
  const Scene scene = edited.read();
  ASSERT_EQ(scene.parts.size(), 5u);
  EXPECT_EQ(scene.parts.back().name, "box");
  EXPECT_EQ(scene.materials.back().name, "brass");
  EXPECT_EQ(materialPairOf(scene, scene.parts.back(), scene.parts.back()).friction, 0.12);
  EXPECT_TRUE(edited.has("// A pin and a plate"));
  EXPECT_TRUE(edited.has("// the pin"));
}

TEST(SceneEdits, ARemovedPartTakesWhatNamesIt) {
  Edited edited;
  EXPECT_EQ(removePart(edited.text, edited.scene, kPin), "1 goal, the script of right");
  const Scene scene = edited.read();
  EXPECT_EQ(scene.parts.size(), 3u);
  EXPECT_TRUE(scene.goals.empty());
  EXPECT_TRUE(scene.hands.at(0).script.empty());
  EXPECT_TRUE(edited.has("// two seconds"));
}

TEST(SceneEdits, ANameIsChangedWhereverItIsUsed) {
  for (const std::string name : {"pin \"A\"", "a/b", "back\\slash", "Stift 🔩", "מוט ימין", "  "}) {
    Edited edited;
    renamePart(edited.text, edited.scene, kPin, name);
    const Scene scene = edited.read();
    EXPECT_EQ(scene.part(kPin).name, name);
    EXPECT_EQ(scene.goals.at(0).part, kPin);
    EXPECT_EQ(scene.hands.at(0).script.empty(), false);
    EXPECT_TRUE(edited.has("// up there"));
  }
  Edited plate;
  renamePart(plate.text, plate.scene, kPlate, "base \"1\"");
  EXPECT_EQ(plate.read().part(plate.read().goals.at(0).into).name, "base \"1\"");
  EXPECT_TRUE(plate.has(R"("into": "base \"1\"/hole")")) << plate.text.text();
}

/// In a script, "a/b/hole" is the hole of the part "a/b", also beside a part "a".
TEST(SceneEdits, SlashesInNamesSeparateNoParts) {
  Edited edited;
  renamePart(edited.text, edited.scene, kPlate, "pin/base");
  const Scene scene = edited.read();
  renamePart(edited.text, scene, kPin, "bolt");
  EXPECT_TRUE(edited.has(R"("into": "pin/base/hole")")) << edited.text.text();
  const Scene renamed = edited.read();
  renamePart(edited.text, renamed, kPlate, "x/y");
  EXPECT_TRUE(edited.has(R"("into": "x/y/hole")")) << edited.text.text();
  EXPECT_FALSE(edited.read().hands.at(0).script.empty());
}

TEST(SceneEdits, ACopyOfACountedPartHasNoIndex) {
  Edited edited;
  edited.text.set("/parts/2/rotation", {{"axis", {0, 0, 1}}, {"angle_deg", "=30 * index"}});
  const Scene before = edited.read();
  Pose X = before.part(kBall2).X_WP;
  X.p.x() += 0.1;
  duplicatePart(edited.text, before, kBall2, "ball 3", X);
  const Scene scene = edited.read();
  ASSERT_EQ(scene.parts.back().name, "ball 3");
  EXPECT_LT(scene.parts.back().X_WP.q.angularDistance(X.q), 1e-8);
  EXPECT_GT(X.q.angularDistance(Eigen::Quaterniond::Identity()), 0.1);
  EXPECT_TRUE(edited.has("30 * index")) << "the original keeps its expression";
}

TEST(SceneEdits, PartsOfACountAreRenamedTogether) {
  Edited edited;
  renamePart(edited.text, edited.scene, kBall2, "bead");
  EXPECT_EQ(edited.read().part(kBall2).name, "bead 2");
}

TEST(SceneEdits, ACopyHasItsOwnPlace) {
  Edited edited;
  Pose X = edited.scene.part(kPin).X_WP;
  X.p.x() = 0.05;
  duplicatePart(edited.text, edited.scene, kPin, freeName("pin", {"plate", "pin", "pin 2"}), X);
  const Scene scene = edited.read();
  EXPECT_EQ(scene.parts.back().name, "pin 3");
  EXPECT_LT((scene.parts.back().X_WP.p - X.p).norm(), 1e-12);
  EXPECT_EQ(scene.part(kPin).X_WP.p.x(), 0);
}

TEST(SceneEdits, GoalsAreAddedChangedAndRemoved) {
  Edited edited;
  addGoal(edited.text, edited.scene, {"ball 1", "none", "plate", "hole", 0.01, "", 0});
  EXPECT_THROW(edited.read(), InputError) << "a ball has no feature";
  edited.text.remove("/goals/1");
  setGoalField(edited.text, 0, "depth", 12.5);
  setGoalField(edited.text, 0, "after", Json());
  EXPECT_NEAR(edited.read().goals.at(0).depth, 0.0125, 1e-12);
  Edited other;
  other.text.remove("/hands/0/script");
  other.text.append("/goals", {{"part", "pin"},
                               {"feature", "end"},
                               {"into", "plate"},
                               {"hole", "hole far side"},
                               {"after", {"g"}},
                               {"depth", 5},
                               {"depth_tolerance", 1},
                               {"tilt_tolerance_deg", 1}});
  ASSERT_EQ(other.read().goals.size(), 2u);
  removeGoal(other.text, 0);
  EXPECT_TRUE(other.read().goals.at(0).after.empty());
}

TEST(SceneEdits, FieldsAreSetAndRemoved) {
  Edited edited;
  setPartField(edited.text, edited.scene, kPlate, "motion", Json());
  EXPECT_EQ(edited.read(SceneChecks::entries).part(kPlate).motion, physics::MotionType::dynamic);
  setPartField(edited.text, edited.scene, kPlate, "color", "#102030");
  EXPECT_TRUE(edited.read().part(kPlate).color.has_value());
  setDensity(edited.text, "steel", 2700);
  setFriction(edited.text, "steel", "steel", 0.3);
  setFriction(edited.text, "steel", "steel", 0.2);
  const Scene scene = edited.read();
  EXPECT_EQ(scene.materials.at(0).density, 2700);
  EXPECT_EQ(materialPairOf(scene, scene.part(kPin), scene.part(kPlate)).friction, 0.2);
}

TEST(SceneEdits, OverlapsAreReadUnderConstructionOnly) {
  Edited edited;
  setPose(edited.text, edited.scene, kPin, {Eigen::Quaterniond::Identity(), {0.02, 0, 0}});
  EXPECT_EQ(edited.read(SceneChecks::entries).part(kPin).X_WP.p.x(), 0.02);
  EXPECT_THROW(edited.read(), InputError);
}

/// Undo and redo of edits, and their texts.
TEST(SceneDocument, EveryEditIsUndoneAndRedone) {
  SceneDocument document("a.json", kScene);
  EXPECT_FALSE(document.isModified());
  document.edit("same", kScene);
  EXPECT_EQ(document.undoText(), "");
  document.edit("one", "1");
  document.edit("two", "2");
  document.undo();
  EXPECT_EQ(document.text(), "1");
  EXPECT_EQ(document.undoText() + document.redoText(), "onetwo");
  document.undo();
  document.undo();
  EXPECT_EQ(document.text(), kScene);
  EXPECT_FALSE(document.isModified());
  document.redo();
  document.redo();
  EXPECT_EQ(document.text(), "2");
  document.undo();
  document.edit("three", "3");
  EXPECT_EQ(document.redoText(), "");
}

TEST(SceneDocument, AFileChangedOutsideIsKeptApartOrTakenOver) {
  SceneDocument document("a.json", "mine 0", true);
  document.edit("edit", "mine");
  document.fileChanged("theirs", false);
  EXPECT_EQ(document.text(), "mine");
  EXPECT_EQ(document.savedText(), "theirs");
  EXPECT_TRUE(document.isModified());
  document.fileChanged("theirs", true);
  EXPECT_FALSE(document.isModified());
  document.undo();
  EXPECT_EQ(document.text(), "mine");
  EXPECT_TRUE(document.isModified());
  document.markSaved("b.json");
  EXPECT_FALSE(document.isModified());
  EXPECT_EQ(document.file(), "b.json");
  EXPECT_FALSE(document.isNew());
}

}  // namespace
}  // namespace tenon::content::test::scene_edits_test
