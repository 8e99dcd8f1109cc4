// See thread_stiffness.h.
#include "physics/contact/thread_stiffness.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "physics/collision/revolved/revolved_contacts.h"
#include "physics/collision/thread/thread_contacts.h"

namespace tenon::physics {

namespace {

constexpr double kPi = std::numbers::pi;
/// Lengths of the elastic ends, relative to the nominal diameter [-] (VDI 2230-1).
constexpr double kHexagonHead = 0.5, kRoundHead = 0.4, kEngagedThread = 0.5, kNut = 0.4, kTappedHole = 0.33;
/// Radius from which a section is the head, relative to the nominal one [-]: fillets are narrower.
constexpr double kHeadRadius = 1.12;
/// Axes whose cosine is less are crossed, and their threads rigid [-].
constexpr double kCoaxial = 0.9995;
/// Range of a flank's normal along the axis [cosine]: between crests and planes. Above it: a bearing face.
constexpr double kMinAlong = 0.5, kMaxAlong = 0.99;
/// Distance of a contact from the radii between which flanks meet, and from bearing faces [pitches].
constexpr double kFlankMargin = 0.02, kFaceMargin = 0.25;
/// Overlap and gap at which a contact begins to share the load [m]: no contact takes part abruptly.
constexpr double kShareFrom = 1e-7;
/// A minimum this much deeper than the fixed phases is a contact as they are, a shallower one a part of it
/// [m].
constexpr double kFullMinimum = 1e-6;
/// The least such part [-].
constexpr double kLeastWeight = 1e-3;

struct PlacedThread {
  Thread thread;
  Pose X_PT;
};
/// A solid without thread about an axis.
struct PlacedSolid {
  const SolidOfRevolution* solid;
  Pose X_PS;
};
struct Parts {
  std::vector<PlacedThread> threads;
  std::vector<PlacedSolid> solids;
  std::vector<Vector3d> corners;  // of hulls
  bool isBlock = false;
};

void collect(const Shape& shape, const Pose& X_PS, Parts& parts) {
  if (const auto* solid = std::get_if<SolidOfRevolution>(&shape)) {
    if (solid->thread)
      parts.threads.push_back({*solid->thread, X_PS});
    else
      parts.solids.push_back({solid, X_PS});
  } else if (const auto* compound = std::get_if<Compound>(&shape)) {
    for (const PlacedShape& child : compound->children) collect(child.shape, X_PS * child.X_PS, parts);
  } else if (std::holds_alternative<BlockWithHoles>(shape)) {
    parts.isBlock = true;
  } else if (const auto* hull = std::get_if<Hull>(&shape)) {
    for (const Vector3d& p : hull->vertices) parts.corners.push_back(X_PS * p);
  }
}

double area(double diameter) {
  return kPi / 4 * diameter * diameter;
}

/// d of a metric thread: d_2 + 3/4 H.
double nominalDiameter(const Thread& t) {
  return t.pitchDiameter + 0.75 * threadTriangleHeight(t.pitch);
}

/// A solid on the axis of a thread, with heights along `side` · z of the thread.
template <class Use>
void forEachSegment(const PlacedThread& placed, const Parts& parts, double side, Use use) {
  for (const PlacedSolid& solid : parts.solids) {
    const Pose X_TS = placed.X_PT.inverse() * solid.X_PS;
    const double along = (X_TS.q * Vector3d::UnitZ()).z();
    const bool isOnAxis = std::abs(along) > kCoaxial && X_TS.p.head<2>().norm() < kProfileTolerance;
    if (!isOnAxis || isRing(*solid.solid)) continue;
    const auto& p = solid.solid->profile;
    const auto height = [&](std::size_t k) { return side * (X_TS.p.z() + along * p[k].x()); };
    for (std::size_t k = 1; k < p.size(); ++k)
      use(std::min(height(k - 1), height(k)), std::max(height(k - 1), height(k)), p[k - 1].y(), p[k].y());
  }
}

/// Fills head and sections from the solids on one side of the thread (±1), if there is a head.
void findHead(const PlacedThread& placed, const Parts& parts, double side, double modulus,
              ElasticThread& screw) {
  const double headRadius = kHeadRadius * nominalDiameter(placed.thread) / 2;
  const double end = (side > 0 ? placed.thread.high : -placed.thread.low) - kProfileTolerance;
  double bearing = HUGE_VAL;
  forEachSegment(placed, parts, side, [&](double low, double high, double a, double b) {
    if (high >= end && std::max(a, b) > headRadius) bearing = std::min(bearing, low);
  });
  if (!std::isfinite(bearing)) return;
  screw.headSide = side;
  screw.bearing = side * bearing;
  forEachSegment(placed, parts, side, [&](double low, double high, double a, double b) {
    high = std::min(high, bearing);
    if (low < end || !(high > low) || !(a > 0 && b > 0)) return;
    screw.sections.push_back({side > 0 ? low : -high, side > 0 ? high : -low, 1 / (modulus * kPi * a * b)});
  });
}

ElasticThread elasticThread(const PlacedThread& e, const ThreadPart& screw, const Parts& ofScrew,
                            const PlacedThread& n, const ThreadPart& nut, const Parts& ofNut) {
  ElasticThread t;
  t.X_CE = Pose::at(screw.part.p_CP) * e.X_PT;
  t.X_CN = Pose::at(nut.part.p_CP) * n.X_PT;
  t.external = {e.thread.low, e.thread.high};
  t.internal = {n.thread.low, n.thread.high};
  t.innerRadius = n.thread.minorDiameter / 2;
  t.outerRadius = e.thread.majorDiameter / 2;
  t.pitch = e.thread.pitch;
  double ofS = screw.part.material.youngsModulus, ofM = nut.part.material.youngsModulus;
  t.isRigid = !(ofS > 0 || ofM > 0);
  if (t.isRigid) ofS = ofM = 1;
  const double d = nominalDiameter(e.thread);
  const double minor = e.thread.pitchDiameter - 2.0 / 3 * threadTriangleHeight(e.thread.pitch);
  if (ofM > 0) {
    if (ofNut.isBlock)
      t.flankCompliance += kTappedHole * d / (ofM * area(d));
    else
      t.nutCompliance = kNut * d / (ofM * area(d));
  }
  if (ofS > 0) {
    t.flankCompliance += kEngagedThread * d / (ofS * area(minor));
    for (const double side : {1.0, -1.0})
      if (t.headSide == 0) findHead(e, ofScrew, side, ofS, t);
    if (t.headSide != 0) {
      t.headCompliance = (ofScrew.corners.empty() ? kRoundHead : kHexagonHead) * d / (ofS * area(d));
      t.sections.push_back({t.external.x(), t.external.y(), 1 / (ofS * area(minor))});
    }
  }
  t.headMoves = screw.moves && t.headSide != 0;
  t.isRound = std::none_of(ofScrew.corners.begin(), ofScrew.corners.end(), [&](const Vector3d& p) {
    return std::abs((e.X_PT.inverse() * p).z() - t.bearing) < kFaceMargin * t.pitch;
  });
  t.nutMoves = nut.moves && !ofNut.isBlock;
  return t;
}

void addThreads(BodyPair pair, bool externalIsI, const ThreadPart& screw, const Parts& ofScrew,
                const ThreadPart& nut, const Parts& ofNut, std::vector<ElasticThread>& threads) {
  for (const PlacedThread& e : ofScrew.threads)
    for (const PlacedThread& n : ofNut.threads) {
      const bool isPair = !e.thread.isInternal && n.thread.isInternal &&
                          std::abs(e.thread.lead() - n.thread.lead()) < kProfileTolerance;
      if (!isPair) continue;
      threads.push_back(elasticThread(e, screw, ofScrew, n, nut, ofNut));
      threads.back().pair = pair;
      threads.back().externalIsI = externalIsI;
    }
}

/// Contacts with an `along` of this sign have together the compliance `whole` along the axis: N evenly
/// pressed ones N along² `whole` each. N counts them by their overlap relative to the deepest one, so that
/// the force is that of the deepest one on the whole stiffness, and is continuous where contacts come and go.
/// One of weight w counts as w contacts, and is as much softer. Calls set(index, compliance).
template <class Along, class Weight, class Set>
void shareAlong(double whole, double sign, const ContactSet& contacts, Along along, Weight weight, Set set) {
  double sum = 0, largest = kShareFrom;
  for (const Contact& contact : contacts) {
    const double a = sign * along(contact);
    if (a <= 0) continue;
    const double depth = std::max(0.0, kShareFrom - contact.separation / a);
    sum += weight(contact) * depth;
    largest = std::max(largest, depth);
  }
  const double count = std::max(1.0, sum / largest);
  for (std::size_t k = 0; k < contacts.size(); ++k)
    if (const double a = sign * along(contacts[k]); a > 0)
      set(k, count * a * a * whole / weight(contacts[k]));
}

}  // namespace

ThreadLoad::ThreadLoad(const ElasticThread& thread, const Pose& X_WScrew, const Pose& X_WNut, double given)
    : thread_(&thread) {
  const Pose X_WE = X_WScrew * thread.X_CE, X_WN = X_WNut * thread.X_CN;
  X_EW_ = X_WE.inverse();
  X_NW_ = X_WN.inverse();
  axis_ = X_WE.q * Vector3d::UnitZ();
  const Pose X_EN = X_EW_ * X_WN;
  const double along = (X_EN.q * Vector3d::UnitZ()).z();
  const double from = X_EN.p.z() + along * thread.internal.x(), to = X_EN.p.z() + along * thread.internal.y();
  range_ = {std::max(thread.external.x(), std::min(from, to)),
            std::min(thread.external.y(), std::max(from, to))};
  const double length = range_.y() - range_.x();
  const double offset = (X_EN.p - along * X_EN.p.z() * (X_EN.q * Vector3d::UnitZ())).head<2>().norm();
  active_ = (std::isfinite(given) || !thread.isRigid) && std::abs(along) > kCoaxial &&
            length >= thread.pitch && offset < thread.pitch;
  flanks_ = thread.flankCompliance;
  double& head = thread.headMoves ? head_ : flanks_;
  head += thread.headCompliance;
  for (const ElasticThread::Section& s : thread.sections) {
    const double low = thread.headSide > 0 ? std::max(s.low, range_.y()) : s.low,
                 high = thread.headSide > 0 ? s.high : std::min(s.high, range_.x());
    head += s.compliancePerLength * std::max(0.0, high - low);
  }
  (thread.nutMoves ? nut_ : flanks_) += thread.nutCompliance;
  if (std::isfinite(given)) factor_ = 1 / (given * (flanks_ + head_ + nut_));
}

double ThreadLoad::alongFlank(const Contact& contact) const {
  const double along = axis_.dot(contact.n), margin = kFlankMargin * thread_->pitch;
  const bool isOfPair = contact.i == thread_->pair.i && contact.j == thread_->pair.j;
  if (!isOfPair || std::abs(along) < kMinAlong || std::abs(along) > kMaxAlong) return 0;
  const Vector3d p = X_EW_ * contact.p;
  const double rho = p.head<2>().norm();
  const bool isThere = rho > thread_->innerRadius - margin && rho < thread_->outerRadius + margin &&
                       p.z() > range_.x() - margin && p.z() < range_.y() + margin;
  return isThere ? along : 0;
}

// Only contacts that press the head away from the thread.
double ThreadLoad::alongHead(const Contact& contact) const {
  const bool isI = contact.i == thread_->screw();
  if (!thread_->headMoves || !(isI || contact.j == thread_->screw())) return 0;
  const double along = axis_.dot(contact.n);
  if ((isI ? -along : along) * thread_->headSide < kMaxAlong) return 0;
  const double height = (X_EW_ * contact.p).z() - thread_->bearing;
  return std::abs(height) < kFaceMargin * thread_->pitch ? along : 0;
}

double ThreadLoad::alongNut(const Contact& contact) const {
  if (!thread_->nutMoves || (contact.i != thread_->nut() && contact.j != thread_->nut())) return 0;
  const double along = axis_.dot(contact.n), z = (X_NW_ * contact.p).z();
  const double away = std::min(std::abs(z - thread_->internal.x()), std::abs(z - thread_->internal.y()));
  return std::abs(along) > kMaxAlong && away < kFaceMargin * thread_->pitch ? along : 0;
}

std::array<double, 2> ThreadLoad::deepestPhases(const ContactSet& contacts) const {
  std::array<double, 2> deepest{HUGE_VAL, HUGE_VAL};
  for (const Contact& contact : contacts) {
    const double along = alongFlank(contact);
    if (along == 0 || !isFixedPhase(contact.feature)) continue;
    double& least = deepest[along > 0 ? 1 : 0];
    least = std::min(least, contact.separation);
  }
  return deepest;
}

void ThreadLoad::removePassing(bool isExact, ContactSet& contacts, std::vector<double>& compliances) const {
  const std::array<double, 2> deepest = deepestPhases(contacts);
  const auto isPassing = [&](const Contact& c) {
    if (const double along = alongFlank(c); along != 0)
      return !isFixedPhase(c.feature) &&
             c.separation > deepest[along > 0 ? 1 : 0] - kLeastWeight * kFullMinimum;
    return isExact && thread_->isRound && isMinimum(c.feature) && alongHead(c) != 0;
  };
  std::size_t kept = 0;
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    if (isPassing(contacts[k])) continue;
    contacts[kept] = contacts[k];
    compliances[kept++] = compliances[k];
  }
  contacts.resize(kept);
  compliances.resize(kept);
}

void ThreadLoad::shareFlanks(const ContactSet& contacts, std::vector<double>& compliances) const {
  const std::array<double, 2> deepest = deepestPhases(contacts);
  for (const double sign : {-1.0, 1.0}) {
    const double phases = deepest[sign > 0 ? 1 : 0];
    const auto weight = [&](const Contact& c) {
      return isFixedPhase(c.feature) ? 1
                                     : std::clamp((phases - c.separation) / kFullMinimum, kLeastWeight, 1.0);
    };
    shareAlong(
        factor_ * flanks_, sign, contacts, [&](const Contact& c) { return alongFlank(c); }, weight,
        [&](std::size_t k, double compliance) { compliances[k] = compliance; });
  }
}

void ThreadLoad::shareEnds(const ContactSet& contacts, std::vector<EndCompliances>& ends) const {
  const auto evenly = [](const Contact&) { return 1.0; };
  const auto share = [&](double whole, BodyId body, double sign, const auto& along) {
    if (whole <= 0) return;
    shareAlong(whole, sign, contacts, along, evenly, [&](std::size_t k, double compliance) {
      double& end = ends[k][contacts[k].i == body ? 0 : 1];
      end = std::min(end, compliance);
    });
  };
  for (const double sign : {-1.0, 1.0}) {
    share(factor_ * head_, thread_->screw(), sign, [&](const Contact& c) { return alongHead(c); });
    share(factor_ * nut_, thread_->nut(), sign, [&](const Contact& c) { return alongNut(c); });
  }
}

bool hasFixedPhases(const Shape& shape) {
  if (const auto* compound = std::get_if<Compound>(&shape))
    return std::all_of(compound->children.begin(), compound->children.end(),
                       [](const PlacedShape& child) { return hasFixedPhases(child.shape); });
  return std::holds_alternative<SolidOfRevolution>(shape) || std::holds_alternative<BlockWithHoles>(shape) ||
         std::holds_alternative<Cylinder>(shape) || std::holds_alternative<Frustum>(shape) ||
         std::holds_alternative<HalfSpace>(shape);
}

void findElasticThreads(BodyPair pair, const ThreadPart& i, const ThreadPart& j,
                        std::vector<ElasticThread>& threads) {
  Parts ofI, ofJ;
  collect(*i.part.shape, Pose(), ofI);
  if (ofI.threads.empty()) return;
  collect(*j.part.shape, Pose(), ofJ);
  addThreads(pair, true, i, ofI, j, ofJ, threads);
  addThreads(pair, false, j, ofJ, i, ofI, threads);
}

}  // namespace tenon::physics
