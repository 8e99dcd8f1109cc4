// Converts hand samples to commands, the same for every source of hands.
#pragma once

#include <vector>

#include "physics/world.h"
#include "xr/hands/hand_source.h"

namespace tenon::xr {

/// Converts a hand's closing, opening and motion to Grab, Release and MoveHand.
///
/// - Closing grasps the wanted part at any distance, else the dynamic part whose bounding box (in the part's
/// axes) is
///   nearest to the hand's origin, if within the sample's grabRadius; of equally near parts the first. If the
///   wanted part of a closed hand changes, the hand releases one and grasps the other.
/// - Opening releases. Every tracked sample moves the hand.
/// - Two hands may hold one part. If one releases it while they pulled against each other, the other regrasps
/// it where
///   it is, so the part does not move in that hand; if they pushed in the same direction, it keeps its grasp.
/// - A pose of the held part is converted to the hand's pose by the offset fixed at the grasp.
/// - An untracked hand keeps its target and what it holds.
class Interaction {
 public:
  explicit Interaction(std::size_t handCount);

  /// Appends the commands of the step that ends at the samples' time: first a Grab for each hand that
  /// regrasps, then Release, Grab and MoveHand for each hand, in that order. `samples`: one per hand of the
  /// world.
  void commandsFor(const std::vector<HandSample>& samples, const physics::World& world,
                   std::vector<physics::Command>& commands);

  /// After the world was restored to another state: hands that are closed in `samples`, the last ones
  /// processed, must open before they grasp again; untracked hands too.
  void requireReopening(const std::vector<HandSample>& samples);

 private:
  struct Hand {
    bool wasClosed = false;
    int wantedPart = -1;                ///< at the last closing
    std::optional<physics::Pose> X_PH;  ///< grip: the hand in the frame of the part held now or last
  };

  bool switchesPart(const HandSample& sample, std::size_t hand) const;
  bool releases(const HandSample& sample, std::size_t hand) const;
  void regraspWithOtherHand(const std::vector<HandSample>& samples, const physics::World& world,
                            std::vector<physics::Command>& commands) const;
  std::optional<physics::Grab> grabFor(physics::HandId id, const HandSample& sample,
                                       const physics::World& world) const;
  static std::optional<physics::Pose> handPose(const HandSample& sample, const Hand& hand, bool holds);

  std::vector<Hand> hands_;
};

}  // namespace tenon::xr
