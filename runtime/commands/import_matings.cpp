// See import_matings.h.
#include "runtime/commands/import_matings.h"

#include <optional>
#include <utility>

namespace tenon::runtime {
namespace {

using content::SolidFace;
using physics::Pose;
using physics::Vector3d;

/// Largest clearance with which CAD files draw faces that mate [m].
constexpr double kDrawnClearance = 0.3e-3;

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

  AssemblyMatings find() const {
    AssemblyMatings found;
    for (std::size_t a = 0; a < faces_.size(); ++a)
      for (std::size_t b = a + 1; b < faces_.size(); ++b)
        if (areWithin(boxes_[a], boxes_[b], kDrawnClearance)) add(a, b, found);
    return found;
  }

 private:
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

  void add(std::size_t a, std::size_t b, AssemblyMatings& found) const {
    const auto order = ordered(a, b);
    if (!order) return;
    const auto [part, into] = *order;
    const Pose &X_WP = scene_.parts[part].X_WP, X_PI = X_WP.inverse() * scene_.parts[into].X_WP;
    const auto pairs = content::conformingFaces(faces_[part], faces_[into], X_PI, kDrawnClearance);
    const Vector3d up = X_WP.q.conjugate() * (-scene_.gravity.normalized());
    const content::MatingSearch search = content::findMating(faces_[part], faces_[into], X_PI, pairs, up);
    if (search.mating && !search.mating->isRound)
      found.guided.push_back({static_cast<int>(part), static_cast<int>(into), *search.mating});
    else if (!search.mating && search.reason != content::NoMating::apart)
      found.others.push_back({static_cast<int>(a), static_cast<int>(b), search.reason});
  }

  const content::Scene& scene_;
  std::size_t base_;
  const std::vector<char>& joined_;
  std::vector<std::vector<SolidFace>> faces_;  // by part, in its frame
  std::vector<physics::Bounds> boxes_;         // in the world
};

}  // namespace

AssemblyMatings findMatings(const content::Scene& scene, std::size_t base, const std::vector<char>& joined) {
  return MatingSearchOfParts(scene, base, joined).find();
}

const char* reasonText(content::NoMating reason) {
  switch (reason) {
    case content::NoMating::apart:
      return "they do not touch";
    case content::NoMating::flat:
      return "they lie flat on one another, and nothing guides them";
    case content::NoMating::unguided:
      return "their faces guide them, but one can slide off sideways";
    case content::NoMating::locked:
      return "faces bar both directions along which others guide them";
  }
  return "";
}

}  // namespace tenon::runtime
