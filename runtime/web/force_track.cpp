// See force_track.h.
#include "runtime/web/force_track.h"

#include <nlohmann/json.hpp>

#include "runtime/web/number_track.h"

namespace tenon::runtime {

using Json = nlohmann::json;

void ForceTrack::add(std::span<const xr::DrawnForce> forces) {
  appendUnsigned(count_, forces.size());
  std::map<int, int> seen;  // arrows of each pair in this frame
  for (const xr::DrawnForce& force : forces) {
    const auto [at, isNew] = numbers_.try_emplace({force.i, force.j}, static_cast<int>(pairs_.size()));
    if (isNew) pairs_.emplace_back(force.i, force.j);
    appendUnsigned(pair_, static_cast<std::uint64_t>(at->second));
    Values& last = last_[{at->second, seen[at->second]++}];
    for (std::size_t k = 0; k < 6; ++k) {
      const auto axis = static_cast<Eigen::Index>(k % 3);
      const std::int64_t value =
          k < 3 ? quantized(force.at[axis], kPointQuantum) : quantized(force.newtons[axis], kForceQuantum);
      appendSigned(values_[k], value - last[k]);
      last[k] = value;
    }
  }
}

Json ForceTrack::finish(StreamTable& streams) const {
  Json pairs = Json::array(), values = Json::array();
  for (const auto& [i, j] : pairs_) pairs.push_back(Json::array({i, j}));
  for (const std::string& bytes : values_) values.push_back(streams.add(bytes));
  return {{"count", streams.add(count_)},
          {"pair", streams.add(pair_)},
          {"pairs", pairs},
          {"values", values},
          {"point_quantum_m", kPointQuantum},
          {"force_quantum_n", kForceQuantum}};
}

}  // namespace tenon::runtime
