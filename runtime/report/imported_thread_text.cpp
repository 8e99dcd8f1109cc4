// See imported_thread_text.h.
#include "runtime/report/imported_thread_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "content/fits/iso965.h"
#include "content/parts/read_thread.h"
#include "runtime/report/units_text.h"

namespace tenon::runtime {

namespace {

using Json = nlohmann::ordered_json;
using content::RecognizedThread;
using physics::Thread;

/// How far a diameter is outside of its limits [m].
double beyond(double diameter, const content::DiameterLimits& limits) {
  return std::max({0.0, limits.low - diameter, diameter - limits.high});
}

/// The size of ISO 261 with this pitch that is nearest to the pitch diameter.
std::optional<content::ThreadSizeAndPitch> sizeOf(const Thread& thread) {
  std::optional<content::ThreadSizeAndPitch> best;
  const double d = thread.pitchDiameter + 0.75 * physics::threadTriangleHeight(thread.pitch);
  double least = 0.3 * thread.pitch;
  for (const content::ThreadSeries& series : content::threadSeries())
    for (const double pitch : series.pitches) {
      const double away = std::abs(series.diameter / 1e3 - d);
      if (std::abs(pitch / 1e3 - thread.pitch) > 1e-9 || away > least) continue;
      least = away;
      best = content::ThreadSizeAndPitch{series.diameter / 1e3, pitch / 1e3};
    }
  return best;
}

struct NearestClass {
  std::string name;
  double beyond = 0;  ///< sum of what crest and pitch diameter are outside of its limits [m]
};

std::optional<NearestClass> nearestClass(const Thread& thread) {
  const auto size = sizeOf(thread);
  if (!size) return std::nullopt;
  const auto names =
      thread.isInternal ? std::vector<const char*>{"6H", "5H"} : std::vector<const char*>{"6g", "6h", "4h"};
  std::optional<NearestClass> best;
  for (const char* name : names) {
    const auto limits = content::threadLimits(name, thread.isInternal, *size);
    if (!limits) continue;
    const double sum = beyond(thread.pitchDiameter, limits->pitch) +
                       beyond(thread.isInternal ? thread.minorDiameter : thread.majorDiameter, limits->crest);
    if (!best || sum < best->beyond) best = NearestClass{name, sum};
  }
  return best;
}

/// Rounding of decimals [m].
constexpr double kNoDistance = 1e-9;

}  // namespace

std::string threadClassText(const Thread& thread) {
  const auto nearest = nearestClass(thread);
  if (!nearest) return "";
  if (nearest->beyond < kNoDistance) return "class " + nearest->name;
  return fmt::format("class nearest {}, {} beyond it", nearest->name, smallLengthText(nearest->beyond));
}

std::string importedThreadText(const RecognizedThread& found) {
  const Thread& t = found.thread;
  const std::string side = t.isInternal ? "internal" : "external";
  // The text of the size names the hand only if it is left.
  std::string text =
      fmt::format("{}, {}{}", content::threadText(t), t.isLeftHanded ? "" : "right-handed, ", side);
  if (!found.isUsed())
    return fmt::format("{}: not used as a thread, its faces collide: {}: {}", text, found.problem,
                       found.remedy);
  text += fmt::format(", {:.1f} turns", found.turns);
  if (const std::string name = threadClassText(t); !name.empty()) text += ", " + name;
  const auto within = [](double distance) { return smallLengthText(std::max(distance, kNoDistance)); };
  return fmt::format("{}, {:.0f} facets a turn: vertices within {}, 99 % within {}", text, found.facets,
                     within(found.worst), within(found.p99));
}

Json importedThreadJson(const RecognizedThread& found) {
  const Thread& t = found.thread;
  const physics::Vector3d axis = found.X_PT.q * physics::Vector3d::UnitZ();
  const auto point = [](const physics::Vector3d& p) { return Json::array({p.x(), p.y(), p.z()}); };
  const auto nearest = nearestClass(t);
  return {{"text", importedThreadText(found)},
          {"used", found.isUsed()},
          {"problem", found.isUsed() ? Json(nullptr) : Json(found.problem)},
          {"remedy", found.isUsed() ? Json(nullptr) : Json(found.remedy)},
          {"internal", t.isInternal},
          {"pitch_m", t.pitch},
          {"starts", t.starts},
          {"left_handed", t.isLeftHanded},
          {"phase_rad", t.phase},
          {"flank_angle_deg", found.halfAngle * 360 / std::numbers::pi},
          {"major_diameter_m", t.majorDiameter},
          {"pitch_diameter_m", t.pitchDiameter},
          {"minor_diameter_m", t.minorDiameter},
          {"nearest_class", nearest ? Json(nearest->name) : Json(nullptr)},
          {"beyond_class_m", nearest ? Json(nearest->beyond) : Json(nullptr)},
          {"turns", found.turns},
          {"facets_per_turn", found.facets},
          {"from_m", point(found.X_PT * physics::Vector3d(0, 0, t.low))},
          {"to_m", point(found.X_PT * physics::Vector3d(0, 0, t.high))},
          {"axis", point(axis)},
          {"rms_m", found.rms},
          {"p99_m", found.p99},
          {"worst_m", found.worst},
          {"place_m", point(found.worstPosition)}};
}

}  // namespace tenon::runtime
