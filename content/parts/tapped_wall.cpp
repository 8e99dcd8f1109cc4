// See tapped_wall.h.
#include "content/parts/tapped_wall.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "content/input/wording.h"

namespace tenon::content {
namespace {

using Eigen::Vector2d;
using physics::kProfileTolerance;
using physics::Thread;
using physics::ThreadEnd;

/// How much narrower than the basic minor diameter D1 a core hole may be [pitches]: the crests are cut then.
constexpr double kNarrowCore = 0.25;
/// How much wider than the nominal diameter one may be [m].
constexpr double kWideHole = 0.5e-6;

/// One end of the wall, seen outwards along `sign` z.
struct WallEnd {
  double meet = 0;     ///< height at which a wall as wide as the roots ends
  double limit = 0;    ///< height at which the thread may end at most
  ThreadEnd cone;      ///< that cuts the thread there
  double slope = 0;    ///< dr/dz of the cone that follows; 0: a plane, or nothing
  HoleProfile beyond;  ///< what follows, outwards
};

class WallCutter {
 public:
  WallCutter(const JsonCursor& at, const ThreadRequest& request, const HoleProfile& hole)
      : at_(at), request_(request), p_(hole), thread_(request.thread) {
    root_ = thread_.majorDiameter / 2;
    crest_ = thread_.minorDiameter / 2;
  }

  TappedWall cut(const std::optional<double>& depth) {
    findWall();
    checkDiameter();
    const WallEnd upper = endAt(wall_, 1), lower = endAt(wall_ + 1, -1);
    TappedWall result;
    result.radius = r_;
    result.top = p_[wall_].x();
    result.bottom = p_[wall_ + 1].x();
    result.newTop = upper.meet;
    result.newBottom = lower.meet;
    thread_.high = upper.limit;
    thread_.ends[1] = upper.cone;
    result.profile.assign(upper.beyond.rbegin(), upper.beyond.rend());
    append({upper.meet, root_}, result.profile);
    const bool isPartial = depth && !isSameLength(-*depth, lower.limit);
    if (isPartial)
      cutPartly(*depth, upper, lower, result);
    else
      cutWholly(lower, result);
    ThreadRequest whole = request_;
    whole.thread = result.thread = thread_;
    checkThread(at_, whole);
    return result;
  }

 private:
  std::string inUnit(double length) const { return at_.inFileUnit(length); }

  void findWall() {
    double longest = 0;
    for (std::size_t k = 0; k + 1 < p_.size(); ++k) {
      const double length = p_[k].x() - p_[k + 1].x();
      if (!isSameLength(p_[k].y(), p_[k + 1].y()) || !(length > longest)) continue;
      longest = length;
      wall_ = k;
    }
    if (longest == 0)
      at_.fail("is cut into a hole without a cylinder", "give the hole a cylinder of the core diameter");
    r_ = p_[wall_].y();
  }

  void checkDiameter() const {
    const double least = request_.nominal / 2 - 0.625 * physics::threadTriangleHeight(thread_.pitch) -
                         0.5 * kNarrowCore * thread_.pitch;
    const double low = std::min(least, crest_), high = request_.nominal / 2;
    if (r_ > low - kProfileTolerance && r_ < high + kWideHole) return;
    at_.fail(fmt::format("lies on a hole of Ø {}, and {} needs Ø {} to {}", inUnit(2 * r_),
                         request_.designation, inUnit(2 * low), inUnit(2 * high)),
             "give the hole the core diameter or the nominal one; chamfers may widen its ends");
  }

  /// The points that follow point `k` of the wall, outwards.
  HoleProfile outwardsOf(std::size_t k, double sign) const {
    if (sign < 0) return {p_.begin() + static_cast<std::ptrdiff_t>(k) + 1, p_.end()};
    return {p_.rend() - static_cast<std::ptrdiff_t>(k), p_.rend()};
  }

  WallEnd endAt(std::size_t k, double sign) const {
    WallEnd end;
    end.beyond = outwardsOf(k, sign);
    end.meet = end.limit = p_[k].x();
    if (end.beyond.empty()) return end;
    const Vector2d next = end.beyond.front();
    const double length = sign * (next.x() - p_[k].x()), widening = next.y() - r_;
    if (length < kProfileTolerance) {
      if (widening > 0) checkStep(next);
      return end;
    }
    end.slope = sign * widening / length;
    if (widening < 0) {  // of a drill point: the wider wall meets it earlier
      end.meet = end.limit = p_[k].x() + (root_ - r_) / end.slope;
      return end;
    }
    end.limit = next.x();
    if (next.y() > crest_ + kProfileTolerance) end.cone = {next.y(), length * (next.y() - crest_) / widening};
    if (next.y() > root_ + kProfileTolerance) {
      end.meet = p_[k].x() + (root_ - r_) / end.slope;
      return end;
    }
    // A chamfer narrower than the roots leaves no cone in the wall.
    end.meet = next.x();
    end.beyond.erase(end.beyond.begin());
    if (!end.beyond.empty()) checkStep(end.beyond.front());
    return end;
  }

  /// A step to a wider part of the hole must be wider than the roots.
  void checkStep(const Vector2d& next) const {
    if (next.y() > root_ + kProfileTolerance) return;
    at_.fail(fmt::format("of {} has roots of Ø {}, wider than the edge of Ø {} at the end of the hole's wall",
                         request_.designation, inUnit(2 * root_), inUnit(2 * next.y())),
             "make that counterbore or rounding wider, or replace it by one chamfer");
  }

  static void append(const Vector2d& p, HoleProfile& profile) {
    if (profile.empty() || (p - profile.back()).norm() > kProfileTolerance) profile.push_back(p);
  }

  void cutWholly(const WallEnd& lower, TappedWall& result) {
    thread_.low = lower.limit;
    thread_.ends[0] = lower.cone;
    append({lower.meet, root_}, result.profile);
    for (const Vector2d& p : lower.beyond) append(p, result.profile);
  }

  /// With the hole below the thread as drawn; one with the nominal diameter gets that of the crests.
  void cutPartly(double depth, const WallEnd& upper, const WallEnd& lower, TappedWall& result) {
    const auto field = at_.find("depth");
    if (-depth < lower.limit)
      (field ? *field : at_)
          .fail(fmt::format("is {}, below the end of its hole at {}", inUnit(depth), inUnit(-lower.limit)),
                "make the thread shorter, or the hole deeper");
    if (-depth > upper.meet - kProfileTolerance)
      (field ? *field : at_)
          .fail(fmt::format("is {}, above the beginning of the hole's wall at {}", inUnit(depth),
                            inUnit(-upper.meet)),
                "depths are measured from the mouth: make the thread longer");
    thread_.low = -depth;
    result.pilotRadius = r_ < thread_.pitchDiameter / 2 ? r_ : crest_;
    result.pilotBottom = p_[wall_ + 1].x();
    if (lower.slope != 0) result.pilotBottom += (result.pilotRadius - r_) / lower.slope;
    append({-depth, root_}, result.profile);
    append({-depth, result.pilotRadius}, result.profile);
    append({result.pilotBottom, result.pilotRadius}, result.profile);
    for (std::size_t k = wall_ + 2; k < p_.size(); ++k) append(p_[k], result.profile);
  }

  const JsonCursor& at_;
  const ThreadRequest& request_;
  const HoleProfile& p_;
  Thread thread_;
  std::size_t wall_ = 0;
  double r_ = 0, root_ = 0, crest_ = 0;
};

}  // namespace

TappedWall tappedWall(const JsonCursor& at, const ThreadRequest& request, const HoleProfile& hole,
                      const std::optional<double>& depth) {
  return WallCutter(at, request, hole).cut(depth);
}

}  // namespace tenon::content
