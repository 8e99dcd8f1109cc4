// The "fit" of a goal as the file has it, and what it makes of a nominal size.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "content/input/json_cursor.h"
#include "content/model/scene.h"

namespace tenon::content {

/// Radii and widths that differ by less are equal: rounding of decimal numbers [m].
inline constexpr double kSameSize = 1e-9;

struct FitRequest {
  FitRequest(int goalIndex, const JsonCursor& place) : goal(goalIndex), at(place) {}

  int goal;
  JsonCursor at;
  std::string text;               ///< fit class, or empty for a clearance
  double clearance = 0;           ///< of the size, without a fit class [m]
  double hole = 0.5, part = 0.5;  ///< position in the tolerance; 0: least clearance, 1: greatest
  std::optional<int> seed;        ///< of random positions; empty: not random
  std::string placeInTolerance;   ///< that position as text
};

/// The goal that the fit is for.
inline const Goal& requestedGoal(const FitRequest& request, const Scene& scene) {
  return scene.goals[static_cast<std::size_t>(request.goal)];
}

/// Random positions in the tolerance, [0, 1), each independent of the goal: of the outer sizes of a part, of
/// its hole with this index in holesOf(), and of its walls of which `face` is the first (see FaceTopology).
double randomOfPart(int seed, int part);
double randomOfHole(int seed, int part, std::size_t hole);
double randomOfFace(int seed, int part, int face);

/// Throws InputError if the entry is not a fit.
FitRequest readFitRequest(int goal, const JsonCursor& at, const Scene& scene);

/// The fit on a nominal size [m]; `on`: that size as text, for messages. Throws InputError for a class whose
/// table lacks it.
Fit fitOf(const FitRequest& request, double nominal, const std::string& on);

/// Throws InputError for an interference of rigid materials: only compliant ones can be pressed in.
/// `counterpart`: "hole" or "opening".
void checkInterference(const FitRequest& request, const Fit& fit, const std::string& on,
                       const std::string& counterpart, const Scene& scene);

/// Additional remedy where diameters differ, empty if it does not apply: a bore measured along the facets of
/// its mesh is narrower than in CAD if the vertices lie on the circle.
std::string boreRuleRemedy(const Part& into);

/// "Ø8 mm".
std::string diameterText(double radius);

}  // namespace tenon::content
