// Rows of whole numbers as few bytes, for one browser.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tenon::service {

/// The number of `row`'s numbers; then of each its difference from that in the same place of `last`, where a
/// missing one is 0: zigzag integers in groups of 7 bits (runtime/web/number_track.h). page/live.js decodes
/// it.
std::string deltaBytes(const std::vector<std::int64_t>& row, const std::vector<std::int64_t>& last);

}  // namespace tenon::service
