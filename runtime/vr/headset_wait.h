// Waiting for a headset: before a session, and in the middle of one whose runtime or headset has gone.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "runtime/session/interrupt.h"
#include "runtime/vr/runtime_watch.h"
#include "xr/display/headset.h"

namespace tenon::runtime {

/// How long a session waits for a headset that is not there.
class HeadsetWait {
 public:
  static constexpr double kDefault = 60;  ///< in the middle of a session [s]
  /// After so many frames all of the time is there again: a runtime that fails over and over ends the
  /// session.
  static constexpr int kFramesToResetTimeout = 100;

  /// `seconds`: what was asked for; none: kDefault, and before a session not at all.
  /// `headset` is as it is to be made; what its runtime says is told on stderr. `watch` ends an attempt that
  /// hangs.
  HeadsetWait(std::optional<double> seconds, const InterruptGuard& interrupt, RuntimeWatch& watch,
              xr::HeadsetOptions headset);

  /// The headset, now or when it comes. Null: Ctrl-C came first. Throws what Headset's constructor throws,
  /// where nothing comes, or nothing that waiting would bring.
  std::unique_ptr<xr::Headset> first();
  /// Another one in place of the one that was lost, which must be gone by now; `why` in words for a person.
  /// Null: Ctrl-C came first, or the time is over, which is told then: gaveUp().
  std::unique_ptr<xr::Headset> again(const std::string& why);
  bool gaveUp() const { return gaveUp_; }
  /// Again calls this in between, some times a second.
  std::function<void()> whileWaiting;
  /// A frame has been shown.
  void countFrame();

 private:
  std::unique_ptr<xr::Headset> attempt() const;
  bool pauseFor(double seconds) const;

  double all_, before_, left_;
  const InterruptGuard& interrupt_;
  RuntimeWatch& watch_;
  xr::HeadsetOptions headset_;
  int frames_ = 0;
  bool gaveUp_ = false;
};

}  // namespace tenon::runtime
