// See threaded_shapes.h.
#include "content/parts/threaded_shapes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "content/input/limits.h"
#include "content/model/hole_sites.h"

namespace tenon::content {
namespace {

using Eigen::Vector2d;
using physics::Compound;
using physics::kProfileTolerance;
using physics::PlacedShape;
using physics::Pose;
using physics::Shape;
using physics::SolidOfRevolution;
using physics::Thread;
using physics::ThreadEnd;
using Profile = std::vector<Vector2d>;

/// Length of a run-out [pitches]: the short one of ISO 3508.
constexpr double kRunOut = 1.25;

bool isSame(double a, double b) {
  return std::abs(a - b) < kProfileTolerance;
}

std::string inUnit(const JsonCursor& at, double length) {
  const ReadContext& r = at.context();
  return fmt::format("{:.6g} {}", length * r.divisor / r.numerator, r.unit);
}

/// The cone from (0, `mouth`) to (`length`, `wall`), continued to the radius `crest`; none where it does not
/// reach beyond the crest.
ThreadEnd endOf(double mouth, double wall, double length, double crest) {
  const double whole = mouth - wall, used = mouth - crest;
  if (length < kProfileTolerance || std::abs(used) < kProfileTolerance || used * whole <= 0) return {};
  return {mouth, length * used / whole};
}

Profile mirrored(const Profile& profile) {
  Profile result;
  for (auto p = profile.rbegin(); p != profile.rend(); ++p) result.emplace_back(-p->x(), p->y());
  return result;
}

// --- external ----------------------------------------------------------------------------------------------

/// The cylinder of a profile that carries a thread between two heights.
struct Section {
  std::size_t below = 0, above = 0;  // last point of the cylinder up to `low`, first one from `high` on
  ThreadEnd atLow, atHigh;
};

[[noreturn]] void failOn(const JsonCursor& at, const ThreadRequest& request, const Vector2d& from,
                         const Vector2d& to) {
  const std::string remedy =
      fmt::format("cut it into a cylinder of {}: set \"from\" and \"length\", or the profile",
                  inUnit(at, request.nominal));
  if (!isSame(from.y(), to.y()))
    at.fail(fmt::format("lies on a cone, between z = {} and {}", inUnit(at, from.x()), inUnit(at, to.x())),
            remedy);
  at.fail(fmt::format("lies on a section of Ø {}, and {} needs Ø {}", inUnit(at, 2 * from.y()),
                      request.designation, inUnit(at, request.nominal)),
          remedy);
}

Section sectionOf(const JsonCursor& at, const ThreadRequest& request, const Profile& p, const Recesses& outer,
                  double low, double high) {
  const double r = request.nominal / 2, crest = request.thread.majorDiameter / 2;
  Section section;
  section.below = section.above = p.size();
  const auto isWithin = [&](std::size_t i) {
    return std::min(high, std::max(p[i].x(), p[i + 1].x())) -
               std::max(low, std::min(p[i].x(), p[i + 1].x())) >=
           kProfileTolerance;
  };
  // A wrong diameter is the cause of a wrong cone beside it.
  for (std::size_t i = outer.first; i + 1 <= outer.last; ++i)
    if (isWithin(i) && isSame(p[i].y(), p[i + 1].y()) && !isSame(p[i].y(), r))
      failOn(at, request, p[i], p[i + 1]);
  for (std::size_t i = outer.first; i + 1 <= outer.last; ++i) {
    const Vector2d &from = p[i], &to = p[i + 1];
    if (!isWithin(i)) continue;
    const bool isCylinder = isSame(from.y(), r) && isSame(to.y(), r);
    if (!isCylinder && isSame(from.x(), low) && isSame(to.y(), r) && from.y() < r)
      section.atLow = endOf(from.y(), r, to.x() - from.x(), crest);
    else if (!isCylinder && isSame(to.x(), high) && isSame(from.y(), r) && to.y() < r)
      section.atHigh = endOf(to.y(), r, to.x() - from.x(), crest);
    else if (!isCylinder)
      failOn(at, request, from, to);
    if (isCylinder && section.below == p.size()) section.below = i;
    if (isCylinder) section.above = i + 1;
  }
  if (section.below == p.size())
    at.fail(fmt::format("meets no cylinder of Ø {}", inUnit(at, request.nominal)),
            "give the part a section of the thread's nominal diameter");
  return section;
}

/// What remains of a profile above a thread that ends at z = `high`, where the cylinder's upper end is point
/// `above`; empty if nothing does.
Profile restAbove(const Profile& p, std::size_t above, double high, const Thread& thread) {
  const double r = p[above].y(), runOut = kRunOut * thread.pitch;
  Profile rest{{high, 0}};
  if (p[above].x() > high + kProfileTolerance) {
    rest.emplace_back(high, thread.minorDiameter / 2);
    if (p[above].x() > high + runOut + kProfileTolerance) rest.emplace_back(high + runOut, r);
  } else if (above + 1 < p.size() && isSame(p[above + 1].x(), high)) {
    ++above;
    if (p[above].y() < kProfileTolerance) return {};
  }
  rest.insert(rest.end(), p.begin() + static_cast<std::ptrdiff_t>(above), p.end());
  return rest;
}

void addRest(const JsonCursor& at, const ThreadRequest& request, SolidOfRevolution rest, Compound& compound) {
  if (rest.profile.empty()) return;
  if (const auto problem = physics::problemWith(rest))
    at.fail(fmt::format("leaves no valid shape beside {}: {}", request.designation, *problem),
            "move it, or change the profile of the part");
  compound.children.push_back({std::move(rest), Pose()});
}

// --- internal ----------------------------------------------------------------------------------------------

/// Wall of a hole from its mouth down, cut by a thread: (depth below the mouth, radius) from the mouth to
/// where the wall begins at the thread's major diameter.
Profile mouthOfTapped(const ThreadEnd& end, const Thread& thread) {
  const double root = thread.majorDiameter / 2, crest = thread.minorDiameter / 2;
  if (!(end.radius > root + kProfileTolerance)) return {{0, root}};
  return {{0, end.radius}, {end.length * (end.radius - root) / (end.radius - crest), root}};
}

}  // namespace

Shape withExternalThread(const JsonCursor& at, const ThreadRequest& request, const SolidOfRevolution& solid,
                         double low, double high) {
  const Profile& p = solid.profile;
  const Recesses outer = recessesOf(solid);
  const double bottom = p[outer.first].x(), top = p[outer.last].x();
  if (isSame(low, bottom)) low = bottom;
  if (isSame(high, top)) high = top;
  if (low < bottom || high > top)
    at.fail(fmt::format("reaches from z = {} to {}, beyond the part, which reaches from {} to {}",
                        inUnit(at, low), inUnit(at, high), inUnit(at, bottom), inUnit(at, top)),
            "make the thread shorter, or the part longer");
  if ((outer.below && p.front().x() > low) || (outer.top && p.back().x() < high))
    at.fail("is cut into a hollow section", "end the blind hole of the part before the thread begins");
  const Section section = sectionOf(at, request, p, outer, low, high);
  ThreadRequest whole = request;
  whole.thread.low = low;
  whole.thread.high = high;
  if (low == bottom) whole.thread.ends[0] = section.atLow;
  if (high == top) whole.thread.ends[1] = section.atHigh;
  checkThread(at, whole);
  Compound compound;
  if (low > bottom)
    addRest(at, request,
            {mirrored(restAbove(mirrored(p), p.size() - 1 - section.below, -low, whole.thread)), "",
             solid.holeBelow},
            compound);
  compound.children.push_back({physics::threadedSolid(whole.thread), Pose()});
  if (high < top)
    addRest(at, request, {restAbove(p, section.above, high, whole.thread), solid.hole, ""}, compound);
  if (compound.children.size() == 1) return compound.children.front().shape;
  return compound;
}

Shape withInternalThread(const JsonCursor& at, const ThreadRequest& request, const SolidOfRevolution& ring) {
  const HoleSite hole = holesOf(ring).front();
  const double r = request.nominal / 2, depth = hole.depth(), top = hole.X_PH.p.z();
  const Profile& wall = hole.profile;  // (z below the mouth ≤ 0, radius)
  const std::size_t last = wall.size() - 1;
  for (std::size_t k = 0; k <= last; ++k) {
    const bool isEnd = k == 0 || k == last;
    if (isSame(wall[k].y(), r) || (isEnd && wall[k].y() > r)) continue;
    at.fail(fmt::format("lies on a hole of Ø {}, and {} needs Ø {}", inUnit(at, 2 * wall[k].y()),
                        request.designation, inUnit(at, request.nominal)),
            "give the ring's hole that diameter over its whole length; chamfers may widen its ends");
  }
  ThreadRequest whole = request;
  Thread& thread = whole.thread;
  thread.low = top - depth;
  thread.high = top;
  const double crest = thread.minorDiameter / 2;
  thread.ends[1] = endOf(wall[0].y(), r, wall[0].x() - wall[1].x(), crest);
  thread.ends[0] = endOf(wall[last].y(), r, wall[last - 1].x() - wall[last].x(), crest);
  if (isSame(wall[0].y(), r)) thread.ends[1] = {};
  if (isSame(wall[last].y(), r)) thread.ends[0] = {};
  checkThread(at, whole);
  // The outline of the ring without its hole, from the lower mouth up to the upper one, then down the wall.
  const Profile& p = ring.profile;
  const std::size_t n = p.size() - 1;
  const auto indexOf = [&](const Vector2d& inWall) {
    std::size_t k = 0;
    while (k < n && !(isSame(p[k].x(), inWall.x() + top) && isSame(p[k].y(), inWall.y()))) ++k;
    return k % n;
  };
  const Profile upper = mouthOfTapped(thread.ends[1], thread), lower = mouthOfTapped(thread.ends[0], thread);
  SolidOfRevolution body;
  body.hole = ring.hole;
  for (std::size_t k = (indexOf(wall[last]) + 1) % n; k != indexOf(wall[0]); k = (k + 1) % n)
    body.profile.push_back(p[k]);
  for (const Vector2d& q : upper) body.profile.emplace_back(top - q.x(), q.y());
  for (auto q = lower.rbegin(); q != lower.rend(); ++q)
    body.profile.emplace_back(top - depth + q->x(), q->y());
  body.profile.push_back(body.profile.front());
  Compound compound;
  addRest(at, request, std::move(body), compound);
  SolidOfRevolution teeth = physics::threadedSolid(thread);
  teeth.hole.clear();
  compound.children.push_back({std::move(teeth), Pose()});
  return compound;
}

Shape withThread(const JsonCursor& at, const SolidOfRevolution& solid) {
  if (physics::isRing(solid)) return withInternalThread(at, readThread(at, ThreadPlace::ring), solid);
  const ThreadRequest request = readThread(at, ThreadPlace::section);
  const auto from = at.find("from");
  const double low =
      from ? from->length(-kMaxPosition, kMaxPosition) : solid.profile[recessesOf(solid).first].x();
  return withExternalThread(at, request, solid, low, low + at.member("length").positiveLength());
}

PlacedShape tap(const JsonCursor& at, const ThreadRequest& request, const TappedHole& hole,
                physics::Cavity& cavity) {
  ThreadRequest whole = request;
  Thread& thread = whole.thread;
  const double crest = thread.minorDiameter / 2, root = thread.majorDiameter / 2;
  thread.low = -hole.threadDepth;
  if (hole.chamferWidth > 0) thread.ends[1] = {crest + hole.chamferWidth, hole.chamferDepth};
  checkThread(at, whole);
  cavity.through = hole.through;
  cavity.profile.clear();
  for (const Vector2d& p : mouthOfTapped(thread.ends[1], thread)) cavity.profile.emplace_back(-p.x(), p.y());
  cavity.profile.emplace_back(-hole.threadDepth, root);
  const bool goesOn = hole.depth > hole.threadDepth + kProfileTolerance;
  if (goesOn) {
    cavity.profile.emplace_back(-hole.threadDepth, crest);
    cavity.profile.emplace_back(-hole.depth, crest);
  }
  if (!hole.through) cavity.profile.emplace_back(-hole.depth, 0);
  SolidOfRevolution teeth = physics::threadedSolid(thread);
  teeth.hole.clear();
  return {std::move(teeth), cavity.X_BH};
}

std::vector<PlacedThread> threadsOf(const Shape& shape) {
  std::vector<PlacedThread> threads;
  if (const auto* solid = std::get_if<SolidOfRevolution>(&shape)) {
    if (solid->thread) threads.push_back({*solid->thread, Pose()});
  } else if (const auto* compound = std::get_if<Compound>(&shape)) {
    for (const PlacedShape& child : compound->children)
      for (PlacedThread& placed : threadsOf(child.shape)) {
        placed.X_PT = child.X_PS * placed.X_PT;
        threads.push_back(std::move(placed));
      }
  }
  return threads;
}

}  // namespace tenon::content
