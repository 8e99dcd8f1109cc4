// tenon vr with Monado, and a person made of numbers: two hands that tests move by the world's coordinates.
#pragma once

#include <gtest/gtest.h>

#include <csignal>
#include <fstream>
#include <optional>

#include "tests/support/monado.h"
#include "tests/support/traced_program.h"
#include "xr/hands/pose_interpolation.h"

namespace tenon::tests {

/// There, turned about y.
inline physics::Pose tilted(const physics::Vector3d& p, double angle) {
  physics::Pose X = physics::Pose::at(p);
  X.q = physics::Quaterniond(Eigen::AngleAxisd(angle, physics::Vector3d::UnitY()));
  return X;
}

class VrPerson : public testing::Test {
 protected:
  using Json = TracedProgram::Json;
  using Pose = physics::Pose;
  using Vector3d = physics::Vector3d;
  static constexpr std::size_t kLeft = Monado::kLeft, kRight = Monado::kRight;

  void SetUp() override {
    if (const std::string why = whyNoMonado(); !why.empty()) GTEST_SKIP() << why;
    monado_.emplace();
  }

  /// A scene of the project without time limits.
  std::string unhurried(const std::string& name) const {
    std::ifstream in(scenePath(name));
    Json scene = Json::parse(in);
    scene["duration_s"] = 3600;
    for (Json& goal : scene["goals"]) goal["time_limit_s"] = 3600;
    std::string file = folder_ / (name + ".json");
    std::ofstream(file) << scene.dump(1);
    return file;
  }

  enum class Wait { untilPlaying, none };
  void start(std::vector<std::string> arguments, const std::vector<std::string>& variables = {},
             Wait wait = Wait::untilPlaying) {
    const std::string trace = folder_ / "trace.jsonl";
    arguments.insert(arguments.begin(), {TENON_PROGRAM, "vr"});
    arguments.insert(arguments.end(), {"--trace", trace});
    std::vector<std::string> environment = monado_->environment();
    environment.insert(environment.end(), {"DISPLAY=", "WAYLAND_DISPLAY="});  // no window beside
    environment.insert(environment.end(), variables.begin(), variables.end());
    program_.emplace(monado_->with(arguments), environment, folder_.path(), trace);
    if (wait == Wait::none) return;
    ASSERT_TRUE(waitFor([](const Json& line) {
      return line["state"] == "focused" && line["paused"] == false;
    })) << said();
  }
  /// Ends the session; the exit code.
  int stop() {
    program_->send(SIGINT);
    return program_->exitCode();
  }
  /// By the same libraries: another C library rounds differently.
  int verify(const std::string& session) {
    TracedProgram replay(monado_->with({TENON_PROGRAM, "replay", session, "--verify"}),
                         monado_->environment(), folder_.path(), folder_ / "none");
    const int code = replay.exitCode();
    last_ = replay.said();
    return code;
  }

  /// Lines of frames alone.
  bool waitFor(const std::function<bool(const Json&)>& is) {
    return program_->waitFor([&](const Json& line) { return line.contains("hands") && is(line); });
  }
  bool waitForHand(std::size_t side, const std::function<bool(const Json&)>& is) {
    return waitFor([&](const Json& line) {
      last_ = handOf(line, side).dump();
      return is(handOf(line, side));
    });
  }
  /// Until so much of the session's time has passed [s].
  bool waitSeconds(double time) {
    const double from = now()["time_s"].get<double>();
    return waitFor([&](const Json& line) { return line["time_s"].get<double>() > from + time; });
  }
  const Json& now() { return program_->now(); }
  const Json& handNow(std::size_t side) { return handOf(now(), side); }
  std::string said() const { return program_->said() + "\nlast: " + last_; }

  static const Json& handOf(const Json& line, std::size_t side) {
    for (const Json& one : line["hands"])
      if (one["hand"] == (side == kLeft ? "left" : "right")) return one;
    throw std::runtime_error("no such hand");
  }
  static Vector3d vectorOf(const Json& json) {
    return {json[0].get<double>(), json[1].get<double>(), json[2].get<double>()};
  }
  static Pose poseOf(const Json& json) {
    Pose X = Pose::at(vectorOf(json));
    X.q = physics::Quaterniond(json[3].get<double>(), json[4].get<double>(), json[5].get<double>(),
                               json[6].get<double>());
    return X;
  }
  /// The world's frame in the room.
  Pose X_SW() { return poseOf(now()["world_in_room"]); }
  Pose partPose(const std::string& part) { return poseOf(now()["poses"][part]); }

  /// Brings a hand there and waits until physics has it.
  bool moveHand(std::size_t side, const Pose& X_WH) {
    monado_->hands[side].X_SH = X_SW() * X_WH;
    monado_->send();
    return waitForHand(side, [&](const Json& hand) {
      const Pose target = poseOf(hand["target"]);
      return (target.p - X_WH.p).norm() < 2e-5 && target.q.angularDistance(X_WH.q) < 1e-3;
    });
  }
  bool squeezeHand(std::size_t side, double squeeze) {
    monado_->hands[side].squeeze = squeeze;
    monado_->send();
    return waitForHand(side, [&](const Json& hand) { return hand["closed"] == (squeeze > 0.5); });
  }
  /// Takes a part there; its grip is kept.
  bool take(std::size_t side, const std::string& part, const Pose& X_WH) {
    if (!moveHand(side, X_WH) || !squeezeHand(side, 1)) return false;
    if (!waitForHand(side, [&](const Json& hand) { return hand["holds"] == part; })) return false;
    X_WP_ = partPose(part);
    X_PH_[side] = X_WP_.inverse() * X_WH;
    return true;
  }
  bool letGo(std::size_t side) {
    return squeezeHand(side, 0) &&
           waitForHand(side, [](const Json& hand) { return hand["holds"].is_null(); });
  }
  /// Carries what a hand holds to a pose of its own, in small steps as a person would.
  bool carry(std::size_t side, const Pose& X_WP, int steps) {
    const Pose from = X_WP_;
    for (int k = 1; k <= steps; ++k)
      if (!moveHand(side, xr::interpolatePose(from, X_WP, static_cast<double>(k) / steps) * X_PH_[side]))
        return false;
    X_WP_ = X_WP;
    return true;
  }

  /// Turns the left palm to the head and waits for the menu.
  bool openMenu() {
    RemoteHand& hand = monado_->hands[kLeft];
    hand.X_SH.p = {-0.1, 1.35, -0.4};
    hand.X_SH.q = physics::Quaterniond::FromTwoVectors(Vector3d::UnitX(), monado_->X_SHead.p - hand.X_SH.p);
    monado_->send();
    return waitFor(
        [](const Json& line) { return line["menu"]["shown"] == true && !line["menu"]["at"].empty(); });
  }
  /// Turns it away again.
  bool closeMenu() {
    monado_->hands[kLeft].X_SH.q.setIdentity();
    monado_->send();
    return waitFor([](const Json& line) { return line["menu"]["shown"] == false; });
  }
  /// Brings the right finger's tip so far before a control of the menu, pointing at it.
  void pointAt(const std::string& control, double before) {
    const Pose X_SP = poseOf(now()["menu"]["in_room"]);
    monado_->hands[kRight].X_SH = {
        X_SP.q, vectorOf(now()["menu"]["at"].at(control)) + (before + 0.07) * (X_SP.q * Vector3d::UnitZ())};
    monado_->send();
  }
  bool waitForPressed(bool pressed) {
    return waitFor([&](const Json& line) { return line["menu"]["pressed"] == pressed; });
  }
  bool waitForTip(double before) {
    return waitFor([&](const Json& line) {
      const Json& right = handOf(line, kRight);
      if (right["in_room"].is_null() || line["menu"]["shown"] != true) return false;
      const Vector3d tip =
          poseOf(line["menu"]["in_room"]).inverse() * (poseOf(right["in_room"]) * Vector3d(0, 0, -0.07));
      return std::abs(tip.z() - before) < 1e-3;
    });
  }
  /// With the finger through the panel and back.
  bool touch(const std::string& control) {
    if (!now()["menu"]["at"].contains(control)) return false;
    pointAt(control, 0.03);
    if (!waitForTip(0.03)) return false;
    pointAt(control, -0.01);
    if (!waitForPressed(true)) return false;
    pointAt(control, 0.03);
    return waitForPressed(false);
  }
  /// By the ray and the trigger, from afar.
  bool shoot(const std::string& control) {
    if (!now()["menu"]["at"].contains(control)) return false;
    pointAt(control, 0.2);
    if (!waitForTip(0.2)) return false;
    monado_->hands[kRight].trigger = 1;
    monado_->send();
    if (!waitForPressed(true)) return false;
    monado_->hands[kRight].trigger = 0;
    monado_->send();
    return waitForPressed(false);
  }
  /// Turns to a page of the menu.
  bool openPage(const std::string& page) {
    return shoot(page) && waitFor([&](const Json& line) { return line["menu"]["page"] == page; });
  }

  TemporaryFolder folder_;
  std::optional<Monado> monado_;
  std::optional<TracedProgram> program_;
  std::array<Pose, 2> X_PH_;
  Pose X_WP_;
  std::string last_;
};

}  // namespace tenon::tests
