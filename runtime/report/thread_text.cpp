// See thread_text.h.
#include "runtime/report/thread_text.h"

#include <fmt/format.h>

#include "content/parts/read_thread.h"
#include "runtime/report/units_text.h"

namespace tenon::runtime {
namespace {

/// "M8x1 in M8": for threads that do not match.
std::string mismatchText(const ThreadEngagement& thread) {
  const bool isHandWrong = thread.external.isLeftHanded != thread.internal.isLeftHanded;
  return fmt::format("wrong {}: {} in {}", isHandWrong ? "hand" : "pitch",
                     content::threadText(thread.external), content::threadText(thread.internal));
}

}  // namespace

std::string threadStateText(const ThreadEngagement& thread, const content::Goal& goal) {
  if (!thread.isMatching) return mismatchText(thread);
  const std::string wanted = goal.turns > 0 ? fmt::format(" of {:g}", goal.turns) : "";
  if (thread.phase == ThreadPhase::started) {
    std::string text = fmt::format("the thread is started: {:.2f}{} turns", thread.turns, wanted);
    if (goal.preload > 0)
      text += fmt::format(", preload {} of {}", forceText(thread.preload), forceText(goal.preload));
    if (goal.torque > 0)
      text += fmt::format(", {} of {}", torqueText(thread.maxTorque), torqueText(goal.torque));
    return text;
  }
  return fmt::format("the thread is not started{}",
                     thread.phase == ThreadPhase::atMouth
                         ? fmt::format(": at its mouth, {:.2f} turns driven", thread.driven)
                         : std::string());
}

std::string startedText(const ThreadEngagement& thread) {
  return fmt::format("started: {:.2f} turns of {} in {} lie side by side, tilted by {} of at most {}",
                     thread.turns, content::threadText(thread.external), content::threadText(thread.internal),
                     degreesText(thread.tilt), degreesText(thread.freeTilt));
}

std::string tightText(const ThreadEngagement& thread) {
  return fmt::format("tight: preload {}, tightened by {:.3g}° with {} at most; {:.2f} turns of {} in {}",
                     forceText(thread.preload), 360 * thread.tightening, torqueText(thread.maxTorque),
                     thread.turns, content::threadText(thread.external),
                     content::threadText(thread.internal));
}

std::string strippedText(const ThreadEngagement& thread, const content::Goal& goal) {
  // Of a single state, as in a replay, the largest one is not known.
  const std::string preload =
      thread.maxPreload > goal.proofLoad ? " of " + forceText(thread.maxPreload) : std::string();
  return fmt::format(
      "stripped: the preload{} exceeded the proof load of {}: tighten with less torque, or take a stronger "
      "or a "
      "larger thread",
      preload, forceText(goal.proofLoad));
}

std::string crossedText(const ThreadEngagement& thread) {
  return fmt::format(
             "cross-threaded by {}: the play of its flanks permits a tilt of {}; it bound after {:.2f} turns "
             "with the tip {} deep, and the threads press on each other with {}: turn it back, and start it "
             "upright",
             degreesText(thread.tilt), degreesText(thread.freeTilt), thread.boundAt,
             millimetersText(thread.boundDepth), forceText(thread.force)) +
         (thread.isMatching ? std::string() : "; " + mismatchText(thread));
}

}  // namespace tenon::runtime
