// A headset without a person: Monado, an OpenXR runtime, with its driver that takes head and hands from a
// socket.
#pragma once

#include <sys/types.h>

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "physics/math/pose.h"
#include "tests/support/program_run.h"

namespace tenon::tests {

/// Why there is no such runtime on this machine, and what to do; empty: there is one. The first call may
/// fetch it (tests/harness/monado.sh), which takes minutes.
std::string whyNoMonado();

/// A hand as the driver has it, in the room: metres, y up.
struct RemoteHand {
  physics::Pose X_SH;  ///< of the grip
  bool active = true;  ///< false: the controller is away, or out of sight
  double squeeze = 0, trigger = 0;
  bool bare = false;             ///< a camera sees the hand itself, with the pose in the place of its wrist's
  std::array<double, 5> curl{};  ///< of its fingers, from the little one to the thumb, 0…1
  double thumbstickX = 0, thumbstickY = 0;  ///< to the right; away from the person
  bool a = false, b = false;                ///< X and Y of the left hand
};

class Monado {
 public:
  static constexpr std::size_t kLeft = 0, kRight = 1;

  /// Starts the service, which has a place of its own. Throws std::runtime_error where it does not come up.
  Monado();
  ~Monado();
  Monado(const Monado&) = delete;
  Monado& operator=(const Monado&) = delete;

  /// Words in front of a program's own that let it find the runtime.
  std::vector<std::string> with(std::vector<std::string> words) const;
  /// Variables for that program ("NAME=VALUE").
  std::vector<std::string> environment() const;

  /// The state that send() sends.
  physics::Pose X_SHead;
  std::array<RemoteHand, 2> hands;
  /// Sends the state to the driver, which does not reply: programs see it some frames later.
  void send();

  /// Ends the service as a crash would.
  void kill();
  /// Starts it again, with head and hands as they were. Throws as the constructor does.
  void start();
  /// What the service said.
  std::string said() const;

 private:
  void launch();
  bool connect();

  TemporaryFolder folder_;
  pid_t service_ = -1;
  int port_ = 0, socket_ = -1;
  std::size_t saidBefore_ = 0;  ///< length of what the service said before it was started
};

}  // namespace tenon::tests
