// Rewrites the line with a carriage return and the ANSI sequence "erase to the end of the line".
#include "runtime/session/progress_line.h"

#include <fmt/format.h>

#include <cstdio>

#include "runtime/report/units_text.h"
#include "runtime/session/terminal.h"

namespace tenon::runtime {

ProgressLine::ProgressLine(double duration) : shown_(isTerminal(stderr)), duration_(duration) {}

ProgressLine::~ProgressLine() {
  if (shown_) fmt::print(stderr, "\r\x1b[K");
}

bool ProgressLine::isDue() {
  const Clock::time_point now = Clock::now();
  if (!shown_ || now < next_) return false;
  next_ = now + std::chrono::milliseconds(100);
  return true;
}

void ProgressLine::update(double time, double push) {
  if (!isDue()) return;
  const double wall = std::chrono::duration<double>(Clock::now() - start_).count();
  const double factor = wall > 0 ? time / wall : 0;
  fmt::print(stderr, "\r\x1b[K{:3.0f} %  {:.2f} of {:.2f} s  {:.2f} × real time  push {}",
             100 * time / duration_, time, duration_, factor, forceText(push));
  std::fflush(stderr);
}

void ProgressLine::show(const std::string& text) {
  if (!isDue()) return;
  fmt::print(stderr, "\r\x1b[K{}", text);
  std::fflush(stderr);
}

}  // namespace tenon::runtime
