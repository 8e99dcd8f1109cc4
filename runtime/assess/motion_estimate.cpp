// See motion_estimate.h; operations.md has the rules.
#include "runtime/assess/motion_estimate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "content/model/part_holes.h"
#include "content/parts/thread_pair.h"
#include "runtime/assess/handling_tracker.h"
#include "runtime/assess/insertion_fit.h"
#include "xr/interaction/part_bounds.h"

namespace tenon::runtime {

namespace {

using physics::Vector3d;

constexpr double kHalfTurn = std::numbers::pi;          ///< [rad]
constexpr double kNoPath = HandlingTracker::kPathStep;  ///< shorter paths are no motion [m]
/// A part that two hands hold for a longer path is carried by both, not taken from the first [m].
constexpr double kTransferPath = 0.02;
constexpr double kVerySmall = 3e-3;  ///< width and height of a very small object, of grasp G1B [m]
constexpr double kSameAxis = 1e-3;   ///< largest distance of axes that count as one [m]

/// Weight class of a turn: S up to 2 lb, M up to 10 lb, L.
const char* weightCode(double mass) {
  return mass <= 0.907 ? "S" : mass <= 4.536 ? "M" : "L";
}

/// In centimeters; "f" (fractional) up to 2 cm, where the tables begin.
std::string distanceCode(double distance) {
  return distance <= 0.02 ? "f" : fmt::format("{:.0f}", distance * 100);
}

bool isVerySmall(const content::Part& part) {
  Vector3d size = xr::boundsOf(part.shape).sizes();
  std::sort(size.begin(), size.end());
  return size.y() <= kVerySmall;
}

/// True if another goal of the same part has another axis: the part then fits in one orientation.
bool hasAnotherAxis(const content::Scene& scene, const content::Goal& goal) {
  const content::Part& part = scene.part(goal.part);
  const content::AxisFeature& axis = part.features[static_cast<std::size_t>(goal.feature)];
  return std::any_of(scene.goals.begin(), scene.goals.end(), [&](const content::Goal& other) {
    if (other.part != goal.part) return false;
    const content::AxisFeature& feature = part.features[static_cast<std::size_t>(other.feature)];
    return feature.direction.cross(axis.direction).norm() > 1e-3 ||
           (feature.origin - axis.origin).cross(axis.direction).norm() > kSameAxis;
  });
}

constexpr const char* kFitNames[] = {"1", "2", "3"};
constexpr const char* kSymmetryNames[] = {"S", "SS", "NS"};

/// Writes down the motions of one handling.
class MotionWriter {
 public:
  MotionWriter(const content::Scene& scene, const Handling& handling)
      : scene_(scene), handling_(handling), part_(scene.part(handling.part)) {
    forPart_ = handling.part;
    const auto first = std::find_if(handling.stays.begin(), handling.stays.end(),
                                    [](const Stay& stay) { return stay.screw >= 0; });
    if (first != handling.stays.end()) forPart_ = first->screw;
    mass_ = part_.motion == physics::MotionType::fixed ? 0 : part_.mass.mass / handling.hands;
  }

  void grasp(bool isTransfer) {
    const bool isSmall = isVerySmall(part_);
    if (handling_.reach >= kNoPath) {
      const bool isFixed = part_.motion == physics::MotionType::fixed || handling_.heldBefore >= 0;
      const ReachCase motion = isFixed ? ReachCase::A : isSmall ? ReachCase::D : ReachCase::B;
      add({fmt::format("R{}{}", distanceCode(handling_.reach),
                       isFixed   ? "A"
                       : isSmall ? "D"
                                 : "B"),
           "reach to " + part_.name, handling_.reach, 0, 1, reachTime(motion, handling_.reach)});
    }
    if (isTransfer)
      add({"G3", "take " + part_.name + " from the other hand", 0, 0, 1, kTransferTime});
    else
      add({isSmall ? "G1B" : "G1A", "grasp " + part_.name, 0, 0, 1, isSmall ? kSmallGraspTime : kGraspTime});
  }

  /// Begins and ends of stays in the order of the path, so that each part of it counts once.
  void carry() {
    struct Step {
      double at;  ///< [m]
      const Stay* stay;
      bool isEnd;
    };
    std::vector<Step> steps;
    for (const Stay& stay : handling_.stays) {
      if (stay.isInside) steps.push_back({stay.from, &stay, false});
      if (stay.isInside && stay.isLeft) steps.push_back({stay.until, &stay, true});
    }
    std::stable_sort(steps.begin(), steps.end(), [](const Step& a, const Step& b) { return a.at < b.at; });
    double done = 0,
           inserted = 0;      // the path that is written down; that of the last position
    int open = 0;             // stays
    bool hasRotated = false;  // the rotation since the last end is written down
    for (const Step& step : steps) {
      const Stay& stay = *step.stay;
      if (stay.screw >= 0) forPart_ = stay.screw;
      if (step.isEnd) {
        move(MoveCase::B, step.at - done, 0, " in " + placeOf(stay));
        disengage(stay);
        done = --open > 0 ? std::max(done, step.at) : step.at;
        hasRotated = false;
        continue;
      }
      if (!stay.fromStart) {
        move(MoveCase::C, step.at - done, hasRotated ? 0 : stay.rotation, " to " + placeOf(stay));
        if (open == 0 || step.at >= inserted) {
          add(positionOf(hardestFrom(stay)));
          inserted = step.at + kInsertion;
          done = std::max(done, inserted);
        }
        hasRotated = true;
      }
      ++open;
      turns(stay);
    }
    finish(done);
  }

  /// The path from `done` to the release.
  void finish(double done) {
    const auto any = [&](auto condition) {
      return std::any_of(handling_.stays.begin(), handling_.stays.end(),
                         [&](const Stay& stay) { return stay.isInside && !stay.isLeft && condition(stay); });
    };
    const bool isInHole = any([](const Stay&) { return true; });
    const bool isSeated = any([](const Stay& stay) { return stay.isSeated && !stay.fromStart; });
    move(isSeated ? MoveCase::A : MoveCase::B, handling_.path - done, isInHole ? 0 : handling_.rotation,
         isInHole ? " on in its hole" : " away");
  }

  void release() { add({"RL1", "release " + part_.name, 0, 0, 1, kReleaseTime}); }

  std::vector<BasicMotion> take() { return std::move(motions_); }

 private:
  void add(BasicMotion motion) {
    motion.forPart = forPart_;
    motions_.push_back(std::move(motion));
  }

  static double angleOf(const Stay& stay) { return std::max(stay.forward, stay.backward); }
  static bool overlap(const Stay& a, const Stay& b) {
    return (!a.isLeft || b.from < a.until) && (!b.isLeft || a.from < b.until);
  }

  /// Of the stays that begin during the insertion of `first`, which is one position: the one that takes the
  /// longest.
  const Stay& hardestFrom(const Stay& first) const {
    const Stay* hardest = &first;
    for (const Stay& stay : handling_.stays)
      if (stay.isInside && !stay.fromStart && stay.from >= first.from &&
          stay.from < first.from + kInsertion && overlap(first, stay) &&
          positionOf(stay).tmu > positionOf(*hardest).tmu)
        hardest = &stay;
    return *hardest;
  }

  std::string placeOf(const Stay& stay) const {
    if (stay.goal < 0) return scene_.part(stay.screw).name;
    const content::Goal& goal = scene_.goals[static_cast<std::size_t>(stay.goal)];
    return scene_.part(goal.into).name + (goal.hole.empty() ? "" : "/" + goal.hole);
  }

  /// A rotation during a move is a combined motion: the longer of the two counts.
  void move(MoveCase motion, double distance, double rotation, const std::string& to) {
    if (distance < kNoPath) return;
    const double time = moveTime(motion, distance, mass_), turn = turnTime(rotation, mass_);
    const std::string text = "move " + part_.name + to;
    const char* const name = motion == MoveCase::A ? "A" : motion == MoveCase::B ? "B" : "C";
    if (turn > time)
      add({turnCode(rotation), text + ", combined with a turn that takes longer", distance, rotation, 1,
           turn});
    else
      add({fmt::format("M{}{}", distanceCode(distance), name), text, distance, 0, 1, time});
  }

  std::string turnCode(double angle) const {
    return fmt::format("T{:.0f}{}", angle * 180 / kHalfTurn, weightCode(mass_));
  }

  /// Of a driver: with light pressure into a hexagon, in which it fits in six orientations.
  BasicMotion positionOf(const Stay& stay) const {
    FitClass fit = FitClass::close;
    Symmetry symmetry = Symmetry::semisymmetric;
    if (stay.goal >= 0) {
      const content::Goal& goal = scene_.goals[static_cast<std::size_t>(stay.goal)];
      fit = fitClassOf(scene_, goal, stay.push);
      symmetry = symmetryOf(scene_, goal);
    }
    return {
        fmt::format("P{}{}E", kFitNames[static_cast<int>(fit)], kSymmetryNames[static_cast<int>(symmetry)]),
        "position " + part_.name + " in " + placeOf(stay),
        0,
        0,
        1,
        positionTime(fit, symmetry)};
  }

  void disengage(const Stay& stay) {
    if (stay.goal < 0) return;
    const FitClass fit =
        fitClassOf(scene_, scene_.goals[static_cast<std::size_t>(stay.goal)], stay.fromStart ? 0 : stay.push);
    add({fmt::format("D{}E", kFitNames[static_cast<int>(fit)]),
         "disengage " + part_.name + " from " + placeOf(stay), 0, 0, 1, disengageTime(fit)});
  }

  /// A wrist turns by half a turn at most; then the hand is opened, turned back, and closed again. A ratchet
  /// is turned back without opening the hand.
  /// Of stays in several holes at once, the largest rotation counts.
  void turns(const Stay& stay) {
    const double angle = angleOf(stay);
    bool isTightened = stay.isTightened;
    for (const Stay& other : handling_.stays) {
      if (&other == &stay || !other.isInside || !overlap(stay, other)) continue;
      if (angleOf(other) > angle || (angleOf(other) == angle && &other < &stay)) return;
      isTightened = isTightened || other.isTightened;
    }
    const int count = std::max(1, static_cast<int>(std::ceil(angle / kHalfTurn - 1e-6)));
    const double each = angle / count, time = turnTime(each, mass_);
    if (time > 0) {
      const std::string text = "turn " + part_.name + " in " + placeOf(stay);
      add({turnCode(each), text, 0, each, count, count * time});
      const int back = count - 1;
      const bool isRatchet = part_.driver && part_.driver->ratchet;
      const double backTime = turnTime(each, isRatchet ? mass_ : 0);
      if (back > 0 && !isRatchet) add({"RL1", "release to turn back", 0, 0, back, back * kReleaseTime});
      if (back > 0)
        add({fmt::format("T{:.0f}{}", each * 180 / kHalfTurn, isRatchet ? weightCode(mass_) : "S"),
             "turn back", 0, each, back, back * backTime});
      if (back > 0 && !isRatchet) add({"G1A", "grasp again", 0, 0, back, back * kGraspTime});
    }
    if (isTightened) add({"APA", "apply pressure: tighten", 0, 0, 1, kPressureTime});
  }

  const content::Scene& scene_;
  const Handling& handling_;
  const content::Part& part_;
  double mass_ = 0;   ///< on this hand [kg]
  int forPart_ = -1;  ///< as of BasicMotion
  std::vector<BasicMotion> motions_;
};

/// True if hand of `later` took the part out of the hand of `handlings[later.heldBefore]`.
bool isTransfer(std::span<const Handling> handlings, const Handling& later) {
  if (later.heldBefore < 0) return false;
  const Handling& before = handlings[static_cast<std::size_t>(later.heldBefore)];
  return before.end && (!later.end || *before.end < *later.end) && later.together < kTransferPath;
}

bool overlap(const Handling& a, const Handling& b) {
  return a.part == b.part && a.hand != b.hand && (!a.end || b.begin < *a.end) && (!b.end || a.begin < *b.end);
}

/// Groups of handlings of a part that overlap, those from hand to hand excluded: by handling, the group's
/// first one.
std::vector<std::size_t> groupsOf(std::span<const Handling> handlings) {
  std::vector<std::size_t> group(handlings.size());
  for (std::size_t k = 0; k < group.size(); ++k) group[k] = k;
  for (std::size_t a = 0; a < handlings.size(); ++a)
    for (std::size_t b = a + 1; b < handlings.size(); ++b) {
      const bool fromHandToHand =
          (handlings[b].heldBefore == static_cast<int>(a) && isTransfer(handlings, handlings[b])) ||
          (handlings[a].heldBefore == static_cast<int>(b) && isTransfer(handlings, handlings[a]));
      if (fromHandToHand || !overlap(handlings[a], handlings[b])) continue;
      const std::size_t first = std::min(group[a], group[b]), second = std::max(group[a], group[b]);
      std::replace(group.begin(), group.end(), second, first);
    }
  return group;
}

/// Of hands that hold a part together, that with the longest time counts. The sum over all groups is thus at
/// least that of each hand.
void markSimultaneous(std::span<const Handling> handlings, std::vector<HandlingMotions>& all) {
  const std::vector<std::size_t> group = groupsOf(handlings);
  const auto sumOf = [&](std::size_t of, int hand) {
    double sum = 0;
    for (std::size_t k = 0; k < all.size(); ++k)
      if (group[k] == of && all[k].hand == hand) sum += all[k].tmu();
    return sum;
  };
  for (std::size_t of = 0; of < all.size(); ++of) {
    int busiest = all[of].hand;
    for (std::size_t k = of; k < all.size(); ++k)
      if (group[k] == of && sumOf(of, all[k].hand) > sumOf(of, busiest)) busiest = all[k].hand;
    for (std::size_t k = of; k < all.size(); ++k)
      if (group[k] == of) all[k].isSimultaneous = all[k].hand != busiest;
  }
}

}  // namespace

double HandlingMotions::tmu() const {
  double sum = 0;
  for (const BasicMotion& motion : motions) sum += motion.tmu;
  return sum;
}

double HandlingMotions::tmuFor(int other) const {
  double sum = 0;
  for (const BasicMotion& motion : motions)
    if (motion.forPart == other) sum += motion.tmu;
  return sum;
}

double MotionEstimate::sequence() const {
  double sum = 0;
  for (const HandlingMotions& handling : handlings)
    if (!handling.isSimultaneous) sum += handling.tmu();
  return sum;
}

double MotionEstimate::sequenceFor(int part) const {
  double sum = 0;
  for (const HandlingMotions& handling : handlings)
    if (!handling.isSimultaneous) sum += handling.tmuFor(part);
  return sum;
}

double MotionEstimate::ofHand(int hand) const {
  double sum = 0;
  for (const HandlingMotions& handling : handlings)
    if (handling.hand == hand) sum += handling.tmu();
  return sum;
}

std::string MotionEstimate::formulaFor(int part) const {
  std::string text;
  for (const HandlingMotions& handling : handlings) {
    if (handling.isSimultaneous) continue;
    for (const BasicMotion& motion : handling.motions)
      if (motion.forPart == part)
        text += fmt::format("{}{}{} {:.1f}", text.empty() ? "" : " + ",
                            motion.count > 1 ? fmt::format("{} × ", motion.count) : "", motion.code,
                            motion.tmu / motion.count);
  }
  return text;
}

FitClass fitClassOf(const content::Scene& scene, const content::Goal& goal, double push) {
  const InsertionFit fit = insertionFitOf(scene, goal);
  if (fit.isInterference() || push > kHeavyPressure) return FitClass::exact;
  const bool isThread = content::threadPairOf(scene, goal).has_value();
  const bool isNarrow = fit.known() && fit.clearance() <= kCloseClearance;
  return isThread || isNarrow || push > kLightPressure ? FitClass::close : FitClass::loose;
}

Symmetry symmetryOf(const content::Scene& scene, const content::Goal& goal) {
  if (goal.pose || hasAnotherAxis(scene, goal)) return Symmetry::nonsymmetric;
  const auto mouth = content::mouthOf(scene, goal);
  return mouth && !mouth->isRound ? Symmetry::semisymmetric : Symmetry::symmetric;
}

MotionEstimate estimateMotions(const content::Scene& scene, std::span<const Handling> handlings) {
  MotionEstimate estimate;
  for (std::size_t k = 0; k < handlings.size(); ++k) {
    const Handling& handling = handlings[k];
    MotionWriter writer(scene, handling);
    writer.grasp(isTransfer(handlings, handling));
    writer.carry();
    const bool isGiven = std::any_of(handlings.begin(), handlings.end(), [&](const Handling& later) {
      return later.heldBefore == static_cast<int>(k) && isTransfer(handlings, later);
    });
    if (handling.end && !isGiven) writer.release();
    estimate.handlings.push_back({handling.hand, handling.part, writer.take(), false});
  }
  markSimultaneous(handlings, estimate.handlings);
  return estimate;
}

}  // namespace tenon::runtime
