// See fit_request.h.
#include "content/reader/fit_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "content/fits/iso286.h"
#include "content/input/limits.h"
#include "content/input/wording.h"
#include "content/model/part_holes.h"
#include "content/reader/read_mesh.h"
#include "content/step/read_step.h"

namespace tenon::content {
namespace {

constexpr double kParts = 4096, kHoles = 4096;  // above the limits of a scene

double keyOf(int seed) {
  static_assert(kMaxParts < kParts);
  return kParts * kHoles * 2 * seed;
}

/// Positions of a goal's part and hole; of a goal without a hole, wall_fits.cpp draws them.
void drawAtRandom(const Scene& scene, const Goal& goal, int seed, FitRequest& request) {
  request.seed = seed;
  request.part = randomOfPart(seed, goal.part);
  if (const auto mouth = mouthOf(scene, goal)) {
    const auto holes = holesOf(scene.part(goal.into));
    const auto found = std::find_if(holes.begin(), holes.end(),
                                    [&](const HoleSite& site) { return site.name == mouth->hole(); });
    request.hole = randomOfHole(seed, goal.into, static_cast<std::size_t>(found - holes.begin()));
  }
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

}  // namespace

double randomOfPart(int seed, int part) {
  return randomOf(keyOf(seed) + part);
}

double randomOfHole(int seed, int part, std::size_t hole) {
  return randomOf(keyOf(seed) + kParts * (1 + part) + static_cast<double>(hole));
}

double randomOfFace(int seed, int part, int face) {
  return randomOf(1 + face + randomOfHole(seed, part, static_cast<std::size_t>(kHoles) - 1));
}

FitRequest readFitRequest(int goal, const JsonCursor& at, const Scene& scene) {
  FitRequest request(goal, at);
  readRequest(at, scene, request);
  return request;
}

std::string boreRuleRemedy(const Part& into) {
  return into.mesh && into.mesh->bores == BoreRule::flats && !isStepFile(into.mesh->file)
             ? "; the bores of its mesh are measured along their facets; \"bores\": \"vertices\" measures "
               "them through the vertices"
             : "";
}

std::string diameterText(double radius) {
  return fmt::format("Ø{:.4g} mm", 2e3 * radius);
}

Fit fitOf(const FitRequest& request, double nominal, const std::string& on) {
  Fit fit;
  fit.nominal = nominal;
  if (request.text.empty()) {
    fit.text = fmt::format("{:g} µm", std::round(request.clearance * 1e9) / 1e3);
    fit.holeDeviation = fit.minClearance = fit.maxClearance = request.clearance;
    return fit;
  }
  const auto limits = fitClass(request.text, fit.nominal);
  if (!limits)
    request.at.fail(fmt::format("is {} on {}", request.text, on),
                    "its table covers 1 to 50 mm: give \"clearance_um\" instead");
  fit.text = request.text + (request.placeInTolerance.empty() ? "" : ", " + request.placeInTolerance);
  fit.minClearance = limits->minClearance();
  fit.maxClearance = limits->maxClearance();
  fit.holeDeviation = limits->hole.lower + request.hole * (limits->hole.upper - limits->hole.lower);
  fit.partDeviation = limits->shaft.upper - request.part * (limits->shaft.upper - limits->shaft.lower);
  return fit;
}

void checkInterference(const FitRequest& request, const Fit& fit, const std::string& on,
                       const std::string& counterpart, const Scene& scene) {
  const Goal& goal = scene.goals[static_cast<std::size_t>(request.goal)];
  if (!(fit.clearance() < -kSameSize)) return;
  const Part& part = scene.part(goal.part);
  const Part& into = scene.part(goal.into);
  if (canBePressed(scene, part, into)) return;
  const FitKind kind = classifyFit(fit.minClearance, fit.maxClearance);
  request.at.fail(fmt::format("makes {} on {} {} wider than its {} ({}), and the two materials are rigid",
                              fit.text, on, smallLengthText(-fit.clearance()), counterpart,
                              kind == FitKind::transition ? "a transition fit" : "an interference fit"),
                  "to press it in, give the pair of materials \"stiffness_n_per_m\", or one of them "
                  "\"youngs_modulus_gpa\"; to slide it in, choose H7/g6 or H7/h6");
}

}  // namespace tenon::content
