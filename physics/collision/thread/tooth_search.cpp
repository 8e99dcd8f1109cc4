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
/// A point is deeper than another by more than this, which rounding and a load leave where flanks touch [m].
constexpr double kDeeper = 1e-12;
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
      view_(own, X_OtherOwn),
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

ToothSearch::EdgeNormals ToothSearch::normalsOf(const Tooth& tooth, const SpiralEdge& edge, double rho,
                                                const Eigen::Vector2d& radial) const {
  return {X_OE_.vector(faceNormal(tooth.faces[edge.f], rho, radial)),
          X_OE_.vector(faceNormal(tooth.faces[edge.g], rho, radial))};
}

// z of a sample in the other frame is that along its own axis, and up to ρ times the sine of the tilt.
std::array<std::size_t, 2> ToothSearch::samplesBetween(const SpiralEdge& edge, double margin) const {
  const std::size_t count = edge.samples.size();
  const double along = X_OE_.R(2, 2), across = std::hypot(X_OE_.R(2, 0), X_OE_.R(2, 1)) * own_.outerRadius;
  const double low = other_.low - margin - across, high = other_.high + margin + across;
  const double z0 = along * edge.start.z + X_OE_.p.z(), rate = along * edge.dZ * edge.cell();
  const double last = static_cast<double>(count), span = std::abs(rate) * last;
  if (span < margin) {  // such as a spiral on an end plane
    const bool isNear = z0 + span >= low && z0 - span <= high;
    return {0, isNear ? count : 0};
  }
  const double a = (low - z0) / rate, b = (high - z0) / rate;
  const double from = std::clamp(std::floor(std::min(a, b)) - 1, 0.0, last),
               to = std::clamp(std::ceil(std::max(a, b)) + 2, 0.0, last);
  return {static_cast<std::size_t>(from), static_cast<std::size_t>(to)};
}

EdgeSample ToothSearch::sampleAt(const SpiralEdge& edge, double tau, double theta) const {
  return view_.sample(edge.at(tau), edge.coordinates(tau), tau, theta);
}

void ToothSearch::searchEdge(const Tooth& tooth, const SpiralEdge& edge, bool edgesToo) {
  const double cell = edge.cell(), margin = range_ + tooth.speed * cell;
  const std::array<std::size_t, 2> between = samplesBetween(edge, margin);
  std::size_t from = between[0], to = between[1];
  if (from >= to) return;
  samples_.resize(std::max(samples_.size(), edge.samples.size()));
  bool isAnyWithin = false;
  for (std::size_t k = from; k < to; ++k) {
    samples_[k].isWithinBounds = isWithinBounds(X_OE_.point(edge.samples[k].p), margin);
    isAnyWithin = isAnyWithin || samples_[k].isWithinBounds;
  }
  if (!isAnyWithin) return;
  while (!samples_[from].isWithinBounds) ++from;
  while (!samples_[to - 1].isWithinBounds) --to;
  if (from > 0) samples_[--from].isWithinBounds = false;
  if (to < edge.samples.size()) samples_[to++].isWithinBounds = false;
  const auto isUsed = [&](std::size_t k) {
    return samples_[k].isWithinBounds || (k > from && samples_[k - 1].isWithinBounds) ||
           (k + 1 < to && samples_[k + 1].isWithinBounds);
  };
  double theta = 0;
  for (std::size_t k = from; k < to; ++k) {
    if (!isUsed(k)) continue;
    const bool isSampleWithin = samples_[k].isWithinBounds;
    const double tau = edge.length * static_cast<double>(k) / static_cast<double>(edge.samples.size() - 1);
    samples_[k] = view_.sample(edge.samples[k], edge.coordinates(tau), tau, theta);
    samples_[k].isWithinBounds = isSampleWithin;
    theta = samples_[k].at.theta;
  }
  for (const Tooth& theirs : other_.teeth) searchCells(tooth, edge, theirs, {from, to}, edgesToo);
}

void ToothSearch::searchCells(const Tooth& tooth, const SpiralEdge& edge, const Tooth& theirs,
                              std::array<std::size_t, 2> used, bool edgesToo) {
  endSlopes_.fill({});
  std::array<FaceValues, 2> values;  // of the samples at both ends of a cell, by turns
  std::size_t known = edge.samples.size();
  for (std::size_t k = used[0]; k + 1 < used[1]; ++k) {
    if (!samples_[k].isWithinBounds && !samples_[k + 1].isWithinBounds) continue;
    FaceValues &begin = values[k % 2], &end = values[(k + 1) % 2];
    if (known != k) begin.begin(theirs, samples_[k]);
    end.begin(theirs, samples_[k + 1]);
    known = k + 1;
    const EdgeCell cell{&samples_[k], &samples_[k + 1]};
    const Target target{tooth, edge, theirs, cell, k, begin, end};
    forEachTurn(theirs, cell, begin, end, reach_, reach_ + depth_, [&](const ToothBounds& bounds) {
      againstFaces(target, bounds);
      if (edgesToo) againstEdges(target, bounds);
    });
  }
}

void ToothSearch::againstFaces(const Target& target, const ToothBounds& bounds) {
  const std::vector<HelicoidFace>& faces = target.tooth.faces;
  for (std::size_t k = 0; k < faces.size(); ++k) {
    if (!faces[k].hasContacts || bounds.faces[k].high < -depth_) continue;
    HelicoidFoot foot;
    const bool isConstant = !minimaOn(target, k, bounds.turn, foot);
    if (isConstant || faces[k].kappa != 0) fixedPhase(target, k, bounds.turn, isConstant, foot);
  }
  recordInside(target.tooth, *target.cell.begin, target.begin, bounds.turn);
  if (target.index + 2 == target.edge.samples.size())
    recordInside(target.tooth, *target.cell.end, target.end, bounds.turn);
}

bool ToothSearch::minimaOn(const Target& target, std::size_t k, int turn, HelicoidFoot& footOfBegin) {
  const HelicoidFace& face = target.tooth.faces[k];
  HelicoidFoot foot;
  const auto slope = [&](const EdgeSample& s) {
    foot = footOn(face, s.on.p, s.at.rho, onTurn(s.at, turn).theta);
    return Slope{foot.distance, foot.normal.dot(s.on.dp),
                 foot.normal.dot(s.on.ddp) + distanceCurvature(face, foot, s.on.dp)};
  };
  const EdgeCell& cell = target.cell;
  const auto sample = [&](double tau) { return sampleAt(target.edge, tau, cell.begin->at.theta); };
  EndSlope& last = endSlopes_[k];
  const bool isKnown = last.at == cell.begin && last.turn == turn;
  const Slope s0 = isKnown ? last.slope : slope(*cell.begin);
  footOfBegin = isKnown ? last.foot : foot;
  const Slope s1 = slope(*cell.end);
  last = {cell.end, turn, foot, s1};
  if (std::max(std::abs(s0.first), std::abs(s1.first)) <= kFlatSlope) return false;
  const double largest = std::max({std::abs(s0.first), std::abs(s1.first),
                                   cell.length() * std::abs(s0.second), cell.length() * std::abs(s1.second)});
  const auto slopeAt = [&](double tau) { return slope(sample(tau)); };
  const auto found = [&](double tau) {
    const EdgeSample s = sample(tau);
    addOnFace(target, k, turn, s, footOn(face, s.on.p, s.at.rho, onTurn(s.at, turn).theta), kFaceMinimum);
  };
  MinimumSearch<decltype(slopeAt), decltype(found)>(target.own.speed, range_, slopeAt, found)
      .cell(cell.begin->tau, s0, cell.end->tau, s1, SampledError(largest));
  return true;
}

// Ends of an edge have corners, but not where a root ends it, nor those of a circle.
void ToothSearch::fixedPhase(const Target& target, std::size_t face, int turn, bool isConstant,
                             HelicoidFoot& foot) {
  if (target.index % kCellsPerPhase != 0 || (target.index == 0 && !isConstant)) return;
  addOnFace(target, face, turn, *target.cell.begin, foot, kFixedPhase);
}

// A point in the material: the face that it is nearest to.
void ToothSearch::recordInside(const Tooth& tooth, const EdgeSample& s, FaceValues& values, int turn) {
  double nearest = -1;
  std::size_t which = 0;
  for (std::size_t k = 0; k < tooth.faces.size(); ++k) {
    const double f = values.value(k) + changeByTurn(tooth.faces[k]) * turn;
    if (f > 0) return;
    if (tooth.faces[k].hasContacts && f > nearest) nearest = f, which = k;
  }
  if (nearest >= deepest_.separation - kDeeper) return;
  const HelicoidFoot foot = footOn(tooth.faces[which], s.on.p, s.at.rho, onTurn(s.at, turn).theta);
  deepest_ = contactOf(owner_, s.on.p, foot.normal, foot.distance,
                       threadCode(owner_, kCornerOnFace, 127, 127, 0, 0));
  deepest_.p = X_FO_.point(deepest_.p);
  deepest_.n = X_FO_.vector(deepest_.n);
}

bool ToothSearch::isOnTooth(const Tooth& on, std::size_t k, const CylindricalPoint& at,
                            const HelicoidFoot& foot) const {
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
                            const HelicoidFoot& foot, std::uint32_t kind) {
  if (!isOnTooth(target.tooth, k, onTurn(s.at, turn), foot)) return;
  const EdgeNormals normals = normalsOf(target.own, target.edge, s.ownRho, s.ownRadial);
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
  const EdgeSample sample = view_.sample(on, corner.at, 0, 0);
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
    FaceValues values;
    values.begin(theirs, sample);
    forEachTurn(
        theirs, {&sample, &sample}, values, values, reach_, reach_ + depth_, [&](const ToothBounds& bounds) {
          recordInside(theirs, sample, values, bounds.turn);
          for (std::size_t k = 0; k < theirs.faces.size(); ++k) {
            const CylindricalPoint at = onTurn(sample.at, bounds.turn);
            if (!theirs.faces[k].hasContacts) continue;
            const HelicoidFoot foot = footOn(theirs.faces[k], sample.on.p, at.rho, at.theta);
            if (!isOnTooth(theirs, k, at, foot) || !isFacing(-foot.normal)) continue;
            add(sample.on.p, foot.normal, foot.distance,
                threadCode(owner_, kCornerOnFace, corner.feature, theirs.firstFace + static_cast<int>(k),
                           turnNumber(theirs.faces[k], at), 0));
          }
        });
  }
}

}  // namespace tenon::physics
