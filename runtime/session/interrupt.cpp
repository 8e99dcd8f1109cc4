// A signal handler can reach nothing but a global: the one of the program.
#include "runtime/session/interrupt.h"

#include <unistd.h>

#include <atomic>
#include <csignal>

namespace tenon::runtime {

namespace {

std::atomic<bool> wish{false};
static_assert(std::atomic<bool>::is_always_lock_free);

void setAction(void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  // Calls of libraries that wait meanwhile go on.
  action.sa_flags = handler == SIG_DFL ? 0 : static_cast<int>(SA_RESETHAND) | SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

}  // namespace

InterruptGuard::InterruptGuard() {
  wish = false;
  setAction([](int) {
    wish = true;
    constexpr char kNote[] =
        "\ntenon: stopping after this step; Ctrl-C again ends at once, without results\n";
    [[maybe_unused]] const auto written = write(STDERR_FILENO, kNote, sizeof kNote - 1);
  });
}

InterruptGuard::~InterruptGuard() {
  setAction(SIG_DFL);
}

bool InterruptGuard::requested() const {
  return wish;
}

}  // namespace tenon::runtime
