// See read_fits.h. All nominal diameters are measured before any diameter is changed, because a part or a
// hole may belong to several goals.
#include "content/reader/read_fits.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <optional>
#include <vector>

#include "content/input/limits.h"
#include "content/input/wording.h"
#include "content/model/part_holes.h"
#include "content/parts/threaded_shapes.h"
#include "content/reader/fit_request.h"
#include "content/reader/read_mesh.h"
#include "content/reader/wall_fits.h"
#include "content/reader/widen_shapes.h"

namespace tenon::content {
namespace {

using Eigen::Vector2d;
using physics::Shape;

/// A fit on a round hole.
struct RoundFit {
  FitRequest request;
  double radius = 0;  ///< nominal [m]
};

Goal& goalOf(Scene& scene, int goal) {
  return scene.goals[static_cast<std::size_t>(goal)];
}

/// Smallest radius of the hole down to the goal's depth [m]. A shoulder at that depth does not count.
double minBoreRadius(const Scene& scene, const Goal& goal) {
  const HoleSite site = mouthOf(scene.part(goal.into).shape, goal.hole).value();
  double radius = site.profile.front().y();
  for (std::size_t k = 1; k < site.profile.size(); ++k) {
    const Vector2d &from = site.profile[k - 1], &to = site.profile[k];
    if (-from.x() < goal.depth - kSameSize && to.x() < from.x() && to.y() > 0)
      radius = std::min(radius, to.y());
  }
  return radius;
}

/// Remedy for a part with a real thread, which has no cylinder of its nominal diameter.
std::string threadRemedy(const Part& part) {
  if (threadsOf(part.shape).empty()) return "";
  if (part.libraryName.empty()) return "name a feature on another cylinder than its thread's, or ";
  return "set \"thread\": false on the part, which makes its shank smooth, or ";
}

/// The common nominal radius of hole and part [m]. Throws if they differ.
double readNominal(const JsonCursor& at, Scene& scene, const Goal& goal) {
  const double radius = minBoreRadius(scene, goal);
  const Part &part = scene.part(goal.part), &into = scene.part(goal.into);
  const std::string hole = mouthOf(into.shape, goal.hole).value().hole();
  if (into.mesh && into.mesh->part.isFaceted(hole))
    at.fail(fmt::format("is for hole {} of {}, whose wall collides as the facets of its mesh", inQuotes(hole),
                        inQuotes(into.name)),
            fmt::format("remove it, and give part {} a diameter below the {} between these facets",
                        inQuotes(part.name), diameterText(radius)));
  Shape shape = part.shape;
  if (!widenPart(shape, radius, 0).found)
    at.fail(fmt::format("is for hole {} of {}, and part {} has no cylinder of that diameter",
                        inQuotes(goal.hole), diameterText(radius), inQuotes(part.name)),
            threadRemedy(part) + "give hole and part the same nominal diameter: the fit adds the clearance" +
                boreRuleRemedy(into));
  return radius;
}

/// Deviations applied so far, by part or hole; a second one must be equal.
class AppliedDeviations {
 public:
  /// Returns false if the deviation has already been applied; `what`: the part or hole in the error.
  bool add(const FitRequest& request, const std::string& what, RoundDeviation deviation) {
    deviation.goal = request.goal;
    const auto [entry, isNew] = first_.emplace(what, all_.size());
    if (isNew) {
      all_.push_back(std::move(deviation));
    } else if (const RoundDeviation& known = all_[entry->second];
               std::abs(known.deviation - deviation.deviation) >= kSameSize) {
      request.at.fail(fmt::format("gives {} a different size than /goals/{}/fit", what, known.goal),
                      "use the same fit and position in the tolerance in both");
    }
    return isNew;
  }

  const std::vector<RoundDeviation>& all() const { return all_; }

 private:
  std::map<std::string, std::size_t> first_;
  std::vector<RoundDeviation> all_;
};

/// Throws if the changed shape is no longer valid; `what` is its name in the error.
void checkWidened(const RoundFit& round, const std::string& what, double deviation,
                  const WidenResult& widened, const Shape& shape, const std::string& hole) {
  const std::string made = fmt::format("makes {} {}", what, diameterText(round.radius + 0.5 * deviation));
  if (widened.edge > 0)
    round.request.at.fail(fmt::format("{}, past its next edge at {}", made, diameterText(widened.edge)),
                          "give a \"clearance_um\" nearer 0, or move that edge");
  if (const auto problem = problemOfWidened(shape, hole))
    round.request.at.fail(fmt::format("{}, and then {}", made, *problem),
                          "give a smaller \"clearance_um\", or more material around the hole");
}

/// Applies a fit to part and hole, to each only the first time.
void applyFit(const RoundFit& round, const Fit& fit, AppliedDeviations& applied, Scene& scene) {
  const Goal& goal = goalOf(scene, round.request.goal);
  Part &part = scene.part(goal.part), &into = scene.part(goal.into);
  const std::string partText = "part " + inQuotes(part.name);
  if (applied.add(round.request, fmt::format("{} ({})", partText, diameterText(round.radius)),
                  {0, goal.part, "", round.radius, fit.partDeviation})) {
    const WidenResult widened = widenPart(part.shape, round.radius, 0.5 * fit.partDeviation);
    checkWidened(round, partText, fit.partDeviation, widened, part.shape, "");
  }
  const std::string name = mouthOf(into.shape, goal.hole).value().hole();
  const std::string what = fmt::format("hole {} of {}", inQuotes(name), inQuotes(into.name));
  if (applied.add(round.request, what, {0, goal.into, name, round.radius, fit.holeDeviation})) {
    const WidenResult widened = widenHole(into.shape, name, round.radius, 0.5 * fit.holeDeviation);
    checkWidened(round, what, fit.holeDeviation, widened, into.shape, name);
  }
}

}  // namespace

std::optional<double> fitDiameter(const Scene& scene, const Goal& goal) {
  Shape part = scene.part(goal.part).shape, into = scene.part(goal.into).shape;
  const auto mouth = mouthOf(into, goal.hole);
  if (goal.pose || !mouth) return std::nullopt;
  const double radius = minBoreRadius(scene, goal);
  if (!widenPart(part, radius, 0).found || !widenHole(into, mouth->hole(), radius, 0).found)
    return std::nullopt;
  return 2 * radius;
}

bool addClearance(Scene& scene, const Goal& goal, double clearance) {
  Shape& into = scene.part(goal.into).shape;
  const auto mouth = goal.pose ? std::nullopt : mouthOf(into, goal.hole);
  if (!mouth) return false;
  const WidenResult widened = widenHole(into, mouth->hole(), minBoreRadius(scene, goal), 0.5 * clearance);
  return widened.found && !(widened.edge > 0) && !problemOfWidened(into, mouth->hole());
}

void readFits(const JsonCursor& goals, Scene& scene) {
  std::vector<RoundFit> rounds;
  std::vector<WallFit> walls;
  int index = 0;
  for (const JsonCursor& entry : goals.elements(0, kMaxEntries)) {
    const int goal = index++;
    const auto at = entry.find("fit");
    if (!at) continue;
    FitRequest request = readFitRequest(goal, *at, scene);
    const auto mouth = mouthOf(scene, goalOf(scene, goal));
    if (mouth && mouth->isRound) {
      const double radius = readNominal(*at, scene, goalOf(scene, goal));
      rounds.push_back({std::move(request), radius});
    } else {
      walls.push_back(readWallFit(request, scene));
    }
  }
  AppliedDeviations applied;
  for (const RoundFit& round : rounds) {
    Goal& goal = goalOf(scene, round.request.goal);
    const std::string on = diameterText(round.radius);
    const Fit fit = fitOf(round.request, 2 * round.radius, on);
    if (round.radius + 0.5 * fit.holeDeviation < kMinSize)
      round.request.at.fail("leaves no hole", "give a larger clearance");
    checkInterference(round.request, fit, on, "hole", scene);
    applyFit(round, fit, applied, scene);
    goal.fit = fit;
  }
  applyWallFits(walls, applied.all(), scene);
}

}  // namespace tenon::content
