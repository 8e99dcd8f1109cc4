// See recognised_part.h.
#include "content/recognize/recognized_part.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "content/input/wording.h"
#include "content/mesh/mesh_mass.h"
#include "content/mesh/mesh_report_text.h"
#include "content/mesh/position_text.h"
#include "content/mesh/self_intersections.h"
#include "content/model/hole_sites.h"
#include "content/recognize/chain_shapes.h"
#include "physics/body/mass_properties.h"

namespace tenon::content {
namespace {

using physics::Pose;

/// More triangles than this are not cut into convex pieces, which takes the square of their number at worst.
constexpr int kMaxFlatTriangles = 50000;

/// Of a mesh's volume, that its shape may differ by beside what round faces and slack explain: fits within a
/// few µm of thin parts.
constexpr double kVolumeTolerance = 0.01;

/// Rounding of radii [m].
constexpr double kWithin = 1e-9;

/// A hole along the axis of a turned solid or ring.
struct Recess {
  std::string name;
  double radius = 0;  ///< greatest [m]
};

/// What the faces of an exact chain lead to: an end or a hole.
class FaceNames {
 public:
  /// A hole alone.
  explicit FaceNames(const std::string& hole) : outside_(hole) {}
  /// A turned solid or ring whose outside leads to `outside`.
  FaceNames(const std::string& outside, const physics::SolidOfRevolution& turned) : outside_(outside) {
    for (const HoleSite& site : holesOf(turned)) {
      Recess& recess = (site.opensDown() ? below_ : top_).emplace();
      recess.name = site.name;
      for (const auto& zr : site.profile) recess.radius = std::max(recess.radius, zr.y());
    }
    middle_ = 0.5 * (turned.profile.front().x() + turned.profile.back().x());
  }

  const std::string& of(const ProfileLine& line) const {
    if (!line.isInner()) return outside_;
    const double z = 0.5 * (line.low + line.high);
    const auto& recess = top_ && below_ ? (z > middle_ ? top_ : below_) : (top_ ? top_ : below_);
    // Along its facets, as bores are mostly taken.
    return recess && line.radiusAt(z) * line.flatRatio <= recess->radius + kWithin ? recess->name : outside_;
  }

 private:
  std::string outside_;
  std::optional<Recess> top_, below_;
  double middle_ = 0;  ///< between the floors of two recesses, along the axis [m]
};

/// By group and chain.
using ExactNames = std::map<std::pair<int, int>, FaceNames>;

bool isIdentity(const Pose& X) {
  return X.p.isZero(0) && X.q.coeffs() == Eigen::Quaterniond::Identity().coeffs();
}

physics::Shape placed(physics::PlacedShape shape) {
  if (isIdentity(shape.X_PS)) return std::move(shape.shape);
  return physics::Compound{{std::move(shape)}};
}

/// A new name made of `base` and, if need be, a number.
std::string freeName(const std::string& base, const std::vector<AxisFeature>& features) {
  for (int number = 1;; ++number) {
    const std::string name = number == 1 ? base : fmt::format("{} {}", base, number);
    const auto same = [&](const AxisFeature& feature) { return feature.name == name; };
    if (std::none_of(features.begin(), features.end(), same)) return name;
  }
}

/// The ends of a shaft that lie on its axis.
void addEnds(const ExactChain& exact, std::vector<AxisFeature>& features, ExactNames& names,
             const ProfileChain& chain) {
  const auto* turned = std::get_if<physics::SolidOfRevolution>(&exact.shape.shape);
  if (!turned) return;
  const Pose& X = exact.shape.X_PS;
  const Vector3d axis = X.q * Vector3d::UnitZ();
  double low = turned->profile.front().x(), high = low;
  for (const auto& p : turned->profile) {
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
    feature.name = freeName("end " + sideName(feature.direction), features);
    if (name.empty()) name = feature.name;
    features.push_back(feature);
  }
  names.insert({{exact.group, exact.chain}, FaceNames(name.empty() ? "shaft" : name, *turned)});
}

RecognizedFace faceOf(const ProfileLine& line, BoreRule rule) {
  RecognizedFace face;
  face.inner = line.isInner();
  face.cone = !line.isCylinder();
  const double k = face.inner && rule == BoreRule::flats ? line.flatRatio : 1;
  // A point on the axis is so to a rounding.
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

void listFaces(const std::vector<RevolvedGroup>& groups, const ExactNames& names, BoreRule rule,
               std::vector<RecognizedFace>& faces) {
  for (std::size_t g = 0; g < groups.size(); ++g) {
    std::vector<const std::string*> of(groups[g].lines.size(), nullptr);
    for (std::size_t c = 0; c < groups[g].chains.size(); ++c) {
      const auto name = names.find({static_cast<int>(g), static_cast<int>(c)});
      if (name == names.end()) continue;
      for (const int k : groups[g].chains[c].lines)
        of[static_cast<std::size_t>(k)] = &name->second.of(groups[g].lines[static_cast<std::size_t>(k)]);
    }
    for (std::size_t k = 0; k < groups[g].lines.size(); ++k) {
      if (groups[g].lines[k].isPlane()) continue;
      RecognizedFace face = faceOf(groups[g].lines[k], rule);
      face.exact = of[k] != nullptr;
      if (face.exact) face.of = *of[k];
      faces.push_back(std::move(face));
    }
  }
}

RecognitionError crossingFaces(const SelfIntersections& found) {
  std::vector<std::string> what;
  if (found.pairs > 0)
    what.push_back(fmt::format("{} pair{} of faces that cross", found.pairs, found.pairs == 1 ? "" : "s"));
  if (found.nested > 0)
    what.push_back(fmt::format("{} {} in another one", found.nested, found.nested == 1 ? "body" : "bodies"));
  const bool one = found.pairs + found.nested == 1;
  return {fmt::format("has {}, {} {}", fmt::join(what, " and "), one ? "at" : "the first at",
                      positionText(found.position)),
          "unite the bodies in CAD and export again"};
}

/// `excess`: of the shape's volume over the mesh's; 0: within what is allowed.
RecognitionError farOff(const ShapeDeviation& off, double excess) {
  const bool outside = &off.largest() == &off.outside;
  std::string problem =
      fmt::format("has a collision shape that {} by {} at {}",
                  outside ? "stands out of the mesh" : "lies inside the mesh",
                  smallLengthText(off.largest().distance), positionText(off.largest().position));
  if (off.exceeds(kMaxDeviationRatio))
    problem += fmt::format(", more than {:g} times the {} of an import", kMaxDeviationRatio,
                           smallLengthText(off.tolerance));
  if (excess != 0) problem += fmt::format(", and differs in volume by {:+.3g} %", 100 * excess);
  return {problem, "simplify that place in CAD or divide the part, and export again; STEP keeps exact faces"};
}

class Builder {
 public:
  Builder(const RepairedMesh& mesh, BoreRule rule, const CadFaces* known)
      : rule_(rule),
        facets_(mesh),
        regions_(smoothRegions(facets_, known)),
        groups_(revolvedGroups(facets_, regions_, rule)),
        scene_{facets_, regions_, groups_} {
    part_.report = mesh.report;
    part_.low = facets_.low;
    part_.high = facets_.high;
    if (mesh.report.isClosed()) part_.solid = massOf(mesh.mesh, 1);
    if (known && mesh.report.isClosed()) takeSolid(known->solid);
    known_ = known;
    if (!known) return;
    part_.low = known->low;
    part_.high = known->high;
  }

  RecognizedPart build() {
    if (!asTurned() && !asBlock()) asPieces();
    listFaces(groups_, names_, rule_, part_.faces);
    if (known_) measureDeviation();
    part_.shapeVolume = physics::massProperties(part_.shape, 1).mass;
    part_.meshDeviation = content::measureDeviation(facets_, allowances(), part_.shape, statedValue());
    judge();
    return std::move(part_);
  }

 private:
  /// The mass of the true solid, which its triangles bear out: where some face is turned over, they do not.
  void takeSolid(const physics::MassProperties& solid) {
    constexpr double kLikely =
        0.1;  // of the volume, between 32 facets and a circle, with walls a tenth of it
    if (std::abs(solid.mass - part_.solid.mass) < kLikely * part_.solid.mass) part_.solid = solid;
  }

  /// How far what collides lies off the file's surfaces, and how much volume may be in between.
  void measureDeviation() {
    using Kind = CadSurface::Kind;
    std::vector<char> exact(static_cast<std::size_t>(facets_.count()), 0);
    for (const auto& [at, name] : names_) {
      const RevolvedGroup& group = groups_[static_cast<std::size_t>(at.first)];
      for (const int k : group.chains[static_cast<std::size_t>(at.second)].lines)
        for (const int t : group.lines[static_cast<std::size_t>(k)].triangles)
          exact[static_cast<std::size_t>(t)] = 1;
    }
    for (std::size_t t = 0; t < exact.size(); ++t) {
      const int face = known_->surfaceOf[static_cast<std::size_t>(facets_.mesh->sources[t])];
      const CadSurface& surface = known_->surfaces[static_cast<std::size_t>(face)];
      if (exact[t] && (surface.kind == Kind::cylinder || surface.kind == Kind::cone)) continue;
      part_.deviation = std::max(part_.deviation, surface.deviation);
      deviating_ += surface.deviation * facets_.areas[t];
    }
  }

  /// How far the shape's volume may be from the mesh's [m³]: what lies between facets and the exact surfaces
  /// that stand for them, the slack of convex pieces over the whole surface, and kVolumeTolerance.
  double volumeTolerance() const {
    double sum = kVolumeTolerance * part_.solid.mass;
    for (const RecognizedFace& face : part_.faces) {
      if (!face.exact) continue;
      const double depth = (face.vertexDiameter - face.flatDiameter) / 2 + face.maxDeviation;
      sum += std::numbers::pi * face.vertexDiameter * face.length * depth;
    }
    for (const double area : facets_.areas) sum += part_.planeTolerance * area;
    return sum + deviating_;
  }

  /// How far the shape may lie off the mesh, as `check` states it [m].
  double statedValue() const { return std::max(part_.planeTolerance, facets_.tolerance); }

  /// Of each triangle: how far the exact round face that stands for it lies off its facets [m].
  std::vector<double> allowances() const {
    std::vector<double> list(static_cast<std::size_t>(facets_.count()), 0.0);
    for (const auto& [at, name] : names_) {
      const RevolvedGroup& group = groups_[static_cast<std::size_t>(at.first)];
      for (const int k : group.chains[static_cast<std::size_t>(at.second)].lines) {
        const ProfileLine& line = group.lines[static_cast<std::size_t>(k)];
        if (line.isPlane()) continue;
        const double radius = std::max(line.radiusAt(line.low), line.radiusAt(line.high));
        for (const int t : line.triangles)
          list[static_cast<std::size_t>(t)] =
              radius * (1 - line.flatRatio) + line.maxDeviation + (known_ ? surfaceOf(t).deviation : 0);
      }
    }
    return list;
  }

  const CadSurface& surfaceOf(int triangle) const {
    const int source = facets_.mesh->sources[static_cast<std::size_t>(triangle)];
    return known_->surfaces[static_cast<std::size_t>(known_->surfaceOf[static_cast<std::size_t>(source)])];
  }

  /// Throws RecognitionError where the shape is not the mesh's: by its volume, or far off it at some place.
  /// Where the mesh runs through itself, that is why.
  void judge() const {
    const double volume = part_.solid.mass, difference = std::abs(part_.shapeVolume - volume);
    const bool otherVolume = volume > 0 && difference > volumeTolerance();
    // Of an exact shape alone a line of its profile may be turned by its neighbour: that is a warning.
    const bool isFar = part_.convexParts > 0 && part_.meshDeviation.exceeds(kMaxDeviationRatio);
    if (!otherVolume && !isFar) return;
    if (const SelfIntersections crossings = findSelfIntersections(*facets_.mesh);
        crossings.pairs + crossings.nested > 0)
      throw crossingFaces(crossings);
    throw farOff(part_.meshDeviation, otherVolume ? part_.shapeVolume / volume - 1 : 0);
  }

  const ProfileChain& chainOf(const ExactChain& exact) const {
    return groups_[static_cast<std::size_t>(exact.group)].chains[static_cast<std::size_t>(exact.chain)];
  }

  bool asTurned() {
    const auto turned = asSolidOfRevolution(scene_);
    if (!turned) return false;
    std::vector<ExactChain> only = {*turned};
    name(only);
    part_.shape = placed(std::move(only.front().shape));
    return true;
  }

  bool asBlock() {
    std::vector<ExactChain> holes;
    auto block = asBlockWithHoles(scene_, holes);
    if (!block) return false;
    name(holes);
    part_.shape = placed(std::move(*block));
    return true;
  }

  /// Names holes and ends, and notes what which face leads to.
  void name(std::vector<ExactChain>& exact) {
    nameHoles(exact);
    for (const ExactChain& chain : exact) {
      addEnds(chain, part_.features, names_, chainOf(chain));
      if (const auto* block = std::get_if<physics::BlockWithHoles>(&chain.shape.shape))
        names_.insert({{chain.group, chain.chain}, FaceNames(block->cavities.front().name)});
    }
  }

  void asPieces() {
    if (!part_.report.isClosed())
      throw RecognitionError{
          describeOpenEdges(part_.report) +
              ", and is neither turned nor a cuboid with round holes, so that its inside is not known",
          "close the surface in CAD and export it again"};
    if (facets_.count() > kMaxFlatTriangles)
      throw RecognitionError{
          fmt::format("has {} triangles and is neither turned nor a cuboid with round holes",
                      facets_.count()),
          fmt::format("export it with a coarser tolerance, at most {} triangles", kMaxFlatTriangles)};
    std::vector<ExactChain> exact;
    std::vector<CarvedBox> boxes;
    const auto take = [&](auto find) {
      for (int g = 0; g < static_cast<int>(groups_.size()); ++g)
        for (int c = 0; c < static_cast<int>(groups_[static_cast<std::size_t>(g)].chains.size()); ++c)
          if (auto found = find(scene_, g, c, boxes)) {
            boxes.push_back(found->box);
            exact.push_back(std::move(*found));
          }
    };
    take(boxedShaft);
    take(boxedHole);
    name(exact);
    const auto cells = convexCells(facets_, regions_, boxes, kMaxConvexPartsOfMesh);
    if (!cells)
      throw RecognitionError{
          fmt::format("would need more than {} convex pieces", kMaxConvexPartsOfMesh),
          "export it with a coarser tolerance, or leave out details that do not touch anything"};
    physics::Compound compound;
    for (ExactChain& chain : exact) compound.children.push_back(std::move(chain.shape));
    part_.planeTolerance = cells->planeTolerance;
    for (const auto& corners : cells->convexParts)
      compound.children.push_back({physics::Hull{corners}, Pose()});
    part_.convexParts = static_cast<int>(cells->convexParts.size());
    if (compound.children.empty())
      throw RecognitionError{fmt::format("is nowhere thicker than {}, below which its faces count as one",
                                         smallLengthText(2 * part_.planeTolerance)),
                             "check that it is the surface of a solid, and its unit"};
    part_.shape = std::move(compound);
  }

  BoreRule rule_;
  Facets facets_;
  std::vector<Region> regions_;
  std::vector<RevolvedGroup> groups_;
  RecognitionInput scene_;
  ExactNames names_;
  RecognizedPart part_;
  const CadFaces* known_ = nullptr;
  double deviating_ = 0;  ///< see measureDeviation() [m³]
};

}  // namespace

RecognizedPart recognize(const RepairedMesh& mesh, BoreRule rule, const CadFaces* known) {
  return Builder(mesh, rule, known).build();
}

}  // namespace tenon::content
