// See frame_deltas.h.
#include "runtime/service/http/frame_deltas.h"

#include "runtime/web/number_track.h"

namespace tenon::service {

std::string deltaBytes(const std::vector<std::int64_t>& row, const std::vector<std::int64_t>& last) {
  std::string bytes;
  runtime::appendUnsigned(bytes, row.size());
  for (std::size_t k = 0; k < row.size(); ++k)
    runtime::appendSigned(bytes, row[k] - (k < last.size() ? last[k] : 0));
  return bytes;
}

}  // namespace tenon::service
