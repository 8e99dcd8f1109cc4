// See read_thread.h.
#include "content/parts/read_thread.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numbers>
#include <optional>

#include "content/input/expression.h"
#include "content/input/limits.h"
#include "content/input/wording.h"

namespace tenon::content {
namespace {

constexpr double kMaxDeviation_um = 2000;

ThreadSizeAndPitch readSize(const JsonCursor& at, std::string& designation) {
  if (at.has("size") == (at.has("diameter") || at.has("pitch")))
    at.fail("needs either \"size\" or \"diameter\" with \"pitch\"", "give \"size\": \"M8\"");
  if (const auto size = at.find("size")) {
    std::string problem, remedy;
    const auto parsed = parseThreadSize(size->name(), problem, remedy);
    if (!parsed) size->fail(problem, remedy);
    designation = threadSizeText(*parsed);
    return *parsed;
  }
  const ThreadSizeAndPitch size{at.member("diameter").positiveLength(), at.member("pitch").positiveLength()};
  designation = fmt::format("Ø {:g} mm x {:g} mm", size.diameter * 1e3, size.pitch * 1e3);
  return size;
}

/// Position between the smallest (0) and the largest (1) permitted diameter, of crest and pitch line.
struct Shares {
  double crest = 0.5, pitch = 0.5;
};

Shares readShares(const JsonCursor& at, bool isInternal) {
  const auto position = at.find("at"), seed = at.find("seed");
  const std::string word = position && position->isText() ? position->text(kMaxExpressionBytes) : "";
  const bool isWord = !word.empty() && word[0] != '=';
  if (isWord && word == "random") {
    const double key = 4.0 * (seed ? seed->integer(0, 1000000) : 0) + (isInternal ? 2 : 0);
    return {randomOf(key), randomOf(key + 1)};
  }
  if (seed) seed->fail("is given for diameters that are not random", "remove it, or set \"at\": \"random\"");
  double share = 0.5;
  if (isWord)
    share = std::array{0.0, 0.5, 1.0}[position->choice({"min", "mid", "max"})];
  else if (position)
    share = position->number({0, 1});
  return {share, share};
}

void allowFields(const JsonCursor& at, ThreadPlace place) {
  switch (place) {
    case ThreadPlace::section:
      return at.allowOnly({"size", "diameter", "pitch", "class", "at", "seed", "deviations_um", "left_handed",
                           "starts", "phase_deg", "from", "length"});
    case ThreadPlace::ring:
      return at.allowOnly({"size", "diameter", "pitch", "class", "at", "seed", "deviations_um", "left_handed",
                           "starts", "phase_deg"});
    case ThreadPlace::hole:
      return at.allowOnly({"size", "diameter", "pitch", "class", "at", "seed", "deviations_um", "left_handed",
                           "starts", "phase_deg", "depth"});
    case ThreadPlace::screw:
    case ThreadPlace::nut:
      at.allowOnly({"class", "at", "seed", "deviations_um", "left_handed", "phase_deg"});
  }
}

physics::Thread withTolerance(const JsonCursor& at, const ThreadSizeAndPitch& size, bool isStandard,
                              bool isInternal) {
  const auto given = at.find("class");
  if (!given && !isStandard) {
    for (const char* field : {"at", "seed"})
      if (const auto other = at.find(field))
        other->fail("is given for a thread without a tolerance class",
                    "give \"size\", whose diameters have tolerances, or \"deviations_um\"");
    return physics::basicThread(size.diameter, size.pitch, isInternal, 0, 0);
  }
  const std::string toleranceClass = given ? given->name() : isInternal ? "6H" : "6g";
  const auto limits = threadLimits(toleranceClass, isInternal, size);
  if (!limits) {
    if (!isStandard)
      given->fail("is given for a thread of no standard size", "give \"size\", or \"deviations_um\"");
    given->fail(fmt::format("is {}", inQuotes(toleranceClass)),
                fmt::format("use one of {} for an {} thread, or \"deviations_um\"",
                            supportedThreadClasses(isInternal), isInternal ? "internal" : "external"));
  }
  const Shares shares = readShares(at, isInternal);
  return threadBetween(size, isInternal, *limits, shares.crest, shares.pitch);
}

physics::Thread withDeviations(const JsonCursor& at, const JsonCursor& deviations,
                               const ThreadSizeAndPitch& size, bool isInternal) {
  for (const char* field : {"class", "at", "seed"})
    if (const auto other = at.find(field))
      other->fail("is given together with \"deviations_um\"", "keep one of the two");
  deviations.allowOnly({"major", "pitch", "minor"});
  physics::Thread thread = physics::basicThread(size.diameter, size.pitch, isInternal, 0, 0);
  const auto add = [&](const char* field, double& diameter) {
    const auto value = deviations.find(field);
    if (value) diameter += 1e-6 * value->number({-kMaxDeviation_um, kMaxDeviation_um, true, "µm"});
  };
  add("major", thread.majorDiameter);
  add("pitch", thread.pitchDiameter);
  add("minor", thread.minorDiameter);
  return thread;
}

}  // namespace

ThreadRequest readThread(const JsonCursor& at, ThreadPlace place,
                         const std::optional<ThreadSizeAndPitch>& standard) {
  allowFields(at, place);
  const bool isInternal = place != ThreadPlace::section && place != ThreadPlace::screw;
  ThreadRequest request;
  if (standard) request.designation = threadSizeText(*standard);
  const ThreadSizeAndPitch size = standard ? *standard : readSize(at, request.designation);
  request.nominal = size.diameter;
  const auto deviations = at.find("deviations_um");
  request.thread = deviations ? withDeviations(at, *deviations, size, isInternal)
                              : withTolerance(at, size, standard || at.has("size"), isInternal);
  if (const auto starts = at.find("starts")) request.thread.starts = starts->integer(1, physics::kMaxStarts);
  const auto left = at.find("left_handed");
  request.thread.isLeftHanded = left && left->boolean();
  if (const auto phase = at.find("phase_deg")) request.thread.phase = phase->angle(-360, 360);
  // Of a length without influence on the diameters.
  ThreadRequest whole = request;
  whole.thread.high = size.pitch;
  checkThread(deviations ? *deviations : at, whole);
  return request;
}

std::optional<double> readThreadDepth(const JsonCursor& at) {
  const auto depth = at.find("depth");
  return depth ? std::optional(depth->positiveLength()) : std::nullopt;
}

void checkThread(const JsonCursor& at, const ThreadRequest& request) {
  if (const auto problem = physics::problemWith(request.thread))
    at.fail(fmt::format("describes a thread {} that cannot be: {}", request.designation, *problem),
            "check its length, \"pitch\", \"deviations_um\" and the chamfers at its ends");
}

std::string threadText(const physics::Thread& thread) {
  // The pitch diameter is d − 3/4 H less or plus a deviation that is far below the step between two sizes.
  const double d = thread.pitchDiameter + 0.75 * physics::threadTriangleHeight(thread.pitch);
  std::string text = fmt::format("Ø {:.3g} mm, pitch {:.4g} mm", d * 1e3, thread.pitch * 1e3), hand = ", ";
  for (const ThreadSeries& series : threadSeries())
    for (const double pitch : series.pitches)
      if (std::abs(pitch / 1e3 - thread.pitch) < 1e-9 &&
          std::abs(series.diameter / 1e3 - d) < 0.3 * thread.pitch) {
        text = threadSizeText({series.diameter / 1e3, pitch / 1e3});
        hand = " ";
      }
  if (thread.isLeftHanded) text += hand + "left-handed";
  if (thread.starts > 1) text += fmt::format(" with {} starts", thread.starts);
  return text;
}

}  // namespace tenon::content
