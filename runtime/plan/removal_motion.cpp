// See removal_motion.h.
#include "runtime/plan/removal_motion.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "content/model/part_holes.h"

namespace tenon::runtime {

namespace {

using content::Scene;
using physics::Vector3d;

/// Directions whose difference is smaller are one [-].
constexpr double kSameDirection = 1e-6;
/// Surfaces of neighbors: a shaft in a bore of a coarse fit included [m].
constexpr double kNeighborDistance = 0.5e-3;
/// Surfaces that touch: their normals bound the motions [m].
constexpr double kFaceContact = 20e-6;
/// Frames of screws this near to their axes are on them [m].
constexpr double kSameAxisOffset = 1e-6;
/// Contact normals of one unit that are used; more belong to curved faces.
constexpr std::size_t kMaxNormals = 12;

class MotionCollector {
 public:
  MotionCollector(const Assembly& assembly, PartDistance& distance)
      : assembly_(assembly), scene_(*assembly.scene), distance_(distance) {}

  MotionSet run() {
    set_.ofUnit.resize(assembly_.units.size());
    set_.reasons.resize(assembly_.units.size());
    for (std::size_t unit = 0; unit < assembly_.units.size(); ++unit)
      if (assembly_.units[unit].thread)
        addScrew(unit);
      else
        addUnit(unit);
    return std::move(set_);
  }

 private:
  const physics::Pose& poseOf(int part) const { return assembly_.X_WP[static_cast<std::size_t>(part)]; }

  /// Index of the straight motion in this direction, added if it is new.
  int indexOf(const Vector3d& direction, const std::string& reason) {
    for (std::size_t k = 0; k < set_.motions.size(); ++k)
      if (set_.motions[k].unit < 0 && (set_.motions[k].direction - direction).norm() < kSameDirection)
        return static_cast<int>(k);
    const auto index = static_cast<int>(set_.motions.size());
    set_.motions.push_back({direction, reason});
    set_.motions.push_back({-direction, reason});
    set_.opposite.push_back(index + 1);
    set_.opposite.push_back(index);
    return index;
  }

  void addBoth(std::size_t unit, const Vector3d& axis, const std::string& reason) {
    const int index = indexOf(axis.normalized(), reason);
    std::vector<int>& own = set_.ofUnit[unit];
    for (const int motion : {index, set_.opposite[static_cast<std::size_t>(index)]})
      if (std::find(own.begin(), own.end(), motion) == own.end()) {
        own.push_back(motion);
        set_.reasons[unit].push_back(reason);
      }
  }

  /// Along its thread: right-handed screws turn left out of it.
  void addScrew(std::size_t unit) {
    const UnitThread& thread = *assembly_.units[unit].thread;
    RemovalMotion screw;
    screw.direction = thread.out_W;
    screw.reason = "thread " + thread.name;
    // Paths rotate about the origin of the part's frame; a screw drawn elsewhere is searched without its
    // turns.
    if ((poseOf(thread.part).p - thread.p_W).cross(screw.direction).norm() < kSameAxisOffset) {
      screw.pitch = thread.lead;
      screw.thread = thread.length;
    }
    screw.unit = static_cast<int>(unit);
    set_.ofUnit[unit] = {static_cast<int>(set_.motions.size())};
    set_.reasons[unit] = {screw.reason};
    set_.motions.push_back(std::move(screw));
    set_.opposite.push_back(-1);
  }

  void addAxes(std::size_t unit, int part) {
    const content::Part& of = scene_.part(part);
    for (const content::AxisFeature& feature : of.features)
      addBoth(unit, poseOf(part).q * feature.direction, feature.name + " of " + of.name);
    for (const content::HoleSite& hole : content::holesOf(of))
      addBoth(unit, poseOf(part).q * (hole.X_PH.q * Vector3d::UnitZ()),
              "hole " + hole.name + " of " + of.name);
  }

  void addUnit(std::size_t unit) {
    const std::vector<int>& parts = assembly_.units[unit].parts;
    for (const int part : parts) addAxes(unit, part);
    std::vector<Vector3d> normals;
    std::vector<std::string> faces;
    for (const int part : parts)
      for (int other = 0; other < static_cast<int>(scene_.parts.size()); ++other) {
        if (std::find(parts.begin(), parts.end(), other) != parts.end()) continue;
        const physics::ContactSet near =
            distance_.contacts(part, poseOf(part), other, poseOf(other), kNeighborDistance);
        if (near.empty()) continue;
        addAxes(unit, other);
        for (const physics::Contact& contact : near)
          if (contact.separation < kFaceContact && normals.size() < kMaxNormals) {
            const Vector3d out = part < other ? Vector3d(-contact.n) : contact.n;
            const auto same = [&](const Vector3d& n) { return (n - out).norm() < kSameDirection; };
            if (std::any_of(normals.begin(), normals.end(), same)) continue;
            normals.push_back(out);
            faces.push_back("face of " + scene_.part(other).name);
          }
      }
    for (std::size_t k = 0; k < normals.size(); ++k) addBoth(unit, normals[k], faces[k]);
    addEdges(unit, normals, faces);
    if (scene_.gravity.norm() > 0) addBoth(unit, -scene_.gravity, "gravity");
  }

  /// Along the edges in which two faces meet.
  void addEdges(std::size_t unit, const std::vector<Vector3d>& normals,
                const std::vector<std::string>& faces) {
    for (std::size_t i = 0; i < normals.size(); ++i)
      for (std::size_t j = i + 1; j < normals.size(); ++j) {
        const Vector3d edge = normals[i].cross(normals[j]);
        if (edge.norm() > 1e-3) addBoth(unit, edge, faces[i]);
      }
  }

  const Assembly& assembly_;
  const Scene& scene_;
  PartDistance& distance_;
  MotionSet set_;
};

}  // namespace

physics::Pose poseAlong(const RemovalMotion& motion, const physics::Pose& X_WP, double travel) {
  physics::Pose X = X_WP;
  X.p += travel * motion.direction;
  if (motion.pitch != 0) {
    const double angle = 2 * std::numbers::pi / motion.pitch * std::min(travel, motion.thread);
    X.q = (physics::exponential(angle * motion.direction) * X_WP.q).normalized();
  }
  return X;
}

physics::Pose poseAlong(const PathLeg& leg, const physics::Pose& X_WP, double share) {
  const physics::Quaterniond q = physics::exponential(share * leg.rotation);
  return {(q * X_WP.q).normalized(), leg.center + share * leg.displacement + q * (X_WP.p - leg.center)};
}

PathLeg reversedLeg(const PathLeg& leg) {
  return {leg.units, -leg.displacement, -leg.rotation, leg.center + leg.displacement};
}

PathLeg legOfOthers(const PathLeg& leg, const std::vector<int>& units) {
  PathLeg others = leg;
  std::erase_if(others.units, [&](int unit) { return containsUnit(units, unit); });
  return others;
}

std::vector<PathLeg> legsOf(const std::vector<PathLeg>& legs, int unit) {
  std::vector<PathLeg> own;
  for (const PathLeg& leg : legs)
    if (std::binary_search(leg.units.begin(), leg.units.end(), unit)) own.push_back(leg);
  return own;
}

physics::Pose poseAfter(const std::vector<PathLeg>& legs, int unit, const physics::Pose& X_WP) {
  physics::Pose X = X_WP;
  for (const PathLeg& leg : legsOf(legs, unit)) X = poseAlong(leg, X, 1);
  return X;
}

MotionSet removalMotions(const Assembly& assembly, PartDistance& distance) {
  return MotionCollector(assembly, distance).run();
}

}  // namespace tenon::runtime
