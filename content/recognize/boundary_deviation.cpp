// See boundary_deviation.h.
#include "content/recognize/boundary_deviation.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <optional>

#include "content/mesh/triangle_bvh.h"
#include "content/recognize/boundary_surfaces.h"
#include "content/recognize/cad_point_places.h"
#include "content/recognize/given_surfaces.h"
#include "content/recognize/sagitta.h"
#include "physics/collision/brep/boundary_distance.h"
#include "physics/collision/brep/prepared_solid.h"
#include "physics/collision/brep/surface.h"
#include "physics/math/parallel_for.h"

namespace tenon::content {
namespace {

namespace brep = physics::brep;

/// Samples of one direction, about, and their smallest distance [m].
constexpr double kGridSamples = 50'000, kMinSpacing = 0.2e-3;
/// Samples of one triangle or face at most: a long face does not take them all.
constexpr int kMaxFaceSamples = 20'000;
/// Corners of one facet that are compared with each other, about.
constexpr std::size_t kMostCorners = 100;
/// Expected distance of a sample, where its search begins [m].
constexpr double kGuess = 1e-6;
/// Triangles and faces that one thread takes at a time.
constexpr std::size_t kSampledAtATime = 512;

/// A distance that 1 % of the area exceeds, and the largest one.
class Distances {
 public:
  void add(double distance, double area, const Vector3d& p, int triangle) {
    if (area > 0) list_.emplace_back(distance, area);
    if (distance > largest_.largest || largest_.triangle < 0)
      largest_.largest = distance, largest_.position = p, largest_.triangle = triangle;
  }
  /// What others have added after it.
  void append(const Distances& more) {
    if (more.largest_.triangle >= 0)
      add(more.largest_.largest, 0, more.largest_.position, more.largest_.triangle);
    list_.insert(list_.end(), more.list_.begin(), more.list_.end());
  }
  DirectedDeviation result() {
    constexpr double kShare = 0.99;
    std::sort(list_.begin(), list_.end());
    double total = 0, sum = 0;
    for (const auto& entry : list_) total += entry.second;
    for (const auto& [distance, area] : list_) {
      sum += area;
      largest_.p99 = distance;
      if (sum >= kShare * total) break;
    }
    return largest_;
  }

 private:
  std::vector<std::pair<double, double>> list_;  // distance [m], area [m²]
  DirectedDeviation largest_;
};

double distanceFromSegment(const Vector3d& p, const Vector3d& a, const Vector3d& b) {
  const Vector3d d = b - a;
  const double square = d.squaredNorm(), t = square > 0 ? std::clamp((p - a).dot(d) / square, 0.0, 1.0) : 0;
  return (a + t * d - p).norm();
}

/// What the samples of some triangles or faces have shown.
struct Samples {
  Distances given, colliding;
  LargestDeviation outside, missing;
  std::vector<int> offending, corners;

  void append(const Samples& more) {
    given.append(more.given);
    colliding.append(more.colliding);
    if (more.outside.distance > outside.distance) outside = more.outside;
    if (more.missing.distance > missing.distance) missing = more.missing;
    offending.insert(offending.end(), more.offending.begin(), more.offending.end());
    corners.insert(corners.end(), more.corners.begin(), more.corners.end());
  }
};

/// The solids of a shape in the frame of the part.
struct PlacedSolid {
  std::shared_ptr<const brep::Solid> solid;
  physics::Pose X;
};

void addSolids(const physics::Shape& shape, const physics::Pose& X, std::vector<PlacedSolid>& solids) {
  if (const auto* compound = std::get_if<physics::Compound>(&shape)) {
    for (const physics::PlacedShape& child : compound->children)
      addSolids(child.shape, X * child.X_PS, solids);
    return;
  }
  solids.push_back({brep::sharedSolidOf(shape), X});
}

/// The nearest face of a part.
struct NearestFace {
  double distance = std::numeric_limits<double>::infinity();  // [m]
  const PlacedSolid* solid = nullptr;
  const brep::Face* face = nullptr;
};

class BoundaryMeasurement {
 public:
  BoundaryMeasurement(const Facets& facets, const physics::Shape& shape, const std::vector<char>& alongFlats,
                      const CadFaces* cad, double tolerance, NearestTriangles& nearest)
      : f_(facets),
        alongFlats_(alongFlats),
        cad_(cad),
        nearest_(nearest),
        isOwn_(static_cast<std::size_t>(facets.count()), 0) {
    if (cad_) {
      makeTree();
      given_.emplace(f_, *cad_, *nearest_.tree, kMaxDeviationRatio * tolerance);
    }
    if (const auto* boundary = std::get_if<physics::BoundarySolid>(&shape))
      addBoundary(*boundary);
    else
      addSolids(shape, physics::Pose(), solids_);
    if (std::find(isOwn_.begin(), isOwn_.end(), 0) != isOwn_.end()) makeTree();
    deviation_.tolerance = tolerance;
    const double area = std::accumulate(f_.areas.begin(), f_.areas.end(), 0.0);
    deviation_.spacing = std::max(kMinSpacing, std::sqrt(area / kGridSamples));
  }

  BoundaryDeviation measure() {
    findAllowances();
    measureGiven();
    measureColliding();
    deviation_.outside = all_.outside;
    deviation_.missing = all_.missing;
    deviation_.fromGiven = all_.given.result();
    deviation_.fromColliding = all_.colliding.result();
    for (std::vector<int>* list : {&all_.offending, &all_.corners}) {
      std::sort(list->begin(), list->end());
      list->erase(std::unique(list->begin(), list->end()), list->end());
    }
    return {deviation_, std::move(all_.offending), std::move(all_.corners)};
  }

 private:
  double& allowance(int t) { return allowances_[static_cast<std::size_t>(t)]; }
  Vector3d corner(int t, int k) const { return f_.point(t, k % 3); }
  Vector3d middleOf(int t) const { return (corner(t, 0) + corner(t, 1) + corner(t, 2)) / 3; }

  NearestFace nearestFace(const Vector3d& p, double guess = kGuess) const {
    NearestFace nearest;
    for (const PlacedSolid& placed : solids_) {
      const auto found = brep::distanceFromBoundary(*placed.solid, placed.X.inverse() * p, guess);
      if (found.distance < nearest.distance && found.face >= 0)
        nearest = {found.distance, &placed, &placed.solid->faces[static_cast<std::size_t>(found.face)]};
    }
    return nearest;
  }

  /// Signed distance from the surface of a face, extended without end; positive outside of the material.
  static double height(const NearestFace& at, const Vector3d& p) {
    physics::Surface s = at.face->surface;
    s.patch = -1;  // of a free-form surface all patches: a triangle may lie on several
    return brep::distanceValue(s, s.X_BS.inverse().point(at.solid->X.inverse() * p));
  }

  /// Normal of the surface of a face at a point.
  static Vector3d normalAt(const NearestFace& at, const Vector3d& p) {
    physics::Surface s = at.face->surface;
    s.patch = -1;
    const Vector3d gradient = brep::distanceTo(s, s.X_BS.inverse().point(at.solid->X.inverse() * p)).gradient;
    return at.solid->X.q * (s.X_BS.R * gradient);
  }

  /// Calls sample(item, samples) for items 0 … count − 1 on all processors, and adds up the samples in their
  /// order.
  template <class Sample>
  void sampleAll(std::size_t count, std::size_t grain, const Sample& sample) {
    std::vector<Samples> parts((count + grain - 1) / grain);
    physics::parallelFor(count, grain, [&](std::size_t first, std::size_t last) {
      for (std::size_t k = first; k < last; ++k) sample(k, parts[first / grain]);
    });
    for (const Samples& part : parts) all_.append(part);
  }

  void makeTree() {
    if (!nearest_.tree) nearest_.tree.emplace(trianglesOf(f_.mesh->mesh));
  }

  void addBoundary(const physics::BoundarySolid& boundary);
  void findOwnFaces(const physics::BoundarySolid& boundary, const std::vector<int>& faceOf);
  void measureOwn(int t, Samples& samples) const;
  void findAllowances();
  void findBorderSagittas();
  void makeRoundTree();
  std::vector<int> facetOf(int first, const std::vector<NearestFace>& faces, std::vector<char>& isSeen) const;
  void allowFacets(const std::vector<NearestFace>& faces, std::vector<double>& scatters);
  void allowFacet(const std::vector<int>& facet, const NearestFace& face, std::vector<double>& scatters);
  double sagittaOf(int t, const NearestFace& face) const;
  void findScatter(std::vector<double> ofFaces);
  void findFileGap();
  double allowedAt(int t, const Vector3d& p, int k = -1) const;
  double allowedBesideFacet(int beside, const Vector3d& p) const;
  double allowedByFile(int t, const Vector3d& p) const;
  double gapNear(int t, const Vector3d& p) const;
  void measureGiven();
  void measureCorners();
  void measureTriangle(int t, Samples& samples) const;
  void measureColliding();
  void measureFace(const PlacedSolid& placed, std::size_t f, Samples& samples) const;
  void measureSample(const Vector3d& p, double area, int triangle, Samples& samples) const;

  /// The surface of the CAD file of a triangle is curved.
  bool isCurvedCad(int t) const {
    if (!given_) return false;
    const physics::Surface* s = given_->surfaceOf(t);
    return s == nullptr ? given_->hasOnlyFacets(t) : s->kind != physics::SurfaceKind::plane;
  }

  /// A sample of either side with the distance between the two, at a triangle.
  void judge(int t, const Vector3d& p, double excess, bool isOutside, Samples& samples) const {
    LargestDeviation& largest = isOutside ? samples.outside : samples.missing;
    if (excess > largest.distance) largest = {excess, p};
    if (!(excess > limits_[static_cast<std::size_t>(t)])) return;
    samples.offending.push_back(t);
    int nearest = 0;
    for (int k = 1; k < 3; ++k)
      if ((corner(t, k) - p).squaredNorm() < (corner(t, nearest) - p).squaredNorm()) nearest = k;
    samples.corners.push_back(f_.vertex(t, nearest));
  }

  /// `isOfFacet`: a corner of a facet on a round face.
  void addGiven(int t, const Vector3d& p, double area, double allowed, Samples& samples,
                bool isOfFacet = false) const {
    const NearestFace at = nearestFace(p);
    if (at.face == nullptr) return;
    if (at.distance > allowed && !isOfFacet) allowed = std::max(allowed, allowedBesideFacet(t, p));
    const double excess = std::max(0.0, at.distance - allowed);
    samples.given.add(cad_ ? excess : at.distance, area, p, t);
    if (excess > 0) judge(t, p, excess, height(at, p) < 0, samples);
  }

  bool isOwn(int t) const { return isOwn_[static_cast<std::size_t>(t)] != 0; }
  /// The surface of the triangle goes through the middle of its facet.
  bool isAlongFlats(int t) const { return alongFlats_[static_cast<std::size_t>(t)] != 0; }

  const Facets& f_;
  const std::vector<char>& alongFlats_;  // by triangle
  const CadFaces* cad_;
  NearestTriangles& nearest_;  // with its tree where something is to be compared with the triangles
  std::vector<PlacedSolid> solids_;
  /// By triangle: it collides as itself. Its face lies on the plane of one of them, within the borders of
  /// all, and no corner of them has been moved onto another surface. Such a face and its triangles are as far
  /// from each other as the corners are from the plane, and need no samples.
  std::vector<char> isOwn_;
  std::vector<int> faceOf_;      // by triangle, of the only solid; empty: not known
  std::vector<char> isOwnFace_;  // by face of the only solid
  std::vector<int> firstOf_;     // by face of the only solid: its first triangle; −1: none
  std::vector<double> allowances_;
  std::optional<GivenSurfaces> given_;                // of the CAD file
  std::vector<double> scatters_;                      // by triangle, see findScatter() [m]
  const physics::BoundarySolid* boundary_ = nullptr;  // what is measured, if it has the triangles of the mesh
  /// Of each side of a triangle [m]: from the border of its face, of which it is a chord.
  std::vector<std::array<double, 3>> borderSagittas_;
  std::vector<double> limits_;  // beyond which a triangle's face is not used [m]
  /// By vertex: how far a corner inside of a facet, or of a bore along its flats, is from the surface [m].
  std::vector<double> cornerAllowances_;
  std::vector<int> round_;  ///< triangles of a mesh on round faces, in the order of roundTree_
  std::optional<TriangleBvh> roundTree_;
  ShapeDeviation deviation_;
  Samples all_;
};

void BoundaryMeasurement::addBoundary(const physics::BoundarySolid& boundary) {
  const auto prepared = brep::preparedSolidOf(boundary);
  solids_.push_back({{prepared, &prepared->solid}, physics::Pose()});
  isOwnFace_.assign(prepared->solid.faces.size(), 0);
  const TriangleMesh& mesh = f_.mesh->mesh;
  if (boundary.triangles != mesh.triangles || boundary.vertices != mesh.vertices) return;
  boundary_ = &boundary;
  findOwnFaces(prepared->boundary, prepared->faceOf);
}

void BoundaryMeasurement::findOwnFaces(const physics::BoundarySolid& boundary,
                                       const std::vector<int>& faceOf) {
  faceOf_ = faceOf;
  firstOf_.assign(isOwnFace_.size(), -1);
  for (std::size_t t = faceOf.size(); t-- > 0;)
    firstOf_[static_cast<std::size_t>(faceOf[t])] = static_cast<int>(t);
  nearest_.samples.resize(faceOf.size());
  std::vector<char> isMoved(boundary.vertices.size(), 0);
  const auto isOnSurface = [&](std::size_t t) {
    return !boundary.surfaceOf.empty() && boundary.surfaceOf[t] >= 0;
  };
  for (std::size_t t = 0; t < faceOf.size(); ++t)
    if (isOnSurface(t))
      for (const int v : boundary.triangles[t]) isMoved[static_cast<std::size_t>(v)] = 1;
  // Not the further patches of a free-form face, which no triangle has for its own.
  for (const int f : faceOf) isOwnFace_[static_cast<std::size_t>(f)] = 1;
  for (std::size_t t = 0; t < faceOf.size(); ++t) {
    const auto& corners = boundary.triangles[t];
    if (isOnSurface(t) || isCurvedCad(static_cast<int>(t)) ||
        std::any_of(corners.begin(), corners.end(),
                    [&](int v) { return isMoved[static_cast<std::size_t>(v)] != 0; }))
      isOwnFace_[static_cast<std::size_t>(faceOf[t])] = 0;
  }
  for (std::size_t t = 0; t < faceOf.size(); ++t) isOwn_[t] = isOwnFace_[static_cast<std::size_t>(faceOf[t])];
}

/// The distance of the corners of a triangle from its own face, which bounds that of all points of both.
void BoundaryMeasurement::measureOwn(int t, Samples& samples) const {
  const auto index = static_cast<std::size_t>(t);
  const physics::RigidTransform& X =
      solids_.front().solid->faces[static_cast<std::size_t>(faceOf_[index])].surface.X_BS;
  double distance = 0;
  for (int k = 0; k < 3; ++k) {
    const double above = X.R.col(2).dot(corner(t, k) - X.p);
    if (above != 0) judge(t, corner(t, k), std::abs(above), above < 0, samples);
    distance = std::max(distance, std::abs(above));
  }
  samples.given.add(distance, f_.areas[index], middleOf(t), t);
  samples.colliding.add(distance, f_.areas[index], middleOf(t), t);
}

/// Largest distance between the chords of a triangle and the surface through its corners, or through the
/// middles of its facets [m]; 0 if the corners do not belong to such facets.
double BoundaryMeasurement::sagittaOf(int t, const NearestFace& face) const {
  if (face.face == nullptr || face.face->surface.kind == physics::SurfaceKind::plane) return 0;
  std::array<double, 3> at;
  for (int k = 0; k < 3; ++k) at[static_cast<std::size_t>(k)] = height(face, corner(t, k));
  double sagitta = std::abs((at[0] + at[1] + at[2]) / 3 - height(face, middleOf(t)));
  std::array<double, 3> middles;
  for (std::size_t k = 0; k < 3; ++k) {
    middles[k] = height(face, 0.5 * (corner(t, static_cast<int>(k)) + corner(t, static_cast<int>(k) + 1)));
    sagitta = std::max(sagitta, std::abs(0.5 * (at[k] + at[(k + 1) % 3]) - middles[k]));
  }
  if (const auto top = extremeInside(at, middles)) {
    const Vector3d p =
        corner(t, 0) + top->x() * (corner(t, 1) - corner(t, 0)) + top->y() * (corner(t, 2) - corner(t, 0));
    const double chord = at[0] + top->x() * (at[1] - at[0]) + top->y() * (at[2] - at[0]);
    sagitta = std::max(sagitta, std::abs(chord - height(face, p)));
  }
  const double reach = (isAlongFlats(t) ? 1.5 * sagitta : 0) + deviation_.tolerance;
  const bool isOn = std::all_of(at.begin(), at.end(), [&](double h) { return std::abs(h) <= reach; });
  return isOn ? sagitta : 0;
}

/// `ofFaces`: by triangle, how far its corners are from its round face. Facets that collide as themselves
/// follow the corners that they share with such triangles.
void BoundaryMeasurement::findScatter(std::vector<double> ofFaces) {
  std::vector<double> ofCorners(f_.mesh->mesh.vertices.size(), 0.0);
  for (std::size_t t = 0; t < ofFaces.size(); ++t) {
    const auto index = static_cast<int>(t);
    if (ofFaces[t] > deviation_.scatter) {
      deviation_.scatter = ofFaces[t];
      deviation_.scatterPosition = middleOf(index);
    }
    for (int k = 0; k < 3; ++k) {
      double& largest = ofCorners[static_cast<std::size_t>(f_.vertex(index, k))];
      largest = std::max(largest, ofFaces[t]);
    }
  }
  for (std::size_t t = 0; t < ofFaces.size(); ++t) {
    if (boundary_ == nullptr || (!boundary_->surfaceOf.empty() && boundary_->surfaceOf[t] >= 0)) continue;
    for (int k = 0; k < 3; ++k)
      ofFaces[t] =
          std::max(ofFaces[t], ofCorners[static_cast<std::size_t>(f_.vertex(static_cast<int>(t), k))]);
  }
  for (double& scatter : ofFaces) scatter = std::min(scatter, deviation_.tolerance);
  scatters_ = std::move(ofFaces);
}

/// The largest gap of the file at its corners.
void BoundaryMeasurement::findFileGap() {
  for (std::size_t v = 0; v < f_.mesh->mesh.vertices.size(); ++v) {
    const double gap = given_->gapAt(static_cast<int>(v));
    if (gap <= deviation_.scatter) continue;
    deviation_.scatter = gap;
    deviation_.scatterPosition = f_.mesh->mesh.vertices[v];
  }
}

/// True for surfaces with straight lines, whose facets are the farthest from them at middles of chords.
bool hasExactSagitta(const NearestFace& face) {
  using physics::SurfaceKind;
  if (face.face == nullptr) return false;
  const SurfaceKind kind = face.face->surface.kind;
  return kind == SurfaceKind::plane || kind == SurfaceKind::cylinder || kind == SurfaceKind::cone;
}

void BoundaryMeasurement::findAllowances() {
  const auto count = static_cast<std::size_t>(f_.count());
  limits_.assign(count, deviation_.tolerance);
  if (given_) return findFileGap();
  allowances_.assign(count, 0.0);
  cornerAllowances_.assign(f_.mesh->mesh.vertices.size(), 0.0);
  std::vector<NearestFace> faces(count);
  std::vector<double> scatters(count, 0.0);
  physics::parallelFor(count, kSampledAtATime, [&](std::size_t first, std::size_t last) {
    for (std::size_t k = first; k < last; ++k) {
      const auto t = static_cast<int>(k);
      NearestFace& face = faces[k];
      if (!isOwn(t)) {
        face = nearestFace(middleOf(t));
        allowance(t) = sagittaOf(t, face);
      }
      if (isOwn(t) || hasExactSagitta(face)) limits_[k] = kPlaneRatio * deviation_.tolerance;
    }
  });
  allowFacets(faces, scatters);
  findScatter(std::move(scatters));
  findBorderSagittas();
  makeRoundTree();
}

void BoundaryMeasurement::makeRoundTree() {
  std::vector<TriangleCorners> corners;
  for (int t = 0; t < f_.count(); ++t) {
    if (!(allowance(t) > 0)) continue;
    round_.push_back(t);
    corners.push_back({corner(t, 0), corner(t, 1), corner(t, 2)});
  }
  if (!round_.empty()) roundTree_.emplace(std::move(corners));
}

/// The border between two faces is where their surfaces meet, of which the sides of triangles are chords.
void BoundaryMeasurement::findBorderSagittas() {
  if (boundary_ == nullptr || boundary_->surfaceOf.empty()) return;
  const auto surfaceAt = [&](int t) -> const physics::Surface* {
    const int s = boundary_->surfaceOf[static_cast<std::size_t>(t)];
    return s < 0 ? nullptr : &boundary_->surfaces[static_cast<std::size_t>(s)];
  };
  borderSagittas_.assign(static_cast<std::size_t>(f_.count()), {});
  const auto sagittaOfSide = [&](int t, int k) {
    const int other = f_.neighbor(t, k);
    return bulgeOfBorder({surfaceAt(t), other < 0 ? nullptr : surfaceAt(other)}, corner(t, k),
                         corner(t, k + 1))
        .norm();
  };
  physics::parallelFor(borderSagittas_.size(), kSampledAtATime, [&](std::size_t first, std::size_t last) {
    for (std::size_t t = first; t < last; ++t)
      for (std::size_t k = 0; k < 3; ++k)
        if (!isOwn(static_cast<int>(t)))
          borderSagittas_[t][k] = sagittaOfSide(static_cast<int>(t), static_cast<int>(k));
  });
}

/// The triangles on one plane with `first`, to within kPlaneRatio of the tolerance, and on the same face.
std::vector<int> BoundaryMeasurement::facetOf(int first, const std::vector<NearestFace>& faces,
                                              std::vector<char>& isSeen) const {
  const Vector3d& n = f_.normals[static_cast<std::size_t>(first)];
  const auto isInPlane = [&](int t) {
    for (int k = 0; k < 3; ++k)
      if (!(std::abs(n.dot(corner(t, k) - corner(first, 0))) <= kPlaneRatio * deviation_.tolerance))
        return false;
    return true;
  };
  std::vector<int> facet{first};
  isSeen[static_cast<std::size_t>(first)] = 1;
  for (std::size_t at = 0; at < facet.size(); ++at)
    for (int side = 0; side < 3; ++side) {
      const int t = f_.neighbor(facet[at], side);
      if (t < 0 || isSeen[static_cast<std::size_t>(t)] != 0 ||
          faces[static_cast<std::size_t>(t)].face != faces[static_cast<std::size_t>(first)].face ||
          !isInPlane(t))
        continue;
      isSeen[static_cast<std::size_t>(t)] = 1;
      facet.push_back(t);
    }
  return facet;
}

void BoundaryMeasurement::allowFacets(const std::vector<NearestFace>& faces, std::vector<double>& scatters) {
  std::vector<char> isSeen(faces.size(), 0);
  std::vector<int> order(faces.size());  // the largest, whose normals are the most accurate, first
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int t, int u) {
    return f_.areas[static_cast<std::size_t>(t)] > f_.areas[static_cast<std::size_t>(u)];
  });
  for (const int first : order) {
    const NearestFace& face = faces[static_cast<std::size_t>(first)];
    if (isSeen[static_cast<std::size_t>(first)] != 0 || face.face == nullptr ||
        face.face->surface.kind == physics::SurfaceKind::plane ||
        f_.normals[static_cast<std::size_t>(first)].isZero())
      continue;
    allowFacet(facetOf(first, faces, isSeen), face, scatters);
  }
}

/// A facet that further corners divide into triangles has some of them inside: its triangles may be as far
/// from the surface as the whole, between the corners that are farthest apart about it, and a corner inside
/// as far as the chord of these is there. What corners are beyond that is their scatter.
void BoundaryMeasurement::allowFacet(const std::vector<int>& facet, const NearestFace& face,
                                     std::vector<double>& scatters) {
  std::vector<int> corners;
  for (const int t : facet)
    for (int k = 0; k < 3; ++k) corners.push_back(f_.vertex(t, k));
  std::sort(corners.begin(), corners.end());
  corners.erase(std::unique(corners.begin(), corners.end()), corners.end());
  const auto pointAt = [&](std::size_t i) {
    return f_.mesh->mesh.vertices[static_cast<std::size_t>(corners[i])];
  };
  std::vector<double> heights;
  std::vector<Vector3d> turns;  // from the normal of the facet to that of the surface
  for (std::size_t i = 0; i < corners.size(); ++i) {
    heights.push_back(height(face, pointAt(i)));
    turns.emplace_back(f_.normals[static_cast<std::size_t>(facet.front())].cross(normalAt(face, pointAt(i))));
  }
  double sagitta = 0;
  for (const int t : facet) sagitta = std::max(sagitta, allowance(t));
  const std::size_t stride = 1 + corners.size() / kMostCorners;
  for (std::size_t i = 0; i < corners.size(); i += stride)
    for (std::size_t j = 0; j < i; j += stride)
      sagitta = std::max(
          sagitta, std::abs(0.5 * (heights[i] + heights[j]) - height(face, 0.5 * (pointAt(i) + pointAt(j)))));
  const bool isFlat = isAlongFlats(facet.front());
  const double reach = (isFlat ? 1.5 : 1) * sagitta + deviation_.tolerance;
  if (!std::all_of(heights.begin(), heights.end(), [&](double h) { return std::abs(h) <= reach; })) return;
  // Inside: 0 … 1 from the middle of the facet to its end on this side.
  const auto partOf = [&](std::size_t i) {
    double widest = 0;
    for (const Vector3d& turn : turns) widest = std::max(widest, turn.dot(turns[i]));
    return widest > 0 ? turns[i].squaredNorm() / widest : 0;
  };
  std::vector<double> scatterOf(corners.size()), insideOf(corners.size());
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const double part = isFlat || facet.size() == 1 ? 0 : partOf(i);
    const double inside = isFlat ? sagitta : facet.size() > 1 ? sagitta * (1 - part * part) : 0;
    insideOf[i] = inside;
    const double scatter = std::max(0.0, std::abs(heights[i]) - inside);
    if (!isFlat && scatter > deviation_.tolerance) {  // no facet of this surface
      for (const int t : facet) allowance(t) = 0;
      return;
    }
    scatterOf[i] = scatter <= deviation_.tolerance ? scatter : 0;
  }
  for (std::size_t i = 0; i < corners.size(); ++i) {
    double& largest = cornerAllowances_[static_cast<std::size_t>(corners[i])];
    largest = std::max(largest, insideOf[i]);
  }
  for (const int t : facet) {
    allowance(t) = sagitta;
    for (int k = 0; k < 3; ++k) {
      const auto at = std::lower_bound(corners.begin(), corners.end(), f_.vertex(t, k)) - corners.begin();
      double& largest = scatters[static_cast<std::size_t>(t)];
      largest = std::max(largest, scatterOf[static_cast<std::size_t>(at)]);
    }
  }
}

/// The distance that a point of a triangle may have from what collides: its own sagitta and the scatter of
/// its corners, or those of a neighbor or border within which it lies. `k`: the corner that it is, else −1:
/// corners are on the surfaces of their triangles, but for their scatter, or inside of a facet.
double BoundaryMeasurement::allowedAt(int t, const Vector3d& p, int k) const {
  if (given_) return allowedByFile(t, p);
  const auto index = static_cast<std::size_t>(t);
  double allowed = scatters_[index] + (k < 0 ? allowances_[index]
                                             : cornerAllowances_[static_cast<std::size_t>(f_.vertex(t, k))]);
  for (int side = 0; side < 3; ++side) {
    if (k >= 0 && side != (k + 1) % 3) continue;  // the corner is an end of it
    const int other = f_.neighbor(t, side);
    const auto beyond = static_cast<std::size_t>(std::max(other, 0));
    const double neighbor = other < 0 ? 0 : allowances_[beyond] + scatters_[beyond];
    const double border =
        borderSagittas_.empty() ? 0 : borderSagittas_[index][static_cast<std::size_t>(side)];
    const double beside = std::max(neighbor, border);
    if (beside > allowed && distanceFromSegment(p, corner(t, side), corner(t, side + 1)) <= beside)
      allowed = beside;
  }
  return allowed;
}

/// Further corners divide the plane face beside a facet between its chord and its round face, too: the
/// distance that a point of such a triangle may have. The plane of the triangle has a side of the facet.
double BoundaryMeasurement::allowedBesideFacet(int beside, const Vector3d& p) const {
  if (!roundTree_) return 0;
  const TriangleBvh::Nearest nearest = roundTree_->nearest(p, kGuess);
  if (nearest.triangle < 0) return 0;
  const int facet = round_[static_cast<std::size_t>(nearest.triangle)];
  const auto t = static_cast<std::size_t>(facet);
  const Vector3d& n = f_.normals[static_cast<std::size_t>(beside)];
  int inPlane = 0;
  for (int k = 0; k < 3; ++k)
    if (std::abs(n.dot(corner(facet, k) - corner(beside, 0))) <= kPlaneRatio * deviation_.tolerance)
      ++inPlane;
  const double allowed = allowances_[t] + scatters_[t];
  return inPlane >= 2 && nearest.distance <= allowed ? allowed : 0;
}

/// Of a point of a planar triangle of a CAD file: within what its border may lie beside its sides, that.
double BoundaryMeasurement::allowedByFile(int t, const Vector3d& p) const {
  double allowed = 0;
  for (int k = 0; k < 3; ++k) {
    const double slack = given_->borderSlack(t, k);
    if (slack > allowed && distanceFromSegment(p, corner(t, k), corner(t, k + 1)) <= slack) allowed = slack;
  }
  return allowed;
}

/// Of a point of a curved surface of a CAD file: within the gap at a side of its triangle, that.
double BoundaryMeasurement::gapNear(int t, const Vector3d& p) const {
  double allowed = 0;
  for (int k = 0; k < 3; ++k) {
    const double gap = given_->borderGap(t, k);
    if (gap > allowed && distanceFromSegment(p, corner(t, k), corner(t, k + 1)) <= given_->borderSlack(t, k))
      allowed = gap;
  }
  return allowed;
}

void BoundaryMeasurement::measureGiven() {
  measureCorners();
  sampleAll(static_cast<std::size_t>(f_.count()), kSampledAtATime, [&](std::size_t k, Samples& samples) {
    const auto t = static_cast<int>(k);
    isOwn(t) ? measureOwn(t, samples) : measureTriangle(t, samples);
  });
  if (!cad_) return;
  const CadPointPlaces places(f_, *cad_);
  constexpr double kPointsOfTriangle = 4;
  sampleAll(cad_->points.size(), kSampledAtATime, [&](std::size_t k, Samples& samples) {
    const SurfacePoint& point = cad_->points[k];
    if (const int t = places.triangleAt(point); t >= 0)
      addGiven(t, point.p, f_.areas[static_cast<std::size_t>(t)] / kPointsOfTriangle, gapNear(t, point.p),
               samples);
  });
}

void BoundaryMeasurement::measureCorners() {
  struct Corner {
    int triangle = -1;
    double allowed = 0;
    bool isOfFacet = false;
  };
  std::vector<Corner> corners(f_.mesh->mesh.vertices.size());
  for (int t = 0; t < f_.count(); ++t)
    for (int k = 0; k < 3; ++k) {
      if (isOwn(t)) continue;
      Corner& at = corners[static_cast<std::size_t>(f_.vertex(t, k))];
      at.triangle = t;
      at.allowed =
          std::max(at.allowed, given_ ? given_->gapAt(f_.vertex(t, k)) : allowedAt(t, corner(t, k), k));
      at.isOfFacet = at.isOfFacet || (!given_ && allowance(t) > 0);
    }
  sampleAll(corners.size(), kSampledAtATime, [&](std::size_t v, Samples& samples) {
    const Corner& at = corners[v];
    if (at.triangle >= 0)
      addGiven(at.triangle, f_.mesh->mesh.vertices[v], 0, at.allowed, samples, at.isOfFacet);
  });
}

// The centers of equal parts of the triangle.
void BoundaryMeasurement::measureTriangle(int t, Samples& samples) const {
  const double area = f_.areas[static_cast<std::size_t>(t)];
  if (isCurvedCad(t)) return;  // by points of the surface itself
  const double longest = std::max({(corner(t, 1) - corner(t, 0)).norm(), (corner(t, 2) - corner(t, 1)).norm(),
                                   (corner(t, 0) - corner(t, 2)).norm()});
  // By area, but at most as many along the longest side as its length has.
  const double wanted = std::min(std::sqrt(2 * area) / deviation_.spacing, longest / deviation_.spacing);
  const int n = std::clamp(static_cast<int>(std::ceil(wanted)), 1,
                           static_cast<int>(std::sqrt(static_cast<double>(kMaxFaceSamples))));
  const Vector3d a = corner(t, 0), u = (corner(t, 1) - a) / n, v = (corner(t, 2) - a) / n;
  const auto addAt = [&](double x, double y) {
    const Vector3d p = a + x * u + y * v;
    addGiven(t, given_ ? given_->footOn(t, p) : p, area / (n * n), allowedAt(t, p), samples);
  };
  for (int i = 0; i < n; ++i)
    for (int j = 0; i + j < n; ++j) {
      addAt(i + 1.0 / 3, j + 1.0 / 3);
      if (i + j + 1 < n) addAt(i + 2.0 / 3, j + 2.0 / 3);
    }
}

void BoundaryMeasurement::measureColliding() {
  constexpr std::size_t kFacesAtATime = 16;
  for (const PlacedSolid& placed : solids_)
    sampleAll(placed.solid->faces.size(), kFacesAtATime, [&](std::size_t f, Samples& samples) {
      if (f >= isOwnFace_.size() || isOwnFace_[f] == 0) measureFace(placed, f, samples);
    });
}

void BoundaryMeasurement::measureFace(const PlacedSolid& placed, std::size_t f, Samples& samples) const {
  const int first = f < firstOf_.size() ? firstOf_[f] : -1;
  std::vector<NearestTriangles::Sample> none;
  std::vector<NearestTriangles::Sample>& list =
      first < 0 || given_ ? none : nearest_.samples[static_cast<std::size_t>(first)];
  constexpr std::size_t kSamplesCompared = 8;
  std::size_t count = 0;
  brep::sampleFace(placed.solid->faces[f], deviation_.spacing, kMaxFaceSamples,
                   [&](const brep::FaceSample& sample) {
                     const Vector3d p = placed.X * sample.p;
                     // A corner of the face, which two segments of its border have.
                     const std::size_t last = count - std::min(count, kSamplesCompared);
                     for (std::size_t k = count; sample.area == 0 && k-- > last;)
                       if (list[k].p == p) return;
                     if (count == list.size()) list.emplace_back();
                     NearestTriangles::Sample& at = list[count++];
                     if (!given_ && (at.triangle < 0 || at.p != p))
                       at.triangle = nearest_.tree->nearest(p, kGuess).triangle;
                     at.p = p;
                     measureSample(p, sample.area, at.triangle, samples);
                   });
  list.resize(count);
}

/// Of a colliding face. `t`: the nearest triangle of a mesh.
void BoundaryMeasurement::measureSample(const Vector3d& p, double area, int t, Samples& samples) const {
  if (given_) {
    const GivenSurfaces::Distance d = given_->distanceFrom(p);
    if (d.triangle < 0) return;
    samples.colliding.add(d.value, area, p, d.triangle);
    if (d.value > 0) judge(d.triangle, p, d.value, d.isOutside, samples);
    return;
  }
  if (t < 0) return;
  const Vector3d on = closestPointOnTriangle(nearest_.tree->triangle(t), p);
  const double distance = (on - p).norm();
  double allowed = allowedAt(t, on);
  if (distance > allowed) allowed = std::max(allowed, allowedBesideFacet(t, on));
  const double excess = std::max(0.0, distance - allowed);
  samples.colliding.add(distance, area, p, t);
  if (excess > 0) judge(t, p, excess, (p - on).dot(f_.normals[static_cast<std::size_t>(t)]) >= 0, samples);
}

}  // namespace

BoundaryDeviation measureBoundary(const Facets& facets, const physics::Shape& shape,
                                  const std::vector<char>& alongFlats, const CadFaces* cad, double tolerance,
                                  NearestTriangles* nearest) {
  NearestTriangles own;
  return BoundaryMeasurement(facets, shape, alongFlats, cad, tolerance, nearest == nullptr ? own : *nearest)
      .measure();
}

}  // namespace tenon::content
