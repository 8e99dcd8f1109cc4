// See verify_session.h.
#include "runtime/session/verify_session.h"

#include <fmt/format.h>

#include <numbers>
#include <optional>

#include "content/input/wording.h"
#include "content/model/scene.h"
#include "runtime/record/program_identity.h"
#include "runtime/record/resimulation.h"
#include "runtime/session/session_scene.h"

namespace tenon::runtime {

namespace {

/// Text from a file as one line without control characters, shortened.
std::string shortened(const std::string& text) {
  constexpr std::size_t kMaxBytes = 300;
  return content::oneLine(text, kMaxBytes);
}

std::string differenceText(const SessionReader& session, const ReplayCheck& result) {
  std::string text =
      fmt::format("differs: first after tick {}, at {:.6f} s\n", *result.firstDifferent, result.time);
  if (const std::string around = circumstancesOf(session.header().program, thisProgram()); !around.empty())
    text += fmt::format("  recorded elsewhere: {}\n", shortened(around));
  if (!result.body)
    return text + "  the record ends before the next recorded states, so the difference is unknown\n";
  const BodyDifference& d = *result.body;
  return text +
         fmt::format(
             "  {} differs by {:.6g} mm and {:.6g}°, its velocity by {:.6g} mm/s and {:.6g}°/s, at tick {}, "
             "the first with recorded states\n  bodies that differ there: {}\n",
             shortened(session.bodies()[static_cast<std::size_t>(d.body)]), d.distance * 1e3,
             d.angle * 180 / std::numbers::pi, d.speed * 1e3, d.spin * 180 / std::numbers::pi, d.tick,
             d.differingBodies);
}

}  // namespace

SessionVerification verifySession(SessionReader& session, const std::function<bool(double)>& progress) {
  SessionVerification verification;
  verification.obstacle = verificationObstacle(session.header());
  std::optional<content::Scene> scene;
  std::optional<Resimulation> resimulation;
  if (verification.obstacle.empty()) {
    scene.emplace(sceneOf(session.header()));
    resimulation.emplace(session, *scene, optionsOf(session.header()));
  }
  verification.check = verifyReplay(session, resimulation ? &*resimulation : nullptr, [&](double time) {
    verification.canceled = verification.canceled || !progress(time);
    return !verification.canceled;
  });
  return verification;
}

std::string verificationText(const SessionReader& session, const SessionVerification& verification,
                             double wall) {
  const ReplayCheck& check = verification.check;
  if (verification.canceled) return fmt::format("stopped after step {}\n", check.steps);
  if (!verification.obstacle.empty())
    return fmt::format(
        "exact verification does not apply: {}\n  the record itself is intact: {} steps, all hashes as "
        "recorded\n",
        shortened(verification.obstacle), check.steps);
  if (check.firstDifferent) return differenceText(session, check);
  return fmt::format("verified: {} steps, {:.3f} s, every state bit for bit, in {:.2f} s\n", check.steps,
                     session.lastTime(), wall);
}

}  // namespace tenon::runtime
