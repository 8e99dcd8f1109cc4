// Computes a part's outline about the goal's axis from its shapes, and the dimensions from the outline.
#include "runtime/assess/insertion_fit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "content/model/part_holes.h"
#include "content/reader/read_mesh.h"
#include "physics/contact/press_fit.h"
#include "xr/interaction/part_bounds.h"

namespace tenon::runtime {

namespace {

using physics::Pose;
using physics::Vector3d;

/// Smaller lengths and angles count as zero: far above the rounding of poses, far below any fit [m], [rad].
constexpr double kNone = 1e-9;

/// Bore and lead-in of a hole that a goal uses down to `depth` [m].
void measureHole(const content::HoleSite& site, double depth, InsertionFit& fit) {
  for (const Eigen::Vector2d& zr : site.profile) fit.hole.emplace_back(-zr.x(), zr.y());
  fit.through = site.through;
  fit.boreRadius = fit.mouthRadius();
  std::size_t bore = 0;  // the profile's point at the start of the bore
  for (std::size_t k = 1; k < fit.hole.size(); ++k) {
    const Eigen::Vector2d& from = fit.hole[k - 1];
    Eigen::Vector2d to = fit.hole[k];
    // A drill point is not a narrower bore.
    if (from.x() >= depth || to.x() < from.x() || !(to.y() > 0)) continue;
    if (to.x() > depth) to = from + (depth - from.x()) / (to.x() - from.x()) * (to - from);
    if (!(to.y() < fit.boreRadius)) continue;
    fit.boreRadius = to.y();
    fit.leadInDepth = to.x();
    bore = k;
  }
  // Follows the cones above the bore's edge.
  while (bore > 0 && fit.hole[bore - 1].x() < fit.hole[bore].x() - kNone &&
         fit.hole[bore - 1].y() > fit.hole[bore].y() + kNone)
    --bore;
  fit.leadInRadius = std::max(fit.hole[bore].y(), fit.boreRadius);
}

/// A segment of the part's outline: distances behind the tip [m] and radii there [m], s0 ≤ s1.
struct Flank {
  double s0 = 0, r0 = 0, s1 = 0, r1 = 0;
  bool round = false;
};

/// A circle about the part's axis: (distance behind the tip, radius) [m].
using Circle = Eigen::Vector2d;

/// Collects the flanks of all shapes and faces of revolution about an axis, and the corners of other parts.
class Outline {
 public:
  Outline(const content::AxisFeature& axis, const Pose& X, std::vector<Flank>& flanks,
          std::vector<Circle>& corners)
      : axis_(axis), X_(X), flanks_(flanks), corners_(corners) {}

  void operator()(const physics::Cylinder& c) const {
    if (isOnAxis()) take(-c.halfLength, c.radius, c.halfLength, c.radius);
  }
  void operator()(const physics::Frustum& f) const {
    if (isOnAxis()) take(-f.halfLength, f.bottomRadius, f.halfLength, f.topRadius);
  }
  void operator()(const physics::Capsule& c) const {
    if (!isOnAxis()) return;
    take(-c.halfLength - c.radius, 0, -c.halfLength, c.radius, true);
    take(-c.halfLength, c.radius, c.halfLength, c.radius);
    take(c.halfLength, c.radius, c.halfLength + c.radius, 0, true);
  }
  void operator()(const physics::Sphere& s) const {
    if (axis_.direction.cross(X_.p - axis_.origin).norm() >= kNone) return;
    const double middle = -axis_.direction.dot(X_.p - axis_.origin);
    flanks_.push_back({middle - s.radius, 0, middle, s.radius, true});
    flanks_.push_back({middle, s.radius, middle + s.radius, 0, true});
  }
  void operator()(const physics::SolidOfRevolution& t) const {
    if (!isOnAxis()) return;
    for (std::size_t k = 1; k < t.profile.size(); ++k)
      take(t.profile[k - 1].x(), t.profile[k - 1].y(), t.profile[k].x(), t.profile[k].y());
  }
  void operator()(const physics::Compound& c) const {
    for (const physics::PlacedShape& child : c.children)
      std::visit(Outline(axis_, X_ * child.X_PS, flanks_, corners_), child.shape);
  }
  void operator()(const physics::Hull& hull) const { addCorners(hull.vertices); }
  void operator()(const physics::BoundarySolid& solid) const {
    const bool isWhole = isTurned(solid);
    addFaces(solid, isWhole);
    if (!isWhole) addCorners(solid.vertices);
  }
  template <class Other>
  void operator()(const Other&) const {}

 private:
  bool isAboutAxis(const physics::Surface& s) const {
    if (s.kind == physics::SurfaceKind::freeform) return false;
    const bool isCentered = axis_.direction.cross(X_ * s.X_BS.p - axis_.origin).norm() < kNone;
    const bool isParallel = axis_.direction.cross(X_.q * s.X_BS.R.col(2)).norm() < kNone;
    if (s.kind == physics::SurfaceKind::plane) return isParallel;
    return isCentered && (isParallel || s.kind == physics::SurfaceKind::sphere);
  }
  /// True if all faces are surfaces of revolution about the axis.
  bool isTurned(const physics::BoundarySolid& solid) const {
    return !solid.surfaceOf.empty() &&
           std::none_of(solid.surfaceOf.begin(), solid.surfaceOf.end(), [](int s) { return s < 0; }) &&
           std::all_of(solid.surfaces.begin(), solid.surfaces.end(),
                       [&](const physics::Surface& s) { return isAboutAxis(s); });
  }
  /// True if the material is inside of a triangle on a surface about the axis.
  bool isOuter(const physics::BoundarySolid& solid, const std::array<int, 3>& triangle) const {
    const auto at = [&](std::size_t k) { return solid.vertices[static_cast<std::size_t>(triangle[k])]; };
    const Vector3d n = X_.q * (at(1) - at(0)).cross(at(2) - at(0)),
                   w = X_ * Vector3d((at(0) + at(1) + at(2)) / 3) - axis_.origin;
    return n.dot(w - axis_.direction.dot(w) * axis_.direction) > 0;
  }
  /// A flank from end to end of each face about the axis; its radius on the surface for cylinders, of its
  /// corners else. Unless the solid is turned, only of curved outer ones.
  void addFaces(const physics::BoundarySolid& solid, bool areAll) const {
    std::vector<Flank> flanks(solid.surfaces.size());
    std::vector<char> isSeen(flanks.size(), 0), isRound(flanks.size(), 0);
    for (std::size_t k = 0; k < flanks.size(); ++k)
      isRound[k] =
          (areAll || solid.surfaces[k].kind != physics::SurfaceKind::plane) && isAboutAxis(solid.surfaces[k]);
    for (std::size_t t = 0; t < solid.surfaceOf.size(); ++t) {
      if (solid.surfaceOf[t] < 0) continue;
      const auto k = static_cast<std::size_t>(solid.surfaceOf[t]);
      if (isRound[k] == 0 || !(areAll || isOuter(solid, solid.triangles[t]))) continue;
      const physics::Surface& surface = solid.surfaces[k];
      for (const int v : solid.triangles[t]) {
        const Vector3d fromTip = X_ * solid.vertices[static_cast<std::size_t>(v)] - axis_.origin;
        const double s = -axis_.direction.dot(fromTip);
        const double r = surface.kind == physics::SurfaceKind::cylinder
                             ? surface.radius
                             : axis_.direction.cross(fromTip).norm();
        Flank& f = flanks[k];
        if (isSeen[k] == 0 || s < f.s0 || (s == f.s0 && r < f.r0)) f.s0 = s, f.r0 = r;
        if (isSeen[k] == 0 || s > f.s1 || (s == f.s1 && r > f.r1)) f.s1 = s, f.r1 = r;
        isSeen[k] = 1;
      }
    }
    for (std::size_t k = 0; k < flanks.size(); ++k)
      if (isSeen[k] != 0) flanks_.push_back(flanks[k]);
  }
  void addCorners(const std::vector<Vector3d>& vertices) const {
    for (const Vector3d& vertex : vertices) {
      const Vector3d fromTip = X_ * vertex - axis_.origin;
      corners_.emplace_back(-axis_.direction.dot(fromTip), axis_.direction.cross(fromTip).norm());
    }
  }
  bool isOnAxis() const {
    return axis_.direction.cross(X_.q * Vector3d::UnitZ()).norm() < kNone &&
           axis_.direction.cross(X_.p - axis_.origin).norm() < kNone;
  }
  /// From heights along the shape's own axis.
  void take(double z0, double r0, double z1, double r1, bool round = false) const {
    const auto behind = [&](double z) { return axis_.direction.dot(axis_.origin - X_ * Vector3d(0, 0, z)); };
    const double s0 = behind(z0), s1 = behind(z1);
    if (s0 <= s1)
      flanks_.push_back({s0, r0, s1, r1, round});
    else
      flanks_.push_back({s1, r1, s0, r0, round});
  }

  const content::AxisFeature& axis_;
  Pose X_;
  std::vector<Flank>& flanks_;
  std::vector<Circle>& corners_;
};

/// Of a part that goes `length` into a bore with keyways or teeth: its cylinder nearest to the bore in
/// diameter is the one that the bore guides; what is wider passes through the keyways.
void dropWiderThanGuided(double boreRadius, double length, std::vector<Flank>& flanks) {
  const Flank* guided = nullptr;
  const auto isIn = [&](const Flank& f) { return f.s0 < length - kNone; };
  for (const Flank& f : flanks)
    if (isIn(f) && f.r0 == f.r1 && f.s1 > f.s0 &&
        (!guided || std::abs(f.r0 - boreRadius) < std::abs(guided->r0 - boreRadius)))
      guided = &f;
  if (!guided) return;
  const double radius = guided->r0;
  std::erase_if(flanks, [&](const Flank& f) { return isIn(f) && std::max(f.r0, f.r1) > radius + kNone; });
}

double radiusAt(const Flank& f, double s) {
  if (f.s1 - f.s0 <= kNone) return std::max(f.r0, f.r1);
  const double t = std::clamp((s - f.s0) / (f.s1 - f.s0), 0.0, 1.0);
  if (!f.round) return f.r0 + t * (f.r1 - f.r0);
  const double fromCentre = f.r0 < f.r1 ? 1 - t : t;
  return std::max(f.r0, f.r1) * std::sqrt(std::max(1 - fromCentre * fromCentre, 0.0));
}

/// Largest radius between the tip and `length` behind it [m]; 0 if there is no material.
double widest(const std::vector<Flank>& flanks, double length) {
  double radius = 0;
  for (const Flank& f : flanks) {
    // A flank that begins at the end of the segment is excluded: a head that rests on the face.
    if (f.s1 < kNone || f.s0 > std::max(length - kNone, kNone)) continue;
    for (const double s : {f.s0, f.s1})
      radius = std::max(radius, radiusAt(f, std::clamp(s, 0.0, std::max(length, 0.0))));
  }
  return radius;
}

/// Distance behind the tip at which a flank first reaches `radius` [m]; infinite if none does.
double reaches(const Flank& f, double radius) {
  if (std::max(f.r0, f.r1) < radius) return std::numeric_limits<double>::infinity();
  if (f.r0 >= radius || f.s1 - f.s0 <= kNone) return f.s0;
  if (f.round) return f.s1;
  return f.s0 + (radius - f.r0) / (f.r1 - f.r0) * (f.s1 - f.s0);
}

void measureTip(const std::vector<Flank>& flanks, InsertionFit& fit) {
  const double tolerance = fit.edgeTolerance();
  fit.tipLength = std::numeric_limits<double>::infinity();
  for (const Flank& f : flanks) {
    for (const auto& [s, r] : {std::pair(f.s0, f.r0), std::pair(f.s1, f.r1)})
      if (std::abs(s) <= tolerance) fit.tipRadius = std::max(fit.tipRadius, std::min(r, fit.pegRadius));
    if (f.s1 >= -tolerance)
      fit.tipLength = std::min(fit.tipLength, std::max(reaches(f, fit.pegRadius * (1 - 1e-12)), 0.0));
    if (f.round && std::abs(f.s0) <= tolerance) fit.roundTip = true;
  }
  if (!std::isfinite(fit.tipLength)) fit.tipLength = 0;
  for (const Flank& f : flanks)
    if (f.s1 > fit.tipLength)
      fit.head = std::min(fit.head, std::max(reaches(f, fit.pegRadius + tolerance), fit.tipLength));
}

/// The depth at which the hole stops a circle of this radius on its axis; infinite if it passes through
/// [m].
double depthOfCircle(double radius, const InsertionFit& fit) {
  if (fit.mouthRadius() <= radius) return 0;
  for (std::size_t k = 1; k < fit.hole.size(); ++k) {
    const Eigen::Vector2d &from = fit.hole[k - 1], &to = fit.hole[k];
    if (to.y() > radius) continue;
    return from.x() + (from.y() - radius) / (from.y() - to.y()) * (to.x() - from.x());
  }
  return std::numeric_limits<double>::infinity();
}

/// The first circle of the part that the hole stops; of those at one level the widest, which a tilted part
/// touches first.
void measureSeat(const std::vector<Circle>& circles, InsertionFit& fit) {
  for (const Circle& circle : circles) {
    const double level = depthOfCircle(circle.y(), fit), depth = level + circle.x();
    const bool isAsDeep = std::abs(depth - fit.seatedDepth()) <= kNone && circle.y() > fit.seatRadius;
    if (!(depth < fit.seatedDepth() - kNone) && !isAsDeep) continue;
    fit.seatLevel = level;
    fit.seatBehind = circle.x();
    fit.seatRadius = circle.y();
  }
}

const content::Part& fittedPartOf(const content::Scene& scene, int part) {
  return scene.part(part);
}

/// Of a press fit of elastic materials at the goal's depth [N/m]; infinite where both are rigid.
double pressStiffness(const content::Scene& scene, const content::Goal& goal, const InsertionFit& fit) {
  const auto partOf = [&scene](const content::Part& part) {
    physics::FitPart result;
    result.shape = &part.shape;
    if (part.material >= 0)
      result.material = scene.materials[static_cast<std::size_t>(part.material)].elasticity;
    return result;
  };
  std::vector<physics::PressFit> fits;
  physics::findPressFits({{0}, {1}}, partOf(fittedPartOf(scene, goal.part)),
                         partOf(fittedPartOf(scene, goal.into)), fits);
  const double length = goal.depth - fit.leadInDepth - fit.tipLength;
  for (const physics::PressFit& press : fits)
    if (press.shaftIsI && std::abs(press.radius - fit.pegRadius) < fit.edgeTolerance() && length > 0)
      return press.stiffnessPerLength * length;
  return std::numeric_limits<double>::infinity();
}

/// The longest outer cylinder whose faces carry the name of an end.
const content::RecognizedFace* longestFaceOf(const content::RecognizedPart& mesh, const std::string& end) {
  const content::RecognizedFace* longest = nullptr;
  for (const content::RecognizedFace& face : mesh.faces)
    if (!face.inner && !face.cone && face.holeOrEnd == end &&
        (longest == nullptr || face.length > longest->length))
      longest = &face;
  return longest;
}

/// The longest outer cylinder whose faces carry the name of a feature, else that of another end of the same
/// shaft.
const content::RecognizedFace* faceOfShaft(const content::RecognizedPart& mesh,
                                           const content::AxisFeature& feature) {
  const content::RecognizedFace* longest = longestFaceOf(mesh, feature.name);
  if (longest != nullptr) return longest;
  for (const content::AxisFeature& end : mesh.features) {
    const bool isSameAxis = end.direction.cross(feature.direction).norm() < kNone &&
                            feature.direction.cross(end.origin - feature.origin).norm() < kNone;
    const content::RecognizedFace* face = isSameAxis ? longestFaceOf(mesh, end.name) : nullptr;
    if (face != nullptr && (longest == nullptr || face->length > longest->length)) longest = face;
  }
  return longest;
}

}  // namespace

std::optional<Shaft> shaftOf(const physics::Shape& shape, const content::RecognizedPart* mesh,
                             const content::AxisFeature& feature) {
  if (mesh != nullptr)
    if (const auto* face = faceOfShaft(*mesh, feature)) return Shaft{face->diameterLow, face->length};
  std::vector<Flank> flanks;
  std::vector<Circle> corners;
  std::visit(Outline(feature, Pose(), flanks, corners), shape);
  const Flank* longest = nullptr;
  for (const Flank& f : flanks) {
    if (f.round || f.r0 != f.r1 || !(f.s1 > f.s0)) continue;
    const double longer = longest ? (f.s1 - f.s0) - (longest->s1 - longest->s0) : 1;
    // Of a spline's two the outer one.
    if (longer > kNone || (longer > -kNone && f.r0 > longest->r0)) longest = &f;
  }
  return longest ? std::optional(Shaft{2 * longest->r0, longest->s1 - longest->s0}) : std::nullopt;
}

std::optional<Shaft> shaftOf(const content::Part& part, const content::AxisFeature& feature) {
  return shaftOf(part.shape, part.mesh ? &part.mesh->part : nullptr, feature);
}

std::optional<double> shaftDiameter(const content::Part& part, const content::AxisFeature& feature) {
  const auto shaft = shaftOf(part, feature);
  return shaft ? std::optional(shaft->diameter) : std::nullopt;
}

InsertionFit insertionFitOf(const content::Scene& scene, const content::Goal& goal) {
  InsertionFit fit;
  const content::Part &part = fittedPartOf(scene, goal.part), &into = fittedPartOf(scene, goal.into);
  const auto mouth = content::mouthOf(scene, goal);
  if (mouth && mouth->isRound) measureHole(*mouth, goal.depth, fit);
  if (goal.fit && !goal.fit->sizes.empty()) fit.wallClearance = goal.fit->clearance();
  std::vector<Flank> flanks;
  std::vector<Circle> circles;
  std::visit(Outline(part.features[static_cast<std::size_t>(goal.feature)], Pose(), flanks, circles),
             part.shape);
  if (mouth && mouth->isInterrupted) {
    circles.clear();  // a key that passes its keyway does not rest on the rim of the bore
    dropWiderThanGuided(fit.boreRadius, goal.depth - fit.leadInDepth, flanks);
  }
  fit.pegRadius = widest(flanks, goal.depth - fit.leadInDepth);
  if (fit.pegRadius > 0) measureTip(flanks, fit);
  for (const Flank& f : flanks) {
    circles.emplace_back(f.s0, f.r0);
    circles.emplace_back(f.s1, f.r1);
  }
  if (!fit.hole.empty()) measureSeat(circles, fit);
  fit.stiffness = content::materialPairOf(scene, part, into).stiffness;
  if (std::isinf(fit.stiffness) && fit.isInterference()) fit.stiffness = pressStiffness(scene, goal, fit);
  return fit;
}

double InsertionFit::seatGap(double depth, double tilt) const {
  return seatLevel - (depth - seatBehind * std::cos(tilt) + seatRadius * std::sin(tilt));
}

double lengthBehind(const content::Part& part, const content::AxisFeature& feature) {
  const Eigen::AlignedBox3d box = xr::boundsOf(part.shape);
  double length = 0;
  for (int k = 0; k < 8; ++k) {
    const Vector3d corner = box.corner(static_cast<Eigen::AlignedBox3d::CornerType>(k));
    length = std::max(length, -feature.direction.dot(corner - feature.origin));
  }
  return length;
}

}  // namespace tenon::runtime
