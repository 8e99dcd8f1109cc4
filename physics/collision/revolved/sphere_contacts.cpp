// Contacts of a sphere are the local minima of its center's distance to the surface.
#include "physics/collision/revolved/sphere_contacts.h"

#include <algorithm>
#include <cmath>

#include "physics/collision/revolved/contact_search.h"

namespace tenon::physics {
namespace {

/// Maximum number of steps along a line of sight; only grazing lines would need more.
constexpr int kSightSteps = 64;

// Slots of a feature: near side and far side of the axis, and the fixed phases.
constexpr std::uint32_t kNearSide = 0, kFarSide = 1, kFirstPhase = 8;

/// Fixed phases of a wall nearer than this to the direction of the center (a quarter of their spacing) would
/// repeat the near side's contact with another normal [cosine].
constexpr double kNextToNearSide = 0.98;

// Contacts of a sphere with a solid whose distance function is nearestOn(solid, p).
template <class Solid>
class SphereSearch {
 public:
  SphereSearch(const PlacedSphere& sphere, const Solid& solid, double range,
               std::vector<SurfaceContact>& contacts)
      : sphere_(sphere),
        solid_(solid),
        range_(range),
        contacts_(contacts),
        hit_(nearestOn(solid, sphere.center)) {}

  bool isOutOfRange() const { return hit_.distance - sphere_.radius > range_; }
  bool isInside() const { return hit_.distance <= kMinDirectionLength; }
  void addNearest() { addHit(hit_); }
  void addHit(const SurfaceHit& hit) {
    add(sphere_.center - hit.distance * hit.normal, hit.normal, hit.distance, code(hit.feature, 0));
  }

  // Faces, and convex edges, of a surface of revolution.
  void againstMeridian(const PlacedMeridian& part) {
    const Vector3d c = part.R_CM.transpose() * (sphere_.center - part.p_CM);
    const double rho = std::sqrt(c.x() * c.x() + c.y() * c.y());
    const Vector3d e = rho > kSameDistance ? Vector3d(c.x() / rho, c.y() / rho, 0) : Vector3d::UnitX();
    const Meridian& m = *part.meridian;
    for (std::size_t i = 0; i < m.segments.size(); ++i) {
      const int feature = part.segmentFeature(i);
      segment(part, m.segments[i], e, rho, c.z(), code(feature, kNearSide));
      if (rho > kSameDistance) segment(part, m.segments[i], -e, -rho, c.z(), code(feature, kFarSide));
      // Phases all around only if the center projects onto the wall: elsewhere the free space is not convex.
      if (m.segments[i].normal.x() < 0 && hasFoot(m.segments[i], rho, c.z()))
        forEachPhase([&](const Vector3d& u, std::uint32_t slot) {
          if (u.dot(e) > kNextToNearSide) return;
          segment(part, m.segments[i], u, u.dot(c), c.z(), code(feature, slot));
        });
    }
    for (std::size_t i = 0; i < m.vertices.size(); ++i) {
      if (!m.vertices[i].convex) continue;
      const int feature = part.vertexFeature(i);
      vertex(part, m.vertices[i], e, c, code(feature, kNearSide));
      if (m.vertices[i].at.x() <= 0) continue;
      if (rho > kSameDistance) vertex(part, m.vertices[i], -e, c, code(feature, kFarSide));
      forEachPhase([&](const Vector3d& u, std::uint32_t slot) {
        vertex(part, m.vertices[i], u, c, code(feature, slot));
      });
    }
  }

 private:
  static std::uint32_t code(int feature, std::uint32_t slot) {
    return static_cast<std::uint32_t>(feature) << 5 | slot;
  }

  template <class Use>
  static void forEachPhase(Use use) {
    const Grid& grid = fullCircleGrid();
    for (int k = 0; k < kPhases; ++k) {
      const auto cell = static_cast<std::size_t>(k * Grid::kCells / kPhases);
      use(Vector3d(grid.cosine[cell], grid.sine[cell], 0), kFirstPhase + static_cast<std::uint32_t>(k));
    }
  }

  // On the free side of the flank.
  static bool hasFoot(const Meridian::Segment& s, double rho, double z) {
    const Vector2d w = Vector2d(rho, z) - s.start;
    const double t = w.dot(s.direction);
    return t >= 0 && t <= s.length && w.dot(s.normal) > 0;
  }

  // The tangent plane of the flank along its generatrix at direction `u`. The free space at a concave flank
  // lies on one side of it; at the direction of the center its distance equals that of the flank.
  void segment(const PlacedMeridian& part, const Meridian::Segment& s, const Vector3d& u, double rho,
               double z, std::uint32_t feature) {
    const Vector2d w = Vector2d(rho, z) - s.start;
    const double t = w.dot(s.direction), offset = w.dot(s.normal);
    if (t < 0 || t > s.length || offset <= 0) return;
    const Vector2d foot = s.start + t * s.direction;
    if (foot.x() < 0) return;
    const Vector3d n = part.R_CM * (s.normal.x() * u + s.normal.y() * Vector3d::UnitZ());
    // Outside the meridian plane of the center the foot lies beside the flank, on its tangent plane.
    add(sphere_.center - offset * n, n, offset, feature,
        part.p_CM + part.R_CM * (foot.x() * u + foot.y() * Vector3d::UnitZ()));
  }

  void vertex(const PlacedMeridian& part, const Meridian::Vertex& v, const Vector3d& u, const Vector3d& c,
              std::uint32_t feature) {
    const Vector3d p = v.at.x() * u + v.at.y() * Vector3d::UnitZ(), w = c - p;
    const double d = w.norm();
    if (d <= kMinDirectionLength) return;
    // Accept only if the direction to the center, projected into the meridian plane, is between the face
    // normals.
    const Vector2d projected(w.dot(u), w.z());
    const double cosine = v.before.dot(v.after), x = projected.dot(v.before), y = projected.dot(v.after);
    if (v.at.x() > 0 ? (x < cosine * y || y < cosine * x) : projected.y() * (v.before + v.after).y() < 0)
      return;
    add(part.p_CM + part.R_CM * p, part.R_CM * (w / d), d, feature);
  }

  void add(const Vector3d& foot, const Vector3d& normal, double distance, std::uint32_t feature) {
    add(foot, normal, distance, feature, foot);
  }
  // `foot` is at `distance` from the center along −`normal`. Adds the contact only if `visiblePoint` is
  // visible.
  void add(const Vector3d& foot, const Vector3d& normal, double distance, std::uint32_t feature,
           const Vector3d& visiblePoint) {
    const double separation = distance - sphere_.radius;
    if (separation > range_ || !isVisible(visiblePoint)) return;
    contacts_.push_back({foot + 0.5 * separation * normal, -normal, separation, feature});
  }

  // Sphere tracing along the line of sight: steps as long as the distance cross no surface.
  bool isVisible(const Vector3d& p) const {
    const Vector3d w = p - sphere_.center;
    const double length = w.norm();
    if (length <= std::abs(hit_.distance) + kSameDistance) return true;
    double t = hit_.distance, d = 0;
    for (int step = 0; step < kSightSteps; ++step) {
      if (length - t <= kSameDistance) return true;
      d = nearestOn(solid_, sphere_.center + t / length * w).distance;
      if (d < 0 || (d <= kSameDistance && length - t > kMinDirectionLength)) return false;
      t += std::max(d, kSameDistance);
    }
    // The steps have converged to a surface: that of the point, or one in front of it.
    return d > kMinDirectionLength || length - t <= kMinDirectionLength;
  }

  const PlacedSphere& sphere_;
  const Solid& solid_;
  double range_;
  std::vector<SurfaceContact>& contacts_;
  SurfaceHit hit_;
};

void sortFrom(std::size_t first, std::vector<SurfaceContact>& contacts) {
  std::sort(contacts.begin() + static_cast<std::ptrdiff_t>(first), contacts.end(),
            [](const SurfaceContact& x, const SurfaceContact& y) { return x.feature < y.feature; });
}

}  // namespace

void sphereRevolvedContacts(const PlacedSphere& a, const RevolvedGeometry& b, double range,
                            std::vector<SurfaceContact>& contacts) {
  const std::size_t first = contacts.size();
  SphereSearch search(a, b, range, contacts);
  if (search.isOutOfRange()) return;
  if (search.isInside()) return search.addNearest();
  search.againstMeridian(PlacedRevolved(b, Pose{}).surface);
  sortFrom(first, contacts);
}

void sphereBlockContacts(const PlacedSphere& a, const BlockGeometry& b, double range,
                         std::vector<SurfaceContact>& contacts) {
  const std::size_t first = contacts.size();
  SphereSearch search(a, b, range, contacts);
  if (search.isOutOfRange()) return;
  if (search.isInside()) return search.addNearest();
  const SurfaceHit hit = nearestOn(b, a.center);
  if (hit.feature < kBoxFeatures) {
    search.addNearest();
  } else if ((a.center.cwiseAbs() - b.halfExtents).maxCoeff() > 0) {
    // The rim of a cavity is closest, but a face of the box outside the mouths may still be within range.
    const SurfaceHit box = nearestOn(b, std::span<const int>(), a.center);
    const Vector3d foot = a.center - box.distance * box.normal;
    if (std::abs(nearestOn(b, foot).distance) <= kSameDistance) search.addHit(box);
  }
  PlacedBlock(b, a.center, a.radius + range).forEachNear([&](const PlacedMeridian& cavity) {
    search.againstMeridian(cavity);
  });
  sortFrom(first, contacts);
}

void blockHalfSpaceContacts(const BlockGeometry& a, const Pose& X_BA, double range,
                            std::vector<SurfaceContact>& contacts) {
  for (const FlatFeatures::Corner& corner : a.box.corners) {
    const Vector3d p = X_BA * corner.p;
    if (p.z() > range) continue;
    contacts.push_back({p - 0.5 * p.z() * Vector3d::UnitZ(), -Vector3d::UnitZ(), p.z(),
                        static_cast<std::uint32_t>(corner.feature)});
  }
}

}  // namespace tenon::physics
