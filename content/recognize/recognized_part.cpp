// See recognized_part.h.
#include "content/recognize/recognized_part.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <utility>

#include "content/input/wording.h"
#include "content/mesh/mesh_mass.h"
#include "content/mesh/mesh_report_text.h"
#include "content/mesh/position_text.h"
#include "content/mesh/self_intersections.h"
#include "content/mesh/thicken_sheets.h"
#include "content/mesh/unite_bodies.h"
#include "content/model/hole_sites.h"
#include "content/recognize/boundary_deviation.h"
#include "content/recognize/boundary_surfaces.h"
#include "content/recognize/chain_shapes.h"
#include "content/recognize/hole_profile.h"
#include "content/recognize/named_sites.h"
#include "content/recognize/threaded_part.h"
#include "physics/body/mass_properties.h"
#include "physics/collision/brep/prepared_solid.h"

namespace tenon::content {
namespace {

using physics::Pose;

/// Relative tolerance of the shape's volume, in addition to the effects of round faces [-].
constexpr double kVolumeTolerance = 0.01;

/// Rounding of radii [m].
constexpr double kRadiusRounding = 1e-9;

/// A hole along the axis of a solid of revolution or ring.
struct Recess {
  std::string name;
  double radius = 0;  ///< largest [m]
};

/// Names of the hole or end that the faces of an exact chain belong to.
class FaceNames {
 public:
  /// For a chain that is one hole.
  explicit FaceNames(const std::string& hole) : outside_(hole) {}
  /// For a solid of revolution or ring whose outer faces belong to the end `outside`.
  FaceNames(const std::string& outside, const physics::SolidOfRevolution& solid) : outside_(outside) {
    for (const HoleSite& site : holesOf(solid)) {
      Recess& recess = (site.opensDown() ? below_ : top_).emplace();
      recess.name = site.name;
      for (const auto& zr : site.profile) recess.radius = std::max(recess.radius, zr.y());
    }
    splitHeight_ = 0.5 * (solid.profile.front().x() + solid.profile.back().x());
  }

  const std::string& nameOf(const ProfileLine& line) const {
    if (!line.isInner()) return outside_;
    const double z = 0.5 * (line.low + line.high);
    const auto& recess = top_ && below_ ? (z > splitHeight_ ? top_ : below_) : (top_ ? top_ : below_);
    // Radius tangent to the facets, as in BoreRule::flats.
    return recess && line.radiusAt(z) * line.flatRatio <= recess->radius + kRadiusRounding ? recess->name
                                                                                           : outside_;
  }

 private:
  std::string outside_;
  std::optional<Recess> top_, below_;
  double splitHeight_ = 0;  ///< between the floors of two recesses, on the axis [m]
};

/// Names by group and chain.
using ExactNames = std::map<std::pair<int, int>, FaceNames>;

bool isIdentity(const Pose& X) {
  return X.p.isZero(0) && X.q.coeffs() == Eigen::Quaterniond::Identity().coeffs();
}

physics::Shape placed(physics::PlacedShape shape) {
  if (isIdentity(shape.X_PS)) return std::move(shape.shape);
  return physics::Compound{{std::move(shape)}};
}

/// Adds the ends of a shaft on its axis as features.
void addEnds(const ExactChain& exact, std::vector<AxisFeature>& features, ExactNames& names,
             const ProfileChain& chain) {
  const auto* solid = std::get_if<physics::SolidOfRevolution>(&exact.shape.shape);
  if (!solid) return;
  const Pose& X = exact.shape.X_PS;
  const Vector3d axis = X.q * Vector3d::UnitZ();
  double low = solid->profile.front().x(), high = low;
  for (const auto& p : solid->profile) {
    low = std::min(low, p.x());
    high = std::max(high, p.x());
  }
  const bool closed = chain.begin == ChainEnd::closed;
  const bool frontIsLow = chain.points.front().y() <= chain.points.back().y();
  std::string name;
  for (const bool upper : {false, true}) {
    const ChainEnd end = upper == frontIsLow ? chain.end : chain.begin;
    if (!closed && end != ChainEnd::axis) continue;
    AxisFeature feature;
    feature.direction = upper ? axis : Vector3d(-axis);
    feature.origin = X * Vector3d(0, 0, upper ? high : low);
    feature.name = uniqueName("end " + sideName(feature.direction), features);
    if (name.empty()) name = feature.name;
    features.push_back(feature);
  }
  names.insert({{exact.group, exact.chain}, FaceNames(name.empty() ? "shaft" : name, *solid)});
}

RecognizedFace faceOf(const ProfileLine& line, BoreRule rule) {
  RecognizedFace face;
  face.inner = line.isInner();
  face.cone = !line.isCylinder();
  const double k = followsFlats(line, rule) ? line.flatRatio : 1;
  // A radius on the axis may be negative by rounding.
  face.diameterLow = std::max(2 * k * line.radiusAt(line.low), 0.0);
  face.diameterHigh = std::max(2 * k * line.radiusAt(line.high), 0.0);
  face.vertexDiameter = 2 * line.radiusAt(0.5 * (line.low + line.high));
  face.flatDiameter = face.vertexDiameter * line.flatRatio;
  face.length = line.high - line.low;
  face.rms = line.rms;
  face.maxDeviation = line.maxDeviation;
  face.facets = line.facets;
  face.coverage = line.coverage;
  face.rule = line.rule;
  return face;
}

/// A plane, also where its vertices scatter so that a cone of less than 1 µm in height fits them better.
bool isFlat(const ProfileLine& line) {
  return line.isPlane() || (!line.isCylinder() && line.high - line.low < kPlaneRatio * kSurfaceTolerance);
}

/// `isOnSurface`: of each triangle of a BoundarySolid; else empty. `nameOf`: the hole or end of triangles
/// that belong to no chain.
void listFaces(const std::vector<RevolvedGroup>& groups, const ExactNames& names, BoreRule rule,
               const std::vector<char>& isOnSurface, const std::map<int, std::string>& nameOf,
               std::vector<RecognizedFace>& faces) {
  const auto isExact = [&](const std::vector<int>& triangles) {
    return !isOnSurface.empty() && std::all_of(triangles.begin(), triangles.end(), [&](int t) {
      return isOnSurface[static_cast<std::size_t>(t)] != 0;
    });
  };
  for (std::size_t g = 0; g < groups.size(); ++g) {
    std::vector<const std::string*> faceNames(groups[g].lines.size(), nullptr);
    for (std::size_t c = 0; c < groups[g].chains.size(); ++c) {
      const auto name = names.find({static_cast<int>(g), static_cast<int>(c)});
      if (name == names.end()) continue;
      for (const int k : groups[g].chains[c].lines)
        faceNames[static_cast<std::size_t>(k)] =
            &name->second.nameOf(groups[g].lines[static_cast<std::size_t>(k)]);
    }
    for (std::size_t k = 0; k < groups[g].lines.size(); ++k) {
      if (isFlat(groups[g].lines[k])) continue;
      RecognizedFace face = faceOf(groups[g].lines[k], rule);
      face.exact = faceNames[k] != nullptr || isExact(groups[g].lines[k].triangles);
      if (faceNames[k] != nullptr)
        face.holeOrEnd = *faceNames[k];
      else if (const auto name = nameOf.find(groups[g].lines[k].triangles.front()); name != nameOf.end())
        face.holeOrEnd = name->second;
      faces.push_back(std::move(face));
    }
  }
}

/// What crosses in a mesh, and why its bodies could not be united.
struct Crossings {
  SelfIntersections found;
  std::string notUnited;
};

std::string notUnitedText(const UnitedBodies& tried) {
  if (tried.areTooMany) return "uniting them would take too long";
  if (tried.foldDepth > 0)
    return fmt::format("a fold that turns the surface inside out is {} deep at {}",
                       smallLengthText(tried.foldDepth), positionText(tried.foldPosition));
  return "uniting them has failed";
}

RecognitionError selfIntersectionError(const Crossings& crossings) {
  const SelfIntersections& found = crossings.found;
  std::vector<std::string> findings;
  if (found.pairs > 0)
    findings.push_back(
        fmt::format("{} pair{} of intersecting faces", found.pairs, found.pairs == 1 ? "" : "s"));
  if (found.nested > 0)
    findings.push_back(
        fmt::format("{} {} inside another one", found.nested, found.nested == 1 ? "body" : "bodies"));
  const bool one = found.pairs + found.nested == 1;
  const std::string facets =
      found.pairs > 0 ? fmt::format(" (triangles {} and {})", found.first, found.second) : "";
  return {fmt::format("has {}, {} {}{}", fmt::join(findings, " and "), one ? "at" : "the first at",
                      positionText(found.position), facets),
          crossings.notUnited + ": unite the bodies in CAD and export again"};
}

RecognitionError deviationError(const ShapeDeviation& deviation) {
  const bool outside = &deviation.largest() == &deviation.outside;
  return {fmt::format(
              "has a collision shape that {} by {} at {}, more than {:g} times the import tolerance of {}",
              outside ? "protrudes from the mesh" : "lies inside the mesh",
              smallLengthText(deviation.largest().distance), positionText(deviation.largest().position),
              kMaxDeviationRatio, smallLengthText(deviation.tolerance)),
          "simplify the geometry there in CAD or divide the part, and export again; STEP keeps exact faces"};
}

class Recognizer {
 public:
  Recognizer(const RepairedMesh& mesh, BoreRule rule, const CadFaces* cadFaces, ThreadRule threads,
             const Crossings& crossings)
      : rule_(rule),
        threadRule_(threads),
        crossings_(crossings),
        facets_(mesh),
        regions_(smoothRegions(facets_, cadFaces)),
        groups_(revolvedGroups(facets_, regions_, rule)),
        input_{facets_, regions_, groups_} {
    part_.report = mesh.report;
    part_.low = facets_.low;
    part_.high = facets_.high;
    if (mesh.report.isClosed()) part_.solid = massOf(mesh.mesh, 1);
    if (cadFaces && mesh.report.isClosed()) useCadSolid(cadFaces->solid);
    cadFaces_ = cadFaces;
    if (!cadFaces) return;
    part_.low = cadFaces->low;
    part_.high = cadFaces->high;
  }

  /// Threads of an open mesh, which are not used.
  void listOpenThreads(RecognizedPart& part) const {
    ThreadsOfMesh found = threadsOfMesh(facets_, regions_, groups_, rule_, cadFaces_);
    part.threads = std::move(found.threads);
    part.unsearchedAxes = found.unsearchedAxes;
  }

  RecognizedPart recognize() {
    if (trySolidOfRevolution() || tryBlock()) {
      measure();
    } else {
      if (auto threaded = recognizeThreaded()) return std::move(*threaded);
      useBoundary();
      measure();
    }
    if (!isBoundarySolid() && (hasOtherVolume() || part_.meshDeviation.exceeds(1))) {
      useBoundary();
      measure();
    } else if (part_.exactArea < 1 && !isBoundarySolid()) {
      preferExactFaces();
    }
    checkDeviation();
    return std::move(part_);
  }

  /// The part on its own faces, whatever its form.
  RecognizedPart recognizeFaces() {
    useBoundary();
    measure();
    checkDeviation();
    return std::move(part_);
  }

 private:
  /// The part with its threads; empty if it has none that can be used.
  std::optional<RecognizedPart> recognizeThreaded() {
    if (threadRule_ == ThreadRule::facets) return std::nullopt;
    ThreadsOfMesh found = threadsOfMesh(facets_, regions_, groups_, rule_, cadFaces_);
    part_.threads = found.threads;
    part_.unsearchedAxes = found.unsearchedAxes;
    if (!found.areUsed()) return std::nullopt;
    RecognizedPart whole;
    try {
      if (!found.rest.mesh.triangles.empty())
        whole = Recognizer(found.rest, rule_, found.restFaces ? &*found.restFaces : nullptr, threadRule_,
                           {findSelfIntersections(found.rest, surfaceTolerance(found.rest.extent)),
                            "they lie where its thread is"})
                    .recognizeFaces();
    } catch (const RecognitionError& error) {
      for (RecognizedThread& thread : part_.threads)
        if (thread.isUsed()) {
          thread.problem = "the part without it " + error.problem;
          thread.remedy = error.remedy;
        }
      return std::nullopt;
    }
    addThreads(found, whole);
    const double area = std::accumulate(facets_.areas.begin(), facets_.areas.end(), 0.0);
    whole.exactArea = whole.exactArea * (1 - found.removedArea / area) + found.removedArea / area;
    whole.unsearchedAxes = part_.unsearchedAxes;
    whole.report = part_.report;
    whole.low = part_.low;
    whole.high = part_.high;
    whole.solid = part_.solid;
    whole.shapeVolume = physics::massProperties(whole.shape, 1).mass;
    whole.meshDeviation.tolerance = facets_.tolerance;
    return whole;
  }

  /// Lists the faces and measures the deviations of part_.shape.
  void measure() {
    part_.faces.clear();
    listFaces(groups_, names_, rule_, isOnSurface(), nameOf_, part_.faces);
    part_.deviation = deviationVolume_ = part_.exactArea = 0;
    double area = 0;
    const std::vector<char> onSurface = isOnSurface();
    for (std::size_t t = 0; t < onSurface.size(); ++t) {
      area += facets_.areas[t];
      if (onSurface[t] != 0) part_.exactArea += facets_.areas[t];
    }
    if (area > 0) part_.exactArea /= area;
    if (!isBoundarySolid()) part_.exactArea = 1 - shareOfArcs();
    if (cadFaces_) measureFacetDeviation();
    part_.shapeVolume = physics::massProperties(part_.shape, 1).mass;
    if (isBoundarySolid()) return;  // measured by useBoundary()
    part_.meshDeviation =
        measureBoundary(facets_, part_.shape, alongFlats(), cadFaces_, facets_.tolerance).deviation;
  }

  /// Instead of a shape with chords in place of a curved profile: the part's own faces, if more of the area
  /// is on its surfaces then.
  void preferExactFaces() {
    const RecognizedPart chords = part_;
    const ExactNames names = names_;  // nameOf_ is empty
    try {
      useBoundary();
      measure();
      if (part_.exactArea > chords.exactArea && !part_.meshDeviation.exceeds(1)) return;
    } catch (const RecognitionError&) {
      // Faces that cross: the chords stay.
    }
    part_ = chords;
    names_ = names;
    nameOf_.clear();
  }

  /// Share of the area of a mesh that lies on spheres and tori [-], which profiles have as chords.
  double shareOfArcs() const {
    if (cadFaces_) return 0;
    const BoundarySurfaces found = boundarySurfaces(input_, rule_);
    double area = 0, arcs = 0;
    for (std::size_t t = 0; t < found.surfaceOf.size(); ++t) {
      area += facets_.areas[t];
      if (found.surfaceOf[t] < 0) continue;
      const physics::SurfaceKind kind = found.surfaces[static_cast<std::size_t>(found.surfaceOf[t])].kind;
      if (kind == physics::SurfaceKind::sphere || kind == physics::SurfaceKind::torus)
        arcs += facets_.areas[t];
    }
    return area > 0 ? arcs / area : 0;
  }

  /// Of each triangle of a BoundarySolid whether it has a surface; empty for other shapes.
  std::vector<char> isOnSurface() const {
    const auto* solid = std::get_if<physics::BoundarySolid>(&part_.shape);
    std::vector<char> marks;
    if (solid == nullptr) return marks;
    marks.assign(static_cast<std::size_t>(facets_.count()), 0);
    for (std::size_t t = 0; t < solid->surfaceOf.size(); ++t) marks[t] = solid->surfaceOf[t] >= 0;
    return marks;
  }

  bool isBoundarySolid() const { return std::holds_alternative<physics::BoundarySolid>(part_.shape); }

  /// Uses the mass of the exact CAD solid if the triangles confirm it; they do not if a face is reversed.
  void useCadSolid(const physics::MassProperties& solid) {
    constexpr double kMaxDifference = 0.1;  // relative: 32 facets for a circle, with thin walls
    if (std::abs(solid.mass - part_.solid.mass) < kMaxDifference * part_.solid.mass) part_.solid = solid;
  }

  /// Deviation of the colliding facets from the surfaces in the CAD file, and the volume in between.
  void measureFacetDeviation() {
    using Kind = CadSurface::Kind;
    std::vector<char> exact(static_cast<std::size_t>(facets_.count()), 0);
    for (const auto& [at, name] : names_) {
      const RevolvedGroup& group = groups_[static_cast<std::size_t>(at.first)];
      for (const int k : group.chains[static_cast<std::size_t>(at.second)].lines)
        for (const int t : group.lines[static_cast<std::size_t>(k)].triangles)
          exact[static_cast<std::size_t>(t)] = 1;
    }
    const std::vector<char> onSurface = isOnSurface();
    const double totalArea = std::accumulate(facets_.areas.begin(), facets_.areas.end(), 0.0);
    for (std::size_t t = 0; t < exact.size(); ++t) {
      if (!onSurface.empty() && onSurface[t] != 0) continue;
      const int face = cadFaces_->surfaceOf[static_cast<std::size_t>(facets_.mesh->sources[t])];
      const CadSurface& surface = cadFaces_->surfaces[static_cast<std::size_t>(face)];
      if (exact[t] && (surface.kind == Kind::cylinder || surface.kind == Kind::cone)) continue;
      if (surface.kind != Kind::plane && !isBoundarySolid()) part_.exactArea -= facets_.areas[t] / totalArea;
      part_.deviation = std::max(part_.deviation, surface.deviation);
      deviationVolume_ += surface.deviation * facets_.areas[t];
    }
  }

  /// True if the volume of the shape is not that of a closed mesh: as of what crosses itself, or has bodies
  /// inside.
  bool hasOtherVolume() const {
    const double volume = part_.solid.mass;
    return volume > 0 && std::abs(part_.shapeVolume - volume) > volumeTolerance();
  }

  /// Tolerance of the shape's volume [m³]: the volume between facets and exact surfaces, and
  /// kVolumeTolerance.
  double volumeTolerance() const {
    double sum = kVolumeTolerance * part_.solid.mass;
    for (const RecognizedFace& face : part_.faces) {
      if (!face.exact) continue;
      const double depth = (face.vertexDiameter - face.flatDiameter) / 2 + face.maxDeviation;
      sum += std::numbers::pi * face.vertexDiameter * face.length * depth;
    }
    return sum + deviationVolume_;
  }

  const CadSurface& surfaceOf(int triangle) const {
    const int source = facets_.mesh->sources[static_cast<std::size_t>(triangle)];
    return cadFaces_
        ->surfaces[static_cast<std::size_t>(cadFaces_->surfaceOf[static_cast<std::size_t>(source)])];
  }

  /// Throws RecognitionError if the shape deviates too far from the mesh; names self-intersections of the
  /// mesh as the cause if there are any.
  void checkDeviation() const {
    if (!part_.meshDeviation.exceeds(kMaxDeviationRatio)) return;
    if (crossings_.found.exist()) throw selfIntersectionError(crossings_);
    throw deviationError(part_.meshDeviation);
  }

  const ProfileChain& chainOf(const ExactChain& exact) const {
    return groups_[static_cast<std::size_t>(exact.group)].chains[static_cast<std::size_t>(exact.chain)];
  }

  bool trySolidOfRevolution() {
    const auto solid = asSolidOfRevolution(input_);
    if (!solid) return false;
    std::vector<ExactChain> only = {*solid};
    assignNames(only);
    part_.shape = placed(std::move(only.front().shape));
    return true;
  }

  bool tryBlock() {
    std::vector<ExactChain> holes;
    auto block = asBlockWithHoles(input_, holes);
    if (!block) return false;
    assignNames(holes);
    part_.shape = placed(std::move(*block));
    return true;
  }

  /// Names holes and ends, and stores the names of their faces.
  void assignNames(std::vector<ExactChain>& exact) {
    nameHoles(exact);
    for (const ExactChain& chain : exact) {
      addEnds(chain, part_.features, names_, chainOf(chain));
      if (const auto* block = std::get_if<physics::BlockWithHoles>(&chain.shape.shape))
        names_.insert({{chain.group, chain.chain}, FaceNames(block->cavities.front().name)});
    }
  }

  /// What `use` returns; throws RecognitionError where it finds that the triangles are no solid.
  template <class Use>
  static auto ofOneSolid(const Use& use) {
    try {
      return use();
    } catch (const std::invalid_argument& error) {
      throw RecognitionError{fmt::format("is not the surface of one solid: {}", error.what()),
                             "close the surface in CAD and export it again"};
    }
  }

  /// Surfaces of parts of a smooth region, from `firstGrown` on, at which larger faces on other surfaces
  /// could not be trimmed, collide as facets. Returns the trims of `solid`, or nothing where they are still
  /// to be found.
  static std::optional<physics::brep::TrimmedTriangles> dropHarmful(std::size_t firstGrown,
                                                                    physics::BoundarySolid& solid) {
    constexpr int kMaxDrops = 8;
    if (firstGrown == solid.surfaces.size()) return std::nullopt;
    const auto isGrown = [&](int s) { return s >= static_cast<int>(firstGrown); };
    physics::BoundarySolid without = solid;
    for (int& s : without.surfaceOf)
      if (isGrown(s)) s = -1;
    const std::vector<double> areas = areasOf(solid);
    try {
      std::optional<std::vector<int>> lost;  // surfaces that cannot be trimmed without the grown ones either
      for (int k = 0; k < kMaxDrops; ++k) {
        physics::brep::TrimmedTriangles trimmed(solid);
        std::vector<int> failed = trimmed.flat();
        std::erase_if(failed, isGrown);
        if (failed.empty()) return trimmed;
        if (!lost) {
          lost = physics::brep::flatSurfacesOf(without);
          std::sort(lost->begin(), lost->end());
        }
        std::erase_if(failed, [&](int s) { return std::binary_search(lost->begin(), lost->end(), s); });
        const std::vector<int> harmful = smallerBeside(failed, firstGrown, areas, solid);
        if (harmful.empty()) return trimmed;
        flattenSurfaces(harmful, solid);
      }
      solid.surfaceOf = without.surfaceOf;
    } catch (const std::invalid_argument&) {
      // Reported by useBoundary().
    }
    return std::nullopt;
  }

  /// Grown surfaces that have a corner in common with a larger one that has failed. `areas`: by surface [m²].
  static std::vector<int> smallerBeside(const std::vector<int>& failed, std::size_t firstGrown,
                                        const std::vector<double>& areas,
                                        const physics::BoundarySolid& solid) {
    std::vector<char> isFailed(solid.surfaces.size(), 0);
    for (const int s : failed) isFailed[static_cast<std::size_t>(s)] = 1;
    std::vector<double> largestAt(solid.vertices.size(), 0.0);  // area of a failed surface [m²]
    for (std::size_t t = 0; t < solid.surfaceOf.size(); ++t)
      if (const int s = solid.surfaceOf[t]; s >= 0 && isFailed[static_cast<std::size_t>(s)] != 0)
        for (const int v : solid.triangles[t]) {
          double& largest = largestAt[static_cast<std::size_t>(v)];
          largest = std::max(largest, areas[static_cast<std::size_t>(s)]);
        }
    std::vector<int> smaller;
    for (std::size_t t = 0; t < solid.surfaceOf.size(); ++t)
      if (const int s = solid.surfaceOf[t]; s >= static_cast<int>(firstGrown))
        for (const int v : solid.triangles[t])
          if (areas[static_cast<std::size_t>(s)] < largestAt[static_cast<std::size_t>(v)])
            smaller.push_back(s);
    return smaller;
  }

  static void flattenSurfaces(const std::vector<int>& flat, physics::BoundarySolid& solid) {
    std::vector<char> isFlat(solid.surfaces.size(), 0);
    for (const int s : flat) isFlat[static_cast<std::size_t>(s)] = 1;
    for (int& s : solid.surfaceOf)
      if (s >= 0 && isFlat[static_cast<std::size_t>(s)] != 0) s = -1;
  }

  /// The round faces of these triangles collide as facets. In place of the plane of one, or of a facet, whose
  /// corners have been moved: the smallest face there. False if there are none. `areFacetsKept`: facets
  /// deviate anyway.
  static bool flatten(const std::vector<int>& triangles, bool areFacetsKept, physics::BoundarySolid& solid) {
    const std::vector<double> areas = areasOf(solid);
    std::vector<int> smallestAt(solid.vertices.size(), -1);  // surface
    const auto isSmaller = [&](int s, int other) {
      return other < 0 || areas[static_cast<std::size_t>(s)] < areas[static_cast<std::size_t>(other)];
    };
    for (std::size_t t = 0; t < solid.surfaceOf.size(); ++t)
      for (const int v : solid.triangles[t]) {
        int& smallest = smallestAt[static_cast<std::size_t>(v)];
        if (const int s = solid.surfaceOf[t]; s >= 0 && isSmaller(s, smallest)) smallest = s;
      }
    std::vector<int> flat;
    for (const int t : triangles) {
      int s = solid.surfaceOf[static_cast<std::size_t>(t)];
      if (s < 0 && areFacetsKept) continue;
      if (s < 0 || solid.surfaces[static_cast<std::size_t>(s)].kind == physics::SurfaceKind::plane)
        for (const int v : solid.triangles[static_cast<std::size_t>(t)])
          if (const int other = smallestAt[static_cast<std::size_t>(v)]; other >= 0 && isSmaller(other, s))
            s = other;
      if (s >= 0) flat.push_back(s);
    }
    flattenSurfaces(flat, solid);
    return !flat.empty();
  }

  /// The areas of the triangles on each surface [m²].
  static std::vector<double> areasOf(const physics::BoundarySolid& solid) {
    std::vector<double> areas(solid.surfaces.size(), 0.0);
    for (std::size_t t = 0; t < solid.surfaceOf.size(); ++t) {
      if (solid.surfaceOf[t] < 0) continue;
      const auto at = [&](std::size_t k) {
        return solid.vertices[static_cast<std::size_t>(solid.triangles[t][k])];
      };
      areas[static_cast<std::size_t>(solid.surfaceOf[t])] +=
          0.5 * (at(1) - at(0)).cross(at(2) - at(0)).norm();
    }
    return areas;
  }

  /// By triangle: it belongs to a bore along its flats. None of a CAD file does.
  std::vector<char> alongFlats() const {
    std::vector<char> marks(static_cast<std::size_t>(facets_.count()), 0);
    if (cadFaces_) return marks;
    for (const RevolvedGroup& group : groups_)
      for (const ProfileLine& line : group.lines)
        if (followsFlats(line, rule_))
          for (const int t : line.triangles) marks[static_cast<std::size_t>(t)] = 1;
    return marks;
  }

  /// Bores along their flats of which a face cannot be used, or deviates too far, or moves a corner of
  /// another face where that does, go through their vertices; false if there are none.
  bool followVertices(const BoundaryDeviation& measured, const physics::BoundarySolid& solid) {
    std::vector<char> isBad(solid.surfaceOf.size(), 0);
    for (std::size_t t = 0; t < isBad.size(); ++t) isBad[t] = solid.surfaceOf[t] < 0 ? 1 : 0;
    std::vector<char> isMoved(solid.vertices.size(), 0);
    for (const int t : measured.offending) isBad[static_cast<std::size_t>(t)] = 1;
    for (const int v : measured.corners) isMoved[static_cast<std::size_t>(v)] = 1;
    const auto isBeside = [&](int t) {
      const auto& corners = solid.triangles[static_cast<std::size_t>(t)];
      return isBad[static_cast<std::size_t>(t)] != 0 ||
             std::any_of(corners.begin(), corners.end(),
                         [&](int v) { return isMoved[static_cast<std::size_t>(v)] != 0; });
    };
    const std::vector<int> regionOf = regionsOfTriangles(facets_, regions_);
    bool isAny = false;
    for (RevolvedGroup& group : groups_) {
      bool isChanged = false;
      for (ProfileLine& line : group.lines) {
        if (!followsFlats(line, rule_) ||
            std::none_of(line.triangles.begin(), line.triangles.end(), isBeside))
          continue;
        line.rule = FacetRule::vertices;
        isChanged = true;
      }
      if (isChanged) connectLines(facets_, regionOf, rule_, group);
      isAny = isAny || isChanged;
    }
    return isAny;
  }

  /// The part's own faces on their surfaces, with named holes and ends. A face that collides further than the
  /// tolerance from the given one collides as its facets instead.
  void useBoundary() {
    constexpr int kMaxPasses = 12;
    names_.clear();
    nameOf_.clear();
    part_.features.clear();
    part_.facetedSites.clear();
    if (crossings_.found.exist()) throw selfIntersectionError(crossings_);
    BoundarySurfaces found = boundarySurfaces(input_, rule_);
    physics::BoundarySolid solid{facets_.mesh->mesh.vertices,
                                 facets_.mesh->mesh.triangles,
                                 std::move(found.surfaces),
                                 found.surfaceOf,
                                 {},
                                 {}};
    std::optional<physics::brep::TrimmedTriangles> trimmed = dropHarmful(found.firstGrown, solid);
    part_.meshDeviation = {{}, {}, facets_.tolerance};
    for (int pass = 0;; ++pass) {
      // Faces that cannot be trimmed on their surfaces collide as facets.
      ofOneSolid([&] {
        if (!trimmed) trimmed.emplace(solid);
        flattenSurfaces(trimmed->flat(), solid);
        solid.prepared = physics::brep::prepare(solid, *std::exchange(trimmed, std::nullopt));
      });
      BoundaryDeviation measured = ofOneSolid([&] {
        return measureBoundary(facets_, solid, found.alongFlats, cadFaces_, facets_.tolerance, &nearest_);
      });
      part_.meshDeviation = measured.deviation;
      const bool isMesh =
          std::all_of(solid.surfaceOf.begin(), solid.surfaceOf.end(), [](int s) { return s < 0; });
      if ((pass == 0 || !isMesh) && followVertices(measured, solid)) return useBoundary();
      // Facets of a mesh deviate where their corners have been moved, those of a CAD file in any case.
      const bool isCad = cadFaces_ != nullptr;
      if (pass < kMaxPasses && (flatten(measured.offending, isCad, solid) ||
                                (isCad && part_.meshDeviation.exceeds(kMaxDeviationRatio) &&
                                 flatten(measured.offending, false, solid))))
        continue;
      // What still deviates too far to be used collides as the mesh itself.
      if (isMesh || !part_.meshDeviation.exceeds(kMaxDeviationRatio)) break;
      std::fill(solid.surfaceOf.begin(), solid.surfaceOf.end(), -1);
    }
    std::vector<ExactChain> chains = holesAndShafts(input_);
    // What collides as facets has no exact sizes: it is named after all others, with those of its facets.
    std::vector<char> isNamed(solid.surfaceOf.size(), 0);
    std::erase_if(chains, [&](const ExactChain& chain) {
      const auto marks = trianglesOfChain(input_, chain.group, chain.chain);
      for (std::size_t t = 0; t < marks.size(); ++t)
        if (marks[t] != 0 && solid.surfaceOf[t] < 0) return true;
      for (std::size_t t = 0; t < marks.size(); ++t) isNamed[t] |= marks[t];
      return false;
    });
    assignNames(chains);
    for (const ExactChain& chain : chains)
      for (HoleSite& site : holesOf(physics::Compound{{chain.shape}}))
        solid.holes.push_back({site.name, site.X_PH, std::move(site.profile), site.through});
    NamedSites named = nameSites(input_, found.surfaceOf, std::move(isNamed), solid, part_.features);
    nameOf_ = std::move(named.nameOf);
    part_.facetedSites = std::move(named.faceted);
    part_.shape = std::move(solid);
  }

  BoreRule rule_;
  ThreadRule threadRule_;
  Crossings crossings_;
  Facets facets_;
  std::vector<Region> regions_;
  std::vector<RevolvedGroup> groups_;
  RecognitionInput input_;
  ExactNames names_;
  std::map<int, std::string> nameOf_;  ///< by triangle: its hole or end, if it belongs to no chain
  RecognizedPart part_;
  const CadFaces* cadFaces_ = nullptr;
  NearestTriangles nearest_;    ///< of the passes of useBoundary()
  double deviationVolume_ = 0;  ///< see measureFacetDeviation() [m³]
};

}  // namespace

RecognizedPart recognize(const RepairedMesh& mesh, BoreRule rule, const CadFaces* cadFaces,
                         ThreadRule threads) {
  if (!mesh.report.isClosed()) {
    const RepairedMesh sheets = thickenSheets(mesh);
    RecognizedPart part = Recognizer(sheets, rule, cadFaces, ThreadRule::facets, {}).recognize();
    if (threads == ThreadRule::exact) Recognizer(mesh, rule, cadFaces, threads, {}).listOpenThreads(part);
    return part;
  }
  Crossings crossings{findSelfIntersections(mesh, surfaceTolerance(mesh.extent)), {}};
  if (mesh.report.bodies > 1 || crossings.found.exist()) {
    const UnitedBodies united = uniteBodies(mesh, kMaxDeviationRatio * surfaceTolerance(mesh.extent));
    if (united.mesh) return Recognizer(*united.mesh, rule, cadFaces, threads, {}).recognize();
    crossings.notUnited = notUnitedText(united);
  }
  return Recognizer(mesh, rule, cadFaces, threads, crossings).recognize();
}

}  // namespace tenon::content
