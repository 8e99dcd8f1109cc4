// From hand samples to commands: the same for every kind of hand.
#pragma once

#include <vector>

#include "physics/world.h"
#include "xr/hands/hand_source.h"

namespace tenon::xr {

/// Decides what a hand's closing, opening and moving mean to the world.
///
/// - Closing grabs the wanted part wherever it is, else the dynamic part whose bounding box (in the
///   part's own axes) is nearest to the hand's origin, if within the sample's reach; of equally near ones the
///   first. A closed hand that begins to want another part changes over.
/// - Opening releases; moving moves the hand in every step.
/// - Two hands may hold one part: both pull. Where one of them lets go and they pulled against each other,
/// the
///   other one takes hold anew where it is, so that the part stays where it is in that hand; where they
///   pushed the same way, the other one goes on pushing as it did.
/// - A pose of the held part is turned into the hand's by the offset fixed at the grab.
/// - An untracked hand keeps its target and what it holds.
class Interaction {
 public:
  explicit Interaction(std::size_t handCount);

  /// Commands for the step that ends at the samples' instant; reads the world, never changes it.
  /// Appends to `commands`: for each hand Release, Grab, MoveHand, in that order, ahead of them a Grab for
  /// those that keep alone what two have held. `samples`: one per hand of the world.
  void commandsFor(const std::vector<HandSample>& samples, const physics::World& world,
                   std::vector<physics::Command>& commands);

  /// After the world has gone back to another moment: hands that are closed in `samples`, the last ones that
  /// were taken, take nothing before they have been open. Also those out of sight: they stay as they were.
  void requireReopening(const std::vector<HandSample>& samples);

 private:
  struct Hand {
    bool wasClosed = false;
    int wantedPart = -1;                ///< when it closed last
    std::optional<physics::Pose> X_PH;  ///< grip: hand in the frame of the part held now or last
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
