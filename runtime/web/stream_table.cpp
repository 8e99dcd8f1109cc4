// See stream_table.h.
#include "runtime/web/stream_table.h"

namespace tenon::runtime {

int StreamTable::add(const std::string& bytes) {
  const auto [at, isNew] = numbers_.try_emplace(bytes, static_cast<int>(ranges_.size()));
  if (isNew) {
    ranges_.emplace_back(bytes_.size(), bytes.size());
    bytes_ += bytes;
  }
  return at->second;
}

}  // namespace tenon::runtime
