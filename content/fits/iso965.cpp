// See iso965.h. Tables and formulas in millimeters and micrometers, as in the standards.
#include "content/fits/iso965.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace tenon::content {
namespace {

constexpr std::array k3{0.5, 0.35}, k3_5{0.6, 0.35}, k4{0.7, 0.5}, k4_5{0.75, 0.5}, k5{0.8, 0.5},
    k6{1.0, 0.75}, k7{1.0, 0.75};
constexpr std::array k8{1.25, 1.0, 0.75}, k16{2.0, 1.5, 1.0};
constexpr std::array k10{1.5, 1.25, 1.0, 0.75}, k12{1.75, 1.5, 1.25, 1.0}, k14{2.0, 1.5, 1.25, 1.0},
    k18{2.5, 2.0, 1.5, 1.0}, k24{3.0, 2.0, 1.5, 1.0};
constexpr std::array kSeries{
    ThreadSeries{3, k3},   ThreadSeries{3.5, k3_5}, ThreadSeries{4, k4},   ThreadSeries{4.5, k4_5},
    ThreadSeries{5, k5},   ThreadSeries{6, k6},     ThreadSeries{7, k7},   ThreadSeries{8, k8},
    ThreadSeries{10, k10}, ThreadSeries{12, k12},   ThreadSeries{14, k14}, ThreadSeries{16, k16},
    ThreadSeries{18, k18}, ThreadSeries{20, k18},   ThreadSeries{22, k18}, ThreadSeries{24, k24}};

/// Rounded values of a decade of the series R 40 (ISO 3).
constexpr std::array kR40{1.0,  1.06, 1.12, 1.18, 1.25, 1.32, 1.4,  1.5,  1.6,  1.7,  1.8, 1.9,  2.0, 2.12,
                          2.24, 2.36, 2.5,  2.65, 2.8,  3.0,  3.15, 3.35, 3.55, 3.75, 4.0, 4.25, 4.5, 4.75,
                          5.0,  5.3,  5.6,  6.0,  6.3,  6.7,  7.1,  7.5,  8.0,  8.5,  9.0, 9.5};

/// The number of this index of R 40, from 10 µm on, as a whole number [µm].
double preferred(int index) {
  const int size = static_cast<int>(kR40.size());
  double decade = 10;
  for (; index >= size; index -= size) decade *= 10;
  return std::nearbyint(decade * kR40[static_cast<std::size_t>(index)]);
}

/// Index of the nearest number of R 40.
int nearestPreferred(double value_um) {
  int index = 0;
  while (value_um >= 0.5 * (preferred(index) + preferred(index + 1))) ++index;
  return index;
}

/// Steps of R 40 between neighboring grades: factors 0.8 (grade 5) and 0.63 (grade 4) of grade 6.
constexpr int kStepsPerGrade = 4;
/// Steps of R 40 from external to internal pitch diameters: the factor 1.32.
constexpr int kStepsToInternal = 5;

/// A value of the published table that rounding does not give.
struct Published {
  double pitch = 0, value = 0;  // [mm], [µm]
};
constexpr Published kPitchDiameter{0.5, 75};  // of the diameters 2.8 to 5.6 mm
constexpr std::array kInternalMinor{Published{0.5, 140}, Published{2.5, 450}};

/// Fundamental deviation g of external threads [µm]: 15 + 11 P, as published.
constexpr std::array kDeviationG{
    Published{0.35, 19}, Published{0.5, 20}, Published{0.6, 21},  Published{0.7, 22}, Published{0.75, 22},
    Published{0.8, 24},  Published{1, 26},   Published{1.25, 28}, Published{1.5, 32}, Published{1.75, 34},
    Published{2, 38},    Published{2.5, 42}, Published{3, 48}};

/// Index of T_d2(6) in R 40.
int pitchDiameterIndex(double d, double P) {
  constexpr std::array kRanges{2.8, 5.6, 11.2, 22.4, 45.0};
  std::size_t k = 1;
  while (k + 1 < kRanges.size() && d > kRanges[k]) ++k;
  if (k == 1 && P == kPitchDiameter.pitch) return nearestPreferred(kPitchDiameter.value);
  const double mean = std::sqrt(kRanges[k - 1] * kRanges[k]);
  return nearestPreferred(90 * std::pow(P, 0.4) * std::pow(mean, 0.1));
}

int externalMajorIndex(double P) {
  return nearestPreferred(180 * std::pow(P, 2.0 / 3) - 3.15 / std::sqrt(P));
}

int internalMinorIndex(double P) {
  for (const Published& p : kInternalMinor)
    if (P == p.pitch) return nearestPreferred(p.value);
  return nearestPreferred(P < 1 ? 433 * P - 190 * std::pow(P, 1.22) : 230 * std::pow(P, 0.7));
}

/// A tolerance class: grade, letter.
struct ToleranceClass {
  std::string_view text;
  bool isInternal = false;
  int grade = 6;
  bool isBelowZero = false;  // letter g, else h or H
};
constexpr std::array kClasses{ToleranceClass{"4h", false, 4, false}, ToleranceClass{"6h", false, 6, false},
                              ToleranceClass{"6g", false, 6, true}, ToleranceClass{"5H", true, 5, false},
                              ToleranceClass{"6H", true, 6, false}};

double deviationOf(double P) {
  for (const Published& p : kDeviationG)
    if (p.pitch == P) return p.value;
  return 15 + 11 * P;
}

DiameterLimits limits(double basic_mm, double low_um, double high_um) {
  return {(basic_mm + low_um / 1000) / 1000, (basic_mm + high_um / 1000) / 1000};
}

/// In mm as in the designation: removes the rounding of a conversion to meters.
double inMillimeters(double length) {
  return std::round(length * 1e9) / 1e6;
}

const ThreadSeries* seriesOf(double diameter_mm) {
  const auto found = std::find_if(kSeries.begin(), kSeries.end(),
                                  [&](const ThreadSeries& s) { return s.diameter == diameter_mm; });
  return found == kSeries.end() ? nullptr : &*found;
}

/// Reads a number at the start of `text` and removes it.
std::optional<double> takeNumber(std::string_view& text) {
  double value = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

/// Reads the sign between diameter and pitch and removes it.
bool takeTimes(std::string_view& text) {
  for (const std::string_view sign : {" x ", "x", "X", "×", "*"})
    if (text.substr(0, sign.size()) == sign) {
      text.remove_prefix(sign.size());
      return true;
    }
  return false;
}

std::string pitchList(const ThreadSeries& series) {
  std::string list;
  for (const double pitch : series.pitches) list += (list.empty() ? "" : ", ") + fmt::format("{:g}", pitch);
  return list;
}

}  // namespace

std::span<const ThreadSeries> threadSeries() {
  return kSeries;
}

std::optional<ThreadSizeAndPitch> parseThreadSize(std::string_view text, std::string& problem,
                                                  std::string& remedy) {
  std::string_view rest = text;
  std::optional<double> diameter, pitch;
  if (!rest.empty() && (rest[0] == 'M' || rest[0] == 'm')) {
    rest.remove_prefix(1);
    diameter = takeNumber(rest);
  }
  if (diameter && takeTimes(rest)) {
    pitch = takeNumber(rest);
    if (!pitch) diameter.reset();
  }
  if (!diameter || !rest.empty()) {
    problem = "is no size of a metric thread";
    remedy = "write \"M8\", or \"M8x1\" for a fine pitch";
    return std::nullopt;
  }
  const ThreadSeries* series = seriesOf(*diameter);
  if (series == nullptr) {
    problem = fmt::format("is no size of ISO 261 from M3 to M24: Ø {:g} mm", *diameter);
    remedy =
        "use M3, M3.5, M4, M4.5, M5, M6, M7, M8, M10, M12, M14, M16, M18, M20, M22 or M24, or give "
        "\"diameter\" and \"pitch\"";
    return std::nullopt;
  }
  if (!pitch) pitch = series->pitches.front();
  if (std::find(series->pitches.begin(), series->pitches.end(), *pitch) == series->pitches.end()) {
    problem = fmt::format("has a pitch of {:g} mm, which M{:g} does not have", *pitch, *diameter);
    remedy =
        fmt::format("use one of {} mm (ISO 261), or give \"diameter\" and \"pitch\"", pitchList(*series));
    return std::nullopt;
  }
  return ThreadSizeAndPitch{*diameter / 1000, *pitch / 1000};
}

std::string threadSizeText(const ThreadSizeAndPitch& size) {
  const double d = inMillimeters(size.diameter), P = inMillimeters(size.pitch);
  const ThreadSeries* series = seriesOf(d);
  const bool isCoarse = series != nullptr && series->pitches.front() == P;
  return isCoarse ? fmt::format("M{:g}", d) : fmt::format("M{:g}x{:g}", d, P);
}

std::string supportedThreadClasses(bool isInternal) {
  std::string list;
  for (const ToleranceClass& c : kClasses)
    if (c.isInternal == isInternal) list += (list.empty() ? "" : ", ") + std::string(c.text);
  return list;
}

std::optional<ThreadLimits> threadLimits(std::string_view toleranceClass, bool isInternal,
                                         const ThreadSizeAndPitch& size) {
  const auto c = std::find_if(kClasses.begin(), kClasses.end(), [&](const ToleranceClass& known) {
    return known.text == toleranceClass && known.isInternal == isInternal;
  });
  const double d = inMillimeters(size.diameter), P = inMillimeters(size.pitch);
  if (c == kClasses.end() || seriesOf(d) == nullptr || !(P >= 0.35) || !(P <= 3)) return std::nullopt;
  const double H = physics::threadTriangleHeight(P), d2 = d - 0.75 * H;
  const int step = (c->grade - 6) * kStepsPerGrade;
  const int pitchIndex = pitchDiameterIndex(d, P) + step;
  if (isInternal)
    return ThreadLimits{limits(d - 1.25 * H, 0, preferred(internalMinorIndex(P) + step)),
                        limits(d2, 0, preferred(pitchIndex + kStepsToInternal))};
  const double es = c->isBelowZero ? -deviationOf(P) : 0;
  return ThreadLimits{limits(d, es - preferred(externalMajorIndex(P) + step), es),
                      limits(d2, es - preferred(pitchIndex), es)};
}

physics::Thread threadBetween(const ThreadSizeAndPitch& size, bool isInternal, const ThreadLimits& limits,
                              double crestShare, double pitchShare) {
  physics::Thread thread = physics::basicThread(size.diameter, size.pitch, isInternal, 0, 0);
  const double crest = limits.crest.at(crestShare),
               shift = limits.pitch.at(pitchShare) - thread.pitchDiameter;
  thread.pitchDiameter += shift;
  (isInternal ? thread.majorDiameter : thread.minorDiameter) += shift;
  (isInternal ? thread.minorDiameter : thread.majorDiameter) = crest;
  return thread;
}

}  // namespace tenon::content
