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
#include "content/step/read_step.h"
#include "physics/collision/brep/triangle_solid.h"
#include "physics/collision/geometry/cavity_separation.h"
#include "physics/collision/geometry/faceted_block.h"

namespace tenon::content {
namespace {

using Eigen::Vector2d;
using physics::Shape;
using physics::SolidOfRevolution;

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

/// Result of changing a diameter.
struct WidenResult {
  bool found = false;  ///< a cylinder of the nominal radius exists
  double edge = 0;     ///< radius of the next edge if it was reached [m], else 0

  void add(const WidenResult& other) {
    found = found || other.found;
    edge = std::max(edge, other.edge);
  }
};

/// Changes the radius of the profile's points at the nominal radius by `by` [m]. The neighboring points stay:
/// beyond one of them, a chamfer or a shoulder would become an undercut, so `edge` is set.
WidenResult widenProfile(std::vector<Vector2d>& profile, double nominal, double by) {
  WidenResult widened;
  for (std::size_t i = 1; i < profile.size(); ++i) {
    const double from = profile[i - 1].y(), to = profile[i].y();
    if (isSame(from, nominal) == isSame(to, nominal)) continue;
    const double edge = isSame(from, nominal) ? to : from, limit = edge - nominal;
    if (limit > 0 ? by > limit - kSameRadius : by < limit + kSameRadius) widened.edge = edge;
  }
  for (Vector2d& p : profile) {
    if (!isSame(p.y(), nominal)) continue;
    p.y() += by;
    widened.found = true;
  }
  return widened;
}

/// The same for the points from `begin` to before `end`.
WidenResult widenSegment(std::vector<Vector2d>& profile, std::size_t begin, std::size_t end, double nominal,
                         double by) {
  const auto at = [&](std::size_t i) { return profile.begin() + static_cast<std::ptrdiff_t>(i); };
  std::vector<Vector2d> segment(at(begin), at(end));
  const WidenResult widened = widenProfile(segment, nominal, by);
  std::copy(segment.begin(), segment.end(), at(begin));
  return widened;
}

/// The first triangle on a surface; empty if none is.
std::optional<std::size_t> triangleOn(const physics::BoundarySolid& solid, std::size_t surface) {
  const auto found = std::find(solid.surfaceOf.begin(), solid.surfaceOf.end(), static_cast<int>(surface));
  if (found == solid.surfaceOf.end()) return std::nullopt;
  return static_cast<std::size_t>(found - solid.surfaceOf.begin());
}

/// Fillets that continue the widened cylinders smoothly move with them, and stay tangent: those at a corner
/// of which a triangle of such a cylinder has one, too.
void moveFillets(const std::vector<char>& isWidened, double nominal, double by,
                 physics::BoundarySolid& solid) {
  std::vector<char> isCorner(solid.vertices.size(), 0), isNeighbor(solid.surfaces.size(), 0);
  const auto eachCorner = [&](auto&& take) {
    for (std::size_t t = 0; t < solid.surfaceOf.size(); ++t)
      if (const int s = solid.surfaceOf[t]; s >= 0)
        for (const int v : solid.triangles[t]) take(static_cast<std::size_t>(s), static_cast<std::size_t>(v));
  };
  eachCorner([&](std::size_t s, std::size_t v) {
    if (isWidened[s] != 0) isCorner[v] = 1;
  });
  eachCorner([&](std::size_t s, std::size_t v) {
    if (isCorner[v] != 0) isNeighbor[s] = 1;
  });
  for (std::size_t s = 0; s < solid.surfaces.size(); ++s) {
    physics::Surface& surface = solid.surfaces[s];
    if (isNeighbor[s] == 0) continue;
    const double reach = std::abs(surface.radius - nominal);
    if (surface.kind == physics::SurfaceKind::torus
            ? isSame(reach, surface.minor)
            : surface.kind == physics::SurfaceKind::sphere && isSame(reach, 0))
      surface.radius += by;
  }
}

/// Changes the radius of outer or inner cylinders of radius `nominal`; of inner ones only in the hole.
WidenResult widenCylinders(physics::BoundarySolid& solid, const physics::Cavity* hole, double nominal,
                           double by) {
  constexpr double kSameAxis = 1e-9;  // [m] and [-]
  WidenResult widened;
  std::vector<char> isWidened(solid.surfaces.size(), 0);
  for (std::size_t s = 0; s < solid.surfaces.size(); ++s) {
    physics::Surface& surface = solid.surfaces[s];
    if (surface.kind != physics::SurfaceKind::cylinder || !isSame(surface.radius, nominal)) continue;
    const auto t = triangleOn(solid, s);
    if (!t) continue;
    const auto at = [&](std::size_t k) {
      return solid.vertices[static_cast<std::size_t>(solid.triangles[*t][k])];
    };
    const Eigen::Vector3d middle = (at(0) + at(1) + at(2)) / 3, out = (at(1) - at(0)).cross(at(2) - at(0));
    const Eigen::Vector3d fromAxis = surface.X_BS.inverse().point(middle);
    const bool isOuter = fromAxis.head<2>().dot((surface.X_BS.R.transpose() * out).head<2>()) > 0;
    if (isOuter == (hole != nullptr)) continue;
    if (hole != nullptr) {
      const Eigen::Vector3d axis = hole->X_BH.q * Eigen::Vector3d::UnitZ();
      const double depth = -axis.dot(middle - hole->X_BH.p);
      if (axis.cross(surface.X_BS.R.col(2)).norm() > kSameAxis ||
          axis.cross(surface.X_BS.p - hole->X_BH.p).norm() > kSameAxis || depth < 0 ||
          depth > -hole->profile.back().x())
        continue;
    }
    surface.radius += by;
    isWidened[s] = 1;
    widened.found = true;
  }
  if (widened.found && by != 0) moveFillets(isWidened, nominal, by, solid);
  return widened;
}

/// Changes the radius of the outer cylinders of radius `nominal` about z by `by` [m]; holes stay.
WidenResult widenPart(Shape& shape, double nominal, double by) {
  WidenResult widened;
  if (auto* cylinder = std::get_if<physics::Cylinder>(&shape)) {
    if ((widened.found = isSame(cylinder->radius, nominal))) cylinder->radius += by;
  } else if (auto* turned = std::get_if<SolidOfRevolution>(&shape)) {
    const auto isNominal = [&](const Vector2d& p) { return isSame(p.y(), nominal); };
    const bool ring = physics::isRing(*turned);
    const auto inner = ring ? holesOf(shape).front().profile : std::vector<Vector2d>{};
    const bool isBore = std::any_of(inner.begin(), inner.end(), isNominal);
    const Recesses recesses = recessesOf(*turned);
    const auto& p = turned->profile;
    bool exists = false;
    for (std::size_t i = recesses.first + 1; i <= recesses.last && !isBore; ++i)
      exists = exists || (isNominal(p[i - 1]) && isNominal(p[i]));
    if (exists) widened = widenSegment(turned->profile, recesses.first, recesses.last + 1, nominal, by);
  } else if (auto* solid = std::get_if<physics::BoundarySolid>(&shape)) {
    widened = widenCylinders(*solid, nullptr, nominal, by);
  } else if (auto* compound = std::get_if<physics::Compound>(&shape)) {
    for (physics::PlacedShape& child : compound->children) widened.add(widenPart(child.shape, nominal, by));
  }
  return widened;
}

/// The same for the bore of the hole `name`.
WidenResult widenHole(Shape& shape, const std::string& name, double nominal, double by) {
  WidenResult widened;
  if (auto* block = std::get_if<physics::BlockWithHoles>(&shape)) {
    for (physics::Cavity& cavity : block->cavities)
      if (cavity.name == name) widened.add(widenProfile(cavity.profile, nominal, by));
  } else if (auto* holed = std::get_if<physics::FacetedBlock>(&shape)) {
    for (physics::RoundHole& hole : holed->holes) {
      if (hole.name != name) continue;
      hole.radius += by;
      widened.found = true;
    }
  } else if (auto* turned = std::get_if<SolidOfRevolution>(&shape)) {
    const Recesses recesses = recessesOf(*turned);
    const std::size_t size = turned->profile.size();
    if (turned->hole == name && (physics::isRing(*turned) || recesses.top))
      widened.add(widenSegment(turned->profile, recesses.top ? recesses.last : 0, size, nominal, by));
    if (turned->holeBelow == name && recesses.below)
      widened.add(widenSegment(turned->profile, 0, recesses.first + 1, nominal, by));
  } else if (auto* solid = std::get_if<physics::BoundarySolid>(&shape)) {
    for (physics::Cavity& hole : solid->holes) {
      if (hole.name != name) continue;
      widened.add(widenCylinders(*solid, &hole, nominal, by));
      widened.add(widenProfile(hole.profile, nominal, by));
    }
  } else if (auto* compound = std::get_if<physics::Compound>(&shape)) {
    for (physics::PlacedShape& child : compound->children)
      widened.add(widenHole(child.shape, name, nominal, by));
  }
  return widened;
}

/// The problem of a block whose hole `name` has changed, if any. Other holes are checked only against this
/// one: checking all pairs takes long in a block whose holes all have fits.
std::optional<std::string> problemWithHole(const physics::BlockWithHoles& block, const std::string& name) {
  for (const physics::Cavity& cavity : block.cavities) {
    if (cavity.name != name) continue;
    if (auto problem = physics::problemWith(physics::BlockWithHoles{block.halfExtents, {cavity}}))
      return problem;
    for (const physics::Cavity& other : block.cavities)
      if (&other != &cavity && !physics::areDisjoint(cavity, other))
        return fmt::format("it meets hole {}", inQuotes(other.name));
  }
  return std::nullopt;
}

/// The problem of a shape after a diameter has changed, if any; of a block, only at the hole `name`.
std::optional<std::string> problemWith(const Shape& shape, const std::string& name) {
  if (const auto* turned = std::get_if<SolidOfRevolution>(&shape)) return physics::problemWith(*turned);
  if (const auto* block = std::get_if<physics::BlockWithHoles>(&shape)) return problemWithHole(*block, name);
  if (const auto* holed = std::get_if<physics::FacetedBlock>(&shape)) return physics::problemWith(*holed);
  if (const auto* solid = std::get_if<physics::BoundarySolid>(&shape)) {
    std::vector<int> flat;
    physics::brep::solidOfTriangles(*solid, 1, &flat);
    if (!flat.empty()) return "its faces no longer meet their neighbors";
  }
  if (const auto* compound = std::get_if<physics::Compound>(&shape))
    for (const physics::PlacedShape& child : compound->children)
      if (auto problem = problemWith(child.shape, name)) return problem;
  return std::nullopt;
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
  const Part& part = scene.part(goal.part);
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
  if (const auto problem = problemWith(shape, hole))
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
