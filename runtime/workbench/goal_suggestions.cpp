// See goal_suggestions.h.
#include "runtime/workbench/goal_suggestions.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>
#include <utility>

#include "content/fits/iso286.h"
#include "content/model/part_holes.h"
#include "content/parts/thread_pair.h"
#include "content/parts/threaded_shapes.h"
#include "content/reader/read_fits.h"
#include "runtime/assess/insertion_fit.h"

namespace tenon::runtime {

namespace {

constexpr double kSameDiameter = 1e-7;  ///< diameters closer than this are drawn equal [m]
constexpr double kWidest = 1.0 / 3;     ///< largest clearance of a suggestion, of the diameter [-]
constexpr double kDepthStep = 1e-5;     ///< depths are rounded down to this [m]
/// This much of the depth must be free, so that the fillet under a seated head does not count [-].
constexpr double kPassed = 0.8;
constexpr const char* kUsualFit = "H7/g6";
constexpr double kTurns = 3;  ///< of a thread to be started

/// The mouths of all parts, and which parts have threads: computed once for all pairs.
struct Sites {
  std::vector<std::vector<content::HoleSite>> mouths;
  std::vector<char> threaded;

  explicit Sites(const content::Scene& scene) {
    for (const content::Part& part : scene.parts) {
      mouths.push_back(content::mouthsOf(part));
      threaded.push_back(content::threadsOf(part.shape).empty() ? 0 : 1);
    }
  }
};

/// A possible goal; the smaller ones are better.
struct Candidate {
  int part = -1, feature = -1, into = -1;
  std::size_t mouth = 0;
  bool fromBelow = false;              ///< the mouth opens downwards, where hands hardly come
  bool turned = false;                 ///< the part has to be turned over
  double clearance = 0, distance = 0;  ///< [m]

  auto rank() const {
    return std::tuple(std::llround(clearance * 1e6), fromBelow, turned, distance, part, feature);
  }
};

content::Goal goalOf(int part, int feature, int into, const content::HoleSite& mouth) {
  content::Goal goal;
  goal.part = part;
  goal.feature = feature;
  goal.into = into;
  goal.hole = mouth.name;
  goal.X_IH = mouth.X_PH;
  return goal;
}

/// Pairs of one end with all holes of other parts, by their diameters alone.
void addCandidates(const content::Scene& scene, const Sites& sites, int part, int feature,
                   std::vector<Candidate>& all) {
  const content::Part& peg = scene.part(part);
  const content::AxisFeature& end = peg.features[static_cast<std::size_t>(feature)];
  const auto shaft = shaftDiameter(peg, end);
  if (!shaft) return;
  for (int into = 0; into < static_cast<int>(scene.parts.size()); ++into) {
    const content::Part& target = scene.part(into);
    const auto index = static_cast<std::size_t>(into);
    const bool bothFixed =
        peg.motion == physics::MotionType::fixed && target.motion == physics::MotionType::fixed;
    if (into == part || bothFixed) continue;
    for (std::size_t m = 0; m < sites.mouths[index].size(); ++m) {
      const content::HoleSite& mouth = sites.mouths[index][m];
      if (!mouth.isRound) continue;
      const double clearance = mouth.diameter() - *shaft;
      const bool isThread = sites.threaded[static_cast<std::size_t>(part)] && sites.threaded[index] &&
                            content::threadPairOf(scene, goalOf(part, feature, into, mouth)).has_value();
      if ((!isThread && clearance < -kSameDiameter) || clearance > kWidest * *shaft) continue;
      const double distance = (target.X_WP * mouth.X_PH.p - peg.X_WP * end.origin).norm();
      const physics::Vector3d out = target.X_WP.q * mouth.X_PH.q * physics::Vector3d::UnitZ();
      const bool turned = out.dot(peg.X_WP.q * end.direction) > 0;
      all.push_back({part, feature, into, m, out.z() < -0.5, turned, std::max(clearance, 0.0), distance});
    }
  }
}

/// True if the end passes the hole down to the depth of its goal: a head that comes first does not.
bool passes(const content::Scene& scene, const Candidate& one, const content::HoleSite& mouth) {
  const content::GoalDraft draft = goalDraft(scene, one.part, one.feature, one.into, mouth);
  if (draft.turns > 0) return true;
  content::Goal goal = goalOf(one.part, one.feature, one.into, mouth);
  goal.depth = kPassed * draft.depth;
  const InsertionFit fit = insertionFitOf(scene, goal);
  return draft.depth > 0 && fit.known() && fit.clearance() > -kSameDiameter;
}

}  // namespace

content::GoalDraft goalDraft(const content::Scene& scene, int part, int feature, int into,
                             const content::HoleSite& mouth) {
  const content::Part& peg = scene.part(part);
  const content::AxisFeature& end = peg.features[static_cast<std::size_t>(feature)];
  content::GoalDraft draft{peg.name, end.name, scene.part(into).name, mouth.name, 0, "", 0};
  content::Goal goal = goalOf(part, feature, into, mouth);
  const auto threads = content::threadPairOf(scene, goal);
  if (threads && threads->isMatching()) {
    draft.turns = kTurns;
    return draft;
  }
  goal.depth = std::min(mouth.depth(), lengthBehind(peg, end));
  const InsertionFit fit = insertionFitOf(scene, goal);
  const double seat = fit.seatedDepth();
  // A part of the hole's own diameter would be stopped by its tip already.
  const auto shaft = shaftDiameter(peg, end);
  const bool isNominal = shaft && std::abs(mouth.diameter() - *shaft) < kSameDiameter;
  if (std::isfinite(seat) && seat > 0 && !isNominal) goal.depth = seat;
  if (!mouth.through) goal.depth = std::min(goal.depth, mouth.depth());
  draft.depth = std::floor(goal.depth / kDepthStep + 1e-3) * kDepthStep;
  if (isNominal)
    if (const auto diameter = content::fitDiameter(scene, goal);
        diameter && content::fitClass(kUsualFit, *diameter))
      draft.fit = kUsualFit;
  return draft;
}

std::vector<GoalSuggestion> suggestGoals(const content::Scene& scene) {
  std::set<int> usedParts;
  std::set<std::pair<int, std::string>> usedHoles;
  for (const content::Goal& goal : scene.goals) {
    usedParts.insert(goal.part);
    if (const auto mouth = content::mouthOf(scene, goal)) usedHoles.insert({goal.into, mouth->hole()});
  }
  const Sites sites(scene);
  std::vector<Candidate> candidates;
  for (int part = 0; part < static_cast<int>(scene.parts.size()); ++part)
    for (int f = 0; !usedParts.contains(part) && f < static_cast<int>(scene.part(part).features.size()); ++f)
      addCandidates(scene, sites, part, f, candidates);
  std::sort(candidates.begin(), candidates.end(),
            [](const Candidate& a, const Candidate& b) { return a.rank() < b.rank(); });
  // Ends and holes that do not pass: each pair of an end and a kind of hole is examined once.
  std::set<std::tuple<int, int, long, long>> blocked;
  std::vector<std::pair<int, GoalSuggestion>> found;
  for (const Candidate& one : candidates) {
    const content::HoleSite& mouth = sites.mouths[static_cast<std::size_t>(one.into)][one.mouth];
    const std::pair<int, std::string> hole(one.into, mouth.hole());
    if (usedParts.contains(one.part) || usedHoles.contains(hole)) continue;
    const std::tuple kind(one.part, one.feature, std::lround(mouth.diameter() * 1e7),
                          std::lround(mouth.depth() * 1e7));
    if (blocked.contains(kind)) continue;
    if (!passes(scene, one, mouth)) {
      blocked.insert(kind);
      continue;
    }
    usedParts.insert(one.part);
    usedHoles.insert(hole);
    found.push_back({one.part, {goalDraft(scene, one.part, one.feature, one.into, mouth), one.clearance}});
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<GoalSuggestion> all;
  for (auto& [part, suggestion] : found) all.push_back(std::move(suggestion));
  return all;
}

}  // namespace tenon::runtime
