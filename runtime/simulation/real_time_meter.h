// Share of the due steps that a live session computes.
#pragma once

#include <cstdint>

namespace tenon::runtime {

/// Counts computed and dropped steps over intervals of one second of the clock.
class RealTimeMeter {
 public:
  static constexpr std::int64_t kInterval_ns = 1'000'000'000;

  explicit RealTimeMeter(std::int64_t now_ns = 0) : since_ns_(now_ns) {}

  void start(std::int64_t now_ns) { *this = RealTimeMeter(now_ns); }

  /// Counts one computed step and `dropped` ones. Sets `ratio`, computed / due steps, at the end of an
  /// interval.
  void count(std::int64_t now_ns, std::int64_t dropped, double& ratio) {
    ++computed_;
    dropped_ += dropped;
    if (now_ns - since_ns_ < kInterval_ns) return;
    ratio = static_cast<double>(computed_) / static_cast<double>(computed_ + dropped_);
    start(now_ns);
  }

 private:
  std::int64_t since_ns_ = 0, computed_ = 0, dropped_ = 0;
};

}  // namespace tenon::runtime
