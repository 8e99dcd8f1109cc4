// See read_fits.h. All nominal diameters are measured before any diameter is changed, because a part or a
// hole may belong to several goals.
#include "content/reader/read_fits.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <vector>

#include "content/fits/iso286.h"
#include "content/input/limits.h"
#include "content/input/wording.h"
#include "content/model/hole_sites.h"
#include "content/parts/threaded_shapes.h"
#include "content/reader/read_mesh.h"
#include "content/reader/widen_shapes.h"
#include "content/step/read_step.h"

namespace tenon::content {
namespace {

using Eigen::Vector2d;
using physics::Shape;

/// Radii that differ by less are equal: rounding of decimal numbers [m].
constexpr double kSameRadius = 1e-9;

bool isSame(double a, double b) {
  return std::abs(a - b) < kSameRadius;
}

// --- the fit in the file -------------------------------------------------------------------------------

struct FitRequest {
  FitRequest(int goalIndex, const JsonCursor& place) : goal(goalIndex), at(place) {}

  int goal;
  JsonCursor at;
  double radius = 0;              ///< nominal [m]
  std::string text;               ///< fit class, or empty for a clearance
  double clearance = 0;           ///< diametral, without a fit class [m]
  double hole = 0.5, part = 0.5;  ///< position in the tolerance; 0: least clearance, 1: greatest
  std::string placeInTolerance;   ///< that position as text
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
    if (-from.x() < goal.depth - kSameRadius && to.x() < from.x() && to.y() > 0)
      radius = std::min(radius, to.y());
  }
  return radius;
}

/// Random positions in the tolerance, [0, 1), that depend on part and hole only, not on the goal.
void drawAtRandom(const Scene& scene, const Goal& goal, int seed, FitRequest& request) {
  const physics::Shape& shape = scene.part(goal.into).shape;
  const auto holes = holesOf(shape);
  const std::string name = mouthOf(shape, goal.hole).value().hole();
  int hole = 0;
  while (holes[static_cast<std::size_t>(hole)].name != name) ++hole;
  constexpr double kParts = 4096, kHoles = 4096;  // above the limits of a scene
  static_assert(kMaxParts < kParts);
  const double key = kParts * kHoles * 2 * seed;
  request.part = randomOf(key + goal.part);
  request.hole = randomOf(key + kParts * (1 + goal.into) + hole);
}

void readTolerancePosition(const JsonCursor& at, const Scene& scene, FitRequest& request) {
  const Goal& goal = scene.goals[static_cast<std::size_t>(request.goal)];
  const auto position = at.find("at");
  const auto seed = at.find("seed");
  const std::string word = position && position->isText() ? position->text(kMaxExpressionBytes) : "";
  const bool isWord = !word.empty() && word[0] != '=';
  if (isWord && word == "random") {
    drawAtRandom(scene, goal, seed ? seed->integer(0, 1000000) : 0, request);
    request.placeInTolerance = "random";
    return;
  }
  if (seed) seed->fail("is given for a fit that is not random", "remove it, or set \"at\": \"random\"");
  double t = 0.5;
  if (isWord)
    t = std::array{0.0, 0.5, 1.0}[position->choice({"min", "mid", "max"})];
  else if (position)
    t = position->number({0, 1});
  request.hole = request.part = t;
  request.placeInTolerance = isWord ? word : position ? fmt::format("{:g}", t) : "mid";
}

void readRequest(const JsonCursor& at, const Scene& scene, FitRequest& request) {
  const auto checkClass = [&](const JsonCursor& field, const std::string& text) {
    if (!isFitClass(text))
      field.fail("is " + inQuotes(text), "use one of " + supportedFits() + ", or \"clearance_um\"");
    request.text = text;
  };
  if (at.isText()) {
    checkClass(at, at.text(kMaxNameBytes));
    request.placeInTolerance = "mid";
    return;
  }
  if (!at.has("class") && !at.has("at") && !at.has("seed") && !at.has("clearance_um"))
    at.fail("contains no fit", "give \"H7/g6\" or another of " + supportedFits() +
                                   ", or an object with \"class\" or \"clearance_um\"");
  at.allowOnly({"class", "at", "seed", "clearance_um"});
  if (at.has("class") == at.has("clearance_um"))
    at.fail("needs either \"class\" or \"clearance_um\"", "keep one of the two");
  if (const auto clearance = at.find("clearance_um")) {
    if (at.has("at") || at.has("seed"))
      at.fail("has a clearance and a position in a tolerance", "remove \"at\" and \"seed\"");
    request.clearance = 1e-6 * clearance->number({-1000, 5000, true, "µm"});
    return;
  }
  const JsonCursor text = at.member("class");
  checkClass(text, text.text(kMaxNameBytes));
  readTolerancePosition(at, scene, request);
}

std::string diameterText(double radius) {
  return fmt::format("Ø{:.4g} mm", 2e3 * radius);
}

/// Additional remedy for a mesh: a bore measured along its facets is narrower than in CAD if the vertices lie
/// on the circle.
std::string boreRuleRemedy(Scene& scene, const Goal& goal) {
  const Part& into = scene.part(goal.into);
  return into.mesh && into.mesh->bores == BoreRule::flats && !isStepFile(into.mesh->file)
             ? "; the bores of its mesh are measured along their facets; \"bores\": \"vertices\" measures "
               "them through the vertices"
             : "";
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
                boreRuleRemedy(scene, goal));
  return radius;
}

Fit fitOf(const FitRequest& request) {
  Fit fit;
  fit.nominal = 2 * request.radius;
  if (request.text.empty()) {
    fit.text = fmt::format("{:g} µm", std::round(request.clearance * 1e9) / 1e3);
    fit.holeDeviation = fit.minClearance = fit.maxClearance = request.clearance;
    return fit;
  }
  const auto limits = fitClass(request.text, fit.nominal);
  if (!limits)
    request.at.fail(fmt::format("is {} on {}", request.text, diameterText(request.radius)),
                    "its table covers 1 to 50 mm: give \"clearance_um\" instead");
  fit.text = request.text + (request.placeInTolerance.empty() ? "" : ", " + request.placeInTolerance);
  fit.minClearance = limits->minClearance();
  fit.maxClearance = limits->maxClearance();
  fit.holeDeviation = limits->hole.lower + request.hole * (limits->hole.upper - limits->hole.lower);
  fit.partDeviation = limits->shaft.upper - request.part * (limits->shaft.upper - limits->shaft.lower);
  return fit;
}

/// Throws for an interference of rigid materials: only compliant ones can be pressed in.
void checkInterference(const FitRequest& request, const Fit& fit, const Scene& scene, const Goal& goal) {
  if (!(fit.clearance() < -kSameRadius)) return;
  const Part& part = scene.part(goal.part);
  const Part& into = scene.part(goal.into);
  if (canBePressed(scene, part, into)) return;
  const FitKind kind = classifyFit(fit.minClearance, fit.maxClearance);
  request.at.fail(fmt::format("makes {} on {} {} wider than its hole ({}), and the two materials are rigid",
                              fit.text, diameterText(request.radius), smallLengthText(-fit.clearance()),
                              kind == FitKind::transition ? "a transition fit" : "an interference fit"),
                  "to press it in, give the pair of materials \"stiffness_n_per_m\", or one of them "
                  "\"youngs_modulus_gpa\"; to slide it in, choose H7/g6 or H7/h6");
}

/// Deviations applied so far, by part or hole; a second one must be equal.
class AppliedDeviations {
 public:
  /// Returns false if the deviation has already been applied.
  bool add(const FitRequest& request, const std::string& what, double deviation) {
    const auto [entry, isNew] = deviations_.emplace(what, std::pair(deviation, request.goal));
    if (!isNew && !isSame(entry->second.first, deviation))
      request.at.fail(fmt::format("gives {} a different size than /goals/{}/fit", what, entry->second.second),
                      "use the same fit and position in the tolerance in both");
    return isNew;
  }

 private:
  std::map<std::string, std::pair<double, int>> deviations_;
};

/// Throws if the changed shape is no longer valid; `what` is its name in the error.
void checkWidened(const FitRequest& request, const std::string& what, double deviation,
                  const WidenResult& widened, const Shape& shape, const std::string& hole) {
  const std::string made = fmt::format("makes {} {}", what, diameterText(request.radius + 0.5 * deviation));
  if (widened.edge > 0)
    request.at.fail(fmt::format("{}, past its next edge at {}", made, diameterText(widened.edge)),
                    "give a \"clearance_um\" nearer 0, or move that edge");
  if (const auto problem = problemOfWidened(shape, hole))
    request.at.fail(fmt::format("{}, and then {}", made, *problem),
                    "give a smaller \"clearance_um\", or more material around the hole");
}

/// Applies a fit to part and hole, to each only the first time.
void applyFit(const FitRequest& request, const Fit& fit, AppliedDeviations& applied, Scene& scene) {
  const Goal& goal = goalOf(scene, request.goal);
  Part &part = scene.part(goal.part), &into = scene.part(goal.into);
  const std::string partText = "part " + inQuotes(part.name);
  if (applied.add(request, fmt::format("{} ({})", partText, diameterText(request.radius)),
                  fit.partDeviation)) {
    const WidenResult widened = widenPart(part.shape, request.radius, 0.5 * fit.partDeviation);
    checkWidened(request, partText, fit.partDeviation, widened, part.shape, "");
  }
  const std::string name = mouthOf(into.shape, goal.hole).value().hole();
  const std::string what = fmt::format("hole {} of {}", inQuotes(name), inQuotes(into.name));
  if (applied.add(request, what, fit.holeDeviation)) {
    const WidenResult widened = widenHole(into.shape, name, request.radius, 0.5 * fit.holeDeviation);
    checkWidened(request, what, fit.holeDeviation, widened, into.shape, name);
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
  std::vector<FitRequest> requests;
  int index = 0;
  for (const JsonCursor& entry : goals.elements(0, kMaxEntries)) {
    const int goal = index++;
    const auto at = entry.find("fit");
    if (!at) continue;
    FitRequest request(goal, *at);
    readRequest(*at, scene, request);
    request.radius = readNominal(*at, scene, goalOf(scene, goal));
    requests.push_back(request);
  }
  AppliedDeviations applied;
  for (const FitRequest& request : requests) {
    Goal& goal = goalOf(scene, request.goal);
    const Fit fit = fitOf(request);
    if (request.radius + 0.5 * fit.holeDeviation < kMinSize)
      request.at.fail("leaves no hole", "give a larger clearance");
    checkInterference(request, fit, scene, goal);
    applyFit(request, fit, applied, scene);
    goal.fit = fit;
  }
}

}  // namespace tenon::content
