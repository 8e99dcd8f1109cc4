// The pairs of parts of an assembly whose faces guide one out of the other.
#pragma once

#include <algorithm>
#include <cstddef>
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
  content::NoMating reason = content::NoMating::flat;
};

struct AssemblyMatings {
  std::vector<GuidedPair>
      guided;  ///< but for those in one round hole, whose goals are of an end and the hole
  std::vector<UnguidedPair> others;

  /// True if one of the two parts is guided by the other.
  bool areGuided(int a, int b) const {
    return std::any_of(guided.begin(), guided.end(), [&](const GuidedPair& pair) {
      return (pair.part == a && pair.into == b) || (pair.part == b && pair.into == a);
    });
  }
};

/// Of the parts in their start poses. The lighter one of a pair moves; the part `base` and parts that are
/// `joined` to others, or without mass, do not.
AssemblyMatings findMatings(const content::Scene& scene, std::size_t base, const std::vector<char>& joined);

/// A clause for the summary: why there is no goal.
const char* reasonText(content::NoMating reason);

}  // namespace tenon::runtime
