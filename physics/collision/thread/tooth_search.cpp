// Edges and corners of teeth against faces.
#include "physics/collision/thread/tooth_search.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tenon::physics {
namespace {

/// Slopes along an edge up to this are constant distance: fixed phases are then deep enough, by a fraction of
/// a picometer a millimeter [-].
constexpr double kFlatSlope = 1e-9;
/// Every how many cells an edge has a fixed phase.
constexpr std::size_t kCellsPerPhase = 4;
/// Overlap as a fraction of the pitch up to which a point counts as in contact with each face near it [-].
constexpr double kShallowFraction = 0.125;
/// Overlap above which no other face may be nearer than nine tenths of it, as in brep/ [m].
constexpr double kClearOverlap = 1e-6;

enum : std::uint32_t { kFixedPhase = 0, kFaceMinimum = 1, kCornerOnFace = 3 };

std::uint32_t threadCode(Owner owner, std::uint32_t kind, int own, int other, int turn, std::size_t sector) {
  return static_cast<std::uint32_t>(owner) << 31 | kind << 29 | static_cast<std::uint32_t>(own & 127) << 22 |
         static_cast<std::uint32_t>(other & 127) << 15 | static_cast<std::uint32_t>(turn & 7) << 12 |
         static_cast<std::uint32_t>(sector & 4095);
}

// Buffer of one query: only its capacity is reused.
std::vector<EdgeSample>& sampleBuffer() {
  thread_local std::vector<EdgeSample> buffer;
  return buffer;
}

double faceAt(const HelicoidFace& face, const CylindricalPoint& p) {
  return face.at(p.rho, p.theta, p.z);
}

}  // namespace

ToothSearch::ToothSearch(const ThreadGeometry& own, const ThreadGeometry& other,
                         const RigidTransform& X_OtherOwn, const RigidTransform& X_FO, Owner owner,
                         double range, std::vector<SurfaceContact>& contacts)
    : own_(own),
      other_(other),
      X_OE_(X_OtherOwn),
      X_FO_(X_FO),
      owner_(owner),
      range_(range),
      reach_(other.largestValue(range)),
      depth_(kShallowFraction * std::min(own.pitch, other.pitch)),
      contacts_(contacts),
      samples_(sampleBuffer()) {}

void ToothSearch::run(bool edgesToo) {
  for (const Tooth& tooth : own_.teeth) {
    for (const SpiralEdge& edge : tooth.edges) searchEdge(tooth, edge, edgesToo);
    for (const ToothCorner& corner : tooth.corners) searchCorner(tooth, corner);
  }
}

void ToothSearch::addDeepest() {
  if (deepest_.separation < 0) contacts_.push_back(deepest_);
}

bool ToothSearch::isWithinBounds(const Vector3d& p, double margin) const {
  if (p.z() < other_.low - margin || p.z() > other_.high + margin) return false;
  const double rho2 = p.x() * p.x() + p.y() * p.y(), outer = other_.outerRadius + margin,
               inner = other_.innerRadius - margin;
  return rho2 <= outer * outer && (inner <= 0 || rho2 >= inner * inner);
}

void ToothSearch::add(const Vector3d& p, const Vector3d& normal, double distance, std::uint32_t code) {
  SurfaceContact c = contactOf(owner_, p, normal, distance, code);
  c.p = X_FO_.point(c.p);
  c.n = X_FO_.vector(c.n);
  contacts_.push_back(c);
}

ToothSearch::EdgeNormals ToothSearch::normalsOf(const Tooth& tooth, const SpiralEdge& edge,
                                                double tau) const {
  const CylindricalPoint at = edge.coordinates(tau);
  return {X_OE_.vector(faceNormal(tooth.faces[edge.f], at)),
          X_OE_.vector(faceNormal(tooth.faces[edge.g], at))};
}

void ToothSearch::searchEdge(const Tooth& tooth, const SpiralEdge& edge, bool edgesToo) {
  samples_.resize(edge.samples.size());
  endSlopes_.fill({});
  const double cell = edge.cell(), margin = range_ + tooth.speed * cell;
  bool isAnyWithin = false;
  for (std::size_t k = 0; k < samples_.size(); ++k) {
    samples_[k].isWithinBounds = isWithinBounds(X_OE_.point(edge.samples[k].p), margin);
    isAnyWithin = isAnyWithin || samples_[k].isWithinBounds;
  }
  if (!isAnyWithin) return;
  const auto isUsed = [&](std::size_t k) {
    return samples_[k].isWithinBounds || (k > 0 && samples_[k - 1].isWithinBounds) ||
           (k + 1 < samples_.size() && samples_[k + 1].isWithinBounds);
  };
  double theta = 0;
  for (std::size_t k = 0; k < samples_.size(); ++k) {
    if (!isUsed(k)) continue;
    const bool isSampleWithin = samples_[k].isWithinBounds;
    samples_[k] =
        sampleAt(edge.samples[k], X_OE_,
                 edge.length * static_cast<double>(k) / static_cast<double>(samples_.size() - 1), theta);
    samples_[k].isWithinBounds = isSampleWithin;
    theta = samples_[k].at.theta;
  }
  for (std::size_t k = 0; k + 1 < samples_.size(); ++k)
    if (samples_[k].isWithinBounds || samples_[k + 1].isWithinBounds) searchCell(tooth, edge, k, edgesToo);
}

void ToothSearch::searchCell(const Tooth& tooth, const SpiralEdge& edge, std::size_t index, bool edgesToo) {
  const EdgeCell cell{&samples_[index], &samples_[index + 1]};
  for (const Tooth& theirs : other_.teeth) {
    const Target target{tooth, edge, theirs, cell, index};
    forEachTurn(theirs, cell, reach_, [&](const ToothBounds& bounds) {
      againstFaces(target, bounds);
      if (edgesToo) againstEdges(target, bounds);
    });
  }
}

void ToothSearch::againstFaces(const Target& target, const ToothBounds& bounds) {
  const std::vector<HelicoidFace>& faces = target.tooth.faces;
  for (std::size_t k = 0; k < faces.size(); ++k) {
    if (!faces[k].hasContacts || bounds.faces[k].high < -depth_) continue;
    const bool isConstant = !minimaOn(target, k, bounds.turn);
    if (isConstant || faces[k].kappa != 0) fixedPhase(target, k, bounds.turn, isConstant);
  }
  recordInside(target.tooth, *target.cell.begin, bounds.turn);
  if (target.index + 2 == target.edge.samples.size())
    recordInside(target.tooth, *target.cell.end, bounds.turn);
}

bool ToothSearch::minimaOn(const Target& target, std::size_t k, int turn) {
  const HelicoidFace& face = target.tooth.faces[k];
  const auto slope = [&](const EdgeSample& s) {
    const HelicoidFoot foot = footOn(face, s.on.p, s.at.rho, onTurn(s.at, turn).theta);
    return Slope{foot.distance, foot.normal.dot(s.on.dp),
                 foot.normal.dot(s.on.ddp) + distanceCurvature(face, foot, s.on.dp)};
  };
  const EdgeCell& cell = target.cell;
  const auto sample = [&](double tau) {
    return sampleAt(target.edge.at(tau), X_OE_, tau, cell.begin->at.theta);
  };
  EndSlope& last = endSlopes_[k];
  const bool isKnown = last.at == cell.begin && last.tooth == &target.tooth && last.turn == turn;
  const Slope s0 = isKnown ? last.slope : slope(*cell.begin), s1 = slope(*cell.end);
  last = {cell.end, &target.tooth, turn, s1};
  if (std::max(std::abs(s0.first), std::abs(s1.first)) <= kFlatSlope) return false;
  const double largest = std::max({std::abs(s0.first), std::abs(s1.first),
                                   cell.length() * std::abs(s0.second), cell.length() * std::abs(s1.second)});
  const auto slopeAt = [&](double tau) { return slope(sample(tau)); };
  const auto found = [&](double tau) { addOnFace(target, k, turn, sample(tau), kFaceMinimum); };
  MinimumSearch<decltype(slopeAt), decltype(found)>(target.own.speed, range_, largest, slopeAt, found)
      .cell(cell.begin->tau, s0, cell.end->tau, s1);
  return true;
}

// Ends of an edge have corners, but not where a root ends it, nor those of a circle.
void ToothSearch::fixedPhase(const Target& target, std::size_t face, int turn, bool isConstant) {
  if (target.index % kCellsPerPhase != 0 || (target.index == 0 && !isConstant)) return;
  addOnFace(target, face, turn, *target.cell.begin, kFixedPhase);
}

// A point in the material: the face that it is nearest to.
void ToothSearch::recordInside(const Tooth& tooth, const EdgeSample& s, int turn) {
  const CylindricalPoint at = onTurn(s.at, turn);
  double nearest = -1;
  std::size_t which = 0;
  for (std::size_t k = 0; k < tooth.faces.size(); ++k) {
    const double f = faceAt(tooth.faces[k], at);
    if (f > 0) return;
    if (tooth.faces[k].hasContacts && f > nearest) nearest = f, which = k;
  }
  if (nearest >= deepest_.separation) return;
  const HelicoidFoot foot = footOn(tooth.faces[which], s.on.p, at.rho, at.theta);
  deepest_ = contactOf(owner_, s.on.p, foot.normal, foot.distance,
                       threadCode(owner_, kCornerOnFace, 127, 127, 0, 0));
  deepest_.p = X_FO_.point(deepest_.p);
  deepest_.n = X_FO_.vector(deepest_.n);
}

bool ToothSearch::footOf(const Tooth& on, std::size_t k, const Vector3d& p, const CylindricalPoint& at,
                         HelicoidFoot& foot) const {
  foot = footOn(on.faces[k], p, at.rho, at.theta);
  if (!(foot.distance <= range_ && foot.distance >= -depth_ && foot.at.rho > 0)) return false;
  for (std::size_t other = 0; other < on.faces.size(); ++other) {
    if (other == k) continue;
    const HelicoidFace& border = on.faces[other];
    const double beyond = faceAt(border, foot.at);
    // Next to a sharp edge the contact is that edge's.
    if (beyond > (border.hasContacts ? -kNearEdgeDistance : kSamePoint)) return false;
    if (foot.distance < -kClearOverlap && border.hasContacts && faceAt(border, at) > 0.9 * foot.distance)
      return false;
  }
  return true;
}

void ToothSearch::addOnFace(const Target& target, std::size_t k, int turn, const EdgeSample& s,
                            std::uint32_t kind) {
  HelicoidFoot foot;
  if (!footOf(target.tooth, k, s.on.p, onTurn(s.at, turn), foot)) return;
  const EdgeNormals normals = normalsOf(target.own, target.edge, s.tau);
  if (!isNearCone(Vector3d(-foot.normal), normals.before, normals.after)) return;
  const int number = turnNumber(target.tooth.faces[k], onTurn(target.cell.begin->at, turn));
  add(s.on.p, foot.normal, foot.distance,
      threadCode(owner_, kind, target.edge.feature, target.tooth.firstFace + static_cast<int>(k), number,
                 target.index));
}

void ToothSearch::searchCorner(const Tooth& tooth, const ToothCorner& corner) {
  const double c = std::cos(corner.at.theta), s = std::sin(corner.at.theta);
  const SpiralPoint on{
      {corner.at.rho * c, corner.at.rho * s, corner.at.z}, Vector3d::Zero(), Vector3d::Zero()};
  if (!isWithinBounds(X_OE_.point(on.p), range_)) return;
  const EdgeSample sample = sampleAt(on, X_OE_, 0, 0);
  const Vector3d n[3] = {X_OE_.vector(faceNormal(tooth.faces[corner.f], corner.at)),
                         X_OE_.vector(faceNormal(tooth.faces[corner.g], corner.at)),
                         X_OE_.vector(faceNormal(tooth.faces[corner.h], corner.at))};
  // In the cone of the three normals, or near one of its sides.
  const auto isFacing = [&](const Vector3d& d) {
    Matrix3d cone;
    cone << n[0], n[1], n[2];
    const double volume = cone.determinant();
    if (std::abs(volume) > kParallel && (cone.inverse() * d).minCoeff() >= 0) return true;
    return std::max({n[0].dot(d), n[1].dot(d), n[2].dot(d)}) >= kFacingCosine;
  };
  for (const Tooth& theirs : other_.teeth) {
    forEachTurn(theirs, {&sample, &sample}, reach_, [&](const ToothBounds& bounds) {
      recordInside(theirs, sample, bounds.turn);
      for (std::size_t k = 0; k < theirs.faces.size(); ++k) {
        const CylindricalPoint at = onTurn(sample.at, bounds.turn);
        HelicoidFoot foot;
        if (!theirs.faces[k].hasContacts || !footOf(theirs, k, sample.on.p, at, foot) ||
            !isFacing(-foot.normal))
          continue;
        add(sample.on.p, foot.normal, foot.distance,
            threadCode(owner_, kCornerOnFace, corner.feature, theirs.firstFace + static_cast<int>(k),
                       turnNumber(theirs.faces[k], at), 0));
      }
    });
  }
}

}  // namespace tenon::physics
