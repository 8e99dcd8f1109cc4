// The workbench without a window: edits that the reader rejects, files, new parts, goals, aligned and dragged
// parts.
#include "runtime/workbench/workbench.h"

#include <gtest/gtest.h>

#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <stdexcept>

#include "content/edit/goal_edits.h"
#include "content/edit/part_edits.h"
#include "content/edit/script_edits.h"
#include "content/reader/load_scene.h"
#include "content/reader/read_mesh.h"
#include "runtime/preview/scene_watch.h"
#include "runtime/workbench/bench_file.h"
#include "runtime/workbench/euler_angles.h"
#include "runtime/workbench/gizmo.h"
#include "runtime/workbench/goal_suggestions.h"
#include "runtime/workbench/new_parts.h"
#include "runtime/workbench/snap.h"
#include "tests/support/program_run.h"

namespace tenon::tests::workbench_test {
namespace {

namespace fs = std::filesystem;
using content::SceneDocument;
using physics::Pose;
using physics::Vector3d;
using runtime::Workbench;
using Json = nlohmann::ordered_json;

std::string textOf(const std::string& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

Workbench benchOf(const std::string& scene) {
  const std::string file = scenePath(scene);
  return {SceneDocument(file, textOf(file)), {}};
}

Workbench emptyBench(const std::string& folder = "/tmp") {
  return {SceneDocument(folder + "/new.json", runtime::emptyBench(), true), {}};
}

TEST(Workbench, ARejectedEditIsShownAndReplacedByTheNext) {
  Workbench bench = benchOf("bolt-in-plate");
  bench.edit("deep", [](content::JsonText& text) { content::setGoalField(text, 0, "part", "absent"); });
  bench.finishReading();
  EXPECT_NE(bench.problem().find("absent"), std::string::npos) << bench.problem();
  EXPECT_EQ(bench.scene().parts.size(), 2u) << "what was there before is still shown";
  bench.edit("depth", [](content::JsonText& text) { content::setGoalField(text, 0, "depth", 20); });
  bench.finishReading();
  EXPECT_EQ(bench.problem(), "");
  EXPECT_EQ(bench.document().text().find("absent"), std::string::npos);
  bench.undo();
  bench.finishReading();
  EXPECT_FALSE(bench.document().isModified());
}

TEST(Workbench, APanelMayHoldReferencesIntoTheSceneWhileItEdits) {
  Workbench bench = benchOf("bolt-in-plate");
  const content::Goal& goal = bench.scene().goals[0];
  const runtime::SceneView& view = bench.sceneView();
  const double depth = goal.depth;
  bench.edit("deep", [](content::JsonText& text) { content::setGoalField(text, 0, "part", "absent"); });
  // Waits for the reader, and removes the rejected text; what is shown stays, in memory too.
  bench.edit("depth", [](content::JsonText& text) { content::setGoalField(text, 0, "depth", 20); });
  bench.waitForReader();
  EXPECT_EQ(goal.depth, depth);
  EXPECT_EQ(view.goalName(0), bench.sceneView().goalName(0));
  EXPECT_NEAR(bench.newestScene().goals[0].depth, 0.02, 1e-12);
  EXPECT_TRUE(bench.update()) << "the next frame shows the edit";
  EXPECT_FALSE(bench.update());
  EXPECT_NEAR(bench.scene().goals[0].depth, 0.02, 1e-12);
}

TEST(Workbench, AnEditByIndexIsNotDoneInASceneWithOtherEntries) {
  Workbench bench = benchOf("bolt-in-plate");
  runtime::addNewPart(bench, "box", "shape", {{"kind", "box"}, {"size", {5, 5, 5}}});
  const std::string before = bench.document().text();
  const auto move = [&] { bench.movePart(1, Pose::at({0, 0.2, 0})); };
  EXPECT_THROW(move(), std::runtime_error);
  EXPECT_EQ(bench.document().text(), before);
  bench.finishReading();
  move();
  EXPECT_NE(bench.document().text(), before);
  EXPECT_EQ(bench.scene().part(bench.selectedPart()).name, "box") << "the new part is selected";
}

TEST(Workbench, TheParsedTextIsThatOfTheDocument) {
  Workbench bench = benchOf("bolt-in-plate");
  const auto before = bench.parsed();
  EXPECT_EQ(bench.parsed(), before);
  bench.edit("title", [](content::JsonText& text) { text.set("/title", "other"); });
  EXPECT_EQ(bench.parsed()->value("/title"), "other");
  EXPECT_NE(before->value("/title"), "other");
}

TEST(EulerAngles, GiveTheRotationBackAlsoAtGimbalLock) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> angle(-3.1, 3.1);
  const auto expectRoundTrip = [](const physics::Quaterniond& q, double tolerance) {
    EXPECT_LT(runtime::rotationOf(runtime::anglesOf(q)).angularDistance(q), tolerance) << q.coeffs();
  };
  const double right = std::acos(-1.0) / 2;
  for (int k = 0; k < 200; ++k) {
    const Vector3d angles(angle(random), angle(random), angle(random));
    expectRoundTrip(runtime::rotationOf(angles), 1e-7);
    for (const double y : {right, -right, right - 1e-9, 1e-5 - right}) {
      const physics::Quaterniond q = runtime::rotationOf({angles.x(), y, angles.z()});
      expectRoundTrip(q, 3e-6);
      expectRoundTrip(physics::Quaterniond(-q.w(), -q.x(), -q.y(), -q.z()), 3e-6);
    }
  }
}

TEST(Workbench, OverlappingPartsAreShownWhereTheyAre) {
  Workbench bench = benchOf("bolt-in-plate");
  bench.movePart(1, Pose::at({0, 0.02, 0}));
  bench.finishReading();
  EXPECT_NE(bench.problem().find("overlap"), std::string::npos) << bench.problem();
  EXPECT_NEAR(bench.drawn().X_WP[1].p.y(), 0.02, 1e-12);
  bench.undo();
  bench.finishReading();
  EXPECT_EQ(bench.problem(), "");
}

TEST(Workbench, TheSelectionStaysWithItsPartUnderAnyName) {
  for (const std::string name : {"a \"b\"", "x/y", "\\", "🔩", "מוט", "' ; drop"}) {
    Workbench bench = benchOf("bolt-in-plate");
    bench.selectPart(1);
    bench.edit("rename", [&](content::JsonText& text) { content::renamePart(text, bench.scene(), 1, name); });
    bench.selectNamed(name);
    bench.finishReading();
    EXPECT_EQ(bench.problem(), "") << name;
    ASSERT_EQ(bench.selectedPart(), 1) << name;
    EXPECT_EQ(bench.scene().part(1).name, name);
  }
}

TEST(Workbench, PartsOfACountAreKnown) {
  Workbench bench = benchOf("four-bolts");
  int repeated = 0;
  for (int k = 0; k < static_cast<int>(bench.scene().parts.size()); ++k)
    repeated += bench.isRepeated(k) ? 1 : 0;
  EXPECT_EQ(repeated == 0, bench.document().text().find("\"count\"") == std::string::npos);
}

TEST(NewParts, EveryTemplateAndStandardStandsBesideTheOthers) {
  Workbench bench = emptyBench();
  for (const runtime::PartTemplate& one : runtime::partTemplates())
    runtime::addNewPart(bench, one.name, one.field, Json::parse(runtime::dimensionsIn("mm", one)));
  for (const char* designation :
       {"ISO 4762 M8x30", "ISO 4014 M8x50", "ISO 4032 M8", "ISO 7089 M8", "ISO 2338 8x30"})
    runtime::addNewPart(bench, runtime::shortName(designation), "standard", designation);
  runtime::addNewPart(bench, "box", "shape", {{"kind", "box"}, {"size", {5, 5, 5}}});
  bench.finishReading();
  EXPECT_EQ(bench.problem(), "");
  EXPECT_EQ(bench.scene().parts.size(), 1u + runtime::partTemplates().size() + 6);
  EXPECT_EQ(bench.scene().parts.back().name, "box 2");
  EXPECT_EQ(bench.selectedPart(), static_cast<int>(bench.scene().parts.size()) - 1);
  EXPECT_EQ(bench.scene().part(1).motion, physics::MotionType::fixed) << "the first part";
  EXPECT_EQ(bench.scene().part(2).motion, physics::MotionType::dynamic);
  EXPECT_THROW(runtime::addNewPart(bench, "x", "standard", "ISO 4762 M8x31"), content::InputError);
}

TEST(NewParts, DimensionsAreConvertedToTheUnitOfTheScene) {
  for (const runtime::PartTemplate& one : runtime::partTemplates()) {
    if (one.name != "flange") continue;
    const Json meters = Json::parse(runtime::dimensionsIn("m", one));
    EXPECT_NEAR(meters["width"].get<double>(), 0.13, 1e-12);
    EXPECT_EQ(meters["holes"][0]["circle"]["count"], 4);
  }
}

TEST(GoalSuggestions, EveryBoltOfAPlateGetsAHoleOfItsOwn) {
  Workbench bench = emptyBench();
  runtime::addNewPart(bench, "plate", "library",
                      Json::parse(R"({"kind": "plate", "size": [80, 60, 20], "holes": [
                        {"name": "hole", "screw": "M8", "series": "fine", "grid": {"count": [2, 2], "pitch": [50, 30]}}]})"));
  for (int k = 0; k < 4; ++k) runtime::addNewPart(bench, "screw", "standard", "ISO 4762 M8x30");
  runtime::addNewPart(bench, "thick", "standard", "ISO 4762 M12x30");
  bench.finishReading();
  const auto all = runtime::suggestGoals(bench.scene());
  ASSERT_EQ(all.size(), 4u) << "and none for the screw that is too thick";
  std::set<std::string> holes;
  for (const auto& one : all) {
    holes.insert(one.goal.hole);
    EXPECT_NEAR(one.clearance, 0.534e-3, 1e-9) << "8.4 mm, and the mean of M8-6g, 7.760 to 7.972 mm";
    EXPECT_NEAR(one.goal.depth, 0.03, 0.5e-3) << "its head is seated, by its fillet";
  }
  EXPECT_EQ(holes.size(), 4u);
  bench.edit("goals", [&](content::JsonText& text) {
    for (const auto& one : all) content::addGoal(text, bench.scene(), one.goal);
  });
  bench.finishReading();
  EXPECT_EQ(bench.problem(), "");
  EXPECT_TRUE(runtime::suggestGoals(bench.scene()).empty());
  bench.edit("script", [&](content::JsonText& text) { content::setScriptOfGoals(text, bench.scene()); });
  bench.finishReading();
  EXPECT_EQ(bench.problem(), "");
  EXPECT_FALSE(bench.scene().hands.at(0).script.empty());
}

TEST(GoalSuggestions, APinOfTheSameDiameterGetsAFit) {
  Workbench bench = emptyBench();
  runtime::addNewPart(
      bench, "plate", "library",
      Json::parse(
          R"({"kind": "plate", "size": [60, 60, 20], "holes": [{"name": "bore", "at": [0, 0], "diameter": 8}]})"));
  runtime::addNewPart(bench, "pin", "standard", "ISO 2338 8x30");
  bench.finishReading();
  const auto all = runtime::suggestGoals(bench.scene());
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].goal.fit, "H7/g6");
  EXPECT_EQ(all[0].goal.feature, "tip") << "as it stands";
  EXPECT_EQ(all[0].goal.hole, "bore") << "from above, although the other mouth is nearer";
  EXPECT_NEAR(all[0].goal.depth, 0.02, 1e-5) << "through the plate";
  bench.edit("goal", [&](content::JsonText& text) { content::addGoal(text, bench.scene(), all[0].goal); });
  bench.finishReading();
  EXPECT_EQ(bench.problem(), "");
  ASSERT_TRUE(bench.scene().goals.at(0).fit.has_value());
}

/// A random pose.
Pose randomPose(std::mt19937& random) {
  std::uniform_real_distribution<double> unit(-1, 1);
  return {physics::Quaterniond(unit(random), unit(random), unit(random), unit(random)).normalized(),
          {unit(random), unit(random), unit(random)}};
}

TEST(Snap, AlignedAxesCoincideAndPointAgainstEachOther) {
  for (unsigned seed = 1; seed <= 50; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    using Feature = xr::PickedFeature;
    const Feature end{Feature::Kind::axis, 0, "tip", 0, randomPose(random)},
        hole{Feature::Kind::hole, 1, "hole", 0, randomPose(random)};
    const Pose moving = randomPose(random), target = randomPose(random);
    const Pose X = runtime::snapped({end, hole, 0.01}, moving, target);
    const Pose end_W = X * end.X_PF, hole_W = target * hole.X_PF;
    EXPECT_LT((end_W.q * Vector3d::UnitZ() + hole_W.q * Vector3d::UnitZ()).norm(), 1e-12);
    EXPECT_LT((hole_W.inverse() * end_W.p - Vector3d(0, 0, 0.01)).norm(), 1e-12);
    // Faces: opposite, in one plane, and the point keeps its place along the plane.
    const Feature face{Feature::Kind::part, 0, "", -1, randomPose(random)},
        other{Feature::Kind::part, 1, "", -1, randomPose(random)};
    const Pose Y = runtime::snapped({face, other, 0}, moving, target);
    const Pose face_W = Y * face.X_PF, other_W = target * other.X_PF, before_W = moving * face.X_PF;
    EXPECT_LT((face_W.q * Vector3d::UnitZ() + other_W.q * Vector3d::UnitZ()).norm(), 1e-12);
    const Vector3d now = other_W.inverse() * face_W.p, before = other_W.inverse() * before_W.p;
    EXPECT_NEAR(now.z(), 0, 1e-12);
    EXPECT_LT((now - before).head<2>().norm(), 1e-12);
  }
}

TEST(Gizmo, APartFollowsTheMouseAlongAnAxisAndAboutIt) {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> unit(-1, 1);
    xr::OrbitCamera camera;
    camera.lookFrom(Vector3d(unit(random), unit(random), 0.3 + std::abs(unit(random))));
    const xr::View view = camera.view(1.5);
    const runtime::GizmoPicture picture{view, 900, 600};
    const Pose X{randomPose(random).q, {0.02 * unit(random), 0.02 * unit(random), 0.02 * unit(random)}};
    const runtime::GizmoPlace place{X.p, X.q, runtime::gizmoSize(picture, X.p)};
    const int axis = static_cast<int>(seed % 3);
    const Vector3d along = X.q * Vector3d::Unit(axis);
    const Vector3d look = view.X_WC.q * Vector3d::UnitZ();
    if (std::abs(along.dot(look)) > 0.8) continue;  // seen along the axis
    // The point at 0.6 of the handle goes to the point 1.4 handles away.
    const auto from = picture.at(X.p + 0.6 * place.size * along),
               to = picture.at(X.p + 1.4 * place.size * along);
    ASSERT_TRUE(from && to);
    EXPECT_EQ(runtime::handleAt(place, runtime::GizmoTool::move, picture, *from), axis);
    runtime::GizmoDrag drag(place, runtime::GizmoTool::move, axis, X, X.p);
    EXPECT_LT((drag.poseAt(picture, *from, false).p - X.p).norm(), 2e-6);
    const Pose moved = drag.poseAt(picture, *to, false);
    EXPECT_LT((moved.p - X.p - 0.8 * place.size * along).norm(), 3e-6);
    EXPECT_LT(moved.q.angularDistance(X.q), 1e-12);
    const Vector3d stepped = X.q.conjugate() * (drag.poseAt(picture, *to, true).p - X.p);
    EXPECT_NEAR(stepped[axis] * 1e3, std::round(stepped[axis] * 1e3), 1e-6);
    if (std::abs(along.dot(look)) < 0.3) continue;  // the ring is seen from its edge
    const Vector3d u = X.q * Vector3d::Unit((axis + 1) % 3), v = X.q * Vector3d::Unit((axis + 2) % 3);
    const auto ringAt = [&](double angle) {
      return *picture.at(X.p + 0.85 * place.size * (std::cos(angle) * u + std::sin(angle) * v));
    };
    runtime::GizmoDrag turn(place, runtime::GizmoTool::turn, axis, X, X.p);
    turn.poseAt(picture, ringAt(0.2), false);
    const Pose turned = turn.poseAt(picture, ringAt(0.9), false);
    EXPECT_NEAR(turn.turned(), 0.7, 2e-3);
    EXPECT_LT((turned.p - X.p).norm(), 1e-12) << "about its own place";
    EXPECT_NEAR(turned.q.angularDistance(X.q), std::abs(turn.turned()), 1e-9);
  }
}

/// While it lives, no file of this process grows beyond some bytes, as on a full disk.
class FullDisk {
 public:
  FullDisk() {
    std::signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit full{16, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &full);
  }
  ~FullDisk() { setrlimit(RLIMIT_FSIZE, &before_); }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

 private:
  rlimit before_{};
};

TEST(BenchFile, OnAFullDiskTheOldFileStaysWhole) {
  const TemporaryFolder folder;
  const std::string target = folder / "scene.json";
  std::ofstream(target) << runtime::emptyBench();
  fs::permissions(target, fs::perms::owner_read | fs::perms::owner_write);
  Workbench bench{SceneDocument(target, runtime::emptyBench()), {}};
  bench.edit("title", [](content::JsonText& text) { text.set("/title", "other"); });
  runtime::ArrangeState arrange;
  runtime::ViewState view;
  runtime::BenchFile file;
  bool saved = true;
  {
    const FullDisk full;
    saved = file.save(bench, arrange, view);
  }
  EXPECT_FALSE(saved);
  EXPECT_NE(view.notice.find(target), std::string::npos) << view.notice;
  EXPECT_EQ(textOf(target), runtime::emptyBench());
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), 1) << "nothing else is left there";
  EXPECT_TRUE(bench.document().isModified());
  EXPECT_TRUE(file.save(bench, arrange, view)) << view.notice;
  EXPECT_EQ(textOf(target), bench.document().text());
  EXPECT_EQ(fs::status(target).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST(BenchFile, WhatWaitsForSavingIsPerformedAfterTheNewFileIsWritten) {
  const TemporaryFolder folder;
  Workbench bench = emptyBench(folder.path());
  bench.edit("title", [](content::JsonText& text) { text.set("/title", "other"); });
  runtime::ArrangeState arrange;
  runtime::ViewState view;
  runtime::BenchFile file;
  int performed = 0;
  const auto then = [&] { ++performed; };
  runtime::requireAnswer("Quit?", bench, arrange, view, file, then);
  ASSERT_EQ(arrange.questions.size(), 1u);
  arrange.questions.back().answers.front().perform();
  EXPECT_EQ(arrange.files.purpose, runtime::FilePurpose::saveAs);
  EXPECT_EQ(performed, 0);
  EXPECT_TRUE(file.saveAs(folder / "named.json", bench, arrange, view)) << view.notice;
  EXPECT_EQ(performed, 1);
  bench.edit("title", [](content::JsonText& text) { text.set("/title", "third"); });
  EXPECT_TRUE(file.save(bench, arrange, view));
  EXPECT_EQ(performed, 1) << "once";
  bench.document().fileChanged("{}", false);
  file.saveThen(then, bench, arrange, view);
  file.cancelThen();
  EXPECT_TRUE(file.saveAs(folder / "again.json", bench, arrange, view));
  EXPECT_EQ(performed, 1) << "not after a cancel";
}

TEST(BenchFile, UnsavedTextIsWrittenBesideItsFileUnderAFreeName) {
  const TemporaryFolder folder;
  SceneDocument document(folder / "my scene.json", "old");
  document.edit("edit", "first");
  EXPECT_EQ(runtime::writeUnsaved(document), folder / "my scene.unsaved.json");
  document.edit("edit", "second");
  EXPECT_EQ(runtime::writeUnsaved(document), folder / "my scene.unsaved 2.json");
  EXPECT_EQ(textOf(folder / "my scene.unsaved.json"), "first");
  EXPECT_EQ(textOf(folder / "my scene.unsaved 2.json"), "second");
  SceneDocument gone("/nonexistent/folder/bench.json", "old");
  gone.edit("edit", "third");
  const std::string elsewhere = runtime::writeUnsaved(gone);
  EXPECT_EQ(textOf(elsewhere), "third") << elsewhere;
  fs::remove(elsewhere);
}

TEST(SceneWatch, OnlyAnotherTextIsAChange) {
  const TemporaryFolder folder;
  const std::string file = folder / "scene.json";
  const auto write = [&](const std::string& text, int seconds) {
    std::ofstream(file) << text;
    fs::last_write_time(file, fs::file_time_type::clock::now() + std::chrono::seconds(seconds));
  };
  runtime::SceneWatch watch;
  write("one", 0);
  EXPECT_FALSE(watch.changedText(file, 1)) << "the first text is noted";
  write("one", 5);
  EXPECT_FALSE(watch.changedText(file, 2)) << "the same text with another time";
  write("two", 10);
  EXPECT_FALSE(watch.changedText(file, 2.1)) << "too early to look again";
  EXPECT_EQ(watch.changedText(file, 3), "two");
  EXPECT_FALSE(watch.changedText(file, 4));
  std::ofstream(folder / "other.json") << "other";
  EXPECT_FALSE(watch.changedText(folder / "other.json", 5)) << "another file is noted";
}

TEST(BenchFile, SavingNamesWhatCannotBeWritten) {
  const TemporaryFolder folder;
  Workbench bench = emptyBench(folder.path());
  runtime::ArrangeState arrange;
  runtime::ViewState view;
  runtime::BenchFile file;
  EXPECT_FALSE(file.save(bench, arrange, view)) << "a new scene needs a name";
  EXPECT_EQ(arrange.files.purpose, runtime::FilePurpose::saveAs);
  const std::string target = folder / "my scene.json";
  EXPECT_TRUE(file.saveAs(target, bench, arrange, view)) << view.notice;
  EXPECT_EQ(textOf(target), runtime::emptyBench());
  bench.edit("title", [](content::JsonText& text) { text.set("/title", "other"); });
  EXPECT_FALSE(file.saveAs("/nonexistent/folder/a.json", bench, arrange, view));
  EXPECT_NE(view.notice.find("/nonexistent/folder/a.json"), std::string::npos) << view.notice;
  EXPECT_TRUE(bench.document().isModified());
  EXPECT_EQ(bench.document().file(), target);
  fs::create_directory(folder / "folder.json");
  EXPECT_FALSE(file.saveAs(folder / "folder.json", bench, arrange, view) || arrange.questions.empty());
  arrange.questions.back().answers.front().perform();
  arrange.questions.clear();
  EXPECT_NE(view.notice.find("is not a plain file"), std::string::npos) << view.notice;
  std::ofstream(folder / "there.json") << "{}";
  EXPECT_FALSE(file.saveAs(folder / "there.json", bench, arrange, view)) << "a question comes first";
  ASSERT_EQ(arrange.questions.size(), 1u);
  EXPECT_EQ(textOf(folder / "there.json"), "{}");
  arrange.questions.back().answers.front().perform();
  EXPECT_EQ(textOf(folder / "there.json"), bench.document().text());
}

TEST(BenchFile, AFileChangedMeanwhileIsNotOverwritten) {
  const TemporaryFolder folder;
  const std::string target = folder / "scene.json";
  std::ofstream(target) << runtime::emptyBench();
  Workbench bench{SceneDocument(target, runtime::emptyBench()), {}};
  runtime::ArrangeState arrange;
  runtime::ViewState view;
  runtime::BenchFile file;
  bench.edit("title", [](content::JsonText& text) { text.set("/title", "mine"); });
  std::string theirs = runtime::emptyBench();
  theirs.replace(theirs.find("Untitled"), 8, "theirs");
  std::ofstream(target) << theirs;
  EXPECT_FALSE(file.save(bench, arrange, view));
  ASSERT_EQ(arrange.questions.size(), 1u);
  EXPECT_EQ(textOf(target), theirs);
  arrange.questions.back().answers[1].perform();
  EXPECT_EQ(bench.document().text(), theirs);
  bench.undo();
  bench.finishReading();
  EXPECT_EQ(bench.scene().title, "mine");
  arrange.questions.clear();
  EXPECT_TRUE(file.save(bench, arrange, view)) << "theirs is known now";
  // Without unsaved changes it is read at once, and a broken one is not.
  std::ofstream(target) << theirs;
  file.watch(1, bench, arrange, view);
  bench.finishReading();
  EXPECT_EQ(bench.scene().title, "theirs");
  std::ofstream(target) << "{ broken";
  fs::last_write_time(target, fs::last_write_time(target) + std::chrono::seconds(2));
  file.watch(2, bench, arrange, view);
  bench.finishReading();
  EXPECT_EQ(bench.scene().title, "theirs");
  EXPECT_NE(view.notice.find("not valid JSON"), std::string::npos) << view.notice;
}

TEST(Workbench, AMeshIsReadAgainOnlyWhenItsFileChanges) {
  const TemporaryFolder folder;
  const std::string file = folder / "pin.obj";
  ASSERT_EQ(runTenon({"parts", "make", "iso2338", "8x30", "--out", file}).exitCode, 0);
  Workbench bench = emptyBench(folder.path());
  runtime::addNewPart(bench, "pin", "shape", runtime::meshShape(file, folder / "new.json", "m"));
  bench.finishReading();
  const auto first = bench.scene().part(1).mesh;
  ASSERT_TRUE(first);
  const auto edited = [&](double x) {
    bench.movePart(1, {bench.scene().part(1).X_WP.q, {x, 0, 0.05}});
    bench.finishReading();
    return bench.scene().part(1).mesh;
  };
  EXPECT_EQ(edited(0.1), first) << "the same mesh";
  ASSERT_EQ(runTenon({"parts", "make", "iso2338", "8x40", "--out", file, "--force"}).exitCode, 0);
  const auto second = edited(0.2);
  ASSERT_TRUE(second);
  EXPECT_NEAR(second->part.high.z() - second->part.low.z(), 0.04, 1e-9);
  fs::remove(file);
  edited(0.3);
  EXPECT_NE(bench.problem().find("pin.obj"), std::string::npos)
      << "a file that vanished: " << bench.problem();
}

TEST(BenchFile, ASceneIsNotSavedAwayFromItsMeshes) {
  const TemporaryFolder folder;
  ASSERT_EQ(runTenon({"parts", "make", "iso2338", "8x30", "--out", folder / "pin.obj"}).exitCode, 0);
  fs::create_directory(folder / "other");
  Workbench bench = emptyBench(folder.path());
  runtime::addNewPart(bench, "pin", "shape",
                      runtime::meshShape(folder / "pin.obj", folder / "new.json", "m"));
  bench.finishReading();
  EXPECT_EQ(bench.problem(), "");
  runtime::ArrangeState arrange;
  runtime::ViewState view;
  runtime::BenchFile file;
  EXPECT_FALSE(file.saveAs(folder / "other/scene.json", bench, arrange, view));
  EXPECT_NE(view.notice.find("pin.obj"), std::string::npos) << view.notice;
  EXPECT_TRUE(file.saveAs(folder / "scene.json", bench, arrange, view)) << view.notice;
  EXPECT_THROW(runtime::meshShape("/etc/hostname", folder / "new.json", "m"), content::InputError);
  EXPECT_THROW(runtime::meshShape(scenePath("../x.stl"), folder / "new.json", "m"), content::InputError);
}

}  // namespace
}  // namespace tenon::tests::workbench_test
