// A held part goes through three phases: up and over to its hole, into it, and, of screws, turned in it.
#include "runtime/export/hand_script.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <numbers>
#include <optional>
#include <utility>
#include <vector>

#include "content/input/parse_json.h"
#include "runtime/export/hand_paths.h"
#include "runtime/export/motion_track.h"

namespace tenon::runtime {

namespace {

using Json = nlohmann::ordered_json;
using physics::Pose;
using physics::Vector3d;

constexpr double kTolerance = 0.5e-3;    ///< of simplified paths [m]
constexpr double kApproach = 10e-3;      ///< beside the axis, up to where a part is above its hole [m]
constexpr double kSameDepth = 5e-6;      ///< smaller differences from the goal's depth are left out [m]
constexpr double kSameOffset = 0.02e-3;  ///< beside the axis, that is on it [m]
constexpr double kSamePlace = 0.2e-3;    ///< of the part with the hole, as the reader expects it [m]
constexpr double kTurned = std::numbers::pi / 3;  ///< rotation about the axis that is a turn of a screw [rad]
constexpr double kPause = 0.05;                   ///< pauses below are left out [s]
constexpr double kReaderSpeed = 0.25;             ///< of a hand that goes to a part [m/s]
constexpr double kRetreat = 20e-3;                ///< a hand that leaves a part upwards [m]
constexpr double kDegree = std::numbers::pi / 180;

double roundedTo(double value, double step) {
  return std::round(value / step) * step + 0.0;
}

/// Rounded to three decimals, as a person would write it.
double brief(double value) {
  return std::round(value * 1e3) / 1e3 + 0.0;
}

double speedBetween(double way, double time) {
  const double mm = 1e3 * way / std::max(time, 1e-3);
  return std::max(1.0, mm < 100 ? roundedTo(mm, 1) : roundedTo(mm, 10));
}

/// Writes the script of one hand.
class HandScriptWriter {
 public:
  HandScriptWriter(const content::Scene& scene, const HandPaths& paths, std::size_t hand,
                   std::map<int, Pose>& moved)
      : scene_(scene), paths_(paths), path_(paths.hands[hand]), moved_(moved) {
    if (scene.gravity.norm() > 0) up_ = -scene.gravity.normalized();
    if (!path_.empty()) hand_ = path_.front().X_WH.p;
    perMeter_ = scene.unit == "m" ? 1 : scene.unit == "in" ? 1 / 0.0254 : 1e3;
  }

  std::vector<Json> run() {
    std::size_t begin = 0;
    while (begin < path_.size()) {
      if (path_[begin].held < 0) {
        ++begin;
        continue;
      }
      std::size_t end = begin;
      while (end < path_.size() && path_[end].held == path_[begin].held) ++end;
      take(begin);
      carry(begin, end);
      if (end < path_.size()) release(end);
      begin = end;
    }
    return std::move(steps_);
  }

 private:
  double height(const Vector3d& p) const { return p.dot(up_); }

  std::vector<double> written(const Vector3d& p) const {
    return {brief(p.x() * perMeter_), brief(p.y() * perMeter_), brief(p.z() * perMeter_)};
  }

  /// Where the reader of the script takes a part to be.
  const Pose& expected(int part) const {
    const auto found = moved_.find(part);
    return found == moved_.end() ? scene_.part(part).X_WP : found->second;
  }

  void take(std::size_t at) {
    const PathPoint& grab = path_[at];
    const double way = (grab.X_WH.p - (at > 0 ? hand_ : grab.X_WH.p)).norm();
    const double start = grab.time - way / kReaderSpeed;
    if (start > time_ + kPause) steps_.push_back({{"wait_until_s", brief(start)}});
    Json step = {{"take", scene_.part(grab.held).name}};
    const Vector3d center = scene_.part(grab.held).mass.center;
    if ((grab.X_PH.p - center).norm() > kTolerance) step["at"] = written(grab.X_PH.p);
    steps_.push_back(std::move(step));
    time_ = grab.time;
  }

  void carry(std::size_t begin, std::size_t end) {
    const std::optional<std::size_t> goal = goalReached(begin, end);
    if (goal)
      insert(begin, end, scene_.goals[*goal]);
    else
      follow(begin, end);
    const PathPoint& last = path_[end - 1];
    moved_[last.held] = last.X_WP();
    hand_ = last.X_WH.p;
  }

  void release(std::size_t at) {
    const double left = path_[at].time;
    // The last motion before the release.
    std::size_t still = at;
    while (still > 1 && path_[still - 1].held == path_[at - 1].held &&
           (path_[still - 1].X_WH.p - path_[at - 1].X_WH.p).norm() < 1e-6)
      --still;
    const double pause = left - path_[std::min(still, at - 1)].time;
    if (pause > kPause) steps_.push_back({{"wait_s", brief(pause)}});
    steps_.push_back({{"release", true}});
    time_ = left;
    double top = height(path_[at].X_WH.p);
    for (std::size_t k = at; k < path_.size() && path_[k].held < 0; ++k)
      top = std::max(top, height(path_[k].X_WH.p));
    const double rise = top - height(path_[at].X_WH.p);
    if (rise > kRetreat) {
      steps_.push_back({{"lift_mm", roundedTo(rise * 1e3, 1)}});
      hand_ = path_[at].X_WH.p + rise * up_;
    }
  }

  /// The goal into whose hole the part goes at the end of points [begin, end), if the hole is where the
  /// reader will take it to be.
  std::optional<std::size_t> goalReached(std::size_t begin, std::size_t end) const {
    const PathPoint& last = path_[end - 1];
    for (std::size_t g = 0; g < scene_.goals.size(); ++g) {
      const content::Goal& goal = scene_.goals[g];
      if (goal.part != last.held || goal.pose) continue;
      if (end < path_.size()) {
        const auto parts = paths_.partsAt.find(path_[end].tick);
        if (parts == paths_.partsAt.end()) continue;
        const Pose& actual = parts->second[static_cast<std::size_t>(goal.into)];
        if ((actual * goal.X_IH.p - expected(goal.into) * goal.X_IH.p).norm() > kSamePlace) continue;
      }
      const Vector3d p = inHole(last, goal), first = inHole(path_[begin], goal);
      const Vector3d axis = last.X_WP().q * feature(goal).direction;
      const double along = -axis.dot(expected(goal.into).q * (goal.X_IH.q * Vector3d::UnitZ()));
      if (isInside(p, goal) && !isInside(first, goal) && along > 0.9) return g;
    }
    return std::nullopt;
  }

  const content::AxisFeature& feature(const content::Goal& goal) const {
    return scene_.part(goal.part).features[static_cast<std::size_t>(goal.feature)];
  }

  /// Where the end of the part is, seen from the mouth of the hole [m].
  Vector3d inHole(const PathPoint& point, const content::Goal& goal) const {
    const Pose X_WH = expected(goal.into) * goal.X_IH;
    return X_WH.inverse() * (point.X_WP() * feature(goal).origin);
  }
  static bool isInside(const Vector3d& p_H, const content::Goal& goal) {
    return p_H.z() < 0 && std::hypot(p_H.x(), p_H.y()) < std::max(goal.depth / 2, kApproach);
  }

  /// Rotation of the part about the hole's axis between two points, right-handed into the hole [rad].
  double turnBetween(const PathPoint& a, const PathPoint& b, const content::Goal& goal) const {
    const Vector3d into = -(expected(goal.into).q * (goal.X_IH.q * Vector3d::UnitZ()));
    return physics::logarithm(b.X_WP().q * a.X_WP().q.conjugate()).dot(into);
  }

  /// The last vertex of the simplified path before the end of the part goes below the mouth.
  std::size_t approachOf(std::size_t begin, std::size_t end, const content::Goal& goal) const {
    const content::GlbAnimation keys = simplified(begin, end);
    std::size_t start = begin;
    for (std::size_t k = begin; k < end; ++k)
      if (std::binary_search(keys.times.begin(), keys.times.end(), path_[k].time) &&
          inHole(path_[k], goal).z() > 0)
        start = k;
    return start;
  }

  content::GlbAnimation simplified(std::size_t begin, std::size_t end) const {
    const content::Part& part = scene_.part(path_[begin].held);
    MotionTrack track(std::max(part.mass.center.norm(), 20e-3), kTolerance);
    for (std::size_t k = begin; k < end; ++k) track.add(path_[k].time, path_[k].X_WP());
    return track.finish();
  }

  void insert(std::size_t begin, std::size_t end, const content::Goal& goal) {
    const std::size_t start = approachOf(begin, end, goal);
    const std::size_t turn = turnsFrom(start, end, goal);
    const Vector3d approach = inHole(path_[start], goal), last = inHole(path_[turn], goal);
    Json step = {{"insert", scene_.part(goal.part).name},
                 {"into", scene_.part(goal.into).name + "/" + goal.hole}};
    if (scene_.part(goal.part).features.size() > 1) step["feature"] = feature(goal).name;
    step["approach_mm"] = brief(std::max(approach.z(), 0.1e-3) * 1e3);
    if (const double beside = std::hypot(approach.x(), approach.y());
        beside > kSameOffset && beside < kApproach)
      step["offset_mm"] = {brief(approach.x() * 1e3), brief(approach.y() * 1e3)};
    if (std::abs(-last.z() - goal.depth) > kSameDepth) step["depth_mm"] = brief(-last.z() * 1e3);
    double top = height(path_[begin].X_WP().p);
    for (std::size_t k = begin; k <= start; ++k) top = std::max(top, height(path_[k].X_WP().p));
    const double ends = std::max(height(path_[begin].X_WP().p), height(path_[start].X_WP().p));
    step["lift_mm"] = roundedTo(std::max(top - ends, 5e-3) * 1e3, 1);
    step["carry_speed_mm_per_s"] = speedBetween(wayOf(begin, start), path_[start].time - path_[begin].time);
    step["speed_mm_per_s"] =
        speedBetween((last - approach).norm(), path_[stillFrom(turn)].time - path_[start].time);
    steps_.push_back(std::move(step));
    if (turn + 1 < end) addTurns(turn, end, goal);
  }

  /// First of the points that are the same as `at`.
  std::size_t stillFrom(std::size_t at) const {
    while (at > 0 && isSameTarget(path_[at - 1], path_[at])) --at;
    return at;
  }
  static bool isSameTarget(const PathPoint& a, const PathPoint& b) {
    return a.held == b.held && (a.X_WH.p - b.X_WH.p).norm() < 1e-9 &&
           a.X_WH.q.angularDistance(b.X_WH.q) < 1e-9;
  }

  double wayOf(std::size_t begin, std::size_t end) const {
    double way = 0;
    for (std::size_t k = begin; k < end; ++k) way += (path_[k + 1].X_WP().p - path_[k].X_WP().p).norm();
    return way;
  }

  /// Where in [start, end) a screw begins to be turned; the last point if it is not.
  std::size_t turnsFrom(std::size_t start, std::size_t end, const content::Goal& goal) const {
    double all = 0;
    std::vector<double> turned(end, 0);
    for (std::size_t k = start; k + 1 < end; ++k)
      turned[k + 1] = all += turnBetween(path_[k], path_[k + 1], goal);
    if (std::abs(all) < kTurned) return end - 1;
    std::size_t from = start;
    while (from + 1 < end && std::abs(turned[from + 1]) < kDegree) ++from;
    return from;
  }

  void addTurns(std::size_t from, std::size_t end, const content::Goal& goal) {
    double angle = 0;
    for (std::size_t k = from; k + 1 < end; ++k) angle += turnBetween(path_[k], path_[k + 1], goal);
    const double turns = angle / (2 * std::numbers::pi);
    const double time = path_[stillFrom(end - 1)].time - path_[from].time;
    const double advance = inHole(path_[from], goal).z() - inHole(path_[end - 1], goal).z();
    steps_.push_back(
        {{"turns", brief(turns)},
         {"advance_mm", brief(advance * 1e3)},
         {"turns_per_s", std::max(0.01, roundedTo(std::abs(turns) / std::max(time, 1e-3), 0.01))}});
  }

  /// Waypoints of points [begin, end).
  void follow(std::size_t begin, std::size_t end) {
    const content::GlbAnimation keys = simplified(begin, end);
    for (std::size_t k = 1; k < keys.poses.size(); ++k) {
      const Pose &from = keys.poses[k - 1], &to = keys.poses[k];
      const double time = keys.times[k] - keys.times[k - 1], way = (to.p - from.p).norm();
      if (way < 1e-6 && from.q.angularDistance(to.q) < 1e-4) {
        if (time > kPause) steps_.push_back({{"wait_s", brief(time)}});
        continue;
      }
      Json move = {{"frame", "part"}, {"position", written(to.p)}};
      const Vector3d rotation = physics::logarithm(to.q);
      if (rotation.norm() > 1e-4) {
        const Vector3d axis = rotation.normalized();
        move["rotation"] = {{"axis", {brief(axis.x()), brief(axis.y()), brief(axis.z())}},
                            {"angle_deg", brief(rotation.norm() / kDegree)}};
      }
      steps_.push_back({{"move", std::move(move)}, {"speed_mm_per_s", speedBetween(way, time)}});
    }
  }

  const content::Scene& scene_;
  const HandPaths& paths_;
  const std::vector<PathPoint>& path_;
  std::map<int, Pose>& moved_;  ///< poses at which this hand left parts
  Vector3d up_ = Vector3d::UnitZ();
  double perMeter_ = 1e3;             ///< of the scene's unit
  double time_ = 0;                   ///< of the last step [s]
  Vector3d hand_ = Vector3d::Zero();  ///< where it ended
  std::vector<Json> steps_;
};

/// The hand of the scene file without its script; if the file has none of this name, name and position.
Json handOf(const Json& scene, const content::Hand& hand, double perMeter) {
  if (scene.contains("hands") && scene["hands"].is_array())
    for (Json entry : scene["hands"])
      if (entry.is_object() && entry.contains("name") && entry["name"] == hand.name) {
        entry.erase("script");
        return entry;
      }
  const Vector3d p = hand.X_WH.p * perMeter;
  return {{"name", hand.name}, {"position", {brief(p.x()), brief(p.y()), brief(p.z())}}};
}

}  // namespace

std::string handScript(SessionReader& session, const content::Scene& scene, const physics::World& world,
                       const std::function<void(double)>& progress) {
  const Json file = content::parseOrderedJson(session.header().sceneText, session.file());
  const HandPaths paths = handPaths(session, scene, world, progress);
  const double perMeter = scene.unit == "m" ? 1 : scene.unit == "in" ? 1 / 0.0254 : 1e3;
  std::string text =
      "// What the hands did. Try it: tenon run SCENE --script FILE, or tenon preview SCENE --script FILE "
      "--play.\n"
      "// Every step may be changed: content/scene-format.md, \"Hands\".\n{\n  \"hands\": [";
  for (std::size_t h = 0; h < scene.hands.size(); ++h) {
    std::map<int, Pose> moved;
    const std::vector<Json> steps = HandScriptWriter(scene, paths, h, moved).run();
    std::string hand = handOf(file, scene.hands[h], perMeter).dump();
    hand.pop_back();  // its }
    text += fmt::format("{}\n    {},\n     \"script\": [", h > 0 ? "," : "", hand);
    for (std::size_t k = 0; k < steps.size(); ++k)
      text += fmt::format("{}\n       {}", k > 0 ? "," : "", steps[k].dump());
    text += "\n     ]}";
  }
  return text + "\n  ]\n}\n";
}

}  // namespace tenon::runtime
