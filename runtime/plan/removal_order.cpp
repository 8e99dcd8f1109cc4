// See removal_order.h.
#include "runtime/plan/removal_order.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <optional>
#include <utility>

#include "runtime/plan/path_search.h"
#include "runtime/plan/stability.h"
#include "runtime/plan/tool_access.h"

namespace tenon::runtime {

namespace {

using physics::Vector3d;

/// Units whose removal is simulated before one is taken out.
constexpr int kTriedSupports = 3;

/// Lower is better, the first difference decides.
using RemovalRank = std::array<double, 4>;

class OrderSearch {
 public:
  OrderSearch(const Assembly& assembly, const MotionSet& motions, PathCheck& paths,
              OrderPreference preference, const SearchControl& control, const OrderAids& aids)
      : assembly_(assembly),
        motions_(motions),
        paths_(paths),
        preference_(preference),
        control_(control),
        aids_(aids) {
    const Vector3d& gravity = assembly.scene->gravity;
    if (gravity.norm() > 0) up_ = -gravity.normalized();
  }

  /// `base`: the unit that stays; −1: the parts that stay.
  RemovalOrder run(std::vector<int> rest, int base) {
    RemovalOrder order;
    order.base = base;
    int last = -1;
    while (!rest.empty()) {
      control_.progress(fmt::format("planning: {} parts left, {} directions", rest.size() + (base >= 0),
                                    motions_.motions.size()));
      std::optional<Removal> removal = nextUnit(rest, base, last);
      if (!removal && !control_.stop()) removal = nextGroup(rest, base);
      if (!removal && !control_.stop() && aids_.search) removal = aids_.search->find(rest, base);
      if (!removal) {
        auto& left = control_.stop() ? order.unplanned : order.inseparable;
        left = rest;
        if (base >= 0) left.push_back(base);
        std::sort(left.begin(), left.end());
        break;
      }
      last = removal->motion;
      std::erase_if(rest, [&](int unit) { return contains(removal->units, unit); });
      if (removal->units.size() > 1) removal->inside.push_back(runGroup(removal->units));
      order.removals.push_back(std::move(*removal));
    }
    return order;
  }

 private:
  static bool contains(const std::vector<int>& units, int unit) {
    return std::find(units.begin(), units.end(), unit) != units.end();
  }

  const RemovalMotion& motionOf(int index) const { return motions_.motions[static_cast<std::size_t>(index)]; }

  /// The heaviest unit of a group stays when it comes apart: of those that no goal requires after another one
  /// of the group, if that comes apart.
  RemovalOrder runGroup(const std::vector<int>& group) {
    const auto isLater = [&](int unit) {
      return std::any_of(assembly_.after.begin(), assembly_.after.end(),
                         [&](const std::pair<int, int>& after) {
                           return after.first == unit && contains(group, after.second);
                         });
    };
    std::vector<int> first;
    std::copy_if(group.begin(), group.end(), std::back_inserter(first), [&](int u) { return !isLater(u); });
    const int heaviest = assembly_.heaviestOf(group);
    RemovalOrder best = runAround(first.empty() ? heaviest : assembly_.heaviestOf(first), group);
    if (best.base == heaviest || best.isComplete() || control_.stop()) return best;
    RemovalOrder other = runAround(heaviest, group);
    other.breaksAfter = true;
    return other.isComplete() ? other : best;
  }

  RemovalOrder runAround(int base, std::vector<int> group) {
    std::erase(group, base);
    return run(std::move(group), base);
  }

  /// True if a goal requires `unit` to be assembled before `other`.
  bool isBefore(int unit, int other) const {
    return std::find(assembly_.after.begin(), assembly_.after.end(), std::pair(other, unit)) !=
           assembly_.after.end();
  }

  bool blocks(int other, int unit, int motion) {
    return isBefore(unit, other) || paths_.isBlocked(unit, other, motion);
  }

  bool isFree(int unit, int motion, const std::vector<int>& rest, int base) {
    for (const int other : rest)
      if (other != unit && blocks(other, unit, motion)) return false;
    return base >= 0 ? !paths_.isBlocked(unit, base, motion) : !paths_.isBlockedByStatic(unit, motion);
  }

  RemovalRank rankOf(int unit, int motion, int last, const std::vector<int>& rest) const {
    const double tool = aids_.tools && aids_.tools->isBlocked(unit, rest) ? 1 : 0;
    const double turn =
        last >= 0 && (motionOf(motion).direction - motionOf(last).direction).norm() < 1e-6 ? 0 : 1;
    // In steps, so that rounding does not decide.
    const double down = -std::round(1e3 * up_.dot(motionOf(motion).direction));
    const double mass = assembly_.massOf(unit);
    switch (preference_) {
      case OrderPreference::fewestTurns:
      case OrderPreference::fewestSupports:
        return {tool, turn, down, mass};
      case OrderPreference::fromAbove:
        return {tool, down, turn, mass};
      case OrderPreference::lightFirst:
        return {tool, mass, down, turn};
    }
    return {};
  }

  double travelOf(const std::vector<int>& units, int motion, const std::vector<int>& rest, int base) const {
    std::vector<int> others = rest;
    if (base >= 0) others.push_back(base);
    return paths_.travel(units, motion, others, base < 0);
  }

  std::optional<Removal> nextUnit(const std::vector<int>& rest, int base, int last) {
    if (preference_ != OrderPreference::fewestSupports || !aids_.stability || base >= 0)
      return firstUnit(rest, base, last, {});
    std::optional<Removal> best;
    std::size_t fewest = 0;
    std::vector<int> tried;
    while (static_cast<int>(tried.size()) < kTriedSupports && !control_.stop()) {
      std::optional<Removal> removal = firstUnit(rest, base, last, tried);
      if (!removal) break;
      tried.push_back(removal->units.front());
      std::vector<int> remaining = rest;
      std::erase(remaining, tried.back());
      std::sort(remaining.begin(), remaining.end());
      const std::size_t falling = aids_.stability->fallingUnits(remaining, {}).size();
      if (!best || falling < fewest) best = std::move(removal);
      if (tried.size() == 1 || falling < fewest) fewest = falling;
      if (fewest == 0) break;
    }
    return best;
  }

  /// The best of the units that some motion frees, without those of `except`.
  std::optional<Removal> firstUnit(const std::vector<int>& rest, int base, int last,
                                   const std::vector<int>& except) {
    std::optional<Removal> best;
    RemovalRank bestRank{};
    // Of equal ones the last leaves first: they are assembled in the order of the scene.
    for (auto of = rest.rbegin(); of != rest.rend(); ++of) {
      if (contains(except, *of)) continue;
      for (const int motion : motions_.ofUnit[static_cast<std::size_t>(*of)]) {
        const int unit = *of;
        const RemovalRank rank = rankOf(unit, motion, last, rest);
        if (best && rank >= bestRank) continue;
        if (control_.stop()) return best;
        if (!isFree(unit, motion, rest, base)) continue;
        best = Removal{{unit}, motion, travelOf({unit}, motion, rest, base), {}};
        bestRank = rank;
      }
    }
    return best;
  }

  /// The units that must move with `unit`, itself included; empty if a part that stays is among them, or if
  /// they are more than `most`.
  std::vector<int> closedSet(int unit, int motion, const std::vector<int>& rest, int base, std::size_t most) {
    std::vector<int> group{unit};
    for (std::size_t k = 0; k < group.size(); ++k) {
      if (control_.stop()) return {};
      const int of = group[k];
      if (base >= 0 ? paths_.isBlocked(of, base, motion) : paths_.isBlockedByStatic(of, motion)) return {};
      for (const int other : rest)
        if (!contains(group, other) && blocks(other, of, motion)) group.push_back(other);
      if (group.size() > most) return {};
    }
    std::sort(group.begin(), group.end());
    return group;
  }

  std::optional<Removal> nextGroup(const std::vector<int>& rest, int base) {
    std::optional<Removal> best;
    for (int motion = 0; motion < static_cast<int>(motions_.motions.size()); ++motion) {
      if (motionOf(motion).unit >= 0) continue;
      control_.progress(fmt::format("planning: {} parts left, searching groups that move {} ({}/{})",
                                    rest.size(), motionOf(motion).reason, motion + 1,
                                    motions_.motions.size()));
      for (const int unit : rest) {
        const std::size_t most = best ? best->units.size() - 1 : rest.size();
        std::vector<int> group = closedSet(unit, motion, rest, base, most);
        if (group.empty()) continue;
        const double travel = travelOf(group, motion, rest, base);
        if (base < 0 && group.size() > 1 && !paths_.isClearOfStatics(group, motion, travel)) continue;
        best = Removal{std::move(group), motion, travel, {}};
      }
    }
    return best;
  }

  const Assembly& assembly_;
  const MotionSet& motions_;
  PathCheck& paths_;
  OrderPreference preference_;
  const SearchControl& control_;
  OrderAids aids_;
  Vector3d up_ = Vector3d::UnitZ();
};

}  // namespace

bool RemovalOrder::isComplete() const {
  return inseparable.empty() && unplanned.empty() &&
         std::all_of(removals.begin(), removals.end(), [](const Removal& removal) {
           return std::all_of(removal.inside.begin(), removal.inside.end(),
                              [](const RemovalOrder& inside) { return inside.isComplete(); });
         });
}

bool RemovalOrder::breaksAfterInside() const {
  return breaksAfter || std::any_of(removals.begin(), removals.end(), [](const Removal& removal) {
           return std::any_of(removal.inside.begin(), removal.inside.end(),
                              [](const RemovalOrder& inside) { return inside.breaksAfterInside(); });
         });
}

RemovalOrder findRemovalOrder(const Assembly& assembly, const MotionSet& motions, PathCheck& paths,
                              OrderPreference preference, const SearchControl& control,
                              const OrderAids& aids) {
  std::vector<int> all(assembly.units.size());
  for (std::size_t k = 0; k < all.size(); ++k) all[k] = static_cast<int>(k);
  return OrderSearch(assembly, motions, paths, preference, control, aids).run(std::move(all), -1);
}

}  // namespace tenon::runtime
