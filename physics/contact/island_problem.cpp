// See island_problem.h.
#include "physics/contact/island_problem.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "physics/contact/implied_contacts.h"
#include "physics/contact/search_range.h"
#include "physics/joint/thread_flanks.h"
#include "physics/math/tolerances.h"

namespace tenon::physics {

namespace {

/// A pair's contacts are reused up to this relative displacement of its bodies since the last query [m].
constexpr double kMaxReuseDisplacement = 1e-5;
/// And up to this error of the linear models of their distances [m].
constexpr double kMaxReuseError = 2e-7;
/// The same of exact distances, of pairs of threads, whose queries take most of a step [m]. Where an edge
/// leaves a face, a distance misses its linear model by a quarter of the displacement: by less than
/// kMaxPenetration.
constexpr double kExactReuseDisplacement = 2e-8, kExactReuseError = 1e-11;
static_assert(kPredictedForceDisplacement < kExactReuseDisplacement,
              "of a screw that rests or turns evenly in a part that rests");
/// Least cosine between the normals of a contact at the start of the step and at a trial state at which its
/// force acts along that of the start [-]: 18°, which trials meet with a tenth of their error at most.
constexpr double kSameDirection = 0.95;
/// Of the force of a tilted row, see opensByForce() [-].
constexpr double kLeastLeverage = 0.1;
/// Smallest displacement of the surfaces towards each other that the rotation of their normal causes in a
/// step and at which the force acts along the direction of the start [m]. Along that of the end, a step takes
/// the energy of such a displacement's speed at most.
constexpr double kMinShift = 1e-7;
/// Range of the contacts of a pair at a trial state, beyond kSearchMargin of both bodies, as a multiple of
/// the displacement that led to it [-]: trials converge, and the next one moves less. A contact further away
/// is found by the trial that meets it.
constexpr double kNextTrial = 1;
/// Range of the contacts of a pair of threads [pitches]: about half of the play of a medium fit, so that the
/// flanks that bear no load are left out.
constexpr double kThreadRange = 0.02;
/// Largest displacement of a contact's point at which it is the same contact, relative to that of the bodies
/// [-]: between nearly conforming walls the nearest point wanders.
constexpr double kMaxWander = 4;

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
  lastStep = view.lastStep;
  isDivisible = view.isDivisible;
  bodies_.clear();
  pairs_.clear();
  jointIds_.clear();
  jointStarts_.clear();
  sweptContacts_.clear();
  sweptRows_.clear();
  rows.clear();
  joints.clear();
  massFactor.clear();
  freeVelocity.clear();
  predicted.clear();
  startVelocity.clear();
  reuseBelowOverlap = 0;
  usesStartDirections = true;
  hasThreads_ = false;
  trialVelocity_.clear();
  startContacts_.clear();
  startRange_.clear();
  corners_.clear();
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

const ElasticThread* IslandProblem::threadOf(const BodyPair& pair) const {
  const auto thread = std::lower_bound(view_.elasticThreads.begin(), view_.elasticThreads.end(), pair,
                                       [](const ElasticThread& a, const BodyPair& b) { return a.pair < b; });
  return thread != view_.elasticThreads.end() && thread->pair == pair ? &*thread : nullptr;
}

// At the start, and at most at a trial state. A screw that turns passes over its nut and hardly nears it.
double IslandProblem::rangeAtStart(const BodyPair& pair) const {
  const int i = pair.i.value, j = pair.j.value;
  const double range =
      searchRange(view_.searchMargin[i] + view_.searchMargin[j], view_.thickness[i], view_.thickness[j]);
  const ElasticThread* thread = threadOf(pair);
  return thread ? std::min(range, kThreadRange * thread->pitch) : range;
}

// At the start all that the step may reach: baraff, and bodies that are held back, see no later state.
double IslandProblem::rangeAt(std::size_t pair, std::span<const double> u) const {
  const double most = rangeAtStart(pairs_[pair].bodies);
  if (std::all_of(u.begin(), u.end(), [](double component) { return component == 0; })) return most;
  const double moved = displacementBetween(pairs_[pair], reference_, u);
  return std::min(most, kNextTrial * moved + 2 * kSearchMargin);
}

double IslandProblem::displacementBetween(const Pair& pair, std::span<const double> from,
                                          std::span<const double> to) const {
  return relativeDisplacement(pair, dt * (velocityOf(to, pair.a) - velocityOf(from, pair.a)),
                              dt * (velocityOf(to, pair.b) - velocityOf(from, pair.b)));
}

double IslandProblem::relativeDisplacement(const Pair& pair, const Vector6d& moveOfI,
                                           const Vector6d& moveOfJ) const {
  const double radiusOfI = view_.collider->radius(pair.bodies.i),
               radiusOfJ = view_.collider->radius(pair.bodies.j);
  const Vector3d turnOfI = moveOfI.tail<3>(), turnOfJ = moveOfJ.tail<3>();
  const Vector3d between = trialPose(pair.bodies.j, pair.b).p - trialPose(pair.bodies.i, pair.a).p;
  const Vector3d carried = (radiusOfJ <= radiusOfI ? turnOfI : turnOfJ).cross(between);
  return (moveOfJ.head<3>() - moveOfI.head<3>() - carried).norm() +
         std::min(radiusOfI, radiusOfJ) * (turnOfJ - turnOfI).norm();
}

// True if the force of a tilted row increases its distance, by kLeastLeverage of what one along the gradient
// does: a point far from that of the trial state may not.
bool IslandProblem::opensByForce(const ContactRow& row) const {
  double along = 0, own = 0;
  const auto add = [&](int body, const Vector6d& G, const Vector6d& J) {
    if (body < 0) return;
    const auto L = massFactor[static_cast<std::size_t>(body)].triangularView<Eigen::Lower>();
    const Vector6d h = L.solve(G), g = L.solve(J);
    along += h.dot(g);
    own += g.squaredNorm();
  };
  add(row.a, row.Ga, row.Ja);
  add(row.b, row.Gb, row.Jb);
  return along >= kLeastLeverage * own;
}

// The gradient for ω of a distance whose derivative by a turn of the body at the trial state is `moment`.
Vector3d IslandProblem::turned(std::span<const double> u, int body, const Vector3d& moment) const {
  return body >= 0 ? Vector3d(leftJacobian(dt * block(u, body).tail<3>()).transpose() * moment) : moment;
}

// `row` has its arms, δ, bodies and, if tilted, J. Adds what depends on the direction `n` of its force.
void IslandProblem::direct(ContactRow& row, const Vector3d& n, std::span<const double> u) const {
  row.Ga << -n, -row.ra.cross(n);
  row.Gb << n, row.rb.cross(n);
  row.linearizeAt(u, dt);
  setBiases(row, row.contact.i, row.contact.j);
}

// True if the force acts along the directions of the start: where the rotation of the normal in the step
// changes the speed at which the surfaces approach. Once it does, it does so in all later trials of the step.
// The change grows with the square of the displacement; what counts is that at the velocity of the start.
bool IslandProblem::isDirectedByStart(const Contact& contact, StartContact* start,
                                      const PairGeometry& geometry, std::span<const double> u) const {
  if (!start || start->contact.n.dot(contact.n) < kSameDirection) return false;
  if (start->directs) return true;
  const double turn = (contact.n - start->contact.n).norm();
  if (turn * geometry.path * std::max(1.0, geometry.path / kPredictedDisplacement) < kMinShift) return false;
  double gain = 0, now = 0, atStart = 0;
  const auto add = [&](BodyId body, int index, const Vector3d& r, const Vector3d& startArm, double sign) {
    const Vector6d u_body = index >= 0 ? Vector6d(block(u, index)) : view_.freeVelocity[body.value];
    const Vector3d v = u_body.head<3>(), omega = u_body.tail<3>();
    const BodyState& state = view_.states[body.value];
    gain += sign * ((v + omega.cross(r)).dot(contact.n) - (v + omega.cross(startArm)).dot(start->contact.n));
    now += v.squaredNorm() + omega.squaredNorm() * r.squaredNorm();
    atStart += state.v.squaredNorm() + state.omega.squaredNorm() * r.squaredNorm();
  };
  const auto [i, j] = geometry.pair.bodies;
  const Vector3d &p = contact.p, &p0 = start->contact.p;
  add(i, geometry.pair.a, p - geometry.X_I.p, p0 - geometry.startOfI.p, -1);
  add(j, geometry.pair.b, p - geometry.X_J.p, p0 - geometry.startOfJ.p, 1);
  start->directs = dt * std::abs(gain) * atStart > kMinShift * now &&
                   (p - p0).squaredNorm() <= kMaxWander * kMaxWander * dt * dt * now;
  return start->directs;
}

// With friction, a force along the directions of the start has the gradient of the trial state beside them:
// which of the corners of a face carry it makes the face slide another way, and a gradient that misses by the
// rotation of the step would let trials alternate between them. Without friction the directions serve as the
// gradient: trials converge by that rotation each, and the linear problem remains symmetric.
void IslandProblem::addRow(const Contact& contact, StartContact* start, const PairGeometry& geometry,
                           double compliance, std::span<const double> u) {
  const auto [i, j] = geometry.pair.bodies;
  ContactRow row;
  row.contact = contact;
  row.key = {static_cast<std::uint64_t>(i.value) << 32 | static_cast<std::uint32_t>(j.value),
             contact.feature};
  row.a = geometry.pair.a;
  row.b = geometry.pair.b;
  row.restitution = view_.restitution.value_or(geometry.surfaces.restitution);
  row.compliance = compliance;
  row.rigid = compliance == 0;
  row.mu = geometry.surfaces.friction;
  const bool atStart = isDirectedByStart(contact, start, geometry, u);
  row.followsTrack = atStart && start->contact.separation <= kMaxPenetration && std::min(row.a, row.b) < 0;
  row.point = atStart ? start->contact.p : contact.p;
  row.ra = row.point - (atStart ? geometry.startOfI : geometry.X_I).p;
  row.rb = row.point - (atStart ? geometry.startOfJ : geometry.X_J).p;
  row.isTilted = atStart && row.rigid && row.mu > 0;
  if (row.isTilted) {
    row.Ja << -contact.n, -turned(u, row.a, (contact.p - geometry.X_I.p).cross(contact.n));
    row.Jb << contact.n, turned(u, row.b, (contact.p - geometry.X_J.p).cross(contact.n));
  }
  direct(row, atStart ? start->contact.n : contact.n, u);
  if (row.isTilted && !opensByForce(row)) {
    row.isTilted = false;
    row.linearizeAt(u, dt);
  }
  if (row.mu > 0) addFrictionalCompliance(row);
  rows.push_back(row);
}

void IslandProblem::complete() {
  for (Pair& pair : pairs_) {
    pair.a = local(pair.bodies.i);
    pair.b = local(pair.bodies.j);
    pair.isThreaded = threadOf(pair.bodies) != nullptr;
    hasThreads_ = hasThreads_ || pair.isThreaded;
  }
  buildSweptRows();
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

// A row at the state in which the bodies met: dynamic bodies had moved by `fraction` of the displacement at
// their velocity in `contact`; bodies with a given motion move on until the end of the step.
void IslandProblem::buildSweptRows() {
  if (sweptContacts_.empty()) return;
  sweptVelocity_.assign(freeVelocity.size(), 0.0);
  for (const SweptContact& swept : sweptContacts_) {
    const BodyPair bodies{swept.contact.i, swept.contact.j};
    PairGeometry geometry;
    geometry.pair = {bodies, local(bodies.i), local(bodies.j)};
    geometry.surfaces = view_.surfaces->of(view_.material[bodies.i.value], view_.material[bodies.j.value]);
    geometry.X_I.p = swept.c_I;
    geometry.X_J.p = swept.c_J;
    if (const int a = geometry.pair.a; a >= 0)
      block(std::span(sweptVelocity_), a) = swept.fraction * swept.ui;
    if (const int b = geometry.pair.b; b >= 0)
      block(std::span(sweptVelocity_), b) = swept.fraction * swept.uj;
    addRow(swept.contact, nullptr, geometry, 1 / geometry.surfaces.stiffness, sweptVelocity_);
    ContactRow& row = rows.back();
    row.b0 += (1 - swept.fraction) * dt * row.normalBias;
    row.key = row.key.ofSwept(static_cast<std::uint32_t>(sweptRows_.size()));
    sweptRows_.push_back(row);
  }
  rows.clear();
}

void IslandProblem::addSweptRows(std::span<const double> u) {
  if (sweptRows_.empty()) return;
  for (const ContactRow& row : sweptRows_) {
    rows.push_back(row);
    rows.back().contact.separation = distance(row, u);
  }
  std::sort(rows.begin(), rows.end(), [](const ContactRow& a, const ContactRow& b) { return a.key < b.key; });
}

void IslandProblem::addFrictionalCompliance(ContactRow& row) const {
  row.compliance += std::min(kFrictionalCompliance, kFrictionalRelativeCompliance * effectiveCompliance(row));
}

// Separation and sliding velocities from bodies with given motion. `i` of a joint may be invalid.
void IslandProblem::setBiases(ContactRow& row, BodyId i, BodyId j) const {
  row.normalBias = 0;
  row.tangentialBias.setZero();
  if (row.a < 0 && i.valid()) {
    row.normalBias += row.Ga.dot(view_.freeVelocity[i.value]);
    if (row.mu > 0) row.tangentialBias += row.Ta().transpose() * view_.freeVelocity[i.value];
  }
  if (row.b < 0) {
    row.normalBias += row.Gb.dot(view_.freeVelocity[j.value]);
    if (row.mu > 0) row.tangentialBias += row.Tb().transpose() * view_.freeVelocity[j.value];
  }
}

// Those of the last step are known up to the range of its last trial.
void IslandProblem::addStartContacts(std::size_t pair, bool queried) {
  const BodyPair bodies = pairs_[pair].bodies;
  std::span<const Contact> contacts;
  if (queried) {
    atStart_.clear();
    view_.collider->findContacts(bodies, view_.start[bodies.i.value], view_.start[bodies.j.value],
                                 rangeAtStart(bodies), atStart_);
    contacts = atStart_;
  } else {
    const auto at = std::equal_range(
        view_.startContacts.begin(), view_.startContacts.end(), bodies,
        [](const auto& x, const auto& y) { return std::tie(x.i, x.j) < std::tie(y.i, y.j); });
    contacts = {at.first, at.second};
  }
  ContactRange& range = startRange_[pair];
  range = {true, queried, startContacts_.size(), contacts.size()};
  for (const Contact& contact : contacts) startContacts_.push_back({contact});
}

// Queried when the first contact is found that was not known at the start.
std::span<IslandProblem::StartContact> IslandProblem::startContacts(std::size_t pair) {
  startRange_.resize(pairs_.size());
  ContactRange& range = startRange_[pair];
  if (!range.known) addStartContacts(pair, false);
  const auto list = [&] { return std::span(startContacts_).subspan(range.first, range.count); };
  const auto isKnown = [&](const Contact& contact) { return startOf(contact, list()) != nullptr; };
  if (range.queried || std::all_of(found_.begin(), found_.end(), isKnown)) return list();
  const ContactRange last = range;
  addStartContacts(pair, true);
  for (const StartContact& known : std::span(startContacts_).subspan(last.first, last.count))
    if (StartContact* start = startOf(known.contact, list()); start != nullptr)
      start->directs = start->directs || known.directs;
  return list();
}

// Of the same feature; null: there is none.
IslandProblem::StartContact* IslandProblem::startOf(const Contact& contact, std::span<StartContact> sorted) {
  const auto at = std::lower_bound(
      sorted.begin(), sorted.end(), contact.feature,
      [](const StartContact& start, std::uint64_t feature) { return start.contact.feature < feature; });
  return at != sorted.end() && at->contact.feature == contact.feature ? &*at : nullptr;
}

// The contact at the start nearest to a feature that did not exist there, carried with either body's center.
IslandProblem::StartContact* IslandProblem::nearestAtStart(const Contact& contact,
                                                           std::span<StartContact> start,
                                                           const PairGeometry& geometry) {
  if (start.empty()) return nullptr;
  const Vector3d withI = contact.p - (geometry.X_I.p - geometry.startOfI.p),
                 withJ = contact.p - (geometry.X_J.p - geometry.startOfJ.p);
  StartContact* nearest = nullptr;
  double smallest = geometry.path * geometry.path;
  for (StartContact& other : start) {
    const Contact& c = other.contact;
    const double squared = std::min((c.p - withI).squaredNorm(), (c.p - withJ).squaredNorm());
    if (squared >= smallest || c.n.dot(contact.n) < kSameDirection) continue;
    smallest = squared;
    nearest = &other;
  }
  return nearest;
}

void IslandProblem::queryPair(std::size_t index, std::span<const double> u, double range) {
  const Pair& pair = pairs_[index];
  const auto [i, j] = pair.bodies;
  PairGeometry geometry{pair, trialPose(i, pair.a), trialPose(j, pair.b), view_.start[i.value],
                        view_.start[j.value]};
  geometry.range = range;
  geometry.path = view_.searchMargin[i.value] + view_.searchMargin[j.value];
  geometry.surfaces = view_.surfaces->of(view_.material[i.value], view_.material[j.value]);
  found_.clear();
  view_.collider->findContacts(pair.bodies, geometry.X_I, geometry.X_J, geometry.range, found_);
  if (found_.empty()) return;
  findCompliances(geometry);
  // A corner that was a row of the last trial may carry a force.
  removeImplied(found_, compliance_, lastCorners_.of(index));
  const std::span<StartContact> start =
      usesStartDirections ? startContacts(index) : std::span<StartContact>();
  for (std::size_t k = 0; k < found_.size(); ++k) {
    StartContact* same = startOf(found_[k], start);
    addRow(found_[k], same != nullptr ? same : nearestAtStart(found_[k], start, geometry), geometry,
           compliance_[k], u);
  }
}

// The error of the linear distances grows with the square of the displacement. Where an edge leaves a face,
// the contact moves to another point, so the displacement is limited too. A separating plane bounds the
// overlap.
bool IslandProblem::canReuse(std::size_t pair, std::span<const double> u) const {
  const auto& [bodies, a, b, isThreaded] = pairs_[pair];
  const bool isExact = reuseBelowOverlap == 0;
  if (isExact && !isThreaded) return false;
  const auto [i, j] = bodies;
  const PairQuery& last = cache_.query(pair);
  const Vector6d moveOfI = dt * (velocityOf(u, a) - last.ui), moveOfJ = dt * (velocityOf(u, b) - last.uj);
  const double radiusOfI = view_.collider->radius(i), radiusOfJ = view_.collider->radius(j);
  if (curvatureBound(moveOfI, radiusOfI) + curvatureBound(moveOfJ, radiusOfJ) >
      (isExact ? kExactReuseError : kMaxReuseError))
    return false;
  const double displacement = relativeDisplacement(pairs_[pair], moveOfI, moveOfJ);
  if (displacement > (isExact ? kExactReuseDisplacement : kMaxReuseDisplacement)) return false;
  const std::span<const ContactRow> lastRows = cache_.rows(pair);
  if (lastRows.empty()) return displacement <= last.range;  // they were further apart than that
  // Pairs with a stiffness are queried: their points that touch must be counted.
  return std::all_of(lastRows.begin(), lastRows.end(), [](const ContactRow& row) { return row.rigid; }) &&
         (isExact ||
          view_.collider->isSeparated(bodies, trialPose(i, a), trialPose(j, b), -reuseBelowOverlap));
}

// Of the rows of the next pair, from `first` on.
void IslandProblem::noteCorners(std::size_t first) {
  for (const ContactRow& row : std::span(rows).subspan(first))
    if (row.contact.isCorner) corners_.add(row.contact.feature);
  corners_.finishPair();
}

void IslandProblem::addOrReuseRows(std::span<const double> u) {
  if (cachedStartDirections_ != usesStartDirections || cachedReuse_ != reuseBelowOverlap) cache_.clear();
  cachedStartDirections_ = usesStartDirections;
  cachedReuse_ = reuseBelowOverlap;
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
      query.range = rangeAt(p, u);
      queryPair(p, u, query.range);
    }
    noteCorners(first);
    const bool isKept = reuseBelowOverlap > 0 || pairs_[p].isThreaded;
    cache_.add(query, isKept ? std::span(rows).subspan(first) : std::span<ContactRow>());
  }
  cache_.commit();
}

void IslandProblem::linearize(const std::vector<double>& u) {
  if (trialVelocity_.empty())
    reference_.assign(freeVelocity.begin(), freeVelocity.end());
  else if (trialVelocity_ != u)
    reference_.assign(trialVelocity_.begin(), trialVelocity_.end());
  trialVelocity_.assign(u.begin(), u.end());
  trial_.resize(bodies_.size());
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const auto ui = block(std::span(u), static_cast<int>(i));
    trial_[i] = advance(view_.start[bodies_[i].value], ui.head<3>(), ui.tail<3>(), dt);
  }
  rows.clear();
  std::swap(lastCorners_, corners_);
  corners_.clear();
  if (reuseBelowOverlap > 0 || hasThreads_) {
    addOrReuseRows(u);
  } else {
    for (std::size_t p = 0; p < pairs_.size(); ++p) {
      const std::size_t first = rows.size();
      queryPair(p, u, rangeAt(p, u));
      noteCorners(first);
    }
  }
  addSweptRows(u);
  linearizeJoints(u);
}

void IslandProblem::linearizeAtStart() {
  atRest_.assign(freeVelocity.size(), 0.0);
  linearize(atRest_);
}

void IslandProblem::directAtTrial() {
  for (ContactRow& row : rows) {
    if (row.key.isLimit()) break;     // they are last
    if (row.key.isSwept()) continue;  // keeps the directions of the state in which its bodies met
    const double atStart = separationSpeed(row, startVelocity);
    row.point = row.contact.p;
    row.ra = row.point - trialPose(row.key.i(), row.a).p;
    row.rb = row.point - trialPose(row.key.j(), row.b).p;
    row.isTilted = false;
    direct(row, row.contact.n, trialVelocity_);
    row.normalRotationSpeed = row.followsTrack ? separationSpeed(row, startVelocity) - atStart : 0.0;
  }
}

}  // namespace tenon::physics
