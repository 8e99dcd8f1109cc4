// See import_matings.h.
#include "runtime/commands/import_matings.h"

#include <map>
#include <tuple>
#include <utility>

#include "content/input/limits.h"
#include "runtime/plan/part_distance.h"

namespace tenon::runtime {
namespace {

using content::Mating;
using content::NoMating;
using content::SolidFace;
using physics::Pose;
using physics::Vector3d;

/// Largest clearance with which CAD files draw faces that mate [m].
constexpr double kDrawnClearance = 0.3e-3;
/// Directions that differ by less are one [-], and so are lengths [m].
constexpr double kSameDirection = 1e-6, kSameLength = 1e-6;
/// Poses along the way out at which a part is tested against the other one. What it meets there is at least
/// as long along the way as it is itself, and so is not passed between two of them.
constexpr int kPosesOfWay = 8;

const char* reasonText(NoMating reason) {
  switch (reason) {
    case NoMating::apart:
      return "no planes, cylinders or cones of them face each other within 0.3 mm";
    case NoMating::flat:
      return "they lie flat on one another";
    case NoMating::parallel:
      return "one is between two parallel walls, and can slide off along them";
    case NoMating::unguided:
      return "their faces guide them, but one can slide off sideways";
    case NoMating::locked:
      return "faces bar all directions along which others guide them";
  }
  return "";
}

bool hasFreeForms(const physics::Shape& shape) {
  if (const auto* solid = std::get_if<physics::BoundarySolid>(&shape))
    return std::any_of(solid->surfaces.begin(), solid->surfaces.end(), [](const physics::Surface& surface) {
      return surface.kind == physics::SurfaceKind::freeform;
    });
  const auto* compound = std::get_if<physics::Compound>(&shape);
  return compound != nullptr &&
         std::any_of(compound->children.begin(), compound->children.end(),
                     [](const physics::PlacedShape& child) { return hasFreeForms(child.shape); });
}

/// Two parts that mate, with all directions out of `into` for `part`.
struct MatedPair {
  int part = -1, into = -1;
  std::vector<Mating> matings;

  std::vector<Mating>::const_iterator along(const Vector3d& out) const {
    return std::find_if(matings.begin(), matings.end(),
                        [&](const Mating& mating) { return (mating.out - out).norm() < kSameDirection; });
  }
  bool leavesAlong(const Vector3d& out) const { return along(out) != matings.end(); }
};

class MatingSearchOfParts {
 public:
  MatingSearchOfParts(const content::Scene& scene, std::size_t base, const std::vector<char>& joined)
      : scene_(scene), base_(base), joined_(joined) {
    for (const content::Part& part : scene.parts) {
      faces_.push_back(content::facesOf(part.shape));
      physics::Bounds own;
      for (const SolidFace& face : faces_.back()) include(own, face.bounds);
      boxes_.push_back(rotatedBounds(own, {part.X_WP.q.toRotationMatrix(), part.X_WP.p}));
    }
  }

  AssemblyMatings find() {
    for (std::size_t a = 0; a < faces_.size(); ++a)
      for (std::size_t b = a + 1; b < faces_.size(); ++b)
        if (areWithin(boxes_[a], boxes_[b], kDrawnClearance)) add(a, b);
    for (auto& [part, pairs] : pairsOf_) chooseDirections(pairs);
    const auto byPair = [](const GuidedPair& p, const GuidedPair& q) {
      return std::minmax(p.part, p.into) < std::minmax(q.part, q.into);
    };
    std::sort(found_.guided.begin(), found_.guided.end(), byPair);
    std::sort(found_.round.begin(), found_.round.end(), byPair);
    std::stable_sort(found_.others.begin(), found_.others.end(),
                     [](const auto& p, const auto& q) { return std::pair(p.a, p.b) < std::pair(q.a, q.b); });
    return std::move(found_);
  }

 private:
  const content::Part& part(int k) const { return scene_.parts[static_cast<std::size_t>(k)]; }

  bool canMove(std::size_t part) const {
    return part != base_ && joined_[part] == 0 && scene_.parts[part].mass.mass > 0;
  }

  /// The part of a pair that moves, then the other one.
  std::optional<std::pair<std::size_t, std::size_t>> ordered(std::size_t a, std::size_t b) const {
    const auto mass = [&](std::size_t k) { return scene_.parts[k].mass.mass; };
    if (!canMove(a) && !canMove(b)) return std::nullopt;
    const bool isFirst = canMove(a) && (!canMove(b) || mass(a) < mass(b));
    return isFirst ? std::pair(a, b) : std::pair(b, a);
  }

  /// Upwards, in the frame of a part.
  Vector3d upIn(const Pose& X_WP) const { return X_WP.q.conjugate() * (-scene_.gravity.normalized()); }

  void add(std::size_t a, std::size_t b) {
    const auto order = ordered(a, b);
    if (!order) return;
    const auto [part, into] = *order;
    const Pose &X_WP = scene_.parts[part].X_WP, X_PI = X_WP.inverse() * scene_.parts[into].X_WP;
    const auto pairs = content::conformingFaces(faces_[part], faces_[into], X_PI, kDrawnClearance);
    content::MatingSearch search = content::findMating(faces_[part], faces_[into], X_PI, pairs, upIn(X_WP));
    const int moving = static_cast<int>(part), other = static_cast<int>(into);
    if (search.matings.empty())
      addOther(moving, other, search.reason);
    else
      pairsOf_[moving].push_back({moving, other, std::move(search.matings)});
  }

  /// Parts that are apart, as far as their faces are compared, are listed if free-form faces of both touch.
  void addOther(int part, int other, NoMating reason) {
    const bool areFree = hasFreeForms(this->part(part).shape) && hasFreeForms(this->part(other).shape);
    if (reason == NoMating::apart && !(areFree && isNear(part, other))) return;
    std::string text = reasonText(reason);
    if (areFree && reason != NoMating::locked)
      text += ", and their free-form faces are not compared";
    else if (reason == NoMating::flat)
      text += ", and nothing guides them";
    found_.others.push_back({std::min(part, other), std::max(part, other), std::move(text)});
  }

  PartDistance& distance() {
    if (!distance_) distance_.emplace(scene_);
    return *distance_;
  }

  bool isNear(int a, int b) {
    return distance().separation(a, part(a).X_WP, b, part(b).X_WP, kDrawnClearance) < kDrawnClearance;
  }

  /// Of two parts at these poses [m].
  double overlap(int a, const Pose& X_WA, int b, const Pose& X_WB) {
    const double depth = -distance().separation(a, X_WA, b, X_WB, 0);
    if (depth > content::kSettledOverlap) return depth;
    return distance().collider().sampledOverlap({{std::min(a, b)}, {std::max(a, b)}}, a < b ? X_WA : X_WB,
                                                a < b ? X_WB : X_WA);
  }

  /// Divides the pairs of one moving part among directions.
  void chooseDirections(std::vector<MatedPair>& pairs) {
    while (!pairs.empty()) {
      const Vector3d out = commonDirection(pairs);
      if (!dropBarred(out, pairs)) addAlong(out, pairs);
      for (const MatedPair& pair : pairs)
        if (pair.matings.empty()) addOther(pair.part, pair.into, NoMating::locked);
      std::erase_if(pairs, [](const MatedPair& pair) { return pair.matings.empty(); });
    }
  }

  /// How many pairs a direction serves, and the longest motion that this takes [m].
  static std::pair<std::ptrdiff_t, double> servedBy(const Vector3d& out,
                                                    const std::vector<MatedPair>& pairs) {
    std::ptrdiff_t count = 0;
    double depth = 0;
    for (const MatedPair& pair : pairs)
      if (const auto mating = pair.along(out); mating != pair.matings.end()) {
        ++count;
        depth = std::max(depth, mating->depth);
      }
    return {count, depth};
  }

  /// Along which the part leaves the most others, then the one with the shortest motion, then the one that
  /// points the most upwards.
  Vector3d commonDirection(const std::vector<MatedPair>& pairs) const {
    const Vector3d up = upIn(part(pairs.front().part).X_WP);
    Vector3d best = Vector3d::Zero();
    std::pair<std::ptrdiff_t, double> ofBest(0, 0);
    for (const MatedPair& pair : pairs)
      for (const Mating& mating : pair.matings) {
        const auto served = servedBy(mating.out, pairs);
        if (served.first < ofBest.first) continue;
        const double shorter = ofBest.second - served.second;
        const bool isBetter = served.first > ofBest.first || shorter > kSameLength ||
                              (shorter >= -kSameLength && mating.out.dot(up) > best.dot(up) + kSameDirection);
        if (!isBetter) continue;
        best = mating.out;
        ofBest = served;
      }
    return best;
  }

  /// Removes a direction from the pairs of which the other part is in the way; true if there are such.
  bool dropBarred(const Vector3d& out, std::vector<MatedPair>& pairs) {
    const double depth = servedBy(out, pairs).second;
    bool isBarred = false;
    for (MatedPair& pair : pairs) {
      const auto mating = pair.along(out);
      if (mating == pair.matings.end() || mating->isRound || isWayFree(pair, out, depth)) continue;
      pair.matings.erase(mating);
      isBarred = true;
    }
    return isBarred;
  }

  bool isWayFree(const MatedPair& pair, const Vector3d& out, double depth) {
    const Pose &X_WP = part(pair.part).X_WP, &X_WI = part(pair.into).X_WP;
    for (int k = 1; k <= kPosesOfWay; ++k) {
      Pose X = X_WP;
      X.p += X_WP.q * out * (depth * k / kPosesOfWay);
      if (overlap(pair.part, X, pair.into, X_WI) > content::kSettledOverlap) return false;
    }
    return true;
  }

  void addAlong(const Vector3d& out, std::vector<MatedPair>& pairs) {
    for (MatedPair& pair : pairs) {
      const auto mating = pair.along(out);
      if (mating == pair.matings.end()) continue;
      (mating->isRound ? found_.round : found_.guided).push_back({pair.part, pair.into, *mating});
    }
    std::erase_if(pairs, [&](const MatedPair& pair) { return pair.leavesAlong(out); });
  }

  const content::Scene& scene_;
  std::size_t base_;
  const std::vector<char>& joined_;
  std::vector<std::vector<SolidFace>> faces_;  // by part, in its frame
  std::vector<physics::Bounds> boxes_;         // in the world
  std::map<int, std::vector<MatedPair>> pairsOf_;
  std::optional<PartDistance> distance_;
  AssemblyMatings found_;
};

}  // namespace

AssemblyMatings findMatings(const content::Scene& scene, std::size_t base, const std::vector<char>& joined) {
  return MatingSearchOfParts(scene, base, joined).find();
}

}  // namespace tenon::runtime
