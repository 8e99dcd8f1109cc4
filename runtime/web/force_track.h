// The force arrows of a session as few bytes.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <tuple>
#include <vector>

#include "runtime/web/stream_table.h"
#include "xr/appearance/compose.h"

namespace tenon::runtime {

/// The arrows of each frame, in the order given. An arrow is stored as the difference from the arrow of the
/// same parts in the frame before; several of the same parts are counted.
class ForceTrack {
 public:
  static constexpr double kPointQuantum = 1e-5;  ///< of points of application [m]
  static constexpr double kForceQuantum = 1e-4;  ///< of components of forces [N]

  /// The next frame.
  void add(std::span<const xr::DrawnForce> forces);
  /// Moves the bytes to `streams`. Returns {"count"}: stream of the number of arrows of each frame; {"pair"}:
  /// stream of the number of each arrow's pair in {"pairs"}, rows of i, j, where −1 and hand is the force of
  /// a hand; {"values"}: streams of point x, y, z [m] and force x, y, z [N]; and the quanta of both.
  nlohmann::json finish(StreamTable& streams) const;

 private:
  using Values = std::array<std::int64_t, 6>;

  std::map<std::pair<int, int>, int> numbers_;
  std::vector<std::pair<int, int>> pairs_;
  std::map<std::pair<int, int>, Values> last_;  ///< by number of the pair, and count of its arrow in a frame
  std::string count_, pair_;
  std::array<std::string, 6> values_;
};

}  // namespace tenon::runtime
