// Sessions for others: figures that others compute too, a page whose numbers are those of the record, an
// animation that ends where the session did.
#include <SQLiteCpp/Statement.h>
#include <gtest/gtest.h>
#include <tiny_gltf.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <numbers>
#include <sstream>

#include "content/model/build_world.h"
#include "content/reader/load_scene.h"
#include "runtime/record/keyframes.h"
#include "runtime/report/clearance_readout.h"
#include "runtime/report/event_text.h"
#include "runtime/report/svg_chart.h"
#include "tests/runtime/session_file.h"

namespace tenon::tests::export_test {
namespace {

using Json = nlohmann::json;

std::string contentOf(const std::string& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

/// A bolt into its plate, whole, in each format.
class ExportedSession : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new TemporaryFolder;
    record("bolt-in-plate", "5", *folder_ / "s.tenon");
  }
  static void TearDownTestSuite() { delete folder_; }

  static std::string file(const std::string& name) { return *folder_ / name; }
  /// In a format, once.
  static std::string exported(const std::string& format) {
    const std::string out = file("s." + format);
    if (!std::filesystem::exists(out)) {
      const Outcome outcome = runTenon({"export", file("s.tenon"), "--format", format, "--out", out});
      EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
    }
    return contentOf(out);
  }
  static Json operation() { return Json::parse(exported("json"))["operations"].at(0); }

  static TemporaryFolder* folder_;
};

TemporaryFolder* ExportedSession::folder_ = nullptr;

double oneNumber(const std::string& file, const std::string& sql) {
  const SQLite::Database database(file);
  SQLite::Statement row(database, sql);
  EXPECT_TRUE(row.executeStep()) << sql;
  return row.getColumn(0).getDouble();
}

TEST_F(ExportedSession, OperationsAgreeWithTheTables) {
  const Json op = operation();
  const std::string s = file("s.tenon");
  EXPECT_EQ(op["verdict"], "inserted");
  EXPECT_EQ(op["grasps"], 1);
  EXPECT_EQ(op["jams"], 0);
  EXPECT_EQ(op["grabbed_s"], oneNumber(s, "SELECT time_s FROM event WHERE kind = 'grab'"));
  EXPECT_EQ(op["seated_s"], oneNumber(s, "SELECT time_s FROM event WHERE kind = 'seated'"));
  EXPECT_EQ(op["released_s"], oneNumber(s, "SELECT time_s FROM event WHERE kind = 'release'"));
  EXPECT_EQ(op["first_contact_s"],
            oneNumber(s,
                      "SELECT min(time_s) FROM event WHERE kind = 'contact-begin' AND time_s > "
                      "(SELECT time_s FROM event WHERE kind = 'grab')"));
  EXPECT_NEAR(op["duration_s"], op["seated_s"].get<double>() - op["grabbed_s"].get<double>(), 1e-12);
  EXPECT_NEAR(op["duration_tmu"], op["duration_s"].get<double>() / 0.036, 1e-9);
  EXPECT_EQ(op["max_push_n"], oneNumber(s, "SELECT max(max_push_n) FROM goal_state"));
  EXPECT_NEAR(
      op["peak_force_n"],
      oneNumber(
          s,
          "SELECT max(sqrt(fx_n * fx_n + fy_n * fy_n + fz_n * fz_n)) FROM hand_state WHERE body IS NOT NULL"),
      1e-12);
  // The path of the hand, in SQL: between keyframes next to each other in which it held the part.
  EXPECT_NEAR(
      op["hand_path_m"],
      oneNumber(s,
                "SELECT sum(sqrt((b.px_m-a.px_m)*(b.px_m-a.px_m) + (b.py_m-a.py_m)*(b.py_m-a.py_m) + "
                "(b.pz_m-a.pz_m)*(b.pz_m-a.pz_m))) FROM hand_state a JOIN hand_state b ON b.hand = a.hand "
                "AND b.tick = (SELECT min(tick) FROM hand_state WHERE tick > a.tick) "
                "WHERE a.body IS NOT NULL AND b.body = a.body"),
      1e-12);
  EXPECT_NEAR(
      op["depth_error_m"],
      oneNumber(s,
                "SELECT s.depth_m - g.depth_m FROM goal_state s JOIN goal g ON g.id = s.goal ORDER BY "
                "s.tick DESC LIMIT 1"),
      1e-12);
  EXPECT_LT(op["lateral_error_m"], 0.0003);  // within the fine clearance
  EXPECT_GT(op["part_path_m"], 0.05);
  // In its hand it touched the plate, and not for longer than it was held.
  bool plate = false;
  for (const Json& touched : op["touched"]) {
    plate = plate || touched["with"] == op["into"];
    EXPECT_LE(touched["duration_s"], op["released_s"].get<double>() - op["grabbed_s"].get<double>() + 1e-9);
  }
  EXPECT_TRUE(plate);
  EXPECT_TRUE(op["passed"].empty());  // there is nothing but the plate
  EXPECT_TRUE(op["least_clearance_m"].is_null());
  EXPECT_TRUE(op["head_distance_least_m"].is_null());
}

TEST_F(ExportedSession, CsvHasTheSameOperations) {
  ASSERT_EQ(runTenon({"export", file("s.tenon"), "--format", "csv", "--out", file("tables")}).exitCode, 0);
  std::istringstream lines(contentOf(file("tables/operations.csv")));
  std::string names, values;
  std::getline(lines, names);
  std::getline(lines, values);
  const auto column = [&](const std::string& name) {
    std::istringstream n(names), v(values);
    std::string at, value;
    while (std::getline(n, at, ',') && std::getline(v, value, ','))
      if (at == name) return value;
    return std::string("none");
  };
  EXPECT_EQ(std::stod(column("hand_path_m")), operation()["hand_path_m"].get<double>());
  EXPECT_EQ(std::stod(column("max_push_n")), operation()["max_push_n"].get<double>());
}

TEST_F(ExportedSession, MotionHasARowForEachKeyframeWithThePosesOfAllParts) {
  const std::string folder = file("motion");
  ASSERT_EQ(runTenon({"export", file("s.tenon"), "--format", "csv", "--out", folder}).exitCode, 0);
  std::istringstream lines(contentOf(folder + "/motion.csv"));
  const auto cells = [&] {
    std::vector<std::string> all;
    std::string line, cell;
    std::getline(lines, line);
    for (std::istringstream in(line); std::getline(in, cell, ',');) all.push_back(cell);
    return all;
  };
  const std::vector<std::string> names = cells();
  const auto column = [&](const std::vector<std::string>& row, const std::string& name) {
    const auto at = std::find(names.begin(), names.end(), name);
    EXPECT_NE(at, names.end()) << name;
    return row.at(static_cast<std::size_t>(at - names.begin()));
  };
  const std::vector<std::string> first = cells();
  std::vector<std::string> last = first;
  int rows = 1;
  bool wasHeld = false;
  for (std::vector<std::string> row = cells(); !row.empty(); row = cells(), ++rows) {
    EXPECT_EQ(row.size(), names.size());
    wasHeld = wasHeld || column(row, "right holds") == "screw";
    last = row;
  }
  EXPECT_TRUE(wasHeld);
  const content::Scene scene = content::loadScene(scenePath("bolt-in-plate"));
  for (const content::Part& part : scene.parts) {
    EXPECT_NEAR(std::stod(column(first, part.name + " px_m")), part.X_WP.p.x(), 1e-12);
    EXPECT_NEAR(std::stod(column(first, part.name + " pz_m")), part.X_WP.p.z(), 1e-12);
    EXPECT_NEAR(std::stod(column(first, part.name + " qw")), part.X_WP.q.w(), 1e-12);
  }
  const std::string s = file("s.tenon");
  EXPECT_EQ(rows, oneNumber(s, "SELECT count(*) FROM tick, session WHERE tick % keyframe_every = 0"));
  const std::string goal = runtime::goalName(scene, 0);
  EXPECT_EQ(std::stod(column(last, goal + " depth_m")),
            oneNumber(s, "SELECT depth_m FROM goal_state ORDER BY tick DESC LIMIT 1"));
  EXPECT_EQ(column(last, goal + " verdict"), "inserted");
}

/// What stands between two texts of the page.
std::string between(const std::string& page, const std::string& from, const std::string& to) {
  const std::size_t begin = page.find(from);
  if (begin == std::string::npos) return "none";
  const std::size_t end = page.find(to, begin + from.size());
  return page.substr(begin + from.size(), end - begin - from.size());
}

/// How far a number of three digits may be from `value`, and one that is resolved to `resolution`.
double asShown(const Json& value, double resolution) {
  return std::max(5.1e-3 * std::abs(value.get<double>()), 0.51 * resolution);
}

/// The page as a browser understood it, with a profile of its own.
std::string seenByABrowser(const std::string& page, const std::string& options) {
  const TemporaryFolder folder;
  const std::string command = "HOME=" + folder.path() + " timeout 120 chromium --headless --no-sandbox " +
                              options + " --user-data-dir=" + (folder / "profile") + " --dump-dom 'file://" +
                              page + "' > " + (folder / "seen.html") + " 2> " + (folder / "log");
  EXPECT_EQ(std::system(command.c_str()), 0) << contentOf(folder / "log");
  return contentOf(folder / "seen.html");
}

TEST_F(ExportedSession, TheReportIsSelfContainedAndGivesTheSameFigures) {
  const std::string page = exported("html");
  const Json op = operation();
  EXPECT_EQ(Json::parse(between(page, "id='operations'>", "</script>")).at(0), op);
  EXPECT_NEAR(std::stod(between(page, "data-of='max_push'>", " N")), op["max_push_n"],
              asShown(op["max_push_n"], 1e-3));
  EXPECT_NEAR(std::stod(between(page, "data-of='hand_path'>", " mm")) / 1e3, op["hand_path_m"],
              asShown(op["hand_path_m"], 1e-4));
  EXPECT_NEAR(std::stod(between(page, "data-of='lateral'>", " µm")) / 1e6, op["lateral_error_m"],
              asShown(op["lateral_error_m"], 1e-8));
  for (const char* outside : {"http://", "https://", "src='/", "@import", "url("})
    EXPECT_EQ(page.find(outside), std::string::npos) << outside;
  EXPECT_NE(page.find("width=device-width"), std::string::npos);
  EXPECT_NE(page.find("@media print"), std::string::npos);
  // Push against depth has as many points as the record has keyframes there, or at least hundreds.
  const std::string curve = between(page, "class='curve' points='", "'");
  EXPECT_GT(std::count(curve.begin(), curve.end(), ','), 100);
  const bool pictures = page.find("data:image/png;base64,iVBOR") != std::string::npos;
  EXPECT_NE(pictures, page.find("No pictures:") != std::string::npos);
}

bool hasBrowser() {
  return std::system("command -v chromium > /dev/null") == 0;
}

TEST_F(ExportedSession, TheReportIsReadByABrowser) {
  if (!hasBrowser()) GTEST_SKIP() << "there is no chromium: apt install chromium";
  exported("html");
  const std::string page = seenByABrowser(file("s.html"), "--disable-gpu");
  const Json op = operation();
  EXPECT_NEAR(std::stod(between(page, "data-of=\"max_push\">", " N")), op["max_push_n"],
              asShown(op["max_push_n"], 1e-3));
  EXPECT_NEAR(std::stod(between(page, "data-of=\"hand_path\">", " mm")) / 1e3, op["hand_path_m"],
              asShown(op["hand_path_m"], 1e-4));
  EXPECT_NE(page.find("<polyline class=\"curve\""), std::string::npos);
  EXPECT_NE(page.find("1 of 1 goal inserted"), std::string::npos);
}

TEST_F(ExportedSession, TheReportIsPrintedOnPages) {
  if (!hasBrowser()) GTEST_SKIP() << "there is no chromium: apt install chromium";
  const std::string document = exported("pdf");
  EXPECT_TRUE(document.starts_with("%PDF-"));
  std::istringstream box(between(document, "/MediaBox [", "]"));
  double left = 0, bottom = 0, right = 0, top = 0;
  box >> left >> bottom >> right >> top;
  EXPECT_NEAR(right - left, 595, 1) << "A4 [points]";
  EXPECT_NEAR(top - bottom, 842, 1);
  EXPECT_NE(document.find("/Image"), std::string::npos) << "pictures of the report";
}

TEST_F(ExportedSession, PrintingNeedsABrowser) {
  const std::string out = file("none.pdf");
  const std::string command = "PATH=" + file("") + " " TENON_PROGRAM " export " + file("s.tenon") +
                              " --format pdf --out " + out + " 2> " + file("said");
  EXPECT_EQ(WEXITSTATUS(std::system(command.c_str())), 3);
  EXPECT_EQ(contentOf(file("said")),
            "tenon: --format pdf needs Chromium to print the page: install the package chromium, or export "
            "html\n");
  EXPECT_FALSE(std::filesystem::exists(out));
}

/// Measures in the page itself, in a frame as wide as a phone, what is wider; what scrolls by itself may be.
TEST_F(ExportedSession, TheReportFitsAPhone) {
  if (!hasBrowser()) GTEST_SKIP() << "there is no chromium: apt install chromium";
  std::string page = exported("html");
  const std::string ask =
      "<script>addEventListener('load', () => {"
      "const d = document.documentElement, w = d.clientWidth;"
      "const wide = [...document.querySelectorAll('main, main *')].filter(e => !e.closest('.wide *') && "
      "!e.closest('svg *') && e.getBoundingClientRect().right > w + 0.5).map(e => e.tagName + '.' + "
      "e.className);"
      "parent.document.body.setAttribute('data-fit', `${innerWidth};${d.scrollWidth - w};${wide.join(' ')}`);"
      "})</script>";
  page.insert(page.rfind("</body>"), ask);
  // A window of a browser is no narrower than 500 pixels.
  std::ofstream(file("phone.html")) << "<!DOCTYPE html><body><iframe width='390' height='844' srcdoc='"
                                    << runtime::escapeMarkup(page) << "'></iframe></body>";
  const std::string seen = seenByABrowser(file("phone.html"), "--disable-gpu");
  const std::string fit = between(seen, "data-fit=\"", "\"");
  EXPECT_EQ(fit, "390;0;") << "width of the window, by how much the page is wider, and what of it";
}

TEST_F(ExportedSession, WhatAFileSaysIsNotTakenForHtml) {
  EXPECT_EQ(runtime::escapeMarkup("<script>alert('1 & \"2\"')</script>\n"),
            "&lt;script&gt;alert(&#39;1 &amp; &quot;2&quot;&#39;)&lt;/script&gt; ");
}

/// The numbers of an accessor, as floats.
std::vector<float> numbersOf(const tinygltf::Model& model, int accessor, std::size_t components) {
  const tinygltf::Accessor& a = model.accessors.at(static_cast<std::size_t>(accessor));
  const tinygltf::BufferView& view = model.bufferViews.at(static_cast<std::size_t>(a.bufferView));
  std::vector<float> numbers(a.count * components);
  std::memcpy(numbers.data(), model.buffers.at(0).data.data() + view.byteOffset,
              numbers.size() * sizeof(float));
  return numbers;
}

TEST_F(ExportedSession, TheAnimationEndsWhereTheSessionDid) {
  const std::string bytes = exported("glb");
  tinygltf::Model model;
  std::string error, warning;
  ASSERT_TRUE(tinygltf::TinyGLTF().LoadBinaryFromMemory(&model, &error, &warning,
                                                        reinterpret_cast<const unsigned char*>(bytes.data()),
                                                        static_cast<unsigned>(bytes.size())))
      << error;
  EXPECT_EQ(error + warning, "");
  ASSERT_EQ(model.animations.size(), 1U);
  const SQLite::Database database(file("s.tenon"));
  const double end = oneNumber(file("s.tenon"), "SELECT max(time_s) FROM tick WHERE keyframe = 1");
  int moving = 0;
  for (const tinygltf::AnimationChannel& channel : model.animations[0].channels) {
    if (channel.target_path != "translation") continue;
    ++moving;
    const tinygltf::AnimationSampler& sampler =
        model.animations[0].samplers.at(static_cast<std::size_t>(channel.sampler));
    const std::vector<float> times = numbersOf(model, sampler.input, 1),
                             places = numbersOf(model, sampler.output, 3);
    EXPECT_EQ(times.size() * 3, places.size());
    EXPECT_NEAR(times.back(), end, 1e-6);
    const std::string& name = model.nodes.at(static_cast<std::size_t>(channel.target_node)).name;
    SQLite::Statement row(
        database,
        "SELECT px_m, py_m, pz_m, qw, qx, qy, qz, origin_x_m, origin_y_m, origin_z_m FROM body_state "
        "JOIN body ON body.id = body WHERE name = ? ORDER BY tick DESC LIMIT 1");
    row.bind(1, name);
    ASSERT_TRUE(row.executeStep()) << name;
    const auto at = [&](int k) { return row.getColumn(k).getDouble(); };
    const Eigen::Vector3d p =
        Eigen::Vector3d(at(0), at(1), at(2)) +
        Eigen::Quaterniond(at(3), at(4), at(5), at(6)) * Eigen::Vector3d(at(7), at(8), at(9));
    for (int k = 0; k < 3; ++k)
      EXPECT_NEAR(places[places.size() - 3 + static_cast<std::size_t>(k)], p[k], 1e-6) << name;
  }
  EXPECT_GE(moving, 1);
}

/// A head over the plate that looks straight down.
TEST_F(ExportedSession, PageShowsTheHeadAndThePosture) {
  std::filesystem::copy_file(file("s.tenon"), file("head.tenon"));
  change(file("head.tenon"), "INSERT INTO head_pose VALUES (1, 0, 0, 0.6, 1, 0, 0, 0)");
  ASSERT_EQ(runTenon({"export", file("head.tenon"), "--format", "html", "--out", file("head.html")}).exitCode,
            0);
  const std::string page = contentOf(file("head.html"));
  EXPECT_NE(page.find("gaze 90° down on average, 90° at most; reach "), std::string::npos);
  EXPECT_EQ(exported("html").find("Posture (estimate)"), std::string::npos) << "no headset was worn";
  EXPECT_NE(exported("html").find("no part without contact came within 100 mm"), std::string::npos);
}

TEST_F(ExportedSession, NothingIsLeftWhereASessionIsDamaged) {
  std::filesystem::copy_file(file("s.tenon"), file("damaged.tenon"));
  const std::string damaged = file("damaged.tenon");
  const auto expectRefused = [&](const std::string& format, const std::string& why) {
    const std::string out = file("damaged." + format);
    const Outcome outcome = runTenon({"export", damaged, "--format", format, "--out", out});
    EXPECT_EQ(outcome.exitCode, 2) << format;
    EXPECT_NE(outcome.err.find(why), std::string::npos) << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(out));
  };
  change(damaged, "INSERT INTO head_pose VALUES (1, 0, 0, 0.6, 2, 0, 0, 0)");
  expectRefused("html", "has a head_pose whose quaternion is not of length 1");
  change(damaged, "DELETE FROM head_pose");
  change(damaged, "UPDATE tick SET chain = 7 WHERE tick = 1234");
  expectRefused("html", "tick 1234: the chain of hashes is broken");
  expectRefused("glb", "tick 1234: the chain of hashes is broken");
  change(damaged, "UPDATE body_state SET vz_m_per_s = 0.5 WHERE tick = 1000");
  expectRefused("glb", "tick 1000: its states are not those that were recorded");
  change(damaged, "UPDATE tick SET keyframe = 0 WHERE tick = 500");
  expectRefused("glb", "tick 500: has lost its keyframe");
  change(
      damaged,
      "UPDATE tick SET keyframe = 1 WHERE tick = 500; UPDATE hand_state SET fx_n = 9e999 WHERE tick = 900");
  expectRefused("html", "tick 900: fx_n is not a finite number");
}

/// Of four-bolts' first screw: measured again at every keyframe in which it was held.
TEST(Export, PassedPartsAreThoseNeitherTouchedNorLainOnNearestFirst) {
  const TemporaryFolder folder;
  const std::string file = folder / "s.tenon";
  record("four-bolts", "1.8", file);
  ASSERT_EQ(runTenon({"export", file, "--format", "json", "--out", folder / "s.json"}).exitCode, 0);
  const Json operations = Json::parse(contentOf(folder / "s.json"))["operations"];
  const content::Scene scene = content::loadScene(scenePath("four-bolts"));
  const physics::World world = content::buildWorld(scene, {});
  int taken = 0;
  for (const Json& op : operations) {
    if (op["grasps"] == 0) continue;
    ++taken;
    const content::Goal& goal = scene.goals[op["goal"].get<std::size_t>()];
    ASSERT_GE(op["passed"].size(), 2u);
    EXPECT_EQ(op["least_clearance_m"], op["passed"][0]["clearance_m"]);
    EXPECT_EQ(op["least_clearance_to"], op["passed"][0]["part"]);
    std::map<std::string, double> reported;
    double before = 0;
    for (const Json& passed : op["passed"]) {
      EXPECT_GE(passed["clearance_m"], before);
      before = passed["clearance_m"];
      reported[passed["part"]] = before;
      EXPECT_EQ(passed["part"].get<std::string>().find("tray"), std::string::npos) << "it lay there";
      EXPECT_NE(passed["part"], op["into"]);
    }
    runtime::SessionReader session(file);
    runtime::Keyframes keyframes(session);
    runtime::ClearanceReadout readout(scene);
    std::map<std::string, double> measured;
    for (runtime::Keyframe frame; keyframes.next(frame);) {
      if (std::none_of(frame.hands.begin(), frame.hands.end(),
                       [&](const physics::HandState& hand) { return hand.body.value == goal.part; }))
        continue;
      std::vector<physics::Pose> X_WP;
      for (std::size_t k = 0; k < scene.parts.size(); ++k)
        X_WP.push_back(world.partPose({static_cast<int>(k)}, frame.bodies[k]));
      for (std::size_t k = 0; k < scene.parts.size(); ++k) {
        const auto gap = readout.gapBetween(goal.part, static_cast<int>(k), X_WP);
        if (!gap) continue;
        const auto [at, isNew] = measured.try_emplace(scene.parts[k].name, gap->distance);
        at->second = std::min(at->second, gap->distance);
      }
    }
    for (const auto& [name, clearance] : reported) EXPECT_NEAR(clearance, measured.at(name), 1e-9) << name;
  }
  EXPECT_GE(taken, 1);
}

TEST(AxisTicks, AreMultiplesOfOneTwoOrFiveTimesAPowerOfTen) {
  for (const auto& [low, high] :
       {std::pair(0.0, 1.0), std::pair(-3.2, 7.9), std::pair(1e-9, 3e-9), std::pair(998.0, 1003.0)}) {
    const std::vector<double> ticks = runtime::axisTicks(low, high);
    EXPECT_GE(ticks.size(), 3U);
    EXPECT_LE(ticks.size(), 8U);
    EXPECT_GE(ticks.front(), low - 1e-9 * high);
    EXPECT_LE(ticks.back(), high * (1 + 1e-9));
    const double step = ticks[1] - ticks[0], power = std::pow(10, std::floor(std::log10(step) + 1e-6));
    const double digit = step / power;  // 1, 2 or 5
    EXPECT_LT(std::min({std::abs(digit - 1), std::abs(digit - 2), std::abs(digit - 5)}), 1e-6) << step;
    for (const double tick : ticks) EXPECT_NEAR(tick / step, std::round(tick / step), 1e-6) << tick;
  }
  EXPECT_TRUE(runtime::axisTicks(1, 1).empty());
}

}  // namespace
}  // namespace tenon::tests::export_test
