// See number_track.h.
#include "runtime/web/number_track.h"

#include <algorithm>
#include <cmath>

namespace tenon::runtime {

namespace {

constexpr double kMaxQuanta = static_cast<double>(std::int64_t{1} << 50);

}  // namespace

void appendUnsigned(std::string& bytes, std::uint64_t value) {
  for (; value >= 128; value >>= 7) bytes += static_cast<char>((value & 127) | 128);
  bytes += static_cast<char>(value);
}

void appendSigned(std::string& bytes, std::int64_t value) {
  appendUnsigned(bytes, (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63));
}

std::int64_t quantized(double value, double quantum) {
  if (std::isnan(value)) return 0;  // the difference of two infinite forces of a damaged file
  return std::llround(std::clamp(value / quantum, -kMaxQuanta, kMaxQuanta));
}

void NumberTrack::add(double value) {
  const std::int64_t next = quantized(value, quantum_), step = next - last_;
  appendSigned(bytes_, prediction_ == Prediction::linear ? step - step_ : step);
  last_ = next;
  step_ = step;
}

}  // namespace tenon::runtime
