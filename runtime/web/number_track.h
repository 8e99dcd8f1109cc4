// Series of numbers as few bytes: whole multiples of a quantum, as differences from what the numbers before
// them predict.
#pragma once

#include <cstdint>
#include <string>

namespace tenon::runtime {

/// Appends `value` in groups of 7 bits, lowest first; all but the last have bit 7 set (LEB128).
void appendUnsigned(std::string& bytes, std::uint64_t value);

/// Appends `value` as an unsigned number: 0, −1, 1, −2 … as 0, 1, 2, 3 … (zigzag).
void appendSigned(std::string& bytes, std::int64_t value);

/// `value` [any unit] as a whole multiple of `quantum` [same unit], at most 2^50 of them: a browser's numbers
/// are exact up to 2^53.
std::int64_t quantized(double value, double quantum);

/// How a track predicts a number from those before it.
enum class Prediction {
  last,    ///< the number before; for indices, flags and values that jump
  linear,  ///< the extrapolation of the two before; for smooth motion
};

/// One series. Its decoder is in page/decode.js.
class NumberTrack {
 public:
  /// `quantum`: in the unit of the numbers, positive.
  NumberTrack(double quantum, Prediction prediction) : quantum_(quantum), prediction_(prediction) {}

  void add(double value);
  const std::string& bytes() const { return bytes_; }  ///< of all numbers so far
  double quantum() const { return quantum_; }

 private:
  double quantum_;
  Prediction prediction_;
  std::int64_t last_ = 0, step_ = 0;  ///< the last number, and its difference from the one before
  std::string bytes_;
};

}  // namespace tenon::runtime
