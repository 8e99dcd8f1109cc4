// See threaded_shapes.h.
#include "content/parts/threaded_shapes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "content/input/limits.h"
#include "content/model/hole_sites.h"
#include "content/parts/tapped_shapes.h"
#include "content/parts/tapped_wall.h"

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
                  at.inFileUnit(request.nominal));
  if (!isSameLength(from.y(), to.y()))
    at.fail(
        fmt::format("lies on a cone, between z = {} and {}", at.inFileUnit(from.x()), at.inFileUnit(to.x())),
        remedy);
  at.fail(fmt::format("lies on a section of Ø {}, and {} needs Ø {}", at.inFileUnit(2 * from.y()),
                      request.designation, at.inFileUnit(request.nominal)),
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
    if (isWithin(i) && isSameLength(p[i].y(), p[i + 1].y()) && !isSameLength(p[i].y(), r))
      failOn(at, request, p[i], p[i + 1]);
  for (std::size_t i = outer.first; i + 1 <= outer.last; ++i) {
    const Vector2d &from = p[i], &to = p[i + 1];
    if (!isWithin(i)) continue;
    const bool isCylinder = isSameLength(from.y(), r) && isSameLength(to.y(), r);
    if (!isCylinder && isSameLength(from.x(), low) && isSameLength(to.y(), r) && from.y() < r)
      section.atLow = endOf(from.y(), r, to.x() - from.x(), crest);
    else if (!isCylinder && isSameLength(to.x(), high) && isSameLength(from.y(), r) && to.y() < r)
      section.atHigh = endOf(to.y(), r, to.x() - from.x(), crest);
    else if (!isCylinder)
      failOn(at, request, from, to);
    if (isCylinder && section.below == p.size()) section.below = i;
    if (isCylinder) section.above = i + 1;
  }
  if (section.below == p.size())
    at.fail(fmt::format("meets no cylinder of Ø {}", at.inFileUnit(request.nominal)),
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
  } else if (above + 1 < p.size() && isSameLength(p[above + 1].x(), high)) {
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

}  // namespace

Shape withExternalThread(const JsonCursor& at, const ThreadRequest& request, const SolidOfRevolution& solid,
                         double low, double high) {
  const Profile& p = solid.profile;
  const Recesses outer = recessesOf(solid);
  const double bottom = p[outer.first].x(), top = p[outer.last].x();
  if (isSameLength(low, bottom)) low = bottom;
  if (isSameLength(high, top)) high = top;
  if (low < bottom || high > top)
    at.fail(fmt::format("reaches from z = {} to {}, beyond the part, which reaches from {} to {}",
                        at.inFileUnit(low), at.inFileUnit(high), at.inFileUnit(bottom), at.inFileUnit(top)),
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

Shape withThread(const JsonCursor& at, const SolidOfRevolution& solid) {
  if (physics::isRing(solid)) return tapRing(at, readThread(at, ThreadPlace::ring), solid);
  const ThreadRequest request = readThread(at, ThreadPlace::section);
  const auto from = at.find("from");
  const double low =
      from ? from->length(-kMaxPosition, kMaxPosition) : solid.profile[recessesOf(solid).first].x();
  return withExternalThread(at, request, solid, low, low + at.member("length").positiveLength());
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

bool hasThreadIn(const Shape& shape, const HoleSite& hole) {
  constexpr double kOnAxis = 1e-5;  // [-] and [m]
  const std::vector<PlacedThread> threads = threadsOf(shape);
  return std::any_of(threads.begin(), threads.end(), [&](const PlacedThread& placed) {
    const Pose X_HT = hole.X_PH.inverse() * placed.X_PT;
    const Eigen::Vector3d axis = X_HT.q * Eigen::Vector3d::UnitZ();
    const double middle = (X_HT * Eigen::Vector3d(0, 0, (placed.thread.low + placed.thread.high) / 2)).z();
    return placed.thread.isInternal && axis.head<2>().norm() < kOnAxis && X_HT.p.head<2>().norm() < kOnAxis &&
           middle < 0 && middle > -hole.depth();
  });
}

}  // namespace tenon::content
