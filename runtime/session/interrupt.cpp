// Signal handlers can only access globals; `requestedFlag` is the program's only one.
#include "runtime/session/interrupt.h"

#include <unistd.h>

#include <atomic>
#include <csignal>

namespace tenon::runtime {

namespace {

std::atomic<bool> requestedFlag{false};
static_assert(std::atomic<bool>::is_always_lock_free);

void setAction(void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  // SA_RESTART: blocking calls of libraries continue.
  action.sa_flags = handler == SIG_DFL ? 0 : static_cast<int>(SA_RESETHAND) | SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

}  // namespace

InterruptGuard::InterruptGuard() {
  requestedFlag = false;
  setAction([](int) {
    requestedFlag = true;
    constexpr char kNote[] =
        "\ntenon: stopping after this step; press Ctrl-C again to exit immediately without results\n";
    [[maybe_unused]] const auto written = write(STDERR_FILENO, kNote, sizeof kNote - 1);
  });
}

InterruptGuard::~InterruptGuard() {
  setAction(SIG_DFL);
}

bool InterruptGuard::requested() const {
  return requestedFlag;
}

}  // namespace tenon::runtime
