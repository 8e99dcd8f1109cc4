// The resolution at which the device draws a headset's frames in time.
#pragma once

#include <array>
#include <cstddef>

namespace tenon::xr {

/// Lowers the resolution when some frames in a row take the device nearly as long as the display's period,
/// and raises it when frames at the next higher one would for a while take much less. The time of a frame is
/// taken to be proportional to its pixels.
class DynamicResolution {
 public:
  static constexpr std::array kScales{1.0, 0.9, 0.8, 0.7, 0.6, 0.5};  ///< of width and height
  static constexpr double kSlowShare = 0.9, kFastShare = 0.75;        ///< of the period
  static constexpr int kSlowFrames = 3, kFastFrames = 90;

  /// Of width and height [-].
  double scale() const { return kScales[index_]; }
  /// A frame at scale() took the device `time`; `period`: of the display [ms].
  void add(double time, double period);

 private:
  std::size_t index_ = 0;
  int slowFrames_ = 0, fastFrames_ = 0;  ///< in a row
};

}  // namespace tenon::xr
