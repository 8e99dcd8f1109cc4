// See island_problem.h.
#include "physics/contact/island_problem.h"

#include <algorithm>
#include <cmath>

#include "physics/joint/thread_flanks.h"
#include "physics/math/tolerances.h"

namespace tenon::physics {

namespace {

/// A pair's contacts are reused up to this relative displacement of its bodies since the last query [m].
constexpr double kMaxReuseDisplacement = 1e-5;
/// And up to this error of the linear models of their distances [m].
constexpr double kMaxReuseError = 2e-7;

Vector6d velocityOf(std::span<const double> u, int body) {
  return body >= 0 ? Vector6d(block(u, body)) : Vector6d(Vector6d::Zero());
}

/// Upper bound on the error of a linearized displacement (translation [m], rotation vector [rad]) [m].
double curvatureBound(const Vector6d& displacement, double radius) {
  const double turn = displacement.tail<3>().norm();
  return turn > 0 ? turn * (displacement.head<3>().norm() + radius * turn) : 0.0;
}

}  // namespace

void IslandProblem::begin(const StepView& view) {
  view_ = view;
  dt = view.dt;
  bodies_.clear();
  pairs_.clear();
  jointIds_.clear();
  jointStarts_.clear();
  rows.clear();
  joints.clear();
  massFactor.clear();
  freeVelocity.clear();
  predicted.clear();
  startVelocity.clear();
  reuseBelowOverlap = 0;
  cache_.clear();
}

void IslandProblem::addBody(BodyId body) {
  bodies_.push_back(body);
  massFactor.push_back(view_.massFactor[body.value]);
  const Vector6d& u = view_.freeVelocity[body.value];
  freeVelocity.insert(freeVelocity.end(), u.data(), u.data() + 6);
  const Vector6d& guess = view_.predicted[body.value];
  predicted.insert(predicted.end(), guess.data(), guess.data() + 6);
  const BodyState& state = view_.states[body.value];
  startVelocity.insert(startVelocity.end(), state.v.data(), state.v.data() + 3);
  startVelocity.insert(startVelocity.end(), state.omega.data(), state.omega.data() + 3);
}

int IslandProblem::local(BodyId body) const {
  const auto at = std::lower_bound(bodies_.begin(), bodies_.end(), body);
  return at != bodies_.end() && *at == body ? static_cast<int>(at - bodies_.begin()) : -1;
}

Pose IslandProblem::trialPose(BodyId body, int index) const {
  return index >= 0 ? trial_[index] : view_.end[body.value];
}

struct IslandProblem::PairGeometry {
  Pair pair;
  Vector3d c_I, c_J;  // centers of mass [m]
  SurfacePair surfaces;
  double compliance = 0;  // of each contact [m/N]
};

void IslandProblem::addRow(const Contact& contact, const PairGeometry& geometry, std::span<const double> u) {
  const auto [i, j] = geometry.pair.bodies;
  ContactRow row;
  row.contact = contact;
  row.key = {static_cast<std::uint64_t>(i.value) << 32 | static_cast<std::uint32_t>(j.value),
             contact.feature};
  row.a = geometry.pair.a;
  row.b = geometry.pair.b;
  const Vector3d& n = contact.n;
  row.ra = contact.p - geometry.c_I;
  row.rb = contact.p - geometry.c_J;
  row.Ga << -n, -row.ra.cross(n);
  row.Gb << n, row.rb.cross(n);
  row.b0 = contact.separation;
  if (row.a >= 0) row.b0 -= dt * row.Ga.dot(block(u, row.a));
  if (row.b >= 0) row.b0 -= dt * row.Gb.dot(block(u, row.b));
  if (row.a < 0) row.normalBias += row.Ga.dot(view_.freeVelocity[i.value]);
  if (row.b < 0) row.normalBias += row.Gb.dot(view_.freeVelocity[j.value]);
  row.restitution = view_.restitution.value_or(geometry.surfaces.restitution);
  row.compliance = geometry.compliance;
  row.rigid = geometry.compliance == 0;
  row.mu = geometry.surfaces.friction;
  if (row.mu > 0) addFriction(row, i, j);
  rows.push_back(row);
}

void IslandProblem::complete() {
  for (Pair& pair : pairs_) {
    pair.a = local(pair.bodies.i);
    pair.b = local(pair.bodies.j);
  }
  if (jointIds_.empty()) return;
  for (const JointId id : jointIds_) {
    const PlacedJoint& joint = view_.joints[id.value];
    const BodyId i = joint.description.i, j = joint.description.j;
    const JointFrames& at = jointStarts_.emplace_back(
        jointFrames(joint, i.valid() ? view_.start[i.value] : Pose(), view_.start[j.value]));
    joints.push_back(jointRows(joint.description, at, i.valid() ? local(i) : -1, local(j),
                               i.valid() ? view_.freeVelocity[i.value] : Vector6d(Vector6d::Zero()),
                               view_.freeVelocity[j.value]));
    if (hasFlanks(joint.description)) --joints.back().count;  // the helical equation is the last one
  }
  space.build(massFactor, joints);
}

// `row` has its μ. Adds the compliance that friction needs, and the sliding of bodies with given motion.
void IslandProblem::addFriction(ContactRow& row, BodyId i, BodyId j) const {
  row.compliance += std::min(kFrictionalCompliance, kFrictionalRelativeCompliance * effectiveCompliance(row));
  if (row.a < 0 && i.valid()) row.tangentialBias += row.Ta().transpose() * view_.freeVelocity[i.value];
  if (row.b < 0) row.tangentialBias += row.Tb().transpose() * view_.freeVelocity[j.value];
}

void IslandProblem::queryPair(const Pair& pair, std::span<const double> u) {
  const auto [i, j] = pair.bodies;
  PairGeometry geometry;
  geometry.pair = pair;
  geometry.surfaces = view_.surfaces->of(view_.material[i.value], view_.material[j.value]);
  const Pose X_I = trialPose(i, pair.a);
  const Pose X_J = trialPose(j, pair.b);
  geometry.c_I = X_I.p;
  geometry.c_J = X_J.p;
  const double range = view_.searchMargin[i.value] + view_.searchMargin[j.value];
  found_.clear();
  view_.collider->findContacts(pair.bodies, X_I, X_J, range, found_);
  // The touching points share the pair's stiffness, so that it does not depend on their number.
  const auto touching = std::count_if(found_.begin(), found_.end(), [](const Contact& contact) {
    return contact.separation <= kGapTolerance;
  });
  geometry.compliance =
      static_cast<double>(std::max<std::ptrdiff_t>(1, touching)) / geometry.surfaces.stiffness;
  for (const Contact& contact : found_) addRow(contact, geometry, u);
}

// The error of the linear distances grows with the square of the displacement. Where an edge leaves a face,
// the contact moves to another point, so the displacement is limited too. A separating plane bounds the
// overlap.
bool IslandProblem::canReuse(std::size_t pair, std::span<const double> u) const {
  const auto [bodies, a, b] = pairs_[pair];
  const auto [i, j] = bodies;
  const PairQuery& last = cache_.query(pair);
  const Vector6d moveOfI = dt * (velocityOf(u, a) - last.ui), moveOfJ = dt * (velocityOf(u, b) - last.uj);
  const double radiusOfI = view_.collider->radius(i), radiusOfJ = view_.collider->radius(j);
  if (curvatureBound(moveOfI, radiusOfI) + curvatureBound(moveOfJ, radiusOfJ) > kMaxReuseError) return false;
  const Pose X_I = trialPose(i, a), X_J = trialPose(j, b);
  // Displacement of the smaller body relative to the other.
  const Vector3d turnOfI = moveOfI.tail<3>(), turnOfJ = moveOfJ.tail<3>();
  const Vector3d carried = (radiusOfJ <= radiusOfI ? turnOfI : turnOfJ).cross(X_J.p - X_I.p);
  const double displacement = (moveOfJ.head<3>() - moveOfI.head<3>() - carried).norm() +
                              std::min(radiusOfI, radiusOfJ) * (turnOfJ - turnOfI).norm();
  if (displacement > kMaxReuseDisplacement) return false;
  const std::span<const ContactRow> lastRows = cache_.rows(pair);
  if (lastRows.empty()) return true;  // they were further apart than the search margins
  // Pairs with a stiffness are queried: their points that touch must be counted.
  return lastRows.front().rigid && view_.collider->isSeparated(bodies, X_I, X_J, -reuseBelowOverlap);
}

void IslandProblem::addOrReuseRows(std::span<const double> u) {
  const bool hasCache = !cache_.empty();
  for (std::size_t p = 0; p < pairs_.size(); ++p) {
    const std::size_t first = rows.size();
    PairQuery query{velocityOf(u, pairs_[p].a), velocityOf(u, pairs_[p].b)};
    if (hasCache && canReuse(p, u)) {
      query = cache_.query(p);
      for (const ContactRow& row : cache_.rows(p)) {
        rows.push_back(row);
        rows.back().contact.separation = distance(row, u);
      }
    } else {
      queryPair(pairs_[p], u);
    }
    cache_.add(query, std::span(rows).subspan(first));
  }
  cache_.commit();
}

void IslandProblem::linearize(const std::vector<double>& u) {
  trial_.resize(bodies_.size());
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const auto ui = block(std::span(u), static_cast<int>(i));
    trial_[i] = advance(view_.start[bodies_[i].value], ui.head<3>(), ui.tail<3>(), dt);
  }
  rows.clear();
  if (reuseBelowOverlap > 0) {
    addOrReuseRows(u);
  } else {
    for (const Pair& pair : pairs_) queryPair(pair, u);
  }
  linearizeJoints(u);
}

}  // namespace tenon::physics
