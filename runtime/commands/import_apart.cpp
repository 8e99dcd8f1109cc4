// See import_apart.h.
#include "runtime/commands/import_apart.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>

#include "content/input/limits.h"
#include "content/input/wording.h"
#include "content/model/hole_sites.h"
#include "content/model/interference_search.h"

namespace tenon::runtime {
namespace {

using content::DraftGoal;
using content::SceneDraft;
using physics::Vector3d;

/// For each part, the first part that it is joined to, directly or through others.
std::vector<std::size_t> clustersOf(const SceneDraft& draft) {
  std::vector<std::size_t> first(draft.parts.size());
  std::iota(first.begin(), first.end(), 0);
  for (bool changed = true; changed;) {
    changed = false;
    for (const content::DraftJoint& joint : draft.joints) {
      auto &a = first[static_cast<std::size_t>(joint.part)], &b = first[static_cast<std::size_t>(joint.to)];
      changed = changed || a != b;
      a = b = std::min(a, b);
    }
  }
  return first;
}

/// The direction out of a hole or place, in the frame of its part.
Vector3d directionOut(const content::Scene& scene, const DraftGoal& goal) {
  if (goal.place) return -goal.place->along;
  return content::mouthOf(scene.part(goal.into).shape, goal.hole).value().X_PH.q * Vector3d::UnitZ();
}

class Moves {
 public:
  Moves(const content::Scene& scene, std::size_t base, double distance, const SceneDraft& draft)
      : cluster_(clustersOf(draft)), moves_(draft.parts.size(), Vector3d::Zero()), from_(draft.parts.size()) {
    for (const DraftGoal& goal : draft.goals) {
      const auto into = static_cast<std::size_t>(goal.into), part = static_cast<std::size_t>(goal.part);
      const bool pinStays = cluster_[part] == cluster_[base];
      const Vector3d out = scene.parts[into].X_WP.q * directionOut(scene, goal);
      const Vector3d move = (goal.depth + distance) * out;
      const std::size_t moved = cluster_[pinStays ? into : part];
      if (move.norm() <= moves_[moved].norm()) continue;
      moves_[moved] = pinStays ? Vector3d(-move) : move;
      from_[moved] = cluster_[pinStays ? part : into];
    }
  }

  /// Of a part: the moves along its chain; the limit stops at cycles.
  Vector3d of(std::size_t part) const {
    Vector3d sum = Vector3d::Zero();
    std::optional<std::size_t> next = cluster_[part];
    for (std::size_t steps = 0; next && steps < moves_.size(); ++steps) {
      sum += moves_[*next];
      next = from_[*next];
    }
    return sum;
  }

  /// Removes the own move of a part, or of the part that it moves with; false if neither has one.
  bool drop(int part) {
    std::optional<std::size_t> next = cluster_[static_cast<std::size_t>(part)];
    for (std::size_t steps = 0; next && steps < moves_.size(); ++steps) {
      if (!moves_[*next].isZero()) {
        moves_[*next].setZero();
        return true;
      }
      next = from_[*next];
    }
    return false;
  }

  bool areJoined(int a, int b) const {
    return cluster_[static_cast<std::size_t>(a)] == cluster_[static_cast<std::size_t>(b)];
  }

 private:
  std::vector<std::size_t> cluster_;
  std::vector<Vector3d> moves_;                   // of a cluster by itself [m], world
  std::vector<std::optional<std::size_t>> from_;  // the cluster that it is pulled out of
};

}  // namespace

std::vector<std::string> pullApart(const content::Scene& scene, std::size_t base, double distance,
                                   SceneDraft& draft) {
  Moves moves(scene, base, distance, draft);
  content::Scene moved = scene;
  content::InterferenceSearch search(scene);
  std::vector<std::string> staying;
  for (bool changed = true; changed;) {
    for (std::size_t k = 0; k < moved.parts.size(); ++k)
      moved.parts[k].X_WP.p = scene.parts[k].X_WP.p + moves.of(k);
    std::set<int> dropped;
    for (const content::Interference& pair : search.find(moved, content::kSettledOverlap)) {
      if (moves.areJoined(pair.a, pair.b)) continue;
      const bool isSecond = moves.of(static_cast<std::size_t>(pair.b)).norm() >
                            moves.of(static_cast<std::size_t>(pair.a)).norm();
      const int part = isSecond ? pair.b : pair.a, other = isSecond ? pair.a : pair.b;
      if (dropped.contains(part) || dropped.contains(other) || !moves.drop(part)) continue;
      dropped.insert(part);
      const auto name = [&](int k) {
        return content::inQuotes(draft.parts[static_cast<std::size_t>(k)].name);
      };
      staying.push_back(
          fmt::format("{} stays in its place: pulled out, it would overlap {}", name(part), name(other)));
    }
    changed = !dropped.empty();
  }
  for (std::size_t k = 0; k < draft.parts.size(); ++k) draft.parts[k].X_WP.p = moved.parts[k].X_WP.p;
  return staying;
}

}  // namespace tenon::runtime
