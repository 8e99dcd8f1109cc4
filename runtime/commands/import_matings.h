// The pairs of parts of an assembly whose faces guide one out of the other.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "content/model/scene.h"
#include "content/recognize/mating_direction.h"

namespace tenon::runtime {

/// Part `part` leaves part `into` along mating.out, which is in its own frame.
struct GuidedPair {
  int part = -1, into = -1;
  content::Mating mating;
};

/// Two parts with conforming faces that guide neither of them.
struct UnguidedPair {
  int a = -1, b = -1;
  std::string reason;  ///< a clause for the summary
};

struct AssemblyMatings {
  std::vector<GuidedPair> guided;  ///< ordered by the lower part, then by the other one
  std::vector<GuidedPair> round;   ///< only by cylinders about one axis: their goals are of an end and a hole
  std::vector<UnguidedPair> others;

  /// True if one of the two parts is guided by the other.
  bool areGuided(int a, int b) const {
    return std::any_of(guided.begin(), guided.end(), [&](const GuidedPair& pair) {
      return (pair.part == a && pair.into == b) || (pair.part == b && pair.into == a);
    });
  }

  /// The direction in which a guided part leaves others, in its own frame.
  std::optional<content::Vector3d> outOf(int part) const {
    const auto pair =
        std::find_if(guided.begin(), guided.end(), [&](const GuidedPair& one) { return one.part == part; });
    return pair == guided.end() ? std::nullopt : std::optional(pair->mating.out);
  }
};

/// Of the parts in their start poses. The lighter one of a pair moves; the part `base` and parts that are
/// `joined` to others, or without mass, do not. A part leaves as many others as possible in one direction, of
/// several in that of the shortest motion, and only where nothing of the other part is in the way.
AssemblyMatings findMatings(const content::Scene& scene, std::size_t base, const std::vector<char>& joined);

}  // namespace tenon::runtime
