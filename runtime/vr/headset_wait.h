// Waits for a headset before a session, and reconnects after a loss.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "runtime/session/interrupt.h"
#include "runtime/vr/runtime_watch.h"
#include "xr/display/headset.h"

namespace tenon::runtime {

/// Creates the headset with timeouts.
class HeadsetWait {
 public:
  static constexpr double kDefaultTimeout = 60;  ///< during a session [s]
  /// The timeout is restored after this many frames, so a runtime that fails repeatedly ends the session.
  static constexpr int kFramesToResetTimeout = 100;

  /// `seconds`: both timeouts; std::nullopt: 0 before and kDefaultTimeout during a session. Messages of the
  /// runtime are printed on stderr. `watch` ends an attempt that hangs.
  HeadsetWait(std::optional<double> seconds, const InterruptGuard& interrupt, RuntimeWatch& watch,
              xr::HeadsetOptions headset);

  /// Waits for the headset. Null after Ctrl-C. Throws like Headset's constructor after the timeout, or if
  /// waiting cannot help.
  std::unique_ptr<xr::Headset> waitForFirst();
  /// Creates a new headset after a loss; the old one must be destroyed. `reason`: text for the user. Null
  /// after Ctrl-C or after the timeout (timedOut()).
  std::unique_ptr<xr::Headset> reconnect(const std::string& reason);
  bool timedOut() const { return timedOut_; }
  /// Called several times a second while waiting.
  std::function<void()> whileWaiting;
  /// Call after each displayed frame.
  void countFrame();

 private:
  std::unique_ptr<xr::Headset> attempt() const;
  bool pauseFor(double seconds) const;

  double timeout_, initialTimeout_, remaining_;
  const InterruptGuard& interrupt_;
  RuntimeWatch& watch_;
  xr::HeadsetOptions headset_;
  int frames_ = 0;
  bool timedOut_ = false;
};

}  // namespace tenon::runtime
